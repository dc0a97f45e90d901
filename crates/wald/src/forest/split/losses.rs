//! Scores for a numeric response by other losses than the squared one: half the Poisson deviance of
//! counts from their mean, and the absolute error, whose best prediction is the median.

use crate::data::TrainingResponse;
use crate::forest::drawn::Drawn;
use crate::forest::position::Position;
use crate::forest::split::best::Cut;
use crate::forest::split::constraint::Constraint;
use crate::forest::split::deviance::unit_deviance;
use crate::forest::split::divide::divide;
use crate::forest::split::limits::Limits;
use crate::forest::split::medians::{Medians, Of, weighted_median};
use crate::forest::split::scorer::{Found, Group, GroupOrder, NodeSummary, Scorer, TIE, select};
use crate::forest::split::sequence::Sequence;
use crate::forest::tree::Side;
use crate::forest::trends::{Bounds, Trend};
use crate::forest::ways::Impurity;

/// Scores by the decrease of a loss.
#[derive(Debug)]
pub(crate) struct LossScorer {
    constraint: Constraint,
    loss: Loss,
    /// Responses and weights by position.
    pub(super) rows: Vec<[f64; 2]>,
    /// Draws by position; empty where they equal the weights.
    draws: Vec<u16>,
    /// By position, the place of the response among those of the node that was current when the row was
    /// last looked at; of medians only.
    pub(super) places: Vec<u32>,
    pub(super) medians: Medians,
    pub(super) weight: f64,
    /// The mean or the median of the current node.
    pub(super) centre: f64,
    /// The loss of the current node when it is predicted by its centre: weight times impurity.
    pub(super) total: f64,
    /// Rows of the current node whose response is above zero.
    pub(super) n_positive: u32,
    groups: Vec<LeftLoss>,
    /// The rows of each group, as a range of `grouped`.
    ranges: Vec<(u32, u32)>,
    grouped: Vec<u32>,
    /// The rows of a node as divisions among children read them.
    pub(super) read: Vec<u32>,
    pub(super) sorted: Vec<(f64, u32)>,
    pub(super) pairs: Vec<(f64, f64)>,
    spare: (Vec<[f64; 2]>, Vec<u16>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Loss {
    Poisson,
    Absolute,
}

/// Sums over the rows on the left; what medians need is in the scorer.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LeftLoss {
    pub(super) weight: f64,
    pub(super) draws: f64,
    /// Of weighted deviations from the node's centre.
    sum: f64,
    n_positive: u32,
}

impl LossScorer {
    /// For the given rows of the table; `None` for an impurity that other scorers know, and for classes.
    pub(crate) fn new(drawn: &Drawn<'_>, rows: &[u32], impurity: Impurity) -> Option<Self> {
        let loss = match impurity {
            Impurity::Poisson => Loss::Poisson,
            Impurity::AbsoluteError => Loss::Absolute,
            Impurity::Variance | Impurity::Gini | Impurity::Entropy => return None,
        };
        let TrainingResponse::Numbers { values, .. } = drawn.training.response() else {
            return None;
        };
        let mut scorer = Self::of(loss);
        scorer.rows.extend(rows.iter().map(|&row| [values[row as usize], drawn.weight(row)]));
        if drawn.is_weighted() {
            scorer.draws.extend(rows.iter().map(|&row| drawn.count(row)));
        }
        scorer.make_places();
        Some(scorer)
    }

    fn of(loss: Loss) -> Self {
        Self {
            constraint: Constraint::default(),
            loss,
            rows: Vec::new(),
            draws: Vec::new(),
            places: Vec::new(),
            medians: Medians::default(),
            weight: 0.0,
            centre: 0.0,
            total: 0.0,
            n_positive: 0,
            groups: Vec::new(),
            ranges: Vec::new(),
            grouped: Vec::new(),
            read: Vec::new(),
            sorted: Vec::new(),
            pairs: Vec::new(),
            spare: Default::default(),
        }
    }

    fn make_places(&mut self) {
        if self.loss == Loss::Absolute {
            self.places.clear();
            self.places.resize(self.rows.len(), 0);
        }
    }

    pub(super) fn draws_of(&self, position: usize) -> f64 {
        match self.draws.get(position) {
            Some(&draws) => f64::from(draws),
            None => self.rows[position][1],
        }
    }

