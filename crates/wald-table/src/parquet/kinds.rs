//! What the columns of a Parquet file mean.

use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::schema::types::ColumnDescriptor;

/// How the stored values become numbers or text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// Truth values, as the levels `false` and `true`.
    Boolean,
    /// Signed integers.
    Signed,
    /// Unsigned integers.
    Unsigned,
    /// Integers divided by a power of ten.
    Decimal {
        /// The exponent of that power.
        scale: i32,
    },
    /// Floating-point numbers of any width.
    Real,
    /// Days since 1970-01-01.
    Days,
    /// Seconds since 1970-01-01, after division.
    Moment {
        /// Units in a second.
        divisor: f64,
    },
    /// Seconds since midnight, after division.
    TimeOfDay {
        /// Units in a second.
        divisor: f64,
    },
    /// Text.
    Text,
    /// 16 bytes that identify something.
    Uuid,
}

impl Kind {
    /// The meaning of a flat column; `None` for bytes without one.
    pub(crate) fn of(column: &ColumnDescriptor) -> Option<Self> {
        if let Some(logical) = column.logical_type_ref() {
            return Self::of_logical(logical, column.physical_type());
        }
        Self::of_converted(column)
    }

    fn of_logical(logical: &LogicalType, physical: Type) -> Option<Self> {
        let kind = match logical {
            LogicalType::String | LogicalType::Enum | LogicalType::Json => Self::Text,
            LogicalType::Decimal(decimal) => Self::Decimal { scale: decimal.scale },
            LogicalType::Date => Self::Days,
            LogicalType::Time(time) => Self::TimeOfDay { divisor: divisor(time.unit) },
            LogicalType::Timestamp(moment) => Self::Moment { divisor: divisor(moment.unit) },
            LogicalType::Integer(integer) if integer.is_signed => Self::Signed,
            LogicalType::Integer(_) => Self::Unsigned,
            LogicalType::Float16 => Self::Real,
            LogicalType::Uuid => Self::Uuid,
            // A column of nulls has no type of its own.
            LogicalType::Unknown => return Self::of_physical(physical),
            _ => return None,
        };
        Some(kind)
    }

    fn of_converted(column: &ColumnDescriptor) -> Option<Self> {
        let kind = match column.converted_type() {
            ConvertedType::NONE => return Self::of_physical(column.physical_type()),
            ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON => Self::Text,
            ConvertedType::DECIMAL => Self::Decimal { scale: column.type_scale() },
            ConvertedType::DATE => Self::Days,
            ConvertedType::TIME_MILLIS => Self::TimeOfDay { divisor: 1e3 },
            ConvertedType::TIME_MICROS => Self::TimeOfDay { divisor: 1e6 },
            ConvertedType::TIMESTAMP_MILLIS => Self::Moment { divisor: 1e3 },
            ConvertedType::TIMESTAMP_MICROS => Self::Moment { divisor: 1e6 },
            ConvertedType::UINT_8
            | ConvertedType::UINT_16
            | ConvertedType::UINT_32
            | ConvertedType::UINT_64 => Self::Unsigned,
            ConvertedType::INT_8
            | ConvertedType::INT_16
            | ConvertedType::INT_32
            | ConvertedType::INT_64 => Self::Signed,
            _ => return None,
        };
        Some(kind)
    }

    fn of_physical(physical: Type) -> Option<Self> {
        match physical {
            Type::BOOLEAN => Some(Self::Boolean),
            Type::INT32 | Type::INT64 => Some(Self::Signed),
            // The old timestamps of Spark and Impala.
            Type::INT96 => Some(Self::Moment { divisor: 1e6 }),
            Type::FLOAT | Type::DOUBLE => Some(Self::Real),
            // Old writers leave text unmarked; bytes that are not text are reported when read.
            Type::BYTE_ARRAY => Some(Self::Text),
            Type::FIXED_LEN_BYTE_ARRAY => None,
        }
    }
}

fn divisor(unit: TimeUnit) -> f64 {
    match unit {
        TimeUnit::MILLIS => 1e3,
        TimeUnit::MICROS => 1e6,
        TimeUnit::NANOS => 1e9,
    }
}
