//! Records of delimited text.
//!
//! Cells end at separators and line ends; one that opens with a quote ends behind the quote that
//! closes it. Bytes are read in pieces, and a record that a piece cuts is looked at again with the
//! next one. Messages name the line of an unclosed quote, and of text behind a closing one.

use std::io::Read;

use memchr::memchr;
use wald::words::counted;

use crate::csv::batch::{Batch, Cell};
use crate::csv::scan::Scan;
use crate::error::{TableError, escape};
use crate::origin::Origin;

/// Bytes asked for at once.
const PIECE: usize = 1 << 18;

/// The end-of-file sign of DOS.
const END_SIGN: u8 = 0x1a;

/// Longest record; beyond it a quote is surely unclosed.
const LONGEST_RECORD: usize = 1 << 28;

/// How cells are separated and quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Marks {
    pub(crate) separator: u8,
    pub(crate) quote: u8,
}

/// Finds records and their cells.
pub(crate) struct Records<'a> {
    source: Box<dyn Read + Send + 'a>,
    origin: &'a Origin,
    marks: Marks,
    scan: Scan,
    /// A piece of the file, of which the records before `position` are found.
    bytes: Vec<u8>,
    position: usize,
    /// Whether the file ends where the piece ends.
    is_last: bool,
    batch: Batch,
    /// The cells of the current record that hold doubled quotes.
    doubled: Vec<usize>,
    /// Physical line on which the next record starts.
    next_line: u64,
    blank_lines: u64,
    /// Whether the file ends with the end-of-file sign of DOS.
    has_end_sign: bool,
    /// An error behind the records of the batch handed out last.
    pending: Option<TableError>,
}

/// What stands next in the piece.
enum Next {
    Record,
    /// The beginning of a record.
    Cut,
    /// The end of the file.
    End,
}

impl<'a> Records<'a> {
    pub(crate) fn new(source: Box<dyn Read + Send + 'a>, origin: &'a Origin, marks: Marks) -> Self {
        Self {
            source,
            origin,
            marks,
            scan: Scan::new(marks.separator),
            bytes: Vec::new(),
            position: 0,
            is_last: false,
            batch: Batch::default(),
            doubled: Vec::new(),
            next_line: 1,
            blank_lines: 0,
            has_end_sign: false,
            pending: None,
        }
    }

    /// Moves to the next record, the only one of the current batch; false at the end.
    pub(crate) fn advance(&mut self) -> Result<bool, TableError> {
        self.batch.clear();
        loop {
            match self.record()? {
                Next::Record => return Ok(true),
                Next::Cut => self.fill()?,
                Next::End => return Ok(false),
            }
        }
    }

    /// The cells of the current record.
    pub(crate) fn cells(&self) -> impl Iterator<Item = &[u8]> {
        self.batch.cells.iter().map(|cell| cell.of(&self.bytes))
    }

    /// The line on which the current record starts.
    pub(crate) fn line(&self) -> u64 {
        self.batch.lines.last().copied().unwrap_or_default()
    }

    /// Number of cells in the current record.
    pub(crate) fn len(&self) -> usize {
        self.batch.cells.len()
    }

    /// Number of empty lines passed over so far.
    pub(crate) fn blank_lines(&self) -> u64 {
        self.blank_lines
    }

    /// True when the end-of-file sign of DOS was dropped behind the last cell.
    pub(crate) fn has_end_sign(&self) -> bool {
        self.has_end_sign
    }

    /// The next records, all of `n_cells` cells; `None` at the end. The memory of `spare` is used.
    ///
    /// An error is reported only after the records before it were handed out, so that the first
    /// problem of a file is the one that is reported.
    pub(crate) fn next_batch(
        &mut self,
        n_cells: usize,
        spare: Batch,
    ) -> Result<Option<Batch>, TableError> {
        self.batch = spare;
        self.batch.clear();
        if self.position == 0 && !self.is_last && self.pending.is_none() {
            // What the batch before has left is cut.
            self.fill()?;
        }
        let mut n_records = 0;
        while self.pending.is_none() {
            let first = self.len();
            match self.record() {
                Ok(Next::Record) if self.len() - first == n_cells => n_records += 1,
                Ok(Next::Record) => self.pending = Some(self.ragged(first, n_cells)),
                Ok(Next::Cut) if n_records == 0 => self.fill()?,
                Ok(Next::Cut | Next::End) => break,
                Err(error) => self.pending = Some(error),
            }
        }
        if n_records == 0 {
            return self.pending.take().map_or(Ok(None), Err);
        }
        self.batch.lines.truncate(n_records);
        self.batch.cells.truncate(n_records * n_cells);
        let mut rest = std::mem::take(&mut self.batch.text);
        rest.clear();
        rest.extend_from_slice(&self.bytes[self.position..]);
        self.batch.text = std::mem::replace(&mut self.bytes, rest);
        self.position = 0;
        self.scan.reset();
        Ok(Some(std::mem::take(&mut self.batch)))
    }

