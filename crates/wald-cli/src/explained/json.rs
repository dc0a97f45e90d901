//! One number per row and variable, or per row and pair of variables, as JSON: written while rows
//! are explained, so that their numbers need not be held.

use std::io;

use wald::explain::Layout;

use crate::explained::found::{Found, Records};
use wald_table::file::Writer;

/// A document whose last field, the values, grows: `[row][variable]` or `[row][variable][class]`;
/// of pairs with another `[variable]`.
pub(super) struct Json<'a> {
    layout: &'a Layout,
    writer: &'a mut Writer,
    n_records: usize,
}

impl<'a> Json<'a> {
    pub(super) fn new(found: Found<'a>, writer: &'a mut Writer) -> io::Result<Self> {
        let mut start = Vec::new();
        found.write_json(&mut start, [(); 0])?;
        let end = start.windows(3).rposition(|bytes| bytes == b"[]}");
        writer.write_all(&start[..=end.unwrap_or_default()])?;
        Ok(Self { layout: found.layout, writer, n_records: 0 })
    }
}

impl Records for Json<'_> {
    fn record(&mut self, _: u32, record: &[f64]) -> io::Result<()> {
        if self.n_records > 0 {
            self.writer.write_all(b",")?;
        }
        self.n_records += 1;
        Ok(serde_json::to_writer(&mut *self.writer, &self.layout.record(record))?)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.writer.write_all(b"]}\n")
    }
}
