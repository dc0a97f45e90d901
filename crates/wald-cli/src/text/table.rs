//! Tables of aligned columns that fit the terminal.

use std::ops::RangeInclusive;

use anstyle::{AnsiColor, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
use wald_table::escape_controls;

use crate::terminal::Terminal;

const HEADER: Style = Style::new().bold();
pub(crate) const BAR: Style = AnsiColor::Cyan.on_default();
pub(crate) const FAINT: Style = Style::new().dimmed();

/// Blanks between two columns.
pub(crate) const GAP: usize = 2;

/// How wide the bars of most tables are.
pub(crate) const BARS: RangeInclusive<usize> = 8..=30;

/// A header of one or more lines, and a cell per row.
pub(crate) struct Column {
    /// Those of the header first.
    cells: Vec<String>,
    n_headers: usize,
    pub(crate) width: usize,
    is_right: bool,
    style: Style,
}

impl Column {
    fn left(header: &str, cells: impl IntoIterator<Item = String>) -> Self {
        let mut lines: Vec<String> = header.lines().map(str::to_owned).collect();
        let n_headers = lines.len();
        lines.extend(cells);
        let width = lines.iter().map(|cell| cell.width()).max().unwrap_or(0);
        Self { cells: lines, n_headers, width, is_right: false, style: Style::new() }
    }

    pub(crate) fn right(header: &str, cells: impl IntoIterator<Item = String>) -> Self {
        Self { is_right: true, ..Self::left(header, cells) }
    }
}

/// Bars from zero in the room that columns leave; values below zero have none.
struct Bars {
    /// How many columns stand before them.
    place: usize,
    values: Vec<f64>,
    full: Option<f64>,
    widths: RangeInclusive<usize>,
}

/// A line per row.
pub(crate) struct Table<'a, R> {
    terminal: Terminal,
    rows: &'a [R],
    columns: Vec<Column>,
    bars: Option<Bars>,
}

impl<'a, R> Table<'a, R> {
    pub(crate) fn new(terminal: Terminal, rows: &'a [R]) -> Self {
        Self { terminal, rows, columns: Vec::new(), bars: None }
    }

