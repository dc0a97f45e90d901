//! The ranking as a table with bars.

use std::collections::HashMap;

use unicode_width::UnicodeWidthStr;
use wald_report::{MeasureSummary, RankedVariable, Report};

use crate::terminal::{Terminal, hanging};
use crate::text::numbers::NumberFormat;
use crate::text::table::{Bars, Column, FAINT, Table};

const WIDEST_NAME: usize = 48;
const NARROWEST_NAME: usize = 16;
/// In windows of this width, headers up to the given width are not broken.
const WIDE: usize = 96;
const WIDEST_HEADER: usize = 20;

/// The ranking by the first measure, with the values of the others beside it; at most `most`
/// variables are shown.
pub(crate) fn ranking(report: &Report, most: usize, terminal: Terminal) -> String {
    let Some((leading, others)) = report.measures.split_first() else { return String::new() };
    let shown = &leading.ranking[..leading.ranking.len().min(most)];
    let order: Vec<&String> = shown.iter().map(|ranked| &ranked.name).collect();
    let space = terminal.space();
    let widest = (space / 3).clamp(NARROWEST_NAME, WIDEST_NAME);
    let places = (1..=order.len()).map(|place| place.to_string());
    let places = Column::right("", places).styled(FAINT);
    let mut table = Table::new(terminal, [places, Column::names(order.iter().copied(), widest)]);
    table.add(measured(leading, &order, space));
    // Short bars would stand for important variables where small means important.
    if !leading.small_is_important {
        let values = shown.iter().map(|ranked| ranked.value.unwrap_or(0.0));
        table.add_bars(Bars { take_all: true, ..Bars::scaled(values.collect()) });
    }
    let is_left_out =
        |measure: &&MeasureSummary| !table.add_if_room(measured(measure, &order, space));
    let left_out: Vec<&MeasureSummary> = others.iter().filter(is_left_out).collect();
    let mut text = table.text();
    let n_hidden = leading.ranking.len() - shown.len();
    if n_hidden > 0 {
        text.push_str(&format!("… and {n_hidden} more variables\n"));
    }
    text.push('\n');
    for entry in legend(&report.measures) {
        text.push_str(&hanging(&entry, terminal.text_width() - 2));
    }
    if !left_out.is_empty() {
        let list = ids(&left_out);
        text.push_str(&format!("no room for {list}: widen the window or use --format csv\n"));
    }
    terminal.shown(text)
}

/// The values of a measure with their Monte-Carlo errors, and its p-values if it has them.
fn measured(measure: &MeasureSummary, order: &[&String], space: usize) -> Vec<Column> {
    let by_name: HashMap<&String, &RankedVariable> =
        measure.ranking.iter().map(|ranked| (&ranked.name, ranked)).collect();
    let column = |of: &dyn Fn(&RankedVariable) -> Option<String>| -> Vec<String> {
        let found = order.iter().map(|name| by_name.get(name).and_then(|ranked| of(ranked)));
        found.map(|cell| cell.unwrap_or_else(|| "–".to_owned())).collect()
    };
    let format = NumberFormat::of(measure.ranking.iter().filter_map(|ranked| ranked.value));
    let values = column(&|ranked| Some(format.estimate(ranked.value, ranked.standard_error)));
    let widest = values.iter().map(|cell| cell.width()).max().unwrap_or(0);
    let room = if space >= WIDE { WIDEST_HEADER } else { 0 };
    let mut columns = vec![Column::right(&broken_id(&measure.id, widest.max(room)), values)];
    if measure.ranking.iter().any(|ranked| ranked.p_value.is_some()) {
        let p_values = column(&|ranked| ranked.p_value.map(|p| format!("{p:.4}")));
        columns.push(Column::right("p", p_values));
    }
    columns
}

/// A long identifier on several lines, broken after underscores.
fn broken_id(id: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for part in id.split_inclusive('_') {
        let last = lines.len() - 1;
        if !lines[last].is_empty() && lines[last].width() + part.width() > width {
            lines.push(part.to_owned());
        } else {
            lines[last].push_str(part);
        }
    }
    lines.join("\n")
}

fn ids(measures: &[&MeasureSummary]) -> String {
    measures.iter().map(|measure| measure.id.as_str()).collect::<Vec<_>>().join(", ")
}

/// What the columns mean.
fn legend(measures: &[MeasureSummary]) -> Vec<String> {
    let mut entries = Vec::new();
    let mut kinds: Vec<&str> = Vec::new();
    for measure in measures {
        let MeasureSummary { id, name, data, unit, .. } = measure;
        entries.push(format!("{id}: {name}, {data}; {unit}"));
        entries.extend(measure.null.iter().map(|null| format!("p: {null}")));
        entries.extend(measure.notes.iter().cloned());
        kinds.extend(measure.errors_over.as_deref().filter(|over| !kinds.contains(over)));
    }
    for over in &kinds {
        let of_kind = |measure: &&MeasureSummary| measure.errors_over.as_deref() == Some(over);
        let whose = match kinds.as_slice() {
            [_] => String::new(),
            _ => format!(" of {}", ids(&measures.iter().filter(of_kind).collect::<Vec<_>>())),
        };
        entries.push(format!(
            "±{whose}: standard error over {over}, the Monte-Carlo error of a finite number of them \
             only"
        ));
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_break_after_underscores() {
        assert_eq!(broken_id("mda_breiman_cutler", 12), "mda_breiman_\ncutler");
        assert_eq!(broken_id("mdi", 12), "mdi");
    }
}
