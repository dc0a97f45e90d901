//! Cells of few rows: in-bag rows are the bits of one number, out-of-bag rows those of another.
//!
//! Which way rows go, and which nodes follow, is computed, not decided, because it cannot be foreseen.
//! Hardly two parts of a cell meet the same node, so that only the rows of a part are tested there.
//!
//! Lists of rows in every cell take 1.0 to 1.2 times as long (`docs/benchmarks.md`), and add the same
//! numbers in another order, so that values differ in the last bits.

use std::ops::Range;

use super::Projection;
use super::bag::Responses;
use super::columns::UsedCodes;
use super::step::{NONE, Step, keep};
use crate::measure::kernel::packed_split::{LEAF, PackedSplit};

/// Rows that fit into the bits of a number.
pub(super) const MOST: usize = u64::BITS as usize;

/// At most 64 in-bag and 64 out-of-bag rows.
#[derive(Debug, Default)]
pub(super) struct FewRows {
    in_bag: Vec<u32>,
    out_of_bag: Vec<u32>,
    /// Where their codes begin.
    in_bag_starts: Starts,
    starts: Starts,
    /// By class, the in-bag rows of it.
    classes: Vec<u64>,
    parts: Vec<Part>,
}

/// By bit, where the codes of a row begin among those of all rows.
#[derive(Debug)]
struct Starts([usize; MOST]);

impl Default for Starts {
    fn default() -> Self {
        Self([0; MOST])
    }
}

impl Starts {
    fn set(&mut self, rows: &[u32], codes: &UsedCodes) {
        self.0.iter_mut().zip(rows).for_each(|(start, &row)| *start = codes.start(row));
    }

    /// Which of some rows go left at a node.
    #[inline]
    fn left(&self, mut rows: u64, question: PackedSplit, codes: &UsedCodes) -> u64 {
        let codes = codes.from(question.column());
        let mut left = 0;
        while rows != 0 {
            let bit = rows.trailing_zeros();
            let code = codes[self.0[bit as usize % MOST]];
            left |= u64::from(question.right_of(code) ^ 1) << bit;
            rows &= rows - 1;
        }
        left
    }
}

/// In-bag and out-of-bag rows, as bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Few {
    pub(super) in_bag: u64,
    pub(super) out_of_bag: u64,
}

impl Few {
    fn without(self, other: Self) -> Self {
        Self {
            in_bag: self.in_bag & !other.in_bag,
            out_of_bag: self.out_of_bag & !other.out_of_bag,
        }
    }
}

/// A part of a cell's rows, and how far it has come.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) rows: Few,
    /// In-bag rows of the level before; zero where these are more than the few.
    pub(super) before: u64,
    /// The next node to ask among those of the cell, and the first one of the next level.
    pub(super) asked: u32,
    pub(super) next: u32,
    /// Nodes of the cell when the part was put aside, and one more or [`NONE`].
    pub(super) n_nodes: u32,
    pub(super) more: u32,
}

