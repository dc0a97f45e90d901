//! Second-order Sobol indices as a table.

use wald::importance::Pairs;

use crate::terminal::{Terminal, hanging};
use crate::text::table::Table;
use wald::digits::Digits;

const WIDEST_NAME: usize = 24;

/// Pairs shown; JSON and CSV have all.
const MOST_PAIRS: usize = 30;

/// A line per pair, the largest absolute values first.
pub(crate) fn pairs_table(pairs: &Pairs, names: &[String], terminal: Terminal) -> String {
    let mut order = pairs.order();
    let n_pairs = order.len();
    order.truncate(MOST_PAIRS);
    let value = |&(one, other): &(usize, usize)| pairs.values[one][other];
    let format = Digits::of(order.iter().filter_map(value));
    let error = |&(one, other): &(usize, usize)| pairs.standard_errors.as_ref()?[one][other];
    let table = Table::new(terminal, &order)
        .places()
        .names(WIDEST_NAME, |pair| &names[pair.0])
        .named("with", WIDEST_NAME, |pair| names[pair.1].clone())
        .right("second order", |pair| format.estimate(value(pair), error(pair)));
    let mut legend = "second order: second-order Sobol index, the share of the variance that both \
                      variables explain together beyond what each explains alone; below zero where \
                      both explain the same"
        .to_owned();
    if n_pairs > order.len() {
        legend.push_str(&format!(
            "; {} smaller ones are not shown: use --format csv",
            n_pairs - order.len()
        ));
    }
    terminal.shown(table.text() + "\n" + &hanging(&legend, terminal))
}
