//! A table as read: named, typed columns, and where each row stood in its file.

use wald::data::MISSING_LEVEL;

use crate::error::{Place, TableError};
use crate::notice::Notice;

/// A table in memory.
#[derive(Debug, Clone)]
pub struct Table {
    pub(crate) source: String,
    pub(crate) columns: Vec<TableColumn>,
    pub(crate) n_rows: usize,
    pub(crate) notes: Vec<String>,
    pub(crate) places: RowPlaces,
}

/// A named column.
#[derive(Debug, Clone)]
pub struct TableColumn {
    /// The name in the header.
    pub name: String,
    /// The values, or why they cannot be used; a column that is not used does no harm.
    pub values: Result<Values, TableError>,
    /// What was decided while the column was read.
    pub notices: Vec<Notice>,
}

/// The values of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Finite numbers; NaN marks a missing value.
    Numeric {
        /// One number per row.
        values: Vec<f64>,
        /// True when every number is written as an integer; all are exact, at most 2^53.
        integers: bool,
    },
    /// Text, booleans, or anything read with [`crate::ReadOptions::categorical`].
    Text {
        /// Distinct texts in lexicographic order (numbers in numeric order).
        levels: Vec<String>,
        /// Codes into `levels`; [`MISSING_LEVEL`] marks a missing value.
        codes: Vec<u32>,
    },
}

impl Table {
    /// The file name, or `stdin`.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The columns, in the order of the file.
    pub fn columns(&self) -> &[TableColumn] {
        &self.columns
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&TableColumn> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Column names, in the order of the file.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// What was found out or decided about the file as a whole, such as its separator.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Where row `row` (from 0) stands in its file.
    pub fn place(&self, row: usize) -> Place {
        self.places.place(row)
    }
}

impl TableColumn {
    /// Number of missing values; `None` when the column cannot be used.
    pub fn n_missing(&self) -> Option<usize> {
        self.values.as_ref().ok().map(Values::n_missing)
    }
}

impl Values {
    /// Number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Numeric { values, .. } => values.len(),
            Self::Text { codes, .. } => codes.len(),
        }
    }

    /// True when there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// True when row `row` has no value.
    pub fn is_missing(&self, row: usize) -> bool {
        match self {
            Self::Numeric { values, .. } => values[row].is_nan(),
            Self::Text { codes, .. } => codes[row] == MISSING_LEVEL,
        }
    }

    /// Number of missing values.
    pub fn n_missing(&self) -> usize {
        match self {
            Self::Numeric { values, .. } => values.iter().filter(|value| value.is_nan()).count(),
            Self::Text { codes, .. } => codes.iter().filter(|&&code| code == MISSING_LEVEL).count(),
        }
    }

    /// The cell of row `row` as text; empty when missing.
    pub(crate) fn cell(&self, row: usize) -> String {
        match self {
            Self::Numeric { values, .. } if values[row].is_nan() => String::new(),
            Self::Numeric { values, .. } => numeral(values[row]),
            Self::Text { levels, codes } => {
                levels.get(codes[row] as usize).cloned().unwrap_or_default()
            }
        }
    }
}

/// The shortest text that reads back as `value`, without an exponent where that is short.
pub(crate) fn numeral(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-5..1e16).contains(&size) {
        format!("{value:e}")
    } else {
        format!("{}", value + 0.0)
    }
}

/// Where rows stand in their file.
#[derive(Debug, Clone)]
pub(crate) enum RowPlaces {
    /// In a text file; rows and lines part where a cell holds a line break.
    Lines(Vec<Jump>),
    /// In a file without lines.
    Rows,
}

/// From row `row` on, rows stand on consecutive lines starting at `line`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Jump {
    row: u32,
    line: u64,
}

impl RowPlaces {
    /// Notes that `row`, the next one, starts on `line`.
    #[inline]
    pub(crate) fn push(&mut self, row: u32, line: u64) {
        let Self::Lines(jumps) = self else { return };
        let foretold = jumps.last().map(|jump| jump.line + u64::from(row - jump.row));
        if foretold != Some(line) {
            jumps.push(Jump { row, line });
        }
    }

    /// The place of `row`, counted from 0.
    pub(crate) fn place(&self, row: usize) -> Place {
        let row_number = row as u64;
        let Self::Lines(jumps) = self else { return Place::Row(row_number + 1) };
        let after = jumps.partition_point(|jump| jump.row as usize <= row);
        match after.checked_sub(1).and_then(|index| jumps.get(index)) {
            Some(jump) => Place::Line(jump.line + row_number - u64::from(jump.row)),
            None => Place::Line(row_number + 2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_follow_rows_until_a_cell_spans_lines() {
        let mut places = RowPlaces::Lines(Vec::new());
        for (row, line) in [(0, 2), (1, 3), (2, 6), (3, 7)] {
            places.push(row, line);
        }
        let lines: Vec<Place> = (0..4).map(|row| places.place(row)).collect();
        assert_eq!(lines, [2, 3, 6, 7].map(Place::Line));
        assert_eq!(RowPlaces::Rows.place(4), Place::Row(5));
    }

    #[test]
    fn numerals_are_short() {
        assert_eq!(numeral(1.0), "1");
        assert_eq!(numeral(-0.0), "0");
        assert_eq!(numeral(0.1), "0.1");
        assert_eq!(numeral(1e300), "1e300");
        assert_eq!(numeral(2.5e-7), "2.5e-7");
    }
}
