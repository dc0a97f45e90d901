//! Tables of aligned columns that fit the terminal.

use std::ops::RangeInclusive;

use anstyle::{AnsiColor, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
use wald_table::escape_controls;

use super::column::{Column, fitting, width};
use crate::markup::{Cells, Markup};
use crate::terminal::Terminal;

const HEADER: Style = Style::new().bold();
pub(crate) const BAR: Style = AnsiColor::Cyan.on_default();
pub(crate) const FAINT: Style = Style::new().dimmed();

/// Blanks between two columns.
pub(crate) const GAP: usize = 2;

/// How wide the bars of most tables are.
pub(crate) const BARS: RangeInclusive<usize> = 8..=30;

/// Bars from zero in the room that columns leave; values below zero have none.
struct Bars {
    /// How many columns stand before them.
    place: usize,
    values: Vec<f64>,
    full: Option<f64>,
    widths: RangeInclusive<usize>,
}

/// A line per row. Where columns have no room, names are shortened further; where that is not
/// enough, further columns stand below, beside the names again.
pub(crate) struct Table<'a, R> {
    terminal: Terminal,
    rows: &'a [R],
    columns: Vec<Column>,
    /// How many first columns state which row it is.
    n_keys: usize,
    bars: Option<Bars>,
}

impl<'a, R> Table<'a, R> {
    pub(crate) fn new(terminal: Terminal, rows: &'a [R]) -> Self {
        Self { terminal, rows, columns: Vec::new(), n_keys: 0, bars: None }
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
        self.right("", place).styled(FAINT).key()
    }

    /// The names of variables.
    pub(crate) fn names(self, widest: usize, name: impl Fn(&'a R) -> &'a str) -> Self {
        self.named("variable", widest, |row| name(row).to_owned())
    }

    /// Names, which are shortened where they are wider; documents have them whole.
    pub(crate) fn named(
        mut self,
        header: &str,
        widest: usize,
        name: impl Fn(&'a R) -> String,
    ) -> Self {
        let names = self.rows.iter().map(|row| escape_controls(&name(row)));
        self.columns.push(Column::names(header, names, widest));
        self.key()
    }

    /// The last column is repeated where columns stand below, if those before it are.
    pub(crate) fn key(mut self) -> Self {
        if self.n_keys + 1 == self.columns.len() {
            self.n_keys += 1;
        }
        self
    }

    /// The same for the first column only.
    pub(crate) fn key_if_first(self) -> Self {
        if self.columns.len() == 1 { self.key() } else { self }
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
            column.width = column.width.max(width);
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

    /// A column of numbers per header; `cell` gets its place among them.
    pub(crate) fn numbers(
        mut self,
        headers: impl IntoIterator<Item = String>,
        cell: impl Fn(usize, &R) -> String,
    ) -> Self {
        for (place, header) in headers.into_iter().enumerate() {
            let cells = self.rows.iter().map(|row| cell(place, row));
            self.columns.push(Column::right(&header, cells));
        }
        self
    }

    pub(crate) fn text(mut self) -> String {
        for column in self.columns.iter_mut().filter(|column| column.is_right) {
            column.mark_decimals(self.terminal.decimal_mark);
        }
        if self.terminal.markup != Markup::Plain {
            return self.terminal.markup.table(&self.cells());
        }
        if let Some(space) = self.terminal.width {
            fitting(&mut self.columns, space);
        }
        self.columns.iter_mut().for_each(Column::shorten);
        self.draw_bars();
        let all: Vec<usize> = (0..self.columns.len()).collect();
        let (keys, others) = all.split_at(self.n_keys.min(self.columns.len()));
        let mut text = String::new();
        let mut shown = keys.to_vec();
        for &column in others {
            let is_new = shown.len() > keys.len();
            let wider = self.width_of(&shown) + GAP + self.columns[column].width;
            if is_new && self.terminal.width.is_some_and(|space| wider > space) {
                text += &self.block(&shown);
                text.push('\n');
                shown.truncate(keys.len());
            }
            shown.push(column);
        }
        text + &self.block(&shown)
    }

    /// The table for a document, without pictures.
    fn cells(&self) -> Cells {
        let columns = self.columns.iter().map(|column| (column.title(), column.is_right));
        let cells = |row: usize| self.columns.iter().map(|column| column.cell(row)).collect();
        Cells { columns: columns.collect(), rows: (0..self.rows.len()).map(cells).collect() }
    }

    fn draw_bars(&mut self) {
        let Some(Bars { place, values, full, widths }) = self.bars.take() else { return };
        let room = self.terminal.space().saturating_sub(width(&self.columns) + GAP);
        let room = room.min(*widths.end());
        if !widths.contains(&room) {
            return;
        }
        let largest = full.unwrap_or_else(|| values.iter().copied().fold(0.0, f64::max));
        let share = |value: f64| if largest > 0.0 { (value / largest).max(0.0) } else { 0.0 };
        let bars = values.iter().map(|value| bar(share(*value), room, self.terminal.unicode));
        let mut column = Column::left("", bars);
        column.style = BAR;
        column.width = if full.is_some() { column.width } else { room };
        self.columns.insert(place, column);
    }

    fn width_of(&self, columns: &[usize]) -> usize {
        let widths = columns.iter().map(|&column| GAP + self.columns[column].width);
        widths.sum::<usize>().saturating_sub(GAP)
    }

    /// All rows of some columns.
    fn block(&self, columns: &[usize]) -> String {
        let columns: Vec<&Column> = columns.iter().map(|&column| &self.columns[column]).collect();
        let n_headers = columns.iter().map(|column| column.n_headers()).max().unwrap_or(0);
        let lines = 0..n_headers + self.rows.len();
        lines.map(|line| self.line(&columns, line, n_headers)).collect()
    }

    fn line(&self, columns: &[&Column], line: usize, n_headers: usize) -> String {
        let mut text = String::new();
        // Blanks are kept back until something follows them.
        let mut blanks = 0;
        for column in columns {
            // Headers stand on the last lines, next to their column.
            let cell = (line + column.n_headers()).checked_sub(n_headers);
            let cell = cell.map_or("", |cell| column.line(cell));
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

/// As many characters as have room in so many columns.
fn filling(characters: impl Iterator<Item = char>, room: usize) -> Vec<char> {
    let mut used = 0;
    let has_room = |character: &char| {
        used += character.width().unwrap_or(0);
        used <= room
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
        assert_eq!(shortened("森林森林森林", 8), "森林…林");
    }

    #[test]
    fn columns_without_room_stand_below() {
        let terminal = Terminal { width: Some(40), ..Terminal::unbounded(Markup::Plain) };
        let name = "a_name_that_is_much_longer_than_the_room";
        let rows = [name, "short"];
        let table = Table::new(terminal, &rows).names(48, |name| name);
        let table = table.right("first", |_| "0.123456".to_owned());
        let table = table.right("second", |_| "0.123456".to_owned());
        let table = table.right("third", |_| "0.123456".to_owned());
        let text = table.text();
        assert!(text.lines().all(|line| line.width() <= 40), "{text}");
        assert_eq!(text.matches("a_name_t…he_room").count(), 2, "{text}");
        assert!(text.contains("first    second\n") && text.contains("third\n"), "{text}");
    }
}
