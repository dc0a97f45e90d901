//! Tests of what variables add to the others, as a table.

use wald::digits::Digits;
use wald::inference::{Adjustment, ConditionalConfig, ConditionalMethod, ConditionalTest};

use crate::terminal::{self, Terminal};
use crate::text::p_values::{corrected, p_value};
use crate::text::table::Table;

const WIDEST_NAME: usize = 32;

/// A line per variable, the largest value first.
pub(crate) fn conditional_table(
    found: &ConditionalTest,
    config: &ConditionalConfig,
    are_clustered: bool,
    terminal: Terminal,
) -> String {
    let mut order: Vec<usize> = (0..found.variables.len()).collect();
    order.sort_by(|&one, &other| found.values[other].total_cmp(&found.values[one]));
    let format = Digits::of(found.values.iter().copied());
    let mut table = Table::new(terminal, &order)
        .names(WIDEST_NAME, |&index| &found.variables[index])
        .right(config.method.id(), |&index| format.text(found.values[index]))
        .right("±\nrows", |&index| format.text(found.standard_errors[index]))
        .right(&format!("{} %\ninterval", 100.0 * config.confidence.get()), |&index| {
            let interval = found.intervals[index];
            format.range(interval.low, interval.high)
        })
        .right("p", |&index| p_value(Some(found.p_values[index])));
    if config.adjustment != Adjustment::None {
        table = table.right("p\nadjusted", |&index| p_value(Some(found.adjusted[index])));
    }
    let legend = terminal::legend(&legend(found, config, are_clustered), terminal);
    terminal.shown(table.text() + &legend)
}

/// What the columns mean.
fn legend(found: &ConditionalTest, config: &ConditionalConfig, are_clustered: bool) -> Vec<String> {
    let units = if are_clustered { "clusters" } else { "rows" };
    let how = match config.method {
        ConditionalMethod::SobolCpi { draws } => format!(
            "held-out rows are predicted again with {draws} values of the variable, drawn given the \
             other variables"
        ),
        ConditionalMethod::Loco => {
            "forests are grown with its values shuffled, and judged on other rows \
                                    than the full ones"
                .to_owned()
        }
    };
    vec![
        format!(
            "{}: share of the variance that the other variables do not explain (total Sobol index); \
             {how}",
            config.method.id()
        ),
        format!("± rows: standard error over {units}; interval: for each variable alone"),
        format!(
            "p: of the hypothesis that the variable adds nothing to the others, one-sided{}",
            corrected(config.adjustment)
        ),
        format!(
            "forests on all variables explain {:.3} of the variance of held-out rows",
            found.explained_variance
        ),
    ]
}
