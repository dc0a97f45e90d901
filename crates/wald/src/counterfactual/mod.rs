//! What a forest would predict for a row if some of its values were others: a step function of
//! the values put in, found for all variables in one walk through the trees.
//!
//! Below the first split on a variable a row goes wherever the values to be put in lead
//! (`walker.rs`), and by how much the sum over the trees changes is noted at the cell between the
//! forest's thresholds (`events.rs`). Variables of levels, and groups of columns, have points
//! instead of cells: the distinct rows that may be put in are divided at the splits (`axis.rs`).

mod axis;
mod block;
mod bound;
mod events;
mod walker;

pub(crate) use axis::{Axes, Axis};
pub(crate) use block::{Block, rows_at_a_time};
pub(crate) use bound::{Bound, node_values};
pub(crate) use walker::Walker;
