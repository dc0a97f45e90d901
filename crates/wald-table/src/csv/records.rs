//! Records of delimited text, cell by cell, without copying what needs no copy.
//!
//! The `csv` crate reads an unclosed quote to the end of the file without a word and does not
//! tell the line on which a quote opened; this reader does, and hands out cells in place.

use std::io::Read;

use crate::error::TableError;
use crate::origin::Origin;

/// Bytes asked for at once.
const PIECE: usize = 1 << 18;

/// Longest record; beyond it a quote is surely unclosed.
const LONGEST_RECORD: usize = 1 << 28;

/// How cells are separated and quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Marks {
    pub(crate) separator: u8,
    pub(crate) quote: u8,
}

/// Reads one record after the other.
pub(crate) struct Records<'a> {
    source: Box<dyn Read + 'a>,
    origin: &'a Origin,
    marks: Marks,
    /// True for the bytes that end an unquoted cell.
    ends: [bool; 256],
    buffer: Vec<u8>,
    /// The buffer holds unread bytes from `start` to `end`.
    start: usize,
    end: usize,
    at_end_of_file: bool,
    /// Physical line on which the next record starts.
    next_line: u64,
    record_line: u64,
    blank_lines: u64,
    cells: Vec<Cell>,
    unescaped: Vec<u8>,
}

/// The place of a cell in the buffer.
#[derive(Debug, Clone, Copy)]
struct Cell {
    start: usize,
    end: usize,
    /// True when doubled quotes have to be halved.
    escaped: bool,
}

/// What came of looking for a record in the buffer.
enum Scan {
    /// A record was found.
    Record,
    /// The buffer ends within a record.
    NeedsMore,
    /// Nothing is left.
    Finished,
}

impl<'a> Records<'a> {
    pub(crate) fn new(source: Box<dyn Read + 'a>, origin: &'a Origin, marks: Marks) -> Self {
        let mut ends = [false; 256];
        for byte in [marks.separator, b'\n', b'\r'] {
            ends[usize::from(byte)] = true;
        }
        Self {
            source,
            origin,
            marks,
            ends,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            at_end_of_file: false,
            next_line: 1,
            record_line: 1,
            blank_lines: 0,
            cells: Vec::new(),
            unescaped: Vec::new(),
        }
    }

    /// Moves to the next record; false at the end.
    pub(crate) fn advance(&mut self) -> Result<bool, TableError> {
        loop {
            match self.scan()? {
                Scan::Record => return Ok(true),
                Scan::Finished => return Ok(false),
                Scan::NeedsMore => self.fill()?,
            }
        }
    }

    /// Number of cells in the current record.
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Physical line on which the current record starts.
    pub(crate) fn line(&self) -> u64 {
        self.record_line
    }

    /// Number of empty lines passed over so far.
    pub(crate) fn blank_lines(&self) -> u64 {
        self.blank_lines
    }

    /// Cell `index` of the current record, without quotes and surrounding blanks.
    #[inline]
    pub(crate) fn cell(&mut self, index: usize) -> &[u8] {
        let cell = self.cells[index];
        let text = &self.buffer[cell.start..cell.end];
        if !cell.escaped {
            return text;
        }
        let quote = self.marks.quote;
        self.unescaped.clear();
        let mut bytes = text.iter();
        while let Some(&byte) = bytes.next() {
            self.unescaped.push(byte);
            if byte == quote {
                // Quotes inside a quoted cell come in pairs; the second one goes.
                bytes.next();
            }
        }
        &self.unescaped
    }

