//! Records of delimited text.
//!
//! `csv-core` separates cells. It takes an unclosed quote, or text behind a closing one, without
//! a word, and counts line feeds only; so the bytes of quoted cells are looked at once more.

use std::io::Read;
use wald::words::counted;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use crate::csv::batch::Batch;
use crate::error::{TableError, escape};
use crate::origin::Origin;

/// Bytes asked for at once, and of text in a batch.
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
    reader: Reader,
    /// A piece of the file, read up to `position`.
    bytes: Vec<u8>,
    position: usize,
    batch: Batch,
    /// Physical line on which the next record starts.
    next_line: u64,
    blank_lines: u64,
    /// Whether the file ends with the end-of-file sign of DOS.
    has_end_sign: bool,
    /// An error behind the records of the batch handed out last.
    pending: Option<TableError>,
}

impl<'a> Records<'a> {
    pub(crate) fn new(source: Box<dyn Read + Send + 'a>, origin: &'a Origin, marks: Marks) -> Self {
        Self {
            source,
            origin,
            marks,
            reader: ReaderBuilder::new().delimiter(marks.separator).quote(marks.quote).build(),
            bytes: Vec::new(),
            position: 0,
            batch: Batch::default(),
            next_line: 1,
            blank_lines: 0,
            has_end_sign: false,
            pending: None,
        }
    }

    /// Moves to the next record, the only one of the current batch; false at the end.
    pub(crate) fn advance(&mut self) -> Result<bool, TableError> {
        self.batch.clear();
        self.record()
    }

    /// The current record as a batch.
    pub(crate) fn current(&self) -> &Batch {
        &self.batch
    }

    /// Number of cells in the current record.
    pub(crate) fn len(&self) -> usize {
        self.batch.ends.len()
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
        let mut n_records = 0;
        while self.pending.is_none() && self.batch.text_end().max(self.len()) < PIECE {
            let first = self.len();
            match self.record() {
                Ok(true) if self.len() - first == n_cells => n_records += 1,
                Ok(true) => self.pending = Some(self.ragged(first, n_cells)),
                Ok(false) => break,
                Err(error) => self.pending = Some(error),
            }
        }
        if n_records == 0 {
            return self.pending.take().map_or(Ok(None), Err);
        }
        self.batch.lines.truncate(n_records);
        Ok(Some(std::mem::take(&mut self.batch)))
    }

    /// Adds the next record to the batch; false at the end.
    fn record(&mut self) -> Result<bool, TableError> {
        self.skip_blank_lines()?;
        if self.peek()?.is_none() {
            return Ok(false);
        }
        let mut inner_lines = 0;
        let mut mark = Some(self.marks.separator);
        while mark == Some(self.marks.separator) {
            mark = self.cell(&mut inner_lines)?;
        }
        self.batch.lines.push(self.next_line);
        self.next_line += inner_lines;
        self.end_line(mark)?;
        Ok(true)
    }

    /// Adds the next cell to the batch; the result is the byte behind it.
    #[inline]
    fn cell(&mut self, inner_lines: &mut u64) -> Result<Option<u8>, TableError> {
        self.skip_blanks()?;
        let mut start = self.position;
        let text_start = self.batch.text_end();
        let mut text_end = text_start;
        let has_mark = loop {
            if self.position == self.bytes.len() {
                self.fill(start)?;
                start = 0;
            }
            let text = &mut self.batch.text[text_end..];
            // With room for the end of one cell only, it reads no further; `read_field` is slower.
            let (result, n_read, n_written, n_cells) =
                self.reader.read_record(&self.bytes[self.position..], text, &mut [0]);
            self.position += n_read;
            text_end += n_written;
            if n_cells == 1 || result == ReadRecordResult::End {
                // Nothing is read only at the end of the file.
                break n_read > 0;
            }
            if result == ReadRecordResult::OutputFull {
                self.batch.text.resize((2 * text_end).max(PIECE), 0);
            }
        };
        let raw = &self.bytes[start..self.position - usize::from(has_mark)];
        if raw.first() == Some(&self.marks.quote) {
            let line = self.next_line + *inner_lines;
            let closing = closing_quote(raw).ok_or_else(|| self.unclosed(line))?;
            *inner_lines += count_lines(&raw[..closing]);
            let behind = &raw[closing + 1..];
            if !behind.iter().all(|&byte| is_blank(byte)) {
                return Err(self.text_after_quote(line, self.next_line + *inner_lines));
            }
            text_end -= behind.len();
        } else {
            let text = &self.batch.text[text_start..text_end];
            text_end -= text.iter().rev().take_while(|&&byte| is_blank(byte)).count();
        }
        self.batch.ends.push(text_end);
        Ok(has_mark.then(|| self.bytes[self.position - 1]))
    }

