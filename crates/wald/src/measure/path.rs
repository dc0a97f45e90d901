//! Where variables are first used on the paths of a tree.

use crate::forest::RankedTree;
use crate::forest::TreeView;

/// The splits on columns of a group that no split above them asks about: a permuted group matters
/// for the rows that reach one of these nodes, and for no others.
///
/// Returns (group, node), grouped by group.
pub(crate) fn first_uses(view: &TreeView<'_>) -> Vec<(usize, u32)> {
    let ranked: &RankedTree = view.ranked;
    let mut used = vec![false; view.groups.n_groups()];
    let mut first = Vec::new();
    let mut pending = vec![Step::Enter(0)];
    while let Some(step) = pending.pop() {
        match step {
            Step::Leave(group) => used[group] = false,
            Step::Enter(node) => {
                let Some(column) = ranked.nodes[node as usize].column() else {
                    continue;
                };
                let group = view.group(column);
                if !used[group] {
                    used[group] = true;
                    first.push((group, node));
                    pending.push(Step::Leave(group));
                }
                if let Some(split) = view.router().split(node as usize) {
                    pending
                        .extend(view.tree.children(split).map(|child| Step::Enter(child as u32)));
                }
            }
        }
    }
    // A stable sort keeps the order of the nodes, and so the order of summation.
    first.sort_by_key(|&(group, _)| group);
    first
}

enum Step {
    Enter(u32),
    Leave(usize),
}
