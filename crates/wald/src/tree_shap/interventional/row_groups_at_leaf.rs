//! Which rows of a block come to a leaf subtree in the same way.

use std::ops::Range;

use crate::tree_shap::interventional::credits::Meeting;
use crate::tree_shap::interventional::groups::Groups;
use crate::tree_shap::interventional::leaf_subtree::LeafSubtree;

/// None, or no more.
const NONE: u32 = u32::MAX;

/// Rows of a group that are in one class.
#[derive(Debug, Clone, Copy)]
pub(super) struct Encounter {
    group: u32,
    /// The next one of the same meeting.
    next: u32,
}

/// Rows that come to the leaf subtree at hand, by class and number of columns violated above, then
/// by group.
#[derive(Debug, Default)]
pub(super) struct RowGroupsAtLeaf {
    meetings: Vec<(Meeting, u32)>,
    pub(super) all: Vec<Encounter>,
    /// By row of the block, its encounter.
    pub(super) of_row: Vec<u32>,
    /// By class and number of columns violated, the meeting.
    meeting_of: Vec<u32>,
    /// By class, the group it was last met in, and that encounter.
    last: Vec<(u32, u32)>,
}

impl RowGroupsAtLeaf {
    /// The encounter of rows that have none.
    pub(super) const NONE: u32 = NONE;

    /// At a leaf subtree; whether it does not matter which values rows that do not come there get.
    pub(super) fn begin(&mut self, n_rows: usize, is_few: bool) {
        self.meetings.clear();
        self.all.clear();
        self.meeting_of.clear();
        self.last.clear();
        self.of_row.resize(n_rows, NONE);
        if !is_few {
            self.of_row.fill(NONE);
        }
    }

    /// Finds the classes of all rows of some groups; `answers` are those of all rows of the block.
    #[inline(always)]
    pub(super) fn gather(
        &mut self,
        (subtree, groups): (&mut LeafSubtree, &Groups),
        at_node: Range<usize>,
        answers: &[u8],
    ) {
        let counts = at_node.clone().map(|index| groups.group(index).n_violated);
        let n_counts = counts.max().map_or(0, |most| most as usize + 1);
        for index in at_node {
            let group = groups.group(index);
            let unanswered = subtree.unanswered(|slot| groups.violates(index, slot));
            for &row in groups.rows_of(index) {
                let class = subtree.class(answers[row as usize], unanswered);
                if class == self.last.len() {
                    self.last.push((NONE, NONE));
                    self.meeting_of.resize((class + 1) * n_counts, NONE);
                }
                let last = &mut self.last[class];
                if last.0 != index as u32 {
                    let encounter = self.all.len() as u32;
                    *last = (index as u32, encounter);
                    let n_violated = group.n_violated;
                    let place = class * n_counts + n_violated as usize;
                    if self.meeting_of[place] == NONE {
                        self.meeting_of[place] = self.meetings.len() as u32;
                        self.meetings.push((Meeting { class, n_violated, background: 0 }, NONE));
                    }
                    let (meeting, first) = &mut self.meetings[self.meeting_of[place] as usize];
                    meeting.background |= group.background & subtree.classes[class].background;
                    self.all.push(Encounter { group: index as u32, next: *first });
                    *first = encounter;
                }
                self.of_row[row as usize] = last.1;
            }
        }
    }

    /// All meetings, each with its first encounter.
    pub(super) fn meetings(&self) -> impl Iterator<Item = (Meeting, u32)> {
        self.meetings.iter().copied()
    }

    /// An encounter and the others of the same meeting, each with its group.
    pub(super) fn chain(&self, first: u32) -> impl Iterator<Item = (usize, usize)> {
        let mut next = first as usize;
        std::iter::from_fn(move || {
            let at = next;
            let encounter = self.all.get(at)?;
            next = encounter.next as usize;
            Some((at, encounter.group as usize))
        })
    }
}
