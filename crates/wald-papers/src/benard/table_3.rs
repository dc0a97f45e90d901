//! `benard-table-3`: limits and estimates of all measures in example 1.

use wald::MeasureId;
use wald::simulate::BenardExample1;

use crate::benard::SOURCE;
use crate::benard::example_1::{self, COLUMNS, Column, Example1, PUBLISHED_REPETITIONS, VARIABLES};
use crate::benard::limits::{Limits, limits};
use crate::estimate::Estimate;
use crate::exhibit::{Claim, Comparison, Comparisons, Exhibit, Published};
use crate::failure::Failure;
use crate::study::Study;

/// Published limits, in the order of the variables.
const BREIMAN_CUTLER: [f64; 5] = [0.47, 0.21, 0.21, 0.64, 0.64];
const ISHWARAN_KOGALUR: [f64; 5] = [0.47, 0.37, 0.37, 1.0, 1.0];
const TOTAL_SOBOL: [f64; 5] = [0.47, 0.10, 0.10, 0.07, 0.07];

/// "The explained variance of the random forest is 82% in this experiment."
const EXPLAINED: f64 = 0.82;

/// The least share of repetitions with the right order.
const LEAST_SHARE: f64 = 31.0 / 40.0;

pub(crate) fn run(study: &Study) -> Result<Exhibit, Failure> {
    let example = example_1::run(study)?;
    let mut estimates: Vec<Comparison> = COLUMNS
        .iter()
        .enumerate()
        .flat_map(|(place, column)| column_rows(&example, place, column))
        .collect();
    estimates.push(explained_variance(&example));
    Ok(Exhibit {
        title: "Table 3: normalized BC-MDA, IK-MDA and Sobol-MDA in example 1".to_owned(),
        source: SOURCE,
        settings: example_1::settings(study),
        comparisons: vec![
            Comparisons {
                title: "Limits, in closed form".to_owned(),
                reference: "published",
                rows: limit_rows(),
            },
            Comparisons {
                title: "Estimates, means over repetitions".to_owned(),
                reference: "published",
                rows: estimates,
            },
        ],
        claims: order_claims(&example),
        notes: vec![
            format!(
                "The published values are taken as means over the {PUBLISHED_REPETITIONS} \
                 repetitions of Table 4, whose standard deviations give their standard errors; \
                 rounding to two decimals is no difference."
            ),
            "X4 and X5, and X1 and X2, have the same distribution: published values that differ \
             between them show the size of the published values' own error."
                .to_owned(),
        ],
        ..Exhibit::default()
    })
}

fn limit_rows() -> Vec<Comparison> {
    let exact = limits(&BenardExample1::default());
    let column = |name: &'static str, published: [f64; 5], value: fn(&Limits) -> f64| {
        VARIABLES.into_iter().zip(published).map(move |((variable, position), published)| {
            let limits = exact[position];
            let published = Published::exact(published, 2);
            let row = Comparison::new(name, variable, published, value(&limits), 0.0);
            row.erratum(format!(
                "the published value is ST* + IK* = {:.2} + {:.2}",
                limits.total_sobol(),
                limits.ishwaran_kogalur()
            ))
        })
    };
    column("BC-MDA*", BREIMAN_CUTLER, Limits::breiman_cutler)
        .chain(column("IK-MDA*", ISHWARAN_KOGALUR, Limits::ishwaran_kogalur))
        .chain(column("ST*", TOTAL_SOBOL, Limits::total_sobol))
        .collect()
}

fn column_rows(example: &Example1, place: usize, column: &Column) -> Vec<Comparison> {
    let pairs = VARIABLES.into_iter().zip(column.means).zip(column.deviations);
    pairs
        .map(|(((variable, position), value), deviation)| {
            let standard_error = deviation / (PUBLISHED_REPETITIONS as f64).sqrt();
            let published = Published { value, decimals: 2, standard_error };
            let estimate = example.found.estimate(place, position);
            let row = Comparison::of_mean(column.name, variable, published, &estimate);
            if column.measure == MeasureId::SobolMdaLundberg {
                row.because("not reproduced; no program behind the published column is known")
            } else {
                row
            }
        })
        .collect()
}

fn explained_variance(example: &Example1) -> Comparison {
    let estimate = Estimate::of(&example.found.explained_variance);
    // One forest of the paper: its own deviation is that of one repetition.
    let published = Published { value: EXPLAINED, decimals: 2, standard_error: estimate.deviation };
    Comparison::of_mean("explained variance", "forest", published, &estimate)
}

/// X3 first, then X4 and X5, then X1 and X2.
fn is_right_order(values: &[f64]) -> bool {
    let of = |number: usize| values[number - 1];
    of(3) > of(4).max(of(5)) && of(4).min(of(5)) > of(1).max(of(2))
}

fn order_claims(example: &Example1) -> Vec<Claim> {
    let n = example.found.values.len();
    let mut columns: Vec<(usize, &Column)> = COLUMNS.iter().enumerate().collect();
    columns.sort_by_key(|(_, column)| column.measure != MeasureId::SobolMda);
    columns
        .into_iter()
        .map(|(place, Column { name, measure, .. })| {
            let right = example.found.count(place, is_right_order);
            if *measure == MeasureId::SobolMda {
                return Claim::new(
                    "S-MDA ranks X3 > X4, X5 > X1, X2, as the total Sobol index does, in at least \
                     31 of 40 repetitions",
                    right as f64 >= LEAST_SHARE * n as f64,
                    format!("in {right} of {n}"),
                );
            }
            Claim::new(
                format!("{name} does not rank the variables in this order"),
                right * 10 <= n,
                format!("in {right} of {n} repetitions it does"),
            )
        })
        .collect()
}
