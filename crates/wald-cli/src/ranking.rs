//! The ranking as an aligned table with bars.

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;
use wald_report::{MeasureSummary, Report};
use wald_table::escape_controls;

use crate::terminal::{Terminal, hanging};

const HEADER: Style = Style::new().bold();
pub(crate) const BAR: Style = AnsiColor::Cyan.on_default();
pub(crate) const FAINT: Style = Style::new().dimmed();

pub(crate) const GAP: usize = 2;
const WIDEST_BAR: usize = 30;
const NARROWEST_BAR: usize = 8;
const WIDEST_NAME: usize = 48;
const NARROWEST_NAME: usize = 16;
/// In windows of this width, headers up to the given width are not broken.
const WIDE: usize = 96;
const WIDEST_HEADER: usize = 20;
/// Where the text need not fit a window.
pub(crate) const UNBOUNDED: usize = 100;

/// A column of equally long cells: text of the table, or a bar.
pub(crate) struct Column {
    header: Vec<String>,
    cells: Vec<String>,
    width: usize,
    is_right: bool,
    style: Style,
}

/// The ranking by the first measure, with the values of the others beside it; at most `most`
/// variables are shown.
pub(crate) fn ranking(report: &Report, most: usize, terminal: Terminal) -> String {
    let Some((leading, others)) = report.measures.split_first() else { return String::new() };
    let order: Vec<&str> =
        leading.ranking.iter().take(most).map(|ranked| ranked.name.as_str()).collect();
    let space = terminal.width.unwrap_or(UNBOUNDED);
    let places = (1..=order.len()).map(|place| place.to_string()).collect();
    let mut columns = vec![column("", places, true, FAINT), names(&order, space)];
    columns.push(numbers(leading, &order, terminal));
    columns.extend(p_values(leading, &order, terminal));
    let mut left_out = Vec::new();
    let mut other_columns = Vec::new();
    let mut used = width_of(&columns);
    for measure in others {
        let mut found = vec![numbers(measure, &order, terminal)];
        found.extend(p_values(measure, &order, terminal));
        let width = found.iter().map(|column| GAP + column.width).sum::<usize>();
        if terminal.width.is_some() && used + width > space {
            left_out.push(measure.id.as_str());
        } else {
            used += width;
            other_columns.extend(found);
        }
    }
    let room = space.saturating_sub(used + GAP).min(WIDEST_BAR);
    // Short bars would stand for important variables where small means important.
    if room >= NARROWEST_BAR && !leading.small_is_important {
        columns.push(bars(leading, order.len(), room, terminal));
    }
    columns.extend(other_columns);
    let mut text = lines(&columns, order.len(), terminal);
    let hidden = leading.ranking.len() - order.len();
    if hidden > 0 {
        text.push_str(&format!("… and {hidden} more variables\n"));
    }
    text.push('\n');
    text.push_str(&legend(&report.measures, terminal));
    if !left_out.is_empty() {
        let list = left_out.join(", ");
        text.push_str(&format!("no room for {list}: widen the window or use --format csv\n"));
    }
    terminal.shown(text)
}

pub(crate) fn column(header: &str, cells: Vec<String>, is_right: bool, style: Style) -> Column {
    let header: Vec<String> = header.lines().map(str::to_owned).collect();
    let width = header.iter().chain(&cells).map(|text| text.width()).max().unwrap_or(0);
    Column { header, cells, width, is_right, style }
}

impl Column {
    pub(crate) fn width(&self) -> usize {
        self.width
    }
}

pub(crate) fn width_of(columns: &[Column]) -> usize {
    columns.iter().map(|column| column.width).sum::<usize>() + GAP * (columns.len() - 1)
}

fn names(order: &[&str], space: usize) -> Column {
    let widest = (space / 3).clamp(NARROWEST_NAME, WIDEST_NAME);
    let cells = order.iter().map(|name| shortened(&escape_controls(name), widest)).collect();
    column("variable", cells, false, Style::new())
}

