//! A forest explains the rows of a table.

use crate::error::Error;
use crate::forest::Aggregation;
use crate::parts::divided;
use crate::run::{Run, Threads};
use crate::threads::ordered;
use crate::tree_shap::blocks::{Block, MOST_NUMBERS, Working, rows_of};
use crate::tree_shap::forest::Additive;
use crate::tree_shap::kinds::{Against, ShapleyKind};
use crate::tree_shap::tree::MOST_ROWS;

impl Additive<'_> {
    /// Rows that are explained together, each block of them by one thread: every thread is to have its
    /// part.
    fn rows_of_thread(&self, n_rows: usize, threads: Threads) -> usize {
        let most = (MOST_NUMBERS / self.width().max(1)).clamp(1, MOST_ROWS);
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
        run: &Run,
        each: impl FnMut(usize, &[f64]) + Send,
    ) -> Result<(), Error> {
        let rows: Vec<u32> = (0..n_rows as u32).collect();
        self.run_some(&rows, n_rows, run, each)
    }

    /// As [`Additive::run`], for some rows of the table, which machines may share.
    ///
    /// # Errors
    /// As [`Additive::run`].
    pub(crate) fn run_on(
        &self,
        rows: &[u32],
        run: &Run,
        mut each: impl FnMut(u32, &[f64]) + Send,
    ) -> Result<(), Error> {
        divided(
            rows.len(),
            run,
            |_, values: &Vec<f64>| values.len() == self.width(),
            |units, found| {
                let mut units_left = units.clone();
                self.run_some(&rows[units], rows.len(), run, |_, values| {
                    if let Some(unit) = units_left.next() {
                        found(unit, values.to_vec());
                    }
                })
            },
            |unit, values| each(rows[unit], &values),
        )
    }

    /// Explains some of `n_rows` rows.
    fn run_some(
        &self,
        rows: &[u32],
        n_rows: usize,
        run: &Run,
        each: impl FnMut(usize, &[f64]) + Send,
    ) -> Result<(), Error> {
        match self.against {
            Against::Background(background) => self.run_by_trees(rows, background, run, each),
            Against::Forest | Against::OutOfBag(_) => self.run_by_rows(rows, n_rows, run, each),
        }
    }

    /// Threads share the rows.
    fn run_by_rows(
        &self,
        rows: &[u32],
        n_rows: usize,
        run: &Run,
        mut each: impl FnMut(usize, &[f64]) + Send,
    ) -> Result<(), Error> {
        let together = self.rows_of_thread(rows.len(), run.threads);
        ordered(
            rows.len().div_ceil(together),
            run,
            || Working::new(n_rows, &run.progress),
            |index, working| self.explain(rows_of(index, together, rows), working),
            |index, values: Vec<f64>| {
                let records = values.chunks_exact(self.width());
                let rows = rows_of(index, together, rows).iter();
                rows.zip(records).for_each(|(&row, record)| each(row as usize, record));
            },
        )
    }

    /// Nothing yet, of so many rows.
    pub(super) fn block(&self, n_rows: usize) -> Block {
        Block {
            values: vec![0.0; n_rows * self.width()],
            deviations: vec![0.0; n_rows * self.bound.n_outputs()],
            trees: vec![(0.0, 0.0); n_rows],
        }
    }

    /// The values of some rows, one record after the other.
    fn explain(&self, rows: &[u32], working: &mut Working<'_>) -> Result<Vec<f64>, Error> {
        let mut block = self.block(rows.len());
        let all: Vec<u32> = (0..rows.len() as u32).collect();
        let (mut positions, mut explained) = (all.clone(), rows.to_vec());
        for tree in 0..self.bound.n_trees() {
            working.progress.check()?;
            if let Against::OutOfBag(bags) = self.against {
                let counts = bags[tree].counts();
                positions.clear();
                positions.extend(all.iter().filter(|&&at| counts[rows[at as usize] as usize] == 0));
                explained.clear();
                explained.extend(positions.iter().map(|&at| rows[at as usize]));
            }
            self.add_tree(tree, &positions, &explained, &mut block, working)?;
        }
        self.finish(rows, block)
    }

    /// The values of a block to which all trees were added.
    pub(super) fn finish(&self, rows: &[u32], mut block: Block) -> Result<Vec<f64>, Error> {
        let mut values = block.records(self.bound.n_outputs());
        if self.kind == ShapleyKind::Interactions {
            let records = values.chunks_exact_mut(self.width());
            records.for_each(|record| self.divide_pairs(record));
        }
        self.check(rows, &values, &block)?;
        for (record, (n_trees, _)) in values.chunks_exact_mut(self.width()).zip(block.trees) {
            let divisor =
                if self.bound.forest().aggregation() == Aggregation::Sum { 1.0 } else { n_trees };
            // Zero by zero where no tree explains the row.
            record.iter_mut().for_each(|value| *value /= divisor);
        }
        Ok(values)
    }
}
