//! Shapley values of the predictions of a forest.

use std::borrow::Cow;

use crate::error::Error;
use crate::forest::{Aggregation, Forest, Router};
use crate::monitor::Monitor;
use crate::profile::Bound;
use crate::shapley::interventional::{self, Background, Walk};
use crate::shapley::sharing::{Against, Sharing};
use crate::shapley::sums::Sums;
use crate::shapley::tree::{Found, Known, MOST_ROWS, Workspace};
use crate::threads::{Threads, ordered};

/// Numbers of a block that are held at a time.
const MOST_NUMBERS: usize = 1 << 22;

/// Fewer rows than these go through trees by themselves.
const FEW_ROWS: usize = 8;

/// A forest bound to the rows of a table that it is to explain.
#[derive(Debug)]
pub(crate) struct Additive<'a> {
    measure: &'static str,
    sharing: Sharing,
    forest: &'a Forest,
    bound: &'a Bound<'a>,
    against: Against<'a>,
    known: Cow<'a, [Known]>,
}

/// Memory of a thread, and whether the rows of the run are few.
struct Working {
    workspace: Workspace,
    walk: Walk,
    is_few: bool,
}

/// What rows of a block are explained by.
struct Block {
    /// By row, variable and output.
    values: Vec<f64>,
    /// By row and output: predictions, counted from what is expected.
    deviations: Vec<f64>,
    /// By row: how many trees, and their spreads.
    trees: Vec<(f64, f64)>,
}

/// Memory that a block takes, and the one before it, of rows that have `width` numbers.
pub(crate) fn block_bytes(n_rows: f64, width: f64) -> f64 {
    let n_together = n_rows.min(MOST_ROWS as f64).min(MOST_NUMBERS as f64 / width).max(1.0);
    2.0 * n_together * (8.0 * width + 24.0)
}

