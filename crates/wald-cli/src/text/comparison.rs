//! Differences of importances, as a table.

use wald::digits::Digits;
use wald::inference::{Adjustment, Comparison, ComparisonConfig};

use crate::terminal::{self, Terminal};
use crate::text::p_values::{corrected, p_value};
use crate::text::table::Table;

const WIDEST_NAME: usize = 32;

/// Variables by their difference in standard errors, the largest first.
pub(crate) fn comparison_order(found: &Comparison) -> Vec<usize> {
    let p_of = |index: usize| found.p_values[index].unwrap_or(f64::INFINITY);
    let mut order: Vec<usize> = (0..found.variables.len()).collect();
    order.sort_by(|&one, &other| p_of(one).total_cmp(&p_of(other)));
    order
}

/// A line per variable, the largest difference in standard errors first.
pub(crate) fn comparison_table(
    found: &Comparison,
    asked: &ComparisonConfig,
    sources: &[String; 2],
    terminal: Terminal,
) -> String {
    let order = comparison_order(found);
    let values = found.first.iter().chain(&found.second).flatten();
    let format = Digits::of(values.copied());
    let cell = |cell: Option<String>| cell.unwrap_or_else(|| "–".to_owned());
    let number = |value| format.estimate(value, None);
    let mut table = Table::new(terminal, &order)
        .names(WIDEST_NAME, |&index| &found.variables[index])
        .right("first", |&index| number(found.first[index]))
        .right("second", |&index| number(found.second[index]))
        .right("difference", |&index| number(found.differences[index]))
        .right("±", |&index| number(found.standard_errors[index]))
        .right(&format!("{} %\ninterval", 100.0 * asked.confidence.get()), |&index| {
            cell(found.intervals[index].map(|found| format.range(found.low, found.high)))
        })
        .right("p", |&index| p_value(found.p_values[index]));
    if asked.adjustment != Adjustment::None {
        table = table.right("p\nadjusted", |&index| p_value(found.adjusted[index]));
    }
    let legend = terminal::legend(&legend(found, asked, sources), terminal);
    terminal.shown(table.text() + &legend)
}

/// What the columns mean.
fn legend(
    found: &Comparison,
    asked: &ComparisonConfig,
    [first, second]: &[String; 2],
) -> Vec<String> {
    let n_subsamples = asked.subsampling.n_subsamples;
    let percent = 100.0 * asked.subsampling.fraction;
    let mut entries = vec![
        format!("{}: {}", found.id, found.unit),
        format!("first: {first}; second: {second}; difference: the second value minus the first"),
        if found.is_paired {
            format!(
                "±: standard error of the difference over trees and rows, by {n_subsamples} forests on \
                 {percent} % of the rows, which are the same on both sides"
            )
        } else {
            format!(
                "±: standard error of the difference over trees and rows, by {n_subsamples} forests on \
                 {percent} % of the rows of each table, taken as independent samples"
            )
        },
        format!(
            "p: of the hypothesis that both importances are equal, two-sided{}",
            corrected(asked.adjustment)
        ),
    ];
    entries.extend(found.notes.iter().cloned());
    entries
}
