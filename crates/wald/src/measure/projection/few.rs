//! Cells of few in-bag rows: these are bits of a number, and every out-of-bag row finds those that
//! share its nodes by itself.

use std::ops::Range;

use super::Projection;
use super::bag::Responses;
use super::cells::Step;
use super::place::{INNER, LEAF, OTHER, Place};

/// In-bag rows that fit into the bits of a number.
pub(super) const MOST: usize = u64::BITS as usize;

/// With at most this many in-bag rows in a cell every out-of-bag row goes on by itself; also with
/// more of them, if that many out-of-bag rows are left. Dividing costs less where rows share it.
pub(super) const FEW: usize = 16;
pub(super) const ALONE: usize = 2;

/// At most 64 in-bag rows.
#[derive(Debug, Default)]
pub(super) struct FewRows {
    pub(super) rows: Vec<u32>,
    /// For each of them, those that have its response.
    pub(super) alike: Vec<u64>,
    pub(super) classes: Vec<u64>,
    /// Nodes that know where some of the rows go.
    pub(super) asked: Vec<u32>,
    pub(super) current: Vec<u32>,
    pub(super) next: Vec<u32>,
}

impl Projection<'_> {
    /// Takes other few rows.
    pub(super) fn begin_few(&mut self, rows: impl Iterator<Item = u32>) {
        let few = &mut self.few;
        for node in few.asked.drain(..) {
            let place = &mut self.nodes[node as usize];
            (place.known, place.left) = (0, 0);
        }
        few.rows.clear();
        few.rows.extend(rows);
        few.alike.clear();
        match &self.bag.responses {
            Responses::Classes { codes, n_classes } => {
                few.classes.clear();
                few.classes.resize(*n_classes, 0);
                for (place, &row) in few.rows.iter().enumerate() {
                    few.classes[codes[row as usize] as usize] |= 1 << place;
                }
                let alike = few.rows.iter().map(|&row| few.classes[codes[row as usize] as usize]);
                few.alike.extend(alike);
            }
            // Equal numbers are rare, and to know of them saves time only.
            Responses::Numbers(_) => few.alike.extend((0..few.rows.len()).map(|row| 1 << row)),
        }
    }

    /// Takes every out-of-bag row of a cell of few in-bag rows on alone.
    pub(super) fn find_all(&mut self, group: u32, step: &Step) {
        let few = step.in_bag.clone();
        let in_bag = std::mem::take(&mut self.in_bag);
        self.begin_few(in_bag[few.clone()].iter().copied());
        self.in_bag = in_bag;
        let all = bits(0..few.len());
        let next = step.next..self.cells.len();
        for index in step.out_of_bag.clone() {
            let row = self.out_of_bag[index];
            let nodes = (step.nodes.clone(), next.clone());
            self.find(row, group, all, nodes, Some(&step.before));
        }
    }

    /// Follows one row through the nodes of its cell (those of this level still to be asked, those
    /// of the next level known so far), keeping the in-bag rows among `bits` that go the same ways,
    /// and assigns it their mean. `before` are the rows of the level before, where a level has
    /// begun.
    pub(super) fn find(
        &mut self,
        row: u32,
        group: u32,
        mut bits: u64,
        (nodes, known): (Range<usize>, Range<usize>),
        mut before: Option<&Range<usize>>,
    ) {
        let mut current = std::mem::take(&mut self.few.current);
        let mut next = std::mem::take(&mut self.few.next);
        current.clear();
        current.extend_from_slice(&self.cells[nodes]);
        next.clear();
        next.extend_from_slice(&self.cells[known]);
        let mut value = std::mem::take(&mut self.value);
        loop {
            let whole = bits;
            bits = self.level(row, group, bits, &current, &mut next);
            if bits == 0 {
                // Remark 3.
                match before {
                    Some(before) => {
                        self.mean(self.in_bag[before.clone()].iter().copied(), &mut value);
                    }
                    None => self.mean_of_few(whole, &mut value),
                }
                break;
            }
            before = None;
            if self.are_equal(bits) {
                // The response of one of them is the mean of all.
                self.mean_of_few(bits & bits.wrapping_neg(), &mut value);
                break;
            }
            if next.is_empty() {
                self.mean_of_few(bits, &mut value);
                break;
            }
            std::mem::swap(&mut current, &mut next);
            next.clear();
        }
        self.assign(row, group, &value);
        (self.value, self.few.current, self.few.next) = (value, current, next);
    }

    /// Asks the nodes of one level: returns those of the few rows that go the same ways as the row,
    /// and adds the inner nodes that it comes to. Which way a row goes cannot be foreseen, so that
    /// numbers are computed where one would write conditions.
    pub(super) fn level(
        &mut self,
        row: u32,
        group: u32,
        mut bits: u64,
        nodes: &[u32],
        next: &mut Vec<u32>,
    ) -> u64 {
        let mut n_next = next.len();
        next.resize(n_next + 2 * nodes.len(), 0);
        for &node in nodes {
            let place = self.nodes[node as usize];
            if place.kind() == OTHER {
                next.truncate(n_next);
                bits = self.ask_other(row, group, bits, node, next);
                n_next = next.len();
                next.resize(n_next + 2 * nodes.len(), 0);
                continue;
            }
            let right = place.right(self.codes.row(row));
            let is_free = u32::from(place.asked == group);
            let any_way = u64::from(is_free).wrapping_neg();
            let unknown = bits & !place.known & !any_way;
            let mut left = place.left;
            if unknown != 0 {
                left |= self.learn(node, place, unknown);
            }
            bits &= left ^ u64::from(right).wrapping_neg() | any_way;
            let inner = place.column >> INNER;
            next[n_next] = place.first_child + right;
            n_next += (inner >> right & 1) as usize;
            next[n_next] = place.first_child + (right ^ 1);
            n_next += (is_free & inner >> (right ^ 1)) as usize;
            if bits == 0 {
                break;
            }
        }
        next.truncate(n_next);
        bits
    }

    /// Asks a node about some of the few rows; returns those that go left.
    pub(super) fn learn(&mut self, node: u32, place: Place, unknown: u64) -> u64 {
        let mut left = 0;
        for index in ones(unknown) {
            let right = place.right(self.bag.codes.row(self.few.rows[index as usize]));
            left |= u64::from(right ^ 1) << index;
        }
        if place.known == 0 {
            self.few.asked.push(node);
        }
        let known = &mut self.nodes[node as usize];
        known.known |= unknown;
        known.left |= left;
        left
    }

    /// As [`Self::level`], for one question of another kind.
    pub(super) fn ask_other(
        &self,
        row: u32,
        group: u32,
        bits: u64,
        node: u32,
        next: &mut Vec<u32>,
    ) -> u64 {
        let Some(split) = self.router.split(node as usize) else { return bits };
        let place = self.nodes[node as usize];
        let is_inner = |child: &u32| self.nodes[*child as usize].asked != LEAF;
        if place.asked == group {
            let children = self.view.tree.children(split).map(|child| child as u32);
            next.extend(children.filter(is_inner));
            return bits;
        }
        let child = self.child_of(node as usize, self.codes.row(row));
        next.extend(Some(child).filter(is_inner));
        let few = |index: u32| self.bag.codes.row(self.few.rows[index as usize]);
        let goes_along = |&index: &u32| self.child_of(node as usize, few(index)) == child;
        ones(bits).filter(goes_along).map(|index| 1 << index).sum()
    }

    /// True when the responses of the few rows are equal.
    #[inline]
    pub(super) fn are_equal(&self, bits: u64) -> bool {
        let alike = self.few.alike[bits.trailing_zeros() as usize % MOST];
        bits & !alike == 0
    }

    pub(super) fn mean_of_few(&self, bits: u64, value: &mut [f64]) {
        self.mean(ones(bits).map(|index| self.few.rows[index as usize]), value);
    }
}

/// The places of the ones among the bits of a number.
pub(super) fn ones(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros();
        (bits != 0).then(|| {
            bits &= bits - 1;
            place
        })
    })
}

/// The numbers of a range as the bits of a number.
pub(super) fn bits(range: Range<usize>) -> u64 {
    if range.is_empty() { 0 } else { (u64::MAX >> (MOST - range.len())) << range.start }
}
