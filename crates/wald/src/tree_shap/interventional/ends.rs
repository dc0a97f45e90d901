//! Where the ways of rows and background rows end.

use std::ops::Range;

use crate::forest::{RankedNode, Router, Side, Wide, wide};
use crate::tree_shap::interventional::credits::Credits;
use crate::tree_shap::interventional::lanes::{Lanes, add, number};
use crate::tree_shap::interventional::leaf_subtree::LeafSubtree;
use crate::tree_shap::interventional::row_groups_at_leaf::RowGroupsAtLeaf;
use crate::tree_shap::interventional::walk::{NodeValues, Walk};

/// Where fewer than one in so many rows of a block come to a leaf subtree, the others are not
/// looked at.
const FEW: usize = 4;

/// A leaf subtree that groups of rows have come to.
struct AtSubtree<'a> {
    walk: &'a mut Walk,
    router: &'a Router<'a>,
    node: u32,
    groups: Range<usize>,
    n_rows: usize,
    node_values: NodeValues<'a>,
}

/// How rows get what they are credited with at a leaf subtree.
struct Giving<'a> {
    row_groups: &'a RowGroupsAtLeaf,
    credits: &'a Credits,
    subtree: &'a LeafSubtree,
    /// Lanes that a row has of slots and of places.
    widths: (usize, usize),
}

impl Walk {
    /// Whether the path ends at a node, because a leaf subtree begins there. Then credits the rows.
    pub(super) fn end(
        &mut self,
        router: &Router<'_>,
        (node, groups): (u32, Range<usize>),
        (n_rows, node_values): (usize, NodeValues<'_>),
    ) -> bool {
        let is_leaf_subtree = self.is_leaf_subtree[node as usize];
        if is_leaf_subtree {
            wide(AtSubtree { walk: self, router, node, groups, n_rows, node_values });
        }
        is_leaf_subtree
    }
}

impl Wide for AtSubtree<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { walk, router, node, groups, n_rows, node_values } = self;
        let of_groups = groups.clone().map(|index| walk.groups.group(index).background);
        let background = of_groups.fold(0, |all, some| all | some);
        let (path, takers) = (&walk.path, walk.takers.as_slice());
        walk.subtree.look((router, node), (path, takers), (&walk.columns.places, background));
        let n_here: usize = groups.clone().map(|index| walk.groups.rows_of(index).len()).sum();
        let is_few = FEW * n_here < n_rows;
        walk.ask(router, groups.clone(), (n_rows, is_few));
        walk.row_groups.begin(n_rows, is_few);
        let at_subtree = (&mut walk.subtree, &walk.groups);
        walk.row_groups.gather(at_subtree, groups.clone(), &walk.answers);
        walk.credit(groups, (n_rows, is_few), node_values);
    }
}

impl Walk {
    /// Evaluates the splits of the leaf subtree for the rows of groups.
    #[inline(always)]
    fn ask(&mut self, router: &Router<'_>, at_node: Range<usize>, (n_rows, is_few): (usize, bool)) {
        let Self { block, takes, subtree, groups, answers, columns, .. } = self;
        answers.resize(n_rows, 0);
        let here = || at_node.clone().flat_map(|index| groups.rows_of(index));
        if is_few {
            here().for_each(|&row| answers[row as usize] = 0);
        } else {
            answers.fill(0);
        }
        for (question, &node) in subtree.questions.iter().enumerate() {
            let ranked = router.ranked.nodes[node as usize];
            let Some(column) = ranked.column() else { continue };
            let place = columns.places[column as usize] as usize;
            let codes = &block.codes[place * n_rows..][..n_rows];
            match ranked {
                RankedNode::Below { below, missing, .. } if columns.is_plain[place] => {
                    // The code of a missing value is larger than every threshold, and wraps to 0.
                    let shift = u32::from(missing == Side::Left);
                    let limit = below + shift;
                    if is_few {
                        here().for_each(|&row| {
                            let is_right = codes[row as usize].wrapping_add(shift) >= limit;
                            answers[row as usize] |= u8::from(is_right) << question;
                        });
                    } else {
                        // Many are asked at once.
                        for (answer, code) in answers.iter_mut().zip(codes) {
                            *answer |= u8::from(code.wrapping_add(shift) >= limit) << question;
                        }
                    }
                }
                _ => {
                    let child_of = |&code: &u32| router.child_of_code(node as usize, code);
                    takes.clear();
                    takes.extend(block.distinct[place].iter().map(|code| child_of(code) == 1));
                    here().for_each(|&row| {
                        let is_right = takes[codes[row as usize] as usize];
                        answers[row as usize] |= u8::from(is_right) << question;
                    });
                }
            }
        }
    }

