//! Columns while a file is read.

use std::fmt::Display;

use arrow_buffer::i256;
use wald::data::MISSING_LEVEL;
use wald::{message, setting};

use crate::about::About;
use crate::cell;
use crate::columnar::kind::Kind;
use crate::digits;
use crate::error::{TableError, escape};
use crate::infer::{self, Inferred};
use crate::notice::{Notice, NoticeKind};
use crate::options::{Infinite, ReadOptions};
use crate::remarks;
use crate::table::{Values, numeral};
use crate::text_cells::TextCells;

/// Larger integers are not all distinct as f64.
const LARGEST_EXACT: i128 = 1 << 53;

/// What the user sets for a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Forced {
    No,
    Text,
    Numbers,
}

impl Forced {
    pub(crate) fn of(column: &String, options: &ReadOptions) -> Self {
        match (options.categorical.contains(column), options.numeric.contains(column)) {
            (true, _) => Self::Text,
            (false, true) => Self::Numbers,
            (false, false) => Self::No,
        }
    }
}

/// A column that is being read.
#[derive(Debug)]
pub(crate) struct ColumnCells {
    kind: Kind,
    /// True when everything is kept as text.
    is_text: bool,
    forced: Forced,
    numbers: Vec<f64>,
    text: TextCells,
    integers: bool,
    large: Option<(u32, String)>,
    infinite: Option<(u32, String)>,
    n_infinite: usize,
    not_text: Option<u32>,
}

impl ColumnCells {
    pub(crate) fn new(kind: Kind, forced: Forced) -> Self {
        Self {
            kind,
            forced,
            is_text: forced == Forced::Text
                || matches!(kind, Kind::Boolean | Kind::Text | Kind::Uuid),
            numbers: Vec::new(),
            text: TextCells::default(),
            integers: true,
            large: None,
            infinite: None,
            n_infinite: 0,
            not_text: None,
        }
    }

    /// What the column means.
    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    /// Number of rows so far.
    pub(crate) fn len(&self) -> usize {
        if self.is_text { self.text.codes().len() } else { self.numbers.len() }
    }

    /// Types the column.
    pub(crate) fn finish(mut self, about: &About<'_>) -> Inferred {
        if let Some(row) = self.not_text {
            let error = TableError::data(
                format!("column \"{}\" holds bytes that are not text", escape(about.column)),
                message!("write it as numbers or text, or leave it out", setting::EXCLUDE.hint()),
            );
            let error = error.file(about.file).at(about.places.place(row as usize));
            return (Err(error.column(about.column)), Vec::new());
        }
        if let Some((row, value)) = self.infinite
            && about.infinite == Infinite::Refuse
        {
            return (Err(remarks::infinite(about, row, &value)), Vec::new());
        }
        if let Some((row, value)) = self.large {
            return (Err(remarks::large_integer(about, row, &value)), Vec::new());
        }
        let column = about.column;
        if self.kind == Kind::Text && self.forced == Forced::Numbers {
            return infer::forced_numbers(self.text, about);
        }
        if self.is_text {
            let (values, _) = infer::forced_text(self.text);
            let notices = values.as_ref().ok().and_then(|values| numbers_as_text(column, values));
            let notices = notices.filter(|_| self.kind == Kind::Text);
            return (values, notices.into_iter().collect());
        }
        let mut notices = match self.kind {
            Kind::Days => vec![remarks::dates_as_numbers(column, "days")],
            Kind::Moment { .. } => vec![remarks::dates_as_numbers(column, "seconds")],
            Kind::TimeOfDay { .. } => {
                let message = format!(
                    "column \"{}\" holds times, read as seconds since midnight",
                    escape(column)
                );
                vec![Notice::new(NoticeKind::Dates, Some(column), message)]
            }
            _ => Vec::new(),
        };
        notices.extend(remarks::infinite_kept(column, self.n_infinite));
        self.numbers.shrink_to_fit();
        let integers = self.integers
            && self.kind != Kind::Days
            && self.numbers.iter().any(|number| !number.is_nan());
        (Ok(Values::Numeric { values: self.numbers, integers }), notices)
    }

    /// Adds a row without a value.
    pub(crate) fn push_missing(&mut self) {
        if self.is_text {
            self.text.push_missing();
        } else {
            self.numbers.push(f64::NAN);
        }
    }

    /// Adds a truth value.
    pub(crate) fn push_flag(&mut self, flag: bool) {
        self.push_text(if flag { b"true" } else { b"false" });
    }

    /// Adds an integer, which the kind may turn into something else.
    pub(crate) fn push_integer(&mut self, value: i128) {
        match self.kind {
            Kind::Decimal { scale } if scale != 0 => self.push_real(decimal(value, scale)),
            Kind::Moment { divisor } | Kind::TimeOfDay { divisor } => {
                self.push_real(quotient(value, divisor));
            }
            _ if self.is_text => self.push_text(value.to_string().as_bytes()),
            _ => {
                if value.abs() > LARGEST_EXACT && self.large.is_none() {
                    self.large = Some((self.len() as u32, value.to_string()));
                }
                self.numbers.push(value as f64);
            }
        }
    }

    /// Adds an integer of any decimal: beyond 16 bytes all digits count, so that it is rounded once.
    pub(crate) fn push_wide(&mut self, value: i256) {
        match (value.to_i128(), self.kind) {
            (Some(value), _) => self.push_integer(value),
            (None, Kind::Decimal { scale }) => self.push_real(power_of_ten(value, scale)),
            (None, _) => self.push_real(power_of_ten(value, 0)),
        }
    }

