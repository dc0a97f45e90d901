//! Records of delimited text, cell by cell, without copying what needs no copy.
//!
//! The `csv` crate reads an unclosed quote to the end of the file without a word and does not
//! tell the line on which a quote opened; this reader does, and hands out cells in place.

use std::io::Read;

use crate::csv::batch::{Batch, Cell};
use crate::csv::line_ends::{count_lines, end_of_cell, is_line_end};
use crate::error::{TableError, escape};
use crate::names::counted;
use crate::origin::Origin;

/// Bytes asked for at once.
const PIECE: usize = 1 << 20;

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
    /// Holds unread bytes from `start` to `end`.
    batch: Batch,
    start: usize,
    end: usize,
    at_end_of_file: bool,
    /// Physical line on which the next record starts.
    next_line: u64,
    blank_lines: u64,
    /// An error behind the records of the batch handed out last.
    pending: Option<TableError>,
}

/// What came of looking for a record in the bytes at hand.
enum Scan {
    /// A record was found.
    Record,
    /// The bytes end within a record.
    NeedsMore,
    /// Nothing is left.
    Finished,
}

impl<'a> Records<'a> {
    pub(crate) fn new(source: Box<dyn Read + Send + 'a>, origin: &'a Origin, marks: Marks) -> Self {
        Self {
            source,
            origin,
            marks,
            batch: Batch { quote: marks.quote, ..Batch::default() },
            start: 0,
            end: 0,
            at_end_of_file: false,
            next_line: 1,
            blank_lines: 0,
            pending: None,
        }
    }

    /// Moves to the next record, the only one of the current batch; false at the end.
    pub(crate) fn advance(&mut self) -> Result<bool, TableError> {
        self.batch.cells.clear();
        self.batch.lines.clear();
        loop {
            match self.scan()? {
                Scan::Record => return Ok(true),
                Scan::Finished => return Ok(false),
                Scan::NeedsMore => self.fill()?,
            }
        }
    }

    /// The current record as a batch.
    pub(crate) fn current(&self) -> &Batch {
        &self.batch
    }

    /// Number of cells in the current record.
    pub(crate) fn len(&self) -> usize {
        self.batch.cells.len()
    }

    /// Number of empty lines passed over so far.
    pub(crate) fn blank_lines(&self) -> u64 {
        self.blank_lines
    }

    /// The next records, all of `n_cells` cells; `None` at the end. The memory of `spare` is used.
    ///
    /// An error is told only after the records before it were handed out, so that the first
    /// problem of a file is the one that is reported.
    pub(crate) fn next_batch(
        &mut self,
        n_cells: usize,
        mut spare: Batch,
    ) -> Result<Option<Batch>, TableError> {
        if let Some(error) = self.pending.take() {
            return Err(error);
        }
        self.batch.cells.clear();
        self.batch.lines.clear();
        loop {
            let before = self.batch.cells.len();
            let ended = match self.scan() {
                Ok(Scan::Record) => {
                    let found = self.batch.cells.len() - before;
                    if found == n_cells {
                        continue;
                    }
                    let error = self.ragged(before, n_cells);
                    self.batch.cells.truncate(before);
                    self.batch.lines.pop();
                    Err(error)
                }
                Ok(Scan::NeedsMore) if self.batch.lines.is_empty() => {
                    self.fill()?;
                    continue;
                }
                Ok(Scan::NeedsMore | Scan::Finished) => Ok(()),
                Err(error) => Err(error),
            };
            if self.batch.lines.is_empty() {
                return ended.map(|()| None);
            }
            self.pending = ended.err();
            let rest = &self.batch.bytes[self.start..self.end];
            spare.bytes.resize(self.batch.bytes.len().max(rest.len()), 0);
            spare.bytes[..rest.len()].copy_from_slice(rest);
            spare.quote = self.marks.quote;
            self.end -= self.start;
            self.start = 0;
            return Ok(Some(std::mem::replace(&mut self.batch, spare)));
        }
    }

