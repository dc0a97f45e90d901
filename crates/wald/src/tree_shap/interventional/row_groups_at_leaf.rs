//! Which rows of a block reach a leaf subtree in the same state.

use std::ops::Range;

use crate::tree_shap::interventional::groups::Groups;
use crate::tree_shap::interventional::leaf_subtree::LeafSubtree;

/// None, or no more.
const NONE: u32 = u32::MAX;

/// How rows reach the leaf subtree: their class, and how many columns they violate above. The
/// weights of background rows depend on nothing else.
#[derive(Debug, Clone, Copy)]
pub(super) struct PathState {
    pub(super) class: usize,
    pub(super) n_violated: u32,
    /// The background rows that some of them have left.
    pub(super) background: u128,
    /// The first of the row groups in this state.
    first: u32,
}

/// Rows of a group that are in one class.
#[derive(Debug, Clone, Copy)]
struct RowGroup {
    group: u32,
    /// The next one in the same state.
    next: u32,
}

/// The rows at the leaf subtree at hand, by state, then by group.
#[derive(Debug, Default)]
pub(super) struct RowGroupsAtLeaf {
    pub(super) states: Vec<PathState>,
    all: Vec<RowGroup>,
    /// By row of the block, its row group.
    of_row: Vec<u32>,
    /// By class and number of columns violated, the state.
    state_of: Vec<u32>,
    /// By class, the last group with such rows, and that row group.
    last: Vec<(u32, u32)>,
}

impl RowGroupsAtLeaf {
    /// Begins a leaf subtree that is `sparse` if few rows of the block are there: then only those
    /// that are may be looked up.
    pub(super) fn begin(&mut self, n_rows: usize, is_sparse: bool) {
        self.states.clear();
        self.all.clear();
        self.state_of.clear();
        self.last.clear();
        self.of_row.resize(n_rows, NONE);
        if !is_sparse {
            self.of_row.fill(NONE);
        }
    }

    /// Finds the row groups of some groups; `sides` are those of all rows of the block.
    pub(super) fn gather(
        &mut self,
        subtree: &mut LeafSubtree,
        groups: &Groups,
        at_leaf: Range<usize>,
        sides: &[u8],
    ) {
        let counts = at_leaf.clone().map(|index| groups.group(index).n_violated);
        let n_counts = counts.max().map_or(0, |most| most as usize + 1);
        for index in at_leaf {
            let group = groups.group(index);
            let ignored = subtree.ignored(|slot| groups.violates(index, slot));
            for &row in groups.rows_of(index) {
                let class = subtree.class(sides[row as usize], ignored);
                if class == self.last.len() {
                    self.last.push((NONE, NONE));
                    self.state_of.resize((class + 1) * n_counts, NONE);
                }
                let last = &mut self.last[class];
                if last.0 != index as u32 {
                    let row_group = self.all.len() as u32;
                    *last = (index as u32, row_group);
                    let n_violated = group.n_violated;
                    let place = class * n_counts + n_violated as usize;
                    if self.state_of[place] == NONE {
                        self.state_of[place] = self.states.len() as u32;
                        let state = PathState { class, n_violated, background: 0, first: NONE };
                        self.states.push(state);
                    }
                    let state = &mut self.states[self.state_of[place] as usize];
                    state.background |= group.background & subtree.classes[class].background;
                    self.all.push(RowGroup { group: index as u32, next: state.first });
                    state.first = row_group;
                }
                self.of_row[row as usize] = last.1;
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// The row groups in a state, each with its group.
    pub(super) fn in_state(&self, state: &PathState) -> impl Iterator<Item = (usize, usize)> {
        let mut next = state.first as usize;
        std::iter::from_fn(move || {
            let at = next;
            let row_group = self.all.get(at)?;
            next = row_group.next as usize;
            Some((at, row_group.group as usize))
        })
    }

    /// The row group of a row that is at the leaf subtree.
    pub(super) fn of_row(&self, row: u32) -> usize {
        self.of_row[row as usize] as usize
    }

    /// All rows of the block that are at the leaf subtree, unless few are, and their row groups.
    pub(super) fn rows(&self) -> impl Iterator<Item = (usize, usize)> {
        let of_rows = self.of_row.iter().enumerate().filter(|(_, row_group)| **row_group != NONE);
        of_rows.map(|(row, row_group)| (row, *row_group as usize))
    }
}
