//! Completes a tree by what the training data says, and checks that the two agree.

use super::draft::{Draft, at_node, node_error};
use crate::data::{MISSING_CODE, Task, Training};
use crate::error::Error;
use crate::forest::placement::Placement;
use crate::forest::tally::{Tally, Tallying};
use crate::forest::tree::{Node, NodeStatistics, Rule, Side, Tree};
use crate::forest::{Aggregation, Forest, argmax};

/// Other programs print 6 digits and more of impurities, weights and means.
const TOLERANCE: f64 = 1e-6;

/// And some keep means in single precision, which counts where means are far from zero.
const RELATIVE_TOLERANCE: f64 = 1e-7;

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
    /// The complete tree.
    pub(super) fn into_tree(self, draft: Draft) -> Tree {
        let mut tree = draft.tree;
        tree.values = self.values;
        tree.statistics = self.statistics;
        // Where the file is silent, missing values follow the heavier child.
        for node in draft.sideless {
            let Node::Split(split) = tree.nodes[node as usize] else {
                continue;
            };
            let heaviest = tree.heaviest_child(&split);
            if let Rule::Multiway { table } = split.rule {
                tree.branches[table as usize].missing = heaviest;
            }
            if let Node::Split(split) = &mut tree.nodes[node as usize] {
                match &mut split.rule {
                    Rule::AtMost { missing, .. } | Rule::Levels { missing, .. } => {
                        *missing = Side::from_index(heaviest);
                    }
                    Rule::Present | Rule::Multiway { .. } => {}
                }
            }
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
        // The trees of a sum fit residuals: the response says nothing about their nodes.
        let is_sum = self.forest.aggregation == Aggregation::Sum;
        let (Some(training), Some(bag), false) = (self.training, bag, is_sum) else {
            return self.finish_alone(index, draft);
        };
        let tallying = Tallying {
            tree: &draft.tree,
            bag,
            training,
            impurity: self.forest.impurity,
            float32_inputs: self.forest.float32_inputs,
        };
        let tally = tallying.tally(placement);
        let finishing = Finishing { context: *self, index, draft, tally: &tally };
        finishing.check_missing(training, placement)?;
        let values = finishing.values()?;
        let statistics = finishing.statistics()?;
        Ok(Finished { values, statistics: Some(statistics) })
    }

    /// Without data the file must know all values; means of inner nodes follow from leaves.
    fn finish_alone(&self, index: usize, draft: &Draft) -> Result<Finished, Error> {
        let n_outputs = self.forest.target.n_outputs();
        let mut values = draft.tree.values.clone();
        let votes = self.forest.aggregation == Aggregation::Vote && n_outputs > 1;
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

struct Finishing<'a> {
    context: Context<'a>,
    index: usize,
    draft: &'a Draft,
    tally: &'a Tally,
}

impl Finishing<'_> {
    /// A split that met missing values in training must say where they went.
    fn check_missing(&self, training: &Training, placement: &Placement) -> Result<(), Error> {
        for &node in &self.draft.sideless {
            let Node::Split(split) = self.draft.tree.nodes[node as usize] else {
                continue;
            };
            let features = training.features();
            let codes = features.column(features.canonical(split.feature)).codes();
            let rows = placement.rows(node as usize);
            if rows.iter().any(|&row| codes[row as usize] == MISSING_CODE) {
                let name = &self.context.forest.features[split.feature as usize].name;
                let what = format!("does not say in `missing` where missing \"{name}\" go");
                return Err(node_error(self.index, self.draft.names[node as usize], what));
            }
        }
        Ok(())
    }

    /// The file's values where it has them, else the in-bag means.
    fn values(&self) -> Result<Vec<f64>, Error> {
        let forest = self.context.forest;
        let n_outputs = forest.target.n_outputs();
        let votes =
            forest.aggregation == Aggregation::Vote && forest.task() == Task::Classification;
        let scale = self.tally.statistics.impurities[0].max(0.0).sqrt();
        let mut values = self.tally.values.clone();
        let pairs =
            values.chunks_exact_mut(n_outputs).zip(self.draft.tree.values.chunks_exact(n_outputs));
        for (node, (mean, given)) in pairs.enumerate() {
            if given[0].is_nan() {
                continue;
            }
            if votes {
                // Programs that vote keep the class alone; in-bag proportions tell more, but
                // must not change the vote where classes tie.
                if argmax(mean) != argmax(given) {
                    mean.copy_from_slice(given);
                }
                continue;
            }
            let close = |(mean, given): (&f64, &f64)| {
                let tolerance = TOLERANCE * scale + RELATIVE_TOLERANCE * mean.abs();
                (mean - given).abs() <= tolerance.max(f64::MIN_POSITIVE)
            };
            let is_empty = self.tally.statistics.weights[node] == 0.0;
            if !is_empty && !mean.iter().zip(given).all(close) {
                let what =
                    format!("has the value {given:?}, but its in-bag rows have the mean {mean:?}");
                return Err(self.not_the_training_data(node, &what));
            }
            mean.copy_from_slice(given);
        }
        Ok(values)
    }

    /// The file's statistics where it has them, else those of the in-bag rows.
    fn statistics(&self) -> Result<NodeStatistics, Error> {
        let computed = &self.tally.statistics;
        let choose = |given: &Option<Vec<f64>>, computed: &[f64], what: &str| {
            let Some(given) = given else {
                return Ok(computed.to_vec());
            };
            let scale = computed[0].abs();
            let far = |(given, computed): (&f64, &f64)| {
                let difference = (given - computed).abs();
                // Written so that a difference which is not a number is far, too.
                let is_close = difference <= (TOLERANCE * scale).max(f64::MIN_POSITIVE);
                !is_close
            };
            match given.iter().zip(computed).position(far) {
                None => Ok(given.clone()),
                Some(node) => {
                    let (given, computed) = (given[node], computed[node]);
                    let what = format!("has the {what} {given}, but its in-bag rows {computed}");
                    Err(self.not_the_training_data(node, &what))
                }
            }
        };
        let weights = choose(&self.draft.weights, &computed.weights, "weight")?;
        let impurities = choose(&self.draft.impurities, &computed.impurities, "impurity")?;
        Ok(NodeStatistics { weights, impurities })
    }

    fn not_the_training_data(&self, node: usize, what: &str) -> Error {
        Error::forest_file(
            at_node(self.index, self.draft.names[node], what),
            "give the table that the forest was grown on, its rows in the same order, and the \
             same case weights",
        )
    }
}
