//! Least squares whose solution are Shapley values.

use std::ops::Range;

use super::coalitions::{Coalitions, Stratum};
use crate::cholesky::Cholesky;

/// What is left of a pair that the solution follows but for rounding.
const LEAST_LEFT: f64 = 1e-9;

/// From what coalitions are worth to what players get: the numbers `b`, one per player, that
/// minimise the sum of weight * (value of U - sum of `b` over U)^2 over coalitions U, and sum up to
/// the value of all players. That is linear in the values.
#[derive(Debug)]
pub(super) struct Regression {
    /// The normal matrix's inverse without the direction that the sum decides, n * n.
    free: Vec<f64>,
    /// What every player gets of the value of all.
    of_all: Vec<f64>,
}

impl Regression {
    /// Cost O(n^3 + coalitions * n^2); `None` where coalitions do not separate players.
    pub(super) fn new(coalitions: &Coalitions, n: usize) -> Option<Self> {
        if n < 2 {
            return Some(Self { free: vec![0.0; n * n], of_all: vec![1.0; n] });
        }
        let mut normal = vec![0.0; n * n];
        for (set, weight) in coalitions.sets.iter().zip(&coalitions.weights) {
            let members: Vec<usize> =
                (0..n).filter(|&player| set.contains(player as u32)).collect();
            for &one in &members {
                members.iter().for_each(|&other| normal[one * n + other] += weight);
            }
        }
        let inverse = inverse(normal, n)?;
        let sums: Vec<f64> = inverse.chunks_exact(n).map(|row| row.iter().sum()).collect();
        let total: f64 = sums.iter().sum();
        let of_all = sums.iter().map(|sum| sum / total).collect();
        let free = (0..n * n).map(|at| inverse[at] - sums[at / n] * sums[at % n] / total).collect();
        Some(Self { free, of_all })
    }

    /// The share of every player.
    pub(super) fn shares(&self, coalitions: &Coalitions, values: &[f64], of_all: f64) -> Vec<f64> {
        let n = self.of_all.len();
        let mut right = vec![0.0; n];
        let terms = coalitions.sets.iter().zip(&coalitions.weights).zip(values);
        for ((set, weight), value) in terms {
            let members = (0..n).filter(|&player| set.contains(player as u32));
            members.for_each(|player| right[player] += weight * value);
        }
        let free = self.times_free(&right);
        free.iter().zip(&self.of_all).map(|(free, share)| free + share * of_all).collect()
    }

    /// By pair, what every player gets of what its set is worth more than the complement.
    pub(super) fn of_pairs(&self, coalitions: &Coalitions) -> Vec<Vec<f64>> {
        let of_pair = |pair: usize| -> Vec<f64> {
            let (set, weight) = (&coalitions.sets[2 * pair], coalitions.weights[2 * pair]);
            let members = (0..self.of_all.len())
                .map(|player| f64::from(u8::from(set.contains(player as u32))));
            // The complement moves players as far the other way.
            let moved = self.times_free(&members.collect::<Vec<f64>>());
            moved.into_iter().map(|moved| weight * moved).collect()
        };
        (0..coalitions.sets.len() / 2).map(of_pair).collect()
    }

    /// What every player gets of what all of them are worth.
    pub(super) fn of_all(&self) -> &[f64] {
        &self.of_all
    }

    fn times_free(&self, vector: &[f64]) -> Vec<f64> {
        let rows = self.free.chunks_exact(vector.len().max(1));
        rows.map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
    }
}

/// The inverse of a symmetric positive definite matrix; `None` where it has none.
fn inverse(matrix: Vec<f64>, n: usize) -> Option<Vec<f64>> {
    let factored = Cholesky::new(matrix, n)?;
    let mut inverse = vec![0.0; n * n];
    let mut solution = vec![0.0; n];
    for unit in 0..n {
        solution.fill(0.0);
        solution[unit] = 1.0;
        factored.solve(&mut solution);
        (0..n).for_each(|row| inverse[row * n + unit] = solution[row]);
    }
    Some(inverse)
}

/// How the solution of least squares moves with the pairs that were drawn.
#[derive(Debug)]
pub(super) struct Drawing<'a> {
    coalitions: &'a Coalitions,
    /// The first pair that was drawn.
    first: usize,
    /// By pair from there on: by how much the players move for what it misses.
    directions: Vec<Vec<f64>>,
}

