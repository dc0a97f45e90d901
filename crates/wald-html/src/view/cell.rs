//! Numbers in tables.

use serde::Serialize;

use crate::number::{self, Number};

/// A number in a table: its text (`None`: undefined) and the room, in digits, to leave on its
/// right so that the decimal points of a column stand under each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Cell {
    pub(super) text: Option<String>,
    pub(super) pad: usize,
}

impl Cell {
    /// A number that stands alone.
    pub(super) fn single(value: Option<f64>) -> Self {
        Self { text: number::value(value).text, pad: 0 }
    }

    /// A number between -1 and 1 with two decimals, so that all of a table are as wide.
    pub(super) fn rounded(value: Option<f64>) -> Self {
        let value = value.filter(|value| value.is_finite());
        // No sign before a zero.
        let text = |value: f64| format!("{value:.2}").replace("-0.00", "0.00");
        Self { text: value.map(|value| text(value).replace('-', "\u{2212}")), pad: 0 }
    }

    /// What has no number.
    pub(super) fn none() -> Self {
        Self { text: None, pad: 0 }
    }

    /// A count that stands alone.
    pub(super) fn count(n: usize) -> Self {
        Self { text: Some(number::count(n as u64)), pad: 0 }
    }
}

/// Aligns the numbers of one column of a table.
pub(super) fn align(numbers: impl IntoIterator<Item = Number>) -> Vec<Cell> {
    let numbers: Vec<Number> = numbers.into_iter().collect();
    let widest = numbers.iter().filter_map(|n| n.decimals).max().unwrap_or(0);
    let cell = |n: Number| {
        let missing = n.decimals.map_or(0, |decimals| widest - decimals);
        // A number without a point leaves room for the point as well.
        let pad = if n.decimals == Some(0) && widest > 0 { missing + 1 } else { missing };
        Cell { text: n.text, pad }
    };
    numbers.into_iter().map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_points_stand_under_each_other() {
        let cells = align([Some(0.5), Some(12.25), None, Some(3.0)].map(number::value));
        let pads: Vec<usize> = cells.iter().map(|cell| cell.pad).collect();
        let texts: Vec<_> = cells.iter().map(|cell| cell.text.as_deref()).collect();
        assert_eq!(texts, [Some("0.5000"), Some("12.25"), None, Some("3")]);
        assert_eq!(pads, [0, 2, 0, 5]);
    }
}
