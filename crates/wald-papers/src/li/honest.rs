//! `li-honest`: what becomes of the mean decrease in impurity when it is told by other rows than
//! those that a tree was grown on, as the paper's discussion of honest estimation suggests.

use wald::data::Task;
use wald::forest::Sampling;
use wald::measure::MeasureSettings;
use wald::simulate::LiIdentification;
use wald::{ForestConfig, Measure, MeasureId};

use crate::estimate::Estimate;
use crate::exhibit::{Claim, Comparison, Comparisons, Exhibit};
use crate::failure::Failure;
use crate::li::SOURCE;
use crate::li::areas::area;
use crate::li::table_1::{DISTINCT, SHALLOW};
use crate::study::Study;

/// Means and impurities of the rows a tree was grown on, of its other rows, or one of each.
const MEASURES: [(MeasureId, &str); 3] = [
    (MeasureId::Mdi, "MDI"),
    (MeasureId::MdiOobNaive, "MDI of the other rows"),
    (MeasureId::MdiOobUncentred, "MDI-oob"),
];
const MDI: usize = 0;
const OTHER: usize = 1;
const OOB: usize = 2;

/// Which rows a tree is grown on.
const SAMPLINGS: [&str; 2] = ["bootstrap", "halves"];
const BOOTSTRAP: usize = 0;
const HALVES: usize = 1;

/// How deep trees are, and what they predict.
const CELLS: [(bool, Task, &str); 4] = [
    (false, Task::Classification, "shallow, C"),
    (false, Task::Regression, "shallow, R"),
    (true, Task::Classification, "deep, C"),
    (true, Task::Regression, "deep, R"),
];

/// The deep trees of two classes and of numbers.
const DEEP: [usize; 2] = [2, 3];

/// Differences of areas that are larger than so many standard errors are told from nothing.
const LIMIT: f64 = 3.0;

/// Areas under the curve by cell, sampling, measure and repetition.
type Areas = Vec<Vec<Vec<Vec<f64>>>>;

pub(crate) fn run(study: &Study) -> Result<Exhibit, Failure> {
    let areas: Areas = CELLS
        .iter()
        .map(|&(is_deep, task, _)| {
            let of = |sampling| areas_of(study, (is_deep, task), sampling);
            (0..SAMPLINGS.len()).map(of).collect()
        })
        .collect::<Result<_, Failure>>()?;
    let mut settings = study.settings();
    settings.push(("mtry", "10".to_owned()));
    settings.push(("smallest leaf", "100 distinct rows (shallow) or 1 (deep)".to_owned()));
    settings.push(("halves", "each tree is grown on a random half of the rows".to_owned()));
    Ok(Exhibit {
        title: "Honest trees: grown on one half of the rows, measured by the other".to_owned(),
        source: SOURCE,
        settings,
        comparisons: vec![comparisons(&areas)],
        claims: claims(&areas),
        notes: vec![
            "The data are those of Table 1, simulated as the published program does; values below \
             zero are ranked as they are. MDI has means and impurities of the rows that a tree was \
             grown on, MDI of the other rows (naive-oob) has those of the rows it was not grown on, \
             MDI-oob has products of the two means, as in Proposition 1."
                .to_owned(),
            "Differences in the claims are of the same data, so their standard errors are those of \
             pairs; a difference counts beyond 3 of them."
                .to_owned(),
        ],
        ..Exhibit::default()
    })
}

/// By measure, the areas of all repetitions.
fn areas_of(
    study: &Study,
    (is_deep, task): (bool, Task),
    sampling: usize,
) -> Result<Vec<Vec<f64>>, Failure> {
    let measures = MEASURES.map(|(id, _)| Measure::new(id, MeasureSettings::default()));
    let measures: Vec<Measure> = measures.into_iter().collect::<Result<_, _>>()?;
    let design = LiIdentification::of(task);
    let is_bootstrap = sampling == BOOTSTRAP;
    let smallest = match (is_deep, is_bootstrap) {
        (true, _) => 1.0,
        // Leaves are counted in draws, of which a bootstrap sample has several per row.
        (false, true) => SHALLOW / DISTINCT,
        (false, false) => SHALLOW,
    };
    let config = ForestConfig {
        sampling: if is_bootstrap { Sampling::Bootstrap } else { Sampling::Subsample },
        sample_fraction: (!is_bootstrap).then_some(0.5),
        mtry: Some(10),
        min_node_size: Some(1),
        min_leaf_size: smallest.round() as usize,
        ..ForestConfig::default()
    };
    let draw = |n_rows, seed| design.draw(n_rows, seed);
    let values = study.run(draw, &config, &measures)?.values;
    let area_of = |measure: usize| {
        let of_repetition = |(repetition, of): (usize, &Vec<Vec<f64>>)| {
            area(&of[measure], &design.relevant(study.seed_of(repetition)))
        };
        values.iter().enumerate().map(of_repetition).collect()
    };
    Ok((0..measures.len()).map(area_of).collect())
}

fn comparisons(areas: &Areas) -> Comparisons {
    let mut rows = Vec::new();
    for (sampling, sampling_name) in SAMPLINGS.iter().enumerate() {
        for (measure, (_, name)) in MEASURES.iter().enumerate() {
            let name = format!("{name}, {sampling_name}");
            rows.extend(CELLS.iter().zip(areas).map(|((_, _, cell), areas)| {
                Comparison::without((&name, cell), 2, &Estimate::of(&areas[sampling][measure]))
            }));
        }
    }
    let title = "Area under the curve, means over repetitions".to_owned();
    Comparisons { title, reference: "published", rows }
}

fn claims(areas: &Areas) -> Vec<Claim> {
    // Of areas, one way less another, in deep trees of both tasks.
    let differences = |one: (usize, usize), other: (usize, usize)| {
        DEEP.map(|cell| {
            let (one, other) = (&areas[cell][one.0][one.1], &areas[cell][other.0][other.1]);
            let pairs: Vec<f64> = one.iter().zip(other).map(|(one, other)| one - other).collect();
            Estimate::of(&pairs)
        })
    };
    let better = |statement: &str, one, other| {
        let found = differences(one, other);
        let is_larger = |of: &Estimate| of.mean > LIMIT * of.standard_error();
        Claim::new(statement, found.iter().all(is_larger), in_words(&found))
    };
    let same = differences((HALVES, OOB), (BOOTSTRAP, OOB));
    let is_small = |of: &Estimate| of.mean.abs() <= LIMIT * of.standard_error();
    vec![
        better(
            "deep trees grown on halves: MDI of the other half tells inputs that matter better \
             than MDI of the same half",
            (HALVES, OTHER),
            (HALVES, MDI),
        ),
        better(
            "deep trees grown on halves: MDI-oob, which uses both halves, tells them better than \
             MDI of the other half",
            (HALVES, OOB),
            (HALVES, OTHER),
        ),
        Claim::new(
            "deep trees: MDI-oob of halves does as well as MDI-oob of bootstrap samples",
            same.iter().all(is_small),
            in_words(&same),
        ),
    ]
}

fn in_words([of_classes, of_numbers]: &[Estimate; 2]) -> String {
    let words =
        |of: &Estimate| format!("a difference of {:.3} ± {:.3}", of.mean, of.standard_error());
    format!("C: {}; R: {}", words(of_classes), words(of_numbers))
}
