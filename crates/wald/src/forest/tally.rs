//! In-bag statistics of the nodes of a tree.

use crate::data::Training;
use crate::forest::drawn::Drawn;
use crate::forest::placement::Placement;
use crate::forest::ranked::{RankedTree, Router};
use crate::forest::sample::Bag;
use crate::forest::split::{
    ClassScorer, Criterion, LossScorer, NumberScorer, Scorer, SeveralScorer,
};
use crate::forest::tree::{Node, NodeStatistics, Tree};
use crate::forest::ways::{ClassWeight, Impurity};

/// In-bag mean, weight and impurity of every node.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tally {
    /// Means of the response, `n_outputs` per node. A node without in-bag rows, which only
    /// foreign trees have, takes the mean of its parent.
    pub(crate) values: Vec<f64>,
    pub(crate) statistics: NodeStatistics,
}

/// A tree with what is needed to count its in-bag rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tallying<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) bag: &'a Bag,
    pub(crate) training: &'a Training,
    pub(crate) impurity: Impurity,
    pub(crate) class_weight: ClassWeight,
    pub(crate) float32_inputs: bool,
}

impl Tallying<'_> {
    /// Drops the in-bag rows through the tree, leaves them in `placement`, and sums them up
    /// with the arithmetic that growing uses. Cost O(rows * depth).
    pub(crate) fn tally(&self, placement: &mut Placement) -> Tally {
        let training = self.training;
        let ranked = RankedTree::bind(self.tree, training.features(), self.float32_inputs);
        let router = Router::new(self.tree, &ranked, training);
        // Rows of weight zero have no effect on any node.
        placement.place(&router, self.bag.in_bag().filter(|&row| training.weight(row) > 0.0));
        let drawn = Drawn::new(training, self.bag, self.class_weight);
        let all: Vec<u32> = (0..training.n_rows() as u32).collect();
        if let Some(scorer) = SeveralScorer::new(&drawn, &all) {
            return self.sum_up(scorer, placement);
        }
        if let Some(scorer) = LossScorer::new(&drawn, &all, self.impurity) {
            return self.sum_up(scorer, placement);
        }
        if self.impurity != Impurity::Entropy
            && let Some(scorer) = NumberScorer::new(&drawn, &all)
        {
            return self.sum_up(scorer, placement);
        }
        match ClassScorer::new(&drawn, &all, self.impurity, Criterion::of(self.impurity)) {
            Some(scorer) => self.sum_up(scorer, placement),
            // Entropy of a number: refused before a forest gets here.
            None => Tally { values: Vec::new(), statistics: NodeStatistics::default() },
        }
    }

    fn sum_up(&self, mut scorer: impl Scorer, placement: &Placement) -> Tally {
        let n_outputs = self.training.n_outputs();
        let n_nodes = self.tree.n_nodes();
        let mut values: Vec<f64> = Vec::with_capacity(n_nodes * n_outputs);
        let mut statistics =
            NodeStatistics { weights: vec![0.0; n_nodes], impurities: vec![0.0; n_nodes] };
        let mut parents = vec![0; n_nodes];
        for (node, content) in self.tree.nodes().iter().enumerate() {
            if let Node::Split(split) = content {
                self.tree.children(split).for_each(|child| parents[child] = node);
            }
            let rows = placement.rows(node);
            if !rows.is_empty() {
                let summary = scorer.summarise(rows, &mut values);
                statistics.weights[node] = summary.weight * self.training.weight_unit();
                statistics.impurities[node] = summary.impurity;
            } else if node > 0 {
                let parent = parents[node] * n_outputs;
                values.extend_from_within(parent..parent + n_outputs);
            } else {
                // An empty bag: the tree predicts the mean of all rows.
                values.extend(self.training.response_mean());
            }
        }
        Tally { values, statistics }
    }
}
