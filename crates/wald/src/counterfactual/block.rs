//! Rows that go through the forest together, tree after tree, so that a tree stays near the
//! processor.

use crate::counterfactual::axis::Axes;
use crate::counterfactual::bound::Bound;
use crate::counterfactual::walker::Walker;
use crate::error::Error;
use crate::run::Progress;

/// Most rows that are together.
const MOST_ROWS: usize = 32;

/// Sums along axes of points that are held at a time.
const MOST_SUMS: usize = 4 << 20;

/// Rows of a block where axes have so many points in all.
pub(crate) fn rows_at_a_time(n_points: usize, stride: usize) -> usize {
    (MOST_SUMS / n_points.saturating_mul(stride).max(1)).clamp(1, MOST_ROWS)
}

/// The walkers of a few rows, reusing their memory.
#[derive(Debug)]
pub(crate) struct Block<'a> {
    walkers: Vec<Walker<'a>>,
    n_trees: usize,
}

impl<'a> Block<'a> {
    pub(crate) fn new(bound: &'a Bound<'a>, axes: &'a Axes) -> Self {
        let n_rows = Self::n_rows(bound, axes);
        let walkers = (0..n_rows).map(|_| Walker::new(bound, axes)).collect();
        Self { walkers, n_trees: bound.n_trees() }
    }

    /// Rows of a block: fewer where sums along axes are many.
    pub(crate) fn n_rows(bound: &Bound<'_>, axes: &Axes) -> usize {
        rows_at_a_time(axes.n_points(), bound.stride())
    }

    /// Walks the rows of a block, which are fewer at the end of the table, through the trees for
    /// which `takes_part` holds, and returns their walkers. `prepare` meets every walker first.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(crate) fn walk(
        &mut self,
        rows: std::ops::Range<u32>,
        progress: &Progress,
        prepare: impl Fn(u32, &mut Walker<'a>),
        takes_part: impl Fn(u32, usize) -> bool,
    ) -> Result<impl Iterator<Item = (u32, &mut Walker<'a>)>, Error> {
        for (row, walker) in rows.clone().zip(&mut self.walkers) {
            prepare(row, walker);
            walker.begin(row);
        }
        for tree in 0..self.n_trees {
            progress.check()?;
            for (row, walker) in rows.clone().zip(&mut self.walkers) {
                if takes_part(row, tree) {
                    walker.walk(tree);
                }
            }
        }
        Ok(rows.zip(&mut self.walkers).map(|(row, walker)| {
            walker.finish();
            (row, walker)
        }))
    }
}
