//! Scores for a numeric response (variance) and for two classes (Gini), which are the same.

use crate::data::{Training, TrainingResponse};
use crate::forest::sample::Bag;
use crate::forest::split::{Group, GroupOrder, NodeSummary, Scorer, TIE};
use crate::forest::tree::Side;

/// Scores by the reduction of the weighted sum of squares.
#[derive(Debug)]
pub(crate) struct NumberScorer<'a> {
    response: Numbers<'a>,
    /// Per row: weight in this tree, and weight times deviation from the current node's mean.
    rows: Vec<(f64, f64)>,
    /// Draws per row; empty where they equal the weights.
    draws: Vec<u16>,
    weight: f64,
    mean: f64,
    tolerance: f64,
    left_weight: f64,
    left_sum: f64,
    left_draws: f64,
    groups: Vec<GroupSum>,
}

#[derive(Debug, Clone, Copy, Default)]
struct GroupSum {
    weight: f64,
    sum: f64,
    draws: f64,
}

#[derive(Debug, Clone, Copy)]
enum Numbers<'a> {
    /// Centred numbers and the mean that was taken off.
    Regression { centred: &'a [f64], mean: f64 },
    /// Two classes as 0 and 1: Gini is twice the variance.
    TwoClasses { codes: &'a [u32] },
}

impl<'a> NumberScorer<'a> {
    /// `None` when the response has more than two classes.
    pub(crate) fn new(training: &'a Training, bag: &Bag) -> Option<Self> {
        let response = match training.response() {
            TrainingResponse::Numbers { centred, mean, .. } => {
                Numbers::Regression { centred, mean: *mean }
            }
            TrainingResponse::Classes { codes, n_classes: 2 } => Numbers::TwoClasses { codes },
            TrainingResponse::Classes { .. } => return None,
        };
        let rows = (0_u32..)
            .zip(bag.counts())
            .map(|(row, &count)| {
                let weight = f64::from(count) * training.weight(row);
                (weight, 0.0)
            })
            .collect();
        let draws = if training.is_weighted() { bag.counts().to_vec() } else { Vec::new() };
        Some(Self {
            response,
            rows,
            draws,
            weight: 0.0,
            mean: 0.0,
            tolerance: 0.0,
            left_weight: 0.0,
            left_sum: 0.0,
            left_draws: 0.0,
            groups: Vec::new(),
        })
    }

    fn draws(&self, row: u32) -> f64 {
        if self.draws.is_empty() {
            self.rows[row as usize].0
        } else {
            f64::from(self.draws[row as usize])
        }
    }
}

impl Numbers<'_> {
    fn at(self, row: u32) -> f64 {
        match self {
            Self::Regression { centred, .. } => centred[row as usize],
            Self::TwoClasses { codes } => f64::from(codes[row as usize]),
        }
    }
}

impl Scorer for NumberScorer<'_> {
    fn summarise(&mut self, rows: &[u32], values: &mut Vec<f64>) -> NodeSummary {
        let (mut weight, mut sum, mut draws) = (0.0, 0.0, 0.0);
        let first = rows.first().map_or(0.0, |&row| self.response.at(row));
        let mut is_pure = true;
        for &row in rows {
            let value = self.response.at(row);
            let row_weight = self.rows[row as usize].0;
            weight += row_weight;
            sum += row_weight * value;
            draws += self.draws(row);
            is_pure &= value == first;
        }
        self.weight = weight;
        self.mean = if is_pure { first } else { sum / weight };
        // Deviations from the node's own mean keep all digits where it is large against the
        // spread, and make the left sum the only thing that a score depends on.
        let mut squares = 0.0;
        for &row in rows {
            let deviation = self.response.at(row) - self.mean;
            let (row_weight, row_sum) = &mut self.rows[row as usize];
            *row_sum = *row_weight * deviation;
            squares += *row_sum * deviation;
        }
        self.tolerance = TIE * squares;
        let impurity = match self.response {
            Numbers::Regression { mean, .. } => {
                values.push(mean + self.mean);
                squares / weight
            }
            Numbers::TwoClasses { .. } => {
                values.extend([1.0 - self.mean, self.mean]);
                2.0 * self.mean * (1.0 - self.mean)
            }
        };
        NodeSummary { weight, draws, impurity, is_pure }
    }

    fn tolerance(&self) -> f64 {
        self.tolerance
    }

    fn weight(&self, row: u32) -> f64 {
        self.rows[row as usize].0
    }

    fn start(&mut self) {
        self.left_weight = 0.0;
        self.left_sum = 0.0;
        self.left_draws = 0.0;
    }

    #[inline]
    fn push(&mut self, row: u32) {
        let (weight, sum) = self.rows[row as usize];
        self.left_weight += weight;
        self.left_sum += sum;
        if !self.draws.is_empty() {
            self.left_draws += f64::from(self.draws[row as usize]);
        }
    }

    #[inline]
    fn draws_left(&self) -> f64 {
        if self.draws.is_empty() { self.left_weight } else { self.left_draws }
    }

    /// The reduction of the sum of squares: S^2 W / (`W_left` `W_right`), S the left sum of
    /// deviations from the node's mean.
    #[inline]
    fn score(&self) -> f64 {
        let product = self.left_weight * (self.weight - self.left_weight);
        if product > 0.0 { self.left_sum * self.left_sum / product } else { f64::NEG_INFINITY }
    }

    /// By mean response: one of the cuts is then best of all divisions (Fisher 1958;
    /// Breiman et al. 1984, section 4.2).
    fn order_groups(&mut self, rows: &[u32], groups: &[Group]) -> GroupOrder {
        self.groups.clear();
        for group in groups {
            let mut total = GroupSum::default();
            for &row in &rows[group.start as usize..group.end as usize] {
                let (weight, sum) = self.rows[row as usize];
                total.weight += weight;
                total.sum += sum;
                total.draws += self.draws(row);
            }
            self.groups.push(total);
        }
        let mean = |group: &u32| {
            let total = self.groups[*group as usize];
            total.sum / total.weight
        };
        let mut order: Vec<u32> = (0..groups.len() as u32).collect();
        order.sort_by(|a, b| mean(a).total_cmp(&mean(b)));
        GroupOrder::Scan(order)
    }

    fn move_group(&mut self, group: u32, to: Side) {
        let total = self.groups[group as usize];
        let sign = match to {
            Side::Left => 1.0,
            Side::Right => -1.0,
        };
        self.left_weight += sign * total.weight;
        self.left_sum += sign * total.sum;
        self.left_draws += sign * total.draws;
    }
}
