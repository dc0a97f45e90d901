//! What the forest explains when it knows some of the variables.

use std::collections::BTreeMap;

use super::INFO;
use super::coalitions::Coalitions;
use super::regression::{Drawing, Regression};
use crate::forest::{Aggregation, Errors, Fold, Outcome, TreeView};
use crate::importance::Importance;
use crate::measure::Loss;
use crate::measure::altered::{Altered, AlteredTree, Increases};
use crate::measure::players::Players;
use crate::measure::projection::Projection;

/// Projects every tree onto all coalitions, and onto none of the variables, whose increase of the
/// loss stands for what the forest explains when standard errors are estimated.
#[derive(Debug)]
pub(super) struct Projected {
    pub(super) aggregation: Aggregation,
    pub(super) n_rows: usize,
    pub(super) n_outputs: usize,
    pub(super) n_groups: usize,
    pub(super) players: Players,
    pub(super) coalitions: Coalitions,
    pub(super) regression: Regression,
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

    /// Standard errors of the trees and of drawing coalitions, their squares added. What coalitions miss
    /// scatters over trees, too, so that the error of drawing holds what it adds to that of the trees,
    /// which counts once.
    fn standard_errors(
        &self,
        (values, shares): (&[f64], &[f64]),
        increases: &Increases,
        scale: f64,
    ) -> Option<Vec<f64>> {
        let influences = &increases.influences;
        increases.standard_errors.as_ref()?;
        let drawing = Drawing::new(&self.regression, &self.coalitions)?;
        let mut squares = vec![0.0; shares.len()];
        let mut missed = vec![0.0; self.coalitions.sets.len() / 2];
        for tree in influences {
            // More loss without some variables is less value of the others.
            let values: Vec<f64> = tree.iter().map(|influence| -influence / scale).collect();
            let (of_none, values) = values.split_last()?;
            let values: Vec<f64> = values.iter().map(|value| value - of_none).collect();
            let moved = self.regression.shares(&self.coalitions, &values, -of_none);
            let of_pairs = drawing.missed(&values, &moved);
            missed.iter_mut().zip(of_pairs).for_each(|(sum, missed)| *sum += missed * missed);
            squares.iter_mut().zip(moved).for_each(|(square, moved)| *square += moved * moved);
        }
        let all = increases.n_trees as f64 / influences.len() as f64;
        if !self.coalitions.are_drawn() {
            return Some(squares.iter().map(|trees| (all * trees).sqrt()).collect());
        }
        let of_drawing = drawing.squared_errors(&drawing.missed(values, shares));
        let of_both = drawing.squared_errors_of_parts(&missed);
        let error = |((trees, drawing), both): ((&f64, f64), f64)| {
            (all * trees + (drawing - all * both).max(0.0)).sqrt()
        };
        Some(squares.iter().zip(of_drawing).zip(of_both).map(error).collect())
    }
}

impl Fold for Projected {
    type Part = AlteredTree;
    type Total = Altered;

    fn tree(&self, view: &TreeView<'_>) -> AlteredTree {
        let leaves_out = |set: usize, group: usize| self.leaves_out(set, group);
        let changes = Projection::onto(view, self.aggregation, (self.n_sets(), &leaves_out));
        AlteredTree::new(view, self.aggregation, changes, Vec::new())
    }

    fn merge(&self, total: &mut Altered, part: AlteredTree) {
        total.add(part, (self.n_rows, self.n_sets(), self.n_outputs));
    }

    fn finish(&self, total: Altered, outcome: Outcome<'_>) -> Importance {
        let increases = total.increases(self.n_sets(), outcome);
        // Losses are compared with one variance, that of the rows they are about, so that what sets
        // explain is counted like what the forest explains.
        let variance = outcome.out_of_bag.target_variance(outcome.training).unwrap_or(0.0);
        let scale = variance * increases.weight_out_of_bag;
        let explained = match outcome.out_of_bag.errors(outcome.training) {
            Some(
                Errors::Regression { explained_variance, .. }
                | Errors::Classification { explained_variance, .. },
            ) => explained_variance,
            None => None,
        };
        let mut notes = Vec::new();
        if increases.n_never > 0 {
            notes
                .push(format!("rows never out of bag, which were left out: {}", increases.n_never));
        }
        let (mut values, mut standard_errors) = (vec![None; self.n_groups], None);
        if let Some(all) = explained.filter(|_| scale > 0.0) {
            let of_sets = &increases.values[..self.coalitions.sets.len()];
            let of_sets: Vec<f64> = of_sets.iter().map(|more| all - more / scale).collect();
            let shares = self.regression.shares(&self.coalitions, &of_sets, all);
            let errors = self.standard_errors((&of_sets, &shares), &increases, scale);
            let of_groups = |shares: &[f64]| -> Vec<Option<f64>> {
                let share =
                    |group| self.players.of_group(group).map_or(0.0, |at| shares[at as usize]);
                (0..self.n_groups).map(|group| Some(share(group))).collect()
            };
            values = of_groups(&shares);
            if errors.is_none() && increases.standard_errors.is_some() {
                notes.push(format!(
                    "no standard errors: {} sets of variables are too few to estimate how far values \
                     would differ with others",
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
            id: INFO.id,
            data: INFO.data,
            loss: Some(Loss::Squared.id()),
            unit: INFO.unit.to_owned(),
            values,
            standard_errors,
            p_values: None,
            total_errors: None,
            per_class: None,
            by_degree: None,
            per_tree: Vec::new(),
            repeats: Vec::new(),
            settings: BTreeMap::from([
                ("normalise", "variance".to_owned()),
                ("coalitions", sets.to_string()),
                ("coalitions-are", how.to_owned()),
            ]),
            notes,
        }
    }
}
