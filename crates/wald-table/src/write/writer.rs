//! What takes a long table in parts.

use std::io;

use wald::Frame;

/// Writes a table in parts.
pub trait FrameWriter {
    /// Adds the rows of a frame, which has the columns of the first one; that one may be without rows.
    ///
    /// # Errors
    /// When the writer fails, columns of a Parquet file differ in length or are not those of the first
    /// frame, or it is finished.
    fn write(&mut self, frame: &Frame) -> io::Result<()>;

    /// Writes what stands at the end of the file.
    ///
    /// # Errors
    /// When the writer fails.
    fn finish(&mut self) -> io::Result<()>;
}
