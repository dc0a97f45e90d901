//! Scores of divisions among any number of children, summed up from all rows of a node at once.

use crate::forest::position::Position;
use crate::forest::split::classes::ClassScorer;
use crate::forest::split::criterion::Criterion;
use crate::forest::split::numbers::NumberScorer;
use crate::forest::split::scorer::Scorer;

/// Sums are kept in this many parts, so that one addition need not wait for the one before.
const PARTS: usize = 4;

/// Scores divisions of the current node that know no order of its rows.
///
/// Scores of one node compare with each other, whatever the number of children, and are tied
/// where they differ by no more than [`Scorer::tolerance`].
pub(crate) trait ChildScorer: Scorer {
    /// Reads the rows of the current node; divisions speak of them in this order.
    fn read<P: Position>(&mut self, members: &[P]);

    /// Scores the division of the rows read between two sides.
    fn score_sides(&mut self, left: &[Mask]) -> Divided;

    /// Scores the division of the rows read among children, none of which is empty.
    fn score_children(&mut self, children: &[u32], n_children: usize) -> Divided;

    /// As [`Scorer::decrease`], for the scores of this trait.
    fn decrease_of_division(&self, score: f64) -> f64;
}

/// All bits of a row that goes left, and none of the others: numbers are masked by it, where a
/// branch would be taken at random.
pub(crate) type Mask = u64;

/// The mask of a row.
#[inline]
pub(crate) fn mask(is_left: bool) -> Mask {
    Mask::from(is_left).wrapping_neg()
}

/// A division, summed up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Divided {
    /// The part of the impurity's decrease that depends on the division.
    pub(crate) score: f64,
    /// Draws of the child that has fewest.
    pub(crate) least_draws: f64,
    /// Weight of the child that has least.
    pub(crate) least_weight: f64,
}

#[inline]
fn masked(number: f64, mask: Mask) -> f64 {
    f64::from_bits(number.to_bits() & mask)
}

/// The sum of the numbers on the left, in a fixed order.
fn sum_left(numbers: &[f64], left: &[Mask]) -> f64 {
    let mut parts = [0.0; PARTS];
    let (blocks, rest) = numbers.as_chunks::<PARTS>();
    let (masks, last_masks) = left.as_chunks::<PARTS>();
    for (numbers, masks) in blocks.iter().zip(masks) {
        for part in 0..PARTS {
            parts[part] += masked(numbers[part], masks[part]);
        }
    }
    let sum = (parts[0] + parts[1]) + (parts[2] + parts[3]);
    let rest = rest.iter().zip(last_masks);
    rest.fold(sum, |sum, (&number, &mask)| sum + masked(number, mask))
}

/// The fewer of the draws on the left and on the right.
fn least_draws(draws: &[f64], left: &[Mask]) -> f64 {
    let on_left = sum_left(draws, left);
    on_left.min(draws.iter().sum::<f64>() - on_left)
}

impl ChildScorer for NumberScorer {
    fn read<P: Position>(&mut self, members: &[P]) {
        let known = &mut self.node;
        known.weights.clear();
        known.weights.extend(members.iter().map(|position| self.rows[position.index()][0]));
        known.deviations.clear();
        known.deviations.extend(members.iter().map(|position| self.rows[position.index()][1]));
        known.draws.clear();
        if !self.draws.is_empty() {
            let draws = members.iter().map(|position| f64::from(self.draws[position.index()]));
            known.draws.extend(draws);
        }
    }

    fn score_sides(&mut self, left: &[Mask]) -> Divided {
        let known = &self.node;
        let (weight, sum) = (sum_left(&known.weights, left), sum_left(&known.deviations, left));
        let rest = self.weight - weight;
        let product = weight * rest;
        let score = if product > 0.0 && self.allows_sums(weight, sum) {
            sum * sum * self.weight / product
        } else {
            f64::NEG_INFINITY
        };
        let least_weight = weight.min(rest);
        let least_draws =
            if known.draws.is_empty() { least_weight } else { least_draws(&known.draws, left) };
        Divided { score, least_draws, least_weight }
    }

    /// The reduction of the sum of squares: the sum over children of S^2 / W, S being the sum of
    /// weighted deviations from the node's mean.
    fn score_children(&mut self, children: &[u32], n_children: usize) -> Divided {
        let known = &mut self.node;
        known.sums.clear();
        known.sums.resize(n_children, [0.0; 3]);
        for (row, &child) in children.iter().enumerate() {
            let weight = known.weights[row];
            let sums = &mut known.sums[child as usize];
            sums[0] += weight;
            sums[1] += known.deviations[row];
            sums[2] += known.draws.get(row).copied().unwrap_or(weight);
        }
        let score = known.sums.iter().map(|[weight, sum, _]| sum * sum / weight).sum();
        let least =
            |of: usize| known.sums.iter().map(|sums| sums[of]).fold(f64::INFINITY, f64::min);
        Divided { score, least_draws: least(2), least_weight: least(0) }
    }

