//! Records found in a piece of a file, with their bytes.

/// Bytes with the records found in them.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) bytes: Vec<u8>,
    pub(crate) cells: Vec<Cell>,
    /// Physical lines on which the records start.
    pub(crate) lines: Vec<u64>,
    pub(crate) quote: u8,
}

/// The place of a cell in the buffer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// True when doubled quotes have to be halved.
    pub(crate) escaped: bool,
}

impl Batch {
    /// The lines on which the records start.
    pub(crate) fn lines(&self) -> &[u64] {
        &self.lines
    }

    /// Cell `index`, counted over all records, without quotes and surrounding blanks; `spare` is
    /// used where quotes have to be halved.
    #[inline]
    pub(crate) fn cell<'a>(&'a self, index: usize, spare: &'a mut Vec<u8>) -> &'a [u8] {
        let cell = self.cells[index];
        let text = &self.bytes[cell.start as usize..cell.end as usize];
        if !cell.escaped {
            return text;
        }
        spare.clear();
        let mut bytes = text.iter();
        while let Some(&byte) = bytes.next() {
            spare.push(byte);
            if byte == self.quote {
                // Quotes inside a quoted cell come in pairs; the second one goes.
                bytes.next();
            }
        }
        spare
    }
}
