//! Importances against mtry, as an aligned table and as a picture.

use anstyle::Style;
use wald::masking::Masking;
use wald_html::chart::{COLOURS, Chart, Line, Panel, Point};
use wald_table::escape_controls;

use crate::ranking::{
    BAR, Column, GAP, NumberFormat, UNBOUNDED, column, lines, shortened, width_of,
};
use crate::terminal::{Terminal, hanging};

const WIDEST_NAME: usize = 24;

/// From nothing to the largest value.
const HEIGHTS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Variables by their importance where mtry is smallest, and others hide them least.
fn order(found: &Masking) -> Vec<usize> {
    let first = found.importances.first();
    first.map_or(Vec::new(), wald::Importance::order)
}

/// A line per variable and a column per mtry; of many, those that find room.
pub(crate) fn masking_table(found: &Masking, names: &[String], terminal: Terminal) -> String {
    let order = order(found);
    let defined = found.importances.iter().flat_map(|importance| &importance.values).flatten();
    let format = NumberFormat::of(&defined.copied().collect::<Vec<_>>());
    let cells = order.iter().map(|&index| shortened(&escape_controls(&names[index]), WIDEST_NAME));
    let mut columns = vec![column("variable", cells.collect(), false, Style::new())];
    let curve = [curve(found, &order)];
    let space = terminal.width.unwrap_or(UNBOUNDED);
    let has_curve = terminal.unicode && width_of(&curve) < space / 4;
    let room = if has_curve { space.saturating_sub(width_of(&curve) + GAP) } else { space };
    let mut n_shown = 0;
    for (mtry, importance) in found.mtry.iter().zip(&found.importances) {
        let cell = |&index: &usize| {
            importance.values[index].map_or_else(|| "-".to_owned(), |value| format.text(value))
        };
        let header = if n_shown == 0 { format!("mtry\n{mtry}") } else { mtry.to_string() };
        columns.push(column(&header, order.iter().map(cell).collect(), true, Style::new()));
        if terminal.width.is_some() && n_shown > 0 && width_of(&columns) > room {
            columns.pop();
            break;
        }
        n_shown += 1;
    }
    if has_curve {
        columns.extend(curve);
    }
    let mut text = lines(&columns, order.len(), terminal);
    text.push('\n');
    let first = found.importances.first();
    let (id, unit) = first.map_or(("", ""), |first| (first.id, first.unit.as_str()));
    let mut legend = format!(
        "{id} by mtry, the number of variables that compete for a split; {unit}. Variables that \
         fall are masked by others"
    );
    if n_shown < found.mtry.len() {
        legend.push_str("; no room for all mtry: widen the window or use --format csv");
    }
    text.push_str(&hanging(&legend, terminal.text_width()));
    if terminal.unicode { text } else { text.replace('…', "...") }
}

/// The course of every variable, a character per mtry.
fn curve(found: &Masking, order: &[usize]) -> Column {
    let defined = found.importances.iter().flat_map(|importance| &importance.values).flatten();
    let largest = defined.copied().fold(0.0, f64::max);
    let height = |value: Option<f64>| {
        let share = if largest > 0.0 { value.unwrap_or(0.0) / largest } else { 0.0 };
        HEIGHTS[(share.clamp(0.0, 1.0) * 8.0).round() as usize]
    };
    let cell = |&index: &usize| -> String {
        found.importances.iter().map(|importance| height(importance.values[index])).collect()
    };
    column("course", order.iter().map(cell).collect(), false, BAR)
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
    let first = found.importances.first();
    let (id, unit) = first.map_or(("", ""), |first| (first.id, first.unit.as_str()));
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
