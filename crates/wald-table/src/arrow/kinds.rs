//! What the columns of an Arrow file mean.

use arrow_schema::{DataType, Field, TimeUnit};

use crate::columnar::{Kind, TypedFile};
use crate::error::TableError;

/// The meaning of a flat column.
pub(crate) fn kind(field: &Field, file: TypedFile<'_>) -> Result<Kind, TableError> {
    if field.extension_type_name() == Some("arrow.uuid")
        && *field.data_type() == DataType::FixedSizeBinary(16)
    {
        return Ok(Kind::Uuid);
    }
    let is_nested =
        |values: &DataType| values.is_nested() && !matches!(values, DataType::RunEndEncoded(..));
    match values(field.data_type()) {
        nested if is_nested(nested) => Err(file.nested(field.name())),
        DataType::FixedSizeBinary(_) => Err(file.unsupported(field.name(), "raw bytes")),
        other => of_values(other).ok_or_else(|| {
            file.unsupported(field.name(), &format!("values of the Arrow type {other}"))
        }),
    }
}

/// The type of the values, which a dictionary holds once each.
fn values(of: &DataType) -> &DataType {
    match of {
        DataType::Dictionary(_, values) => values,
        plain => plain,
    }
}

fn of_values(values: &DataType) -> Option<Kind> {
    let kind = match values {
        DataType::Boolean => Kind::Boolean,
        // A column of nulls has no type of its own; durations are counts of their unit, as in Parquet.
        DataType::Null
        | DataType::Int8
        | DataType::Int16
        | DataType::Int32
        | DataType::Int64
        | DataType::Duration(_) => Kind::Signed,
        DataType::UInt8 | DataType::UInt16 | DataType::UInt32 | DataType::UInt64 => Kind::Unsigned,
        DataType::Float16 | DataType::Float32 | DataType::Float64 => Kind::Real,
        DataType::Date32 | DataType::Date64 => Kind::Days,
        DataType::Timestamp(unit, _) => Kind::Moment { divisor: divisor(*unit) },
        DataType::Time32(unit) | DataType::Time64(unit) => {
            Kind::TimeOfDay { divisor: divisor(*unit) }
        }
        DataType::Decimal32(_, scale)
        | DataType::Decimal64(_, scale)
        | DataType::Decimal128(_, scale)
        | DataType::Decimal256(_, scale) => Kind::Decimal { scale: i32::from(*scale) },
        // Bytes that are not text are reported when read.
        DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Utf8View
        | DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView => Kind::Text,
        _ => return None,
    };
    Some(kind)
}

fn divisor(unit: TimeUnit) -> f64 {
    match unit {
        TimeUnit::Second => 1.0,
        TimeUnit::Millisecond => 1e3,
        TimeUnit::Microsecond => 1e6,
        TimeUnit::Nanosecond => 1e9,
    }
}
