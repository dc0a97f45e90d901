//! Which trees every set of variables is projected with.

/// Trees of a pair of sets, at least, and how many of them a row is out of bag of on average. Rows out of
/// bag of two or more show how far trees differ, and with fewer trees fewer rows are out of bag.
pub(super) const TREES_OF_A_PAIR: usize = 5;
const OUT_OF_BAG: f64 = 1.8;

/// Rows times sets times trees, up to which no tree is spared: a fraction of a second.
pub(super) const LITTLE_WORK: usize = 1_000_000;

/// Trees in blocks, each of which is projected onto sets of its own. What single trees add to the error
/// of a set is of its own, too, so that the sum over many sets hardly has it; so many trees for every set
/// would be work without use.
#[derive(Debug, Clone, Copy)]
pub(super) struct Blocks {
    trees: usize,
    pairs: usize,
    number: usize,
}

impl Blocks {
    /// More trees for every pair where there are fewer pairs than samples; all of them where that is
    /// little work.
    /// `out_of_bag` is the share of trees that a row is out of bag of, on average.
    pub(super) fn new(
        n_trees: usize,
        (n_pairs, samples): (usize, usize),
        n_rows: usize,
        out_of_bag: f64,
    ) -> Self {
        let least = TREES_OF_A_PAIR.max((OUT_OF_BAG / out_of_bag).ceil() as usize);
        let per_pair = least.saturating_mul(samples) / n_pairs.max(1);
        let little = LITTLE_WORK / (2 * n_pairs * n_rows).max(1);
        let n_blocks = n_trees / per_pair.max(little).max(least);
        Self { trees: n_trees, pairs: n_pairs, number: n_blocks.clamp(1, n_pairs.max(1)) }
    }

    /// Whether every tree is projected onto all sets.
    pub(super) fn is_one(self) -> bool {
        self.number == 1
    }

    /// The block of a tree.
    pub(super) fn of_tree(self, tree: usize) -> usize {
        tree * self.number / self.trees
    }

    /// Whether no tree of the same block follows.
    pub(super) fn ends_with(self, tree: usize) -> bool {
        tree + 1 == self.trees || self.of_tree(tree + 1) != self.of_tree(tree)
    }

    /// The pairs of sets of a block.
    pub(super) fn pairs(self, block: usize) -> impl ExactSizeIterator<Item = usize> {
        (block..self.pairs).step_by(self.number)
    }

    /// The number of trees of each set, at least.
    pub(super) fn trees_of_a_set(self) -> usize {
        self.trees / self.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_and_every_tree_is_in_one_block() {
        for (n_trees, n_pairs, n_rows) in [(100, 128, 20_000), (7, 127, 100), (500, 3, 54_000)] {
            let blocks = Blocks::new(n_trees, (n_pairs, 128), n_rows, 0.37);
            let last = blocks.of_tree(n_trees - 1);
            let mut pairs: Vec<usize> = (0..=last).flat_map(|block| blocks.pairs(block)).collect();
            pairs.sort_unstable();
            assert_eq!(pairs, (0..n_pairs).collect::<Vec<_>>());
            let ends = (0..n_trees).filter(|&tree| blocks.ends_with(tree)).count();
            assert_eq!(ends, last + 1);
            assert!(blocks.is_one() || blocks.trees_of_a_set() >= TREES_OF_A_PAIR);
        }
        assert!(Blocks::new(500, (3, 512), 54_000, 0.37).is_one(), "few pairs have all trees");
        // A tenth of the rows is out of bag: 18 trees have as many of them as 5 of a bootstrap.
        assert_eq!(Blocks::new(100, (128, 128), 20_000, 0.1).number, 5);
        assert_eq!(Blocks::new(100, (128, 128), 20_000, 0.37).number, 20);
    }
}
