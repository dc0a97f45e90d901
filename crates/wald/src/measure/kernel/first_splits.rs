//! Where variables are first used on the paths of a tree, and how many are used above a split.
//!
//! Permuting a variable changes only rows that reach one of its first splits: those with no split
//! on the variable above them.

use crate::forest::Node;
use crate::pass::TreeView;

/// The splits on columns of a group that no split above them uses: a permuted group matters
/// for the rows that reach one of these nodes, and for no others.
///
/// Returns (group, node), grouped by group.
pub(crate) fn first_uses(view: &TreeView<'_>) -> Vec<(usize, u32)> {
    let mut first = Vec::new();
    each_split(view, |node, group, above| {
        if !above.has_own {
            first.push((group, node));
        }
    });
    // A stable sort keeps the order of the nodes, and so the order of summation.
    first.sort_by_key(|&(group, _)| group);
    first
}

/// By node, the number of other groups that the splits above a split use: its degree of
/// interaction. 0 for leaves.
pub(crate) fn degrees(view: &TreeView<'_>) -> Vec<u32> {
    let mut degrees = vec![0; view.tree.n_nodes()];
    each_split(view, |node, _, above| {
        degrees[node as usize] = above.n_groups - u32::from(above.has_own);
    });
    degrees
}

/// The conditions of the splits above a split.
struct Above {
    /// Different groups, perhaps that of the split itself.
    n_groups: u32,
    /// Whether that of the split itself is among them.
    has_own: bool,
}

/// Passes on node, group and what is above for every split, depth first.
fn each_split(view: &TreeView<'_>, mut each: impl FnMut(u32, usize, Above)) {
    let group_of = view.groups.of_column();
    let mut used = vec![false; view.groups.n_groups()];
    let mut n_groups = 0;
    let mut pending = vec![Step::Enter(0)];
    while let Some(step) = pending.pop() {
        match step {
            Step::Leave(group) => {
                used[group] = false;
                n_groups -= 1;
            }
            Step::Enter(node) => {
                let Node::Split(split) = &view.tree.nodes()[node as usize] else { continue };
                let group = group_of[split.feature as usize] as usize;
                each(node, group, Above { n_groups, has_own: used[group] });
                if !used[group] {
                    used[group] = true;
                    n_groups += 1;
                    pending.push(Step::Leave(group));
                }
                pending.extend(view.tree.children(split).map(|child| Step::Enter(child as u32)));
            }
        }
    }
}

enum Step {
    Enter(u32),
    Leave(usize),
}