    /// What a row adds to the sums of its side.
    #[inline]
    fn row(&self, position: usize) -> LeftLoss {
        let [response, weight] = self.rows[position];
        LeftLoss {
            weight,
            draws: self.draws_of(position),
            sum: weight * (response - self.centre),
            n_positive: u32::from(response > 0.0),
        }
    }

    /// Means as deviations from that of the node, or medians.
    fn sides(&self, left: &LeftLoss) -> [f64; 2] {
        match self.loss {
            Loss::Poisson => [left.sum / left.weight, -left.sum / (self.weight - left.weight)],
            Loss::Absolute => [Of::Left, Of::Right].map(|side| self.medians.median(side)),
        }
    }

    /// Whether trends and bounds allow a division.
    pub(super) fn allows_sides(&self, left: &LeftLoss) -> bool {
        self.constraint.allows(|| self.sides(left))
    }

    fn add(&mut self, left: &mut LeftLoss, of_row: LeftLoss, position: usize, sign: f64) {
        left.weight += sign * of_row.weight;
        left.draws += sign * of_row.draws;
        if self.loss == Loss::Absolute {
            self.medians.push(self.places[position], sign * of_row.weight);
        }
    }

    /// Half the deviance of counts from the means of two sides, subtracted from that of the node. A side
    /// that would predict zero is not allowed: nothing above it would be possible there.
    fn decrease_of_deviance(&self, left: &LeftLoss) -> f64 {
        if left.n_positive == 0 || left.n_positive == self.n_positive {
            return f64::NEG_INFINITY;
        }
        let side = |weight: f64, sum: f64| {
            let expected = weight * self.centre;
            expected * unit_deviance(sum / expected)
        };
        side(left.weight, left.sum) + side(self.weight - left.weight, -left.sum)
    }
}

impl Scorer for LossScorer {
    type Left = LeftLoss;

    fn empty(&self) -> Self {
        Self::of(self.loss)
    }

    fn select<P: Position>(&mut self, from: &Self, members: &[P]) {
        select(&mut self.rows, &from.rows, members);
        if !from.draws.is_empty() {
            select(&mut self.draws, &from.draws, members);
        }
        self.make_places();
    }

    fn divide(&mut self, start: usize, goes_right: &[bool]) {
        let end = start + goes_right.len();
        divide(&mut self.rows[start..end], goes_right, &mut self.spare.0);
        if !self.draws.is_empty() {
            divide(&mut self.draws[start..end], goes_right, &mut self.spare.1);
        }
    }

    fn is_pure<P: Position>(&self, members: &[P]) -> bool {
        let mut responses = members.iter().map(|position| self.rows[position.index()][0]);
        let first = responses.next();
        responses.all(|response| Some(response) == first)
    }

    fn draws<P: Position>(&self, members: &[P]) -> f64 {
        members.iter().map(|position| self.draws_of(position.index())).sum()
    }

    fn summarise<P: Position>(&mut self, members: &[P], values: &mut Vec<f64>) -> NodeSummary {
        (self.centre, self.total) = match self.loss {
            Loss::Poisson => self.describe_counts(members),
            Loss::Absolute => self.describe_median(members),
        };
        values.push(self.centre);
        NodeSummary { weight: self.weight, impurity: self.total / self.weight }
    }

    fn constrain(&mut self, bounds: Bounds, trend: Option<Trend>) {
        // Medians are responses or middles of two: no rounding is in them.
        let centre = if self.loss == Loss::Poisson { self.centre } else { 0.0 };
        self.constraint = Constraint::new(bounds, trend, centre, 0.0);
    }

    fn allows(&self, left: &LeftLoss, cut: Cut) -> bool {
        match cut {
            Cut::Present => self.constraint.allows_unordered(|| self.sides(left)),
            _ => self.allows_sides(left),
        }
    }

    fn value<P: Position>(&self, members: &[P]) -> f64 {
        let mut rows: Vec<(f64, f64)> =
            members.iter().map(|position| self.rows[position.index()].into()).collect();
        match self.loss {
            Loss::Poisson if self.is_pure(members) => rows.first().map_or(0.0, |row| row.0),
            Loss::Poisson => {
                let sum: f64 = rows.iter().map(|(response, weight)| weight * response).sum();
                sum / rows.iter().map(|(_, weight)| weight).sum::<f64>()
            }
            Loss::Absolute => {
                rows.sort_by(|one, other| one.0.total_cmp(&other.0));
                weighted_median(&rows, rows.iter().map(|(_, weight)| weight).sum())
            }
        }
    }

