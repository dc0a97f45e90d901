//! A forest whose trees are translated into the codes of one table.

use std::borrow::Cow;

use crate::data::{RankedFeatures, RankedKind};
use crate::error::Error;
use crate::forest::{Aggregation, Forest, RankedTree, Router, Tree};
use crate::run::Run;
use crate::threads::ordered;

/// A forest and the rank codes of the table that it predicts.
#[derive(Debug)]
pub(crate) struct Bound<'a> {
    forest: &'a Forest,
    features: &'a RankedFeatures,
    /// Per canonical column; 0 for numbers.
    known_levels: Vec<u32>,
    trees: Vec<RankedTree>,
    aggregation: Aggregation,
    /// The predictions of the nodes of each tree, `stride` numbers per node.
    node_values: Vec<Cow<'a, [f64]>>,
    stride: usize,
    n_outputs: usize,
}

impl<'a> Bound<'a> {
    /// Binds all trees. The columns of `features` are those of the forest, in its order and with
    /// its level codes; `aggregation` may differ from the forest's. Cost O(nodes * log rows).
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(crate) fn new(
        forest: &'a Forest,
        features: &'a RankedFeatures,
        aggregation: Aggregation,
        run: &Run,
    ) -> Result<Self, Error> {
        let known_levels = (0..features.n_columns() as u32)
            .map(|position| forest.features()[features.original(position) as usize].n_levels());
        let mut trees = Vec::with_capacity(forest.trees().len());
        ordered(
            forest.trees().len(),
            run,
            || (),
            |index, ()| {
                let tree = &forest.trees()[index];
                Ok(RankedTree::bind(tree, features, forest.float32_inputs()))
            },
            |_, ranked| trees.push(ranked),
        )?;
        let n_outputs = forest.target().n_outputs();
        let stride = match aggregation {
            // Weighted values, their weight, and the values for rows whose leaves weigh nothing.
            Aggregation::LeafWeighted => 2 * n_outputs + 1,
            Aggregation::Mean | Aggregation::Vote | Aggregation::Sum => n_outputs,
        };
        let node_values =
            forest.trees().iter().map(|tree| node_values(tree, aggregation, stride)).collect();
        Ok(Self {
            forest,
            features,
            known_levels: known_levels.collect(),
            trees,
            aggregation,
            node_values,
            stride,
            n_outputs,
        })
    }

    pub(crate) fn forest(&self) -> &'a Forest {
        self.forest
    }

    pub(crate) fn n_trees(&self) -> usize {
        self.trees.len()
    }

    pub(crate) fn features(&self) -> &'a RankedFeatures {
        self.features
    }

    /// The numbers of a leaf; their sums over trees become a prediction.
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    /// Length of a prediction.
    pub(crate) fn n_outputs(&self) -> usize {
        self.n_outputs
    }

    pub(crate) fn router(&self, index: usize) -> Router<'_> {
        Router {
            tree: &self.forest.trees()[index],
            ranked: &self.trees[index],
            features: self.features,
            known_levels: &self.known_levels,
        }
    }

    /// The predictions of the nodes of a tree, [`Self::stride`] numbers each.
    pub(crate) fn tree_values(&self, tree: usize) -> &[f64] {
        &self.node_values[tree]
    }

    /// The prediction of a node.
    pub(crate) fn node_values(&self, tree: usize, node: usize) -> &[f64] {
        &self.node_values[tree][node * self.stride..(node + 1) * self.stride]
    }

    /// Whether a column holds numbers.
    pub(super) fn is_ordered(&self, column: u32) -> bool {
        matches!(self.features.column(column).kind(), RankedKind::Ordered(_))
    }

    /// The splits of the forest on whether a code is below another: column and code.
    pub(super) fn cuts(&self) -> impl Iterator<Item = (u32, u32)> {
        self.trees.iter().flat_map(RankedTree::cuts)
    }

    /// Writes the prediction that sums over `n_trees` trees stand for.
    pub(crate) fn predict(&self, sums: &[f64], n_trees: usize, prediction: &mut [f64]) {
        let n_outputs = self.n_outputs;
        let (sums, divisor) = match self.aggregation {
            Aggregation::Sum => (sums, 1.0),
            Aggregation::LeafWeighted if sums[n_outputs] > 0.0 => (sums, sums[n_outputs]),
            Aggregation::LeafWeighted => (&sums[n_outputs + 1..], n_trees as f64),
            Aggregation::Mean | Aggregation::Vote => (sums, n_trees as f64),
        };
        for (value, sum) in prediction.iter_mut().zip(sums) {
            *value = sum / divisor;
        }
    }
}

/// The predictions of the nodes of a tree, `stride` numbers each.
pub(crate) fn node_values(tree: &Tree, aggregation: Aggregation, stride: usize) -> Cow<'_, [f64]> {
    let n_outputs = tree.n_outputs();
    let as_is = match aggregation {
        Aggregation::Mean | Aggregation::Sum => true,
        Aggregation::Vote => n_outputs == 1,
        Aggregation::LeafWeighted => false,
    };
    if as_is {
        return tree.all_values();
    }
    let mut node_values = vec![0.0; tree.n_nodes() * stride];
    for (node, value) in node_values.chunks_exact_mut(stride).enumerate() {
        let weight = aggregation.add(tree, node, &mut value[..n_outputs]);
        if aggregation == Aggregation::LeafWeighted {
            value[n_outputs] = weight;
            value[n_outputs + 1..].copy_from_slice(&tree.value(node));
        }
    }
    Cow::Owned(node_values)
}
