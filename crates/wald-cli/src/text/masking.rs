//! Importances against mtry, as a table and as a picture.

use wald::masking::Masking;
use wald_html::chart::{COLOURS, Chart, Line, Panel, Point};

use crate::terminal::{Terminal, hanging};
use crate::text::table::{BAR, GAP, Table, shortened};
use wald::digits::Digits;

const WIDEST_NAME: usize = 24;

/// The header of the small pictures.
const COURSE: &str = "course";

/// From nothing to the largest value.
const HEIGHTS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Variables by their importance where mtry is smallest, and others hide them least.
fn order(found: &Masking) -> Vec<usize> {
    let first = found.importances.first();
    first.map_or(Vec::new(), wald::Importance::order)
}

/// All values that are defined.
fn defined(found: &Masking) -> impl Iterator<Item = f64> {
    found.importances.iter().flat_map(|importance| &importance.values).flatten().copied()
}

/// What was measured, and its unit.
fn measured(found: &Masking) -> (&str, &str) {
    found.importances.first().map_or(("", ""), |first| (first.id, &first.unit))
}

/// A line per variable and a column per mtry; of many, those that find room.
pub(crate) fn masking_table(found: &Masking, names: &[String], terminal: Terminal) -> String {
    let order = order(found);
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
    let n_shown = table.add_while_room(headers, 1, |size, &index| {
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
    let (id, unit) = measured(found);
    let mut legend = format!(
        "{id} by mtry, the number of variables that compete for a split; {unit}. Variables that \
         fall are masked by others"
    );
    if n_shown < found.mtry.len() {
        legend.push_str("; no room for all mtry: widen the window or use --format csv");
    }
    terminal.shown(table.text() + "\n" + &hanging(&legend, terminal))
}

/// A line per variable; of many, those that are most important where mtry is smallest.
pub(crate) fn masking_picture(found: &Masking, names: &[String]) -> String {
    let order = order(found);
    let n_drawn = order.len().min(COLOURS.len());
    let line = |(&index, colour): (&usize, &'static str)| {
        let point = |(size, &mtry): (usize, &usize)| {
            let importance = &found.importances[size];
            let error = importance.standard_errors.as_ref().and_then(|errors| errors[index]);
            let y = importance.values[index]?;
            Some(Point { x: mtry as f64, y, spread: error.unwrap_or(0.0) })
        };
        Line {
            name: shortened(&names[index], WIDEST_NAME),
            colour,
            points: found.mtry.iter().enumerate().filter_map(point).collect(),
            reference: None,
        }
    };
    let (id, unit) = measured(found);
    let which = match order.len() {
        n if n > n_drawn => format!(", {n_drawn} of {n} variables"),
        _ => String::new(),
    };
    let panel = Panel {
        title: format!("{id} against mtry{which}"),
        x_label: "mtry".to_owned(),
        y_label: unit.to_owned(),
        is_x_log: found.mtry.last().is_some_and(|last| *last > 2 * found.mtry.len()),
        lines: order.iter().zip(COLOURS).map(line).collect(),
        has_legend: true,
    };
    Chart { panels: vec![panel], panels_per_row: 1 }.svg()
}
