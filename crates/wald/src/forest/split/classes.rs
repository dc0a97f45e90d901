//! Scores for classes: Gini with more than two of them, and entropy.

use crate::data::{Training, TrainingResponse};
use crate::forest::config::Impurity;
use crate::forest::sample::Bag;
use crate::forest::split::{Group, GroupOrder, NodeSummary, Scorer, TIE};
use crate::forest::tree::Side;

/// With more present levels than this, trying all divisions costs too much.
const MOST_EXHAUSTIVE_GROUPS: usize = 12;

/// The principal component settles long before this many rounds, or ties do not matter.
const POWER_ROUNDS: usize = 60;

/// Scores by the reduction of the weighted impurity.
#[derive(Debug)]
pub(crate) struct ClassScorer<'a> {
    codes: &'a [u32],
    impurity: Impurity,
    weights: Vec<f64>,
    /// Draws per row; empty where they equal the weights.
    draws: Vec<u16>,
    /// k log2 k for whole k; empty where weights are not whole.
    table: Vec<f64>,
    totals: Vec<f64>,
    left: Vec<f64>,
    weight: f64,
    total_term: f64,
    left_weight: f64,
    left_draws: f64,
    /// Sum over classes of the squared weight (Gini) or of w log2 w (entropy).
    left_term: f64,
    right_term: f64,
    /// Class weights of each group, one row of classes after the other.
    group_sums: Vec<f64>,
    /// Weight and draws of each group.
    group_totals: Vec<(f64, f64)>,
}

impl<'a> ClassScorer<'a> {
    /// `None` when the response is a number.
    pub(crate) fn new(training: &'a Training, bag: &Bag, impurity: Impurity) -> Option<Self> {
        let TrainingResponse::Classes { codes, n_classes } = training.response() else {
            return None;
        };
        let weights: Vec<f64> = (0_u32..)
            .zip(bag.counts())
            .map(|(row, &count)| f64::from(count) * training.weight(row))
            .collect();
        let n_draws: usize = bag.counts().iter().map(|&count| usize::from(count)).sum();
        let table = if impurity == Impurity::Entropy && !training.is_weighted() {
            (0..=n_draws).map(|count| weight_log(count as f64)).collect()
        } else {
            Vec::new()
        };
        let draws = if training.is_weighted() { bag.counts().to_vec() } else { Vec::new() };
        Some(Self {
            codes,
            impurity,
            weights,
            draws,
            table,
            totals: vec![0.0; *n_classes],
            left: vec![0.0; *n_classes],
            weight: 0.0,
            total_term: 0.0,
            left_weight: 0.0,
            left_draws: 0.0,
            left_term: 0.0,
            right_term: 0.0,
            group_sums: Vec::new(),
            group_totals: Vec::new(),
        })
    }

    #[inline]
    fn term(&self, weight: f64) -> f64 {
        match self.impurity {
            Impurity::Entropy if self.table.is_empty() => weight_log(weight),
            Impurity::Entropy => self.table[weight as usize],
            Impurity::Gini | Impurity::Variance => weight * weight,
        }
    }

    fn sum_groups(&mut self, rows: &[u32], groups: &[Group]) {
        let n_classes = self.totals.len();
        self.group_totals.clear();
        self.group_sums.clear();
        self.group_sums.resize(groups.len() * n_classes, 0.0);
        for (group, sums) in groups.iter().zip(self.group_sums.chunks_exact_mut(n_classes)) {
            let (mut weight, mut draws) = (0.0, 0.0);
            for &row in &rows[group.start as usize..group.end as usize] {
                sums[self.codes[row as usize] as usize] += self.weights[row as usize];
                weight += self.weights[row as usize];
                draws += self.draws.get(row as usize).map_or(0.0, |&draws| f64::from(draws));
            }
            self.group_totals.push((weight, draws));
        }
    }
}

