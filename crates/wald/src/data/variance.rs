//! The variance of a response, and responses that have none.

use crate::data::{Dataset, Response};
use crate::error::Error;

/// Mean squared deviation of the target from its mean, weighted by case weights; of classes, the
/// Gini impurity; of several targets, the mean over them. What no variable explains has this squared
/// error.
pub fn response_variance(data: &Dataset) -> f64 {
    let weight_of = |row: usize| data.weights().map_or(1.0, |weights| weights[row]);
    let total: f64 = (0..data.n_rows()).map(weight_of).sum();
    match data.target().response() {
        Response::Regression(values) => variance_of(&values.iter().copied(), weight_of, total),
        Response::Several(outputs) => {
            let of_output = |output| variance_of(&outputs.output(output), weight_of, total);
            (0..outputs.n_outputs()).map(of_output).sum::<f64>() / outputs.n_targets() as f64
        }
        Response::Classification(classes) => {
            let mut weights = vec![0.0; classes.levels().len()];
            for (row, &class) in classes.codes().iter().enumerate() {
                weights[class as usize] += weight_of(row);
            }
            1.0 - weights.iter().map(|weight| (weight / total).powi(2)).sum::<f64>()
        }
    }
}

/// Mean squared deviation from the mean of numbers, by weights of so much in all.
pub(crate) fn variance_of(
    values: &(impl Iterator<Item = f64> + Clone),
    weight_of: impl Fn(usize) -> f64,
    total: f64,
) -> f64 {
    // Deviations from the first value keep the digits that a large offset would cost.
    let origin = values.clone().next().unwrap_or(0.0);
    let mean = |of: &dyn Fn(f64) -> f64| {
        let terms = values.clone().enumerate();
        terms.map(|(row, value)| weight_of(row) * of(value - origin)).sum::<f64>() / total
    };
    let shift = mean(&|deviation| deviation);
    mean(&|deviation| (deviation - shift) * (deviation - shift))
}

/// Refuses a target that does not vary.
pub(crate) fn refuse_constant(data: &Dataset) -> Result<(), Error> {
    if response_variance(data) > 0.0 {
        return Ok(());
    }
    Err(Error::column_data(
        data.target().name(),
        format!("the target \"{}\" is constant", data.target().name()),
        "no variable can help to predict it; choose another target",
    ))
}
