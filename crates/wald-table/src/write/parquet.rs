//! Frames as Parquet.

use std::io::{self, Write};
use std::sync::Arc;

use ::parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use ::parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use ::parquet::errors::{ParquetError, Result as ParquetResult};
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use ::parquet::schema::types::Type;
use wald::frame::{Frame, FrameColumn};

use crate::write::writer::FrameWriter;

fn schema_of(name: &str, column: &FrameColumn) -> ParquetResult<Type> {
    let builder = match column {
        FrameColumn::Text(_) => Type::primitive_type_builder(name, PhysicalType::BYTE_ARRAY)
            .with_logical_type(Some(LogicalType::String)),
        FrameColumn::Numbers(_) => Type::primitive_type_builder(name, PhysicalType::DOUBLE),
    };
    builder.with_repetition(Repetition::OPTIONAL).build()
}

fn schema(frame: &Frame) -> ParquetResult<Type> {
    let fields = frame.columns.iter().map(|(name, column)| Ok(Arc::new(schema_of(name, column)?)));
    let fields = fields.collect::<ParquetResult<Vec<_>>>()?;
    Type::group_type_builder("wald").with_fields(fields).build()
}

fn write(cells: &FrameColumn, mut column: SerializedColumnWriter<'_>) -> ParquetResult<()> {
    match cells {
        FrameColumn::Text(texts) => {
            let present = texts.iter().flatten();
            let values: Vec<ByteArray> =
                present.map(|text| ByteArray::from(text.as_str())).collect();
            let levels: Vec<i16> = texts.iter().map(|text| i16::from(text.is_some())).collect();
            column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
        }
        FrameColumn::Numbers(numbers) => {
            let values: Vec<f64> = numbers.iter().copied().flatten().collect();
            let levels: Vec<i16> =
                numbers.iter().map(|number| i16::from(number.is_some())).collect();
            column.typed::<DoubleType>().write_batch(&values, Some(&levels), None)?;
        }
    }
    column.close()
}

/// A Parquet file that grows by row groups.
pub(super) struct ParquetWriter<W: Write + Send>(State<W>);

enum State<W: Write + Send> {
    /// Nothing was written.
    New(W),
    Open(SerializedFileWriter<W>),
    Closed,
}

impl<W: Write + Send> ParquetWriter<W> {
    pub(super) fn new(writer: W) -> Self {
        Self(State::New(writer))
    }

    fn add(&mut self, frame: &Frame) -> ParquetResult<()> {
        if let State::New(_) = self.0
            && let State::New(writer) = std::mem::replace(&mut self.0, State::Closed)
        {
            let properties = Arc::new(WriterProperties::builder().build());
            let schema = Arc::new(schema(frame)?);
            self.0 = State::Open(SerializedFileWriter::new(writer, schema, properties)?);
        }
        let State::Open(file) = &mut self.0 else {
            return Err(ParquetError::General("the file is finished".to_owned()));
        };
        if frame.n_rows() == 0 {
            return Ok(());
        }
        let mut group = file.next_row_group()?;
        for (_, column) in &frame.columns {
            if let Some(writer) = group.next_column()? {
                write(column, writer)?;
            }
        }
        group.close()?;
        Ok(())
    }
}

impl<W: Write + Send> FrameWriter for ParquetWriter<W> {
    fn write(&mut self, frame: &Frame) -> io::Result<()> {
        self.add(frame).map_err(error)
    }

    fn finish(&mut self) -> io::Result<()> {
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
