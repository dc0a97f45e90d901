//! Growing that needs no order of rows: random divisions, and a child for every level.
//!
//! A node is read once for every variable tried, and its rows are moved once. Nodes of few rows
//! take a copy of their cells with them, so that all below them stays in fast memory.

mod branching;
mod candidates;
mod grower;
mod places;
mod random_division;
mod rows;
#[cfg(test)]
mod tests;

use crate::error::Error;
use crate::forest::grow::Growing;
use crate::forest::ranked::RankedTree;
use crate::forest::split::ChildScorer;
use crate::forest::tree::Tree;
use crate::random::NodeKey;

/// Copying the cells of all columns pays if at least one in this many is tried at a node.
const COLUMNS_PER_TRY: usize = 16;

/// Working memory of one thread; nothing is allocated per node.
#[derive(Debug, Default)]
pub(crate) struct Direct {
    memory: grower::Memory,
    places: places::Places,
    rows: rows::Rows,
    near_rows: rows::Rows,
    near_table: rows::NearTable,
}

impl<'a> Growing<'a> {
    /// The cells of a column, named by its canonical position.
    fn cells(&self, column: u32) -> rows::Cells<'a> {
        let original = self.training.features().original(column);
        rows::Cells::of(self.columns[original as usize])
    }
}

/// Grows a tree on some rows of the table; the scorer's positions are rows of the table.
///
/// # Errors
/// [`Error::Cancelled`] only.
pub(super) fn grow<S: ChildScorer>(
    growing: Growing<'_>,
    (rows, columns): (&[u32], &[u32]),
    key: NodeKey,
    mut scorer: S,
    workspace: &mut Direct,
) -> Result<(Tree, RankedTree), Error> {
    let Direct { memory, places, rows: all_rows, near_rows, near_table } = workspace;
    let copies = columns.len() <= COLUMNS_PER_TRY * growing.settings.mtry;
    let mut near = copies.then(|| grower::Near {
        rows: near_rows,
        table: near_table,
        scorer: scorer.empty(),
        most_rows: growing.plan.few_rows(),
    });
    let mut grower = grower::Grower::new(growing, columns, memory);
    let span = all_rows.fill(rows.iter().copied());
    let draws = scorer.draws(all_rows.members(span));
    let root = grower::Pending { node: 0, span, depth: 0, draws, key };
    let far = grower::Place { rows: all_rows, table: rows::Table::All, scorer: &mut scorer };
    grower.grow(root, far, near.as_mut())?;
    let tree = grower.finish();
    let features = growing.training.features();
    places.prepare(features);
    let ranked = places.bind(&tree, features);
    Ok((tree, ranked))
}
