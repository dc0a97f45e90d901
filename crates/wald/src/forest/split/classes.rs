//! Scores for classes: Gini with more than two of them, entropy, and chi-square.

use std::sync::Arc;

use crate::data::TrainingResponse;
use crate::forest::drawn::Drawn;
use crate::forest::position::Position;
use crate::forest::split::best::Cut;
use crate::forest::split::child_rows::ClassRows;
use crate::forest::split::constraint::Constraint;
use crate::forest::split::criterion::Criterion;
use crate::forest::split::divide::divide;
use crate::forest::split::limits::Limits;
use crate::forest::split::principal::{ClassGroups, principal_scores};
use crate::forest::split::scorer::{Found, Group, GroupOrder, NodeSummary, Scorer, TIE, select};
use crate::forest::split::sequence::Sequence;
use crate::forest::tree::Side;
use crate::forest::trends::{Bounds, Trend};
use crate::forest::ways::Impurity;

/// With more present levels than this, trying all divisions costs too much.
pub(super) const MOST_EXHAUSTIVE_GROUPS: usize = 12;

/// Scores by one [`Criterion`], and computes the impurity of nodes.
#[derive(Debug)]
pub(crate) struct ClassScorer {
    pub(super) constraint: Constraint,
    impurity: Impurity,
    pub(super) criterion: Criterion,
    /// One over the weight of each class at the current node, for chi-square.
    inverses: Vec<f64>,
    /// By position: class, and weight in this tree.
    pub(super) rows: Vec<(u32, f64)>,
    /// Draws by position; empty where they equal the weights.
    pub(super) draws: Vec<u16>,
    /// Room for rows and draws that move.
    spare: (Vec<(u32, f64)>, Vec<u16>),
    /// k log2 k for whole k; empty where weights are not whole.
    table: Arc<[f64]>,
    pub(super) totals: Vec<f64>,
    pub(super) left: Vec<f64>,
    pub(super) weight: f64,
    total_term: f64,
    groups: ClassGroups,
    pub(super) node: ClassRows,
}

/// Sums over the rows on the left; their class weights are in the scorer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeftTerms {
    pub(super) weight: f64,
    pub(super) draws: f64,
    /// Sum over classes of the squared weight (Gini), of w log2 w (entropy), or of the squared
    /// weight over that of the class (chi-square), left and right.
    pub(super) left: f64,
    pub(super) right: f64,
}

impl ClassScorer {
    /// For the given rows of the table; `None` when the response is a number.
    pub(crate) fn new(
        drawn: &Drawn<'_>,
        rows: &[u32],
        impurity: Impurity,
        criterion: Criterion,
    ) -> Option<Self> {
        let TrainingResponse::Classes { codes, n_classes } = drawn.training.response() else {
            return None;
        };
        let class_and_weight = |&row: &u32| (codes[row as usize], drawn.weight(row));
        let n_draws: usize = rows.iter().map(|&row| usize::from(drawn.count(row))).sum();
        let table: Vec<f64> = if criterion == Criterion::Entropy && !drawn.is_weighted() {
            (0..=n_draws).map(|count| weight_log(count as f64)).collect()
        } else {
            Vec::new()
        };
        let draws = if drawn.is_weighted() {
            rows.iter().map(|&row| drawn.count(row)).collect()
        } else {
            Vec::new()
        };
        let rows = rows.iter().map(class_and_weight).collect();
        Some(Self { rows, draws, ..Self::of(impurity, criterion, table.into(), *n_classes) })
    }

    fn of(impurity: Impurity, criterion: Criterion, table: Arc<[f64]>, n_classes: usize) -> Self {
        let n_inverses = if criterion == Criterion::ChiSquare { n_classes } else { 0 };
        Self {
            constraint: Constraint::default(),
            impurity,
            criterion,
            inverses: vec![0.0; n_inverses],
            rows: Vec::new(),
            draws: Vec::new(),
            spare: Default::default(),
            table,
            totals: vec![0.0; n_classes],
            left: vec![0.0; n_classes],
            weight: 0.0,
            total_term: 0.0,
            groups: ClassGroups::new(n_classes),
            node: ClassRows::default(),
        }
    }

