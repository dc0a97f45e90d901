//! The rows that were drawn for a tree, leaf by leaf.

use crate::data::Training;
use crate::forest::{Aggregation, Bag, Forest, Node, Placement, RankedTree, Router, Tree};

/// Where the rows of a leaf are among those of the tree.
pub(crate) type Span = (u32, u32);

/// The rows that were drawn for one tree.
#[derive(Debug)]
pub(crate) struct Members {
    /// Their labels; those of a node follow one another, and so does a row as often as it was drawn.
    pub(super) labels: Vec<u32>,
    spans: Vec<Span>,
}

impl Members {
    /// Cost O(rows * depth).
    pub(crate) fn new(
        forest: &Forest,
        (tree, bag): (&Tree, &Bag),
        training: &Training,
        labels: &[u32],
        placement: &mut Placement,
    ) -> Self {
        let ranked = RankedTree::bind(tree, training.features(), forest.float32_inputs());
        let router = Router::new(tree, &ranked, training);
        // Rows of weight zero have no effect on any node.
        let counted = |row: &u32| training.weight(*row) > 0.0;
        let counts = bag.counts();
        placement.place(&router, bag.in_bag().filter(counted));
        let is_empty = placement.all().is_empty();
        if is_empty {
            // A tree of an empty bag predicts the mean of all rows.
            placement.place(&router, (0..training.n_rows() as u32).filter(counted));
        }
        let draws = |row: u32| if is_empty { 1 } else { usize::from(counts[row as usize]) };
        let (mut drawn, mut ends) = (Vec::new(), vec![0]);
        for &row in placement.all() {
            drawn.extend(std::iter::repeat_n(labels[row as usize], draws(row)));
            ends.push(drawn.len() as u32);
        }
        let mut spans: Vec<Span> = (0..tree.n_nodes())
            .map(|node| placement.span(node))
            .map(|span| (ends[span.start], ends[span.end]))
            .collect();
        // A leaf that no drawn row reaches, which only foreign trees have, predicts what the node
        // above it does; it counts for nothing where leaves count by their rows.
        if forest.aggregation() != Aggregation::LeafWeighted {
            for (node, content) in tree.nodes().iter().enumerate() {
                let Node::Split(split) = content else { continue };
                for child in tree.children(split) {
                    if spans[child].0 == spans[child].1 {
                        spans[child] = spans[node];
                    }
                }
            }
        }
        Self { labels: drawn, spans }
    }

    /// Where the rows of a node are.
    pub(crate) fn span(&self, node: u32) -> Span {
        self.spans[node as usize]
    }

    /// The labels of a span.
    pub(super) fn labels(&self, (start, end): Span) -> &[u32] {
        &self.labels[start as usize..end as usize]
    }
}
