//! Rows at the leaves of a tree, and what their steps add up to.
//!
//! Rows that come to the same leaf have taken the same steps, and those at neighbouring leaves nearly
//! so. Leaf after leaf, in the order in which the tree branches, what has been added on the way is
//! taken back as far as the ways are not the same, and every row gets the sums of its leaf once.

use crate::forest::{Node, Tree};

/// Where so many leaves or fewer stand against a row, rows are counted by leaf, else sorted.
const MOST_LEAVES_OF_ROW: usize = 8;

/// By node of a tree, how many leaves come before those below it, from the first branch to the last.
pub(super) fn leaves_before(tree: &Tree) -> Vec<u32> {
    let mut below = vec![1; tree.n_nodes()];
    for (node, content) in tree.nodes().iter().enumerate().rev() {
        // Children come after their parents.
        if let Node::Split(split) = content {
            below[node] = tree.children(split).map(|child| below[child]).sum();
        }
    }
    let mut before = vec![0; tree.n_nodes()];
    for (node, split) in tree.splits() {
        let mut next = before[node];
        for child in tree.children(split) {
            before[child] = next;
            next += below[child];
        }
    }
    before
}

/// Rows of a block in the order of their leaves.
#[derive(Debug, Default)]
pub(super) struct Arrivals {
    /// Positions of leaves, and of rows.
    sorted: Vec<(u32, u32)>,
    starts: Vec<u32>,
}

impl Arrivals {
    /// Rows at so many leaves, of which each is named by how many come before it.
    pub(super) fn sort(&mut self, leaves: impl ExactSizeIterator<Item = u32> + Clone, n: usize) {
        self.sorted.clear();
        if n > MOST_LEAVES_OF_ROW * leaves.len() {
            self.sorted.extend(leaves.zip(0..));
            self.sorted.sort_unstable();
            return;
        }
        self.starts.clear();
        self.starts.resize(n + 1, 0);
        leaves.clone().for_each(|leaf| self.starts[leaf as usize + 1] += 1);
        for leaf in 0..n {
            self.starts[leaf + 1] += self.starts[leaf];
        }
        self.sorted.resize(leaves.len(), (0, 0));
        for (leaf, row) in leaves.zip(0..) {
            let place = &mut self.starts[leaf as usize];
            self.sorted[*place as usize] = (leaf, row);
            *place += 1;
        }
    }

    /// The leaves and rows, those of a leaf after one another.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, usize)> {
        self.sorted.iter().map(|&(leaf, row)| (leaf, row as usize))
    }
}

/// A node on the way.
#[derive(Debug, Clone, Copy)]
struct Step {
    node: u32,
    /// How many leaves come before the first one behind those below the node.
    end: u32,
    place: u32,
    /// Whether no step above is of this place.
    is_first: bool,
}

/// What the steps of a tree add, and where.
#[derive(Debug, Clone, Copy)]
pub(super) struct Steps<'a> {
    pub(super) tree: &'a Tree,
    pub(super) leaves_before: &'a [u32],
    /// By node and output.
    pub(super) amounts: &'a [f64],
    /// By variable of the forest.
    pub(super) places: &'a [usize],
}

/// The way from the root of a tree to a leaf.
#[derive(Debug, Default)]
pub(super) struct Way {
    steps: Vec<Step>,
    /// By step and output, what was there before.
    before: Vec<f64>,
    /// By place and output.
    sums: Vec<f64>,
    /// The places of the steps, each once.
    places: Vec<u32>,
    is_there: Vec<bool>,
    n_outputs: usize,
}

impl Way {
    /// At the root of a tree of so many leaves.
    pub(super) fn begin(&mut self, n_leaves: usize, (n_places, n_outputs): (usize, usize)) {
        self.n_outputs = n_outputs;
        self.before.clear();
        self.before.resize(n_outputs, 0.0);
        self.sums.clear();
        self.sums.resize(n_places * n_outputs, 0.0);
        self.places.clear();
        self.is_there.clear();
        self.is_there.resize(n_places, false);
        self.steps.clear();
        self.steps.push(Step { node: 0, end: n_leaves as u32, place: 0, is_first: false });
    }

    /// Goes to a leaf that is not before the last one.
    pub(super) fn go_to(&mut self, leaf: u32, of: Steps<'_>) {
        let mut at = (0, u32::MAX);
        while let Some(step) = self.steps.last() {
            if leaf < step.end {
                at = (step.node, step.end);
                break;
            }
            self.step_back();
        }
        while let Node::Split(split) = &of.tree.nodes()[at.0 as usize] {
            let children = of.tree.children(split);
            let before = &of.leaves_before[children.clone()];
            let n_begun = before.partition_point(|&before| before <= leaf);
            let end = before.get(n_begun).map_or(at.1, |&before| before);
            let node = children.start + n_begun - 1;
            self.step((node as u32, end), of.places[split.feature as usize], of.amounts);
            at = (node as u32, end);
        }
    }

    fn step(&mut self, (node, end): (u32, u32), place: usize, amounts: &[f64]) {
        let n_outputs = self.n_outputs;
        let is_first = !self.is_there[place];
        if is_first {
            self.is_there[place] = true;
            self.places.push(place as u32);
        }
        self.steps.push(Step { node, end, place: place as u32, is_first });
        let sums = &mut self.sums[place * n_outputs..][..n_outputs];
        self.before.extend_from_slice(sums);
        let amounts = &amounts[node as usize * n_outputs..][..n_outputs];
        sums.iter_mut().zip(amounts).for_each(|(sum, amount)| *sum += amount);
    }

    fn step_back(&mut self) {
        let Some(step) = self.steps.pop() else { return };
        let (place, n_outputs) = (step.place as usize, self.n_outputs);
        let start = self.before.len() - n_outputs;
        self.sums[place * n_outputs..][..n_outputs].copy_from_slice(&self.before[start..]);
        self.before.truncate(start);
        if step.is_first {
            self.is_there[place] = false;
            self.places.pop();
        }
    }

    /// Adds the sums to those of a row.
    #[inline]
    pub(super) fn add_to(&self, row: &mut [f64]) {
        for &place in &self.places {
            let start = place as usize * self.n_outputs;
            let sums = &self.sums[start..start + self.n_outputs];
            let row = &mut row[start..start + self.n_outputs];
            row.iter_mut().zip(sums).for_each(|(row, sum)| *row += sum);
        }
    }
}
