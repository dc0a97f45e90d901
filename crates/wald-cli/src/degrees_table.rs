//! Importances by degree of interaction as an aligned table.

use anstyle::Style;
use wald::Importance;
use wald::importance::Degrees;
use wald_table::escape_controls;

use crate::ranking::{NumberFormat, UNBOUNDED, column, lines, shortened, width_of};
use crate::terminal::{Terminal, hanging};

const WIDEST_NAME: usize = 24;

/// A line per variable, the most important first, and a column per degree; of many degrees, those
/// that find room.
pub(crate) fn degrees_table(
    importance: &Importance,
    degrees: &Degrees,
    names: &[String],
    terminal: Terminal,
) -> String {
    let order = importance.order();
    let values: Vec<f64> = degrees.values.iter().flatten().copied().collect();
    let format = NumberFormat::of(&values);
    let cells = order.iter().map(|&index| shortened(&escape_controls(&names[index]), WIDEST_NAME));
    let mut columns = vec![column("variable", cells.collect(), false, Style::new())];
    let n_degrees = degrees.values.first().map_or(0, Vec::len);
    let space = terminal.width.unwrap_or(UNBOUNDED);
    for degree in 0..n_degrees {
        let cell = |&index: &usize| match &degrees.standard_errors {
            Some(errors) => format!(
                "{} ±{}",
                format.text(degrees.values[index][degree]),
                format.text(errors[index][degree])
            ),
            None => format.text(degrees.values[index][degree]),
        };
        let cells = order.iter().map(cell).collect();
        columns.push(column(&degree.to_string(), cells, true, Style::new()));
        if terminal.width.is_some() && degree > 0 && width_of(&columns) > space {
            columns.pop();
            break;
        }
    }
    let n_shown = columns.len() - 1;
    let mut text = lines(&columns, order.len(), terminal);
    text.push('\n');
    let mut legend = format!(
        "{} by degree of interaction: the number of other variables used above a split; degrees \
         sum to {}",
        importance.id, importance.id
    );
    if n_shown < n_degrees {
        legend.push_str(&format!(
            "; no room for degrees {n_shown} to {}: widen the window or use --format csv",
            n_degrees - 1
        ));
    }
    text.push_str(&hanging(&legend, terminal.text_width()));
    terminal.shown(text)
}