    /// Credits the rows of groups at the leaf subtree.
    #[inline(always)]
    fn credit(
        &mut self,
        at_node: Range<usize>,
        (n_rows, is_few): (usize, bool),
        (known, node_values): NodeValues<'_>,
    ) {
        let Self { path, groups, weights, subtree, credits, values, sums, row_groups, .. } = self;
        let n_outputs = known.n_outputs();
        let (width, n_lanes) = path.lanes();
        let value_width = values.len() / (n_rows * n_outputs);
        for output in 0..n_outputs {
            credits.begin(n_lanes, row_groups.all.len());
            for (meeting, first) in row_groups.meetings() {
                credits.meet((subtree, weights), meeting, |node| {
                    known.deviation(output, node_values[node as usize * n_outputs + output])
                });
                for (at, group) in row_groups.chain(first) {
                    let background = groups.group(group).background & meeting.background;
                    credits.sum((path, subtree), (at, background), |word| {
                        groups.violated(group, word)
                    });
                }
            }
            let values = &mut values[output * n_rows * value_width..][..n_rows * value_width];
            let sums: &mut [Lanes] = if path.is_few() {
                &mut []
            } else {
                &mut sums[output * n_rows * width..][..n_rows * width]
            };
            let giving = Giving { row_groups, credits, subtree, widths: (width, value_width) };
            let rows =
                is_few.then(|| at_node.clone().flat_map(|index| groups.rows_of(index).iter()));
            match n_lanes {
                0 => giving.give::<0>((n_rows, rows), (sums, values)),
                1 => giving.give::<1>((n_rows, rows), (sums, values)),
                2 => giving.give::<2>((n_rows, rows), (sums, values)),
                3 => giving.give::<3>((n_rows, rows), (sums, values)),
                4 => giving.give::<4>((n_rows, rows), (sums, values)),
                _ => giving.give::<5>((n_rows, rows), (sums, values)),
            }
        }
    }
}

impl Giving<'_> {
    /// Gives some rows, or all that have an encounter, what they are credited with: N lanes of
    /// slots, or all.
    #[inline(always)]
    fn give<'a, const N: usize>(
        &self,
        (n_rows, few): (usize, Option<impl Iterator<Item = &'a u32>>),
        (sums, values): (&mut [Lanes], &mut [Lanes]),
    ) {
        let of_row = &self.row_groups.of_row[..n_rows];
        if let Some(rows) = few {
            rows.for_each(|&row| {
                let encounter = of_row[row as usize];
                self.give_row::<N>(row as usize, encounter, (sums, values));
            });
        } else {
            // Row after row, so that the processor fetches their values in time.
            for (row, &encounter) in of_row.iter().enumerate() {
                if encounter != RowGroupsAtLeaf::NONE {
                    self.give_row::<N>(row, encounter, (sums, values));
                }
            }
        }
    }

    #[inline(always)]
    fn give_row<const N: usize>(
        &self,
        row: usize,
        encounter: u32,
        (sums, values): (&mut [Lanes], &mut [Lanes]),
    ) {
        let (slots, inside) = self.credits.of(encounter);
        let (width, value_width) = self.widths;
        if sums.is_empty() {
            add::<N>(&mut values[row * width..][..slots.len()], slots);
        } else {
            add::<N>(&mut sums[row * width..][..slots.len()], slots);
            let values = &mut values[row * value_width..][..value_width];
            for &(place, at) in &self.subtree.apart {
                *number(values, place) += inside.0[at as usize];
            }
        }
    }
}
