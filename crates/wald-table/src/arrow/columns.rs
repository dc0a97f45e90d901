//! Arrow arrays as cells.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type,
    DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType, DurationSecondType,
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    Time32MillisecondType, Time32SecondType, Time64MicrosecondType, Time64NanosecondType,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{ArrowError, DataType, TimeUnit};
use arrow_select::take::take;

use crate::columnar::ColumnCells;

/// Milliseconds of a day.
const DAY: i64 = 86_400_000;

/// Adds the rows of an array of a type that has a kind.
pub(crate) fn add(cells: &mut ColumnCells, array: &ArrayRef) -> Result<(), ArrowError> {
    macro_rules! integers {
        ($kind:ty) => {
            each(cells, array.as_primitive::<$kind>(), |cells, value| {
                cells.push_integer(value.into())
            })
        };
    }
    macro_rules! reals {
        ($kind:ty) => {
            each(cells, array.as_primitive::<$kind>(), |cells, value| cells.push_real(value.into()))
        };
    }
    match array.data_type() {
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            return add(cells, &take(dictionary.values(), dictionary.keys(), None)?);
        }
        DataType::Boolean => each(cells, array.as_boolean(), ColumnCells::push_flag),
        DataType::Int8 => integers!(Int8Type),
        DataType::Int16 => integers!(Int16Type),
        DataType::Int32 => integers!(Int32Type),
        DataType::Int64 => integers!(Int64Type),
        DataType::UInt8 => integers!(UInt8Type),
        DataType::UInt16 => integers!(UInt16Type),
        DataType::UInt32 => integers!(UInt32Type),
        DataType::UInt64 => integers!(UInt64Type),
        DataType::Float16 => reals!(Float16Type),
        DataType::Float32 => reals!(Float32Type),
        DataType::Float64 => reals!(Float64Type),
        DataType::Date32 => integers!(Date32Type),
        DataType::Date64 => each(cells, array.as_primitive::<Date64Type>(), |cells, value| {
            cells.push_integer(value.div_euclid(DAY).into());
        }),
        DataType::Time32(TimeUnit::Second) => integers!(Time32SecondType),
        DataType::Time32(_) => integers!(Time32MillisecondType),
        DataType::Time64(TimeUnit::Microsecond) => integers!(Time64MicrosecondType),
        DataType::Time64(_) => integers!(Time64NanosecondType),
        DataType::Timestamp(TimeUnit::Second, _) => integers!(TimestampSecondType),
        DataType::Timestamp(TimeUnit::Millisecond, _) => integers!(TimestampMillisecondType),
        DataType::Timestamp(TimeUnit::Microsecond, _) => integers!(TimestampMicrosecondType),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => integers!(TimestampNanosecondType),
        DataType::Duration(TimeUnit::Second) => integers!(DurationSecondType),
        DataType::Duration(TimeUnit::Millisecond) => integers!(DurationMillisecondType),
        DataType::Duration(TimeUnit::Microsecond) => integers!(DurationMicrosecondType),
        DataType::Duration(TimeUnit::Nanosecond) => integers!(DurationNanosecondType),
        DataType::Decimal32(..) => integers!(Decimal32Type),
        DataType::Decimal64(..) => integers!(Decimal64Type),
        DataType::Decimal128(..) => integers!(Decimal128Type),
        DataType::Decimal256(..) => {
            each(cells, array.as_primitive::<Decimal256Type>(), ColumnCells::push_wide);
        }
        DataType::Utf8 => {
            each(cells, array.as_string::<i32>(), |cells, text| cells.push_text(text.as_bytes()));
        }
        DataType::LargeUtf8 => {
            each(cells, array.as_string::<i64>(), |cells, text| cells.push_text(text.as_bytes()));
        }
        DataType::Utf8View => {
            each(cells, array.as_string_view(), |cells, text| cells.push_text(text.as_bytes()));
        }
        DataType::Binary => each(cells, array.as_binary::<i32>(), ColumnCells::push_bytes),
        DataType::LargeBinary => each(cells, array.as_binary::<i64>(), ColumnCells::push_bytes),
        DataType::BinaryView => each(cells, array.as_binary_view(), ColumnCells::push_bytes),
        DataType::FixedSizeBinary(_) => {
            each(cells, array.as_fixed_size_binary(), ColumnCells::push_bytes);
        }
        // Of nulls; columns of other types have no kind and are not read.
        _ => (0..array.len()).for_each(|_| cells.push_missing()),
    }
    Ok(())
}

fn each<T>(
    cells: &mut ColumnCells,
    values: impl IntoIterator<Item = Option<T>>,
    push: impl Fn(&mut ColumnCells, T),
) {
    for value in values {
        match value {
            Some(value) => push(cells, value),
            None => cells.push_missing(),
        }
    }
}
