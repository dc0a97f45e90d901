//! What the middle of a few rows is, variable by variable.

use serde::Serialize;

use crate::data::{Column, ColumnData, MISSING_LEVEL};
use crate::quantile::quantile;

/// The middle of a variable.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Centre {
    /// The median of numbers, and their quartiles; NaN where all are missing.
    Number {
        /// The lower quartile.
        lower: f64,
        /// The median.
        median: f64,
        /// The upper quartile.
        upper: f64,
    },
    /// The most frequent level, the first of equally frequent ones; `None` where all are missing.
    Level(Option<String>),
}

impl Centre {
    /// The level, of categories.
    pub(super) fn level(&self) -> Option<&str> {
        match self {
            Self::Level(level) => level.as_deref(),
            Self::Number { .. } => None,
        }
    }

    /// The middle of the rows of a column; missing values do not count.
    pub(super) fn of(column: &Column, rows: &[u32]) -> Self {
        match column.data() {
            ColumnData::Numeric(values) => {
                let values = rows.iter().map(|&row| values[row as usize]);
                let mut present: Vec<f64> = values.filter(|value| !value.is_nan()).collect();
                present.sort_by(f64::total_cmp);
                let of = |level| quantile(&present, level).unwrap_or(f64::NAN);
                Self::Number { lower: of(0.25), median: of(0.5), upper: of(0.75) }
            }
            ColumnData::Categorical(categories) => {
                let mut counts = vec![0; categories.levels().len()];
                let codes = rows.iter().map(|&row| categories.codes()[row as usize]);
                codes
                    .filter(|code| *code != MISSING_LEVEL)
                    .for_each(|code| counts[code as usize] += 1);
                let most = counts.iter().copied().max().filter(|most| *most > 0);
                let place = most.and_then(|most: usize| counts.iter().position(|n| *n == most));
                Self::Level(place.map(|place| categories.levels()[place].clone()))
            }
        }
    }
}