    fn tolerance(&self) -> f64 {
        TIE * self.total
    }

    fn weight(&self, position: usize) -> f64 {
        self.rows[position][1]
    }

    fn start(&mut self) -> LeftLoss {
        if self.loss == Loss::Absolute {
            self.medians.clear_left();
        }
        LeftLoss::default()
    }

    #[inline]
    fn push(&mut self, left: &mut LeftLoss, position: usize) {
        let of_row = self.row(position);
        self.add(left, of_row, position, 1.0);
        left.sum += of_row.sum;
        left.n_positive += of_row.n_positive;
    }

    fn draws_left(&self, left: &LeftLoss) -> f64 {
        left.draws
    }

    fn weights(&self, left: &LeftLoss) -> [f64; 2] {
        [left.weight, self.weight - left.weight]
    }

    fn decrease(&self, score: f64) -> f64 {
        score - self.undivided()
    }

    fn undivided(&self) -> f64 {
        match self.loss {
            Loss::Poisson => 0.0,
            Loss::Absolute => -self.total,
        }
    }

    fn spread(&self) -> f64 {
        self.total
    }

    fn score(&self, left: &LeftLoss) -> f64 {
        if left.weight <= 0.0 || left.weight >= self.weight {
            return f64::NEG_INFINITY;
        }
        match self.loss {
            Loss::Poisson => self.decrease_of_deviance(left),
            Loss::Absolute => -self.medians.distances(Of::Left) - self.medians.distances(Of::Right),
        }
    }

    fn scan(
        &mut self,
        mut left: LeftLoss,
        sequence: &impl Sequence,
        limits: Limits,
        mut score: f64,
    ) -> Option<Found> {
        let mut found = None;
        for (index, pair) in sequence.items().windows(2).enumerate() {
            self.push(&mut left, sequence.position(pair[0]));
            if sequence.key(pair[0]) == sequence.key(pair[1]) {
                continue;
            }
            let here = self.score(&left);
            if here > score + self.tolerance()
                && limits.allow(left.draws, self.weights(&left))
                && self.allows_sides(&left)
            {
                score = here;
                found = Some(Found { score, n_before: index as u32 + 1, draws_left: left.draws });
            }
        }
        found
    }

    /// By mean, one of whose cuts is best of all divisions for the deviance (Chou 1991), or by median.
    fn order_groups(&mut self, sequence: &impl Sequence, groups: &[Group]) -> GroupOrder {
        self.groups.clear();
        self.ranges.clear();
        self.grouped.clear();
        let mut scores = Vec::with_capacity(groups.len());
        for group in groups {
            let mut total = LeftLoss::default();
            let first = self.grouped.len() as u32;
            self.pairs.clear();
            for &item in &sequence.items()[group.start as usize..group.end as usize] {
                let position = sequence.position(item);
                let row = self.row(position);
                total.weight += row.weight;
                total.draws += row.draws;
                total.sum += row.sum;
                total.n_positive += row.n_positive;
                self.grouped.push(position as u32);
                self.pairs.push((self.rows[position][0], row.weight));
            }
            self.groups.push(total);
            self.ranges.push((first, self.grouped.len() as u32));
            scores.push(match self.loss {
                Loss::Poisson => total.sum / total.weight,
                Loss::Absolute => {
                    self.pairs.sort_by(|one, other| one.0.total_cmp(&other.0));
                    weighted_median(&self.pairs, total.weight)
                }
            });
        }
        GroupOrder::by_scores(&scores)
    }

    fn move_group(&mut self, left: &mut LeftLoss, group: u32, to: Side) {
        let total = self.groups[group as usize];
        let sign = if to == Side::Left { 1.0 } else { -1.0 };
        left.weight += sign * total.weight;
        left.draws += sign * total.draws;
        left.sum += sign * total.sum;
        left.n_positive = match to {
            Side::Left => left.n_positive + total.n_positive,
            Side::Right => left.n_positive - total.n_positive,
        };
        if self.loss == Loss::Absolute {
            let (start, end) = self.ranges[group as usize];
            for &position in &self.grouped[start as usize..end as usize] {
                let position = position as usize;
                self.medians.push(self.places[position], sign * self.rows[position][1]);
            }
        }
    }
}
