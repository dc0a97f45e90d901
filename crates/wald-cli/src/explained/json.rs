//! One number per row and variable, or per row and pair of variables, as JSON: written while rows
//! are explained, so that their numbers need not be held.

use std::io;

use wald::explain::Layout;

use crate::explained::found::{Found, Records};
use wald_table::file::Writer;

/// A document whose last field, the values, grows: `[row][variable]` or `[row][variable][class]`;
/// of pairs with another `[variable]`. Where records have shares, these follow as another field.
pub(super) struct Json<'a> {
    layout: &'a Layout,
    writer: &'a mut Writer,
    n_records: usize,
    /// Record after record.
    shares: Vec<f64>,
}

impl<'a> Json<'a> {
    pub(super) fn new(found: Found<'a>, writer: &'a mut Writer) -> io::Result<Self> {
        let mut start = Vec::new();
        found.write_json(&mut start, [(); 0])?;
        let end = start.windows(3).rposition(|bytes| bytes == b"[]}");
        writer.write_all(&start[..=end.unwrap_or_default()])?;
        Ok(Self { layout: found.layout, writer, n_records: 0, shares: Vec::new() })
    }
}

impl Records for Json<'_> {
    fn record(&mut self, _: u32, record: &[f64]) -> io::Result<()> {
        if self.n_records > 0 {
            self.writer.write_all(b",")?;
        }
        self.n_records += 1;
        let (values, shares) = self.layout.parts(record);
        self.shares.extend_from_slice(shares);
        Ok(serde_json::to_writer(&mut *self.writer, &self.layout.record(values))?)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.writer.write_all(b"]")?;
        if self.layout.has_shares {
            let records = self.shares.chunks_exact(self.layout.n_values());
            let shares: Vec<_> = records.map(|record| self.layout.record(record)).collect();
            self.writer.write_all(b",\"shares_of_variance\":")?;
            serde_json::to_writer(&mut *self.writer, &shares)?;
        }
        self.writer.write_all(b"}\n")
    }
}
