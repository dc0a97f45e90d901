//! `louppe-finite-samples`: the question the paper ends with, how importances are distributed that
//! finitely many trees find in finitely many rows.

use wald::Run;
use wald_population::{Limits, Population};

use crate::estimate::Estimate;
use crate::exhibit::{Claim, Exhibit, Listing};
use crate::failure::Failure;
use crate::louppe::digits::Faulty;
use crate::louppe::{SOURCE, mdi, trees};
use crate::study::Study;
use wald_html::chart::{COLOURS, Chart, Line, Panel, Point};

/// The fault of the display in Breiman et al. (1984).
const DISPLAY: Faulty = Faulty { wrong: 0.1 };

/// The last light is irrelevant.
const NAMES: [&str; 8] = ["X1", "X2", "X3", "X4", "X5", "X6", "X7", "X8 (noise)"];

/// The variables whose spread is shown: the strongest, the weakest, and noise.
const SHOWN: [usize; 3] = [4, 5, 7];

/// Sizes of samples, each twice the one before.
const N_SIZES: usize = 7;

/// What one size of samples found.
struct Size {
    n_rows: usize,
    /// By number of trees and variable: over samples.
    estimates: Vec<Vec<Estimate>>,
}

/// The numbers of trees that are looked at: powers of ten, and all.
fn tree_counts(n_trees: usize) -> Vec<usize> {
    let powers = std::iter::successors(Some(1), |n: &usize| n.checked_mul(10));
    powers.take_while(|n| *n < n_trees).chain([n_trees]).collect()
}

pub(crate) fn run(study: &Study) -> Result<Exhibit, Failure> {
    let population = Population::new(&DISPLAY.distribution()?, None)?;
    let work = &Run::on(study.threads);
    let exact = population.exact(&Limits::default(), work)?.importances().values();
    let counts = tree_counts(study.n_trees);
    let mut sizes = Vec::new();
    for doubling in 0..N_SIZES {
        let n_rows = study.n_rows << doubling;
        let mut values = vec![vec![Vec::new(); NAMES.len()]; counts.len()];
        for repetition in 0..study.repetitions {
            let seed = study.seed_of(repetition);
            let data = DISPLAY.draw(n_rows, seed)?;
            let found = mdi(&data, &trees(1, study.n_trees, seed), study.threads)?;
            for (of_count, &count) in values.iter_mut().zip(&counts) {
                for (variable, all) in of_count.iter_mut().enumerate() {
                    let first = found.per_tree[..count].iter().map(|tree| tree[variable]);
                    all.push(first.sum::<f64>() / count as f64);
                }
            }
        }
        let estimate =
            |of_count: &Vec<Vec<f64>>| of_count.iter().map(|all| Estimate::of(all)).collect();
        sizes.push(Size { n_rows, estimates: values.iter().map(estimate).collect() });
    }
    let mut settings = study.settings();
    settings.push((
        "design",
        "display whose segments are wrong with probability 0.1; X8 a coin".to_owned(),
    ));
    settings.push(("trees are", "totally randomized, a child per value, all rows".to_owned()));
    Ok(Exhibit {
        title: "Importances of finitely many trees in finitely many rows: bias and spread"
            .to_owned(),
        source: SOURCE,
        settings,
        listings: vec![biases(&sizes, &exact), spreads(&sizes, &counts)],
        claims: claims(&sizes, &exact),
        notes: vec![
            "Bias: mean over samples minus the exact importance, in bits, with its standard error. \
             Spread: standard deviation over samples."
                .to_owned(),
            "The importances of a fully developed tree add up to the information about the digit \
             in the sample's own distribution, whatever the variables are: that is too much, and \
             the excess is shared by all variables, irrelevant ones included."
                .to_owned(),
        ],
        figure: Some(picture(&sizes, &exact, &counts).svg()),
        ..Exhibit::default()
    })
}

/// Of all trees.
fn bias(size: &Size, exact: &[f64], variable: usize) -> f64 {
    whole(size)[variable].mean - exact[variable]
}

/// The estimates of all trees.
fn whole(size: &Size) -> &[Estimate] {
    size.estimates.last().map_or(&[], Vec::as_slice)
}

fn biases(sizes: &[Size], exact: &[f64]) -> Listing {
    let head = std::iter::once("rows".to_owned()).chain(NAMES.map(str::to_owned));
    let limits = exact.iter().map(|value| format!("{value:.4}"));
    let limits = std::iter::once("exact".to_owned()).chain(limits).collect();
    let row = |size: &Size| {
        let cell = |variable: usize| {
            let error = whole(size)[variable].standard_error();
            format!("{:+.4} ± {error:.4}", bias(size, exact, variable))
        };
        std::iter::once(size.n_rows.to_string()).chain((0..NAMES.len()).map(cell)).collect()
    };
    Listing {
        title: "Exact importances, and the bias of all trees".to_owned(),
        head: head.collect(),
        rows: std::iter::once(limits).chain(sizes.iter().map(row)).collect(),
    }
}

