//! Frames as comma-separated text that spreadsheets can open without harm.

use std::borrow::Cow;
use std::io::{self, Write};

use wald::DecimalMark;
use wald::frame::{Frame, FrameColumn};
use wald::words::shortest;

use crate::write::writer::FrameWriter;

/// A header, and a line per row.
pub(super) struct CsvWriter<W> {
    writer: W,
    mark: DecimalMark,
    has_header: bool,
}

impl<W> CsvWriter<W> {
    pub(super) fn new(writer: W, mark: DecimalMark) -> Self {
        Self { writer, mark, has_header: false }
    }
}

impl<W: Write> FrameWriter for CsvWriter<W> {
    fn write(&mut self, frame: &Frame) -> io::Result<()> {
        // As spreadsheets have it where numbers have commas.
        let separator = match self.mark {
            DecimalMark::Point => ",",
            DecimalMark::Comma => ";",
        };
        if !self.has_header {
            let names = frame.columns.iter().map(|(header, _)| name(header));
            writeln!(self.writer, "{}", names.collect::<Vec<_>>().join(separator))?;
            self.has_header = true;
        }
        for row in 0..frame.n_rows() {
            for (index, (_, column)) in frame.columns.iter().enumerate() {
                if index > 0 {
                    self.writer.write_all(separator.as_bytes())?;
                }
                let cell = match column {
                    FrameColumn::Text(texts) => name(texts[row].as_deref().unwrap_or_default()),
                    FrameColumn::Numbers(numbers) => {
                        let number = numbers[row].map_or_else(String::new, shortest);
                        self.mark.text(&number).into_owned().into()
                    }
                };
                self.writer.write_all(cell.as_bytes())?;
            }
            self.writer.write_all(b"\n")?;
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A cell that holds a name. A name that a spreadsheet would take for a formula gets an
/// apostrophe in front, which spreadsheets show as text.
fn name(text: &str) -> Cow<'_, str> {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let is_quoted = text.contains(['"', ',', ';', '\n', '\r']) || text.trim() != text;
    match (is_formula, is_quoted) {
        (true, _) => format!("\"'{}\"", text.replace('"', "\"\"")).into(),
        (false, true) => format!("\"{}\"", text.replace('"', "\"\"")).into(),
        (false, false) => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_be_formulas() {
        assert_eq!(name("plain"), "plain");
        assert_eq!(name("a,b"), "\"a,b\"");
        assert_eq!(name("a;b"), "\"a;b\"");
        assert_eq!(name("see \"x\""), "\"see \"\"x\"\"\"");
        assert_eq!(name("=1+1"), "\"'=1+1\"");
        assert_eq!(name("\tx"), "\"'\tx\"");
    }
}
