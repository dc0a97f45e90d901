//! Blocks of rows against background rows, whose trees threads share.

use crate::error::Error;
use crate::run::{Progress, Run};
use crate::threads::ordered;
use crate::tree_shap::blocks::{Block, MOST_NUMBERS, rows_of};
use crate::tree_shap::forest::Additive;
use crate::tree_shap::interventional::{self, Background, Walk};
use crate::tree_shap::tree::Predictions;

/// What one tree contributes for the rows of a block.
#[derive(Debug, Default)]
struct OfTree {
    /// The columns of the table that have values.
    columns: Vec<u32>,
    /// How many numbers a row has.
    width: usize,
    /// By output, row and column.
    values: Vec<f64>,
    /// By row and output: predictions, counted from what is expected.
    deviations: Vec<f64>,
    /// The range of the tree's predictions.
    spread: f64,
}

impl Additive<'_> {
    /// Explains some rows of the table. Threads share the trees of a block of rows: the
    /// more rows go through a tree together, the less there is to do for each.
    pub(super) fn run_by_trees(
        &self,
        rows: &[u32],
        background: Background<'_>,
        run: &Run,
        mut each: impl FnMut(usize, &[f64]) + Send,
    ) -> Result<(), Error> {
        let most = MOST_NUMBERS / self.width().max(1);
        let together = most.clamp(1, interventional::MOST_ROWS);
        let n_trees = self.bound.n_trees();
        let rows_at = |index: usize| rows_of(index / n_trees, together, rows);
        let mut block: Option<Block> = None;
        let mut failure = None;
        ordered(
            rows.len().div_ceil(together) * n_trees,
            run,
            Walk::default,
            |index, walk| {
                self.of_tree(index % n_trees, background, rows_at(index), walk, &run.progress)
            },
            |index, of_tree: OfTree| {
                let rows = rows_at(index);
                let sums = block.get_or_insert_with(|| self.block(rows.len()));
                self.add(&of_tree, sums);
                let is_last = (index + 1) % n_trees == 0;
                match block.take_if(|_| is_last).map(|block| self.finish(rows, block)) {
                    Some(Ok(values)) if failure.is_none() => {
                        let records = values.chunks_exact(self.width());
                        let of_rows = rows.iter().zip(records);
                        of_rows.for_each(|(row, record)| each(*row as usize, record));
                    }
                    Some(Err(error)) => failure = failure.take().or(Some(error)),
                    Some(Ok(_)) | None => {}
                }
            },
        )?;
        failure.map_or(Ok(()), Err)
    }

    fn of_tree(
        &self,
        tree: usize,
        background: Background<'_>,
        rows: &[u32],
        walk: &mut Walk,
        progress: &Progress,
    ) -> Result<OfTree, Error> {
        let (router, n_outputs) = (self.bound.router(tree), self.bound.n_outputs());
        let Some(known) = self.known().get(tree) else { return Ok(OfTree::default()) };
        let mut deviations = vec![0.0; rows.len() * n_outputs];
        self.each_deviation(tree, rows, |position, output, deviation| {
            deviations[position * n_outputs + output] = deviation;
        });
        let predictions = Predictions { known, node_values: self.bound.tree_values(tree) };
        let background = background.of_tree(tree);
        let found = walk.explain(&router, predictions, rows, background, progress)?;
        let original = |column: &u32| router.features.original(*column);
        let columns = found.columns.iter().map(original).collect();
        let (width, values) = (found.width, found.values.to_vec());
        Ok(OfTree { columns, width, values, deviations, spread: known.spread })
    }

    fn add(&self, tree: &OfTree, block: &mut Block) {
        let deviations = block.deviations.iter_mut().zip(&tree.deviations);
        deviations.for_each(|(sum, deviation)| *sum += deviation);
        for trees in &mut block.trees {
            *trees = (trees.0 + 1.0, trees.1 + tree.spread);
        }
        let width = tree.width.max(1);
        // Both by output and row.
        let records = block.values.chunks_exact_mut(self.n_places());
        for (record, values) in records.zip(tree.values.chunks_exact(width)) {
            for (&column, value) in tree.columns.iter().zip(values) {
                record[column as usize] += value;
            }
        }
    }
}
