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

/// Groups of rows (levels) by class. Only classes that occur in a group are listed: with many
/// levels and many classes, most groups hold few of them.
#[derive(Debug, Default)]
struct ClassGroups {
    /// Class and its weight, group after group, classes increasing.
    entries: Vec<(u32, f64)>,
    /// Where the entries of each group end.
    ends: Vec<u32>,
    /// Weight and draws of each group.
    totals: Vec<(f64, f64)>,
    /// Class weights of the group that is being summed up; else zero.
    sums: Vec<f64>,
    /// Classes of that group.
    present: Vec<u32>,
}

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
    groups: ClassGroups,
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
            groups: ClassGroups { sums: vec![0.0; *n_classes], ..ClassGroups::default() },
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
        let known = &mut self.groups;
        known.entries.clear();
        known.ends.clear();
        known.totals.clear();
        for group in groups {
            let (mut weight, mut draws) = (0.0, 0.0);
            for &row in &rows[group.start as usize..group.end as usize] {
                let class = self.codes[row as usize];
                let sum = &mut known.sums[class as usize];
                if *sum == 0.0 {
                    known.present.push(class);
                }
                *sum += self.weights[row as usize];
                weight += self.weights[row as usize];
                draws += self.draws.get(row as usize).map_or(0.0, |&draws| f64::from(draws));
            }
            known.present.sort_unstable();
            for class in known.present.drain(..) {
                known.entries.push((class, std::mem::take(&mut known.sums[class as usize])));
            }
            known.ends.push(known.entries.len() as u32);
            known.totals.push((weight, draws));
        }
    }
}

impl ClassGroups {
    fn range(&self, group: usize) -> std::ops::Range<usize> {
        let start = group.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        start..self.ends[group] as usize
    }

    /// Weight and entries of every group.
    fn iter(&self) -> impl Iterator<Item = (f64, &[(u32, f64)])> {
        let weights = self.totals.iter().map(|&(weight, _)| weight);
        weights.enumerate().map(|(group, weight)| (weight, &self.entries[self.range(group)]))
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
        let scores: Vec<f64> = if n_classes == 2 {
            let second = |(total, entries): (f64, &[(u32, f64)])| match entries.last() {
                Some(&(1, weight)) => weight / total,
                _ => 0.0,
            };
            self.groups.iter().map(second).collect()
        } else {
            principal_scores(&self.groups, n_classes)
        };
        let mut order: Vec<u32> = (0..groups.len() as u32).collect();
        order.sort_by(|&a, &b| scores[a as usize].total_cmp(&scores[b as usize]));
        GroupOrder::Scan(order)
    }

    fn move_group(&mut self, group: u32, to: Side) {
        let sign = match to {
            Side::Left => 1.0,
            Side::Right => -1.0,
        };
        for entry in self.groups.range(group as usize) {
            let (class, moved) = self.groups.entries[entry];
            let class = class as usize;
            let left = self.left[class];
            let right = self.totals[class] - left;
            let new_left = (left + sign * moved).max(0.0);
            let new_right = (right - sign * moved).max(0.0);
            self.left_term += self.term(new_left) - self.term(left);
            self.right_term += self.term(new_right) - self.term(right);
            self.left[class] = new_left;
        }
        let (weight, draws) = self.groups.totals[group as usize];
        self.left_weight += sign * weight;
        self.left_draws += sign * draws;
    }
}

/// w log2 w, and 0 at 0.
fn weight_log(weight: f64) -> f64 {
    if weight > 0.0 { weight * weight.log2() } else { 0.0 }
}

/// Projections of the groups on the leading axis of their weighted covariance, by power
/// iteration without forming the matrix. Cost O(rounds * (entries + classes)).
fn principal_scores(groups: &ClassGroups, n_classes: usize) -> Vec<f64> {
    let total: f64 = groups.iter().map(|(weight, _)| weight).sum();
    let mut mean = vec![0.0; n_classes];
    for &(class, weight) in &groups.entries {
        mean[class as usize] += weight / total;
    }
    let dot = |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(a, b)| a * b).sum::<f64>();
    // The projection of a group's proportions; `middle` is that of the mean.
    let project = |axis: &[f64], middle: f64, (weight, entries): (f64, &[(u32, f64)])| -> f64 {
        entries.iter().map(|&(class, part)| part * axis[class as usize]).sum::<f64>() / weight
            - middle
    };
    // Unequal entries, so that the start is not orthogonal to the axis by symmetry.
    let mut axis: Vec<f64> = (0..n_classes).map(|class| 1.0 / (class as f64 + 1.5)).collect();
    for _ in 0..POWER_ROUNDS {
        let middle = dot(&mean, &axis);
        let mut next = vec![0.0; n_classes];
        let mut balance = 0.0;
        for (weight, entries) in groups.iter() {
            let score = project(&axis, middle, (weight, entries));
            balance += weight * score;
            for &(class, part) in entries {
                next[class as usize] += score * part;
            }
        }
        for (entry, mean) in next.iter_mut().zip(&mean) {
            *entry -= balance * mean;
        }
        let length = dot(&next, &next).sqrt();
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
    let middle = dot(&mean, &axis);
    groups.iter().map(|group| project(&axis, middle, group)).collect()
}
