//! What deserves a second look.

use wald::message;
use wald::message::Message;

use crate::source::SourceKind;
use crate::surrogate::{Outside, Surrogate};

/// Rows below which a sample is no large one.
const FEW_ROWS: usize = 1000;

/// Shares of rows outside the range of the runs that deserve a note.
const MANY_OUTSIDE: f64 = 0.01;

/// From this predictive variance adequacy on, variances are wrong by a factor of two.
const WRONG_VARIANCES: f64 = 0.7;

/// A forest of a sample without noise should explain so much.
const WELL_EXPLAINED: f64 = 0.9;

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
        let is_copula = self.source == SourceKind::Copula && self.model.has_categories();
        let apart = is_copula.then(|| {
            message!(
                "categorical inputs are drawn independently of the others: they have no order; give a table \
                 of inputs where they depend on others"
            )
        });
        let pva = self.judged.pva;
        let claims = (pva > WRONG_VARIANCES).then(|| {
            message!(
                "squared leave-one-out errors of the process differ from the variances that it claims by a \
                 factor of ",
                format!("{:.1}", pva.exp()),
                ": its own error may be larger or smaller than shown"
            )
        });
        let share = self.explained_by_forest.filter(|share| *share < WELL_EXPLAINED);
        let poor = share.map(|share| {
            message!(
                "the forest of the sample explains only ",
                format!("{:.0} %", 100.0 * share.max(0.0)),
                " of the variance of the process: importances in two steps err by as much; more rows help"
            )
        });
        [extrapolated, even, few, dependent, apart, claims, poor].into_iter().flatten()
    }
}
