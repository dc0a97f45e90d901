//! Long tables as text.

use std::io;

use serde::ser::{Serialize, SerializeMap, Serializer};
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

/// The columns of a long table as lists, in their order.
struct Lists<'a>(&'a Frame);

impl Serialize for Lists<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut lists = serializer.serialize_map(Some(self.0.columns.len()))?;
        for (name, column) in &self.0.columns {
            match column {
                FrameColumn::Text(texts) => {
                    let cells = texts.iter().map(|text| text.as_deref().unwrap_or_default());
                    lists.serialize_entry(name, &cells.collect::<Vec<_>>())?;
                }
                FrameColumn::Numbers(numbers) => lists.serialize_entry(name, numbers)?,
            }
        }
        lists.end()
    }
}

/// Writes a long table as one JSON object with a list per column.
pub(crate) fn write_json(frame: &Frame, writer: &mut Writer) -> io::Result<()> {
    serde_json::to_writer(&mut *writer, &Lists(frame))?;
    writer.write_all(b"\n")
}

/// Writes a long table in columns.
pub(crate) fn write_frame(
    frame: &Frame,
    terminal: Terminal,
    writer: &mut Writer,
) -> io::Result<()> {
    let rows: Vec<usize> = (0..frame.n_rows()).collect();
    let table = Table::new(terminal.plain(), &rows);
    let table = frame.columns.iter().fold(table, |table, (header, column)| {
        let header = escape_controls(header);
        match column {
            FrameColumn::Text(texts) => {
                table.named(&header, usize::MAX, |&row| texts[row].clone().unwrap_or_default())
            }
            FrameColumn::Numbers(numbers) => {
                let mark = terminal.decimal_mark;
                let text = |number| mark.text(&shortest(readable(number))).into_owned();
                let cell = |&row: &usize| numbers[row].map_or_else(String::new, text);
                table.left(&header, cell).key_if_first()
            }
        }
    });
    let text = terminal.shown(table.text());
    text.lines().try_for_each(|line| writeln!(writer, "{}", line.trim_end()))
}
