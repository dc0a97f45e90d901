//! Growing that needs no order of rows: random divisions, a child for every level, and conditional
//! inference trees, which sort the rows of a node by the one variable that they chose.
//!
//! A node is read once for every variable tried, and its rows are moved once. Nodes of few rows
//! take a copy of their cells with them, so that all below them stays in fast memory.
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
mod fours;
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
use crate::random::NodeKey;

/// Copying the cells of all columns pays if at least one in this many is tried at a node.
const COLUMNS_PER_TRY: usize = 16;

/// This many numbers stay in the processor's cache.
pub(crate) const MOST_CELLS: usize = 1 << 20;

/// Working memory of one thread; nothing is allocated per node.
#[derive(Debug, Default)]
pub(crate) struct Direct {
    memory: memory::Memory,
    places: places::Places,
    rows: rows::Rows,
    near_rows: [rows::Rows; 2],
    near_tables: [rows::NearTable; 2],
}

/// Grows a tree on some rows of the table; the scorer's positions are rows of the table.
///
/// # Errors
/// [`Error::Cancelled`] only.
pub(super) fn grow<S: TestScorer>(
    growing: Growing<'_>,
    (rows, columns): (&[u32], &[u32]),
    (depth, key): (u32, NodeKey),
    scorer: &mut S,
    workspace: &mut Direct,
) -> Result<(Tree, RankedTree), Error> {
    let features = growing.training.features();
    let Direct { memory, places, rows: all_rows, near_rows, near_tables } = workspace;
    let asked: Vec<rows::Asked<'_>> = (0..features.n_columns() as u32)
        .map(|column| {
            // Shadows come after all columns.
            let original = features.original(column) as usize % growing.columns.len();
            let donors = features.shadow(column).map(Shadows::donors);
            let (cells, ranked) = (growing.columns[original], features.column(column));
            rows::Asked { donors, ..rows::Asked::new(cells, ranked) }
        })
        .collect();
    let sizes = near_sizes(growing, columns.len());
    let near = near_rows.iter_mut().zip(near_tables).zip(sizes);
    let mut near: Vec<grower::Near<'_, S>> = near
        .map(|((rows, table), most_rows)| grower::Near {
            rows,
            table,
            scorer: scorer.empty(),
            most_rows,
        })
        .collect();
    let mut grower = grower::Grower::new(growing, columns, memory);
    let span = all_rows.fill(rows.iter().copied());
    let draws = scorer.draws(all_rows.members(span));
    let root = memory::Pending { node: 0, span, depth, draws, key };
    let table = rows::Table::All { columns: &asked, n_rows: features.n_rows() };
    let far = memory::Place { rows: all_rows, table, scorer };
    grower.grow(root, far, &mut near)?;
    let tree = grower.finish();
    places.prepare(features);
    let ranked = places.bind(&tree, features);
    Ok((tree, ranked))
}

/// Nodes of at most so many rows are copied: where all their values stay in the cache, and
/// where it stays in the fastest memory.
fn near_sizes(growing: Growing<'_>, n_columns: usize) -> [usize; 2] {
    if n_columns > COLUMNS_PER_TRY * growing.settings.mtry {
        return [0; 2];
    }
    let [large, small] = growing.plan.smaller;
    [large.min(MOST_CELLS / n_columns), small]
}