    /// Makes room, keeping the unread bytes, and reads on.
    fn fill(&mut self) -> Result<(), TableError> {
        self.origin.check_stop()?;
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.end > LONGEST_RECORD {
            return Err(TableError::data(
                format!("the record that starts here is longer than {} MB", LONGEST_RECORD >> 20),
                "look for a quote that is not closed",
            )
            .file(self.origin.name())
            .line(self.next_line));
        }
        // Doubling keeps the work linear when one cell is very long.
        let wanted = (2 * self.end).max(PIECE);
        if self.buffer.len() < wanted {
            self.buffer.resize(wanted, 0);
        }
        while self.end < self.buffer.len() {
            match self.source.read(&mut self.buffer[self.end..]) {
                Ok(0) => {
                    self.at_end_of_file = true;
                    break;
                }
                Ok(count) => self.end += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.origin.cannot_read(&error)),
            }
        }
        Ok(())
    }

    /// Looks for a whole record from `start` on.
    fn scan(&mut self) -> Result<Scan, TableError> {
        self.skip_blank_lines();
        if self.start == self.end {
            return Ok(if self.at_end_of_file { Scan::Finished } else { Scan::NeedsMore });
        }
        self.cells.clear();
        let mut position = self.start;
        let mut inner_lines = 0;
        loop {
            position = self.skip_blanks(position);
            let after = if position < self.end && self.buffer[position] == self.marks.quote {
                self.quoted_cell(position, &mut inner_lines)?
            } else {
                self.plain_cell(position)
            };
            let Some(after) = after else { return Ok(Scan::NeedsMore) };
            if after < self.end && self.buffer[after] == self.marks.separator {
                position = after + 1;
                continue;
            }
            let Some(next) = self.after_line_end(after) else { return Ok(Scan::NeedsMore) };
            self.start = next;
            self.record_line = self.next_line;
            // Without a final line end this counts a line too many, which nobody sees.
            self.next_line += inner_lines + 1;
            return Ok(Scan::Record);
        }
    }

    /// Reads an unquoted cell; the result is the position of the byte that ends it.
    #[inline]
    fn plain_cell(&mut self, start: usize) -> Option<usize> {
        let rest = &self.buffer[start..self.end];
        let length = rest.iter().position(|&byte| self.ends[usize::from(byte)]);
        if length.is_none() && !self.at_end_of_file {
            return None;
        }
        let after = start + length.unwrap_or(rest.len());
        let mut end = after;
        while end > start && matches!(self.buffer[end - 1], b' ' | b'\t') {
            end -= 1;
        }
        self.cells.push(Cell { start, end, escaped: false });
        Some(after)
    }

    /// Reads a quoted cell that opens at `opening`.
    fn quoted_cell(
        &mut self,
        opening: usize,
        inner_lines: &mut u64,
    ) -> Result<Option<usize>, TableError> {
        let quote = self.marks.quote;
        let opening_line = self.next_line + *inner_lines;
        let start = opening + 1;
        let mut escaped = false;
        let mut position = start;
        loop {
            match self.buffer[position..self.end].iter().position(|&byte| byte == quote) {
                Some(distance) => position += distance,
                None if self.at_end_of_file => return Err(self.unclosed(opening_line)),
                None => return Ok(None),
            }
            if position + 1 == self.end && !self.at_end_of_file {
                return Ok(None);
            }
            if position + 1 < self.end && self.buffer[position + 1] == quote {
                escaped = true;
                position += 2;
            } else {
                break;
            }
        }
        *inner_lines += count_lines(&self.buffer[start..position]);
        self.cells.push(Cell { start, end: position, escaped });
        let after = self.skip_blanks(position + 1);
        if after == self.end {
            return Ok(self.at_end_of_file.then_some(after));
        }
        if !self.ends[usize::from(self.buffer[after])] {
            return Err(self.text_after_quote(opening_line, self.next_line + *inner_lines));
        }
        Ok(Some(after))
    }

    /// The position after the line end at `position`; `None` when more bytes are needed.
    #[inline]
    fn after_line_end(&self, position: usize) -> Option<usize> {
        if position == self.end {
            return self.at_end_of_file.then_some(position);
        }
        if self.buffer[position] == b'\n' {
            return Some(position + 1);
        }
        // A carriage return, alone or before a line feed.
        if position + 1 == self.end {
            return self.at_end_of_file.then_some(position + 1);
        }
        Some(position + 1 + usize::from(self.buffer[position + 1] == b'\n'))
    }

    fn skip_blanks(&self, mut position: usize) -> usize {
        while position < self.end {
            let byte = self.buffer[position];
            if (byte != b' ' && byte != b'\t') || byte == self.marks.separator {
                break;
            }
            position += 1;
        }
        position
    }

    /// Passes over lines that hold nothing but blanks.
    fn skip_blank_lines(&mut self) {
        while self.start < self.end {
            let content = self.skip_blanks(self.start);
            if content == self.end || !matches!(self.buffer[content], b'\n' | b'\r') {
                // Blanks before the end of the file are no record either.
                if content == self.end && self.at_end_of_file {
                    self.start = self.end;
                }
                return;
            }
            let Some(next) = self.after_line_end(content) else { return };
            self.start = next;
            self.next_line += 1;
            self.blank_lines += 1;
        }
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