    /// Adds the next record to the batch.
    fn record(&mut self) -> Result<Next, TableError> {
        // Lines that hold nothing but blanks are passed over.
        let mut position = loop {
            self.position = self.behind_blanks(self.position);
            match self.bytes.get(self.position) {
                Some(b'\n' | b'\r') => {}
                Some(_) => break self.position,
                None if self.is_last => return Ok(Next::End),
                None => return Ok(Next::Cut),
            }
            let Some(next) = self.behind_line_end(self.position) else { return Ok(Next::Cut) };
            self.position = next;
            self.next_line += 1;
            self.blank_lines += 1;
        };
        let mut inner_lines = 0;
        self.doubled.clear();
        loop {
            let Some(mark) = self.cell(position, &mut inner_lines)? else { return Ok(Next::Cut) };
            if self.bytes.get(mark) == Some(&self.marks.separator) {
                position = mark + 1;
                continue;
            }
            let Some(next) = self.behind_line_end(mark) else { return Ok(Next::Cut) };
            self.position = next;
            break;
        }
        // Not before the record is whole: one that is cut is looked at again.
        for &index in &self.doubled {
            self.batch.cells[index].undouble(&mut self.bytes, self.marks.quote);
        }
        self.batch.lines.push(self.next_line);
        self.next_line += 1 + inner_lines;
        Ok(Next::Record)
    }

    /// Adds the cell that starts at `start` to the batch; the result is where the mark behind it
    /// stands, `None` where the piece ends before that is known.
    #[inline]
    fn cell(&mut self, start: usize, inner_lines: &mut u64) -> Result<Option<usize>, TableError> {
        let start = self.behind_blanks(start);
        if self.bytes.get(start) == Some(&self.marks.quote) {
            return self.quoted(start, inner_lines);
        }
        let Some(mark) = self.mark(start) else { return Ok(None) };
        let mut end = mark;
        while end > start && is_blank(self.bytes[end - 1]) {
            end -= 1;
        }
        self.batch.cells.push(Cell::new(start, end));
        Ok(Some(mark))
    }

    /// The same for a cell that opens with a quote.
    fn quoted(&mut self, start: usize, inner_lines: &mut u64) -> Result<Option<usize>, TableError> {
        let line = self.next_line + *inner_lines;
        let (closing, is_doubled) = match closing_quote(&self.bytes[start..]) {
            // Whether the last byte of a piece closes shows behind it.
            Some((length, _)) if start + length + 1 == self.bytes.len() && !self.is_last => {
                return Ok(None);
            }
            Some((length, is_doubled)) => (start + length, is_doubled),
            None if self.is_last => return Err(self.unclosed(line)),
            None => return Ok(None),
        };
        let Some(mark) = self.mark(closing + 1) else { return Ok(None) };
        *inner_lines += count_lines(&self.bytes[start..closing]);
        if !self.bytes[closing + 1..mark].iter().all(|&byte| is_blank(byte)) {
            return Err(self.text_after_quote(line, self.next_line + *inner_lines));
        }
        if is_doubled {
            self.doubled.push(self.len());
        }
        self.batch.cells.push(Cell::new(start + 1, closing));
        Ok(Some(mark))
    }

    /// The first separator or line end at `from` or behind it; the end of the file is one.
    #[inline]
    fn mark(&mut self, from: usize) -> Option<usize> {
        self.scan.next(&self.bytes, from).or(self.is_last.then_some(self.bytes.len()))
    }

    /// The position behind a line end, which may be the end of the file; `None` where the piece
    /// ends before that is known: a line feed behind a carriage return belongs to it.
    #[inline]
    fn behind_line_end(&self, mark: usize) -> Option<usize> {
        match (self.bytes.get(mark), self.bytes.get(mark + 1)) {
            (Some(b'\r'), Some(b'\n')) => Some(mark + 2),
            (Some(b'\r'), None) if !self.is_last => None,
            (Some(_), _) => Some(mark + 1),
            (None, _) => Some(mark),
        }
    }

