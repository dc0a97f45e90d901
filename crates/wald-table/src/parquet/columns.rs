//! Column chunks as cells.

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;

use crate::columnar::{ColumnCells, Kind};

/// Rows decoded at once.
const BATCH: usize = 1 << 14;

const JULIAN_DAY_OF_1970: i128 = 2_440_588;
const NANOSECONDS_OF_A_DAY: i128 = 86_400_000_000_000;

/// Adds the rows of a column chunk, at most `most` of them, until `stop` returns true.
pub(crate) fn read_chunk(
    cells: &mut ColumnCells,
    chunk: ColumnReader,
    most: usize,
    stop: &mut dyn FnMut() -> bool,
) -> Result<(), ParquetError> {
    let most = cells.len() + most;
    let kind = cells.kind();
    match chunk {
        ColumnReader::BoolColumnReader(reader) => {
            drain(cells, reader, most, stop, |cells, flag| {
                cells.push_flag(*flag);
            })
        }
        ColumnReader::Int32ColumnReader(reader) => {
            drain(cells, reader, most, stop, |cells, value| {
                let wide = if kind == Kind::Unsigned {
                    i128::from(*value as u32)
                } else {
                    i128::from(*value)
                };
                cells.push_integer(wide);
            })
        }
        ColumnReader::Int64ColumnReader(reader) => {
            drain(cells, reader, most, stop, |cells, value| {
                let wide = if kind == Kind::Unsigned {
                    i128::from(*value as u64)
                } else {
                    i128::from(*value)
                };
                cells.push_integer(wide);
            })
        }
        ColumnReader::Int96ColumnReader(reader) => {
            drain(cells, reader, most, stop, |cells, value| {
                cells.push_integer(nanoseconds(value.data()));
            })
        }
        ColumnReader::FloatColumnReader(reader) => {
            drain(cells, reader, most, stop, |cells, value| cells.push_real(f64::from(*value)))
        }
        ColumnReader::DoubleColumnReader(reader) => {
            drain(cells, reader, most, stop, |cells, value| cells.push_real(*value))
        }
        ColumnReader::ByteArrayColumnReader(reader) => {
            drain(cells, reader, most, stop, |cells, value| cells.push_bytes(value.data()))
        }
        ColumnReader::FixedLenByteArrayColumnReader(reader) => {
            drain(cells, reader, most, stop, |cells, value| cells.push_bytes(value.data()))
        }
    }
}

/// Since 1970, of nanoseconds of a day (the lower half first) and a Julian day.
fn nanoseconds(words: &[u32]) -> i128 {
    let &[low, high, day] = words else { return 0 };
    let of_day = u64::from(high) << 32 | u64::from(low);
    (i128::from(day) - JULIAN_DAY_OF_1970) * NANOSECONDS_OF_A_DAY + i128::from(of_day)
}

fn drain<T: DataType>(
    cells: &mut ColumnCells,
    mut reader: ColumnReaderImpl<T>,
    most: usize,
    stop: &mut dyn FnMut() -> bool,
    mut push: impl FnMut(&mut ColumnCells, &T::T),
) -> Result<(), ParquetError> {
    let (mut levels, mut values) = (Vec::new(), Vec::new());
    while cells.len() < most && !stop() {
        levels.clear();
        values.clear();
        let wanted = BATCH.min(most - cells.len());
        let (n_records, n_values, _) =
            reader.read_records(wanted, Some(&mut levels), None, &mut values)?;
        if n_records == 0 {
            break;
        }
        if levels.is_empty() {
            values.iter().for_each(|value| push(cells, value));
            continue;
        }
        // Flat columns have one level of definition: 0 is missing, 1 is there.
        let mut values = values.iter().take(n_values);
        for level in &levels {
            match (level, values.len()) {
                (0, _) => cells.push_missing(),
                (_, 0) => {
                    return Err(ParquetError::General("a page lacks values".to_owned()));
                }
                _ => values.by_ref().take(1).for_each(|value| push(cells, value)),
            }
        }
    }
    Ok(())
}
