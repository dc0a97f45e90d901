//! What the columns of a file mean.

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
