//! One tree on several threads: the top is grown first, then the branches below it at the same
//! time. The result has the bits and the order of a tree grown on one thread.

use crate::error::Error;
use crate::forest::grow::arrangement::{HandOver, Span};
use crate::forest::grow::tree_grower::{Nodes, Pending, Smaller, TreeGrower};
use crate::forest::ranked::RankedTree;
use crate::forest::split::Scorer;
use crate::forest::tree::{Node, Rule, Split, Tree};
use crate::run::{Run, Threads};
use crate::threads::ordered;

/// Grows the branches that the grower of the top put off, and grafts them onto the top.
pub(super) fn grow_branches<S: Scorer, A: HandOver + Sync>(
    top: &mut TreeGrower<'_>,
    arrangement: &A,
    scorer: &S,
    threads: Threads,
) -> Result<(), Error> {
    let growing = top.growing;
    let columns = top.columns().to_vec();
    let branches = std::mem::take(&mut top.put_off);
    ordered(
        branches.len(),
        // Cancelling reaches the growers by the progress of the forest.
        &Run::on(threads),
        <(A::Smaller, A::Smaller, Nodes)>::default,
        |index, (first, second, nodes)| {
            let branch = branches[index];
            // An arrangement that hands no node over is not shared.
            arrangement.hand_over(growing.training.features(), branch.span, first);
            let mut own = scorer.empty();
            own.select(scorer, arrangement.members(branch.span));
            let [_, most_rows] = growing.plan.smaller;
            let scorer = scorer.empty();
            let mut smaller = [Smaller { most_rows, arrangement: second, scorer }];
            let span = Span { start: 0, end: branch.span.len() as u32 };
            let mut grower = TreeGrower::new(growing, &columns, nodes);
            grower.grow(Pending { node: 0, span, ..branch }, first, &mut own, &mut smaller)?;
            Ok(grower.finish())
        },
        |index, (tree, ranked)| top.graft(branches[index].node, tree, &ranked),
    )
}

impl TreeGrower<'_> {
    /// Puts a branch in the place of a leaf.
    fn graft(&mut self, leaf: u32, branch: Tree, ranked: &RankedTree) {
        // The root of the branch takes the place of the leaf; the others come after all nodes.
        let shift = self.tree.nodes.len() as u32 - 1;
        let n_sets = self.tree.level_sets.len() as u32;
        let node = |index: usize| match branch.nodes[index] {
            Node::Leaf => Node::Leaf,
            Node::Split(Split { feature, first_child, rule }) => {
                let rule = match rule {
                    Rule::Levels { set, missing } => Rule::Levels { set: set + n_sets, missing },
                    rule => rule,
                };
                Node::Split(Split { feature, first_child: first_child + shift, rule })
            }
        };
        let below = |index: usize| ranked.nodes[index].with_children_moved(|child| child + shift);
        let n_outputs = branch.n_outputs();
        let at = leaf as usize;
        self.tree.nodes[at] = node(0);
        self.ranked.nodes[at] = below(0);
        self.tree.values[at * n_outputs..(at + 1) * n_outputs]
            .copy_from_slice(&branch.values[..n_outputs]);
        let rest = 1..branch.nodes.len();
        self.tree.nodes.extend(rest.clone().map(node));
        self.ranked.nodes.extend(rest.map(below));
        self.tree.values.extend_from_slice(&branch.values[n_outputs..]);
        if let Some(known) = branch.statistics {
            self.statistics.weights[at] = known.weights[0];
            self.statistics.impurities[at] = known.impurities[0];
            self.statistics.weights.extend_from_slice(&known.weights[1..]);
            self.statistics.impurities.extend_from_slice(&known.impurities[1..]);
        }
        self.tree.level_sets.extend(branch.level_sets);
    }
}
