//! What is known of the target in a cell, and how impure it is.

use wald::forest::Impurity;

/// How the target of a cell is summed up in a few numbers, its state: the probability of every
/// class, or of a number its probability, mean, and sum of squared deviations.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Response {
    pub(crate) impurity: Impurity,
    /// Numbers per cell.
    pub(crate) stride: usize,
}

impl Response {
    /// Adds what is known of one cell to another one.
    #[inline]
    pub(crate) fn merge(self, into: &mut [f64], from: &[f64]) {
        if self.impurity == Impurity::Variance {
            // Chan, Golub & LeVeque: sums of squares would lose the digits of cells whose spread
            // is small beside their mean.
            let weight = into[0] + from[0];
            let apart = from[1] - into[1];
            if weight > 0.0 {
                let share = from[0] / weight;
                into[2] += from[2] + apart * apart * into[0] * share;
                into[1] += apart * share;
                into[0] = weight;
            }
        } else {
            into.iter_mut().zip(from).for_each(|(into, from)| *into += from);
        }
    }

    /// The probability of a cell.
    pub(crate) fn weight(self, state: &[f64]) -> f64 {
        if self.impurity == Impurity::Variance { state[0] } else { state.iter().sum() }
    }

    /// The impurity of a cell times its probability.
    #[inline]
    pub(crate) fn left(self, state: &[f64]) -> f64 {
        match self.impurity {
            // Others are refused before.
            Impurity::Variance | Impurity::Poisson | Impurity::AbsoluteError => state[2],
            Impurity::Gini => {
                let weight: f64 = state.iter().sum();
                // What is left of the weight without the largest mass would lose the digits of rare classes.
                let by_mass = |one: &usize, other: &usize| state[*one].total_cmp(&state[*other]);
                let largest = (0..state.len()).max_by(by_mass);
                let rest = || (0..state.len()).filter(|&class| Some(class) != largest);
                let others = |class: usize| state[class] * ((weight - state[class]) / weight);
                let of_largest = |class: usize| {
                    state[class] * (rest().map(|class| state[class]).sum::<f64>() / weight)
                };
                let of_rest = || rest().filter(|&class| state[class] > 0.0).map(others);
                largest.filter(|_| weight > 0.0).map_or(0.0, of_largest) + of_rest().sum::<f64>()
            }
            Impurity::Entropy => {
                let weight: f64 = state.iter().sum();
                let term = |mass: &f64| -mass * (mass / weight).log2();
                state.iter().filter(|mass| **mass > 0.0 && **mass < weight).map(term).sum()
            }
        }
    }

    /// The sum of [`Response::left`] over cells, which are put together in blocks: rounding errors
    /// grow with the logarithm of their number only.
    pub(crate) fn left_of_all(self, states: &[f64]) -> f64 {
        const BLOCK: usize = 32;
        if states.len() <= BLOCK * self.stride {
            return states.chunks_exact(self.stride).map(|state| self.left(state)).sum();
        }
        let half = (states.len() / self.stride).div_ceil(2) * self.stride;
        let (one, other) = states.split_at(half);
        self.left_of_all(one) + self.left_of_all(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impurities_are_those_of_their_definitions() {
        let of = |impurity, state: &[f64]| Response { impurity, stride: state.len() }.left(state);
        assert_eq!(of(Impurity::Entropy, &[0.25, 0.25]), 0.5);
        assert_eq!(of(Impurity::Entropy, &[0.3, 0.0]), 0.0);
        assert_eq!(of(Impurity::Gini, &[0.25, 0.25]), 0.25);
        assert_eq!(of(Impurity::Gini, &[0.0, 0.7]), 0.0);
        assert_eq!(of(Impurity::Gini, &[0.0, 0.0]), 0.0);
        assert_eq!(of(Impurity::Gini, &[0.2, 0.1, 0.1]), 0.25);
        let (rare, frequent) = (3e-18, 1.0);
        assert_eq!(of(Impurity::Gini, &[rare, frequent]), 6e-18);
    }

    #[test]
    fn variances_far_from_zero_keep_their_digits() {
        let response = Response { impurity: Impurity::Variance, stride: 3 };
        let mut state = [0.0; 3];
        for value in [1e8, 1e8 + 1.0, 1e8 + 2.0, 1e8 + 3.0] {
            response.merge(&mut state, &[0.25, value, 0.0]);
        }
        assert_eq!(response.left(&state), 1.25);
        assert_eq!(response.weight(&state), 1.0);
    }
}