    fn decrease_of_division(&self, score: f64) -> f64 {
        self.decrease_of_squares(score)
    }
}

impl ClassScorer {
    /// What a child adds to the score, given the sum of its classes' terms.
    pub(super) fn share(&self, terms: f64, weight: f64) -> f64 {
        match self.criterion {
            Criterion::Entropy => terms - self.entropy_term(weight),
            Criterion::Gini | Criterion::ChiSquare => terms / weight,
        }
    }
}

impl ClassScorer {
    /// Whether trends and bounds allow a division by the weight of its left side; its classes are in
    /// the scorer.
    #[inline]
    pub(super) fn allows_left(&self, weight: f64) -> bool {
        self.constraint.allows(|| self.sides(weight))
    }

    /// The shares of the second of two classes.
    pub(super) fn sides(&self, weight: f64) -> [f64; 2] {
        let on_right = self.totals[1] - self.left[1];
        [self.left[1] / weight, on_right / (self.weight - weight)]
    }

    /// The score of two sides, given the weight of the left and the sums of the classes' terms.
    fn score_left(&self, weight: f64, left: f64, right: f64) -> f64 {
        let rest = self.weight - weight;
        if weight > 0.0 && rest > 0.0 {
            self.share(left, weight) + self.share(right, rest)
        } else {
            f64::NEG_INFINITY
        }
    }
}

impl ChildScorer for ClassScorer {
    fn read<P: Position>(&mut self, members: &[P]) {
        let known = &mut self.node;
        known.pairs.clear();
        known.pairs.extend(members.iter().map(|position| self.rows[position.index()]));
        known.draws.clear();
        if !self.draws.is_empty() {
            let draws = members.iter().map(|position| f64::from(self.draws[position.index()]));
            known.draws.extend(draws);
        }
        known.classes.clear();
        self.left.fill(0.0);
        if self.totals.len() <= members.len() {
            let present = (0_u32..).zip(&self.totals).filter(|(_, total)| **total > 0.0);
            known.classes.extend(present.map(|(class, _)| class));
            return;
        }
        for &(class, _) in &known.pairs {
            if std::mem::replace(&mut self.left[class as usize], 1.0) == 0.0 {
                known.classes.push(class);
            }
        }
        known.classes.iter().for_each(|&class| self.left[class as usize] = 0.0);
    }

    fn score_sides(&mut self, left: &[Mask]) -> Divided {
        for (&(class, weight), &mask) in self.node.pairs.iter().zip(left) {
            self.left[class as usize] += masked(weight, mask);
        }
        let (mut weight, mut left_terms, mut right_terms) = (0.0, 0.0, 0.0);
        for &class in &self.node.classes {
            let (on_left, total) = (self.left[class as usize], self.totals[class as usize]);
            weight += on_left;
            left_terms += self.term(class as usize, on_left);
            right_terms += self.term(class as usize, (total - on_left).max(0.0));
        }
        let score = if self.allows_left(weight) {
            self.score_left(weight, left_terms, right_terms)
        } else {
            f64::NEG_INFINITY
        };
        self.node.classes.iter().for_each(|&class| self.left[class as usize] = 0.0);
        let least_weight = weight.min(self.weight - weight);
        let least_draws = if self.node.draws.is_empty() {
            least_weight
        } else {
            least_draws(&self.node.draws, left)
        };
        Divided { score, least_draws, least_weight }
    }

    fn score_children(&mut self, children: &[u32], n_children: usize) -> Divided {
        let mut by_child = std::mem::take(&mut self.node.by_child);
        by_child.sort(children, n_children);
        let mut divided =
            Divided { score: 0.0, least_draws: f64::INFINITY, least_weight: f64::INFINITY };
        for child in 0..n_children {
            let rows = by_child.rows(child);
            let (mut weight, mut draws, mut terms) = (0.0, 0.0, 0.0);
            for &row in rows {
                let (class, row_weight) = self.node.pairs[row as usize];
                self.left[class as usize] += row_weight;
                weight += row_weight;
                draws += self.node.draws.get(row as usize).copied().unwrap_or(row_weight);
            }
            for &row in rows {
                let class = self.node.pairs[row as usize].0 as usize;
                let sum = std::mem::take(&mut self.left[class]);
                terms += self.term(class, sum);
            }
            divided.score += self.share(terms, weight);
            divided.least_draws = divided.least_draws.min(draws);
            divided.least_weight = divided.least_weight.min(weight);
        }
        self.node.by_child = by_child;
        divided
    }

    fn decrease_of_division(&self, score: f64) -> f64 {
        self.decrease(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_left_is_summed_up_whatever_the_number_of_rows() {
        for n in 0..20_u32 {
            let numbers: Vec<f64> = (0..n).map(f64::from).collect();
            let left: Vec<Mask> = (0..n).map(|row| mask(row % 3 != 1)).collect();
            let sum: f64 = (0..n).filter(|row| row % 3 != 1).map(f64::from).sum();
            assert_eq!(sum_left(&numbers, &left), sum);
        }
    }
}
