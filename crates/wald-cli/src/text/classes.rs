//! Importances per class.

use wald::digits::Digits;
use wald::importance::ClassValues;
use wald::{Importance, MeasureId};

use crate::terminal::{Terminal, hanging};
use crate::text::table::Table;

const WIDEST_NAME: usize = 24;

/// The variables of a measure with their values for each class.
pub(crate) fn classes_table(
    importance: &Importance,
    classes: &ClassValues,
    names: &[String],
    terminal: Terminal,
) -> String {
    let order = importance.order();
    let values = classes.iter().flat_map(|(_, values)| values.iter().copied().flatten());
    let format = Digits::of(values);
    let headers = classes.iter().map(|(class, _)| class.clone());
    let table = Table::new(terminal, &order)
        .names(WIDEST_NAME, |&index| &names[index])
        .numbers(headers, |class, &index| format.estimate(classes[class].1[index], None));
    let meaning = MeasureId::parse(importance.id).map(|id| id.info().facts.class_values.describe());
    let legend = format!("{} {}", importance.id, meaning.unwrap_or("by class"));
    terminal.shown(table.text() + "\n" + &hanging(&legend, terminal))
}