impl<'a> Additive<'a> {
    /// Looks at all trees; [`check_sharing`](super::check_sharing) has found nothing.
    pub(crate) fn new(
        (measure, sharing): (&'static str, Sharing),
        forest: &'a Forest,
        bound: &'a Bound<'a>,
        against: Against<'a>,
        (threads, monitor): (Threads, &Monitor),
    ) -> Result<Self, Error> {
        let n_outputs = bound.n_outputs();
        let mut known = Vec::with_capacity(bound.n_trees());
        ordered(
            bound.n_trees(),
            threads,
            monitor,
            || (),
            |index, ()| {
                let (tree, says) = (&forest.trees()[index], bound.says(index));
                Ok(match against {
                    Against::Background(background) => {
                        let above = background.above_root(index);
                        Some(Known::expecting(above, (tree, says), Vec::new()))
                    }
                    Against::Forest | Against::OutOfBag(_) => Known::new(tree, says, n_outputs),
                })
            },
            |_, tree: Option<Known>| known.extend(tree),
        )?;
        Ok(Self { measure, sharing, forest, bound, against, known: known.into() })
    }

    /// The same, of trees that have been looked at.
    pub(crate) fn of_known(
        (measure, sharing): (&'static str, Sharing),
        forest: &'a Forest,
        bound: &'a Bound<'a>,
        known: &'a [Known],
    ) -> Self {
        Self { measure, sharing, forest, bound, against: Against::Forest, known: known.into() }
    }

    /// The trees, as they are explained.
    pub(crate) fn known(&self) -> &[Known] {
        &self.known
    }

    /// Numbers of a record.
    fn width(&self) -> usize {
        let n_columns = self.bound.features().n_columns();
        let n_places = match self.sharing {
            Sharing::TreeShap | Sharing::Interventional => n_columns,
            Sharing::Interactions => n_columns * n_columns,
        };
        n_places * self.bound.n_outputs()
    }

    /// Rows that are explained together.
    fn rows_together(&self, n_rows: usize, threads: Threads) -> usize {
        let most_rows = match self.against {
            Against::Background(_) => interventional::MOST_ROWS,
            Against::Forest | Against::OutOfBag(_) => MOST_ROWS,
        };
        let most = (MOST_NUMBERS / self.width().max(1)).clamp(1, most_rows);
        // Every thread is to have its part.
        n_rows.div_ceil(threads.get()).clamp(1, most)
    }

    /// Explains the first `n_rows` rows of the table: calls `each` with the row and its values, by
    /// variable and output, in the order of the rows. A row that no tree explains has NaN.
    ///
    /// # Errors
    /// [`Error::Cancelled`], and [`Error::Inconsistent`] should values not add up to the
    /// prediction.
    pub(crate) fn run(
        &self,
        n_rows: usize,
        (threads, monitor): (Threads, &Monitor),
        mut each: impl FnMut(usize, &[f64]) + Send,
    ) -> Result<(), Error> {
        let together = self.rows_together(n_rows, threads);
        ordered(
            n_rows.div_ceil(together),
            threads,
            monitor,
            || {
                let is_few = n_rows < FEW_ROWS;
                Working { workspace: Workspace::default(), walk: Walk::default(), is_few }
            },
            |index, working| {
                let rows = index * together..n_rows.min((index + 1) * together);
                let rows: Vec<u32> = (rows.start as u32..rows.end as u32).collect();
                self.explain(&rows, working, monitor)
            },
            |index, values: Vec<f64>| {
                let records = values.chunks_exact(self.width());
                (index * together..).zip(records).for_each(|(row, record)| each(row, record));
            },
        )
    }

    /// The values of some rows, one record after the other.
    fn explain(
        &self,
        rows: &[u32],
        working: &mut Working,
        monitor: &Monitor,
    ) -> Result<Vec<f64>, Error> {
        let n_outputs = self.bound.n_outputs();
        let mut block = Block {
            values: vec![0.0; rows.len() * self.width()],
            deviations: vec![0.0; rows.len() * n_outputs],
            trees: vec![(0.0, 0.0); rows.len()],
        };
        let all: Vec<u32> = (0..rows.len() as u32).collect();
        let (mut positions, mut explained) = (all.clone(), rows.to_vec());
        for tree in 0..self.bound.n_trees() {
            monitor.check()?;
            if let Against::OutOfBag(bags) = self.against {
                let counts = bags[tree].counts();
                positions.clear();
                positions.extend(all.iter().filter(|&&at| counts[rows[at as usize] as usize] == 0));
                explained.clear();
                explained.extend(positions.iter().map(|&at| rows[at as usize]));
            }
            self.add_tree(tree, (&positions, &explained), &mut block, (working, monitor))?;
        }
        if self.sharing == Sharing::Interactions {
            let records = block.values.chunks_exact_mut(self.width());
            records.for_each(|record| self.divide_pairs(record));
        }
        self.check(rows, &block)?;
        let Block { mut values, trees, .. } = block;
        for (record, (n_trees, _)) in values.chunks_exact_mut(self.width()).zip(trees) {
            let divisor = if self.forest.aggregation() == Aggregation::Sum { 1.0 } else { n_trees };
            // Zero by zero where no tree explains the row.
            record.iter_mut().for_each(|value| *value /= divisor);
        }
        Ok(values)
    }

    /// Gives each order of a pair its half, which is no longer with the single columns.
    fn divide_pairs(&self, record: &mut [f64]) {
        let (n_columns, n_outputs) = (self.bound.features().n_columns(), self.bound.n_outputs());
        let place = |row: usize, column: usize| (row * n_columns + column) * n_outputs;
        for first in 0..n_columns {
            for second in 0..first {
                for output in 0..n_outputs {
                    let half = 0.5 * record[place(first, second) + output];
                    record[place(first, second) + output] = half;
                    record[place(second, first) + output] = half;
                    record[place(first, first) + output] -= half;
                    record[place(second, second) + output] -= half;
                }
            }
        }
    }

    /// Adds what one tree says of some rows, given by their positions in the block and the table.
    fn add_tree(
        &self,
        tree: usize,
        (positions, rows): (&[u32], &[u32]),
        block: &mut Block,
        (working, monitor): (&mut Working, &Monitor),
    ) -> Result<(), Error> {
        let (bound, n_outputs, width) = (self.bound, self.bound.n_outputs(), self.width());
        let (router, features) = (bound.router(tree), bound.features());
        // Where covers are not known, `check_sharing` has refused.
        let Some(known) = self.known.get(tree) else { return Ok(()) };
        for (&at, &row) in positions.iter().zip(rows) {
            let code = |column: u32| features.column(column).codes()[row as usize];
            let leaf = router.descend(0, code);
            let deviations = &mut block.deviations[at as usize * n_outputs..][..n_outputs];
            let says = bound.say(tree, leaf).iter().enumerate();
            for (deviation, (output, say)) in deviations.iter_mut().zip(says) {
                *deviation += known.deviation(output, *say);
            }
            let trees = &mut block.trees[at as usize];
            *trees = (trees.0 + 1.0, trees.1 + known.spread);
        }
        if let Against::Background(background) = self.against {
            let of_tree = (&router, known, tree);
            let found = (&mut block.values[..], &mut working.walk);
            return self.add_against(background, of_tree, (rows, monitor), found);
        }
        let pairs = self.sharing == Sharing::Interactions;
        let add = |found: Found<'_>| {
            let record = &mut block.values[positions[found.position] as usize * width..][..width];
            let mut values = found.values.iter();
            for (at, &column) in found.columns.iter().enumerate() {
                let column = features.original(column) as usize;
                if !pairs {
                    let values = values.by_ref().take(1);
                    values.for_each(|value| record[column * n_outputs + found.output] += value);
                    continue;
                }
                for (&other, value) in found.columns[..=at].iter().zip(&mut values) {
                    let other = features.original(other) as usize;
                    let place = column.max(other) * features.n_columns() + column.min(other);
                    record[place * n_outputs + found.output] += value;
                }
            }
        };
        let (says, Working { workspace, is_few, .. }) = (bound.says(tree), working);
        if *is_few {
            workspace.explain_few(&router, (known, says), (rows, pairs), add);
            Ok(())
        } else {
            workspace.explain(&router, (known, says), (rows, pairs, monitor), add)
        }
    }

    /// The same against background rows, of all rows of a block.
    fn add_against(
        &self,
        background: Background<'_>,
        (router, known, tree): (&Router<'_>, &Known, usize),
        (rows, monitor): (&[u32], &Monitor),
        (records, walk): (&mut [f64], &mut Walk),
    ) -> Result<(), Error> {
        let n_outputs = self.bound.n_outputs();
        let says = (known, self.bound.says(tree));
        let found = walk.explain((router, rows), (background, tree), says, monitor)?;
        let width = found.width.max(1);
        for (output, values) in found.values.chunks_exact(rows.len() * width).enumerate() {
            let of_rows = values.chunks_exact(width);
            for (record, values) in records.chunks_exact_mut(self.width()).zip(of_rows) {
                let values = values.iter().flat_map(|lanes| &lanes.0);
                for (&column, value) in found.columns.iter().zip(values) {
                    let column = router.features.original(column) as usize;
                    record[column * n_outputs + output] += value;
                }
            }
        }
        Ok(())
    }

    /// Values add up to predictions.
    fn check(&self, rows: &[u32], block: &Block) -> Result<(), Error> {
        let records = block.values.chunks_exact(self.width());
        let of_rows = block.deviations.chunks_exact(self.bound.n_outputs()).zip(&block.trees);
        for ((record, (known, (_, spread))), row) in records.zip(of_rows).zip(rows) {
            let (measure, row) = (self.measure, *row as usize);
            Sums { measure, row, known, spread: *spread }.check(record)?;
        }
        Ok(())
    }
}
