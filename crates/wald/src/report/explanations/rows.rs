//! Values of rows as a local measure gives them, with the cells that they belong to.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Serialize;

use crate::data::{Column, ColumnData, MISSING_LEVEL};
use crate::report::explanations::{VariableValues, parts};

/// Rows with the values that explain them.
#[derive(Debug, Clone, PartialEq)]
pub struct ExplainedRows {
    /// Names of the variables.
    pub names: Vec<String>,
    /// The cells of every variable in these rows.
    pub cells: Vec<Cells>,
    /// Names of the classes; `None` for numbers.
    pub classes: Option<Vec<String>>,
    /// How many training rows every class has; decides which classes are shown.
    pub class_counts: Vec<usize>,
    /// The rows, by their numbers in the table, counted from 1.
    pub numbers: Vec<u32>,
    /// `[row][variable][output]`, one after the other.
    pub values: Vec<f64>,
    /// `[row][output]`: what values are counted from, where they add up to predictions.
    pub expected: Option<Vec<f64>>,
    /// What was seen: a number, or the position of a class; may be unknown.
    pub responses: Option<Vec<f64>>,
}

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
    fn at(&self, places: &[usize]) -> Self {
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

impl ExplainedRows {
    /// Numbers per variable.
    pub(super) fn n_outputs(&self) -> usize {
        self.classes.as_ref().map_or(1, Vec::len)
    }

    fn width(&self) -> usize {
        self.names.len() * self.n_outputs()
    }

    /// The value of a variable for an output in a row.
    pub(super) fn value(&self, row: usize, (variable, output): (usize, usize)) -> f64 {
        self.values[row * self.width() + variable * self.n_outputs() + output]
    }

    /// The values of a variable for an output.
    fn of(&self, variable: usize, output: usize) -> impl Iterator<Item = f64> {
        (0..self.numbers.len()).map(move |row| self.value(row, (variable, output)))
    }

    pub(super) fn mean_absolute(&self, variable: usize, output: usize) -> f64 {
        let sum: f64 = self.of(variable, output).map(f64::abs).sum();
        sum / self.numbers.len().max(1) as f64
    }

    pub(super) fn summary(&self, variable: usize, output: usize) -> VariableValues {
        let values: Vec<f64> = self.of(variable, output).collect();
        VariableValues {
            mean_absolute: self.mean_absolute(variable, output),
            lowest: values.iter().copied().reduce(f64::min).unwrap_or(0.0),
            highest: values.iter().copied().reduce(f64::max).unwrap_or(0.0),
            parts: parts::parts(&self.cells[variable], &values),
            values,
        }
    }

    /// The rows whose values are numbers: one that was in every bag has none.
    pub(super) fn defined(&self) -> Cow<'_, Self> {
        let (width, n_outputs) = (self.width(), self.n_outputs());
        let is_finite =
            |row: &usize| self.values[row * width..][..width].iter().all(|value| value.is_finite());
        let kept: Vec<usize> = (0..self.numbers.len()).filter(is_finite).collect();
        if kept.len() == self.numbers.len() {
            return Cow::Borrowed(self);
        }
        let rows_of = |numbers: &[f64], width: usize| -> Vec<f64> {
            kept.iter().flat_map(|&row| &numbers[row * width..][..width]).copied().collect()
        };
        Cow::Owned(Self {
            names: self.names.clone(),
            cells: self.cells.iter().map(|cells| cells.at(&kept)).collect(),
            classes: self.classes.clone(),
            class_counts: self.class_counts.clone(),
            numbers: kept.iter().map(|&row| self.numbers[row]).collect(),
            values: rows_of(&self.values, width),
            expected: self.expected.as_ref().map(|expected| rows_of(expected, n_outputs)),
            responses: self.responses.as_ref().map(|responses| rows_of(responses, 1)),
        })
    }
}
