//! Control variates for the squared loss: what coalitions know of the response, and of the
//! prediction.
//!
//! For a row x with the response y, let a coalition expect g of the prediction, and nobody g0. Then
//! its loss is
//!
//! `(y - g)^2 = (y - g0)^2 - 2 (y - g0)(g - g0) + (g - g0)^2`.
//!
//! The term in the middle is linear in the expectation, so that its Shapley values are twice y - g0
//! times those of the prediction, which are known exactly (interventional `TreeSHAP`). The last
//! term is not; but as g comes near the forest's prediction f, it goes along with (f - g0)(g - g0),
//! whose Shapley values are known just as well. Both are added up for the orders drawn, and by as
//! much as they miss what is known, times a slope, the values are corrected. One slope for all
//! players, so that the values still sum up to what they have to.

use crate::error::Error;
use crate::loss::Loss;
use crate::measure::definition::MeasureDef;
use crate::measure::shapley::sage::Definition;
use crate::measure::shapley::sage::block::{Explained, Total};
use crate::measure::shapley::sage::visit::CONTROLS;
use crate::run::Run;
use crate::tree_shap::{Additive, Against, Background, ShapleyKind};

impl Explained<'_> {
    /// Whether control variates are known: for groups of columns, Shapley values of predictions are
    /// not the sums of those of their columns.
    pub(super) fn has_controls(self) -> bool {
        self.loss == Loss::Squared && self.game.players.len() == self.game.n_players
    }

    /// What a coalition has in the place of the loss, where it expects `prediction` for a row.
    pub(super) fn control(self, row: u32, total: &Total, prediction: &[f64]) -> [f64; CONTROLS] {
        let mut sums = [0.0; CONTROLS];
        if !self.has_controls() {
            return sums;
        }
        let n_outputs = prediction.len();
        let known = &total.predictions[row as usize * n_outputs..][..n_outputs];
        let nothing = self.game.nothing_known;
        for (output, expected) in prediction.iter().enumerate() {
            let above = -2.0 * (expected - nothing[output]);
            sums[0] += above * (self.rows.response_at(row, output) - nothing[output]);
            sums[1] += above * (known[output] - nothing[output]);
        }
        sums
    }

    /// The exact values of the control variates, by player: means over all rows. Takes as long as
    /// [`EXACT_WALKS`](super::sampling::EXACT_WALKS) walks.
    ///
    /// # Errors
    /// As [`Additive::run`].
    pub(super) fn exact_controls(
        self,
        total: &Total,
        run: &Run,
    ) -> Result<Vec<[f64; CONTROLS]>, Error> {
        let (bound, features) = (self.game.bound, self.rows.features());
        let n_outputs = bound.n_outputs();
        let (id, kind) = (Definition::INFO.id, ShapleyKind::Interventional);
        let against = Against::Background(Background::new(self.behind));
        let additive = Additive::new(id, kind, bound, against, run)?;
        let mut exact = vec![[0.0; CONTROLS]; self.game.n_players];
        let mut if_known = vec![0.0; n_outputs];
        additive.run(self.rows.n_rows(), run, |row, values| {
            let share = self.rows.weight(row as u32) / total.weight;
            if share == 0.0 {
                return;
            }
            for (canonical, &player) in (0..).zip(self.game.players) {
                let of_column = &values[features.original(canonical) as usize * n_outputs..];
                let moved = self.game.nothing_known.iter().zip(of_column);
                if_known.iter_mut().zip(moved).for_each(|(sum, (base, value))| *sum = base + value);
                // A coalition that gains the value has that much less in the place of the loss.
                let of_row = self.control(row as u32, total, &if_known);
                let sums = exact[player as usize].iter_mut().zip(of_row);
                sums.for_each(|(sum, term)| *sum -= share * term);
            }
        })?;
        Ok(exact)
    }
}
