//! Importances by degree of interaction as a table.

use wald::Importance;
use wald::importance::Degrees;

use crate::terminal::{Terminal, hanging};
use crate::text::table::Table;
use wald::digits::Digits;

const WIDEST_NAME: usize = 24;

/// A line per variable, the most important first, and a column per degree.
pub(crate) fn degrees_table(
    importance: &Importance,
    degrees: &Degrees,
    names: &[String],
    terminal: Terminal,
) -> String {
    let order = importance.order();
    let format = Digits::of(degrees.values.iter().flatten().copied());
    let n_degrees = degrees.values.first().map_or(0, Vec::len);
    let table = Table::new(terminal, &order).names(WIDEST_NAME, |&index| &names[index]);
    let headers = (0..n_degrees).map(|degree| degree.to_string());
    let table = table.numbers(headers, |degree, &index| {
        let error = degrees.standard_errors.as_ref().map(|errors| errors[index][degree]);
        format.estimate(Some(degrees.values[index][degree]), error)
    });
    let id = importance.id;
    let legend = format!(
        "{id} by degree of interaction: the number of other variables used above a split; degrees \
         sum to {id}"
    );
    terminal.shown(table.text() + "\n" + &hanging(&legend, terminal))
}
