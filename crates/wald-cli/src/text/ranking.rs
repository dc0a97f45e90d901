//! The ranking as a table with bars.

use std::collections::HashMap;

use unicode_width::UnicodeWidthStr;
use wald::MeasureId;
use wald_report::{MeasureSummary, RankedVariable, Report};

use crate::terminal::{self, Terminal, hanging};
use crate::text::column::Column;
use crate::text::table::{BARS, Table};
use wald::digits::{Digits, p_value};

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
    let space = terminal.space();
    let mut table = Table::new(terminal, shown)
        .places()
        .names((space / 3).clamp(NARROWEST_NAME, WIDEST_NAME), |ranked| &ranked.name);
    table.add(measured(leading, shown, space));
    // Short bars would stand for important variables where small means important.
    if !leading.small_is_important {
        table = table.bars(BARS, None, |ranked| ranked.value.unwrap_or(0.0));
    }
    for measure in others {
        table.add(measured(measure, shown, space));
    }
    let mut text = table.text();
    let n_hidden = leading.ranking.len() - shown.len();
    if n_hidden > 0 {
        text.push_str(&hanging(&format!("… and {n_hidden} more variables"), terminal));
    }
    text.push_str(&terminal::legend(&legend(&report.measures), terminal));
    terminal.shown(text)
}

/// The values of a measure with their Monte-Carlo errors, and its p-values if it has them.
fn measured(measure: &MeasureSummary, rows: &[RankedVariable], space: usize) -> Vec<Column> {
    let by_name: HashMap<&str, &RankedVariable> =
        measure.ranking.iter().map(|ranked| (ranked.name.as_str(), ranked)).collect();
    let cells = |of: &dyn Fn(&RankedVariable) -> Option<String>| -> Vec<String> {
        let found = rows.iter().map(|row| of(by_name.get(row.name.as_str())?));
        found.map(|cell| cell.unwrap_or_else(|| "–".to_owned())).collect()
    };
    let format = Digits::of(measure.ranking.iter().filter_map(|ranked| ranked.value));
    let values = cells(&|ranked| Some(format.estimate(ranked.value, ranked.standard_error)));
    let widest = values.iter().map(|cell| cell.width()).max().unwrap_or(0);
    let room = if space >= WIDE { WIDEST_HEADER } else { 0 };
    let p_values = cells(&|ranked| ranked.p_value.map(p_value));
    let has_p_values = measure.ranking.iter().any(|ranked| ranked.p_value.is_some());
    let values = Column::right(&broken_id(&measure.id, widest.max(room)), values);
    [values].into_iter().chain(has_p_values.then(|| Column::right("p", p_values))).collect()
}

/// A long identifier on several lines, broken after underscores.
fn broken_id(id: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for part in id.split_inclusive('_') {
        match lines.last_mut() {
            Some(line) if line.is_empty() || line.width() + part.width() <= width => *line += part,
            _ => lines.push(part.to_owned()),
        }
    }
    lines.join("\n")
}

fn ids<'a>(measures: impl IntoIterator<Item = &'a MeasureSummary>) -> String {
    measures.into_iter().map(|measure| measure.id.as_str()).collect::<Vec<_>>().join(", ")
}

/// What the columns mean.
fn legend(measures: &[MeasureSummary]) -> Vec<String> {
    let mut entries = Vec::new();
    let mut kinds: Vec<&str> = Vec::new();
    for measure in measures {
        let MeasureSummary { id, name, data, unit, .. } = measure;
        entries.push(format!("{id}: {name}, {data}; {unit}"));
        entries.extend(measure.null.iter().map(|null| format!("p: {null}")));
        // A note on the table is the same for all measures.
        let notes = measure.notes.iter().filter(|note| !entries.contains(note));
        entries.extend(notes.cloned().collect::<Vec<_>>());
        kinds.extend(measure.errors_over.as_deref().filter(|over| !kinds.contains(over)));
    }
    for over in &kinds {
        let of_kind = |measure: &&MeasureSummary| measure.errors_over.as_deref() == Some(over);
        let whose = match kinds.as_slice() {
            [_] => String::new(),
            _ => format!(" of {}", ids(measures.iter().filter(of_kind))),
        };
        let is_monte_carlo = |measure: &MeasureSummary| {
            let known = MeasureId::parse(&measure.id);
            known.is_none_or(|id| id.info().has_monte_carlo_errors())
        };
        let what = if measures.iter().filter(of_kind).all(is_monte_carlo) {
            "the Monte-Carlo error of a finite number of them only"
        } else {
            "for the forests at hand"
        };
        entries.push(format!("±{whose}: standard error over {over}, {what}"));
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
