//! Text columns while they are read: every distinct text is kept once.

use std::collections::HashMap;

use wald::data::MISSING_LEVEL;

/// Distinct texts, numbered in the order of their first appearance.
#[derive(Debug, Default)]
pub(crate) struct Levels {
    codes: HashMap<Box<[u8]>, u32>,
    first_rows: Vec<u32>,
}

/// A text that cannot be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BadText {
    /// The bytes are not UTF-8.
    NotUtf8,
    /// The text holds a NUL, so the file is no text.
    Nul,
}

/// A column whose cells are all kept as text.
#[derive(Debug, Default)]
pub(crate) struct TextCells {
    pub(crate) levels: Levels,
    pub(crate) codes: Vec<u32>,
}

/// One distinct text of a finished column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Level {
    pub(crate) text: String,
    /// The first row (from 0) with this text.
    pub(crate) first_row: u32,
    /// The number of rows with this text.
    pub(crate) count: usize,
}

impl Levels {
    /// The number of `text`, which appears in `row`.
    pub(crate) fn code(&mut self, text: &[u8], row: u32) -> Result<u32, BadText> {
        if let Some(&code) = self.codes.get(text) {
            return Ok(code);
        }
        if std::str::from_utf8(text).is_err() {
            return Err(BadText::NotUtf8);
        }
        if text.contains(&0) {
            return Err(BadText::Nul);
        }
        let code = self.first_rows.len() as u32;
        self.codes.insert(text.into(), code);
        self.first_rows.push(row);
        Ok(code)
    }

    /// The levels in the order of their codes, each with its number of rows in `codes`.
    pub(crate) fn finish(self, codes: impl Iterator<Item = u32>) -> Vec<Level> {
        let empty = |&first_row: &u32| Level { text: String::new(), first_row, count: 0 };
        let mut levels: Vec<Level> = self.first_rows.iter().map(empty).collect();
        for (text, code) in self.codes {
            // Every text was checked when it came in; nothing is replaced here.
            levels[code as usize].text = String::from_utf8(text.into_vec()).unwrap_or_default();
        }
        for code in codes.filter(|&code| code != MISSING_LEVEL) {
            levels[code as usize].count += 1;
        }
        levels
    }
}

impl TextCells {
    /// Adds the next row.
    pub(crate) fn push(&mut self, text: &[u8]) -> Result<(), BadText> {
        let row = self.codes.len() as u32;
        let code = self.levels.code(text, row)?;
        self.codes.push(code);
        Ok(())
    }

    /// Adds a row without a value.
    pub(crate) fn push_missing(&mut self) {
        self.codes.push(MISSING_LEVEL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_share_a_code() {
        let mut cells = TextCells::default();
        for text in ["b", "a", "b"] {
            cells.push(text.as_bytes()).expect("valid text");
        }
        cells.push_missing();
        assert_eq!(cells.codes, [0, 1, 0, MISSING_LEVEL]);
        let levels = cells.levels.finish(cells.codes.iter().copied());
        assert_eq!(levels[0], Level { text: "b".into(), first_row: 0, count: 2 });
        assert_eq!(levels[1], Level { text: "a".into(), first_row: 1, count: 1 });
    }

    #[test]
    fn bytes_that_are_no_text_are_told() {
        let mut cells = TextCells::default();
        assert_eq!(cells.push(b"caf\xe9"), Err(BadText::NotUtf8));
        assert_eq!(cells.push(b"a\0b"), Err(BadText::Nul));
    }
}
