//! Results as columns, and Parquet files of them.

use std::io::Write;
use std::sync::Arc;

use ::parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use ::parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use ::parquet::errors::Result as ParquetResult;
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

impl FrameColumn {
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
    pub fn write_parquet(&self, writer: &mut dyn Write) -> std::io::Result<()> {
        let mut bytes = Vec::new();
        self.write_row_group(&mut bytes).map_err(std::io::Error::other)?;
        writer.write_all(&bytes)
    }

    fn write_row_group(&self, writer: impl Write + Send) -> ParquetResult<()> {
        let fields = self
            .columns
            .iter()
            .map(|(name, column)| Ok(Arc::new(column.schema(name)?)))
            .collect::<ParquetResult<Vec<_>>>()?;
        let schema = Type::group_type_builder("wald").with_fields(fields).build()?;
        let properties = Arc::new(WriterProperties::builder().build());
        let mut file = SerializedFileWriter::new(writer, Arc::new(schema), properties)?;
        let mut group = file.next_row_group()?;
        for (_, column) in &self.columns {
            if let Some(writer) = group.next_column()? {
                column.write(writer)?;
            }
        }
        group.close()?;
        file.close()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, Values, read};

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
}
