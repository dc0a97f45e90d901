//! What the rows weigh that were drawn for a tree.

use crate::data::{Training, TrainingResponse};
use crate::forest::sample::Bag;
use crate::forest::ways::ClassWeight;

/// The rows of a tree's bag, and what each of them weighs there.
#[derive(Debug)]
pub(crate) struct Drawn<'a> {
    pub(super) training: &'a Training,
    bag: &'a Bag,
    /// By class; `None` where a draw weighs the same in all classes.
    of_class: Option<Vec<f64>>,
}

impl<'a> Drawn<'a> {
    /// Cost O(1), or O(rows + classes) where classes are weighed.
    pub(crate) fn new(training: &'a Training, bag: &'a Bag, class_weight: ClassWeight) -> Self {
        let of_class = match class_weight {
            ClassWeight::Equal => None,
            ClassWeight::BalancedSubsample => balanced(training, bag),
        };
        Self { training, bag, of_class }
    }

    /// Whether weights are others than multiplicities.
    pub(crate) fn is_weighted(&self) -> bool {
        self.training.is_weighted() || self.of_class.is_some()
    }

    /// How often a row was drawn.
    pub(crate) fn count(&self, row: u32) -> u16 {
        self.bag.counts()[row as usize]
    }

    /// Multiplicity times case weight, in units, times the weight of the row's class.
    pub(crate) fn weight(&self, row: u32) -> f64 {
        let weight = f64::from(self.count(row)) * self.training.weight(row);
        match (&self.of_class, self.training.response()) {
            (Some(of_class), TrainingResponse::Classes { codes, .. }) => {
                weight * of_class[codes[row as usize] as usize]
            }
            _ => weight,
        }
    }

    /// The weight of the whole bag, in units.
    pub(crate) fn total(&self) -> f64 {
        self.bag.in_bag().map(|row| self.weight(row)).sum()
    }
}

/// All draws over those of the class, times the number of classes that were drawn: each of them has the
/// same weight together, and a draw weighs 1 on average. `None` for numbers. Rows without a case weight
/// count for nothing.
fn balanced(training: &Training, bag: &Bag) -> Option<Vec<f64>> {
    let TrainingResponse::Classes { codes, n_classes } = training.response() else {
        return None;
    };
    let mut draws = vec![0.0; *n_classes];
    for row in bag.in_bag().filter(|&row| training.weight(row) > 0.0) {
        draws[codes[row as usize] as usize] += f64::from(bag.counts()[row as usize]);
    }
    let total: f64 = draws.iter().sum();
    let n_drawn = draws.iter().filter(|draws| **draws > 0.0).count() as f64;
    let weight = |draws: f64| if draws > 0.0 { total / (n_drawn * draws) } else { 0.0 };
    Some(draws.into_iter().map(weight).collect())
}