/// A name cut in its middle, where both ends distinguish it from others.
pub(crate) fn shortened(name: &str, widest: usize) -> String {
    if name.width() <= widest {
        return name.to_owned();
    }
    let half = (widest - 1) / 2;
    let mut start = String::new();
    for character in name.chars() {
        if start.width() + 2 > widest - half {
            break;
        }
        start.push(character);
    }
    let mut end: Vec<char> = Vec::new();
    for character in name.chars().rev() {
        if end.iter().collect::<String>().width() + 1 > half {
            break;
        }
        end.push(character);
    }
    format!("{start}…{}", end.into_iter().rev().collect::<String>())
}

/// The values of one measure, aligned at the decimal point, with their Monte-Carlo errors.
fn numbers(measure: &MeasureSummary, order: &[&str], terminal: Terminal) -> Column {
    let by_name: std::collections::HashMap<&str, (Option<f64>, Option<f64>)> = measure
        .ranking
        .iter()
        .map(|ranked| (ranked.name.as_str(), (ranked.value, ranked.standard_error)))
        .collect();
    let values: Vec<f64> = measure.ranking.iter().filter_map(|ranked| ranked.value).collect();
    let format = NumberFormat::of(&values);
    let undefined = if terminal.unicode { "–" } else { "-" };
    let cells = order.iter().map(|name| {
        let (value, error) = by_name.get(name).copied().unwrap_or_default();
        let mut cell = value.map_or(undefined.to_owned(), |value| format.text(value));
        if let Some(error) = error {
            cell.push_str(&format!(" ±{}", format.text(error)));
        }
        cell
    });
    let cells: Vec<String> = cells.collect();
    let widest = cells.iter().map(|cell| cell.width()).max().unwrap_or(0);
    let space = terminal.width.unwrap_or(UNBOUNDED);
    let room = if space >= WIDE { WIDEST_HEADER } else { 0 };
    column(&broken_id(&measure.id, widest.max(room)), cells, true, Style::new())
}

/// The p-values of a measure that has them.
fn p_values(measure: &MeasureSummary, order: &[&str], terminal: Terminal) -> Option<Column> {
    let by_name: std::collections::HashMap<&str, f64> = measure
        .ranking
        .iter()
        .filter_map(|ranked| Some((ranked.name.as_str(), ranked.p_value?)))
        .collect();
    let undefined = if terminal.unicode { "–" } else { "-" };
    let cell = |name: &&str| by_name.get(name).map_or(undefined.to_owned(), |p| format!("{p:.4}"));
    let cells = order.iter().map(cell).collect();
    (!by_name.is_empty()).then(|| column("p", cells, true, Style::new()))
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

/// How the numbers of one column are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberFormat {
    /// With that many decimals.
    Fixed(usize),
    Scientific,
}

impl NumberFormat {
    /// Four digits for the largest number; whole numbers stay whole.
    pub(crate) fn of(values: &[f64]) -> Self {
        let largest = values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
        if largest < 1e7 && values.iter().all(|value| value.fract() == 0.0) {
            return Self::Fixed(0);
        }
        let magnitude = largest.log10().floor();
        if !(-5.0..7.0).contains(&magnitude) {
            return Self::Scientific;
        }
        Self::Fixed((3.0 - magnitude).max(0.0) as usize)
    }

    pub(crate) fn text(self, value: f64) -> String {
        let text = match self {
            Self::Fixed(decimals) => format!("{value:.decimals$}"),
            Self::Scientific => format!("{value:.3e}"),
        };
        // A negative number that rounds to zero is shown as zero.
        match text.strip_prefix('-') {
            Some(zero) if zero.chars().all(|c| c == '0' || c == '.') => zero.to_owned(),
            _ => text,
        }
    }
}

/// Bars from zero; values below zero have none.
fn bars(measure: &MeasureSummary, n_shown: usize, width: usize, terminal: Terminal) -> Column {
    let values: Vec<f64> =
        measure.ranking.iter().map(|ranked| ranked.value.unwrap_or(0.0).max(0.0)).collect();
    let largest = values.iter().copied().fold(0.0, f64::max);
    let cells = values.iter().take(n_shown).map(|value| {
        let share = if largest > 0.0 { value / largest } else { 0.0 };
        bar(share, width, terminal.unicode)
    });
    let mut column = column("", cells.collect(), false, BAR);
    column.width = width;
    column
}

pub(crate) fn bar(share: f64, width: usize, unicode: bool) -> String {
    if !unicode {
        return "#".repeat((share * width as f64).round() as usize);
    }
    let eighths = (share * width as f64 * 8.0).round() as usize;
    let mut bar = "█".repeat(eighths / 8);
    bar.extend(" ▏▎▍▌▋▊▉".chars().nth(eighths % 8).filter(|part| *part != ' '));
    bar
}

