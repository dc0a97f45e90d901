//! The weights of training rows, row by row.

use std::sync::Arc;

use crate::data::{Dataset, Training};
use crate::error::Error;
use crate::forest::Forest;
use crate::run::Run;
use crate::weights::weigher::{Rows, Summed, Weigher};

/// Rows whose weights are kept at the same time.
const TOGETHER: usize = 4096;

/// Weights of training rows, by which a forest predicts.
///
/// ```
/// use wald::simulate::Friedman1;
/// use wald::weights::Rows;
/// use wald::{ForestConfig, Run};
///
/// let data = Friedman1::default().draw(60, 1)?;
/// let config = ForestConfig { n_trees: 50, ..ForestConfig::default() };
/// let fitted = wald::fit(data.clone(), &config, &Run::all())?;
/// let out_of_bag = fitted.measure(&[], &Run::all())?.out_of_bag;
/// let wald::data::Response::Regression(y) = data.target().response() else { unreachable!() };
/// fitted.weights(&Run::all())?.each(Rows::OutOfBag, &Run::all(), |row, others, weights| {
///     let mean: f64 = others.iter().zip(weights).map(|(&other, w)| w * y[other as usize]).sum();
///     assert!((mean - out_of_bag.prediction(row).expect("out of bag")[0]).abs() < 1e-12);
/// })?;
/// # Ok::<(), wald::Error>(())
/// ```
#[derive(Debug)]
pub struct Weights {
    pub(super) weigher: Weigher,
}

impl Weights {
    pub(crate) fn new(
        forest: &Arc<Forest>,
        data: &Arc<Dataset>,
        training: &Training,
        run: &Run,
    ) -> Result<Self, Error> {
        let rows: Vec<u32> = (0..training.n_rows() as u32).collect();
        Ok(Self { weigher: Weigher::new(forest, data, training, &rows, run)? })
    }

    /// Calls `each` with every row, the training rows that have a weight for it, increasing, and
    /// their weights, which sum to 1. A training row that is in all bags has none.
    /// Cost O(rows * trees * (depth + rows of a leaf)).
    ///
    /// # Errors
    /// [`Error::Data`] when the rows do not fit the forest, or where training rows are wanted and every
    /// tree has drawn all of them; and [`Error::Cancelled`].
    pub fn each(
        &self,
        rows: Rows<'_>,
        run: &Run,
        mut each: impl FnMut(usize, &[u32], &[f64]) + Send,
    ) -> Result<(), Error> {
        if matches!(rows, Rows::OutOfBag) {
            self.weigher.check_out_of_bag()?;
        }
        self.weigher.each(
            (rows, Summed::Weights, TOGETHER),
            run,
            |_, sums| {
                let mut found = (Vec::new(), Vec::new());
                sums.take(|other, weight| {
                    found.0.push(other);
                    found.1.push(weight);
                });
                found
            },
            |row, (others, weights)| each(row, &others, &weights),
        )
    }
}
