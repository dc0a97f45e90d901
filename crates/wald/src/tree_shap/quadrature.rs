//! Gauss-Legendre quadrature on the interval from 0 to 1.

/// Newton's method has found a root when it moves by less.
const PRECISION: f64 = 1e-15;

/// Places and weights that integrate polynomials of degree below twice their number exactly.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rule {
    pub(super) places: Vec<f64>,
    pub(super) weights: Vec<f64>,
}

/// Some of the places of a rule, and their weights.
#[derive(Debug, Clone, Copy)]
pub(super) struct PartOfRule<'a> {
    pub(super) places: &'a [f64],
    pub(super) weights: &'a [f64],
}

impl Rule {
    /// All places, at most `n_together` at a time.
    pub(super) fn parts(&self, n_together: usize) -> impl Iterator<Item = PartOfRule<'_>> {
        let parts = self.places.chunks(n_together).zip(self.weights.chunks(n_together));
        parts.map(|(places, weights)| PartOfRule { places, weights })
    }

    /// The rule of `n` places. Cost O(n^2).
    pub(super) fn new(n: usize) -> Self {
        let (mut places, mut weights) = (Vec::with_capacity(n), Vec::with_capacity(n));
        for index in 0..n {
            // Tricomi's first term; roots are symmetric, so that the smaller ones come first.
            let angle = std::f64::consts::PI * (index as f64 + 0.75) / (n as f64 + 0.5);
            let mut root = -angle.cos();
            let mut slope = 1.0;
            // Convergence is quadratic from there: five steps are many.
            for _ in 0..20 {
                let (value, derivative) = legendre(n, root);
                slope = derivative;
                let step = value / derivative;
                root -= step;
                if step.abs() < PRECISION {
                    break;
                }
            }
            places.push(0.5 + 0.5 * root);
            weights.push(1.0 / ((1.0 - root * root) * slope * slope));
        }
        Self { places, weights }
    }
}

/// The Legendre polynomial of degree n >= 1 and its derivative, inside (-1, 1).
fn legendre(n: usize, x: f64) -> (f64, f64) {
    let (mut before, mut value) = (1.0, x);
    for degree in 2..=n {
        let degree = degree as f64;
        let next = ((2.0 * degree - 1.0) * x * value - (degree - 1.0) * before) / degree;
        (before, value) = (value, next);
    }
    (value, n as f64 * (before - x * value) / (1.0 - x * x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_integrated_exactly() {
        for n in [1, 2, 3, 7, 12, 50, 200] {
            let rule = Rule::new(n);
            for power in 0..2 * n as i32 {
                let terms = rule.places.iter().zip(&rule.weights);
                let integral: f64 = terms.map(|(place, weight)| weight * place.powi(power)).sum();
                let exact = 1.0 / f64::from(power + 1);
                assert!((integral - exact).abs() < 1e-13, "{n} places, power {power}: {integral}");
            }
        }
    }

    #[test]
    fn the_rule_of_two_places_is_that_of_the_textbook() {
        let rule = Rule::new(2);
        let half = 0.5 / 3.0_f64.sqrt();
        assert!((rule.places[0] - (0.5 - half)).abs() < 1e-16);
        assert!((rule.places[1] - (0.5 + half)).abs() < 1e-16);
        assert!((rule.weights[0] - 0.5).abs() < 1e-15);
    }
}
