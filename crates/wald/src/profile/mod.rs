//! What a forest would predict for a row if some of its values were others: a step function of
//! the values put in, found for all variables in one walk through the trees.

mod axis;
mod block;
mod bound;
mod events;
mod walker;

pub(crate) use axis::{Axes, Axis};
pub(crate) use block::{Block, rows_at_a_time};
pub(crate) use bound::{Bound, node_values};
pub(crate) use walker::Walker;
