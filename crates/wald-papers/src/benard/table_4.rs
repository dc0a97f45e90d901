//! `benard-table-4`: standard deviations of the estimates of Table 3 over repetitions.

use crate::benard::SOURCE;
use crate::benard::example_1::{self, COLUMNS, Column, Example1, PUBLISHED_REPETITIONS, VARIABLES};
use crate::estimate::deviation_error;
use crate::exhibit::{Comparison, Comparisons, Exhibit, Published};
use crate::failure::Failure;
use crate::study::Study;

pub(crate) fn run(study: &Study) -> Result<Exhibit, Failure> {
    let example = example_1::run(study)?;
    let rows: Vec<Comparison> = COLUMNS
        .iter()
        .enumerate()
        .flat_map(|(place, column)| column_rows(&example, place, column))
        .collect();
    Ok(Exhibit {
        title: "Table 4: standard deviations over repetitions in example 1".to_owned(),
        source: SOURCE,
        settings: example_1::settings(study),
        comparisons: vec![Comparisons {
            title: "Standard deviations over repetitions".to_owned(),
            reference: "published",
            rows,
        }],
        notes: vec![format!(
            "The standard error of a standard deviation of n repetitions is the deviation over \
             the root of 2(n - 1), for the {PUBLISHED_REPETITIONS} published ones as for wald's; \
             rounding to two decimals is no difference."
        )],
        ..Exhibit::default()
    })
}

fn column_rows(example: &Example1, place: usize, column: &Column) -> Vec<Comparison> {
    let pairs = VARIABLES.into_iter().zip(column.deviations);
    pairs
        .map(|((variable, position), value)| {
            let standard_error = deviation_error(value, PUBLISHED_REPETITIONS);
            let published = Published { value, decimals: 2, standard_error };
            let found = example.found.estimate(place, position);
            let error = found.error_of_deviation();
            Comparison::new(column.name, variable, published, found.deviation, error)
        })
        .collect()
}
