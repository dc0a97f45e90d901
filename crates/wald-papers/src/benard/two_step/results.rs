//! What the repetitions of a cell showed, beside what the prototype found.

use crate::benard::two_step::cells::Cell;
use crate::benard::two_step::functions::Function;
use crate::benard::two_step::sample::{Sample, WAYS};
use crate::estimate::Estimate;
use crate::exhibit::{Claim, Comparison, Comparisons, Listing, Published};

/// Means over sets of runs.
pub(super) struct Results {
    pub(super) cell: Cell,
    /// Mean errors by way.
    pub(super) errors: [Estimate; WAYS.len()],
    /// Largest errors by way.
    largest: [Estimate; WAYS.len()],
    of_forest: Estimate,
    of_process: Estimate,
    leave_one_out: Estimate,
    cross_validated: Estimate,
    n_believed: usize,
}

impl Results {
    pub(super) fn of(cell: &Cell, samples: &[Sample]) -> Self {
        let estimate = |value: &dyn Fn(&Sample) -> f64| {
            Estimate::of(&samples.iter().map(value).collect::<Vec<f64>>())
        };
        Self {
            cell: *cell,
            errors: std::array::from_fn(|way| estimate(&|sample| sample.distances[way].mean)),
            largest: std::array::from_fn(|way| estimate(&|sample| sample.distances[way].largest)),
            of_forest: estimate(&|sample| sample.explained.forest),
            of_process: estimate(&|sample| sample.explained.process),
            leave_one_out: estimate(&|sample| sample.explained.leave_one_out),
            cross_validated: estimate(&|sample| sample.explained.cross_validated),
            n_believed: samples.iter().filter(|sample| sample.is_believed).count(),
        }
    }
}

/// The prototype's values have the errors of its few sets of runs: a spread like that found here.
fn published(value: f64, decimals: usize, n_sets: usize, found: &Estimate) -> Published {
    Published { value, decimals, standard_error: found.deviation / (n_sets as f64).sqrt() }
}

pub(super) fn comparisons(all: &[Results]) -> Vec<Comparisons> {
    let (mut errors, mut largest, mut shares) = (Vec::new(), Vec::new(), Vec::new());
    for found in all {
        let Some(prototype) = found.cell.prototype else { continue };
        let name = found.cell.name();
        let of = |quantity: &str, value: f64, decimals: usize, estimate: &Estimate| {
            let published = published(value, decimals, prototype.n_sets, estimate);
            Comparison::of_mean(quantity, &name, published, estimate)
        };
        for (way, error) in found.errors.iter().enumerate() {
            let comparison = of(WAYS[way], prototype.errors[way], 3, error);
            errors.push(comparison.because(found.cell.why(way)));
        }
        for (way, value) in prototype.largest.into_iter().enumerate() {
            let quantity = format!("{}, largest", WAYS[way]);
            let comparison = of(&quantity, value, 2, &found.largest[way]);
            largest.push(comparison.because(found.cell.why(way)));
        }
        shares.push(of("forest", prototype.q2[0], 2, &found.of_forest));
        shares.push(of("process", prototype.q2[1], 3, &found.of_process));
    }
    let table =
        |title: &str, rows| Comparisons { title: title.to_owned(), reference: "prototype", rows };
    vec![
        table("Mean errors", errors),
        table("Errors of the input with the largest one", largest),
        table("Share of the variance that is explained on fresh rows", shares),
    ]
}

pub(super) fn listing(all: &[Results]) -> Listing {
    let mut head =
        ["function", "runs", "noise", "forest", "process", "left out", "folds", "believed"]
            .map(str::to_owned)
            .to_vec();
    head.extend(WAYS.map(|way| format!("{way} ± SE")));
    head.push(format!("largest: {}", WAYS[..2].join(", ")));
    let row = |found: &Results| {
        let cell = &found.cell;
        let mut row = vec![
            cell.function.design().world.name.to_owned(),
            cell.n_runs.to_string(),
            format!("{:.0} %", 100.0 * cell.noise),
        ];
        let shares =
            [&found.of_forest, &found.of_process, &found.leave_one_out, &found.cross_validated];
        row.extend(shares.map(|share| format!("{:.3}", share.mean)));
        row.push(format!("{} of {}", found.n_believed, found.of_forest.n));
        row.extend(
            found.errors.iter().map(|of| format!("{:.4} ± {:.4}", of.mean, of.standard_error())),
        );
        row.push(format!("{:.2}, {:.2}", found.largest[0].mean, found.largest[1].mean));
        row
    };
    Listing {
        title:
            "Shares of variance explained on fresh rows and leaving out one run, and mean errors"
                .to_owned(),
        head,
        rows: all.iter().map(row).collect(),
    }
}

/// Of 100 runs without noise: errors in two steps that are to be reached.
const GOALS: [(Function, f64); 6] = [
    (Function::Ishigami, 0.06),
    (Function::Friedman, 0.02),
    (Function::Borehole, 0.02),
    (Function::Otl, 0.02),
    (Function::WingWeight, 0.02),
    (Function::Piston, 0.02),
];

/// Functions of which the direct error is to be three times as large, or more.
const MUCH_BETTER: [Function; 3] = [Function::Otl, Function::WingWeight, Function::Piston];

/// Functions and numbers of runs that, with noise, do not allow a process.
const DOUBTFUL: [(Function, usize); 2] = [(Function::Ishigami, 50), (Function::Friedman, 50)];

pub(super) fn claims(all: &[Results]) -> Vec<Claim> {
    let mut claims = Vec::new();
    let of_100 = all.iter().filter(|found| found.cell.n_runs == 100 && found.cell.noise == 0.0);
    for found in of_100 {
        let function = found.cell.function;
        let name = function.design().world.name;
        let [direct, two_step] = [&found.errors[0], &found.errors[1]].map(|error| error.mean);
        let goal = GOALS.iter().find(|(of, _)| *of == function);
        claims.extend(goal.map(|(_, goal)| {
            Claim::new(
                format!("{name}, 100 runs: the error in two steps is at most {goal}"),
                two_step <= *goal,
                format!("{two_step:.4}"),
            )
        }));
        if MUCH_BETTER.contains(&function) {
            claims.push(Claim::new(
                format!("{name}, 100 runs: it is at most a third of the direct one"),
                two_step <= direct / 3.0,
                format!("{direct:.4}, {:.1} times as large", direct / two_step),
            ));
        }
    }
    for found in all {
        if DOUBTFUL.contains(&(found.cell.function, found.cell.n_runs)) && found.cell.noise > 0.0 {
            claims.push(Claim::new(
                format!("{}: the process is not believed", found.cell.name()),
                found.n_believed == 0,
                format!("believed in {} of {}", found.n_believed, found.of_forest.n),
            ));
        }
    }
    claims
}
