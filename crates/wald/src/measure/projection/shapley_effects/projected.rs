//! What the forest explains when it knows some of the variables.

use std::collections::BTreeMap;

use super::Definition;
use super::coalitions::Coalitions;
use super::likeness::Likeness;
use super::regression::{Drawing, Regression};
use crate::data::Truth;
use crate::forest::Aggregation;
use crate::importance::Importance;
use crate::loss::Loss;
use crate::measure::definition::MeasureDef;
use crate::measure::kernel::altered_predictions::{Altered, AlteredTree, Increases};
use crate::measure::kernel::part::Taken;
use crate::measure::kernel::row_sums::Shape;
use crate::measure::kernel::used_features::Players;
use crate::measure::projection::kernel::projected_cart::Projection;
use crate::pass::{Errors, Fold, Outcome, TreeView};

/// Projects every tree onto all coalitions, and onto none of the variables, whose increase of the
/// loss stands for what the forest explains when standard errors are estimated.
#[derive(Debug)]
pub(super) struct Projected {
    pub(super) aggregation: Aggregation,
    pub(super) n_rows: usize,
    pub(super) n_outputs: usize,
    pub(super) n_groups: usize,
    /// Which trees and rows stand for all.
    pub(super) part: Option<Taken>,
    pub(super) truth: Truth,
    pub(super) players: Players,
    pub(super) coalitions: Coalitions,
    pub(super) regression: Regression,
    /// Where sets are drawn, a game from which the draws estimate the difference only.
    pub(super) likeness: Option<Likeness>,
}

impl Projected {
    fn n_sets(&self) -> usize {
        self.coalitions.sets.len() + 1
    }

    /// Whether the forest must not know a group in one of the sets; the last one is empty.
    fn leaves_out(&self, set: usize, group: usize) -> bool {
        let set = self.coalitions.sets.get(set);
        let Some(player) = self.players.of_group(group) else { return false };
        set.is_none_or(|set| !set.contains(player))
    }

    /// What players get, of what sets are worth and all of them are.
    fn shares(&self, of_sets: &[f64], all: f64) -> Shares {
        let Some(like) = &self.likeness else {
            let values = of_sets.to_vec();
            let shares = self.regression.shares(&self.coalitions, &values, all);
            return Shares { left: shares.clone(), totals: shares, values };
        };
        let sets = self.coalitions.sets.iter().zip(of_sets);
        let values: Vec<f64> = sets.map(|(set, worth)| worth - like.of_set(set)).collect();
        let left = self.regression.shares(&self.coalitions, &values, all - like.of_all());
        let totals = left.iter().zip(&like.shares).map(|(left, like)| left + like).collect();
        Shares { totals, left, values }
    }

    /// What players get of what every set explains, given by how much more is lost without it; the last
    /// set is empty.
    fn of_losses(&self, losses: &[f64], scale: f64) -> Option<(Vec<f64>, Vec<f64>)> {
        let (of_none, losses) = losses.split_last()?;
        let values: Vec<f64> = losses.iter().map(|more| (of_none - more) / scale).collect();
        let shares = self.regression.shares(&self.coalitions, &values, of_none / scale);
        Some((values, shares))
    }

    /// Squares of the standard errors of drawing rows, where some stand for all.
    fn of_rows(&self, shares: &[f64], increases: &Increases, scale: f64) -> Option<Vec<f64>> {
        let mut squares = vec![0.0; shares.len()];
        let Some(part) = &self.part else { return Some(squares) };
        let drawn = 1.0 - part.n_rows as f64 / part.of_rows as f64;
        let n = increases.by_row.len() as f64;
        // Values are sums over rows, divided by the spread of the response over the same rows.
        let spread: f64 = increases.by_row.iter().map(|(_, away)| away).sum();
        for (losses, away) in &increases.by_row {
            let (_, moved) = self.of_losses(losses, scale)?;
            for ((square, moved), share) in squares.iter_mut().zip(moved).zip(shares) {
                *square += (moved - share * away / spread).powi(2);
            }
        }
        squares.iter_mut().for_each(|square| *square *= drawn * n / (n - 1.0).max(1.0));
        Some(squares)
    }

    /// Standard errors of the trees, of drawing rows and of drawing coalitions, their squares added. What
    /// coalitions miss scatters over trees, too, so that the error of drawing holds what it adds to that of
    /// the trees, which counts once.
    fn standard_errors(
        &self,
        found: &Shares,
        increases: &Increases,
        scale: f64,
    ) -> Option<Vec<f64>> {
        let influences = &increases.influences;
        increases.standard_errors.as_ref()?;
        let drawing = Drawing::new(&self.regression, &self.coalitions)?;
        let mut squares = vec![0.0; found.totals.len()];
        let mut missed = vec![0.0; self.coalitions.sets.len() / 2];
        for tree in influences {
            let (values, moved) = self.of_losses(tree, scale)?;
            let of_pairs = drawing.missed(&values, &moved);
            missed.iter_mut().zip(of_pairs).for_each(|(sum, missed)| *sum += missed * missed);
            squares.iter_mut().zip(moved).for_each(|(square, moved)| *square += moved * moved);
        }
        let all = increases.n_trees as f64 / influences.len() as f64;
        let of_rows = self.of_rows(&found.totals, increases, scale)?;
        squares.iter_mut().zip(of_rows).for_each(|(square, rows)| *square = all * *square + rows);
        if !self.coalitions.are_drawn() {
            return Some(squares.iter().map(|square| square.sqrt()).collect());
        }
        let of_drawing = drawing.squared_errors(&drawing.missed(&found.values, &found.left));
        let of_both = drawing.squared_errors_of_parts(&missed);
        let error = |((square, drawing), both): ((&f64, f64), f64)| {
            (square + (drawing - all * both).max(0.0)).sqrt()
        };
        Some(squares.iter().zip(of_drawing).zip(of_both).map(error).collect())
    }
}

