//! Importances against mtry, as a table.

use wald::masking::Masking;

use crate::terminal::{Terminal, hanging};
use crate::text::table::{BAR, GAP, Table};
use wald::digits::Digits;

const WIDEST_NAME: usize = 24;

/// The header of the small pictures.
const COURSE: &str = "course";

/// From nothing to the largest value.
const HEIGHTS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Variables by their importance where mtry is smallest, and others hide them least.
pub(crate) fn masking_order(found: &Masking) -> Vec<usize> {
    let first = found.importances.first();
    first.map_or(Vec::new(), wald::Importance::order)
}

/// All values that are defined.
fn defined(found: &Masking) -> impl Iterator<Item = f64> {
    found.importances.iter().flat_map(|importance| &importance.values).flatten().copied()
}

/// What was measured, and its unit.
pub(crate) fn masking_measure(found: &Masking) -> (&str, &str) {
    found.importances.first().map_or(("", ""), |first| (first.id, &first.unit))
}

/// A line per variable and a column per mtry; of many, those that find room.
pub(crate) fn masking_table(found: &Masking, names: &[String], terminal: Terminal) -> String {
    let order = masking_order(found);
    let format = Digits::of(defined(found));
    // A course has a character per mtry.
    let course = found.mtry.len().max(COURSE.len());
    let has_course = terminal.unicode && terminal.has_pictures() && course < terminal.space() / 4;
    let taken = if has_course { GAP + course } else { 0 };
    let width = terminal.width.map(|width| width.saturating_sub(taken));
    let mut table = Table::new(Terminal { width, ..terminal }, &order)
        .names(WIDEST_NAME, |&index| &names[index]);
    let mut headers: Vec<String> = found.mtry.iter().map(usize::to_string).collect();
    headers.iter_mut().take(1).for_each(|first| first.insert_str(0, "mtry\n"));
    table = table.numbers(headers, |size, &index| {
        let value = found.importances[size].values[index];
        value.map_or_else(|| "-".to_owned(), |value| format.text(value))
    });
    if has_course {
        let largest = defined(found).fold(0.0, f64::max);
        let height = |value: Option<f64>| {
            let share = if largest > 0.0 { value.unwrap_or(0.0) / largest } else { 0.0 };
            HEIGHTS[(share.clamp(0.0, 1.0) * 8.0).round() as usize]
        };
        let course = |&index: &usize| {
            found.importances.iter().map(|importance| height(importance.values[index])).collect()
        };
        table = table.left(COURSE, course).styled(BAR);
    }
    let (id, unit) = masking_measure(found);
    let is_reversed = found.importances.first().is_some_and(|first| first.small_is_important);
    let worsen = if is_reversed { "rise" } else { "fall" };
    let legend = format!(
        "{id} by mtry, the number of variables that compete for a split; {unit}. Variables that \
         depend on others and {worsen} are masked by them; irrelevant and weak ones {worsen} as well"
    );
    terminal.shown(table.text() + "\n" + &hanging(&legend, terminal))
}
