//! Tests of many pairs of the same columns.

use std::sync::OnceLock;

use crate::association::direction::Direction;
use crate::association::independence::{Independence, independence};
use crate::data::{Column, ColumnData};

/// Columns of equal length whose pairs are tested. Numbers are made ready once per column, when it
/// is first tested; a test of two of them is one pass over their rows.
#[derive(Debug)]
pub(crate) struct Pairs {
    columns: Vec<Column>,
    /// How often each row counts.
    weights: Vec<f64>,
    total: f64,
    /// `None` where pairs have to be looked at for missing values and the like.
    directions: Vec<OnceLock<Option<Direction>>>,
}

impl Pairs {
    pub(crate) fn new(columns: Vec<Column>, weights: Vec<f64>) -> Self {
        let directions = std::iter::repeat_with(OnceLock::new).take(columns.len()).collect();
        Self { columns, total: weights.iter().sum(), weights, directions }
    }

    pub(crate) fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// As [`independence`].
    pub(crate) fn test(&self, one: usize, other: usize) -> Option<Independence> {
        if let (Some(x), Some(y)) = (self.direction(one), self.direction(other)) {
            return Independence::new(self.total, x.squared_correlation(y), 1.0);
        }
        independence(&self.columns[one], &self.columns[other], |row| self.weights[row])
    }

    fn direction(&self, column: usize) -> Option<&Direction> {
        let ready = self.directions[column].get_or_init(|| match self.columns[column].data() {
            ColumnData::Numeric(values) => Direction::new(values, |row| self.weights[row]),
            ColumnData::Categorical(_) => None,
        });
        ready.as_ref()
    }
}
