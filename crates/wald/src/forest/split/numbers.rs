//! Scores for a numeric response (variance) and for two classes (Gini), which are the same.
//!
//! The scan over cuts sums up one row after the other, and compares each cut with the best one
//! without dividing.

use crate::data::TrainingResponse;
use crate::forest::drawn::Drawn;
use crate::forest::position::Position;
use crate::forest::split::best::{Best, Cut};
use crate::forest::split::binned::{BinSums, Binned};
use crate::forest::split::child_rows::NumberRows;
use crate::forest::split::constraint::Constraint;
use crate::forest::split::divide::divide;
use crate::forest::split::limits::Limits;
use crate::forest::split::scorer::{Found, Group, GroupOrder, NodeSummary, Scorer, TIE, select};
use crate::forest::split::sequence::Sequence;
use crate::forest::tree::Side;
use crate::forest::trends::{Bounds, Trend};
use crate::pages;

/// Scores by the reduction of the weighted sum of squares.
#[derive(Debug)]
pub(crate) struct NumberScorer {
    pub(super) constraint: Constraint,
    kind: Kind,
    /// By position: the centred response, or the class as 0 or 1.
    response: Vec<f64>,
    /// By position: weight in this tree, and weight times deviation from the mean of the node
    /// that was current when the row was last looked at.
    pub(super) rows: Vec<[f64; 2]>,
    /// Draws by position; empty where they equal the weights.
    pub(super) draws: Vec<u16>,
    pub(super) weight: f64,
    mean: f64,
    /// The weighted sum of squared deviations at the node.
    pub(super) squares: f64,
    groups: Vec<LeftSum>,
    pub(super) node: NumberRows,
    /// Sums by bin, without and with draws of their own.
    pub(super) bins: BinSums<2>,
    pub(super) bins_and_draws: BinSums<3>,
    spare: Spare,
}

/// Room for rows that move.
#[derive(Debug, Default)]
struct Spare {
    response: Vec<f64>,
    rows: Vec<[f64; 2]>,
    draws: Vec<u16>,
}

/// Sums over the rows on the left.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LeftSum {
    pub(super) weight: f64,
    /// Of weighted deviations from the node's mean.
    pub(super) sum: f64,
    pub(super) draws: f64,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// Numbers, from which this mean was taken off.
    Regression { mean: f64 },
    /// Two classes as 0 and 1: Gini is twice the variance.
    TwoClasses,
}

impl NumberScorer {
    /// For the given rows of the table; `None` when the response has more than two classes.
    pub(crate) fn new(drawn: &Drawn<'_>, rows: &[u32]) -> Option<Self> {
        let (kind, response) = match drawn.training.response() {
            TrainingResponse::Numbers { centred, mean, .. } => {
                let response = rows.iter().map(|&row| centred[row as usize]).collect();
                (Kind::Regression { mean: *mean }, response)
            }
            TrainingResponse::Classes { codes, n_classes: 2 } => {
                let response = rows.iter().map(|&row| f64::from(codes[row as usize])).collect();
                (Kind::TwoClasses, response)
            }
            TrainingResponse::Classes { .. } | TrainingResponse::Several(_) => return None,
        };
        let weight = |&row: &u32| [drawn.weight(row), 0.0];
        let draws = if drawn.is_weighted() {
            rows.iter().map(|&row| drawn.count(row)).collect()
        } else {
            Vec::new()
        };
        // One row after the other is looked up here, and in no order.
        let mut by_row = pages::with_room(rows.len());
        by_row.extend(rows.iter().map(weight));
        Some(Self { response, rows: by_row, draws, ..Self::of(kind) })
    }

    fn of(kind: Kind) -> Self {
        Self {
            constraint: Constraint::default(),
            kind,
            response: Vec::new(),
            rows: Vec::new(),
            draws: Vec::new(),
            weight: 0.0,
            mean: 0.0,
            squares: 0.0,
            groups: Vec::new(),
            node: NumberRows::default(),
            bins: BinSums::default(),
            bins_and_draws: BinSums::default(),
            spare: Spare::default(),
        }
    }

    fn draws_of(&self, position: usize) -> f64 {
        if self.draws.is_empty() { self.rows[position][0] } else { f64::from(self.draws[position]) }
    }
}

/// Weight, weighted deviations and, where they differ from weights, draws of some rows.
pub(super) type Sums<const N: usize> = [f64; N];

#[inline]
pub(super) fn add<const N: usize>(one: Sums<N>, other: Sums<N>) -> Sums<N> {
    std::array::from_fn(|index| one[index] + other[index])
}