impl<'a> Drawing<'a> {
    /// A pair moves the solution by what it misses, which is less than it would be if the solution did
    /// not follow the pair (its leverage). `None` where the solution follows a pair altogether.
    pub(super) fn new(regression: &Regression, coalitions: &'a Coalitions) -> Option<Self> {
        let n = regression.of_all.len();
        let first = coalitions.drawn.first().map_or(coalitions.sets.len() / 2, |of| of.pairs.start);
        let direction = |pair: usize| {
            let (set, weight) = (&coalitions.sets[2 * pair], coalitions.weights[2 * pair]);
            let members: Vec<f64> =
                (0..n).map(|player| f64::from(u8::from(set.contains(player as u32)))).collect();
            // The complement moves players as far the other way.
            let moved = regression.times_free(&members);
            let of_members = moved.iter().zip(&members).map(|(moved, member)| moved * member);
            let left = 1.0 - 2.0 * weight * of_members.sum::<f64>();
            let scale = (left > LEAST_LEFT).then(|| weight / left.sqrt())?;
            Some(moved.into_iter().map(|moved| scale * moved).collect())
        };
        let pairs = first..coalitions.sets.len() / 2;
        let directions = pairs.map(direction).collect::<Option<_>>()?;
        Some(Self { coalitions, first, directions })
    }

    /// By pair, what its set misses more than its complement, given how much more it is worth.
    pub(super) fn missed(&self, more: &[f64], shares: &[f64]) -> Vec<f64> {
        let of_all: f64 = shares.iter().sum();
        let missed = |pair: usize| {
            let set = &self.coalitions.sets[2 * pair];
            let members = (0..shares.len()).filter(|&player| set.contains(player as u32));
            more[pair] - 2.0 * members.map(|player| shares[player]).sum::<f64>() + of_all
        };
        (self.first..self.coalitions.sets.len() / 2).map(missed).collect()
    }

    /// Squares of the standard errors of drawing, as of a regression estimator in strata.
    pub(super) fn squared_errors(&self, missed: &[f64]) -> Vec<f64> {
        self.over_strata(|pairs, player| {
            let moved = || {
                let directions = self.directions[pairs.clone()].iter();
                directions.zip(&missed[pairs.clone()]).map(|(of, missed)| of[player] * missed)
            };
            let count = pairs.len() as f64;
            // Of a single pair, nothing but its distance from zero is known.
            let mean = if count > 1.0 { moved().sum::<f64>() / count } else { 0.0 };
            moved().map(|moved| (moved - mean).powi(2)).sum::<f64>() * count
                / (count - 1.0).max(1.0)
        })
    }

    /// The same for independent parts that each miss little, by the sums of their squares.
    pub(super) fn squared_errors_of_parts(&self, squares: &[f64]) -> Vec<f64> {
        self.over_strata(|pairs, player| {
            let directions = self.directions[pairs.clone()].iter();
            directions.zip(&squares[pairs]).map(|(of, square)| of[player].powi(2) * square).sum()
        })
    }

    fn over_strata(&self, square: impl Fn(Range<usize>, usize) -> f64) -> Vec<f64> {
        let n = self.directions.first().map_or(0, Vec::len);
        let of_player = |player: usize| -> f64 {
            let of_stratum = |stratum: &Stratum| {
                let pairs = stratum.pairs.start - self.first..stratum.pairs.end - self.first;
                (1.0 - stratum.share) * square(pairs, player)
            };
            self.coalitions.drawn.iter().map(of_stratum).sum()
        };
        (0..n).map(of_player).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::projection::shapley_effects::coalitions::tests::pairs;

    /// Values of a set and its complement that differ from additive ones by the same amount move nothing.
    #[test]
    fn what_a_common_amount_adds_to_a_pair_is_no_error() {
        let n = 3;
        let drawn: &[(&[u32], f64)] = &[(&[0], 1.0), (&[1], 1.0), (&[2], 1.0), (&[2], 1.0)];
        let sets = pairs(n, drawn, 30.0);
        let regression = Regression::new(&sets, n).expect("players are distinguished");
        let of = |more: f64| {
            let additive = [0.5, 0.3, 0.2, 0.2];
            let values: Vec<f64> =
                additive.iter().flat_map(|x| [x + more, 1.0 - x + more]).collect();
            let shares = regression.shares(&sets, &values, 1.0);
            let drawing = Drawing::new(&regression, &sets).expect("no pair is followed");
            let more: Vec<f64> = values.chunks_exact(2).map(|pair| pair[0] - pair[1]).collect();
            let missed = drawing.missed(&more, &shares);
            (shares, drawing.squared_errors(&missed))
        };
        for (shares, errors) in [of(0.0), of(0.1)] {
            for (share, expected) in shares.iter().zip([0.5, 0.3, 0.2]) {
                assert!((share - expected).abs() < 1e-12, "{shares:?}");
            }
            assert!(errors.iter().all(|error| *error < 1e-24), "{errors:?}");
        }
    }
}
