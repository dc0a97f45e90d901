//! Values of rows as a local measure gives them, with the cells that they belong to.

use std::borrow::Cow;

use crate::explanations::cells::Cells;
use crate::explanations::parts::{self, VariableValues};

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
    /// Case weights; all are 1 unless given.
    pub weights: Option<Vec<f64>>,
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
    pub(super) fn value(&self, row: usize, variable: usize, output: usize) -> f64 {
        self.values[row * self.width() + variable * self.n_outputs() + output]
    }

    /// The values of a variable for an output.
    fn of(&self, variable: usize, output: usize) -> impl Iterator<Item = f64> {
        (0..self.numbers.len()).map(move |row| self.value(row, variable, output))
    }

    pub(super) fn mean_absolute(&self, variable: usize, output: usize) -> f64 {
        let weight = |row: usize| self.weights.as_ref().map_or(1.0, |weights| weights[row]);
        let values = self.of(variable, output).enumerate();
        let (sum, total) = values.fold((0.0, 0.0), |(sum, total), (row, value)| {
            (sum + weight(row) * value.abs(), total + weight(row))
        });
        if total > 0.0 { sum / total } else { 0.0 }
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
            weights: self.weights.as_ref().map(|weights| rows_of(weights, 1)),
        })
    }
}