impl Projection<'_> {
    /// Takes other few rows.
    pub(super) fn begin_few(
        &mut self,
        in_bag: impl Iterator<Item = u32>,
        out_of_bag: impl Iterator<Item = u32>,
    ) {
        let few = &mut self.few;
        few.in_bag.clear();
        few.in_bag.extend(in_bag);
        few.out_of_bag.clear();
        few.out_of_bag.extend(out_of_bag);
        few.in_bag_starts.set(&few.in_bag, &self.bag.codes);
        few.starts.set(&few.out_of_bag, &self.codes);
        if let Responses::Classes { codes, n_classes } = &self.bag.responses {
            few.classes.clear();
            few.classes.resize(*n_classes, 0);
            for (place, &row) in few.in_bag.iter().enumerate() {
                few.classes[codes[row as usize] as usize] |= 1 << place;
            }
        }
    }

    /// The few in-bag rows that have the response of one of them. Equal numbers are rare, and to know of
    /// them saves time only.
    fn alike(&self, row: u64) -> u64 {
        match &self.bag.responses {
            Responses::Classes { codes, .. } => {
                let place = self.few.in_bag[row.trailing_zeros() as usize % MOST];
                self.few.classes[codes[place as usize] as usize]
            }
            Responses::Numbers(_) | Responses::Several(_) => row,
        }
    }

    /// Goes on with a cell of few in-bag rows, as many out-of-bag rows at a time as there are bits.
    pub(super) fn follow_few(&mut self, group: u32, step: &Step) {
        let in_bag = std::mem::take(&mut self.in_bag);
        let out_of_bag = std::mem::take(&mut self.out_of_bag);
        let n_nodes = self.cells.len();
        for some in out_of_bag[step.out_of_bag.clone()].chunks(MOST) {
            let few = &in_bag[step.in_bag.clone()];
            self.begin_few(few.iter().copied(), some.iter().copied());
            let rows = Few { in_bag: bits(0..few.len()), out_of_bag: bits(0..some.len()) };
            let (asked, next) = (step.nodes.start as u32, step.next as u32);
            let n = n_nodes as u32;
            let part = Part { rows, before: 0, asked, next, n_nodes: n, more: NONE };
            self.follow(group, part, &in_bag[step.before.clone()]);
            self.cells.truncate(n_nodes);
        }
        (self.in_bag, self.out_of_bag) = (in_bag, out_of_bag);
    }

    /// Divides the rows of a cell at its nodes, level by level, and assigns every out-of-bag row
    /// the mean of the in-bag rows that go the same ways. `before` are the in-bag rows of the level
    /// before, where a level has begun.
    pub(super) fn follow(&mut self, group: u32, first: Part, before: &[u32]) {
        let mut parts = std::mem::take(&mut self.few.parts);
        parts.push(first);
        while let Some(mut part) = parts.pop() {
            self.cells.truncate(part.n_nodes as usize);
            keep(&mut self.cells, part.more, part.more != NONE);
            loop {
                if part.rows.in_bag == 0 {
                    // Remark 3: an empty cell leaves its rows to the level before.
                    match part.before {
                        0 => self.assign_all(group, before, part.rows.out_of_bag),
                        few => self.assign_few(group, few, part.rows.out_of_bag),
                    }
                    break;
                }
                if part.asked == part.next {
                    // A level ends. The response of one row is the mean of equal ones. Within a level,
                    // an empty cell could still leave rows to the level before, whose mean differs.
                    let lowest = part.rows.in_bag & part.rows.in_bag.wrapping_neg();
                    if part.rows.in_bag & !self.alike(lowest) == 0 {
                        self.assign_few(group, lowest, part.rows.out_of_bag);
                        break;
                    }
                    if part.next as usize == self.cells.len() {
                        self.assign_few(group, part.rows.in_bag, part.rows.out_of_bag);
                        break;
                    }
                    (part.before, part.next) = (part.rows.in_bag, self.cells.len() as u32);
                }
                let node = self.cells[part.asked as usize];
                part.asked += 1;
                let question = self.nodes[node as usize];
                if question.group == group {
                    self.push_inner_children(node as usize);
                } else {
                    self.divide_few(node, question, &mut part, &mut parts);
                }
            }
        }
        self.few.parts = parts;
    }

    /// Goes on with the rows of one child, and puts those of others aside.
    #[inline]
    fn divide_few(
        &mut self,
        node: u32,
        question: PackedSplit,
        part: &mut Part,
        parts: &mut Vec<Part>,
    ) {
        if !question.knows_sides() {
            return self.divide_otherwise(node, part, parts);
        }
        let left = Few {
            in_bag: self.few.in_bag_starts.left(part.rows.in_bag, question, &self.bag.codes),
            out_of_bag: self.few.starts.left(part.rows.out_of_bag, question, &self.codes),
        };
        let right = part.rows.without(left);
        let goes_right = u32::from(left.out_of_bag == 0);
        let more = if question.is_inner(1) { question.first_child + 1 } else { NONE };
        let aside = Part { rows: right, n_nodes: self.cells.len() as u32, more, ..*part };
        keep(parts, aside, left.out_of_bag != 0 && right.out_of_bag != 0);
        part.rows = if goes_right == 0 { left } else { right };
        keep(&mut self.cells, question.first_child + goes_right, question.is_inner(goes_right));
    }

    /// As [`Self::divide_few`], for splits into many children or of many levels.
    fn divide_otherwise(&mut self, node: u32, part: &mut Part, parts: &mut Vec<Part>) {
        let n_nodes = self.cells.len() as u32;
        let place = self.nodes[node as usize].column();
        let (in_bag_codes, codes) = (&self.bag.codes, &self.codes);
        let mut rest = part.rows;
        while rest.out_of_bag != 0 {
            let first = self.few.out_of_bag[rest.out_of_bag.trailing_zeros() as usize % MOST];
            let child = self.child_of(node as usize, codes.at(first, place));
            let in_bag = ones(rest.in_bag).filter(|&index| {
                let row = self.few.in_bag[index as usize];
                self.child_of(node as usize, in_bag_codes.at(row, place)) == child
            });
            let out_of_bag = ones(rest.out_of_bag).filter(|&index| {
                let row = self.few.out_of_bag[index as usize];
                self.child_of(node as usize, codes.at(row, place)) == child
            });
            let rows = Few {
                in_bag: in_bag.map(|index| 1 << index).sum(),
                out_of_bag: out_of_bag.map(|index| 1 << index).sum(),
            };
            let is_inner = self.nodes[child as usize].group != LEAF;
            let more = if is_inner { child } else { NONE };
            rest = rest.without(rows);
            if rest.out_of_bag == 0 {
                part.rows = rows;
                keep(&mut self.cells, child, is_inner);
            } else {
                parts.push(Part { rows, n_nodes, more, ..*part });
            }
        }
    }

    /// Assigns out-of-bag rows the mean response of some of the few in-bag rows.
    fn assign_few(&mut self, group: u32, in_bag: u64, out_of_bag: u64) {
        let mut value = std::mem::take(&mut self.value);
        let rows = ones(in_bag).map(|index| self.few.in_bag[index as usize]);
        self.mean(rows, &mut value);
        self.assign_ones(group, out_of_bag, value);
    }

    fn assign_all(&mut self, group: u32, in_bag: &[u32], out_of_bag: u64) {
        let mut value = std::mem::take(&mut self.value);
        self.mean(in_bag.iter().copied(), &mut value);
        self.assign_ones(group, out_of_bag, value);
    }

    /// Assigns out-of-bag rows a value, whose memory is used again.
    fn assign_ones(&mut self, group: u32, out_of_bag: u64, value: Vec<f64>) {
        for index in ones(out_of_bag) {
            self.assign(self.few.out_of_bag[index as usize], group, &value);
        }
        self.value = value;
    }
}

/// The places of the ones among the bits of a number.
fn ones(mut bits: u64) -> impl Iterator<Item = u32> {
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
