//! The columns of a table.

use anstyle::Style;
use unicode_width::UnicodeWidthStr;
use wald::DecimalMark;

use super::table::{GAP, shortened};

/// Names are not shortened further.
const NARROWEST_NAME: usize = 16;

/// A header of one or more lines, and a cell per row.
pub(crate) struct Column {
    /// Those of the header first.
    cells: Vec<String>,
    n_headers: usize,
    pub(crate) width: usize,
    pub(crate) is_right: bool,
    pub(crate) style: Style,
    /// The least width of names, which may be shortened.
    narrowest: Option<usize>,
}

impl Column {
    pub(crate) fn left(header: &str, cells: impl IntoIterator<Item = String>) -> Self {
        let mut lines: Vec<String> = header.lines().map(str::to_owned).collect();
        let n_headers = lines.len();
        lines.extend(cells);
        let width = lines.iter().map(|cell| cell.width()).max().unwrap_or(0);
        Self {
            cells: lines,
            n_headers,
            width,
            is_right: false,
            style: Style::new(),
            narrowest: None,
        }
    }

    pub(crate) fn right(header: &str, cells: impl IntoIterator<Item = String>) -> Self {
        Self { is_right: true, ..Self::left(header, cells) }
    }

    /// Names, at most so wide.
    pub(crate) fn names(
        header: &str,
        cells: impl IntoIterator<Item = String>,
        widest: usize,
    ) -> Self {
        let narrowest = header.lines().map(UnicodeWidthStr::width).max().unwrap_or(0);
        let narrowest = Some(narrowest.max(NARROWEST_NAME));
        let column = Self::left(header, cells);
        Self { narrowest, width: column.width.min(widest), ..column }
    }

    pub(crate) fn n_headers(&self) -> usize {
        self.n_headers
    }

    /// A line of the header, or the cell of a row.
    pub(crate) fn line(&self, line: usize) -> &str {
        &self.cells[line]
    }

    /// The cell of a row.
    pub(crate) fn cell(&self, row: usize) -> String {
        self.cells[self.n_headers + row].trim().to_owned()
    }

    /// The header on one line: words that were broken after an underscore are one.
    pub(crate) fn title(&self) -> String {
        self.cells[..self.n_headers].join(" ").replace("_ ", "_")
    }

    /// Gives the numbers of the cells this mark before their decimals. Headers are names, but for
    /// percentages.
    pub(crate) fn mark_decimals(&mut self, mark: DecimalMark) {
        for (line, cell) in self.cells.iter_mut().enumerate() {
            if line >= self.n_headers || cell.ends_with('%') {
                *cell = mark.text(cell).into_owned();
            }
        }
    }

    /// Shortens names to the width of the column.
    pub(crate) fn shorten(&mut self) {
        if self.narrowest.is_some() {
            self.cells.iter_mut().for_each(|cell| *cell = shortened(cell, self.width));
        }
    }
}

/// Narrows columns of names where all columns side by side are wider than the space.
pub(crate) fn fitting(columns: &mut [Column], space: usize) {
    loop {
        let excess = width(columns).saturating_sub(space);
        let can_shrink =
            |column: &&mut Column| column.narrowest.is_some_and(|least| column.width > least);
        let widest = columns.iter_mut().filter(can_shrink).max_by_key(|column| column.width);
        match widest.filter(|_| excess > 0) {
            Some(column) => column.width -= 1,
            None => return,
        }
    }
}

/// The width of columns side by side.
pub(crate) fn width(columns: &[Column]) -> usize {
    columns.iter().map(|column| GAP + column.width).sum::<usize>().saturating_sub(GAP)
}
