//! What the columns of a Parquet file mean.

use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::schema::types::ColumnDescriptor;

use crate::columnar::Kind;

/// The meaning of a flat column; `None` for bytes without one.
pub(crate) fn kind(column: &ColumnDescriptor) -> Option<Kind> {
    if let Some(logical) = column.logical_type_ref() {
        return of_logical(logical, column.physical_type());
    }
    of_converted(column)
}

fn of_logical(logical: &LogicalType, physical: Type) -> Option<Kind> {
    let kind = match logical {
        LogicalType::String | LogicalType::Enum | LogicalType::Json => Kind::Text,
        LogicalType::Decimal(decimal) => Kind::Decimal { scale: decimal.scale },
        LogicalType::Date => Kind::Days,
        LogicalType::Time(time) => Kind::TimeOfDay { divisor: divisor(time.unit) },
        LogicalType::Timestamp(moment) => Kind::Moment { divisor: divisor(moment.unit) },
        LogicalType::Integer(integer) if integer.is_signed => Kind::Signed,
        LogicalType::Integer(_) => Kind::Unsigned,
        LogicalType::Float16 => Kind::Real,
        LogicalType::Uuid => Kind::Uuid,
        // A column of nulls has no type of its own.
        LogicalType::Unknown => return of_physical(physical),
        _ => return None,
    };
    Some(kind)
}

fn of_converted(column: &ColumnDescriptor) -> Option<Kind> {
    let kind = match column.converted_type() {
        ConvertedType::NONE => return of_physical(column.physical_type()),
        ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON => Kind::Text,
        ConvertedType::DECIMAL => Kind::Decimal { scale: column.type_scale() },
        ConvertedType::DATE => Kind::Days,
        ConvertedType::TIME_MILLIS => Kind::TimeOfDay { divisor: 1e3 },
        ConvertedType::TIME_MICROS => Kind::TimeOfDay { divisor: 1e6 },
        ConvertedType::TIMESTAMP_MILLIS => Kind::Moment { divisor: 1e3 },
        ConvertedType::TIMESTAMP_MICROS => Kind::Moment { divisor: 1e6 },
        ConvertedType::UINT_8
        | ConvertedType::UINT_16
        | ConvertedType::UINT_32
        | ConvertedType::UINT_64 => Kind::Unsigned,
        ConvertedType::INT_8
        | ConvertedType::INT_16
        | ConvertedType::INT_32
        | ConvertedType::INT_64 => Kind::Signed,
        _ => return None,
    };
    Some(kind)
}

fn of_physical(physical: Type) -> Option<Kind> {
    match physical {
        Type::BOOLEAN => Some(Kind::Boolean),
        Type::INT32 | Type::INT64 => Some(Kind::Signed),
        // The old timestamps of Spark and Impala.
        Type::INT96 => Some(Kind::Moment { divisor: 1e9 }),
        Type::FLOAT | Type::DOUBLE => Some(Kind::Real),
        // Old writers leave text unmarked; bytes that are not text are reported when read.
        Type::BYTE_ARRAY => Some(Kind::Text),
        Type::FIXED_LEN_BYTE_ARRAY => None,
    }
}

fn divisor(unit: TimeUnit) -> f64 {
    match unit {
        TimeUnit::MILLIS => 1e3,
        TimeUnit::MICROS => 1e6,
        TimeUnit::NANOS => 1e9,
    }
}
