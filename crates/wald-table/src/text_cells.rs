//! Text columns while they are read: every distinct text is kept once.

use wald::data::MISSING_LEVEL;

use crate::level_order::{order, renumber};
use crate::levels::{BadText, Level, Levels};

/// A column whose cells are all kept as text.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextCells {
    levels: Levels,
    codes: Vec<u32>,
    /// Nearly all texts differ, as identifiers do. To look for each in a table larger than the cache takes
    /// longer than to find equal ones by sorting, so that texts have a code for each of their cells until
    /// [`TextCells::settle`] is called.
    are_apart: bool,
}

/// After so many texts, a column is known to be one of identifiers ...
const MANY: u32 = 1 << 14;
/// ... if one cell in so many is that of a text before, at most.
const FEW_AGAIN: u32 = 16;

impl TextCells {
    /// Cells of these texts.
    pub(crate) fn new(levels: Levels, codes: Vec<u32>) -> Self {
        Self { levels, codes, are_apart: false }
    }

    /// Adds the next row.
    pub(crate) fn push(&mut self, text: &[u8]) -> Result<(), BadText> {
        let row = self.codes.len() as u32;
        if self.are_apart {
            self.codes.push(self.levels.append(text, row)?);
            return Ok(());
        }
        let code = self.levels.code(text, row)?;
        self.codes.push(code);
        if code == MANY && row < MANY + MANY / FEW_AGAIN {
            self.are_apart = true;
            self.levels.stop_searching();
        }
        Ok(())
    }

    /// Adds a row without a value.
    pub(crate) fn push_missing(&mut self) {
        self.codes.push(MISSING_LEVEL);
    }

    /// Bytes of memory besides the codes.
    pub(crate) fn size_of_texts(&self) -> usize {
        self.levels.size()
    }

    /// The codes of all rows.
    pub(crate) fn codes(&self) -> &Vec<u32> {
        &self.codes
    }

    /// True when there are texts, and all are words.
    pub(crate) fn are_words(&self) -> bool {
        self.levels.are_words()
    }

    /// Levels in the order of their first appearance, with their codes.
    pub(crate) fn finish(mut self) -> (Vec<Level>, Vec<u32>) {
        self.settle();
        (self.levels.finish(self.codes.iter().copied()), self.codes)
    }

    /// Gives equal texts the same code. Returns the order of the texts where it was found on the way.
    fn settle(&mut self) -> Option<Vec<u32>> {
        std::mem::take(&mut self.are_apart).then(|| self.levels.merge(&mut self.codes)).flatten()
    }

    /// Sorted levels, and their codes.
    pub(crate) fn sorted(mut self) -> (Vec<String>, Vec<u32>) {
        let known = self.settle();
        let Self { levels, mut codes, .. } = self;
        let order = order(levels.len(), known, |code| levels.text(code));
        renumber(&mut codes, &order);
        let levels = order.iter().map(|&code| levels.text(code).to_owned()).collect();
        (levels, codes)
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
        let (levels, codes) = cells.finish();
        assert_eq!(codes, [0, 1, 0, MISSING_LEVEL]);
        assert_eq!(levels[0], Level { text: "b".into(), first_row: 0, count: 2 });
        assert_eq!(levels[1], Level { text: "a".into(), first_row: 1, count: 1 });
    }

    #[test]
    fn identifiers_have_the_codes_of_texts_that_are_searched_for() {
        let n = 3 * MANY;
        // Rows with the text of another row before or after identifiers are recognised, and one that is missing.
        for again in [&[][..], &[(7, 3), (MANY + 90, 5), (MANY + 95, MANY + 91), (n - 1, n - 2)]] {
            let same =
                |row: u32| again.iter().find(|&&(at, _)| at == row).map_or(row, |&(_, of)| of);
            let text = |row: u32| format!("id {}", same(row).wrapping_mul(2_654_435_761));
            let (mut cells, mut searched) = (TextCells::default(), TextCells::default());
            for row in 0..n {
                if row == MANY + 50 {
                    cells.push_missing();
                    searched.codes.push(MISSING_LEVEL);
                    continue;
                }
                cells.push(text(row).as_bytes()).expect("valid text");
                let code = searched.levels.code(text(row).as_bytes(), row).expect("valid text");
                searched.codes.push(code);
            }
            assert!(cells.are_apart && !searched.are_apart);
            assert_eq!(cells.clone().sorted(), searched.clone().sorted());
            assert_eq!(cells.finish(), searched.finish());
        }
    }

    #[test]
    fn columns_of_few_levels_are_searched() {
        let mut cells = TextCells::default();
        for row in 0..3 * MANY {
            cells.push((row * 7 % (MANY + 20)).to_string().as_bytes()).expect("valid text");
        }
        assert!(cells.are_apart, "the first texts differ");
        let (levels, codes) = cells.finish();
        assert_eq!(levels.len(), MANY as usize + 20);
        assert!(codes.iter().zip(0..).all(|(&code, row)| code == row % (MANY + 20)));
        let mut cells = TextCells::default();
        for row in 0..3 * MANY {
            cells.push((row / 2).to_string().as_bytes()).expect("valid text");
        }
        assert!(!cells.are_apart);
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        let mut cells = TextCells::default();
        assert_eq!(cells.push(b"caf\xe9"), Err(BadText::NotUtf8));
        assert_eq!(cells.push(b"a\0b"), Err(BadText::Nul));
    }
}
