//! What the forest explains when it knows some of the variables.

use std::collections::BTreeMap;

use super::Definition;
use super::blocks::Blocks;
use super::coalitions::Coalitions;
use super::collected::Collected;
use super::known::Known;
use super::likeness::Likeness;
use super::regression::{Drawing, Regression};
use crate::forest::Aggregation;
use crate::importance::Importance;
use crate::loss::Loss;
use crate::measure::definition::MeasureDef;
use crate::measure::kernel::altered_predictions::AlteredTree;
use crate::measure::kernel::part::Taken;
use crate::measure::kernel::row_sums::Shape;
use crate::measure::kernel::used_features::Players;
use crate::measure::projection::kernel::projected_cart::Projection;
use crate::pass::{Fold, Outcome, TreeView};

/// Projects every tree onto the coalitions of its block.
#[derive(Debug)]
pub(super) struct Projected {
    pub(super) aggregation: Aggregation,
    pub(super) n_groups: usize,
    /// Which trees and rows stand for all.
    pub(super) part: Option<Taken>,
    pub(super) players: Players,
    pub(super) coalitions: Coalitions,
    pub(super) blocks: Blocks,
    pub(super) regression: Regression,
    /// Where sets are drawn, a game from which the draws estimate the difference only.
    pub(super) likeness: Option<Likeness>,
    pub(super) known: Known,
    /// The share of the variance that the forest explains; `None` where the target is constant over the rows that
    /// are out of bag.
    pub(super) explained: Option<f64>,
}

impl Projected {
    /// Whether all trees are projected onto all sets.
    pub(super) fn is_all(&self) -> bool {
        self.blocks.is_one() && !self.coalitions.are_drawn()
    }

