//! By how much the out-of-bag error of blocks of trees grows when predictions are altered.

use crate::data::Truth;
use crate::forest::Aggregation;
use crate::loss::Loss;
use crate::measure::kernel::altered_predictions::{Altered, AlteredTree};
use crate::measure::kernel::changes::Changes;
use crate::measure::kernel::row_sums::{RowSums, Shape};
use crate::measure::permutation::kernel::forest_loss::{MeanIncreases, mean_increases, mean_of};
use crate::pass::{OutOfBag, OutOfBagPart};
use crate::run::Threads;

/// How trees make up blocks: they follow one another, and the first blocks are the larger ones
/// where sizes differ, by one tree.
#[derive(Debug)]
pub(crate) struct BlockPlan {
    pub(crate) n_blocks: usize,
    pub(crate) n_trees: usize,
    pub(crate) n_groups: usize,
    pub(crate) loss: Loss,
    pub(crate) aggregation: Aggregation,
    pub(crate) truth: Truth,
}

/// What one tree brings.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct BlockPart {
    pub(crate) out_of_bag: OutOfBagPart,
    pub(crate) changes: TreeChanges,
}

/// How one tree's predictions change.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(crate) enum TreeChanges {
    /// In expectation over permutations, with variances; squared loss only.
    Expected(Box<AlteredTree>),
    /// By one permutation per repeat.
    Permuted(Vec<Changes>),
}

/// The trees so far.
#[derive(Debug, Default)]
pub(crate) struct BlocksTotal {
    n_trees: usize,
    block: Option<Block>,
    pub(crate) finished: Vec<BlockResult>,
}

/// One block of trees.
#[derive(Debug)]
pub(crate) struct BlockResult {
    /// One per repeat, or one expectation.
    pub(crate) repeats: Vec<MeanIncreases>,
    /// What every tree adds to the deviation of the expectation; see [`Altered`].
    pub(crate) influences: Vec<Vec<f64>>,
    pub(crate) standard_errors: Option<Vec<f64>>,
    /// Rows that were in the bags of all its trees.
    pub(crate) n_never: usize,
}

#[derive(Debug)]
struct Block {
    out_of_bag: OutOfBag,
    n_trees: usize,
    sums: Sums,
}

#[derive(Debug)]
enum Sums {
    Expected(Box<Altered>),
    Permuted(Vec<RowSums>),
}

impl BlockPlan {
    /// Whether a part is of rows and groups that exist, and of so many repeats; of none in expectation.
    pub(crate) fn fits(&self, part: &BlockPart, n_repeats: Option<usize>) -> bool {
        let (n_rows, n_outputs) = (self.truth.n_rows(), self.truth.n_outputs());
        let shape = Shape { n_rows, n_groups: self.n_groups, width: n_outputs };
        let has_changes = match &part.changes {
            TreeChanges::Expected(tree) => n_repeats.is_none() && tree.fits(shape, false),
            TreeChanges::Permuted(repeats) => {
                Some(repeats.len()) == n_repeats && repeats.iter().all(|of| of.fits(shape))
            }
        };
        has_changes && part.out_of_bag.fits(n_rows, n_outputs)
    }

    /// Adds a tree; a block is summed up when its last tree was added, so that one block at a time
    /// is in memory.
    pub(crate) fn merge(&self, total: &mut BlocksTotal, part: BlockPart) {
        let (n_rows, n_groups) = (self.truth.n_rows(), self.n_groups);
        let shape = Shape { n_rows, n_groups, width: self.truth.n_outputs() };
        let block = total.block.get_or_insert_with(|| Block {
            out_of_bag: OutOfBag::of(&self.truth, self.aggregation),
            n_trees: 0,
            sums: match &part.changes {
                TreeChanges::Expected(_) => Sums::Expected(Box::default()),
                TreeChanges::Permuted(repeats) => {
                    let sums = || RowSums::new(n_rows, n_groups, shape.width);
                    Sums::Permuted(repeats.iter().map(|_| sums()).collect())
                }
            },
        });
        block.out_of_bag.merge(&part.out_of_bag);
        match (&mut block.sums, part.changes) {
            (Sums::Expected(sums), TreeChanges::Expected(tree)) => sums.add(*tree, shape),
            (Sums::Permuted(sums), TreeChanges::Permuted(repeats)) => {
                for (sums, Changes { rows, groups, amounts: changes }) in
                    sums.iter_mut().zip(&repeats)
                {
                    let entries = rows.iter().zip(groups).zip(changes.chunks_exact(shape.width));
                    entries.for_each(|((&row, &group), change)| sums.add(row, group, change));
                }
            }
            // All trees of a measure are of one kind.
            (Sums::Expected(_) | Sums::Permuted(_), _) => {}
        }
        block.n_trees += 1;
        total.n_trees += 1;
        if block.n_trees == self.size(total.finished.len()) {
            total.finished.extend(total.block.take().map(|block| self.finish(&block)));
        }
    }

    fn size(&self, block: usize) -> usize {
        self.n_trees / self.n_blocks + usize::from(block < self.n_trees % self.n_blocks)
    }

    fn finish(&self, block: &Block) -> BlockResult {
        let n_rows = 0..self.truth.n_rows();
        let n_never = n_rows.filter(|&row| block.out_of_bag.n_trees(row) == 0).count();
        match &block.sums {
            Sums::Expected(sums) => {
                let found = sums.increases_of(
                    self.n_groups,
                    &self.truth,
                    &block.out_of_bag,
                    // Other threads are at work on the trees of later blocks.
                    Threads::ONE,
                );
                let weight = found.weight_out_of_bag;
                let classes = found.per_class.iter().zip(&found.class_weights_out_of_bag);
                BlockResult {
                    repeats: vec![MeanIncreases {
                        values: mean_of(&found.values, weight),
                        per_class: classes.map(|(sums, weight)| mean_of(sums, *weight)).collect(),
                    }],
                    influences: found
                        .influences
                        .iter()
                        .filter_map(|i| mean_of(i, weight))
                        .collect(),
                    standard_errors: found.standard_errors.and_then(|sums| mean_of(&sums, weight)),
                    n_never,
                }
            }
            Sums::Permuted(repeats) => {
                let of = |sums| {
                    let out_of_bag = &block.out_of_bag;
                    mean_increases(&self.truth, out_of_bag, sums, self.n_groups, self.loss)
                };
                BlockResult {
                    repeats: repeats.iter().map(of).collect(),
                    influences: Vec::new(),
                    standard_errors: None,
                    n_never,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Target, Training};

    #[test]
    fn larger_blocks_come_first() {
        let column = Column::numeric("x", vec![1.0, 2.0]).expect("finite");
        let target = Target::regression("y", vec![1.0, 2.0]).expect("finite");
        let training = Training::new(&[&column], &[0], &target, None, Threads::all());
        let sizes = |n_trees, n_blocks| -> Vec<usize> {
            let plan = BlockPlan {
                n_blocks,
                n_trees,
                n_groups: 1,
                loss: Loss::Squared,
                aggregation: Aggregation::Mean,
                truth: training.truth().clone(),
            };
            (0..n_blocks).map(|block| plan.size(block)).collect()
        };
        assert_eq!(sizes(7, 3), [3, 2, 2]);
        assert_eq!(sizes(4, 4), [1; 4]);
        assert_eq!(sizes(500, 1), [500]);
    }
}
