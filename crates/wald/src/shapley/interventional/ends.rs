//! Where the ways of rows and background rows end.

use std::ops::Range;

use crate::forest::{RankedNode, Router, Side};
use crate::shapley::interventional::credits::{Meeting, Outcome};
use crate::shapley::interventional::walk::{Says, Walk};

/// A node whose two children are leaves.
#[derive(Debug, Clone, Copy)]
struct Fork {
    node: u32,
    place: u32,
    first_child: u32,
}

impl Walk {
    /// Whether the way ends at a node, because it is a leaf or a *fork*: a question whose two answers
    /// are leaves. Then credits the rows.
    pub(super) fn end(
        &mut self,
        router: &Router<'_>,
        (node, groups): (u32, Range<usize>),
        (n_rows, says): (usize, Says<'_>),
    ) -> bool {
        let nodes = &router.ranked.nodes;
        let Some(column) = nodes[node as usize].column() else {
            self.leaf(groups, node, (n_rows, says));
            return true;
        };
        let Some(split) = router.split(node as usize) else { return false };
        let children = router.tree.children(split);
        let is_fork =
            children.len() == 2 && children.clone().all(|child| nodes[child] == RankedNode::Leaf);
        if is_fork {
            let fork =
                Fork { node, place: self.places[column as usize], first_child: split.first_child };
            self.fork(router, (fork, groups), (n_rows, says));
        }
        is_fork
    }

    /// Credits the rows of groups at a fork.
    fn fork(
        &mut self,
        router: &Router<'_>,
        (fork, groups): (Fork, Range<usize>),
        (n_rows, says): (usize, Says<'_>),
    ) {
        let place = fork.place as usize;
        match router.ranked.nodes[fork.node as usize] {
            RankedNode::Below { below, missing, .. } if self.is_plain[place] => {
                let start = place * n_rows;
                let shift = u32::from(missing == Side::Left);
                self.part((fork, groups), (n_rows, says), |codes, _, row| {
                    codes[start + row as usize].wrapping_add(shift) >= below + shift
                });
            }
            _ => {
                let child_of = |&code: &u32| router.child_of_code(fork.node as usize, code);
                self.takes.clear();
                self.takes
                    .extend(self.block.distinct[place].iter().map(|code| child_of(code) == 1));
                let start = place * n_rows;
                self.part((fork, groups), (n_rows, says), |codes, takes, row| {
                    takes[codes[start + row as usize] as usize]
                });
            }
        }
    }

    /// The same; `is_right` tells where a row goes.
    fn part(
        &mut self,
        (fork, at_node): (Fork, Range<usize>),
        (n_rows, (known, says)): (usize, Says<'_>),
        is_right: impl Fn(&[u32], &[bool], u32) -> bool,
    ) {
        let Self { columns, block, takes, takers, path, groups, weights, credits, values, .. } =
            self;
        let (codes, n_columns, n_outputs) = (&block.codes, columns.len(), known.n_outputs());
        let slot = path.slot(fork.place);
        let reach = slot.map_or(path.all(), |slot| path.reach(slot));
        let children = [fork.first_child as usize, fork.first_child as usize + 1];
        let sides = children.map(|child| takers[child] & reach);
        for output in 0..n_outputs {
            let says = children.map(|at| known.deviation(output, says[at * n_outputs + output]));
            let values = &mut values[output * n_rows * n_columns..][..n_rows * n_columns];
            for index in at_node.clone() {
                let group = groups.group(index);
                let (all, n_violated) = (group.background, group.n_violated as usize);
                let is_violated = slot.is_some_and(|slot| groups.violates(index, slot));
                // By the side that a row takes; only one where the rows violate the column above.
                let mut outcomes: [Option<Outcome>; 2] = [None; 2];
                for &row in groups.rows(group) {
                    let side = usize::from(!is_violated && is_right(codes, takes, row));
                    let credits = &mut credits[side];
                    let outcome = *outcomes[side].get_or_insert_with(|| {
                        let other = 1 - side;
                        let (followers, others) = if is_violated {
                            ([(all & sides[0], says[0]), (all & sides[1], says[1])], 0)
                        } else {
                            ([(all & !sides[other], says[side]), (0, 0.0)], all & sides[other])
                        };
                        let meeting = Meeting {
                            n_violated,
                            here: followers,
                            there: others,
                            says_there: says[other],
                        };
                        let outcome = meeting.credit(path, weights, credits);
                        let violated = groups.violated(index);
                        violated.for_each(|slot| credits[slot] = outcome.violated);
                        outcome
                    });
                    let values = &mut values[row as usize * n_columns..][..n_columns];
                    values[fork.place as usize] += outcome.last;
                    for (&place, credit) in path.columns.iter().zip(&*credits) {
                        values[place as usize] += credit;
                    }
                }
            }
        }
    }

    /// Credits the rows of groups that meet at a leaf.
    fn leaf(
        &mut self,
        groups: Range<usize>,
        node: u32,
        (n_rows, (known, says)): (usize, Says<'_>),
    ) {
        let (n_columns, n_outputs) = (self.columns.len(), known.n_outputs());
        for (output, say) in says[node as usize * n_outputs..][..n_outputs].iter().enumerate() {
            let values = &mut self.values[output * n_rows * n_columns..][..n_rows * n_columns];
            for index in groups.clone() {
                let group = self.groups.group(index);
                let meeting = Meeting {
                    n_violated: group.n_violated as usize,
                    here: [(group.background, known.deviation(output, *say)), (0, 0.0)],
                    there: 0,
                    says_there: 0.0,
                };
                let credits = &mut self.credits[0];
                let outcome = meeting.credit(&self.path, &self.weights, credits);
                self.groups.violated(index).for_each(|slot| credits[slot] = outcome.violated);
                for &row in self.groups.rows(group) {
                    let values = &mut values[row as usize * n_columns..][..n_columns];
                    for (&place, credit) in self.path.columns.iter().zip(&*credits) {
                        values[place as usize] += credit;
                    }
                }
            }
        }
    }
}