    /// Whether the forest must not know a group in one of the sets.
    fn leaves_out(&self, set: usize, group: usize) -> bool {
        let player = self.players.of_group(group);
        player.is_some_and(|player| !self.coalitions.sets[set].contains(player))
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

    /// Standard errors of the trees, of drawing rows and of drawing coalitions, their squares added. What
    /// coalitions miss scatters over trees, too, so that the error of drawing holds what it adds to that of
    /// the trees, which counts once.
    fn standard_errors(&self, found: &Shares, total: &Collected) -> Option<Vec<f64>> {
        let drawing = Drawing::new(&self.regression, &self.coalitions)?;
        if total.contributions.len() < 2 || total.lacks_errors {
            return None;
        }
        let mut squares = total.squares_over_trees(&self.known);
        if let Some(part) = self.part.as_ref().filter(|_| self.known.has_part) {
            let drawn = 1.0 - part.n_rows as f64 / part.of_rows as f64;
            let of_rows = total.squares_over_rows(&self.known);
            squares.iter_mut().zip(of_rows).for_each(|(sum, of_rows)| *sum += drawn * of_rows);
        }
        if !self.coalitions.are_drawn() {
            // What drawn pairs miss scatters by this, too.
            squares.iter_mut().zip(&total.of_absent).for_each(|(sum, absent)| *sum += absent);
            return Some(squares.iter().map(|square| square.sqrt()).collect());
        }
        let mut of_trees = vec![0.0; self.coalitions.sets.len() / 2];
        for tree in &total.contributions {
            let mut more = vec![0.0; self.coalitions.sets.len() / 2];
            tree.pairs.iter().zip(&tree.of_pairs).for_each(|(&pair, of)| more[pair] = *of);
            let missed = drawing.missed(&more, &tree.of_players);
            of_trees.iter_mut().zip(missed).for_each(|(sum, missed)| *sum += missed * missed);
        }
        let more: Vec<f64> = found.values.chunks_exact(2).map(|pair| pair[0] - pair[1]).collect();
        let of_drawing = drawing.squared_errors(&drawing.missed(&more, &found.left));
        let of_both = drawing.squared_errors_of_parts(&of_trees);
        let error = |((square, drawing), both): ((&f64, f64), f64)| {
            (square + (drawing - both).max(0.0)).sqrt()
        };
        Some(squares.iter().zip(of_drawing).zip(of_both).map(error).collect())
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(part) = &self.part {
            notes.push(format!("from {}", part.words()));
        }
        let truth = &self.known.truth;
        let is_never = |row: &usize| self.known.out_of_bag.n_trees(*row) == 0;
        let n_never = (0..truth.n_rows()).filter(is_never).count();
        if n_never > 0 {
            notes.push(format!("rows never out of bag, which were left out: {n_never}"));
        }
        notes
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
    type Total = Collected;

    fn tree(&self, view: &TreeView<'_>) -> AlteredTree {
        let pairs = self.blocks.pairs(self.blocks.of_tree(view.index));
        let sets: Vec<usize> = pairs.flat_map(|pair| [2 * pair, 2 * pair + 1]).collect();
        let leaves_out = |set: usize, group: usize| self.leaves_out(sets[set], group);
        let placed = self.part.as_ref().and_then(|part| part.placed(view));
        let some = placed.as_ref().map(|placed| view.with_rows(placed));
        let view = some.as_ref().unwrap_or(view);
        let changes = Projection::onto(view, self.aggregation, sets.len(), &leaves_out);
        AlteredTree::new(view, self.aggregation, changes, Vec::new())
    }

    fn fits(&self, tree: usize, part: &AlteredTree) -> bool {
        let n_pairs = self.blocks.pairs(self.blocks.of_tree(tree)).count();
        let (n_rows, width) = (self.known.truth.n_rows(), self.known.truth.n_outputs());
        part.fits(Shape { n_rows, n_groups: 2 * n_pairs, width }, false)
    }

    fn merge(&self, total: &mut Collected, part: AlteredTree) {
        let tree = total.n_trees;
        let pairs: Vec<usize> = self.blocks.pairs(self.blocks.of_tree(tree)).collect();
        total.add(part, 2 * pairs.len(), &self.known);
        if self.blocks.ends_with(tree) {
            total.end_block(&pairs, &self.known);
        }
    }

    fn finish(&self, total: Collected, outcome: Outcome<'_>) -> Importance {
        let mut notes = self.notes();
        let (mut values, mut standard_errors) = (vec![None; self.n_groups], None);
        let is_known = total.lost.iter().all(|lost| lost.is_finite());
        if let Some(all) = self.explained.filter(|_| is_known) {
            let of_sets: Vec<f64> = total.lost.iter().map(|lost| all - lost).collect();
            let found = self.shares(&of_sets, all);
            let errors = self.standard_errors(&found, &total);
            let of_groups = |shares: &[f64]| -> Vec<Option<f64>> {
                let share =
                    |group| self.players.of_group(group).map_or(0.0, |at| shares[at as usize]);
                (0..self.n_groups).map(|group| Some(share(group))).collect()
            };
            values = of_groups(&found.totals);
            if errors.is_none() && total.n_trees > 1 {
                notes.push(format!(
                    "no standard errors: {} sets of variables are too few to estimate how far \
                     values would differ with others",
                    of_sets.len()
                ));
            }
            standard_errors = errors.map(|errors| of_groups(&errors));
        } else if self.explained.is_some() {
            notes.push("undefined, because too few rows are out of bag".to_owned());
        } else if outcome.training.response_variance() > 0.0 {
            let why =
                "undefined, because the rows that are out of bag have one value of the target";
            notes.push(why.to_owned());
        } else {
            notes.push("undefined, because the target is constant".to_owned());
        }
        let sets = self.coalitions.sets.len();
        let how = if self.coalitions.are_drawn() { "drawn" } else { "all" };
        let mut settings = BTreeMap::from([
            ("normalise", "variance".to_owned()),
            ("coalitions", sets.to_string()),
            ("coalitions-are", how.to_owned()),
        ]);
        if !self.blocks.is_one() {
            settings.insert("trees-of-a-coalition", self.blocks.trees_of_a_set().to_string());
        }
        Importance {
            loss: Some(Loss::Squared.id()),
            values,
            standard_errors,
            settings,
            notes,
            ..Definition::INFO.importance()
        }
    }
}
