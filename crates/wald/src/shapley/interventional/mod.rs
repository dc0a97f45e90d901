//! Shapley values of one tree against background rows, for many rows.
//!
//! A coalition S of columns keeps the values of the row x that is explained, all others are those
//! of a background row z. Down to a leaf, x *violates* a column if it does not take all edges on
//! that column, and so does z. The leaf is reached if x satisfies the columns of S and z the others:
//! with M violated by x and N by z, if S holds all of N and nothing of M. Where M and N have a
//! column in common nobody gets there; else Lundberg et al. 2020 (Algorithm 3) give every column
//! of N
//!
//! `(|N| - 1)! |M|! / (|N| + |M|)!` times what the leaf says, and every column of M minus
//! `|N|! (|M| - 1)! / (|N| + |M|)!` times that.
//!
//! So a row matters to a leaf only through M. All rows of a block go down the tree together, in
//! groups of equal M, each with the set of background rows that have no violated column in common
//! with it. A group without background rows has nothing to do below.
//!
//! A way ends at a *twig*, a subtree of few questions. There a row matters only through the answers it
//! gives to these, how many columns it violates above, and its group's background rows. What a
//! background row is worth to those who agree in the first two is found once; every group adds up its
//! own background rows, once for all its rows that agree.

mod credits;
mod encounters;
mod ends;
mod groups;
mod paths;
mod sets;
mod twig;
mod walk;

pub(crate) use sets::Background;
pub(crate) use walk::walk_bytes;
pub(super) use walk::{MOST_ROWS, Walk};