    /// Adds a number; NaN is a missing value.
    pub(crate) fn push_real(&mut self, value: f64) {
        self.integers = false;
        if value.is_nan() {
            return self.push_missing();
        }
        if self.is_text {
            return self.push_text(numeral(value).as_bytes());
        }
        if value.is_infinite() {
            self.n_infinite += 1;
            let row = self.len() as u32;
            self.infinite.get_or_insert_with(|| (row, value.to_string()));
        }
        self.numbers.push(value.clamp(-f64::MAX, f64::MAX));
    }

    /// Adds a text, which bytes that are none are not.
    pub(crate) fn push_text(&mut self, text: &[u8]) {
        if self.text.push(text).is_err() {
            self.not_text.get_or_insert(self.text.codes().len() as u32);
            self.text.push_missing();
        }
    }

    /// Adds bytes that spell a decimal, a short float, an identifier or text.
    pub(crate) fn push_bytes(&mut self, bytes: &[u8]) {
        match self.kind {
            Kind::Decimal { .. } => match big_endian(bytes) {
                Some(value) => self.push_wide(value),
                None => self.push_missing(),
            },
            Kind::Real => match bytes {
                [low, high] => self.push_real(half(u16::from_le_bytes([*low, *high]))),
                _ => self.push_missing(),
            },
            Kind::Uuid => {
                let number = bytes.try_into().map_or(0, u128::from_be_bytes);
                self.push_text(format!("{number:032x}").as_bytes());
            }
            _ => self.push_text(bytes),
        }
    }
}

/// The remark that a column declared as text holds only numbers.
fn numbers_as_text(column: &str, values: &Values) -> Option<Notice> {
    let Values::Text { levels, codes } = values else { return None };
    let is_number = |level: &String| cell::number(level.as_bytes(), b'.').is_some();
    let any = codes.iter().any(|&code| code != MISSING_LEVEL);
    (any && levels.iter().all(is_number)).then(|| {
        let message = format!(
            "column \"{}\" is declared as text and holds only numbers; it is treated as categories",
            escape(column)
        );
        Notice::new(NoticeKind::NumbersAsText, Some(column), message)
    })
}

/// `value` divided by 10^`scale`, correctly rounded.
fn decimal(value: i128, scale: i32) -> f64 {
    if value.abs() <= LARGEST_EXACT && (0..=22).contains(&scale) {
        // Both operands are exact, so one division rounds correctly.
        return value as f64 / digits::POWERS[scale as usize];
    }
    power_of_ten(value, scale)
}

/// The same for any integer. The standard library rounds once; a conversion and a division would round
/// twice.
fn power_of_ten(value: impl Display, scale: i32) -> f64 {
    format!("{value}e{}", -i64::from(scale)).parse().unwrap_or(f64::NAN)
}

/// A signed integer of at most 32 bytes, highest byte first; of decimals there are no longer ones.
fn big_endian(bytes: &[u8]) -> Option<i256> {
    let fill = if *bytes.first()? >= 0x80 { 0xff } else { 0 };
    let mut all = [fill; 32];
    let start = all.len().checked_sub(bytes.len())?;
    all[start..].copy_from_slice(bytes);
    Some(i256::from_be_bytes(all))
}

/// An IEEE half-precision number.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let exponent = i32::from(bits >> 10 & 0x1f);
    let fraction = f64::from(bits & 0x3ff);
    let size = match exponent {
        0 => fraction * 2_f64.powi(-24),
        0x1f if fraction == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        _ => (1024.0 + fraction) * 2_f64.powi(exponent - 25),
    };
    sign * size
}

/// A number divided by a power of ten, rounded once: zeros that both end with are left out.
fn quotient(mut value: i128, mut divisor: f64) -> f64 {
    while divisor >= 10.0 && value % 10 == 0 {
        (value, divisor) = (value / 10, divisor / 10.0);
    }
    value as f64 / divisor
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rounded_once() {
        // 1670000000.123 s in nanoseconds has more digits than a float.
        assert_eq!(quotient(1_670_000_000_123_000_000, 1e9), 1_670_000_000.123);
        assert_eq!(quotient(1_670_000_000_123, 1e3), 1_670_000_000.123);
        assert_eq!((quotient(-5, 1e9), quotient(0, 1e9), quotient(7, 1.0)), (-5e-9, 0.0, 7.0));
    }

    #[test]
    fn decimals_are_rounded_once() {
        assert_eq!(decimal(12_345, 2), 123.45);
        assert_eq!(decimal(-1, 1), -0.1);
        assert_eq!(
            decimal(123_456_789_012_345_678_901_234_567_890, 10),
            12_345_678_901_234_567_890.123_456_789
        );
    }

    #[test]
    fn bytes_spell_signed_integers() {
        let number = |bytes: &[u8]| big_endian(bytes).map(|value| value.to_string());
        assert_eq!(number(&[0x01, 0x00]).as_deref(), Some("256"));
        assert_eq!(number(&[0xff]).as_deref(), Some("-1"));
        assert_eq!(number(&[0xff, 0x7f]).as_deref(), Some("-129"));
        // -(2^128), and the same with 40 decimals.
        let wide = [&[0xff; 16][..], &[0; 16]].concat();
        assert_eq!(number(&wide), Some("-340282366920938463463374607431768211456".to_owned()));
        assert_eq!(
            power_of_ten(big_endian(&wide).expect("32 bytes"), 40),
            -0.034_028_236_692_093_846
        );
        assert_eq!(number(&[]), None);
        assert_eq!(number(&[0; 33]), None);
    }

    #[test]
    fn half_precision_follows_ieee() {
        assert_eq!(half(0x3c00), 1.0);
        assert_eq!(half(0xc000), -2.0);
        assert_eq!(half(0x0001), 2_f64.powi(-24));
        assert_eq!(half(0x7bff), 65_504.0);
        assert!(half(0x7c00).is_infinite());
        assert!(half(0x7e00).is_nan());
    }
}
