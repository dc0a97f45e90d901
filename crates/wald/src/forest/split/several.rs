//! Scores for several numbers at once: the reduction of their variances, summed over outputs.

use std::sync::Arc;

use crate::data::TrainingResponse;
use crate::forest::drawn::Drawn;
use crate::forest::position::Position;
use crate::forest::split::best::Cut;
use crate::forest::split::children::{ChildScorer, Divided, Mask};
use crate::forest::split::classes::MOST_EXHAUSTIVE_GROUPS;
use crate::forest::split::dependence::{Dependence, TestScorer};
use crate::forest::split::divide::divide;
use crate::forest::split::limits::Limits;
use crate::forest::split::principal::{ClassGroups, principal_scores};
use crate::forest::split::scorer::{Found, Group, GroupOrder, NodeSummary, Scorer, TIE, select};
use crate::forest::split::sequence::Sequence;
use crate::forest::tree::Side;
use crate::forest::trends::{Bounds, Trend};

/// Scores by the variances of all outputs. Rows are looked up in the table of responses, so that
/// only their numbers move.
#[derive(Debug)]
pub(crate) struct SeveralScorer {
    responses: Responses,
    /// By position: row of the table, and weight in this tree.
    rows: Vec<(u32, f64)>,
    /// Draws by position; empty where they equal the weights.
    draws: Vec<u16>,
    weight: f64,
    /// Means of the current node, by output.
    centre: Vec<f64>,
    /// Weighted squared deviations from them, summed over outputs.
    squares: f64,
    /// By output: weighted deviations of the rows on the left.
    left: Vec<f64>,
    /// By group of the last order: weighted deviations, `n_outputs` each, and weight and draws.
    sums: Vec<f64>,
    totals: Vec<(f64, f64)>,
    /// Positions that were read last.
    read: Vec<u32>,
    /// By output, whether all rows of the node have the same response.
    is_constant: Vec<bool>,
    /// Room for rows and draws that move.
    spare: (Vec<(u32, f64)>, Vec<u16>),
}

/// The responses of all rows of the table, shared by all scorers.
#[derive(Debug, Clone)]
struct Responses {
    /// Row after row, minus the means.
    centred: Arc<[f64]>,
    means: Arc<[f64]>,
    n_targets: f64,
}

impl Responses {
    #[inline]
    fn row(&self, row: u32) -> &[f64] {
        let n_outputs = self.means.len();
        &self.centred[row as usize * n_outputs..][..n_outputs]
    }
}

/// Weight and draws on the left; its deviations are in the scorer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeftRows {
    weight: f64,
    draws: f64,
}

impl SeveralScorer {
    /// For the given rows of the table; `None` for one target.
    pub(crate) fn new(drawn: &Drawn<'_>, rows: &[u32]) -> Option<Self> {
        let TrainingResponse::Several(several) = drawn.training.response() else {
            return None;
        };
        let mut scorer = Self::of(Responses {
            centred: Arc::clone(&several.centred),
            means: Arc::clone(&several.means),
            n_targets: several.n_targets as f64,
        });
        scorer.rows.extend(rows.iter().map(|&row| (row, drawn.weight(row))));
        if drawn.is_weighted() {
            scorer.draws.extend(rows.iter().map(|&row| drawn.count(row)));
        }
        Some(scorer)
    }

    fn of(responses: Responses) -> Self {
        let n_outputs = responses.means.len();
        Self {
            responses,
            rows: Vec::new(),
            draws: Vec::new(),
            weight: 0.0,
            centre: vec![0.0; n_outputs],
            squares: 0.0,
            left: vec![0.0; n_outputs],
            sums: Vec::new(),
            totals: Vec::new(),
            read: Vec::new(),
            is_constant: vec![true; n_outputs],
            spare: Default::default(),
        }
    }

    fn draws_of(&self, position: usize) -> f64 {
        match self.draws.get(position) {
            Some(&draws) => f64::from(draws),
            None => self.rows[position].1,
        }
    }

    fn response(&self, position: usize) -> &[f64] {
        self.responses.row(self.rows[position].0)
    }

    /// What a row adds to some sums of weighted deviations from the means of the node.
    #[inline]
    fn add_deviations(
        responses: &Responses,
        centre: &[f64],
        (row, weight): (u32, f64),
        sums: &mut [f64],
    ) {
        for ((sum, value), mean) in sums.iter_mut().zip(responses.row(row)).zip(centre) {
            *sum += weight * (value - mean);
        }
    }
}

impl Scorer for SeveralScorer {
    type Left = LeftRows;

    fn empty(&self) -> Self {
        Self::of(self.responses.clone())
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
        let mut responses = members.iter().map(|position| self.response(position.index()));
        let first = responses.next();
        responses.all(|response| Some(response) == first)
    }

    fn draws<P: Position>(&self, members: &[P]) -> f64 {
        members.iter().map(|position| self.draws_of(position.index())).sum()
    }

    fn summarise<P: Position>(&mut self, members: &[P], values: &mut Vec<f64>) -> NodeSummary {
        let Self { responses, rows, centre, is_constant, .. } = self;
        centre.fill(0.0);
        is_constant.fill(true);
        let first = members.first().map(|position| responses.row(rows[position.index()].0));
        let first = first.unwrap_or(&responses.means);
        let mut weight = 0.0;
        for position in members {
            let (row, row_weight) = rows[position.index()];
            weight += row_weight;
            for (output, value) in responses.row(row).iter().enumerate() {
                centre[output] += row_weight * value;
                is_constant[output] &= *value == first[output];
            }
        }
        for (output, mean) in centre.iter_mut().enumerate() {
            *mean = if is_constant[output] { first[output] } else { *mean / weight };
        }
        let mut squares = 0.0;
        for position in members {
            let (row, row_weight) = rows[position.index()];
            for (value, mean) in responses.row(row).iter().zip(&*centre) {
                squares += row_weight * (value - mean) * (value - mean);
            }
        }
        values.extend(responses.means.iter().zip(&*centre).map(|(of_all, mean)| of_all + mean));
        let impurity = squares / weight / responses.n_targets;
        (self.weight, self.squares) = (weight, squares);
        NodeSummary { weight, impurity }
    }