impl NumberScorer {
    /// The last of the `N` sums are the draws on the left (of two, weights).
    #[inline]
    fn scan_sums<const N: usize, Q: Sequence>(
        &self,
        mut left: Sums<N>,
        sequence: &Q,
        limits: Limits,
        score: f64,
        sums_of: impl Fn(usize) -> Sums<N>,
    ) -> Option<Found> {
        let (items, tolerance) = (sequence.items(), self.tolerance());
        let mut best = Found { score, n_before: 0, draws_left: 0.0 };
        let mut threshold = score + tolerance;
        let mut key = sequence.key(*items.first()?);
        for (index, pair) in items.windows(2).enumerate() {
            left = add(left, sums_of(sequence.position(pair[0])));
            let next = sequence.key(pair[1]);
            let is_cut = Q::ALL_DIFFER || std::mem::replace(&mut key, next) != next;
            // Without dividing, so but for rounding. One branch, seldom taken, for both.
            let is_better = left[1] * left[1] > threshold * (left[0] * (self.weight - left[0]));
            if is_cut & is_better {
                let score = self.score_of(left[0], left[1]);
                let draws_left = if N == 2 { left[0] } else { left[N - 1] };
                let weights = [left[0], self.weight - left[0]];
                if score > threshold
                    && limits.allow(draws_left, weights)
                    && self.allows_sums(left[0], left[1])
                {
                    best = Found { score, n_before: index as u32 + 1, draws_left };
                    threshold = score + tolerance;
                }
            }
        }
        (best.n_before > 0).then_some(best)
    }

    /// Whether trends and bounds allow a cut, given weight and deviations on the left.
    #[inline]
    pub(super) fn allows_sums(&self, weight: f64, sum: f64) -> bool {
        !self.constraint.binds() || self.keeps_trends(weight, sum)
    }

    /// Kept out of the loops over cuts, which are small without.
    #[inline(never)]
    pub(super) fn keeps_trends(&self, weight: f64, sum: f64) -> bool {
        self.constraint.allows(|| self.sides(weight, sum))
    }

    /// How far the means of both sides are from that of the node: deviations on the right are those on
    /// the left, the other way round.
    #[inline]
    fn sides(&self, weight: f64, sum: f64) -> [f64; 2] {
        [sum / weight, -sum / (self.weight - weight)]
    }

    /// The reduction of the sum of squares: S^2 W / (`W_left` `W_right`), S the left sum of
    /// deviations from the node's mean; without the W that all divisions of a node share.
    #[inline]
    pub(super) fn score_of(&self, left_weight: f64, left_sum: f64) -> f64 {
        let product = left_weight * (self.weight - left_weight);
        if product > 0.0 { left_sum * left_sum / product } else { f64::NEG_INFINITY }
    }
}

impl NumberScorer {
    /// Weight times the decrease of the impurity, given the reduction of the sum of squares.
    pub(super) fn decrease_of_squares(&self, reduction: f64) -> f64 {
        match self.kind {
            Kind::Regression { .. } => reduction,
            Kind::TwoClasses => 2.0 * reduction,
        }
    }
}

impl Scorer for NumberScorer {
    type Left = LeftSum;

    fn empty(&self) -> Self {
        Self::of(self.kind)
    }

    fn select<P: Position>(&mut self, from: &Self, members: &[P]) {
        select(&mut self.response, &from.response, members);
        select(&mut self.rows, &from.rows, members);
        if !from.draws.is_empty() {
            select(&mut self.draws, &from.draws, members);
        }
    }

    fn divide(&mut self, start: usize, goes_right: &[bool]) {
        let end = start + goes_right.len();
        divide(&mut self.response[start..end], goes_right, &mut self.spare.response);
        divide(&mut self.rows[start..end], goes_right, &mut self.spare.rows);
        if !self.draws.is_empty() {
            divide(&mut self.draws[start..end], goes_right, &mut self.spare.draws);
        }
    }

    fn is_pure<P: Position>(&self, members: &[P]) -> bool {
        let mut responses = members.iter().map(|position| self.response[position.index()]);
        let first = responses.next();
        responses.all(|response| Some(response) == first)
    }

    fn draws<P: Position>(&self, members: &[P]) -> f64 {
        members.iter().map(|position| self.draws_of(position.index())).sum()
    }

