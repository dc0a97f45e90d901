//! What `wald explain` finds: records of rows, in every format.

mod curve_picture;
mod curves;
mod found;
mod json;
mod lines;
mod means;
mod picture;
mod shown;

use std::io;

pub(crate) use found::{Found, Records};
use json::Json;
use lines::Lines;
use means::Means;
pub(crate) use picture::Shown;
use wald::explain::Shape;

use crate::arguments::Format;
use crate::terminal::Terminal;
use wald_table::file::Writer;

/// What takes the records of a measure in some format.
pub(crate) fn records<'a>(
    found: Found<'a>,
    format: Format,
    writer: &'a mut Writer,
    terminal: Terminal,
) -> io::Result<Box<dyn Records + 'a>> {
    let are_curves = matches!(found.layout.shape, Shape::Curves(_));
    Ok(match format {
        Format::Frame(frame) => Box::new(Lines::new(found.layout, frame, writer)),
        Format::Json if are_curves => Box::new(Held::new(move |records| {
            found.write_json(&mut *writer, found.layout.curves_of(records))
        })),
        Format::Table(_) if are_curves => Box::new(Held::new(move |records| {
            writer.write_all(curves::table(&found, records, terminal).as_bytes())
        })),
        Format::Json => Box::new(Json::new(found, writer)?),
        Format::Table(_) => Box::new(Means::new(found, writer, terminal)),
    })
}

/// Records that are held until all of them are there: curves are shown by variable, not by row.
struct Held<F> {
    records: Vec<f64>,
    write: F,
}

impl<F: FnMut(&[f64]) -> io::Result<()> + Send> Held<F> {
    fn new(write: F) -> Self {
        Self { records: Vec::new(), write }
    }
}

impl<F: FnMut(&[f64]) -> io::Result<()> + Send> Records for Held<F> {
    fn record(&mut self, _: u32, record: &[f64]) -> io::Result<()> {
        self.records.extend_from_slice(record);
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        (self.write)(&self.records)
    }
}
