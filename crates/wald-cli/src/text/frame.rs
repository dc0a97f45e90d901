//! Long tables as text.

use std::io;

use wald::frame::{Frame, FrameColumn};
use wald::words::shortest;
use wald_table::escape_controls;
use wald_table::file::Writer;

use super::table::Table;
use crate::terminal::Terminal;

/// Ten digits, which hides errors of rounding.
fn readable(number: f64) -> f64 {
    format!("{number:.9e}").parse().unwrap_or(number)
}

/// Writes a long table in aligned columns.
pub(crate) fn write_frame(frame: &Frame, writer: &mut Writer) -> io::Result<()> {
    let terminal = Terminal { width: None, unicode: true, colour: false };
    let rows: Vec<usize> = (0..frame.n_rows()).collect();
    let table = Table::new(terminal, &rows);
    let table = frame.columns.iter().fold(table, |table, (header, column)| {
        table.left(&escape_controls(header), |&row| match column {
            FrameColumn::Text(texts) => escape_controls(&texts[row]),
            FrameColumn::Numbers(numbers) => {
                numbers[row].map_or_else(String::new, |number| shortest(readable(number)))
            }
        })
    });
    let text = table.text();
    text.lines().try_for_each(|line| writeln!(writer, "{}", line.trim_end()))
}
