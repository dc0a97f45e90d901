//! Parts of few rows, each of which is a bit of a number. Which of them go left at a node does not depend on
//! how they were divided before, so that the processor looks their codes up ahead: with lists of rows in
//! every cell, `sobol_mda` takes 1.0 to 1.2 times as long (`docs/benchmarks.md`).

use super::cells::{NONE, Part, keep};
use super::columns::UsedCodes;
use super::{Projection, simd};
use crate::measure::kernel::packed_split::{LEAF, PackedSplit};

/// The most of the few rows.
pub(super) const MOST: usize = u16::BITS as usize;

/// The rows of the part at work, and its parts that were put aside.
#[derive(Debug, Default)]
pub(super) struct FewRows {
    rows: [u32; MOST],
    parts: Vec<FewPart>,
}

/// A part of the few rows, and how far it has come; see [`Part`].
#[derive(Debug, Clone, Copy)]
struct FewPart {
    in_bag: u16,
    out_of_bag: u16,
    /// In-bag rows of the level before; zero where there is none, and where some of them are not among the few.
    before: u16,
    at: u32,
    next: u32,
    n_nodes: u32,
    more: u32,
}

impl FewRows {
    #[cfg(test)]
    pub(super) fn of(rows: [u32; MOST]) -> Self {
        Self { rows, parts: Vec::new() }
    }

    /// Which of some rows go left at a node.
    #[inline]
    pub(super) fn left(&self, among: u16, question: PackedSplit, codes: &UsedCodes) -> u16 {
        simd::left(&self.rows, among, codes, question)
            .unwrap_or_else(|| self.left_singly(among, question, codes))
    }

    /// The same, row by row.
    pub(super) fn left_singly(&self, among: u16, question: PackedSplit, codes: &UsedCodes) -> u16 {
        let place = question.column();
        let left = |index: u32| {
            let code = codes.at(self.rows[index as usize % MOST], place);
            ((question.right_of(code) ^ 1) as u16) << index
        };
        ones(among).map(left).fold(0, |all, one| all | one)
    }
}

