//! Records found in a piece of a file, with the text of their cells.

/// Records, cell by cell.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// The texts of all cells, one after the other, with room behind them.
    pub(crate) text: Vec<u8>,
    /// Where the text of each cell ends; it starts where that of the cell before ends.
    pub(crate) ends: Vec<usize>,
    /// Physical lines on which the records start.
    pub(crate) lines: Vec<u64>,
}

impl Batch {
    /// Cell `index`, counted over all records, without quotes and surrounding blanks.
    #[inline]
    pub(crate) fn cell(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[index]]
    }

    /// Where the text of the last cell ends.
    #[inline]
    pub(crate) fn text_end(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Forgets the records but keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.ends.clear();
        self.lines.clear();
    }
}
