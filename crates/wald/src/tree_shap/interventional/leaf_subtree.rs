//! A *leaf subtree*: a small subtree at the end of a path, whose leaves are credited together.
//!
//! Below its root a row matters only through its sides at the few splits of the leaf subtree, and
//! through which of these splits are on columns that it violates above, whose sides are ignored. Rows
//! that agree in both are a *class*. Rows of a class reach the same leaves with the same background
//! rows, whatever group they belong to, among those that the group has left.

use std::ops::Range;

use crate::forest::Router;
use crate::tree_shap::interventional::background::{TOGETHER, places};
use crate::tree_shap::interventional::path::Path;
use crate::tree_shap::tree_columns::TreeColumns;

/// Most splits of a leaf subtree; they are bits of a byte.
pub(super) const MOST_SPLITS: usize = 7;

/// Combinations of sides at all splits, or of no side.
const N_STATES: usize = 3_usize.pow(MOST_SPLITS as u32);

/// Not yet known.
const NONE: u32 = u32::MAX;

/// By sides as bits: the same digits to base three.
const TERNARY: [u16; 1 << MOST_SPLITS] = {
    let mut ternary = [0; 1 << MOST_SPLITS];
    let mut bits = 1;
    while bits < ternary.len() {
        ternary[bits] = 3 * ternary[bits / 2] + (bits % 2) as u16;
        bits += 1;
    }
    ternary
};

/// The conditions on one column along the branch to a leaf.
#[derive(Debug, Clone, Copy)]
struct Condition {
    /// The column, by its position among those of the leaf subtree.
    column: u32,
    /// The splits, as bits, and the sides that lead to the leaf.
    splits: u8,
    sides: u8,
    /// The background rows that take these sides, and those that also satisfy the column above.
    within: u128,
    all: u128,
}

/// A column that a leaf subtree splits on.
#[derive(Debug, Clone, Copy)]
pub(super) struct SubtreeColumn {
    pub(super) place: u32,
    /// Its slot, where the path above splits on it.
    above: Option<u32>,
    /// Its slot, if it has one at all.
    pub(super) slot: Option<u32>,
    /// The splits, as bits.
    splits: u8,
}

#[derive(Debug, Clone)]
pub(super) struct Leaf {
    pub(super) node: u32,
    conditions: Range<u32>,
}

/// A leaf that rows of a class reach.
#[derive(Debug, Clone, Copy)]
pub(super) struct LeafOfClass {
    pub(super) leaf: u32,
    /// The columns that the rows violate here and not above, as bits.
    pub(super) violated: u32,
    /// The background rows that violate none of what the rows violate here.
    pub(super) background: u128,
}

/// What a background row violates at a leaf: how many columns of the whole path, and which of those
/// that it satisfies above, as bits.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Violations {
    pub(super) n: u32,
    pub(super) here: u32,
}

/// Rows that reach the same leaves.
#[derive(Debug, Clone)]
pub(super) struct Class {
    leaves: Range<u32>,
    /// The background rows that reach any of them.
    pub(super) background: u128,
}

/// An edge of the leaf subtree.
#[derive(Debug, Clone, Copy, Default)]
struct Step {
    split: u32,
    is_right: bool,
    child: u32,
    column: u32,
}

/// A path down the leaf subtree.
#[derive(Debug, Clone, Copy)]
struct Branch {
    node: u32,
    /// How many edges, and these.
    n_steps: usize,
    steps: [Step; MOST_SPLITS],
}

/// What is above a leaf subtree.
#[derive(Debug, Clone, Copy)]
pub(super) struct Above<'a> {
    pub(super) path: &'a Path,
    /// By node, the background rows that take the edge to it.
    pub(super) on_edges: &'a [u128],
    /// The background rows that any group of rows has left.
    pub(super) background: u128,
}

/// The leaf subtree at hand.
#[derive(Debug, Default)]
pub(super) struct LeafSubtree {
    /// The nodes that are split.
    pub(super) splits: Vec<u32>,
    pub(super) columns: Vec<SubtreeColumn>,
    /// Of the columns without a slot: the place, and the position in the leaf subtree.
    pub(super) without_slot: Vec<(u32, u32)>,
    leaves: Vec<Leaf>,
    conditions: Vec<Condition>,
    /// By leaf and background row.
    violations: Vec<[Violations; TOGETHER]>,
    pub(super) classes: Vec<Class>,
    leaves_of_classes: Vec<LeafOfClass>,
    /// By state to base three: 0 or 1 is a side, 2 that the side is ignored.
    class_of: Vec<u32>,
    states: Vec<u16>,
    branches: Vec<Branch>,
}

