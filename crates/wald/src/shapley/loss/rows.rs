//! Shapley values of the loss, row by row.

use crate::error::Error;
use crate::monitor::Monitor;
use crate::profile::Bound;
use crate::shapley::loss::pair::{Pair, Side};
use crate::threads::{Threads, ordered};

/// More players than this in the game of one pair have too many coalitions.
const MOST_PLAYERS: usize = 20;

/// By how much values and losses may differ, in units of the largest loss.
const TOLERANCE: f64 = 1e-9;

/// The loss of a forest for the rows of a table, and who is to have its share.
pub(crate) struct LossOfRows<'a> {
    pub(crate) measure: &'static str,
    /// The forest, bound to the rows and to background rows, all of their table.
    pub(crate) bound: &'a Bound<'a>,
    pub(crate) behind: &'a Bound<'a>,
    /// By column of the forest, who plays it.
    pub(crate) player: &'a [u32],
    pub(crate) n_players: usize,
    /// The loss of predicting something for a row.
    pub(crate) loss: &'a (dyn Fn(usize, &[f64]) -> f64 + Sync),
}

/// Memory of a thread.
#[derive(Default)]
struct Memory {
    pair: Pair,
    codes: Vec<u32>,
    losses: Vec<f64>,
    weights: Vec<f64>,
}

impl LossOfRows<'_> {
    /// Calls `each` with the rows, in their order, and the values of the players: by how much
    /// knowing a player's values lowers the loss, averaged over background rows. They add up to the
    /// mean over background rows of the loss of predicting for the row what the forest predicts for
    /// them, minus the loss of its own prediction.
    ///
    /// # Errors
    /// [`Error::Measure`] where a row and a background row differ in too many variables,
    /// [`Error::Cancelled`], and [`Error::Inconsistent`] should values not add up.
    pub(crate) fn run(
        &self,
        n_rows: usize,
        (threads, monitor): (Threads, &Monitor),
        mut each: impl FnMut(usize, &[f64]) + Send,
    ) -> Result<(), Error> {
        let codes_behind: Vec<Vec<u32>> =
            (0..self.behind.features().n_rows()).map(|row| codes(self.behind, row)).collect();
        let says_behind: Vec<Vec<f64>> =
            codes_behind.iter().map(|codes| predicted(self.behind, codes)).collect();
        ordered(
            n_rows,
            threads,
            monitor,
            Memory::default,
            |row, memory| {
                monitor.check()?;
                self.explain(row, (&codes_behind, &says_behind), memory)
            },
            |row, values: Vec<f64>| each(row, &values),
        )
    }

    fn explain(
        &self,
        row: usize,
        (codes_behind, says_behind): (&[Vec<u32>], &[Vec<f64>]),
        memory: &mut Memory,
    ) -> Result<Vec<f64>, Error> {
        let Memory { pair, codes: own, losses, weights } = memory;
        *own = codes(self.bound, row);
        let mut prediction = predicted(self.bound, own);
        let (own_loss, mut without, mut largest) = ((self.loss)(row, &prediction), 0.0, 0.0);
        let mut values = vec![0.0; self.n_players];
        let share = 1.0 / codes_behind.len() as f64;
        for (codes, says) in codes_behind.iter().zip(says_behind) {
            let loss_behind = (self.loss)(row, says);
            without += share * loss_behind;
            let sides =
                (Side { bound: self.bound, codes: own }, Side { bound: self.behind, codes });
            if !pair.meet(sides, (self.player, self.n_players), MOST_PLAYERS) {
                return Err(self.refusal());
            }
            losses.clear();
            pair.predictions(self.bound, &mut prediction, |_, prediction| {
                losses.push((self.loss)(row, prediction));
            });
            largest = losses.iter().fold(largest, |largest: f64, loss| largest.max(loss.abs()));
            let n = pair.players.len();
            coalition_weights(n, weights);
            for (place, &player) in pair.players.iter().enumerate() {
                let bit = 1 << place;
                let without = (0..losses.len()).filter(|coalition| coalition & bit == 0);
                let falls = without.map(|coalition| {
                    let weight = weights[coalition.count_ones() as usize];
                    weight * (losses[coalition] - losses[coalition | bit])
                });
                values[player as usize] += share * falls.sum::<f64>();
            }
        }
        let (sum, fall): (f64, f64) = (values.iter().sum(), without - own_loss);
        // Written so that a sum which is not a number is far, too.
        let is_close = (sum - fall).abs() <= TOLERANCE * largest;
        if is_close {
            return Ok(values);
        }
        Err(Error::Inconsistent {
            what: format!(
                "the values of `{}` for row {} add up to {sum}, but the loss falls by {fall}",
                self.measure,
                row + 1
            ),
        })
    }

    fn refusal(&self) -> Error {
        Error::Measure {
            measure: self.measure,
            why: format!(
                "looks at all coalitions of the variables in which a row and a background row \
                 differ, and here they differ in more than {MOST_PLAYERS}: more than a million \
                 coalitions for every pair of rows"
            ),
            help: "use sage, which samples coalitions, or take columns together as one variable \
                   (`--group` of `wald importance`), or grow the forest on fewer columns"
                .to_owned(),
        }
    }
}

/// By size of a coalition without a player, out of n players: the share of the orders in which
/// exactly this coalition comes before the player.
fn coalition_weights(n: usize, weights: &mut Vec<f64>) {
    weights.clear();
    let mut weight = 1.0 / n as f64;
    for size in 0..n {
        weights.push(weight);
        weight *= (size + 1) as f64 / (n - size - 1).max(1) as f64;
    }
}

/// The codes of a row, by canonical column.
fn codes(bound: &Bound<'_>, row: usize) -> Vec<u32> {
    let features = bound.features();
    (0..features.n_columns() as u32).map(|column| features.column(column).codes()[row]).collect()
}

/// What the forest predicts for a row.
fn predicted(bound: &Bound<'_>, codes: &[u32]) -> Vec<f64> {
    let mut sums = vec![0.0; bound.stride()];
    for tree in 0..bound.n_trees() {
        let leaf = bound.router(tree).descend(0, |column| codes[column as usize]);
        sums.iter_mut().zip(bound.say(tree, leaf)).for_each(|(sum, say)| *sum += say);
    }
    let mut prediction = vec![0.0; bound.n_outputs()];
    bound.predict(&sums, bound.n_trees(), &mut prediction);
    prediction
}

/// Memory of a thread for the mixtures of a pair, of so many players and outputs.
pub(crate) fn mixture_bytes(n_players: f64, n_outputs: f64) -> f64 {
    8.0 * (n_outputs + 1.0) * n_players.min(MOST_PLAYERS as f64).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_coalitions_are_shares_of_orders() {
        let mut weights = Vec::new();
        coalition_weights(1, &mut weights);
        assert_eq!(weights, [1.0]);
        coalition_weights(4, &mut weights);
        let expected = [1.0 / 4.0, 1.0 / 12.0, 1.0 / 12.0, 1.0 / 4.0];
        for (found, expected) in weights.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-15);
        }
    }
}
