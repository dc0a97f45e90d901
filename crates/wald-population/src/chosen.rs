//! Which variable a node takes when the best of K is taken that are drawn from the unused ones.

use crate::population::TOLERANCE;
use crate::set::choose;

/// Probabilities of draws for one K.
#[derive(Debug, Clone)]
pub(crate) struct Draws {
    /// By the number of unused variables and i: the probability that none of i given ones is among
    /// the K drawn.
    none_of: Vec<Vec<f64>>,
}

/// Working memory.
#[derive(Debug, Default)]
pub(crate) struct Order(Vec<u32>);

impl Draws {
    pub(crate) fn new(mtry: usize, n_variables: usize) -> Self {
        let of = |n_unused: usize| {
            // A pool smaller than K is taken whole.
            let drawn = mtry.min(n_unused);
            (0..=n_unused).map(|i| choose(n_unused - i, drawn) / choose(n_unused, drawn)).collect()
        };
        Self { none_of: (0..=n_variables).map(of).collect() }
    }
}

impl Order {
    /// Sorts the unused variables by what they gain, the largest first.
    pub(crate) fn sort(&mut self, gains: &[f64]) {
        self.0.clear();
        self.0.extend(0..gains.len() as u32);
        self.0.sort_unstable_by(|&one, &other| {
            gains[other as usize].total_cmp(&gains[one as usize]).then(one.cmp(&other))
        });
    }

    /// The probability of every unused variable to be taken, for a node of the given impurity:
    /// the best of those drawn, equal ones being equally likely.
    pub(crate) fn taken(&self, draws: &Draws, gains: &[f64], impurity: f64, taken: &mut [f64]) {
        let none_of = &draws.none_of[gains.len()];
        let mut start = 0;
        while start < self.0.len() {
            let best = gains[self.0[start] as usize];
            let is_tied = |at: &&u32| best - gains[**at as usize] <= TOLERANCE * impurity;
            let tied = self.0[start..].iter().take_while(is_tied).count().max(1);
            // None of the better ones is drawn, but one of these is.
            let share = (none_of[start] - none_of[start + tied]) / tied as f64;
            self.0[start..start + tied].iter().for_each(|&at| taken[at as usize] = share);
            start += tied;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(mtry: usize, gains: &[f64]) -> Vec<f64> {
        let (mut order, mut found) = (Order::default(), vec![0.0; gains.len()]);
        order.sort(gains);
        order.taken(&Draws::new(mtry, 6), gains, 1.0, &mut found);
        found
    }

    #[test]
    fn the_best_of_those_drawn_is_taken() {
        assert_eq!(taken(1, &[0.1, 0.5, 0.3, 0.2]), [0.25; 4]);
        // Of 6 pairs: the best is in 3, the second best in 2 others.
        let found = taken(2, &[0.1, 0.5, 0.3, 0.2]);
        for (found, expected) in found.into_iter().zip([0.0, 0.5, 2.0 / 6.0, 1.0 / 6.0]) {
            assert!((found - expected).abs() < 1e-15);
        }
        assert_eq!(taken(4, &[0.1, 0.5, 0.3, 0.2]), [0.0, 1.0, 0.0, 0.0]);
        assert_eq!(taken(9, &[0.1, 0.5]), [0.0, 1.0]);
    }

    #[test]
    fn equal_variables_are_equally_likely() {
        assert_eq!(taken(3, &[0.5, 0.1, 0.5 - 1e-13]), [0.5, 0.0, 0.5]);
        assert_eq!(taken(2, &[0.0, 0.0, 0.0]), [1.0 / 3.0; 3]);
    }
}