    /// Makes room, keeping the unread bytes, and reads on.
    fn fill(&mut self) -> Result<(), TableError> {
        self.origin.check_stop()?;
        self.batch.bytes.copy_within(self.start..self.end, 0);
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
        if self.batch.bytes.len() < wanted {
            self.batch.bytes.resize(wanted, 0);
        }
        while self.end < self.batch.bytes.len() {
            match self.source.read(&mut self.batch.bytes[self.end..]) {
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

    /// Looks for a whole record from `start` on and adds it to the batch.
    fn scan(&mut self) -> Result<Scan, TableError> {
        self.skip_blank_lines();
        if self.start == self.end {
            return Ok(if self.at_end_of_file { Scan::Finished } else { Scan::NeedsMore });
        }
        let before = self.batch.cells.len();
        let mut position = self.start;
        let mut inner_lines = 0;
        loop {
            position = self.skip_blanks(position);
            let after = if position < self.end && self.batch.bytes[position] == self.marks.quote {
                self.quoted_cell(position, &mut inner_lines)
            } else {
                Ok(self.plain_cell(position))
            };
            let next = match after {
                Ok(Some(after)) if self.is_separator(after) => {
                    position = after + 1;
                    continue;
                }
                Ok(after) => after.and_then(|after| self.after_line_end(after)),
                Err(error) => {
                    self.batch.cells.truncate(before);
                    return Err(error);
                }
            };
            let Some(next) = next else {
                self.batch.cells.truncate(before);
                return Ok(Scan::NeedsMore);
            };
            self.start = next;
            self.batch.lines.push(self.next_line);
            // Without a final line end this counts a line too many, which nobody sees.
            self.next_line += inner_lines + 1;
            return Ok(Scan::Record);
        }
    }

    #[inline]
    fn is_separator(&self, position: usize) -> bool {
        position < self.end && self.batch.bytes[position] == self.marks.separator
    }

    /// Reads an unquoted cell; the result is the position of the byte that ends it.
    #[inline]
    fn plain_cell(&mut self, start: usize) -> Option<usize> {
        let rest = &self.batch.bytes[start..self.end];
        let length = end_of_cell(rest, self.marks.separator);
        if length.is_none() && !self.at_end_of_file {
            return None;
        }
        let after = start + length.unwrap_or(rest.len());
        let mut end = after;
        while end > start && matches!(self.batch.bytes[end - 1], b' ' | b'\t') {
            end -= 1;
        }
        self.batch.cells.push(Cell { start: start as u32, end: end as u32, escaped: false });
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
            match self.batch.bytes[position..self.end].iter().position(|&byte| byte == quote) {
                Some(distance) => position += distance,
                None if self.at_end_of_file => return Err(self.unclosed(opening_line)),
                None => return Ok(None),
            }
            if position + 1 == self.end && !self.at_end_of_file {
                return Ok(None);
            }
            if position + 1 < self.end && self.batch.bytes[position + 1] == quote {
                escaped = true;
                position += 2;
            } else {
                break;
            }
        }
        *inner_lines += count_lines(&self.batch.bytes[start..position]);
        self.batch.cells.push(Cell { start: start as u32, end: position as u32, escaped });
        let after = self.skip_blanks(position + 1);
        if after == self.end {
            return Ok(self.at_end_of_file.then_some(after));
        }
        let byte = self.batch.bytes[after];
        if byte != self.marks.separator && !is_line_end(byte) {
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
        if self.batch.bytes[position] == b'\n' {
            return Some(position + 1);
        }
        // A carriage return, alone or before a line feed.
        if position + 1 == self.end {
            return self.at_end_of_file.then_some(position + 1);
        }
        Some(position + 1 + usize::from(self.batch.bytes[position + 1] == b'\n'))
    }

    fn skip_blanks(&self, mut position: usize) -> usize {
        while position < self.end {
            let byte = self.batch.bytes[position];
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
            if content == self.end || !is_line_end(self.batch.bytes[content]) {
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

    /// The error for the last record, whose cells start at `first`.
    fn ragged(&self, first: usize, expected: usize) -> TableError {
        let found = self.batch.cells.len() - first;
        let help = if found == expected + 1 {
            "remove or quote the extra separator; if all rows have row names, name that column in the header"
        } else if found > expected {
            "quote cells that hold the separator"
        } else if found == 1 {
            "remove the line, or give it all its cells"
        } else {
            "give every row as many cells as the header; a cell may be empty"
        };
        let mut spare = Vec::new();
        let cell = String::from_utf8_lossy(self.batch.cell(first, &mut spare));
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
