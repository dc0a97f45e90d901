//! The cells of a variable.

use std::collections::HashMap;

use serde::Serialize;

use wald::data::{Column, ColumnData, MISSING_LEVEL};

/// Cells of one variable.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Cells {
    /// Numbers; `None` is missing.
    Numbers {
        /// One per row.
        values: Vec<Option<f64>>,
    },
    /// Levels; `None` is missing.
    Levels {
        /// Names of those that occur, the most frequent first.
        levels: Vec<String>,
        /// Positions in that list, one per row.
        codes: Vec<Option<usize>>,
    },
    /// Of a group of several columns, which has no single value.
    Several {
        /// How many columns.
        n_columns: usize,
    },
}

impl Cells {
    /// The cells of some rows of a column, in their order.
    pub fn of(column: &Column, rows: &[u32]) -> Self {
        match column.data() {
            ColumnData::Numeric(values) => {
                let value = |&row: &u32| Some(values[row as usize]).filter(|value| !value.is_nan());
                Self::Numbers { values: rows.iter().map(value).collect() }
            }
            ColumnData::Categorical(categories) => {
                let codes = rows.iter().map(|&row| categories.codes()[row as usize]);
                let mut counts: HashMap<u32, usize> = HashMap::new();
                for code in codes.clone().filter(|&code| code != MISSING_LEVEL) {
                    *counts.entry(code).or_default() += 1;
                }
                let mut present: Vec<(u32, usize)> = counts.into_iter().collect();
                present.sort_by_key(|&(code, count)| (std::cmp::Reverse(count), code));
                let place: HashMap<u32, usize> =
                    present.iter().map(|&(code, _)| code).zip(0..).collect();
                let name = |&(code, _): &(u32, usize)| categories.levels()[code as usize].clone();
                Self::Levels {
                    levels: present.iter().map(name).collect(),
                    codes: codes.map(|code| place.get(&code).copied()).collect(),
                }
            }
        }
    }

    /// The cells at some places.
    pub(super) fn at(&self, places: &[usize]) -> Self {
        match self {
            Self::Numbers { values } => {
                Self::Numbers { values: places.iter().map(|&place| values[place]).collect() }
            }
            Self::Levels { levels, codes } => Self::Levels {
                levels: levels.clone(),
                codes: places.iter().map(|&place| codes[place]).collect(),
            },
            Self::Several { n_columns } => Self::Several { n_columns: *n_columns },
        }
    }
}
