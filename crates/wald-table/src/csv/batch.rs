//! Records found in a piece of a file, with the text of their cells.

/// Records, cell by cell.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// The piece of the file.
    pub(crate) text: Vec<u8>,
    pub(crate) cells: Vec<Cell>,
    /// Physical lines on which the records start.
    pub(crate) lines: Vec<u64>,
}

/// Where the text of a cell stands, without quotes and surrounding blanks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell {
    start: u32,
    end: u32,
}

impl Cell {
    /// Pieces of files are shorter than 4 GB: the longest record is.
    #[inline]
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    #[inline]
    pub(crate) fn of(self, text: &[u8]) -> &[u8] {
        &text[self.start as usize..self.end as usize]
    }

    /// Makes one quote of two in the text of a quoted cell.
    pub(crate) fn undouble(&mut self, text: &mut [u8], quote: u8) {
        let end = self.end as usize;
        let (mut from, mut to) = (self.start as usize, self.start as usize);
        while from < end {
            text[to] = text[from];
            from += if text[from] == quote { 2 } else { 1 };
            to += 1;
        }
        self.end = to as u32;
    }
}

impl Batch {
    /// The texts of a column, of records that all have as many cells.
    #[inline]
    pub(crate) fn column(&self, column: usize, n_columns: usize) -> impl Iterator<Item = &[u8]> {
        let cells = self.cells.iter().skip(column).step_by(n_columns);
        cells.map(|cell| cell.of(&self.text))
    }

    /// Forgets the records but keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.cells.clear();
        self.lines.clear();
    }
}
