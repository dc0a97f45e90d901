//! Where variables are first used on the paths of a tree.

use crate::forest::RankedTree;
use crate::forest::TreeView;

/// The splits on a column that no split above them asks about: a permuted column matters for
/// the rows that reach one of these nodes, and for no others.
///
/// Returns (canonical column, node), grouped by column.
pub(crate) fn first_uses(view: &TreeView<'_>) -> Vec<(u32, u32)> {
    let ranked: &RankedTree = view.ranked;
    let mut used = vec![false; view.training.features().n_columns()];
    let mut first = Vec::new();
    let mut pending = vec![Step::Enter(0)];
    while let Some(step) = pending.pop() {
        match step {
            Step::Leave(column) => used[column as usize] = false,
            Step::Enter(node) => {
                let Some(column) = ranked.nodes[node as usize].column() else {
                    continue;
                };
                if !used[column as usize] {
                    used[column as usize] = true;
                    first.push((column, node));
                    pending.push(Step::Leave(column));
                }
                if let Some(split) = view.router().split(node as usize) {
                    pending
                        .extend(view.tree.children(split).map(|child| Step::Enter(child as u32)));
                }
            }
        }
    }
    // A stable sort keeps the order of the nodes, and so the order of summation.
    first.sort_by_key(|&(column, _)| column);
    first
}

enum Step {
    Enter(u32),
    Leave(u32),
}
