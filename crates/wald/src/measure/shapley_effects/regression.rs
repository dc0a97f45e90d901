//! Least squares whose solution are Shapley values.

use super::coalitions::Coalitions;

/// A pivot below this share of the largest one is zero.
const NOTHING: f64 = 1e-10;

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
    /// Cost O(n^3 + coalitions * n^2); `None` where coalitions do not tell players apart.
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

    /// Squares of the standard errors of drawing coalitions: every pair of a coalition and its
    /// complement moves the solution by what it misses (the sandwich of weighted least squares).
    pub(super) fn squared_errors(
        &self,
        coalitions: &Coalitions,
        values: &[f64],
        shares: &[f64],
    ) -> Vec<f64> {
        let n = self.of_all.len();
        let mut squares = vec![0.0; n];
        if !coalitions.are_drawn {
            return squares;
        }
        for pair in 0..coalitions.sets.len() / 2 {
            let mut pull = vec![0.0; n];
            for at in [2 * pair, 2 * pair + 1] {
                let members: Vec<usize> =
                    (0..n).filter(|&player| coalitions.sets[at].contains(player as u32)).collect();
                let fitted: f64 = members.iter().map(|&player| shares[player]).sum();
                let missed = coalitions.weights[at] * (values[at] - fitted);
                members.iter().for_each(|&player| pull[player] += missed);
            }
            // A pair that was drawn k times is k draws of the same.
            let times = coalitions.times[2 * pair];
            for (square, moved) in squares.iter_mut().zip(self.times_free(&pull)) {
                *square += moved * moved / times;
            }
        }
        squares
    }

    fn times_free(&self, vector: &[f64]) -> Vec<f64> {
        let rows = self.free.chunks_exact(vector.len().max(1));
        rows.map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
    }
}

/// The inverse of a symmetric positive definite matrix by its Cholesky factor; `None` where it has
/// none.
fn inverse(mut matrix: Vec<f64>, n: usize) -> Option<Vec<f64>> {
    let largest = (0..n).map(|at| matrix[at * n + at]).fold(0.0, f64::max);
    for column in 0..n {
        let before: f64 = (0..column).map(|k| matrix[column * n + k].powi(2)).sum();
        let pivot = matrix[column * n + column] - before;
        if pivot <= NOTHING * largest {
            return None;
        }
        let pivot = pivot.sqrt();
        matrix[column * n + column] = pivot;
        for row in column + 1..n {
            let before: f64 =
                (0..column).map(|k| matrix[row * n + k] * matrix[column * n + k]).sum();
            matrix[row * n + column] = (matrix[row * n + column] - before) / pivot;
        }
    }
    let mut inverse = vec![0.0; n * n];
    let mut solution = vec![0.0; n];
    for unit in 0..n {
        for row in 0..n {
            let before: f64 = (0..row).map(|k| matrix[row * n + k] * solution[k]).sum();
            solution[row] = (f64::from(u8::from(row == unit)) - before) / matrix[row * n + row];
        }
        for row in (0..n).rev() {
            let after: f64 = (row + 1..n).map(|k| matrix[k * n + row] * solution[k]).sum();
            solution[row] = (solution[row] - after) / matrix[row * n + row];
        }
        (0..n).for_each(|row| inverse[row * n + unit] = solution[row]);
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::shapley_effects::coalitions::tests::pairs;

    /// A pair that was drawn k times has k times the weight, and must say what k pairs of one draw
    /// each say.
    #[test]
    fn a_pair_drawn_often_errs_like_as_many_pairs() {
        let n = 3;
        let once = pairs(n, &[(&[0], 2.0, 4.0), (&[1], 1.0, 1.0), (&[2], 0.5, 1.0)]);
        let often = pairs(
            n,
            &[
                (&[0], 0.5, 1.0),
                (&[0], 0.5, 1.0),
                (&[1], 1.0, 1.0),
                (&[0], 0.5, 1.0),
                (&[2], 0.5, 1.0),
                (&[0], 0.5, 1.0),
            ],
        );
        // Of a set and of its complement.
        let value = |players: u32| if players == 0 { [0.5, 0.7] } else { [0.1, 0.9] };
        let found =
            [(once, vec![0, 1, 2]), (often, vec![0, 0, 1, 0, 2, 0])].map(|(sets, order)| {
                let values: Vec<f64> = order.into_iter().flat_map(value).collect();
                let regression = Regression::new(&sets, n).expect("players are told apart");
                let shares = regression.shares(&sets, &values, 1.0);
                let errors = regression.squared_errors(&sets, &values, &shares);
                (shares, errors)
            });
        let [(shares, errors), (same_shares, same_errors)] = found;
        for (one, other) in shares.iter().zip(same_shares).chain(errors.iter().zip(same_errors)) {
            assert!((one - other).abs() < 1e-12, "{one} instead of {other}");
        }
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(errors.iter().all(|error| *error > 1e-6), "{errors:?}");
    }
}