    #[inline]
    fn behind_blanks(&self, mut position: usize) -> usize {
        let is_passed = |&byte: &u8| is_blank(byte) && byte != self.marks.separator;
        while self.bytes.get(position).is_some_and(is_passed) {
            position += 1;
        }
        position
    }

    /// Reads on, keeping the bytes behind the records found; the cells of one cut are forgotten.
    #[cold]
    fn fill(&mut self) -> Result<(), TableError> {
        self.origin.check_stop()?;
        self.bytes.drain(..self.position);
        self.position = 0;
        self.scan.reset();
        if self.bytes.len() + size_of::<Cell>() * self.len() > LONGEST_RECORD {
            return Err(TableError::data(
                format!("the record that starts here is longer than {} MB", LONGEST_RECORD >> 20),
                "look for a quote that is not closed",
            )
            .file(self.origin.name())
            .line(self.next_line));
        }
        self.batch.cells.clear();
        // As much again keeps the work linear when one record is very long.
        let wanted = self.bytes.len().max(PIECE);
        self.bytes.reserve_exact(wanted);
        let mut wanted = wanted as u64;
        loop {
            let read = self.source.by_ref().take(wanted).read_to_end(&mut self.bytes);
            let n_read = read.map_err(|error| self.origin.cannot_read(&error))? as u64;
            self.is_last = n_read < wanted;
            match end_sign(&self.bytes) {
                None => break,
                Some(at) if self.is_last => {
                    self.bytes.remove(at);
                    self.has_end_sign = true;
                    break;
                }
                // Whether this is the end of the file shows behind it.
                Some(_) => wanted = PIECE as u64,
            }
        }
        // Programs that add a byte order mark to a file that has one are met.
        if self.next_line == 1 && self.bytes.starts_with(b"\xef\xbb\xbf") {
            self.bytes.drain(..3);
        }
        Ok(())
    }

    /// The error for the last record, whose cells start at `first`.
    fn ragged(&self, first: usize, expected: usize) -> TableError {
        let found = self.len() - first;
        let help = if found == expected + 1 {
            "remove or quote the extra separator; if all rows have row names, name that column in the header"
        } else if found > expected {
            "quote cells that hold the separator"
        } else if found == 1 {
            "remove the line, or give it all its cells"
        } else {
            "give every row as many cells as the header; a cell may be empty"
        };
        let cell = String::from_utf8_lossy(self.batch.cells[first].of(&self.bytes));
        let what =
            format!("the row has {} where the header has {expected}", counted(found, "cell"));
        TableError::data(what, help)
            .file(self.origin.name())
            .line(self.line())
            .value(&format!("{}…", escape(&cell)))
    }

    fn unclosed(&self, line: u64) -> TableError {
        TableError::data(
            "a quote opens here and is never closed",
            "close the quote, or double it if it belongs to the text",
        )
        .file(self.origin.name())
        .line(line)
    }

    fn text_after_quote(&self, opening_line: u64, closing_line: u64) -> TableError {
        let what = if opening_line == closing_line {
            "text follows a closing quote".to_owned()
        } else {
            format!("a quote opens here, and text follows where it closes on line {closing_line}")
        };
        TableError::data(what, "double the quotes that belong to the text, or close the quote")
            .file(self.origin.name())
            .line(opening_line)
    }
}

/// Where a file with these last bytes has the end-of-file sign of DOS (Ctrl-Z), if it has one.
pub(crate) fn end_sign(bytes: &[u8]) -> Option<usize> {
    let at = bytes.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r' | b' ' | b'\t'))?;
    (bytes[at] == END_SIGN).then_some(at)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// The quote that closes the one at the start of `raw`, and whether there are doubled ones between
/// them, which belong to the text.
fn closing_quote(raw: &[u8]) -> Option<(usize, bool)> {
    let mut position = 1;
    let mut is_doubled = false;
    loop {
        position += memchr(raw[0], raw.get(position..)?)?;
        if raw.get(position + 1) != Some(&raw[0]) {
            return Some((position, is_doubled));
        }
        position += 2;
        is_doubled = true;
    }
}

/// Line ends inside a quoted cell; CR LF counts once.
fn count_lines(text: &[u8]) -> u64 {
    let mut count = 0;
    let mut after_return = false;
    for &byte in text {
        count += u64::from(byte == b'\r' || (byte == b'\n' && !after_return));
        after_return = byte == b'\r';
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_inside_quotes_are_counted_once() {
        assert_eq!(count_lines(b"a\r\nb\nc\rd"), 3);
        assert_eq!(count_lines(b"\r\r\n\n"), 3);
        assert_eq!(count_lines(b""), 0);
    }
}
