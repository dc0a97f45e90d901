//! Completes a tree from the training data, and checks that the two agree.

use super::draft::{Draft, at_node, node_error};
use crate::data::{MISSING_CODE, Training};
use crate::error::Error;
use crate::forest::agree::{self, Contradiction, Given};
use crate::forest::info::Aggregation;
use crate::forest::model::Forest;
use crate::forest::placement::Placement;
use crate::forest::tally::{Tally, Tallying};
use crate::forest::tree::{Node, NodeStatistics, Tree};

/// What all trees share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context<'a> {
    /// The forest without its trees.
    pub(super) forest: &'a Forest,
    pub(super) training: Option<&'a Training>,
}

/// What a draft lacked.
#[derive(Debug)]
pub(super) struct Finished {
    values: Vec<f64>,
    statistics: Option<NodeStatistics>,
}

impl Finished {
    /// The value in the file if there is one, else that of the data.
    fn join(draft: &Draft, tally: Tally, votes: bool, n_outputs: usize) -> Self {
        let Tally { mut values, mut statistics } = tally;
        if votes {
            // In-bag proportions have more information than a class, but must not change the vote.
            agree::keep_votes(&draft.tree.values, &mut values, n_outputs);
        } else {
            for (value, &given) in values.iter_mut().zip(&draft.tree.values) {
                *value = if given.is_nan() { *value } else { given };
            }
        }
        if let Some(weights) = &draft.weights {
            statistics.weights.clone_from(weights);
        }
        if let Some(impurities) = &draft.impurities {
            statistics.impurities.clone_from(impurities);
        }
        Self { values, statistics: Some(statistics) }
    }

    /// The complete tree.
    pub(super) fn into_tree(self, draft: Draft) -> Tree {
        let mut tree = draft.tree;
        tree.values = self.values;
        // Weights alone are enough to know the heavier child, but no statistics.
        let alone = draft.weights.filter(|_| self.statistics.is_none());
        let alone = alone.map(|weights| NodeStatistics { weights, impurities: Vec::new() });
        let is_alone = alone.is_some();
        tree.statistics = self.statistics.or(alone);
        for node in draft.otherless {
            tree.send_others_to_heaviest(node as usize);
        }
        // Where the file is silent, missing values follow the heavier child, or the first one of nodes
        // whose weights are not known.
        for node in draft.sideless {
            tree.send_missing_to_heaviest(node as usize);
        }
        if is_alone {
            tree.statistics = None;
        }
        tree
    }
}

impl Context<'_> {
    pub(super) fn finish(
        &self,
        index: usize,
        draft: &Draft,
        placement: &mut Placement,
    ) -> Result<Finished, Error> {
        let bag = self.forest.bags.as_ref().map(|bags| &bags[index]);
        // The trees of a sum fit residuals: the response does not determine their nodes.
        let is_sum = self.forest.aggregation == Aggregation::Sum;
        let (Some(training), Some(bag), false) = (self.training, bag, is_sum) else {
            return self.finish_alone(index, draft);
        };
        let tallying = Tallying {
            tree: &draft.tree,
            bag,
            training,
            impurity: self.forest.impurity,
            class_weight: self.forest.class_weight(),
            float32_inputs: self.forest.float32_inputs,
        };
        let tally = tallying.tally(placement);
        self.check_missing(index, draft, placement)?;
        let given = Given {
            values: &draft.tree.values,
            weights: draft.weights.as_deref(),
            impurities: draft.impurities.as_deref(),
            votes: agree::votes(self.forest),
        };
        let contradiction = agree::first_contradiction(given, &tally, self.forest.impurity);
        if let Some(Contradiction { node, what, help }) = contradiction {
            let what = at_node(index, draft.names[node], what);
            return Err(Error::forest_file(what, help));
        }
        Ok(Finished::join(draft, tally, given.votes, self.forest.target.n_outputs()))
    }

    /// A split that met missing values in training must define where they went.
    fn check_missing(
        &self,
        index: usize,
        draft: &Draft,
        placement: &Placement,
    ) -> Result<(), Error> {
        for &node in &draft.sideless {
            let (Node::Split(split), Some(training)) =
                (draft.tree.nodes[node as usize], self.training)
            else {
                continue;
            };
            let features = training.features();
            let codes = features.column(features.canonical(split.feature)).codes();
            let rows = placement.rows(node as usize);
            if rows.iter().any(|&row| codes[row as usize] == MISSING_CODE) {
                let name = &self.forest.features[split.feature as usize].name;
                let what = format!("does not define in `missing` where missing \"{name}\" go");
                return Err(node_error(index, draft.names[node as usize], what));
            }
        }
        Ok(())
    }

    /// Without data the file must know all values; means of inner nodes follow from leaves.
    fn finish_alone(&self, index: usize, draft: &Draft) -> Result<Finished, Error> {
        let n_outputs = self.forest.target.n_outputs();
        let mut values = draft.tree.values.clone();
        let votes = agree::votes(self.forest);
        for node in (0..draft.tree.n_nodes()).rev() {
            let start = node * n_outputs;
            if !values[start].is_nan() {
                continue;
            }
            let mean = match (&draft.weights, &draft.tree.nodes[node]) {
                (Some(weights), Node::Split(split)) if !votes => {
                    mean_of_children(draft.tree.children(split), weights, &values, n_outputs)
                }
                _ => None,
            };
            let Some(mean) = mean else {
                let what = "has no value, and there is no `in_bag` and training data to compute it";
                return Err(node_error(index, draft.names[node], what));
            };
            values[start..start + n_outputs].copy_from_slice(&mean);
        }
        let statistics = draft.weights.clone().zip(draft.impurities.clone());
        let statistics =
            statistics.map(|(weights, impurities)| NodeStatistics { weights, impurities });
        Ok(Finished { values, statistics })
    }
}

/// The weighted mean of the children's values; `None` where they weigh nothing.
fn mean_of_children(
    children: std::ops::Range<usize>,
    weights: &[f64],
    values: &[f64],
    n_outputs: usize,
) -> Option<Vec<f64>> {
    let total: f64 = weights[children.clone()].iter().sum();
    let mean = |output: usize| -> f64 {
        let term = |child: usize| weights[child] / total * values[child * n_outputs + output];
        children.clone().map(term).sum()
    };
    (total > 0.0).then(|| (0..n_outputs).map(mean).collect())
}