/// What players get: all of it, and beyond what is known of a game that is much alike; and what sets are
/// worth beyond that.
struct Shares {
    totals: Vec<f64>,
    left: Vec<f64>,
    values: Vec<f64>,
}

impl Fold for Projected {
    type Part = AlteredTree;
    type Total = Altered;

    fn tree(&self, view: &TreeView<'_>) -> AlteredTree {
        let leaves_out = |set: usize, group: usize| self.leaves_out(set, group);
        let onto = |view: &TreeView<'_>| {
            Projection::onto(view, self.aggregation, self.n_sets(), &leaves_out)
        };
        let Some(part) = &self.part else {
            return AlteredTree::new(view, self.aggregation, onto(view), Vec::new());
        };
        let placed = part.placed(view);
        let some = placed.as_ref().map(|placed| view.with_rows(placed));
        let view = some.as_ref().unwrap_or(view);
        AlteredTree::of_part(view, self.aggregation, onto(view))
    }

    fn merge(&self, total: &mut Altered, part: AlteredTree) {
        let shape = Shape { n_rows: self.n_rows, n_groups: self.n_sets(), width: self.n_outputs };
        match &self.part {
            Some(taken) => total.add_of_part(part, shape, &self.truth, self.aggregation, taken),
            None => total.add(part, shape),
        }
    }

    fn finish(&self, mut total: Altered, outcome: Outcome<'_>) -> Importance {
        if self.part.is_some() {
            total.keep_rows();
        }
        let increases = total.increases(self.n_sets(), outcome);
        // Losses are compared with one variance, that of the rows they are about, so that what sets
        // explain is counted like what the forest explains.
        let variance = || outcome.out_of_bag.target_variance(outcome.training).unwrap_or(0.0);
        let scale = increases.variance.unwrap_or_else(variance) * increases.weight_out_of_bag;
        // Of part of a forest, what all of it would explain is what it explains beyond the mean, whose
        // loss is corrected for the trees that are missing.
        let of_part = self.part.as_ref().and_then(|_| increases.values.last());
        let explained = match outcome.out_of_bag.errors(outcome.training) {
            Some(
                Errors::Regression { explained_variance, .. }
                | Errors::Classification { explained_variance, .. },
            ) => explained_variance,
            None => None,
        };
        let explained = of_part.filter(|_| scale > 0.0).map(|more| more / scale).or(explained);
        let mut notes = Vec::new();
        if let Some(part) = &self.part {
            notes.push(format!("from {}", part.words()));
        }
        if increases.n_never > 0 {
            notes
                .push(format!("rows never out of bag, which were left out: {}", increases.n_never));
        }
        let (mut values, mut standard_errors) = (vec![None; self.n_groups], None);
        if let Some(all) = explained.filter(|_| scale > 0.0) {
            let of_sets = &increases.values[..self.coalitions.sets.len()];
            let of_sets: Vec<f64> = of_sets.iter().map(|more| all - more / scale).collect();
            let found = self.shares(&of_sets, all);
            let errors = self.standard_errors(&found, &increases, scale);
            let of_groups = |shares: &[f64]| -> Vec<Option<f64>> {
                let share =
                    |group| self.players.of_group(group).map_or(0.0, |at| shares[at as usize]);
                (0..self.n_groups).map(|group| Some(share(group))).collect()
            };
            values = of_groups(&found.totals);
            if errors.is_none() && increases.standard_errors.is_some() {
                notes.push(format!(
                    "no standard errors: {} sets of variables are too few to estimate how far \
                     values would differ with others",
                    of_sets.len()
                ));
            }
            standard_errors = errors.map(|errors| of_groups(&errors));
        } else {
            notes.push("undefined, because the target is constant".to_owned());
        }
        let sets = self.coalitions.sets.len();
        let how = if self.coalitions.are_drawn() { "drawn" } else { "all" };
        Importance {
            loss: Some(Loss::Squared.id()),
            values,
            standard_errors,
            settings: BTreeMap::from([
                ("normalise", "variance".to_owned()),
                ("coalitions", sets.to_string()),
                ("coalitions-are", how.to_owned()),
            ]),
            notes,
            ..Definition::INFO.importance()
        }
    }
}