impl Projection<'_> {
    /// Goes on with a part of few rows.
    pub(super) fn follow_few(&mut self, group: u32, part: &Part) {
        let n_rows = part.rows.len();
        self.few.rows[..n_rows].copy_from_slice(&self.rows[part.rows.clone()]);
        let in_bag = first(part.n_in_bag);
        let mut parts = std::mem::take(&mut self.few.parts);
        parts.push(FewPart {
            in_bag,
            out_of_bag: first(n_rows) & !in_bag,
            before: 0,
            at: part.at as u32,
            next: part.next as u32,
            n_nodes: self.cells.len() as u32,
            more: NONE,
        });
        while let Some(mut few) = parts.pop() {
            self.cells.truncate(few.n_nodes as usize);
            keep(&mut self.cells, few.more, few.more != NONE);
            loop {
                if few.in_bag == 0 {
                    // Remark 3: an empty cell leaves its rows to the level before.
                    match few.before {
                        0 => self.assign_before(group, part, few.out_of_bag),
                        before => self.assign_few(group, before, few.out_of_bag),
                    }
                    break;
                }
                if few.at == few.next {
                    // A level ends; see `Projection::follow`.
                    if few.next as usize == self.cells.len() || self.is_equal_few(few.in_bag) {
                        self.assign_few(group, few.in_bag, few.out_of_bag);
                        break;
                    }
                    (few.before, few.next) = (few.in_bag, self.cells.len() as u32);
                }
                let node = self.cells[few.at as usize];
                few.at += 1;
                let question = self.nodes[node as usize];
                if question.group == group {
                    self.push_inner_children(node as usize);
                } else if question.knows_sides() {
                    self.divide_few(question, &mut few, &mut parts);
                } else {
                    self.divide_few_otherwise(node, &few, &mut parts);
                    break;
                }
            }
        }
        self.few.parts = parts;
    }

    /// Goes on with the rows of one child, and puts those of the other aside.
    #[inline]
    fn divide_few(&mut self, question: PackedSplit, few: &mut FewPart, parts: &mut Vec<FewPart>) {
        let left = self.few.left(few.in_bag | few.out_of_bag, question, &self.placed.codes);
        let (in_left, in_right) = (few.in_bag & left, few.in_bag & !left);
        let (out_left, out_right) = (few.out_of_bag & left, few.out_of_bag & !left);
        let goes_right = u32::from(out_left == 0);
        let aside = FewPart {
            in_bag: in_right,
            out_of_bag: out_right,
            n_nodes: self.cells.len() as u32,
            more: if question.is_inner(1) { question.first_child + 1 } else { NONE },
            ..*few
        };
        keep(parts, aside, out_left != 0 && out_right != 0);
        (few.in_bag, few.out_of_bag) =
            if goes_right == 0 { (in_left, out_left) } else { (in_right, out_right) };
        keep(&mut self.cells, question.first_child + goes_right, question.is_inner(goes_right));
    }

    /// As [`Self::divide_few`], for splits into many children or of many levels, of which all are put
    /// aside.
    fn divide_few_otherwise(&mut self, node: u32, few: &FewPart, parts: &mut Vec<FewPart>) {
        let place = self.nodes[node as usize].column();
        let child_of = |index: u32| {
            let row = self.few.rows[index as usize % MOST];
            self.child_of(node as usize, self.placed.codes.at(row, place))
        };
        let mut rest = few.out_of_bag;
        while rest != 0 {
            let child = child_of(rest.trailing_zeros());
            let of_child = |among: u16| -> u16 {
                ones(among).filter(|&index| child_of(index) == child).map(|index| 1 << index).sum()
            };
            let out_of_bag = of_child(rest);
            let is_inner = self.nodes[child as usize].group != LEAF;
            parts.push(FewPart {
                in_bag: of_child(few.in_bag),
                out_of_bag,
                n_nodes: self.cells.len() as u32,
                more: if is_inner { child } else { NONE },
                ..*few
            });
            rest &= !out_of_bag;
        }
    }

    #[inline]
    fn is_equal_few(&self, in_bag: u16) -> bool {
        let rows = ones(in_bag).map(|index| self.few.rows[index as usize % MOST]);
        self.placed.is_equal(rows)
    }

    /// Assigns out-of-bag rows the mean response of some of the few in-bag rows.
    #[inline]
    fn assign_few(&mut self, group: u32, in_bag: u16, out_of_bag: u16) {
        let mut value = std::mem::take(&mut self.value);
        let rows = ones(in_bag).map(|index| self.few.rows[index as usize % MOST]);
        self.mean(rows, &mut value);
        self.assign_ones(group, out_of_bag, value);
    }

    /// Assigns them the mean of the level before the rows were few.
    fn assign_before(&mut self, group: u32, part: &Part, out_of_bag: u16) {
        let mut value = std::mem::take(&mut self.value);
        self.mean_among(part.before.clone(), &mut value);
        self.assign_ones(group, out_of_bag, value);
    }

    /// Assigns out-of-bag rows a value, whose memory is used again.
    #[inline]
    fn assign_ones(&mut self, group: u32, out_of_bag: u16, value: Vec<f64>) {
        let n_first = self.placed.n_in_bag() as u32;
        for index in ones(out_of_bag) {
            self.assign(self.few.rows[index as usize % MOST] - n_first, group, &value);
        }
        self.value = value;
    }
}

/// The places of the ones among the bits of a number.
#[inline]
fn ones(mut bits: u16) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros();
        (bits != 0).then(|| {
            bits &= bits - 1;
            place
        })
    })
}

/// The first so many bits.
fn first(n: usize) -> u16 {
    ((1_u32 << n) - 1) as u16
}