    /// What so much weight of a class adds to the terms of a child.
    #[inline]
    pub(super) fn term(&self, class: usize, weight: f64) -> f64 {
        match self.criterion {
            Criterion::Gini => weight * weight,
            Criterion::Entropy => self.entropy_term(weight),
            Criterion::ChiSquare => weight * weight * self.inverses[class],
        }
    }

    #[inline]
    pub(super) fn entropy_term(&self, weight: f64) -> f64 {
        if self.table.is_empty() { weight_log(weight) } else { self.table[weight as usize] }
    }
}

impl Scorer for ClassScorer {
    type Left = LeftTerms;

    fn empty(&self) -> Self {
        let table = Arc::clone(&self.table);
        Self::of(self.impurity, self.criterion, table, self.totals.len())
    }

    fn select<P: Position>(&mut self, from: &Self, members: &[P]) {
        select(&mut self.rows, &from.rows, members);
        if !from.draws.is_empty() {
            select(&mut self.draws, &from.draws, members);
        }
    }

    fn divide(&mut self, start: usize, goes_right: &[bool]) {
        let end = start + goes_right.len();
        divide(&mut self.rows[start..end], goes_right, &mut self.spare.0);
        if !self.draws.is_empty() {
            divide(&mut self.draws[start..end], goes_right, &mut self.spare.1);
        }
    }

    fn is_pure<P: Position>(&self, members: &[P]) -> bool {
        let mut classes = members.iter().map(|position| self.rows[position.index()].0);
        let first = classes.next();
        classes.all(|class| Some(class) == first)
    }

    fn draws<P: Position>(&self, members: &[P]) -> f64 {
        let draws = |position: usize| match self.draws.get(position) {
            Some(&draws) => f64::from(draws),
            None => self.rows[position].1,
        };
        members.iter().map(|position| draws(position.index())).sum()
    }

    fn summarise<P: Position>(&mut self, members: &[P], values: &mut Vec<f64>) -> NodeSummary {
        self.totals.fill(0.0);
        for &position in members {
            let (class, weight) = self.rows[position.index()];
            self.totals[class as usize] += weight;
        }
        let weight: f64 = self.totals.iter().sum();
        self.weight = weight;
        for (inverse, &total) in self.inverses.iter_mut().zip(&self.totals) {
            *inverse = if total > 0.0 { 1.0 / total } else { 0.0 };
        }
        let totals = self.totals.iter().enumerate();
        self.total_term = totals.map(|(class, &total)| self.term(class, total)).sum();
        let first = values.len();
        values.extend(self.totals.iter().map(|total| total / weight));
        NodeSummary { weight, impurity: self.impurity.of_proportions(&values[first..]) }
    }

    fn constrain(&mut self, bounds: Bounds, trend: Option<Trend>) {
        self.constraint = Constraint::new(bounds, trend, 0.0, 1.0);
    }

    #[inline]
    fn allows(&self, left: &LeftTerms, cut: Cut) -> bool {
        match cut {
            Cut::Present => self.constraint.allows_unordered(|| self.sides(left.weight)),
            _ => self.allows_left(left.weight),
        }
    }

    fn value<P: Position>(&self, members: &[P]) -> f64 {
        let mut totals = [0.0; 2];
        for position in members {
            let (class, weight) = self.rows[position.index()];
            totals[(class as usize).min(1)] += weight;
        }
        totals[1] / (totals[0] + totals[1])
    }

    fn tolerance(&self) -> f64 {
        match self.criterion {
            Criterion::Gini | Criterion::Entropy => TIE * self.weight,
            Criterion::ChiSquare => TIE,
        }
    }

    fn weight(&self, position: usize) -> f64 {
        self.rows[position].1
    }

    fn start(&mut self) -> LeftTerms {
        self.left.fill(0.0);
        LeftTerms { weight: 0.0, draws: 0.0, left: 0.0, right: self.total_term }
    }

