//! A line per number, as CSV or Parquet, written while rows are explained.

use std::io;

use wald::explain::Layout;
use wald_table::file::Writer;
use wald_table::{FrameFormat, FrameWriter};

use crate::explained::found::Records;

/// Lines that are written together: few, so that whoever reads them sees them soon, but for Parquet,
/// whose row groups are read faster where they are large.
const fn lines_together(format: FrameFormat) -> usize {
    match format {
        FrameFormat::Csv(_) => 1 << 12,
        FrameFormat::Parquet => 1 << 17,
    }
}

/// Records whose lines are held until they are written.
pub(super) struct Lines<'a> {
    layout: &'a Layout,
    writer: Box<dyn FrameWriter + Send + 'a>,
    at_once: usize,
    rows: Vec<u32>,
    /// Record after record.
    values: Vec<f64>,
    shares: Vec<f64>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(layout: &'a Layout, format: FrameFormat, writer: &'a mut Writer) -> Self {
        Self {
            layout,
            writer: format.writer(writer),
            at_once: lines_together(format),
            rows: Vec::new(),
            values: Vec::new(),
            shares: Vec::new(),
        }
    }

    fn write(&mut self) -> io::Result<()> {
        // A file without rows has its columns, too.
        for start in (0..self.values.len().max(1)).step_by(self.at_once) {
            let lines = start..self.values.len().min(start + self.at_once);
            let frame = self.layout.frame(&self.rows, &self.values, &self.shares, lines);
            self.writer.write(&frame)?;
        }
        self.rows.clear();
        self.values.clear();
        self.shares.clear();
        Ok(())
    }
}

impl Records for Lines<'_> {
    fn record(&mut self, row: u32, record: &[f64]) -> io::Result<()> {
        self.rows.push(row);
        let (values, shares) = self.layout.parts(record);
        self.values.extend_from_slice(values);
        self.shares.extend_from_slice(shares);
        if self.values.len() >= self.at_once { self.write() } else { Ok(()) }
    }

    fn finish(&mut self) -> io::Result<()> {
        self.write()?;
        self.writer.finish()
    }
}
