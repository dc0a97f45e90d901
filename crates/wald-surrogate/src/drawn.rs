//! The sample of a surrogate alone.

use wald::data::Target;
use wald::{Dataset, Error, Run};

use crate::model::Model;
use crate::source::Source;

/// Draws inputs, with the mean of the process as the target.
///
/// # Errors
/// [`Error::Data`] when rows or a law do not have the inputs of the runs, and [`Error::Cancelled`].
pub fn sample(
    model: &Model,
    source: &Source<'_>,
    n_rows: usize,
    seed: u64,
    run: &Run,
) -> Result<Dataset, Error> {
    let runs = model.inputs.features(&model.rows)?;
    let inputs = source.sample(&runs, n_rows, seed)?;
    let means = model.at(inputs.rows(), run, |point| model.process().mean(point))?;
    let features = model.inputs.features(inputs.rows())?;
    Dataset::new(features.columns().to_vec(), Target::regression("mean of the process", means)?)
}