    pub(crate) fn left(mut self, header: &str, cell: impl FnMut(&'a R) -> String) -> Self {
        self.columns.push(Column::left(header, self.rows.iter().map(cell)));
        self
    }

    pub(crate) fn right(mut self, header: &str, cell: impl FnMut(&'a R) -> String) -> Self {
        self.columns.push(Column::right(header, self.rows.iter().map(cell)));
        self
    }

    /// The numbers of the rows, from 1.
    pub(crate) fn places(self) -> Self {
        let mut places = 1..;
        let place = |_| places.next().map_or_else(String::new, |place: usize| place.to_string());
        self.right("", place).styled(FAINT)
    }

    /// The names of variables.
    pub(crate) fn names(self, widest: usize, name: impl Fn(&'a R) -> &'a str) -> Self {
        self.left("variable", |row| shortened(&escape_controls(name(row)), widest))
    }

    /// The style of the cells of the last column.
    pub(crate) fn styled(mut self, style: Style) -> Self {
        if let Some(column) = self.columns.last_mut() {
            column.style = style;
        }
        self
    }

    /// The width of the last column, whatever that of its cells is.
    pub(crate) fn wide(mut self, width: usize) -> Self {
        if let Some(column) = self.columns.last_mut() {
            column.width = width;
        }
        self
    }

    /// Bars here, if the columns on both sides leave enough room. A bar of the value `full` takes
    /// all the room; without it, the longest one does.
    pub(crate) fn bars(
        mut self,
        widths: RangeInclusive<usize>,
        full: Option<f64>,
        value: impl Fn(&R) -> f64,
    ) -> Self {
        let values = self.rows.iter().map(value).collect();
        self.bars = Some(Bars { place: self.columns.len(), values, full, widths });
        self
    }

    pub(crate) fn add(&mut self, columns: Vec<Column>) {
        self.columns.extend(columns);
    }

    /// Adds columns that belong together if there is room for all of them.
    pub(crate) fn add_if_room(&mut self, columns: Vec<Column>) -> bool {
        let has_room = self.has_room(&columns);
        has_room.then(|| self.add(columns)).is_some()
    }

    /// Adds a column per header while there is room, at least so many; returns how many.
    pub(crate) fn add_while_room(
        &mut self,
        headers: impl IntoIterator<Item = String>,
        least: usize,
        cell: impl Fn(usize, &R) -> String,
    ) -> usize {
        let rows = self.rows;
        let added = |(place, header): (usize, String)| {
            let column = [Column::right(&header, rows.iter().map(|row| cell(place, row)))];
            (place < least || self.has_room(&column)).then(|| self.columns.extend(column))
        };
        headers.into_iter().enumerate().map_while(added).count()
    }

    fn has_room(&self, columns: &[Column]) -> bool {
        let width = width(&self.columns) + GAP + width(columns);
        self.terminal.width.is_none_or(|space| width <= space)
    }

    pub(crate) fn text(mut self) -> String {
        if let Some(Bars { place, values, full, widths }) = self.bars.take() {
            let room = self.terminal.space().saturating_sub(width(&self.columns) + GAP);
            let room = room.min(*widths.end());
            if widths.contains(&room) {
                let largest = full.unwrap_or_else(|| values.iter().copied().fold(0.0, f64::max));
                let share =
                    |value: f64| if largest > 0.0 { (value / largest).max(0.0) } else { 0.0 };
                let bars =
                    values.iter().map(|value| bar(share(*value), room, self.terminal.unicode));
                let mut column = Column { style: BAR, ..Column::left("", bars) };
                column.width = if full.is_some() { column.width } else { room };
                self.columns.insert(place, column);
            }
        }
        let n_headers = self.columns.iter().map(|column| column.n_headers).max().unwrap_or(0);
        (0..n_headers + self.rows.len()).map(|line| self.line(line, n_headers)).collect()
    }

    fn line(&self, line: usize, n_headers: usize) -> String {
        let mut text = String::new();
        // Blanks are kept back until something follows them.
        let mut blanks = 0;
        for column in &self.columns {
            // Headers stand on the last lines, next to their column.
            let cell = (line + column.n_headers).checked_sub(n_headers);
            let cell = cell.map_or("", |cell| &column.cells[cell]);
            let padding = column.width.saturating_sub(cell.width());
            let (before, after) = if column.is_right { (padding, 0) } else { (0, padding) };
            blanks += before;
            if !cell.is_empty() {
                let style = if line < n_headers { HEADER } else { column.style };
                let style = if self.terminal.colour { style } else { Style::new() };
                text.push_str(&" ".repeat(std::mem::take(&mut blanks)));
                text.push_str(&format!("{style}{cell}{style:#}"));
            }
            blanks += after + GAP;
        }
        text + "\n"
    }
}

/// The width of columns side by side.
fn width(columns: &[Column]) -> usize {
    columns.iter().map(|column| GAP + column.width).sum::<usize>().saturating_sub(GAP)
}

fn bar(share: f64, width: usize, unicode: bool) -> String {
    if !unicode {
        return "#".repeat((share * width as f64).round() as usize);
    }
    let eighths = (share * width as f64 * 8.0).round() as usize;
    let mut bar = "█".repeat(eighths / 8);
    bar.extend(" ▏▎▍▌▋▊▉".chars().nth(eighths % 8).filter(|part| *part != ' '));
    bar
}

/// A name cut in its middle, where both ends distinguish it from others.
pub(crate) fn shortened(name: &str, widest: usize) -> String {
    if name.width() <= widest {
        return name.to_owned();
    }
    let half = (widest - 1) / 2;
    let start = filling(name.chars(), widest - half - 1);
    let end = filling(name.chars().rev(), half);
    format!("{}…{}", start.iter().collect::<String>(), end.iter().rev().collect::<String>())
}

/// As many characters as fill so many columns.
fn filling(characters: impl Iterator<Item = char>, room: usize) -> Vec<char> {
    let mut used = 0;
    let has_room = |character: &char| {
        let has_room = used < room;
        used += character.width().unwrap_or(0);
        has_room
    };
    characters.take_while(has_room).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
