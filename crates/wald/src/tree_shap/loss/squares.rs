//! Shapley values of the squared loss, of any number of players: by pairs of patterns.
//!
//! With r what the prediction for the background row is above the response, and u what pattern A
//! adds where a mixture fulfils it, the squared loss of a mixture is
//!
//! `(r + sum u_A [A])^2 = r^2 + sum (2 r u_A + u_A^2) [A] + 2 sum over A < B of u_A u_B [A and B]`,
//!
//! summed over outputs. `[A and B]` is zero where one requires values of the row and the other
//! those of the background row; else it is fulfilled by the coalitions that hold n players and do not
//! hold m others, whose Shapley values are known (Lundberg et al. 2020, Algorithm 3).

use crate::tree_shap::loss::patterns::{Literal, Patterns};
use crate::tree_shap::weights::Weights;

/// Memory for one pair after the other.
#[derive(Debug, Default)]
pub(super) struct Squares {
    weights: Weights,
    /// By place: what the first pattern of a pair requires.
    required: Vec<Option<Literal>>,
    /// By pattern: how many literals require values of the row, and how many for others; what its
    /// literals of either kind get.
    sizes: Vec<(usize, usize)>,
    given: Vec<(f64, f64)>,
    common: Vec<Literal>,
}

/// About how many numbers are read for so many patterns.
pub(super) fn work(patterns: &Patterns) -> f64 {
    let n_patterns = patterns.len() as f64;
    let literals: usize = (0..patterns.len()).map(|pattern| patterns.literals(pattern).len()).sum();
    n_patterns * (0.5 * literals as f64 + 4.0)
}

impl Squares {
    /// By how much each player lowers the squared loss: `each` gets its place and parts of the value.
    /// `above` is by how much the prediction for the background row is above the response, by
    /// output. Returns a bound on the loss of all mixtures. Cost O(patterns^2 * depth).
    pub(super) fn falls(
        &mut self,
        patterns: &Patterns,
        above: &[f64],
        n_players: usize,
        mut each: impl FnMut(usize, f64),
    ) -> f64 {
        let size = |pattern: usize| {
            let literals = patterns.literals(pattern);
            let n_has = literals.iter().filter(|literal| literal.has()).count();
            (n_has, literals.len() - n_has)
        };
        self.sizes.clear();
        self.sizes.extend((0..patterns.len()).map(size));
        self.given.clear();
        self.given.resize(patterns.len(), (0.0, 0.0));
        self.required.clear();
        self.required.resize(n_players, None);
        for one in 0..patterns.len() {
            let adds = patterns.adds(one);
            let alone = above.iter().zip(adds).map(|(above, add)| (2.0 * above + add) * add);
            let (n, m) = self.sizes[one];
            let weight = self.weights.of(n, m);
            let alone: f64 = alone.sum();
            let mut given = (alone * weight.credit, alone * weight.debit);
            for literal in patterns.literals(one) {
                self.required[literal.place()] = Some(*literal);
            }
            for other in 0..one {
                let Some((n_has, n_lacks)) = self.common(patterns.literals(other)) else {
                    continue;
                };
                let product: f64 =
                    adds.iter().zip(patterns.adds(other)).map(|(one, other)| one * other).sum();
                let (of_has, of_lacks) = self.sizes[other];
                let weight = self.weights.of(n + of_has - n_has, m + of_lacks - n_lacks);
                let both = (2.0 * product * weight.credit, 2.0 * product * weight.debit);
                given = (given.0 + both.0, given.1 + both.1);
                let of_other = &mut self.given[other];
                *of_other = (of_other.0 + both.0, of_other.1 + both.1);
                // Literals of both are given twice.
                for literal in &self.common {
                    each(literal.place(), if literal.has() { both.0 } else { -both.1 });
                }
            }
            self.given[one] = given;
            for literal in patterns.literals(one) {
                self.required[literal.place()] = None;
            }
        }
        for (pattern, (credit, debit)) in self.given.iter().enumerate() {
            for literal in patterns.literals(pattern) {
                each(literal.place(), if literal.has() { -credit } else { *debit });
            }
        }
        let bound = |(output, above): (usize, &f64)| {
            let adds = (0..patterns.len()).map(|pattern| patterns.adds(pattern)[output].abs());
            (above.abs() + adds.sum::<f64>()).powi(2)
        };
        above.iter().enumerate().map(bound).sum()
    }

    /// How many literals of a pattern are required anyway, of either kind; `None` where one of them
    /// cannot be fulfilled together with what is required.
    #[inline]
    fn common(&mut self, literals: &[Literal]) -> Option<(usize, usize)> {
        self.common.clear();
        for &literal in literals {
            if let Some(required) = self.required[literal.place()] {
                if required != literal {
                    return None;
                }
                self.common.push(literal);
            }
        }
        let n_has = self.common.iter().filter(|literal| literal.has()).count();
        Some((n_has, self.common.len() - n_has))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree_shap::loss::subsets::Subsets;

    /// A multiplicative generator is random enough here.
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self, below: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.0 >> 33) % below
        }
    }

    #[test]
    fn pairs_of_patterns_give_what_all_coalitions_give() {
        let mut numbers = Numbers(231);
        for n_players in [1, 2, 5, 9, 13] {
            for n_outputs in [1, 3] {
                let (mut found, mut patterns) = (Patterns::default(), Patterns::default());
                found.begin(n_outputs);
                for _ in 0..40 {
                    let places = (0..n_players as u32).filter(|_| numbers.next(3) == 0);
                    let places: Vec<u32> = places.collect();
                    let literals: Vec<Literal> = places
                        .into_iter()
                        .map(|place| Literal::new(place, numbers.next(2) == 0))
                        .collect();
                    let adds: Vec<f64> =
                        (0..n_outputs).map(|_| numbers.next(9) as f64 - 4.0).collect();
                    found.push(literals.into_iter(), adds.into_iter());
                }
                found.merge(&mut patterns);
                assert!(patterns.len() <= found.len());
                let base: Vec<f64> = (0..n_outputs).map(|at| at as f64 - 0.5).collect();
                let (mut by_pairs, mut by_all) = (vec![0.0; n_players], vec![0.0; n_players]);
                let bound = Squares::default().falls(&patterns, &base, n_players, |at, value| {
                    by_pairs[at] += value;
                });
                // The response is zero.
                let loss = |values: &[f64]| values.iter().map(|value| value * value).sum();
                let largest =
                    Subsets::default().falls(&patterns, &base, n_players, loss, |at, value| {
                        by_all[at] += value;
                    });
                assert!(largest <= bound);
                for (one, other) in by_pairs.iter().zip(by_all) {
                    assert!((one - other).abs() < 1e-12 * largest.max(1.0), "{one} is not {other}");
                }
            }
        }
    }
}
