//! Trees projected onto one number: the cells are intervals between thresholds.
//!
//! A threshold on the number divides the one interval that it lies in, whatever the other variables
//! are: rows reach the split if the splits above on the number alone let them pass. Where the threshold
//! lies outside what these leave, as in trees of other programs, it divides no rows. So the other thresholds
//! of the whole tree, sorted, are the projected partition, and a row is found in it by a table of its code. An
//! interval without in-bag rows has the mean of the interval of the level above that has some (Bénard,
//! Da Veiga & Scornet 2022, Remark 3).

use std::ops::Range;

use super::away;
use crate::data::{RankedKind, TrainingResponse};
use crate::forest::{Aggregation, RankedNode};
use crate::measure::projection::kernel::projected_cart::vote;
use crate::measure::projection::sobol_first::errors::Predictions;
use crate::pass::TreeView;

/// A threshold: codes from `below` on are right of it; and the smallest depth of its splits.
#[derive(Debug, Clone, Copy)]
struct Cut {
    below: u32,
    depth: u32,
}

/// What all numbers of a table need of one tree.
pub(super) struct Intervals<'a> {
    aggregation: Aggregation,
    centre: &'a [f64],
    /// By canonical column, the thresholds on it, sorted; `None` where it has other splits.
    cuts: Vec<Option<Vec<Cut>>>,
    /// Rows in and out of bag, in the order of the table, with what they weigh; of the latter how far the
    /// responses are from their mean, times their weights.
    in_bag: Vec<(u32, f64)>,
    out_of_bag: Vec<u32>,
    away: Vec<f64>,
}

/// Sums over the rows of an interval.
struct Sums {
    n_outputs: usize,
    weights: Vec<f64>,
    responses: Vec<f64>,
    away: Vec<f64>,
}

impl<'a> Intervals<'a> {
    pub(super) fn new(view: &TreeView<'_>, aggregation: Aggregation, centre: &'a [f64]) -> Self {
        let counts = view.bag.map_or(&[][..], |bag| bag.counts());
        let weight = |row: u32| f64::from(counts[row as usize]) * view.training.weight(row);
        let mut in_bag: Vec<(u32, f64)> =
            view.in_bag().all().iter().map(|&row| (row, weight(row))).collect();
        in_bag.sort_unstable_by_key(|(row, _)| *row);
        let mut out_of_bag = view.out_of_bag.all().to_vec();
        out_of_bag.sort_unstable();
        let mut all_away = vec![0.0; out_of_bag.len() * centre.len()];
        for (&row, to) in out_of_bag.iter().zip(all_away.chunks_exact_mut(centre.len())) {
            away(view, centre, row, to);
        }
        Self { aggregation, centre, cuts: cuts(view), in_bag, out_of_bag, away: all_away }
    }

    /// The sum over out-of-bag rows of response times projected prediction, both less their mean;
    /// `None` for groups that are no single number without missing values. Predictions are kept where there is a place
    /// for them.
    pub(super) fn of_group(
        &self,
        view: &TreeView<'_>,
        group: usize,
        kept: Option<&mut Predictions>,
    ) -> Option<f64> {
        let features = view.training.features();
        let [column] = view.groups.members()[group][..] else { return None };
        let canonical = features.canonical(column);
        let ranked = features.column(canonical);
        let is_number = matches!(ranked.kind(), RankedKind::Ordered(_)) && !ranked.has_missing();
        let cuts = self.cuts[canonical as usize].as_ref().filter(|_| is_number)?;
        let place = places(cuts, ranked.n_codes());
        let codes = ranked.codes();
        let place_of = |row: u32| place[codes[row as usize] as usize] as usize;
        let sums = self.sums(view, cuts.len() + 1, place_of);
        let values = self.values(cuts, &sums);
        if let Some(kept) = kept {
            let places = self.out_of_bag.iter().map(|&row| place_of(row));
            let of_rows = places.map(|place| &values[place * sums.n_outputs..][..sums.n_outputs]);
            of_rows.enumerate().for_each(|(at, values)| kept.set(at, group, values));
        }
        Some(values.iter().zip(&sums.away).map(|(value, away)| value * away).sum())
    }

    fn sums(&self, view: &TreeView<'_>, n: usize, place_of: impl Fn(u32) -> usize) -> Sums {
        let n_outputs = self.centre.len();
        let zeros = || vec![0.0; n * n_outputs];
        let (mut weights, mut responses, mut away) = (vec![0.0; n], zeros(), zeros());
        for &(row, weight) in &self.in_bag {
            let place = place_of(row);
            weights[place] += weight;
            match view.training.response() {
                TrainingResponse::Numbers { centred, .. } => {
                    responses[place] += weight * centred[row as usize];
                }
                TrainingResponse::Classes { codes, .. } => {
                    responses[place * n_outputs + codes[row as usize] as usize] += weight;
                }
                TrainingResponse::Several(several) => {
                    let sums = responses[place * n_outputs..].iter_mut();
                    let values = several.centred_row(row).iter();
                    sums.zip(values).for_each(|(sum, value)| *sum += weight * value);
                }
            }
        }
        for (&row, of_row) in self.out_of_bag.iter().zip(self.away.chunks_exact(n_outputs)) {
            let start = place_of(row) * n_outputs;
            let sums = &mut away[start..start + n_outputs];
            sums.iter_mut().zip(of_row).for_each(|(sum, of_row)| *sum += of_row);
        }
        Sums { n_outputs, weights, responses, away }
    }