impl Scorer for ClassScorer<'_> {
    fn summarise(&mut self, rows: &[u32], values: &mut Vec<f64>) -> NodeSummary {
        self.totals.fill(0.0);
        let mut draws = 0.0;
        for &row in rows {
            self.totals[self.codes[row as usize] as usize] += self.weights[row as usize];
            if !self.draws.is_empty() {
                draws += f64::from(self.draws[row as usize]);
            }
        }
        let weight: f64 = self.totals.iter().sum();
        self.weight = weight;
        self.total_term = self.totals.iter().map(|&total| self.term(total)).sum();
        let first = values.len();
        values.extend(self.totals.iter().map(|total| total / weight));
        NodeSummary {
            weight,
            draws: if self.draws.is_empty() { weight } else { draws },
            impurity: self.impurity.of_proportions(&values[first..]),
            is_pure: self.totals.iter().filter(|total| **total > 0.0).count() <= 1,
        }
    }

    fn tolerance(&self) -> f64 {
        TIE * self.weight
    }

    fn weight(&self, row: u32) -> f64 {
        self.weights[row as usize]
    }

    fn start(&mut self) {
        self.left.fill(0.0);
        self.left_weight = 0.0;
        self.left_draws = 0.0;
        self.left_term = 0.0;
        self.right_term = self.total_term;
    }

    #[inline]
    fn push(&mut self, row: u32) {
        let class = self.codes[row as usize] as usize;
        let weight = self.weights[row as usize];
        let left = self.left[class];
        let right = self.totals[class] - left;
        self.left_term += self.term(left + weight) - self.term(left);
        self.right_term += self.term((right - weight).max(0.0)) - self.term(right);
        self.left[class] = left + weight;
        self.left_weight += weight;
        if !self.draws.is_empty() {
            self.left_draws += f64::from(self.draws[row as usize]);
        }
    }

    #[inline]
    fn draws_left(&self) -> f64 {
        if self.draws.is_empty() { self.left_weight } else { self.left_draws }
    }

    #[inline]
    fn score(&self) -> f64 {
        let right_weight = self.weight - self.left_weight;
        if self.left_weight <= 0.0 || right_weight <= 0.0 {
            return f64::NEG_INFINITY;
        }
        match self.impurity {
            Impurity::Entropy => {
                self.left_term - self.term(self.left_weight) + self.right_term
                    - self.term(right_weight)
            }
            Impurity::Gini | Impurity::Variance => {
                self.left_term / self.left_weight + self.right_term / right_weight
            }
        }
    }

    /// Two classes: by the proportion of the second, which is exact (Breiman et al. 1984,
    /// section 4.2). More classes: all divisions when levels are few, else by the first
    /// principal component of the class proportions (Coppersmith, Hong & Hosking 1999).
    fn order_groups(&mut self, rows: &[u32], groups: &[Group]) -> GroupOrder {
        self.sum_groups(rows, groups);
        let n_classes = self.totals.len();
        if n_classes > 2 && groups.len() <= MOST_EXHAUSTIVE_GROUPS {
            return GroupOrder::Exhaustive;
        }
        let mut proportions = self.group_sums.clone();
        for (shares, (weight, _)) in proportions.chunks_exact_mut(n_classes).zip(&self.group_totals)
        {
            shares.iter_mut().for_each(|share| *share /= weight);
        }
        let scores: Vec<f64> = if n_classes == 2 {
            proportions.chunks_exact(2).map(|shares| shares[1]).collect()
        } else {
            principal_scores(&proportions, n_classes, &self.group_totals)
        };
        let mut order: Vec<u32> = (0..groups.len() as u32).collect();
        order.sort_by(|&a, &b| scores[a as usize].total_cmp(&scores[b as usize]));
        GroupOrder::Scan(order)
    }

    fn move_group(&mut self, group: u32, to: Side) {
        let n_classes = self.totals.len();
        let first = group as usize * n_classes;
        let sign = match to {
            Side::Left => 1.0,
            Side::Right => -1.0,
        };
        for class in 0..n_classes {
            let moved = self.group_sums[first + class];
            if moved == 0.0 {
                continue;
            }
            let left = self.left[class];
            let right = self.totals[class] - left;
            let new_left = (left + sign * moved).max(0.0);
            let new_right = (right - sign * moved).max(0.0);
            self.left_term += self.term(new_left) - self.term(left);
            self.right_term += self.term(new_right) - self.term(right);
            self.left[class] = new_left;
        }
        let (weight, draws) = self.group_totals[group as usize];
        self.left_weight += sign * weight;
        self.left_draws += sign * draws;
    }
}

/// w log2 w, and 0 at 0.
fn weight_log(weight: f64) -> f64 {
    if weight > 0.0 { weight * weight.log2() } else { 0.0 }
}

/// Projections of the groups on the leading axis of their weighted covariance, by power
/// iteration without forming the matrix.
fn principal_scores(proportions: &[f64], n_classes: usize, totals: &[(f64, f64)]) -> Vec<f64> {
    let groups = || proportions.chunks_exact(n_classes).zip(totals.iter().map(|total| total.0));
    let total: f64 = groups().map(|(_, weight)| weight).sum();
    let mut mean = vec![0.0; n_classes];
    for (shares, weight) in groups() {
        for (sum, share) in mean.iter_mut().zip(shares) {
            *sum += weight / total * share;
        }
    }
    let project = |axis: &[f64], shares: &[f64]| -> f64 {
        shares.iter().zip(&mean).zip(axis).map(|((share, mean), axis)| (share - mean) * axis).sum()
    };
    // Unequal entries, so that the start is not orthogonal to the axis by symmetry.
    let mut axis: Vec<f64> = (0..n_classes).map(|class| 1.0 / (class as f64 + 1.5)).collect();
    for _ in 0..POWER_ROUNDS {
        let mut next = vec![0.0; n_classes];
        for (shares, weight) in groups() {
            let score = weight * project(&axis, shares);
            for ((sum, share), mean) in next.iter_mut().zip(shares).zip(&mean) {
                *sum += score * (share - mean);
            }
        }
        let length = next.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
        if length == 0.0 {
            break;
        }
        next.iter_mut().for_each(|entry| *entry /= length);
        let moved: f64 = next.iter().zip(&axis).map(|(new, old)| (new - old).abs()).sum();
        axis = next;
        if moved < 1e-12 {
            break;
        }
    }
    groups().map(|(shares, _)| project(&axis, shares)).collect()
}
