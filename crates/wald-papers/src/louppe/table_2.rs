//! `louppe-table-2`: importances of the segments of a display, for every K.

use wald::Run;
use wald_population::{Limits, Population};

use crate::exhibit::{Claim, Comparison, Comparisons, Exhibit, Listing, Published};
use crate::failure::Failure;
use crate::louppe::digits::{NAMES, every_digit};
use crate::louppe::{ManyTrees, SOURCE, all_mtry, mdi, numbers, trees};

/// The printed digits of Equation 3; these are cut off, not rounded.
const EQUATION_3: [f64; 7] = [0.412, 0.581, 0.531, 0.542, 0.656, 0.225, 0.372];

/// The printed importances by 10,000 trees, by K.
const BY_MTRY: [[f64; 7]; 7] = [
    [0.414, 0.583, 0.532, 0.543, 0.658, 0.221, 0.368],
    [0.362, 0.663, 0.512, 0.525, 0.731, 0.140, 0.385],
    [0.327, 0.715, 0.496, 0.484, 0.778, 0.126, 0.392],
    [0.309, 0.757, 0.489, 0.445, 0.810, 0.122, 0.387],
    [0.304, 0.787, 0.483, 0.414, 0.827, 0.122, 0.382],
    [0.305, 0.801, 0.475, 0.409, 0.831, 0.121, 0.375],
    [0.306, 0.799, 0.475, 0.412, 0.835, 0.120, 0.372],
];

/// Trees of every forest of the paper.
const PUBLISHED_TREES: f64 = 10_000.0;

pub(crate) fn run(forests: &ManyTrees) -> Result<Exhibit, Failure> {
    let data = every_digit()?;
    let population = Population::new(&data, None)?;
    let exact = population.exact(&Limits::default(), &Run::on(forests.threads))?;
    let values = exact.importances().values();
    let limits = all_mtry(&population, forests.threads)?;
    let limits: Vec<Vec<f64>> = limits.iter().map(|trees| trees.importances.values()).collect();
    let rows = NAMES.iter().zip(EQUATION_3).zip(&values);
    let first = Comparisons {
        title: "Equation 3, exactly (the printed digits are cut off)".to_owned(),
        reference: "published",
        rows: rows
            .map(|((name, cut), value)| {
                cut_off("Equation 3", name, Published::exact(cut, 3), *value, 0.0)
            })
            .collect(),
    };
    let mut published = Vec::new();
    let mut exactly = Vec::new();
    let mut furthest: f64 = 0.0;
    for (at, limit) in limits.iter().enumerate() {
        let quantity = format!("K = {}", at + 1);
        let found = numbers(&mdi(
            &data,
            &trees(at + 1, forests.n_trees, forests.seed_of(at)),
            forests.threads,
        )?);
        for (variable, name) in NAMES.iter().enumerate() {
            let (value, error) = found[variable];
            let of_paper = error * (forests.n_trees as f64 / PUBLISHED_TREES).sqrt();
            let printed = BY_MTRY[at][variable];
            furthest = furthest.max((printed + 0.0005 - limit[variable]).abs());
            let cut = Published { value: printed, decimals: 3, standard_error: of_paper };
            published.push(cut_off(&quantity, name, cut, value, error));
            let limit = Published::exact(limit[variable], 6);
            exactly.push(Comparison::new(&quantity, name, limit, value, error));
        }
    }
    let sum: f64 = values.iter().sum();
    let mut settings =
        vec![("trees", forests.n_trees.to_string()), ("seed", forests.seed.to_string())];
    settings.push(("rows", "10, one for every digit".to_owned()));
    Ok(Exhibit {
        title: "Table 2: importances of the segments, for every K".to_owned(),
        source: SOURCE,
        settings,
        comparisons: vec![
            first,
            Comparisons {
                title: "Forests beside the printed ones (as many trees, the same standard error)"
                    .to_owned(),
                reference: "published",
                rows: published,
            },
            Comparisons {
                title: "Forests beside their exact limits".to_owned(),
                reference: "exact",
                rows: exactly,
            },
        ],
        listings: vec![listing(&values, &limits)],
        claims: vec![
            Claim::new(
                "the importances add up to I(X1, ..., X7; Y) = log2(10) for every K",
                limits.iter().all(|of| (of.iter().sum::<f64>() - 10_f64.log2()).abs() < 1e-12)
                    && (sum - exact.total()).abs() < 1e-12,
                format!("{sum:.12}"),
            ),
            Claim::new(
                "the printed importances of K > 1 are within .005 of the exact limits",
                furthest <= 0.005,
                format!("at most {furthest:.4} apart"),
            ),
        ],
        notes: vec![
            "The limits hold when K variables are drawn among those not yet used on the branch, \
             locally constant ones included, and equally good ones are equally likely."
                .to_owned(),
        ],
        ..Exhibit::default()
    })
}

/// A published number whose further digits were cut off.
fn cut_off(
    quantity: &str,
    item: &str,
    cut: Published,
    value: f64,
    standard_error: f64,
) -> Comparison {
    let middle = Published { value: cut.value + 0.0005, ..cut };
    let row = Comparison::new(quantity, item, middle, value, standard_error);
    Comparison { published: Some(cut.value), ..row }
}

fn listing(equation_3: &[f64], limits: &[Vec<f64>]) -> Listing {
    let head = ["", "Equation 3"].map(str::to_owned).into_iter();
    let row = |(variable, name): (usize, &&str)| {
        let values = std::iter::once(equation_3).chain(limits.iter().map(Vec::as_slice));
        std::iter::once((*name).to_owned())
            .chain(values.map(|values| format!("{:.12}", values[variable])))
            .collect()
    };
    Listing {
        title: "Exact importances".to_owned(),
        head: head.chain((1..=limits.len()).map(|mtry| format!("K = {mtry}"))).collect(),
        rows: NAMES.iter().enumerate().map(row).collect(),
    }
}
