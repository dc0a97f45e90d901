//! Results as columns, and Parquet files of them.

use std::io::{self, Write};
use std::sync::Arc;

use ::parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use ::parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use ::parquet::errors::{ParquetError, Result as ParquetResult};
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use ::parquet::schema::types::Type;

/// Named columns of equal length.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Frame {
    /// Names and values, in order.
    pub columns: Vec<(String, FrameColumn)>,
}

/// The values of one column of a [`Frame`].
#[derive(Debug, Clone, PartialEq)]
pub enum FrameColumn {
    /// Text; empty text is a missing value.
    Text(Vec<String>),
    /// Numbers; `None` is a missing value.
    Numbers(Vec<Option<f64>>),
}

impl<N: Into<String>> FromIterator<(N, FrameColumn)> for Frame {
    fn from_iter<I: IntoIterator<Item = (N, FrameColumn)>>(columns: I) -> Self {
        Self { columns: columns.into_iter().map(|(name, column)| (name.into(), column)).collect() }
    }
}

impl FrameColumn {
    /// A text for each row.
    pub fn texts<R>(rows: &[R], of: impl Fn(&R) -> String) -> Self {
        Self::Text(rows.iter().map(of).collect())
    }

    /// A number for each row, or a missing value.
    pub fn numbers<R>(rows: &[R], of: impl Fn(&R) -> Option<f64>) -> Self {
        Self::Numbers(rows.iter().map(of).collect())
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Text(texts) => texts.len(),
            Self::Numbers(numbers) => numbers.len(),
        }
    }

    /// True when there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn schema(&self, name: &str) -> ParquetResult<Type> {
        let builder = match self {
            Self::Text(_) => Type::primitive_type_builder(name, PhysicalType::BYTE_ARRAY)
                .with_logical_type(Some(LogicalType::String)),
            Self::Numbers(_) => Type::primitive_type_builder(name, PhysicalType::DOUBLE),
        };
        builder.with_repetition(Repetition::OPTIONAL).build()
    }

    fn write(&self, mut column: SerializedColumnWriter<'_>) -> ParquetResult<()> {
        match self {
            Self::Text(texts) => {
                let present = texts.iter().filter(|text| !text.is_empty());
                let values: Vec<ByteArray> =
                    present.map(|text| ByteArray::from(text.as_str())).collect();
                let levels: Vec<i16> =
                    texts.iter().map(|text| i16::from(!text.is_empty())).collect();
                column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
            }
            Self::Numbers(numbers) => {
                let values: Vec<f64> = numbers.iter().copied().flatten().collect();
                let levels: Vec<i16> =
                    numbers.iter().map(|number| i16::from(number.is_some())).collect();
                column.typed::<DoubleType>().write_batch(&values, Some(&levels), None)?;
            }
        }
        column.close()
    }
}

impl Frame {
    /// Writes a Parquet file of one row group.
    ///
    /// # Errors
    /// When the writer fails, or the columns differ in length.
    pub fn write_parquet(&self, writer: impl Write + Send) -> io::Result<()> {
        let mut parquet = ParquetWriter::new(writer);
        parquet.write(self)?;
        parquet.finish()
    }

    fn schema(&self) -> ParquetResult<Type> {
        let fields = self
            .columns
            .iter()
            .map(|(name, column)| Ok(Arc::new(column.schema(name)?)))
            .collect::<ParquetResult<Vec<_>>>()?;
        Type::group_type_builder("wald").with_fields(fields).build()
    }
}

/// A Parquet file that grows by row groups.
pub struct ParquetWriter<W: Write + Send>(State<W>);

enum State<W: Write + Send> {
    /// Nothing was written.
    New(W),
    Open(SerializedFileWriter<W>),
    Closed,
}

impl<W: Write + Send> std::fmt::Debug for ParquetWriter<W> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("ParquetWriter")
    }
}

impl<W: Write + Send> ParquetWriter<W> {
    /// A file whose columns are those of the first frame.
    pub fn new(writer: W) -> Self {
        Self(State::New(writer))
    }

    /// Adds a row group; the first frame may be without rows.
    ///
    /// # Errors
    /// When the writer fails, columns differ in length or are not those of the first frame, or the
    /// file is finished.
    pub fn write(&mut self, frame: &Frame) -> io::Result<()> {
        self.open(frame).map_err(error)
    }

    fn open(&mut self, frame: &Frame) -> ParquetResult<()> {
        if let State::New(_) = self.0
            && let State::New(writer) = std::mem::replace(&mut self.0, State::Closed)
        {
            let properties = Arc::new(WriterProperties::builder().build());
            let schema = Arc::new(frame.schema()?);
            self.0 = State::Open(SerializedFileWriter::new(writer, schema, properties)?);
        }
        let State::Open(file) = &mut self.0 else {
            return Err(ParquetError::General("the file is finished".to_owned()));
        };
        if frame.columns.first().is_none_or(|(_, column)| column.is_empty()) {
            return Ok(());
        }
        let mut group = file.next_row_group()?;
        for (_, column) in &frame.columns {
            if let Some(writer) = group.next_column()? {
                column.write(writer)?;
            }
        }
        group.close()?;
        Ok(())
    }

    /// Writes what stands at the end of the file.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn finish(&mut self) -> io::Result<()> {
        match std::mem::replace(&mut self.0, State::Closed) {
            State::Open(file) => file.close().map(|_| ()).map_err(error),
            State::New(_) | State::Closed => Ok(()),
        }
    }
}

/// The error of the writer, where it is one.
fn error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(source) => io::Error::other(source),
        },
        other => io::Error::other(other),
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
        let frame = Frame {
            columns: vec![
                ("name".to_owned(), FrameColumn::Text(vec!["a".into(), String::new(), "b".into()])),
                ("value".to_owned(), FrameColumn::Numbers(vec![Some(0.1), Some(-2e300), None])),
            ],
        };
        let mut file = tempfile::NamedTempFile::new()?;
        frame.write_parquet(file.as_file_mut())?;
        let table = read(file.path(), &ReadOptions::default())?;
        assert_eq!(table.names().collect::<Vec<_>>(), ["name", "value"]);
        assert_eq!(table.n_rows(), 3);
        let name = table.column("name").ok_or("no name")?;
        let Ok(texts) = &name.values else { return Err("not text".into()) };
        assert_eq!((texts.is_missing(0), texts.is_missing(1)), (false, true));
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
        let frame = |numbers: &[f64]| {
            let numbers = FrameColumn::Numbers(numbers.iter().copied().map(Some).collect());
            Frame { columns: vec![("value".to_owned(), numbers)] }
        };
        let mut file = tempfile::NamedTempFile::new()?;
        let mut parquet = ParquetWriter::new(file.as_file_mut());
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
