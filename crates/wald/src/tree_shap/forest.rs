//! Shapley values of the predictions of a forest.

use std::borrow::Cow;

use crate::counterfactual::Bound;
use crate::error::Error;
use crate::run::Run;
use crate::threads::ordered;
use crate::tree_shap::blocks::{Block, Working};
use crate::tree_shap::kinds::{Against, ShapleyKind};
use crate::tree_shap::sum_check::Sums;
use crate::tree_shap::tree::{Found, Predictions, PreparedTree, RowsToExplain};

/// A forest bound to the rows of a table that it is to explain.
#[derive(Debug)]
pub(crate) struct Additive<'a> {
    measure: &'static str,
    pub(super) kind: ShapleyKind,
    pub(super) bound: &'a Bound<'a>,
    pub(super) against: Against<'a>,
    known: Cow<'a, [PreparedTree]>,
}

impl<'a> Additive<'a> {
    /// Looks at all trees; [`check_shapley`](super::check_shapley) has found nothing.
    pub(crate) fn new(
        measure: &'static str,
        kind: ShapleyKind,
        bound: &'a Bound<'a>,
        against: Against<'a>,
        run: &Run,
    ) -> Result<Self, Error> {
        let (forest, n_outputs) = (bound.forest(), bound.n_outputs());
        let mut known = Vec::with_capacity(bound.n_trees());
        ordered(
            bound.n_trees(),
            run,
            || (),
            |index, ()| {
                let (tree, node_values) = (&forest.trees()[index], bound.tree_values(index));
                Ok(match against {
                    Against::Background(background) => {
                        let above = background.above_root(index);
                        Some(PreparedTree::expecting(tree, node_values, above, Vec::new()))
                    }
                    Against::Forest | Against::OutOfBag(_) => {
                        PreparedTree::new(tree, node_values, n_outputs)
                    }
                })
            },
            |_, tree: Option<PreparedTree>| known.extend(tree),
        )?;
        Ok(Self { measure, kind, bound, against, known: known.into() })
    }

    /// The same, of trees that are prepared.
    pub(crate) fn of_known(
        measure: &'static str,
        kind: ShapleyKind,
        bound: &'a Bound<'a>,
        known: &'a [PreparedTree],
    ) -> Self {
        Self { measure, kind, bound, against: Against::Forest, known: known.into() }
    }

    /// The trees, as they are explained.
    pub(crate) fn known(&self) -> &[PreparedTree] {
        &self.known
    }

    /// Numbers of a record.
    pub(super) fn width(&self) -> usize {
        self.n_places() * self.bound.n_outputs()
    }

    /// The same of an output.
    pub(super) fn n_places(&self) -> usize {
        let n_columns = self.bound.features().n_columns();
        match self.kind {
            ShapleyKind::TreeShap | ShapleyKind::Interventional => n_columns,
            ShapleyKind::Interactions => n_columns * n_columns,
        }
    }

    /// Gives each order of a pair its half, which is no longer with the single columns.
    pub(super) fn divide_pairs(&self, record: &mut [f64]) {
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

    /// Adds the values of one tree for some rows, given by their positions in the block and the
    /// table.
    pub(super) fn add_tree(
        &self,
        tree: usize,
        positions: &[u32],
        rows: &[u32],
        block: &mut Block,
        working: &mut Working<'_>,
    ) -> Result<(), Error> {
        let (bound, n_outputs, n_places) = (self.bound, self.bound.n_outputs(), self.n_places());
        let (router, features) = (bound.router(tree), bound.features());
        // Where covers are not known, `check_shapley` has refused.
        let Some(known) = self.known.get(tree) else { return Ok(()) };
        self.each_deviation(tree, rows, |index, output, deviation| {
            block.deviations[positions[index] as usize * n_outputs + output] += deviation;
        });
        for &at in positions {
            let trees = &mut block.trees[at as usize];
            *trees = (trees.0 + 1.0, trees.1 + known.spread);
        }
        let pairs = self.kind == ShapleyKind::Interactions;
        let add = |found: Found<'_>| {
            let of_output = found.output * block.trees.len() + positions[found.position] as usize;
            let record = &mut block.values[of_output * n_places..][..n_places];
            if !pairs {
                for (&column, value) in found.columns.iter().zip(found.values) {
                    record[features.original(column) as usize] += value;
                }
                return;
            }
            let mut values = found.values.iter();
            for (at, &column) in found.columns.iter().enumerate() {
                let column = features.original(column) as usize;
                for (&other, value) in found.columns[..=at].iter().zip(&mut values) {
                    let other = features.original(other) as usize;
                    record[column.max(other) * features.n_columns() + column.min(other)] += value;
                }
            }
        };
        let predictions = Predictions { known, node_values: bound.tree_values(tree) };
        let to_explain = RowsToExplain { rows, pairs };
        let Working { workspace, is_few, progress } = working;
        if *is_few {
            workspace.explain_few(&router, predictions, to_explain, add);
            Ok(())
        } else {
            workspace.explain(&router, predictions, to_explain, progress, add)
        }
    }

    /// The deviation of a tree's predictions from the expectation for some rows, by position and
    /// output.
    pub(super) fn each_deviation(
        &self,
        tree: usize,
        rows: &[u32],
        mut each: impl FnMut(usize, usize, f64),
    ) {
        let Some(known) = self.known.get(tree) else { return };
        let (router, features) = (self.bound.router(tree), self.bound.features());
        for (position, &row) in rows.iter().enumerate() {
            let code = |column: u32| features.column(column).codes()[row as usize];
            let node_values = self.bound.node_values(tree, router.descend(0, code));
            for (output, value) in node_values.iter().enumerate() {
                each(position, output, known.deviation(output, *value));
            }
        }
    }

    /// Values add up to predictions.
    pub(super) fn check(&self, rows: &[u32], values: &[f64], block: &Block) -> Result<(), Error> {
        let records = values.chunks_exact(self.width());
        let of_rows = block.deviations.chunks_exact(self.bound.n_outputs()).zip(&block.trees);
        for ((record, (known, (_, spread))), row) in records.zip(of_rows).zip(rows) {
            let (measure, row) = (self.measure, *row as usize);
            Sums { measure, row, known, spread: *spread }.check(record)?;
        }
        Ok(())
    }
}
