//! Shapley values of one tree against background rows, for many rows.
//!
//! A coalition S of columns keeps the values of the row x that is explained, all others are those
//! of a background row z. Down to a leaf, x *violates* a column if it does not take all edges on
//! that column, and so does z. The leaf is reached if x satisfies the columns of S and z the
//! others: with M violated by x and N by z, if S holds all of N and nothing of M. Where M and N
//! have a column in common no coalition reaches it; else Lundberg et al. 2020 (Algorithm 3) give every
//! column of N
//!
//! `(|N| - 1)! |M|! / (|N| + |M|)!` times the prediction of the leaf, and every column of M minus
//! `|N|! (|M| - 1)! / (|N| + |M|)!` times that.
//!
//! So a row matters to a leaf only through M. All rows of a block go down the tree together, in
//! groups of equal M, each with the set of background rows that have no violated column in common
//! with it. A group without background rows has nothing to do below.
//!
//! Each path ends at a *leaf subtree* of at most seven splits. There a row matters only through its
//! sides at these, how many columns it violates above, and its group's background rows. What a
//! background row adds is computed once for all rows that agree in the first two; every group adds up
//! its own background rows, once for all its rows that agree.
//!
//! Leaf subtrees make this 1.4 to 1.9 times as fast as paths to single leaves; registers of 512 bits
//! made it at most 1.21 times as fast as loops that are compiled for any processor, and were given up
//! (docs/benchmarks.md, "Gains of optimisations in measuring").

mod at_leaf_subtree;
mod background;
mod contributions;
mod groups;
mod leaf_subtree;
mod path;
mod row_groups_at_leaf;
mod walk;

pub(crate) use background::Background;
pub(crate) use walk::walk_bytes;
pub(super) use walk::{MOST_ROWS, Walk};
