//! Comma-separated output that spreadsheets can open without harm.

use std::io::{self, Write};

use wald_table::{Frame, FrameColumn};

/// Writes a header and one record per row.
///
/// # Errors
/// When the writer fails.
pub(crate) fn write(writer: &mut dyn Write, frame: &Frame) -> io::Result<()> {
    let names = frame.columns.iter().map(|(header, _)| name(header));
    writeln!(writer, "{}", names.collect::<Vec<_>>().join(","))?;
    write_rows(writer, frame)
}

/// Writes one record per row.
///
/// # Errors
/// When the writer fails.
pub(crate) fn write_rows(writer: &mut dyn Write, frame: &Frame) -> io::Result<()> {
    let n_rows = frame.columns.first().map_or(0, |(_, column)| column.len());
    for row in 0..n_rows {
        for (index, (_, column)) in frame.columns.iter().enumerate() {
            if index > 0 {
                writer.write_all(b",")?;
            }
            let cell = match column {
                FrameColumn::Text(texts) => name(&texts[row]),
                FrameColumn::Numbers(numbers) => number(numbers[row]),
            };
            writer.write_all(cell.as_bytes())?;
        }
        writer.write_all(b"\n")?;
    }
    Ok(())
}

/// A cell that holds a name. A name that a spreadsheet would take for a formula gets an
/// apostrophe in front, which spreadsheets show as text.
pub(crate) fn name(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if is_formula {
        return format!("\"'{}\"", text.replace('"', "\"\""));
    }
    if text.contains(['"', ',', '\n', '\r']) || text.trim() != text {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}

/// A cell that holds a number; empty where undefined.
pub(crate) fn number(value: Option<f64>) -> String {
    value.map_or(String::new(), shortest)
}

/// The shortest text that reads back as `value`, without an exponent where that is short.
pub(crate) fn shortest(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-5..1e16).contains(&size) {
        format!("{value:e}")
    } else {
        format!("{value}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_be_formulas() {
        assert_eq!(name("plain"), "plain");
        assert_eq!(name("a,b"), "\"a,b\"");
        assert_eq!(name("see \"x\""), "\"see \"\"x\"\"\"");
        assert_eq!(name("=1+1"), "\"'=1+1\"");
        assert_eq!(name("\tx"), "\"'\tx\"");
    }

    #[test]
    fn numbers_read_back() {
        for value in [0.1, -1e-300, 1e300, 0.0, 123.456, f64::MIN_POSITIVE] {
            assert_eq!(shortest(value).parse(), Ok(value));
        }
    }
}