fn spreads(sizes: &[Size], counts: &[usize]) -> Listing {
    let head = ["rows", "of"].map(str::to_owned).into_iter();
    let rows = sizes.iter().flat_map(|size| {
        SHOWN.map(|variable| {
            let cells = size.estimates.iter().map(|of| format!("{:.4}", of[variable].deviation));
            [size.n_rows.to_string(), NAMES[variable].to_owned()].into_iter().chain(cells).collect()
        })
    });
    let count = |count: &usize| format!("{count} tree{}", if *count == 1 { "" } else { "s" });
    Listing {
        title: "Spread over samples, by the number of trees".to_owned(),
        head: head.chain(counts.iter().map(count)).collect(),
        rows: rows.collect(),
    }
}

fn claims(sizes: &[Size], exact: &[f64]) -> Vec<Claim> {
    let (Some(smallest), Some(largest)) = (sizes.first(), sizes.last()) else { return Vec::new() };
    let noise = NAMES.len() - 1;
    let total = |size: &Size| (0..NAMES.len()).map(|at| bias(size, exact, at)).sum::<f64>();
    let pair = |of: &dyn Fn(&Size) -> f64| format!("{:.4} and {:.4}", of(smallest), of(largest));
    let of_trees = |size: &Size| {
        let first = &size.estimates[0];
        (0..NAMES.len())
            .map(|at| (first[at].mean - whole(size)[at].mean) / first[at].standard_error())
            .map(f64::abs)
            .fold(0.0, f64::max)
    };
    let furthest = sizes.iter().map(of_trees).fold(0.0, f64::max);
    let strongest = SHOWN[0];
    let spread = |size: &Size| whole(size)[strongest].deviation;
    let ratio = spread(smallest) / spread(largest);
    let expected = (largest.n_rows as f64 / smallest.n_rows as f64).sqrt();
    vec![
        Claim::new(
            "irrelevant variables are found important in small samples, and less in large ones",
            bias(smallest, exact, noise) > 0.05
                && bias(largest, exact, noise) < 0.5 * bias(smallest, exact, noise),
            pair(&|size| bias(size, exact, noise)),
        ),
        Claim::new(
            "the sum of all importances is too large, and less so in large samples",
            sizes.iter().all(|size| total(size) > 0.0) && total(largest) < total(smallest),
            pair(&total),
        ),
        Claim::new(
            "more trees change the spread, not the bias: 1 tree and all have the same mean",
            furthest < 4.5,
            format!("at most {furthest:.1} standard errors apart"),
        ),
        Claim::new(
            "with many trees, the spread of the strongest falls with the root of the rows, within a \
             factor of two",
            (0.5..2.0).contains(&(ratio / expected)),
            format!("{ratio:.1} times, the root {expected:.1} times"),
        ),
    ]
}

fn picture(sizes: &[Size], exact: &[f64], counts: &[usize]) -> Chart {
    let panel = |title: &str, y_label: &str, lines: Vec<Line>| Panel {
        title: title.to_owned(),
        x_label: "rows".to_owned(),
        y_label: y_label.to_owned(),
        is_x_log: true,
        lines,
        has_legend: true,
    };
    let line = |name: String, number: usize, y: &dyn Fn(&Size) -> (f64, f64)| {
        let point = |size: &Size| {
            let (y, spread) = y(size);
            Point { x: size.n_rows as f64, y, spread }
        };
        let colour = COLOURS[number % COLOURS.len()];
        Line { name, colour, points: sizes.iter().map(point).collect(), reference: None }
    };
    let of_variable = |(variable, name): (usize, &&str)| {
        let name = name.split(' ').next().unwrap_or(name).to_owned();
        line(name, variable, &|size| {
            (bias(size, exact, variable), whole(size)[variable].standard_error())
        })
    };
    let of_count = |(number, count): (usize, &usize)| {
        let deviation = |size: &Size| size.estimates[number][SHOWN[0]].deviation;
        line(count.to_string(), number, &|size| {
            let estimate = &size.estimates[number][SHOWN[0]];
            (deviation(size), estimate.error_of_deviation())
        })
    };
    let biases = NAMES.iter().enumerate().map(of_variable).collect();
    let spreads = counts.iter().enumerate().map(of_count).collect();
    Chart {
        panels: vec![
            panel("Bias against the number of rows", "mean minus exact (bits)", biases),
            panel("Spread of X5, by the number of trees", "standard deviation (bits)", spreads),
        ],
        panels_per_row: 2,
    }
}