pub(crate) fn lines(columns: &[Column], n_rows: usize, terminal: Terminal) -> String {
    let n_headers = columns.iter().map(|column| column.header.len()).max().unwrap_or(0);
    let mut text = String::new();
    for line in 0..n_headers {
        // Headers stand on the last lines, next to their column.
        let cell = |column: &Column| {
            let skipped = n_headers - column.header.len();
            let index = line.checked_sub(skipped);
            index.map_or(String::new(), |index| column.header[index].clone())
        };
        push_line(&mut text, columns, &|column| (cell(column), HEADER), terminal);
    }
    for row in 0..n_rows {
        let cell = |column: &Column| (column.cells[row].clone(), column.style);
        push_line(&mut text, columns, &cell, terminal);
    }
    text
}

fn push_line(
    text: &mut String,
    columns: &[Column],
    cell: &dyn Fn(&Column) -> (String, Style),
    terminal: Terminal,
) {
    let mut line = String::new();
    // Blanks are kept back until something follows them.
    let mut blanks = 0;
    for (index, column) in columns.iter().enumerate() {
        if index > 0 {
            blanks += GAP;
        }
        let (cell, style) = cell(column);
        let padding = column.width.saturating_sub(cell.width());
        if column.is_right {
            blanks += padding;
        }
        if !cell.is_empty() {
            line.push_str(&" ".repeat(std::mem::take(&mut blanks)));
            if terminal.colour {
                line.push_str(&format!("{style}{cell}{style:#}"));
            } else {
                line.push_str(&cell);
            }
        }
        if !column.is_right {
            blanks += padding;
        }
    }
    text.push_str(&line);
    text.push('\n');
}

/// What the columns mean.
fn legend(measures: &[MeasureSummary], terminal: Terminal) -> String {
    let space = terminal.text_width();
    let mut text = String::new();
    let mut push = |entry: &str| text.push_str(&hanging(entry, space - 2));
    for measure in measures {
        push(&format!("{}: {}, {}; {}", measure.id, measure.name, measure.data, measure.unit));
        if let Some(null) = &measure.null {
            push(&format!("  p: {null}"));
        }
        for note in &measure.notes {
            push(&format!("  {note}"));
        }
    }
    let mut kinds: Vec<(&str, Vec<&str>)> = Vec::new();
    for measure in measures {
        let Some(over) = measure.errors_over.as_deref() else { continue };
        match kinds.iter_mut().find(|kind| kind.0 == over) {
            Some((_, ids)) => ids.push(&measure.id),
            None => kinds.push((over, vec![&measure.id])),
        }
    }
    for (over, ids) in &kinds {
        let whose = if kinds.len() > 1 { format!(" of {}", ids.join(", ")) } else { String::new() };
        push(&format!(
            "±{whose}: standard error over {over}, the Monte-Carlo error of a finite number of them \
             only"
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_column_share_their_decimals() {
        let format = NumberFormat::of(&[0.0623, 0.001]);
        assert_eq!(format.text(0.0623), "0.06230");
        assert_eq!(format.text(-1e-9), "0.00000");
        assert_eq!(NumberFormat::of(&[12.0, 300.0]), NumberFormat::Fixed(0));
        assert_eq!(NumberFormat::of(&[1e-12]).text(1e-12), "1.000e-12");
    }

    #[test]
    fn bars_have_eighths() {
        assert_eq!(bar(1.0, 4, true), "████");
        assert_eq!(bar(0.5625, 2, true), "█▏");
        assert_eq!(bar(0.0, 4, true), "");
        assert_eq!(bar(0.5, 4, false), "##");
    }

    #[test]
    fn long_names_are_cut_in_the_middle() {
        assert_eq!(shortened("abcdefghijklmnop", 9), "abcd…mnop");
        assert_eq!(shortened("short", 9), "short");
    }

    #[test]
    fn identifiers_break_after_underscores() {
        assert_eq!(broken_id("mda_breiman_cutler", 12), "mda_breiman_\ncutler");
        assert_eq!(broken_id("mdi", 12), "mdi");
    }
}
