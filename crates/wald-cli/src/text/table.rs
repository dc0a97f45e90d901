//! Tables of aligned columns that fit the terminal.

use std::ops::RangeInclusive;

use anstyle::{AnsiColor, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
use wald_table::escape_controls;

use crate::terminal::Terminal;

const HEADER: Style = Style::new().bold();
const BAR: Style = AnsiColor::Cyan.on_default();
pub(crate) const FAINT: Style = Style::new().dimmed();

/// Blanks between two columns.
const GAP: usize = 2;

/// How wide the bars of most tables are.
pub(crate) const BARS: RangeInclusive<usize> = 8..=30;

/// A header of one or more lines, and a cell per row.
pub(crate) struct Column {
    header: Vec<String>,
    cells: Vec<String>,
    pub(crate) width: usize,
    is_right: bool,
    style: Style,
}

impl Column {
    fn new(header: &str, cells: impl IntoIterator<Item = String>, is_right: bool) -> Self {
        let header: Vec<String> = header.lines().map(str::to_owned).collect();
        let cells: Vec<String> = cells.into_iter().collect();
        let width = header.iter().chain(&cells).map(|text| text.width()).max().unwrap_or(0);
        Self { header, cells, width, is_right, style: Style::new() }
    }

    pub(crate) fn left(header: &str, cells: impl IntoIterator<Item = String>) -> Self {
        Self::new(header, cells, false)
    }

    pub(crate) fn right(header: &str, cells: impl IntoIterator<Item = String>) -> Self {
        Self::new(header, cells, true)
    }

    /// The names of variables.
    pub(crate) fn names<'a>(names: impl IntoIterator<Item = &'a String>, widest: usize) -> Self {
        let shown = names.into_iter().map(|name| shortened(&escape_controls(name), widest));
        Self::left("variable", shown)
    }

    pub(crate) fn styled(self, style: Style) -> Self {
        Self { style, ..self }
    }

    /// In a colour that all drawings have.
    pub(crate) fn drawn(self) -> Self {
        self.styled(BAR)
    }

    /// With this width, whatever that of the cells is.
    pub(crate) fn with_width(self, width: usize) -> Self {
        Self { width, ..self }
    }

    /// What the column takes beside others.
    pub(crate) fn room(&self) -> usize {
        GAP + self.width
    }
}

/// Bars from zero in the room that columns leave; values below zero have none.
pub(crate) struct Bars {
    pub(crate) values: Vec<f64>,
    /// The value of a bar that takes all the room.
    pub(crate) full: f64,
    pub(crate) widths: RangeInclusive<usize>,
    /// Whether the room is taken where all bars are shorter.
    pub(crate) take_all: bool,
}

impl Bars {
    /// Bars of which the longest takes all the room.
    pub(crate) fn scaled(values: Vec<f64>) -> Self {
        let full = values.iter().copied().fold(0.0, f64::max);
        Self { values, full, widths: BARS, take_all: false }
    }

    fn column(&self, room: usize, unicode: bool) -> Column {
        let share = |value: f64| if self.full > 0.0 { (value / self.full).max(0.0) } else { 0.0 };
        let bars = self.values.iter().map(|value| bar(share(*value), room, unicode));
        let column = Column::left("", bars).drawn();
        if self.take_all { column.with_width(room) } else { column }
    }
}

/// Columns side by side.
pub(crate) struct Table {
    terminal: Terminal,
    columns: Vec<Column>,
    /// Bars, and how many columns stand before them.
    bars: Option<(usize, Bars)>,
}

impl Table {
    pub(crate) fn new(terminal: Terminal, columns: impl IntoIterator<Item = Column>) -> Self {
        Self { terminal, columns: columns.into_iter().collect(), bars: None }
    }

    pub(crate) fn add(&mut self, columns: impl IntoIterator<Item = Column>) {
        self.columns.extend(columns);
    }

    /// Adds bars if the other columns, those added later too, leave enough room.
    pub(crate) fn add_bars(&mut self, bars: Bars) {
        self.bars = Some((self.columns.len(), bars));
    }

    /// Adds columns that belong together if there is room for all of them.
    pub(crate) fn add_if_room(&mut self, columns: Vec<Column>) -> bool {
        let added: usize = columns.iter().map(Column::room).sum();
        let has_room = self.terminal.width.is_none_or(|space| self.width() + added <= space);
        if has_room {
            self.columns.extend(columns);
        }
        has_room
    }

    /// Adds columns while there is room; returns how many are left out.
    pub(crate) fn add_while_room(&mut self, columns: impl IntoIterator<Item = Column>) -> usize {
        let mut n_left_out = 0;
        for column in columns {
            n_left_out += usize::from(n_left_out > 0 || !self.add_if_room(vec![column]));
        }
        n_left_out
    }

    pub(crate) fn text(mut self) -> String {
        if let Some((place, bars)) = self.bars.take() {
            let room = self.terminal.space().saturating_sub(self.width() + GAP);
            let room = room.min(*bars.widths.end());
            if bars.widths.contains(&room) {
                self.columns.insert(place, bars.column(room, self.terminal.unicode));
            }
        }
        let n_headers = self.columns.iter().map(|column| column.header.len()).max().unwrap_or(0);
        // Headers stand on the last lines, next to their column.
        let header = |column: &Column, line: usize| {
            let line = (line + column.header.len()).checked_sub(n_headers);
            line.map_or_else(String::new, |line| column.header[line].clone())
        };
        let headers = (0..n_headers).map(|line| self.line(|column| (header(column, line), HEADER)));
        let n_rows = self.columns.first().map_or(0, |column| column.cells.len());
        let rows =
            (0..n_rows).map(|row| self.line(|column| (column.cells[row].clone(), column.style)));
        headers.chain(rows).collect()
    }

    fn width(&self) -> usize {
        self.columns.iter().map(Column::room).sum::<usize>().saturating_sub(GAP)
    }

    fn line(&self, cell: impl Fn(&Column) -> (String, Style)) -> String {
        let mut line = String::new();
        // Blanks are kept back until something follows them.
        let mut blanks = 0;
        for column in &self.columns {
            let (cell, style) = cell(column);
            let padding = column.width.saturating_sub(cell.width());
            let (before, after) = if column.is_right { (padding, 0) } else { (0, padding) };
            blanks += before;
            if !cell.is_empty() {
                let style = if self.terminal.colour { style } else { Style::new() };
                line.push_str(&" ".repeat(std::mem::take(&mut blanks)));
                line.push_str(&format!("{style}{cell}{style:#}"));
            }
            blanks += after + GAP;
        }
        line + "\n"
    }
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
