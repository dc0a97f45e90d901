//! What deserves a second look.

use wald::message;
use wald::message::Message;

use crate::source::SourceKind;
use crate::surrogate::{Outside, Surrogate};

/// Rows below which a sample is no large one.
const FEW_ROWS: usize = 1000;

/// Shares of rows outside the range of the runs that deserve a note.
const MANY_OUTSIDE: f64 = 0.01;

impl Surrogate {
    /// What deserves a second look.
    pub fn notes(&self) -> impl Iterator<Item = Message> {
        let outside = self.outside.iter().filter(|outside| outside.share > MANY_OUTSIDE);
        let outside: Vec<String> = outside
            .map(|Outside { input, share }| format!("{input} in {:.0} %", 100.0 * share))
            .collect();
        let extrapolated = (!outside.is_empty()).then(|| {
            let inputs = wald::words::listed(&outside, "and");
            message!(
                "the sample leaves the range of the runs: ",
                inputs,
                " of its rows; there the process extrapolates: add runs, or leave out such rows"
            )
        });
        let n_rows = self.sample.n_rows();
        let few = (n_rows < FEW_ROWS).then(|| {
            message!(
                "the sample has ",
                n_rows,
                " rows only: the forest adds an error of its own; 10,000 are better"
            )
        });
        let dependent = (self.source == SourceKind::Copula && self.exact.is_none()).then(|| {
            message!(
                "indices without forest are left out: inputs of a few values depend on others, and \
                 their conditional laws are not known"
            )
        });
        let even = self.are_too_even.then(|| {
            message!(
                "the rows of inputs avoid each other, as those of a low-discrepancy sequence do: errors \
                 out of bag, and with them importances, are too large; give a random sample"
            )
        });
        [extrapolated, even, few, dependent].into_iter().flatten()
    }
}