    /// What is predicted in every interval, less the mean of the response.
    fn values(&self, cuts: &[Cut], sums: &Sums) -> Vec<f64> {
        let mut values = vec![0.0; sums.responses.len()];
        for (interval, value) in values.chunks_exact_mut(sums.n_outputs).enumerate() {
            let (first, last) = sums.with_rows(cuts, interval);
            let weight: f64 = sums.weights[first..=last].iter().sum();
            for responses in sums.responses[first * sums.n_outputs..]
                .chunks_exact(sums.n_outputs)
                .take(last + 1 - first)
            {
                value.iter_mut().zip(responses).for_each(|(value, sum)| *value += sum);
            }
            value.iter_mut().for_each(|value| *value /= weight);
            if sums.n_outputs > 1 && self.aggregation == Aggregation::Vote {
                vote(value);
            }
            value.iter_mut().zip(self.centre).for_each(|(value, centre)| *value -= centre);
        }
        values
    }
}

impl Sums {
    /// The first and the last of the intervals that make the smallest cell with in-bag rows: where there
    /// are none, the deepest of the two levels that end the cell is undone.
    fn with_rows(&self, cuts: &[Cut], interval: usize) -> (usize, usize) {
        let (mut first, mut last) = (interval, interval);
        while self.weights[first..=last].iter().all(|weight| *weight <= 0.0) {
            let depths = [first.checked_sub(1), Some(last)];
            let ends = depths.into_iter().flatten().filter_map(|cut| cuts.get(cut));
            let Some(depth) = ends.map(|cut| cut.depth).max() else { break };
            while first > 0 && cuts[first - 1].depth >= depth {
                first -= 1;
            }
            while last < cuts.len() && cuts[last].depth >= depth {
                last += 1;
            }
        }
        (first, last)
    }
}

/// What is still to be done on the way through a tree.
enum Visit {
    /// A node at a depth.
    Node(usize, u32),
    /// From here on, codes of a column are those in a range.
    Pass(u32, Range<u32>),
}

/// The thresholds of a tree that divide what the splits above on the same column leave, by canonical column.
fn cuts(view: &TreeView<'_>) -> Vec<Option<Vec<Cut>>> {
    let features = view.training.features();
    let mut cuts = vec![Some(Vec::new()); features.n_columns()];
    let mut passing: Vec<Range<u32>> = vec![0..u32::MAX; features.n_columns()];
    let mut visits = vec![Visit::Node(0, 0)];
    while let Some(visit) = visits.pop() {
        let (node, depth) = match visit {
            Visit::Node(node, depth) => (node, depth),
            Visit::Pass(column, codes) => {
                passing[column as usize] = codes;
                continue;
            }
        };
        match view.ranked.nodes[node] {
            RankedNode::Leaf => {}
            RankedNode::Below { column, below, first_child, .. } => {
                let codes = passing[column as usize].clone();
                if let Some(cuts) = &mut cuts[column as usize]
                    && codes.start < below
                    && below < codes.end
                {
                    cuts.push(Cut { below, depth });
                }
                let sides = [codes.start..codes.end.min(below), codes.start.max(below)..codes.end];
                visits.push(Visit::Pass(column, codes));
                for (child, codes) in (first_child as usize..).zip(sides) {
                    visits.push(Visit::Node(child, depth + 1));
                    visits.push(Visit::Pass(column, codes));
                }
            }
            RankedNode::Other { column, .. } => {
                cuts[column as usize] = None;
                if let Some(split) = view.router().split(node) {
                    let children = view.tree.children(split);
                    visits.extend(children.map(|child| Visit::Node(child, depth + 1)));
                }
            }
        }
    }
    for cuts in cuts.iter_mut().flatten() {
        cuts.sort_unstable_by_key(|cut| (cut.below, cut.depth));
        cuts.dedup_by_key(|cut| cut.below);
    }
    cuts
}

/// By code, the interval that it lies in.
fn places(cuts: &[Cut], n_codes: usize) -> Vec<u32> {
    let mut places = vec![0; n_codes];
    let ends = cuts.iter().skip(1).map(|cut| cut.below as usize).chain([n_codes]);
    for ((interval, cut), end) in (1..).zip(cuts).zip(ends) {
        places[cut.below as usize..end].fill(interval);
    }
    places
}