    #[inline]
    fn push(&mut self, left: &mut LeftTerms, position: usize) {
        let (class, weight) = self.rows[position];
        let class = class as usize;
        let on_left = self.left[class];
        let on_right = self.totals[class] - on_left;
        left.left += self.term(class, on_left + weight) - self.term(class, on_left);
        left.right += self.term(class, (on_right - weight).max(0.0)) - self.term(class, on_right);
        self.left[class] = on_left + weight;
        left.weight += weight;
        if !self.draws.is_empty() {
            left.draws += f64::from(self.draws[position]);
        }
    }

    #[inline]
    fn draws_left(&self, left: &LeftTerms) -> f64 {
        if self.draws.is_empty() { left.weight } else { left.draws }
    }

    fn weights(&self, left: &LeftTerms) -> [f64; 2] {
        [left.weight, self.weight - left.weight]
    }

    fn decrease(&self, score: f64) -> f64 {
        score - self.undivided()
    }

    /// That of one child.
    fn undivided(&self) -> f64 {
        self.share(self.total_term, self.weight)
    }

    fn spread(&self) -> f64 {
        let pure = match self.criterion {
            Criterion::Gini => self.weight,
            Criterion::Entropy => 0.0,
            // One term per class that is met.
            Criterion::ChiSquare => self.totals.iter().filter(|total| **total > 0.0).count() as f64,
        };
        pure - self.undivided()
    }

    #[inline]
    fn score(&self, left: &LeftTerms) -> f64 {
        let right_weight = self.weight - left.weight;
        if left.weight <= 0.0 || right_weight <= 0.0 {
            return f64::NEG_INFINITY;
        }
        match self.criterion {
            Criterion::Entropy => {
                left.left - self.entropy_term(left.weight) + left.right
                    - self.entropy_term(right_weight)
            }
            Criterion::Gini | Criterion::ChiSquare => {
                left.left / left.weight + left.right / right_weight
            }
        }
    }

    fn scan(
        &mut self,
        left: LeftTerms,
        sequence: &impl Sequence,
        limits: Limits,
        score: f64,
    ) -> Option<Found> {
        match (self.criterion, self.draws.is_empty()) {
            (Criterion::Entropy | Criterion::ChiSquare, _) => {
                self.scan_pushing(left, sequence, limits, score)
            }
            (Criterion::Gini, true) => self.scan_gini::<_, false>(left, sequence, limits, score),
            (Criterion::Gini, false) => self.scan_gini::<_, true>(left, sequence, limits, score),
        }
    }

    /// Two classes: by the proportion of the second, which is exact (Breiman et al. 1984,
    /// section 4.2). More classes: all divisions when levels are few, else by the first
    /// principal component of the class proportions (Coppersmith, Hong & Hosking 1999).
    fn order_groups(&mut self, sequence: &impl Sequence, groups: &[Group]) -> GroupOrder {
        self.groups.sum_up(sequence, groups, &self.rows, &self.draws);
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
            // Chi-square measures every class in units of its spread.
            let unit = |class: usize| self.inverses.get(class).map_or(1.0, |one| one.sqrt());
            principal_scores(&self.groups, &(0..n_classes).map(unit).collect::<Vec<f64>>())
        };
        GroupOrder::by_scores(&scores)
    }

    fn move_group(&mut self, left: &mut LeftTerms, group: u32, to: Side) {
        let sign = match to {
            Side::Left => 1.0,
            Side::Right => -1.0,
        };
        for entry in self.groups.range(group as usize) {
            let (class, moved) = self.groups.entries[entry];
            let class = class as usize;
            let on_left = self.left[class];
            let on_right = self.totals[class] - on_left;
            let new_left = (on_left + sign * moved).max(0.0);
            let new_right = (on_right - sign * moved).max(0.0);
            left.left += self.term(class, new_left) - self.term(class, on_left);
            left.right += self.term(class, new_right) - self.term(class, on_right);
            self.left[class] = new_left;
        }
        let (weight, draws) = self.groups.totals[group as usize];
        left.weight += sign * weight;
        left.draws += sign * draws;
    }
}

/// w log2 w, and 0 at 0.
fn weight_log(weight: f64) -> f64 {
    if weight > 0.0 { weight * weight.log2() } else { 0.0 }
}
