//! The best threshold of sorted rows for classes.

use crate::forest::split::classes::{ClassScorer, LeftTerms};
use crate::forest::split::limits::Limits;
use crate::forest::split::scorer::{Found, Scorer};
use crate::forest::split::sequence::Sequence;

impl ClassScorer {
    /// The best threshold by the scores after each row.
    pub(super) fn scan_pushing<Q: Sequence>(
        &mut self,
        mut left: LeftTerms,
        sequence: &Q,
        limits: Limits,
        mut score: f64,
    ) -> Option<Found> {
        let mut found = None;
        for (index, pair) in sequence.items().windows(2).enumerate() {
            self.push(&mut left, sequence.position(pair[0]));
            let here = self.score(&left);
            if here > score + self.tolerance()
                && sequence.key(pair[0]) != sequence.key(pair[1])
                && limits.allow(self.draws_left(&left), self.weights(&left))
                && self.allows_left(left.weight)
            {
                score = here;
                let draws_left = self.draws_left(&left);
                found = Some(Found { score, n_before: index as u32 + 1, draws_left });
            }
        }
        found
    }

    /// The same, but compares without dividing.
    pub(super) fn scan_gini<Q: Sequence, const WEIGHTED: bool>(
        &mut self,
        mut left: LeftTerms,
        sequence: &Q,
        limits: Limits,
        mut score: f64,
    ) -> Option<Found> {
        let (total, tolerance) = (self.weight, self.tolerance());
        let mut threshold = score + tolerance;
        let mut found = None;
        for (index, pair) in sequence.items().windows(2).enumerate() {
            let position = sequence.position(pair[0]);
            let (class, weight) = self.rows[position];
            let on_left = &mut self.left[class as usize];
            let on_right = self.totals[class as usize] - *on_left;
            left.left += weight * (weight + 2.0 * *on_left);
            left.right += weight * (weight - 2.0 * on_right);
            *on_left += weight;
            left.weight += weight;
            if WEIGHTED {
                left.draws += f64::from(self.draws[position]);
            }
            let right_weight = total - left.weight;
            let is_better = left.left * right_weight + left.right * left.weight
                > threshold * (left.weight * right_weight);
            if is_better && (Q::ALL_DIFFER || sequence.key(pair[0]) != sequence.key(pair[1])) {
                let (here, draws_left) = (self.score(&left), self.draws_left(&left));
                if here > threshold
                    && limits.allow(draws_left, self.weights(&left))
                    && self.allows_left(left.weight)
                {
                    score = here;
                    threshold = score + tolerance;
                    found = Some(Found { score, n_before: index as u32 + 1, draws_left });
                }
            }
        }
        found
    }
}