impl LeafSubtree {
    /// Reads the subtree below a node.
    pub(super) fn read(
        &mut self,
        router: &Router<'_>,
        root: u32,
        columns: &TreeColumns,
        above: Above<'_>,
    ) {
        self.class_of.resize(N_STATES, NONE);
        self.states.drain(..).for_each(|state| self.class_of[state as usize] = NONE);
        self.splits.clear();
        self.columns.clear();
        self.leaves.clear();
        self.conditions.clear();
        self.classes.clear();
        self.leaves_of_classes.clear();
        let steps = [Step::default(); MOST_SPLITS];
        self.branches.push(Branch { node: root, n_steps: 0, steps });
        while let Some(branch) = self.branches.pop() {
            let place = columns.place(&router.ranked.nodes[branch.node as usize]);
            let Some((split, place)) = router.split(branch.node as usize).zip(place) else {
                self.add_leaf(branch, above);
                continue;
            };
            let first_child = split.first_child;
            let split = self.splits.len() as u32;
            self.splits.push(branch.node);
            let known = self.columns.iter().position(|other| other.place == place);
            let column = known.unwrap_or_else(|| {
                let slot = above.path.slot_if_any(place);
                let above = above.path.slot(place);
                self.columns.push(SubtreeColumn { place, above, slot, splits: 0 });
                self.columns.len() - 1
            });
            self.columns[column].splits |= 1 << split;
            for is_right in [false, true] {
                let child = first_child + u32::from(is_right);
                let Branch { n_steps, mut steps, .. } = branch;
                steps[n_steps] = Step { split, is_right, child, column: column as u32 };
                self.branches.push(Branch { node: child, n_steps: n_steps + 1, steps });
            }
        }
        let without_slot = |(at, column): (u32, &SubtreeColumn)| {
            column.slot.is_none().then_some((column.place, at))
        };
        self.without_slot.clear();
        self.without_slot.extend((1..).zip(&self.columns).filter_map(without_slot));
    }

    /// Adds the leaf at the end of a branch.
    fn add_leaf(&mut self, branch: Branch, above: Above<'_>) {
        let Above { path, on_edges, background } = above;
        let start = self.conditions.len();
        for step in &branch.steps[..branch.n_steps] {
            let mut conditions = self.conditions[start..].iter();
            let known = conditions.position(|condition| condition.column == step.column);
            let at = known.map_or(self.conditions.len(), |at| start + at);
            if known.is_none() {
                let (column, all) = (step.column, path.all());
                let condition = Condition { column, splits: 0, sides: 0, within: all, all };
                self.conditions.push(condition);
            }
            let condition = &mut self.conditions[at];
            condition.splits |= 1 << step.split;
            condition.sides |= u8::from(step.is_right) << step.split;
            condition.within &= on_edges[step.child as usize];
        }
        let leaf = self.leaves.len();
        if self.violations.len() == leaf {
            self.violations.push([Violations::default(); TOGETHER]);
        }
        let violations = &mut self.violations[leaf];
        for row in places(background) {
            violations[row] = Violations { n: path.n_violated(row) as u32, here: 0 };
        }
        for condition in &mut self.conditions[start..] {
            let slot = self.columns[condition.column as usize].above;
            let satisfied = slot.map_or(path.all(), |slot| path.reach(slot));
            condition.all = condition.within & satisfied;
            for row in places(satisfied & !condition.within & background) {
                violations[row].n += 1;
                violations[row].here |= 1 << condition.column;
            }
        }
        let conditions = start as u32..self.conditions.len() as u32;
        self.leaves.push(Leaf { node: branch.node, conditions });
    }

    /// The splits whose sides are ignored for rows that violate their columns above.
    pub(super) fn ignored(&self, violates: impl Fn(u32) -> bool) -> u8 {
        let violated = self.columns.iter().filter(|column| column.above.is_some_and(&violates));
        violated.fold(0, |all, column| all | column.splits)
    }

    /// The class of rows that take these sides, but for the splits that are ignored.
    #[inline]
    pub(super) fn class(&mut self, sides: u8, ignored: u8) -> usize {
        let sides = sides & !ignored;
        let state = TERNARY[sides as usize] + 2 * TERNARY[ignored as usize];
        match self.class_of[state as usize] {
            NONE => self.add_class(state, sides, ignored),
            class => class as usize,
        }
    }

    #[inline(never)]
    fn add_class(&mut self, state: u16, sides: u8, ignored: u8) -> usize {
        let (start, mut background) = (self.leaves_of_classes.len() as u32, 0);
        for (leaf, Leaf { conditions, .. }) in (0..).zip(&self.leaves) {
            let mut reached = LeafOfClass { leaf, violated: 0, background: u128::MAX };
            for condition in &self.conditions[conditions.start as usize..conditions.end as usize] {
                if condition.splits & ignored != 0 {
                    reached.background &= condition.within;
                } else if (sides ^ condition.sides) & condition.splits != 0 {
                    reached.background &= condition.all;
                    reached.violated |= 1 << condition.column;
                }
            }
            if reached.background != 0 {
                background |= reached.background;
                self.leaves_of_classes.push(reached);
            }
        }
        let class = self.classes.len();
        let leaves = start..self.leaves_of_classes.len() as u32;
        self.classes.push(Class { leaves, background });
        self.class_of[state as usize] = class as u32;
        self.states.push(state);
        class
    }

    /// The leaves that rows of a class reach.
    pub(super) fn leaves(&self, class: usize) -> &[LeafOfClass] {
        let Range { start, end } = self.classes[class].leaves;
        &self.leaves_of_classes[start as usize..end as usize]
    }

    /// The node of a leaf, and by background row what that violates.
    pub(super) fn leaf(&self, leaf: u32) -> (u32, &[Violations; TOGETHER]) {
        let at = leaf as usize;
        (self.leaves[at].node, &self.violations[at])
    }
}