    /// Several outputs have no common direction: trends are refused before a tree is grown.
    fn constrain(&mut self, _: Bounds, _: Option<Trend>) {}

    fn allows(&self, _: &LeftRows, _: Cut) -> bool {
        true
    }

    /// That of the first output: nothing is bound by it.
    fn value<P: Position>(&self, members: &[P]) -> f64 {
        let rows = || members.iter().map(|position| self.rows[position.index()]);
        let weight: f64 = rows().map(|(_, weight)| weight).sum();
        rows().map(|(row, weight)| weight * self.responses.row(row)[0]).sum::<f64>() / weight
    }

    fn tolerance(&self) -> f64 {
        TIE * self.squares
    }

    fn weight(&self, position: usize) -> f64 {
        self.rows[position].1
    }

    fn start(&mut self) -> LeftRows {
        self.left.fill(0.0);
        LeftRows { weight: 0.0, draws: 0.0 }
    }

    #[inline]
    fn push(&mut self, left: &mut LeftRows, position: usize) {
        let row = self.rows[position];
        Self::add_deviations(&self.responses, &self.centre, row, &mut self.left);
        left.weight += row.1;
        left.draws += self.draws_of(position);
    }

    fn draws_left(&self, left: &LeftRows) -> f64 {
        left.draws
    }

    fn weights(&self, left: &LeftRows) -> [f64; 2] {
        [left.weight, self.weight - left.weight]
    }

    fn decrease(&self, score: f64) -> f64 {
        // The weight that scores leave out.
        self.decrease_of_division(score * self.weight)
    }

    fn undivided(&self) -> f64 {
        0.0
    }

    fn spread(&self) -> f64 {
        self.squares / self.weight
    }

    /// As for one number, where deviations on the right are those on the left, the other way round.
    fn score(&self, left: &LeftRows) -> f64 {
        let product = left.weight * (self.weight - left.weight);
        if product > 0.0 {
            self.left.iter().map(|sum| sum * sum).sum::<f64>() / product
        } else {
            f64::NEG_INFINITY
        }
    }

    fn scan(
        &mut self,
        mut left: LeftRows,
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
            if here > score + self.tolerance() && limits.allow(left.draws, self.weights(&left)) {
                score = here;
                found = Some(Found { score, n_before: index as u32 + 1, draws_left: left.draws });
            }
        }
        found
    }

    /// By the mean of a single output, which is exact. More outputs: all divisions when levels are few,
    /// else by the first principal component of the means, as for classes.
    fn order_groups(&mut self, sequence: &impl Sequence, groups: &[Group]) -> GroupOrder {
        let n_outputs = self.centre.len();
        self.sums.clear();
        self.totals.clear();
        for group in groups {
            let start = self.sums.len();
            self.sums.resize(start + n_outputs, 0.0);
            let (mut weight, mut draws) = (0.0, 0.0);
            for &item in &sequence.items()[group.start as usize..group.end as usize] {
                let position = sequence.position(item);
                let row = self.rows[position];
                let sums = &mut self.sums[start..];
                Self::add_deviations(&self.responses, &self.centre, row, sums);
                weight += row.1;
                draws += self.draws_of(position);
            }
            self.totals.push((weight, draws));
        }
        if n_outputs == 1 {
            let means = self.sums.iter().zip(&self.totals).map(|(sum, (weight, _))| sum / weight);
            return GroupOrder::by_scores(&means.collect::<Vec<f64>>());
        }
        if groups.len() <= MOST_EXHAUSTIVE_GROUPS {
            return GroupOrder::Exhaustive;
        }
        let groups = ClassGroups::of_sums(&self.sums, &self.totals);
        GroupOrder::by_scores(&principal_scores(&groups, &vec![1.0; n_outputs]))
    }

    fn move_group(&mut self, left: &mut LeftRows, group: u32, to: Side) {
        let sign = if to == Side::Left { 1.0 } else { -1.0 };
        let sums = self.sums.chunks_exact(self.left.len()).nth(group as usize);
        for (on_left, sum) in self.left.iter_mut().zip(sums.unwrap_or_default()) {
            *on_left += sign * sum;
        }
        let (weight, draws) = self.totals[group as usize];
        left.weight += sign * weight;
        left.draws += sign * draws;
    }
}

impl ChildScorer for SeveralScorer {
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
        let [weight, rest] = self.weights(&left);
        Divided {
            score: self.score(&left) * self.weight,
            least_draws: left.draws.min(draws - left.draws),
            least_weight: weight.min(rest),
        }
    }

    /// Of two children at most: several targets are refused before a tree of branches is grown.
    fn score_children(&mut self, _: &[u32], _: usize) -> Divided {
        Divided { score: f64::NEG_INFINITY, least_draws: 0.0, least_weight: 0.0 }
    }

    fn decrease_of_division(&self, score: f64) -> f64 {
        score / self.responses.n_targets
    }
}

/// There are no tests of several targets: they are refused before a tree of tests is grown.
impl TestScorer for SeveralScorer {
    fn dependence_on_numbers(&mut self, _: &[f64]) -> Option<Dependence> {
        None
    }

    fn dependence_on_levels(&mut self, _: &[u32], _: usize) -> Option<Dependence> {
        None
    }
}
