//! Shapley values of any loss by their definition: all coalitions of the players of a pair.

use crate::tree_shap::loss::patterns::Patterns;

/// More players than this have too many coalitions.
pub(super) const MOST_PLAYERS: usize = 20;

/// Memory for one pair after the other.
#[derive(Debug, Default)]
pub(super) struct Subsets {
    /// By coalition and output: what is predicted for its mixture.
    predictions: Vec<f64>,
    losses: Vec<f64>,
    weights: Vec<f64>,
}

/// About how many numbers are added up for so many players; infinite where there are too many.
pub(super) fn work(patterns: &Patterns, n_players: usize, n_outputs: usize) -> f64 {
    if n_players > MOST_PLAYERS {
        return f64::INFINITY;
    }
    let coalitions = (n_players as f64).exp2();
    let of_pattern =
        |pattern: usize| ((n_players - patterns.literals(pattern).len()) as f64).exp2();
    let added: f64 = (0..patterns.len()).map(of_pattern).sum();
    added * n_outputs as f64 + coalitions * (2 * n_players + n_outputs) as f64
}

impl Subsets {
    /// By how much each player lowers the loss: `each` gets its place and the value. `base` is what
    /// patterns add to. Returns the largest loss. Cost as
    /// [`work`] returns.
    pub(super) fn falls(
        &mut self,
        patterns: &Patterns,
        base: &[f64],
        n_players: usize,
        loss: impl Fn(&[f64]) -> f64,
        mut each: impl FnMut(usize, f64),
    ) -> f64 {
        let (all, n_outputs) = ((1_usize << n_players) - 1, base.len());
        self.predictions.clear();
        (0..=all).for_each(|_| self.predictions.extend_from_slice(base));
        for pattern in 0..patterns.len() {
            let (mut has, mut fixed) = (0, 0);
            for literal in patterns.literals(pattern) {
                fixed |= 1 << literal.place();
                has |= usize::from(literal.has()) << literal.place();
            }
            let (adds, free) = (patterns.adds(pattern), all & !fixed);
            // All subsets of the free players.
            let mut some = 0_usize;
            loop {
                let sums = &mut self.predictions[(has | some) * n_outputs..][..n_outputs];
                sums.iter_mut().zip(adds).for_each(|(sum, add)| *sum += add);
                some = some.wrapping_sub(free) & free;
                if some == 0 {
                    break;
                }
            }
        }
        self.losses.clear();
        self.losses.extend(self.predictions.chunks_exact(n_outputs).map(loss));
        let (losses, weights) = (&self.losses, &mut self.weights);
        coalition_weights(n_players, weights);
        for place in 0..n_players {
            let bit = 1 << place;
            let without = (0..losses.len()).filter(|coalition| coalition & bit == 0);
            let falls = without.map(|coalition| {
                let weight = weights[coalition.count_ones() as usize];
                weight * (losses[coalition] - losses[coalition | bit])
            });
            each(place, falls.sum());
        }
        losses.iter().fold(0.0, |largest, loss| loss.abs().max(largest))
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

/// Memory of a thread, of so many players and outputs.
pub(super) fn bytes(n_players: f64, n_outputs: f64) -> f64 {
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