    /// Counts a line that ends with `mark`; a line feed behind a carriage return belongs to it.
    fn end_line(&mut self, mark: Option<u8>) -> Result<(), TableError> {
        self.next_line += 1;
        if mark == Some(b'\r') && self.peek()? == Some(b'\n') {
            self.position += 1;
        }
        Ok(())
    }

    /// Passes over lines that hold nothing but blanks.
    fn skip_blank_lines(&mut self) -> Result<(), TableError> {
        loop {
            self.skip_blanks()?;
            let mark = self.peek()?;
            if !matches!(mark, Some(b'\n' | b'\r')) {
                return Ok(());
            }
            self.position += 1;
            self.blank_lines += 1;
            self.end_line(mark)?;
        }
    }

    #[inline]
    fn skip_blanks(&mut self) -> Result<(), TableError> {
        while self.peek()?.is_some_and(|byte| is_blank(byte) && byte != self.marks.separator) {
            self.position += 1;
        }
        Ok(())
    }

    /// The next byte; `None` at the end of the file.
    #[inline]
    fn peek(&mut self) -> Result<Option<u8>, TableError> {
        if self.position == self.bytes.len() {
            self.fill(self.position)?;
        }
        Ok(self.bytes.get(self.position).copied())
    }

    /// Reads on, keeping the bytes from `start` on.
    #[cold]
    fn fill(&mut self, start: usize) -> Result<(), TableError> {
        self.origin.check_stop()?;
        self.bytes.drain(..start);
        self.position -= start;
        let n_ends = size_of::<usize>() * self.len();
        if self.batch.text_end() + self.bytes.len() + n_ends > LONGEST_RECORD {
            return Err(TableError::data(
                format!("the record that starts here is longer than {} MB", LONGEST_RECORD >> 20),
                "look for a quote that is not closed",
            )
            .file(self.origin.name())
            .line(self.next_line));
        }
        // As much again keeps the work linear when one cell is very long.
        let wanted = self.bytes.len().max(PIECE);
        self.bytes.reserve_exact(wanted);
        let mut wanted = wanted as u64;
        loop {
            let read = self.source.by_ref().take(wanted).read_to_end(&mut self.bytes);
            let n_read = read.map_err(|error| self.origin.cannot_read(&error))? as u64;
            let Some(at) = end_sign(&self.bytes) else { return Ok(()) };
            if n_read < wanted {
                self.bytes.remove(at);
                self.has_end_sign = true;
                return Ok(());
            }
            // Whether this is the end of the file shows behind it.
            wanted = PIECE as u64;
        }
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
        let cell = String::from_utf8_lossy(self.batch.cell(first));
        let what =
            format!("the row has {} where the header has {expected}", counted(found, "cell"));
        TableError::data(what, help)
            .file(self.origin.name())
            .line(self.batch.lines.last().copied().unwrap_or_default())
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

/// The quote that closes the one at the start of `raw`; doubled ones belong to the text.
fn closing_quote(raw: &[u8]) -> Option<usize> {
    let mut position = 1;
    loop {
        position += raw[position..].iter().position(|byte| *byte == raw[0])?;
        if raw.get(position + 1) != Some(&raw[0]) {
            return Some(position);
        }
        position += 2;
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
