//! Numbers as texts, as the command line and pages show them.

use pyo3::prelude::*;
use wald::digits::{Digits, p_value};

const UNDEFINED: &str = "–";

/// The numbers of a column, with the digits that suit the numbers `of`: their own ones unless given.
/// What is undefined is a dash.
#[pyfunction]
#[pyo3(signature = (values, of=None))]
pub(crate) fn number_texts(values: Vec<f64>, of: Option<Vec<f64>>) -> Vec<String> {
    let shown = of.as_ref().unwrap_or(&values);
    let digits = Digits::of(shown.iter().copied().filter(|value| value.is_finite()));
    values.into_iter().map(|value| text(value, |value| digits.text(value))).collect()
}

/// p-values.
#[pyfunction]
pub(crate) fn p_value_texts(values: Vec<f64>) -> Vec<String> {
    values.into_iter().map(|value| text(value, p_value)).collect()
}

fn text(value: f64, of: impl Fn(f64) -> String) -> String {
    if value.is_nan() { UNDEFINED.to_owned() } else { of(value) }
}
