//! Growing that needs no order of rows: random divisions, a child for every level, and conditional
//! inference trees, which sort the rows of a node by the one variable that they chose.
//!
//! A node is read once for every variable tried, and its rows are moved once.
//!
//! The candidates of random thresholds are drawn among the variables that are not constant at the
//! node; those of multiway splits among the variables that are not used above, constant ones
//! included. Then the depth of a node is the number of variables that it is conditioned on, as
//! Propositions 6 and 7 and Figure 2 of Louppe et al. (2013) require, and a node on a constant
//! variable has one child. What is known of a variable at a node (constant, used above) is noted
//! for the nodes below (`candidates.rs`).
//!
//! Variables are drawn from the node's own stream, and a random division by a variable from a
//! stream of the node and the variable, so that a tree depends neither on the order of its nodes
//! nor on which columns are tried together. One thread grows one tree.

mod branching;
mod candidates;
mod conditional;
mod grower;
mod memory;
mod places;
mod present;
mod random_division;
mod rows;
mod search;
#[cfg(test)]
mod tests;

use crate::data::Shadows;
use crate::error::Error;
use crate::forest::grow::context::Growing;
use crate::forest::ranked::RankedTree;
use crate::forest::split::TestScorer;
use crate::forest::tree::Tree;
use crate::forest::trends::Bounds;
use crate::random::NodeKey;

/// Working memory of one thread; nothing is allocated per node.
#[derive(Debug, Default)]
pub(crate) struct Direct {
    memory: memory::Memory,
    places: places::Places,
    rows: rows::Rows,
}

/// Where growing starts: in-bag rows of the table, and the place of their node in the whole tree.
#[derive(Debug, Clone, Copy)]
pub(super) struct Start<'a> {
    /// Increasing.
    pub(super) rows: &'a [u32],
    /// The columns that may be split on, in the order of drawing.
    pub(super) columns: &'a [u32],
    pub(super) depth: u32,
    pub(super) key: NodeKey,
    pub(super) bounds: Bounds,
}

/// Grows a tree on some rows of the table; the scorer's positions are rows of the table.
///
/// # Errors
/// [`Error::Cancelled`] only.
pub(super) fn grow<S: TestScorer>(
    growing: Growing<'_>,
    start: Start<'_>,
    scorer: &mut S,
    workspace: &mut Direct,
) -> Result<(Tree, RankedTree), Error> {
    let features = growing.training.features();
    let Direct { memory, places, rows } = workspace;
    let table: Vec<rows::Asked<'_>> = (0..features.n_columns() as u32)
        .map(|column| {
            // Shadows come after all columns.
            let original = features.original(column) as usize % growing.columns.len();
            let donors = features.shadow(column).map(Shadows::donors);
            let (cells, ranked) = (growing.columns[original], features.column(column));
            rows::Asked { donors, ..rows::Asked::new(cells, ranked) }
        })
        .collect();
    let mut grower = grower::Grower::new(growing, start.columns, memory);
    let span = rows.fill(start.rows.iter().copied());
    let draws = scorer.draws(rows.members(span));
    let Start { depth, key, bounds, .. } = start;
    let root = memory::Pending { node: 0, span, depth, draws, key, bounds };
    grower.grow(root, memory::Place { rows, table: &table, scorer })?;
    let tree = grower.finish();
    places.prepare(features);
    let ranked = places.bind(&tree, features);
    Ok((tree, ranked))
}
