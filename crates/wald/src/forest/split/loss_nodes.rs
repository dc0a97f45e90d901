//! What nodes are by other losses than the squared one, and how divisions among sides are read.

use crate::forest::position::Position;
use crate::forest::split::children::{ChildScorer, Divided, Mask};
use crate::forest::split::dependence::{Dependence, TestScorer};
use crate::forest::split::deviance::unit_deviance;
use crate::forest::split::losses::LossScorer;
use crate::forest::split::scorer::Scorer;

impl LossScorer {
    /// The mean of counts, and their deviance from it times their weight.
    pub(super) fn describe_counts<P: Position>(&mut self, members: &[P]) -> (f64, f64) {
        let (mut weight, mut sum) = (0.0, 0.0);
        let first = self.rows[members[0].index()][0];
        let mut is_pure = true;
        self.n_positive = 0;
        for position in members {
            let [response, row_weight] = self.rows[position.index()];
            weight += row_weight;
            // Counts are not negative, so that their sum loses no digits.
            sum += row_weight * response;
            is_pure &= response == first;
            self.n_positive += u32::from(response > 0.0);
        }
        self.weight = weight;
        if is_pure {
            return (first, 0.0);
        }
        let mean = sum / weight;
        let deviance = |position: &P| {
            let [response, weight] = self.rows[position.index()];
            weight * mean * unit_deviance((response - mean) / mean)
        };
        (mean, members.iter().map(deviance).sum())
    }

    /// The median, and the weighted distances from it.
    pub(super) fn describe_median<P: Position>(&mut self, members: &[P]) -> (f64, f64) {
        self.sorted.clear();
        let rows = &self.rows;
        let found = members.iter().map(|position| position.index());
        self.sorted.extend(found.map(|position| (rows[position][0], position as u32)));
        self.sorted
            .sort_unstable_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        let Self { sorted, pairs, places, medians, .. } = self;
        pairs.clear();
        pairs.extend(sorted.iter().map(|&(value, position)| (value, rows[position as usize][1])));
        self.weight = pairs.iter().map(|(_, weight)| weight).sum();
        medians.start(pairs, |row, place| places[sorted[row].1 as usize] = place)
    }
}

impl ChildScorer for LossScorer {
    fn read<P: Position>(&mut self, members: &[P]) {
        self.read.clear();
        self.read.extend(members.iter().map(|position| position.index() as u32));
    }

    fn score_sides(&mut self, sides: &[Mask]) -> Divided {
        let read = std::mem::take(&mut self.read);
        let mut left = self.start();
        let mut draws = 0.0;
        for (&position, mask) in read.iter().zip(sides) {
            draws += self.draws_of(position as usize);
            if mask & 1 == 1 {
                self.push(&mut left, position as usize);
            }
        }
        self.read = read;
        let is_allowed = self.allows_sides(&left);
        let score = if is_allowed { self.score(&left) } else { f64::NEG_INFINITY };
        Divided {
            score,
            least_draws: left.draws.min(draws - left.draws),
            least_weight: left.weight.min(self.weight - left.weight),
        }
    }

    /// Of two children at most: these losses are refused before a tree of branches is grown.
    fn score_children(&mut self, _: &[u32], _: usize) -> Divided {
        Divided { score: f64::NEG_INFINITY, least_draws: 0.0, least_weight: 0.0 }
    }

    fn decrease_of_division(&self, score: f64) -> f64 {
        self.decrease(score)
    }
}

/// There are no tests of these losses: they are refused before a tree of tests is grown.
impl TestScorer for LossScorer {
    fn dependence_on_numbers(&mut self, _: &[f64]) -> Option<Dependence> {
        None
    }

    fn dependence_on_levels(&mut self, _: &[u32], _: usize) -> Option<Dependence> {
        None
    }
}
