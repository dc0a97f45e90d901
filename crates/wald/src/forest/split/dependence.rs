//! How much the response depends on a variable among the rows of a node: what the test of
//! conditional inference trees is made of (Hothorn, Hornik & Zeileis 2006, Equations 1 to 4; see
//! `crate::association` for why no matrix is inverted).

use crate::forest::split::children::ChildScorer;
use crate::forest::split::classes::ClassScorer;
use crate::forest::split::criterion::Criterion;
use crate::forest::split::numbers::NumberScorer;

/// The quadratic form of the linear statistic, divided by the weight less one, with its degrees
/// of freedom, and the weight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Dependence {
    pub(crate) share: f64,
    pub(crate) degrees: f64,
    pub(crate) weight: f64,
}

/// Measures how much the response depends on variables.
///
/// The current node must consist of the rows read last ([`ChildScorer::read`]).
pub(crate) trait TestScorer: ChildScorer {
    /// Of a variable of numbers, given one for every row read; `None` where the numbers or the
    /// responses do not vary. Cost O(rows + classes).
    fn dependence_on_numbers(&mut self, numbers: &[f64]) -> Option<Dependence>;

    /// Of a variable of levels, given the level's place among those present for every row read;
    /// `None` where the responses do not vary. Cost O(rows + classes).
    fn dependence_on_levels(&mut self, levels: &[u32], n_levels: usize) -> Option<Dependence>;
}

/// Weighted mean of some numbers, and their weighted squared deviations from it.
fn spread(numbers: &[f64], weights: impl Iterator<Item = f64> + Clone) -> Option<(f64, f64)> {
    // Distances from one of the numbers, so that a large common offset costs no digits, and equal
    // numbers have none.
    let origin = *numbers.first()?;
    let (mut sum, mut weight) = (0.0, 0.0);
    for (number, row_weight) in numbers.iter().zip(weights.clone()) {
        sum += row_weight * (number - origin);
        weight += row_weight;
    }
    let mean = origin + sum / weight;
    let squares = |(number, weight): (&f64, f64)| weight * (number - mean) * (number - mean);
    Some((mean, numbers.iter().zip(weights).map(squares).sum()))
}

impl TestScorer for NumberScorer {
    /// The squared correlation.
    fn dependence_on_numbers(&mut self, numbers: &[f64]) -> Option<Dependence> {
        let (mean, squares) = spread(numbers, self.node.weights.iter().copied())?;
        let deviations = numbers.iter().zip(&self.node.deviations);
        let covariance: f64 =
            deviations.map(|(number, deviation)| (number - mean) * deviation).sum();
        // The root of a product could overflow.
        let correlation = covariance / squares.sqrt() / self.squares.sqrt();
        (squares > 0.0 && self.squares > 0.0).then(|| Dependence {
            share: (correlation * correlation).min(1.0),
            degrees: 1.0,
            weight: self.weight,
        })
    }

    /// The share of the response's variance between levels.
    fn dependence_on_levels(&mut self, levels: &[u32], n_levels: usize) -> Option<Dependence> {
        let between = self.score_children(levels, n_levels).score;
        (self.squares > 0.0).then(|| Dependence {
            share: (between / self.squares).min(1.0),
            degrees: n_levels as f64 - 1.0,
            weight: self.weight,
        })
    }
}

impl ClassScorer {
    /// Classes at the node less one, if there are two of them.
    fn degrees(&self) -> Option<f64> {
        let n_classes = self.node.classes.len();
        (n_classes > 1).then_some(n_classes as f64 - 1.0)
    }
}

impl TestScorer for ClassScorer {
    /// The share of the variable's variance between classes.
    fn dependence_on_numbers(&mut self, numbers: &[f64]) -> Option<Dependence> {
        let degrees = self.degrees()?;
        let weights = self.node.pairs.iter().map(|&(_, weight)| weight);
        let (mean, squares) = spread(numbers, weights)?;
        for (number, &(class, weight)) in numbers.iter().zip(&self.node.pairs) {
            self.left[class as usize] += weight * (number - mean);
        }
        let mut between = 0.0;
        for &class in &self.node.classes {
            let sum = std::mem::take(&mut self.left[class as usize]);
            between += sum * (sum / self.totals[class as usize]);
        }
        (squares > 0.0).then(|| Dependence {
            share: (between / squares).min(1.0),
            degrees,
            weight: self.weight,
        })
    }

    /// Pearson's chi-square of levels and classes, divided by the weight.
    fn dependence_on_levels(&mut self, levels: &[u32], n_levels: usize) -> Option<Dependence> {
        debug_assert_eq!(self.criterion, Criterion::ChiSquare, "other scores are no test");
        let degrees = self.degrees()? * (n_levels as f64 - 1.0);
        let share = (self.score_children(levels, n_levels).score - 1.0).max(0.0);
        Some(Dependence { share, degrees, weight: self.weight })
    }
}
