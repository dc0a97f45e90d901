//! Predictions for new rows, matched by column name.

use std::borrow::Cow;
use std::ops::Range;

use crate::data::{Column, Features};
use crate::error::Error;
use crate::forest::info::{Aggregation, align};
use crate::forest::model::Forest;
use crate::forest::sample::Bag;
use crate::forest::tree::Tree;
use crate::forest::walk::{Walk, rows_at_a_time};
use crate::run::{Progress, Run};
use crate::threads::ordered;

/// Scores closer than this tie; the lowest class wins.
pub(crate) const SCORE_TIE: f64 = 1e-12;

impl Forest {
    /// Predicts every row: one number per row, or one proportion per row and class (rows after
    /// one another). Cost O(rows * trees * depth).
    ///
    /// Columns are found by name; others are ignored. Missing values follow the side that
    /// each split learned, levels never seen the heavier child.
    ///
    /// ```
    /// use wald::simulate::Design;
    /// use wald::{Forest, ForestConfig, Run};
    ///
    /// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
    /// let numbers = Design::Friedman1.draw(60, 1)?;
    /// let forest = Forest::grow(&numbers, &config, &Run::all())?;
    /// assert_eq!(forest.predict(numbers.features(), &Run::all())?.len(), 60);
    ///
    /// let classes = Design::LiLeafSize.draw(60, 1)?; // two classes
    /// let forest = Forest::grow(&classes, &config, &Run::all())?;
    /// let proportions = forest.predict(classes.features(), &Run::all())?;
    /// assert_eq!(proportions.len(), 60 * 2);
    /// assert!((proportions[0] + proportions[1] - 1.0).abs() < 1e-12); // those of the first row
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Data`] when a variable is missing or of the wrong kind, and
    /// [`Error::Cancelled`].
    pub fn predict(&self, features: &Features, run: &Run) -> Result<Vec<f64>, Error> {
        self.predict_aligned(&align(features, &self.features)?, features.n_rows(), None, run)
    }

    /// The same of the first rows of aligned columns. Where bags are given, rows are predicted by the
    /// trees that did not see them; what no tree predicts is NaN.
    pub(crate) fn predict_aligned(
        &self,
        columns: &[Cow<'_, Column>],
        n_rows: usize,
        bags: Option<&[Bag]>,
        run: &Run,
    ) -> Result<Vec<f64>, Error> {
        let shape = (n_rows, self.target.n_outputs());
        in_blocks(shape, run, |rows| self.predict_block(columns, rows, bags, &run.progress))
    }

    /// The leaves that rows reach: one node for each tree, rows after one another. Cost as of
    /// [`Forest::predict`].
    ///
    /// ```
    /// use wald::simulate::Friedman1;
    /// use wald::{Forest, ForestConfig, Run};
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
    /// let forest = Forest::grow(&data, &config, &Run::all())?;
    /// let leaves = forest.leaves(data.features(), &Run::all())?;
    /// assert_eq!(leaves.len(), 60 * 10);
    /// // The first row in the first tree: a node of that tree, whose value the tree predicts.
    /// let value = forest.trees()[0].value(leaves[0] as usize);
    /// assert_eq!(value.len(), 1);
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Forest::predict`].
    pub fn leaves(&self, features: &Features, run: &Run) -> Result<Vec<u32>, Error> {
        leaves_of(self, &self.trees, features, run)
    }

    /// The leaves that rows reach in the tree of that position: one node for each row, or an empty
    /// list where there is no such tree.
    ///
    /// ```
    /// use wald::simulate::Friedman1;
    /// use wald::{Forest, ForestConfig, Run};
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let config = ForestConfig { n_trees: 3, ..ForestConfig::default() };
    /// let forest = Forest::grow(&data, &config, &Run::all())?;
    /// let all = forest.leaves(data.features(), &Run::all())?;
    /// let last: Vec<u32> = all.into_iter().skip(2).step_by(3).collect();
    /// assert_eq!(forest.leaves_of_tree(2, data.features(), &Run::all())?, last);
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Forest::predict`].
    pub fn leaves_of_tree(
        &self,
        tree: usize,
        features: &Features,
        run: &Run,
    ) -> Result<Vec<u32>, Error> {
        leaves_of(self, self.trees.get(tree..=tree).unwrap_or_default(), features, run)
    }

    fn predict_block(
        &self,
        columns: &[Cow<'_, Column>],
        rows: Range<usize>,
        bags: Option<&[Bag]>,
        progress: &Progress,
    ) -> Result<Vec<f64>, Error> {
        let counts = |tree: usize, row: usize| bags.is_none_or(|of| of[tree].counts()[row] == 0);
        let n_outputs = self.target.n_outputs();
        let mut predictions = vec![0.0; rows.len() * n_outputs];
        let mut weights = vec![0.0; rows.len()];
        let walk = Walk::of_rows(self, &self.trees, columns, rows.clone());
        let mut leaves = vec![0; rows.len()];
        for (index, tree) in self.trees.iter().enumerate() {
            // Many rows go through all trees together: too long to wait for.
            progress.check()?;
            walk.leaves(tree, rows.start, &mut leaves);
            let of_row = predictions.chunks_exact_mut(n_outputs).zip(&mut weights);
            for ((row, &leaf), (sums, weight)) in rows.clone().zip(&leaves).zip(of_row) {
                if counts(index, row) {
                    *weight += self.aggregation.add(tree, leaf as usize, sums);
                }
            }
        }
        let each = predictions.chunks_exact_mut(n_outputs).zip(weights).zip(rows);
        for ((sums, mut weight), row) in each {
            if weight == 0.0 {
                // All its leaves weigh nothing, so that none counts more than another.
                let all = self.trees.iter().enumerate();
                for (_, tree) in all.filter(|(index, _)| counts(*index, row)) {
                    let mut leaf = [0];
                    walk.leaves(tree, row, &mut leaf);
                    weight += Aggregation::Mean.add(tree, leaf[0] as usize, sums);
                }
            }
            let divisor = self.aggregation.divisor(weight);
            sums.iter_mut().for_each(|sum| *sum /= divisor);
        }
        Ok(predictions)
    }
}

/// The leaves that rows reach in some trees of a forest, rows after one another.
fn leaves_of(
    forest: &Forest,
    trees: &[Tree],
    features: &Features,
    run: &Run,
) -> Result<Vec<u32>, Error> {
    let columns = align(features, &forest.features)?;
    let n_trees = trees.len();
    in_blocks((features.n_rows(), n_trees), run, |rows| {
        let walk = Walk::of_rows(forest, trees, &columns, rows.clone());
        let mut leaves = vec![0; rows.len()];
        let mut block = vec![0; rows.len() * n_trees];
        for (place, tree) in trees.iter().enumerate() {
            run.progress.check()?;
            walk.leaves(tree, rows.start, &mut leaves);
            let places = block.iter_mut().skip(place).step_by(n_trees);
            places.zip(&leaves).for_each(|(place, &leaf)| *place = leaf);
        }
        Ok(block)
    })
}

/// What is found for blocks of rows, one after another, in a table of so many values for every row.
fn in_blocks<T: Send>(
    (n_rows, width): (usize, usize),
    run: &Run,
    block: impl Fn(Range<usize>) -> Result<Vec<T>, Error> + Sync,
) -> Result<Vec<T>, Error> {
    let mut found = Vec::with_capacity(n_rows * width);
    let n_together = rows_at_a_time(n_rows, run.threads);
    let rows = |at: usize| at * n_together..((at + 1) * n_together).min(n_rows);
    let one = |at: usize, (): &mut ()| block(rows(at));
    ordered(n_rows.div_ceil(n_together), run, || (), one, |_, block| found.extend(block))?;
    Ok(found)
}

/// The predictions of one tree, of a forest that averages its trees, for all rows of aligned
/// columns.
pub(crate) fn predictions_of_tree(
    tree: &Tree,
    forest: &Forest,
    columns: &[Cow<'_, Column>],
) -> Vec<f64> {
    let n_rows = columns.first().map_or(0, |column| column.len());
    let mut leaves = vec![0; n_rows];
    let walk = Walk::of_rows(forest, std::slice::from_ref(tree), columns, 0..n_rows);
    walk.leaves(tree, 0, &mut leaves);
    leaves.iter().flat_map(|&leaf| tree.value(leaf as usize).into_owned()).collect()
}

impl Aggregation {
    /// Adds a leaf's prediction to `sums` and returns its weight.
    pub(crate) fn add(self, tree: &Tree, leaf: usize, sums: &mut [f64]) -> f64 {
        let weight = match self {
            Self::Vote if sums.len() > 1 => {
                sums[argmax(&tree.value(leaf))] += 1.0;
                return 1.0;
            }
            Self::LeafWeighted => tree.statistics().map_or(1.0, |known| known.weight(leaf)),
            Self::Mean | Self::Vote | Self::Sum => 1.0,
        };
        tree.add_value(leaf, weight, sums);
        weight
    }

    /// What the sums are divided by, given the sum of the weights.
    pub(crate) fn divisor(self, weight: f64) -> f64 {
        if self == Self::Sum { 1.0 } else { weight }
    }
}

/// The class with the largest score; of scores within 1e-12 of it, the lowest class.
pub fn argmax(scores: &[f64]) -> usize {
    let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    scores.iter().position(|&score| score >= largest - SCORE_TIE).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_the_lowest_class() {
        assert_eq!(argmax(&[0.2, 0.4, 0.4]), 1);
        assert_eq!(argmax(&[0.4, 0.4 + 1e-13, 0.2]), 0);
        assert_eq!(argmax(&[0.1, 0.2, 0.7]), 2);
    }
}
