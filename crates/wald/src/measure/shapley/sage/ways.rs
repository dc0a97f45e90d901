//! Which of a few hundred rows take which way at every node of every tree, as sets of bits.

use crate::counterfactual::Bound;
use crate::data::{MISSING_CODE, RankedColumn, RankedFeatures};
use crate::forest::{RankedNode, Router, Side};

const WORDS: usize = 8;

/// Rows that are looked at together at most.
pub(super) const TOGETHER: usize = 64 * WORDS;

/// Some of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowSet([u64; WORDS]);

impl RowSet {
    const NONE: Self = Self([0; WORDS]);

    /// The first rows.
    fn first(n_rows: usize) -> Self {
        let mut set = Self::NONE;
        (0..n_rows).for_each(|place| set.add(place));
        set
    }

    fn add(&mut self, place: usize) {
        self.0[place / 64] |= 1 << (place % 64);
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    pub(super) fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    pub(super) fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Places of the rows, increasing.
    pub(super) fn places(self) -> impl Iterator<Item = usize> {
        (0..).step_by(64).zip(self.0).flat_map(|(first, word)| {
            let rest = std::iter::successors(Some(word), |&word| {
                word.checked_sub(1).map(|less| word & less)
            });
            let rest = rest.take_while(|&word| word != 0);
            rest.map(move |word: u64| first + word.trailing_zeros() as usize)
        })
    }
}

/// A node, and where the rows of its children stand among the sets.
#[derive(Debug, Clone, Copy)]
pub(super) enum Asked {
    Leaf,
    /// One set, of the rows that go to the first of two children.
    Two {
        player: u32,
        first_child: u32,
        set: u32,
    },
    /// A set for every child.
    Many {
        player: u32,
        first_child: u32,
        n_children: u32,
        set: u32,
    },
}

/// At most [`TOGETHER`] rows, and their ways through the forest.
#[derive(Debug)]
pub(super) struct Ways {
    trees: Vec<Vec<Asked>>,
    sets: Vec<RowSet>,
    all: RowSet,
}

impl Ways {
    /// Sorts `rows`, which belong to the table that the forest is bound to; `player` is the player
    /// of a canonical column. Cost O(columns * rows + nodes), and O(nodes * rows) for splits
    /// other than thresholds.
    pub(super) fn new(bound: &Bound<'_>, player: impl Fn(u32) -> u32, rows: &[u32]) -> Self {
        let features = bound.features();
        let mut sets = Sets { found: Vec::new(), columns: Vec::new(), features, rows };
        sets.columns.resize_with(features.n_columns(), || None);
        let of_tree = |tree| {
            let router = bound.router(tree);
            let nodes = router.ranked.nodes.iter().enumerate();
            nodes.map(|(node, ranked)| sets.ask(&router, node, *ranked, &player)).collect()
        };
        let trees = (0..bound.n_trees()).map(of_tree).collect();
        Self { trees, sets: sets.found, all: RowSet::first(rows.len()) }
    }

    pub(super) fn all(&self) -> RowSet {
        self.all
    }

    pub(super) fn nodes(&self, tree: usize) -> &[Asked] {
        &self.trees[tree]
    }

    /// Calls `each` with the children of a node and those of `rows` that go there. Leaves have none.
    pub(super) fn divide(&self, asked: Asked, rows: RowSet, mut each: impl FnMut(u32, RowSet)) {
        match asked {
            Asked::Leaf => {}
            Asked::Two { first_child, set, .. } => {
                let first = rows.and(self.sets[set as usize]);
                each(first_child, first);
                each(first_child + 1, rows.without(first));
            }
            Asked::Many { first_child, n_children, set, .. } => {
                for child in 0..n_children {
                    each(first_child + child, rows.and(self.sets[(set + child) as usize]));
                }
            }
        }
    }
}

/// The sets found so far. Thresholds of a column share one list: the rows in the order of their
/// codes, one more in every set.
struct Sets<'a> {
    found: Vec<RowSet>,
    columns: Vec<Option<Ordered>>,
    features: &'a RankedFeatures,
    rows: &'a [u32],
}

/// Where the sets of an ordered column begin.
struct Ordered {
    /// Codes of the rows that have one, increasing.
    codes: Vec<u32>,
    start: u32,
    /// The same with the rows that have none.
    with_missing: u32,
}

impl Sets<'_> {
    fn ask(
        &mut self,
        router: &Router<'_>,
        node: usize,
        ranked: RankedNode,
        player: impl Fn(u32) -> u32,
    ) -> Asked {
        match ranked {
            RankedNode::Leaf => Asked::Leaf,
            RankedNode::Below { column, below, first_child, missing } => {
                let set = self.below(column, below, missing);
                Asked::Two { player: player(column), first_child, set }
            }
            RankedNode::Other { column, first_child } => {
                let (player, n_children) = (player(column), router.n_children(node));
                let set = self.found.len() as u32;
                let codes = self.features.column(column).codes();
                let children = self.rows.iter().map(|&row| codes[row as usize]);
                let children: Vec<u32> =
                    children.map(|code| router.child_of_code(node, code)).collect();
                let n_sorted = if n_children == 2 { 1 } else { n_children };
                for child in 0..n_sorted {
                    let mut set = RowSet::NONE;
                    let places = children.iter().enumerate().filter(|(_, taken)| **taken == child);
                    places.for_each(|(place, _)| set.add(place));
                    self.found.push(set);
                }
                match n_sorted {
                    1 => Asked::Two { player, first_child, set },
                    _ => Asked::Many { player, first_child, n_children, set },
                }
            }
        }
    }

    /// The place of the set of rows below a code.
    fn below(&mut self, column: u32, below: u32, missing: Side) -> u32 {
        let (features, rows) = (self.features, self.rows);
        let ranked = features.column(column);
        let ordered = self.columns[column as usize]
            .get_or_insert_with(|| Ordered::new(ranked, rows, &mut self.found));
        let start = match missing {
            Side::Left => ordered.with_missing,
            Side::Right => ordered.start,
        };
        start + ordered.codes.partition_point(|&code| code < below) as u32
    }
}

impl Ordered {
    fn new(column: &RankedColumn, rows: &[u32], sets: &mut Vec<RowSet>) -> Self {
        let codes = column.codes();
        let mut missing = RowSet::NONE;
        let mut known: Vec<(u32, usize)> = Vec::with_capacity(rows.len());
        for (place, &row) in rows.iter().enumerate() {
            match codes[row as usize] {
                MISSING_CODE => missing.add(place),
                code => known.push((code, place)),
            }
        }
        known.sort_unstable();
        let start = sets.len() as u32;
        let mut below = RowSet::NONE;
        sets.push(below);
        for &(_, place) in &known {
            below.add(place);
            sets.push(below);
        }
        let with_missing = if missing.is_empty() { start } else { sets.len() as u32 };
        if !missing.is_empty() {
            for index in start as usize..=start as usize + known.len() {
                sets.push(sets[index].or(missing));
            }
        }
        Self { codes: known.into_iter().map(|(code, _)| code).collect(), start, with_missing }
    }
}