    fn summarise<P: Position>(&mut self, members: &[P], values: &mut Vec<f64>) -> NodeSummary {
        let (mut weight, mut sum) = (0.0, 0.0);
        let first = members.first().map_or(0.0, |position| self.response[position.index()]);
        let mut is_pure = true;
        for &position in members {
            let value = self.response[position.index()];
            let row_weight = self.rows[position.index()][0];
            weight += row_weight;
            sum += row_weight * value;
            is_pure &= value == first;
        }
        self.weight = weight;
        self.mean = if is_pure { first } else { sum / weight };
        // Deviations from the node's own mean keep all digits where it is large against the
        // spread, and make the left sum the only thing that a score depends on.
        let mut squares = 0.0;
        for &position in members {
            let deviation = self.response[position.index()] - self.mean;
            let [row_weight, row_sum] = &mut self.rows[position.index()];
            *row_sum = *row_weight * deviation;
            squares += *row_sum * deviation;
        }
        self.squares = squares;
        let impurity = match self.kind {
            Kind::Regression { mean } => {
                values.push(mean + self.mean);
                squares / weight
            }
            Kind::TwoClasses => {
                values.extend([1.0 - self.mean, self.mean]);
                2.0 * self.mean * (1.0 - self.mean)
            }
        };
        NodeSummary { weight, impurity }
    }

    fn constrain(&mut self, bounds: Bounds, trend: Option<Trend>) {
        let spread = (self.squares / self.weight).sqrt();
        self.constraint = Constraint::new(bounds, trend, self.mean, spread);
    }

    #[inline]
    fn allows(&self, left: &LeftSum, cut: Cut) -> bool {
        match cut {
            Cut::Present => self.constraint.allows_unordered(|| self.sides(left.weight, left.sum)),
            _ => self.allows_sums(left.weight, left.sum),
        }
    }

    fn value<P: Position>(&self, members: &[P]) -> f64 {
        let rows = || members.iter().map(|position| position.index());
        if self.is_pure(members) {
            return rows().next().map_or(0.0, |row| self.response[row]);
        }
        let weight: f64 = rows().map(|row| self.rows[row][0]).sum();
        rows().map(|row| self.rows[row][0] * self.response[row]).sum::<f64>() / weight
    }

    fn tolerance(&self) -> f64 {
        TIE * self.squares
    }

    fn weight(&self, position: usize) -> f64 {
        self.rows[position][0]
    }

    #[inline]
    fn start(&mut self) -> LeftSum {
        LeftSum::default()
    }

    #[inline]
    fn push(&mut self, left: &mut LeftSum, position: usize) {
        let [weight, sum] = self.rows[position];
        left.weight += weight;
        left.sum += sum;
        if !self.draws.is_empty() {
            left.draws += f64::from(self.draws[position]);
        }
    }

    #[inline]
    fn draws_left(&self, left: &LeftSum) -> f64 {
        if self.draws.is_empty() { left.weight } else { left.draws }
    }

    fn weights(&self, left: &LeftSum) -> [f64; 2] {
        [left.weight, self.weight - left.weight]
    }

    fn decrease(&self, score: f64) -> f64 {
        // The weight that scores leave out.
        self.decrease_of_squares(score * self.weight)
    }

    fn undivided(&self) -> f64 {
        0.0
    }

    fn spread(&self) -> f64 {
        self.squares / self.weight
    }

    #[inline]
    fn score(&self, left: &LeftSum) -> f64 {
        self.score_of(left.weight, left.sum)
    }

    fn scan(
        &mut self,
        left: LeftSum,
        sequence: &impl Sequence,
        limits: Limits,
        score: f64,
    ) -> Option<Found> {
        if self.draws.is_empty() {
            self.scan_sums([left.weight, left.sum], sequence, limits, score, |at| self.rows[at])
        } else {
            let left = [left.weight, left.sum, left.draws];
            self.scan_sums(left, sequence, limits, score, |at| {
                let [weight, sum] = self.rows[at];
                [weight, sum, f64::from(self.draws[at])]
            })
        }
    }

    fn search_bins<P: Position, F: Fn(P) -> u8>(
        &mut self,
        node: &Binned<'_, P, F>,
        best: &mut Best,
    ) -> bool {
        self.search_by_bin(node, best);
        true
    }

    /// By mean response: one of the cuts is then best of all divisions (Fisher 1958;
    /// Breiman et al. 1984, section 4.2).
    fn order_groups(&mut self, sequence: &impl Sequence, groups: &[Group]) -> GroupOrder {
        self.groups.clear();
        for group in groups {
            let mut total = LeftSum::default();
            for &item in &sequence.items()[group.start as usize..group.end as usize] {
                let position = sequence.position(item);
                let [weight, sum] = self.rows[position];
                total.weight += weight;
                total.sum += sum;
                total.draws += self.draws_of(position);
            }
            self.groups.push(total);
        }
        let means = self.groups.iter().map(|total| total.sum / total.weight);
        GroupOrder::by_scores(&means.collect::<Vec<f64>>())
    }

    fn move_group(&mut self, left: &mut LeftSum, group: u32, to: Side) {
        let total = self.groups[group as usize];
        let sign = match to {
            Side::Left => 1.0,
            Side::Right => -1.0,
        };
        left.weight += sign * total.weight;
        left.sum += sign * total.sum;
        left.draws += sign * total.draws;
    }
}
