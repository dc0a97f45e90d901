//! Values that add up to the predictions of a forest: Shapley values.
//!
//! `tree.rs` holds the Shapley values of one tree for many rows (Lundberg et al. 2020, "path
//! dependent": what is not known of a row is averaged by the in-bag weights of the children). With
//! o = 1 for the columns whose edges on the path to a leaf the row takes, else 0, and z the product
//! of the shares of these edges, a leaf of value v adds to column j
//!
//! `v (o_j - z_j)` times the integral over t in (0, 1) of the product of `t o_k + (1 - t) z_k` over k != j,
//!
//! because a column is known before j with probability t where j comes at the time t (Owen 1972).
//! The integrand is a polynomial, so that Gauss-Legendre places give the integral exactly. At each
//! place, products go down the tree and sums come up, and an edge corrects the value of its column
//! once (as Linear `TreeSHAP` does with polynomials, Yu et al. 2022).
//!
//! Many rows go together. Low in the tree, a row matters only through the regions of few columns
//! that its values fall into; rows of equal regions share what a *piece* of the tree adds. Above it,
//! rows that met all edges in the same way are *alike* and share their products, and rows that are
//! alike above and equal below share the sums over the places (`additions.rs`). For a class, leaves
//! without rows of it have the value zero and are left out of the outline of the tree, so that ten
//! classes take two to three times as long as one number. Few rows are explained one by one
//! (`row_walk.rs`). Pieces are at least 7 to 9 times as fast as that for 1,000 rows and more, 3 times for
//! 20; pairs of columns 2.7 to 2.9 times (docs/benchmarks.md, "Gains of optimisations in measuring").
//!
//! `interventional/` does the same against background rows, `loss/` for losses instead of predictions.
//!
//! The numbers of a row depend on the rows beside it only by whether they are few, and never on
//! threads. Leaves of numbers are counted from what the tree expects, so that an offset of the target
//! costs no digits. Every block ends with a check that values add up to predictions (`sum_check.rs`).

mod additions;
mod alike;
mod any_width;
mod background_table;
mod block_walk;
mod blocks;
mod by_trees;
mod factors;
mod forest;
mod interventional;
mod kinds;
mod loss;
mod outline;
mod pairs;
mod piece_pairs;
mod piece_table;
mod quadrature;
mod regions;
mod row_walk;
mod run;
mod shares;
mod small_subtrees;
mod sum_check;
mod tree;
mod tree_columns;
mod weights;

pub(crate) use background_table::{BackgroundWanted, ERRORS_LEAVE_OUT, note_on_drawn};
pub(crate) use blocks::block_bytes;
pub(crate) use forest::Additive;
pub(crate) use interventional::{Background, walk_bytes};
pub(crate) use kinds::{
    Against, ShapleyKind, check_adds_up, check_shapley, expected_against, expected_value,
    prepared_trees,
};
pub(crate) use loss::{LossOfRows, mixture_bytes};
pub(crate) use sum_check::Sums;
pub(crate) use tree::{Predictions, PreparedTree, RowsToExplain, Workspace, tree_bytes};
