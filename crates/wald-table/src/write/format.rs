//! The forms of files of long tables.

use std::io::{self, Write};

use wald::{DecimalMark, Frame};

use crate::write::csv::CsvWriter;
use crate::write::parquet::ParquetWriter;
use crate::write::writer::FrameWriter;

/// The form of a file of a [`Frame`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameFormat {
    /// Comma-separated values that spreadsheets can open without harm; semicolons separate numbers that
    /// have commas.
    Csv(DecimalMark),
    /// Parquet, a row group for every frame that is written.
    Parquet,
}

impl FrameFormat {
    /// Writes a table in parts.
    pub fn writer<'a>(self, writer: impl Write + Send + 'a) -> Box<dyn FrameWriter + Send + 'a> {
        match self {
            Self::Csv(mark) => Box::new(CsvWriter::new(writer, mark)),
            Self::Parquet => Box::new(ParquetWriter::new(writer)),
        }
    }

    /// Writes a whole table.
    ///
    /// ```
    /// use wald::{DecimalMark, Frame};
    /// use wald_table::FrameFormat;
    ///
    /// let frame = Frame::default().with_text("variable", ["x1", "x2"]).with_numbers("value", [0.5, 0.25]);
    /// let mut file = Vec::new();
    /// FrameFormat::Csv(DecimalMark::Point).write(&frame, &mut file)?;
    /// assert_eq!(file, b"variable,value\nx1,0.5\nx2,0.25\n");
    /// file.clear();
    /// FrameFormat::Csv(DecimalMark::Comma).write(&frame, &mut file)?;
    /// assert_eq!(file, b"variable;value\nx1;0,5\nx2;0,25\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`FrameWriter::write`].
    pub fn write(self, frame: &Frame, writer: impl Write + Send) -> io::Result<()> {
        let mut writer = self.writer(writer);
        writer.write(frame)?;
        writer.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::ReadOptions;
    use crate::read;
    use crate::table::Values;

    #[test]
    fn parquet_files_read_back() -> Result<(), Box<dyn std::error::Error>> {
        let frame = Frame::default()
            .with_text("name", ["a", "", "b"])
            .with_levels("level", [Some(""), None, Some("b")])
            .with_numbers("value", [Some(0.1), Some(-2e300), None]);
        let mut file = tempfile::NamedTempFile::new()?;
        FrameFormat::Parquet.write(&frame, file.as_file_mut())?;
        let table = read(file.path(), &ReadOptions::default())?;
        assert_eq!(table.names().collect::<Vec<_>>(), ["name", "level", "value"]);
        assert_eq!(table.n_rows(), 3);
        let name = table.column("name").ok_or("no name")?;
        let Ok(texts) = &name.values else { return Err("not text".into()) };
        assert_eq!((texts.is_missing(0), texts.is_missing(1)), (false, true));
        // A level whose name is an empty text is no missing value.
        let level = table.column("level").ok_or("no level")?;
        let Ok(levels) = &level.values else { return Err("not text".into()) };
        assert_eq!((levels.is_missing(0), levels.is_missing(1)), (false, true));
        let value = table.column("value").ok_or("no value")?;
        let Ok(Values::Numeric { values: numbers, .. }) = &value.values else {
            return Err("not numeric".into());
        };
        assert_eq!(numbers[..2], [0.1, -2e300]);
        assert!(numbers[2].is_nan());
        Ok(())
    }

    #[test]
    fn files_grow_by_row_groups() -> Result<(), Box<dyn std::error::Error>> {
        let frame =
            |numbers: &[f64]| Frame::default().with_numbers("value", numbers.iter().copied());
        let mut file = tempfile::NamedTempFile::new()?;
        let mut parquet = FrameFormat::Parquet.writer(file.as_file_mut());
        for numbers in [&[][..], &[0.5, 1.5], &[], &[2.5]] {
            parquet.write(&frame(numbers))?;
        }
        parquet.finish()?;
        assert!(parquet.write(&frame(&[3.5])).is_err());
        drop(parquet);
        let table = read(file.path(), &ReadOptions::default())?;
        let value = table.column("value").ok_or("no value")?;
        let Ok(Values::Numeric { values: numbers, .. }) = &value.values else {
            return Err("not numeric".into());
        };
        assert_eq!(numbers[..], [0.5, 1.5, 2.5]);
        Ok(())
    }
}
