//! How much memory growing and measuring take: an upper estimate, made before anything large is
//! allocated, so that what cannot fit is refused instead of killed.
//!
//! What grows with rows, columns, classes, levels, trees or threads is counted; each formula
//! names what it counts. What only growing can tell is bounded: columns are counted as if they
//! had ties, and trees as if they were grown on noise, which makes more nodes than others. Trees
//! of a target that is easily predicted are much smaller; [`Size::with_trees_like`] counts them
//! by one that was grown.
//!
//! Sums are floats, which lose digits that do not matter here and cannot overflow.

mod columns;
mod table;

use crate::data::Dataset;
use crate::error::Error;
use crate::forest::met::Met;
use crate::forest::sample::Sampler;
use crate::forest::size::table::{Table, leaves, tree_and_bag};
use crate::forest::tree::{LevelSet, Tree};
use crate::forest::{Bag, Branches, Forest, ForestConfig, Keep, RankedNode};
use crate::measure::Measure;
use crate::threads::Threads;

/// A list besides its contents: pointer, length, capacity, and the allocator's own words.
const LIST: f64 = 40.0;

/// Trees differ, and small blocks leave holes between them.
const SPREAD: f64 = 1.1;

/// Bytes that a task holds at the same time, by what they are for; an upper estimate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Size {
    /// The data set, which is there before the task begins and no part of the [`Size::total`].
    pub table: u64,
    /// The columns as rank codes, with sorted orders and distinct values, and the response.
    pub ranks: u64,
    /// Working memory of all threads.
    pub working: u64,
    /// Out-of-bag predictions of all rows, and their losses.
    pub out_of_bag: u64,
    /// Changes of out-of-bag predictions, for measures that compare whole forests.
    pub altered: u64,
    /// The importances of all variables in every single tree.
    pub per_tree: u64,
    /// Trees that are kept, with their bags.
    pub trees: u64,
    /// The bytes of a model file, which are put together when only the trees are left.
    pub model_file: u64,
}

/// What a part of a [`Size`] is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SizePart {
    /// [`Size::ranks`].
    Ranks,
    /// [`Size::working`].
    Working,
    /// [`Size::out_of_bag`].
    OutOfBag,
    /// [`Size::altered`].
    Altered,
    /// [`Size::per_tree`].
    PerTree,
    /// [`Size::trees`], and the model file made of them.
    Trees,
}

impl Size {
    /// For [`Forest::grow_and_measure`].
    ///
    /// # Errors
    /// [`Error::Setting`] and [`Error::TooLarge`] as growing itself.
    pub fn of_growing(
        data: &Dataset,
        config: &ForestConfig,
        measures: &[Measure],
        keep: Keep,
        threads: Threads,
    ) -> Result<Self, Error> {
        let settings = config.resolve(data)?;
        let bag = Sampler::new(data, &settings).expected()?;
        let table = Table::of(data);
        let nodes = 2.0 * leaves(data, &settings, bag);
        let level_sets = table.level_sets(&settings, bag, nodes);
        // Threads that share a tree put its branches together in a copy.
        let (n_trees, n_threads) = (config.n_trees as f64, threads.get() as f64);
        let copies = if n_threads >= 2.0 * n_trees { 2.0 } else { 1.0 };
        let growing =
            table.growing(&settings, bag) + copies * (nodes * table.growing_node() + level_sets);
        let looking = table.looking(table.rows - bag.rows, nodes, measures)
            + table.growing_again(&settings, (bag, nodes), measures);
        let tree = table.kept_nodes(nodes, bag) + level_sets + tree_and_bag(table.rows);
        let keeps = keep == Keep::Trees || measures.iter().any(Measure::needs_trees);
        let held_out = table.held_out(measures, (n_trees, n_trees * nodes), n_threads);
        Ok(Self {
            working: bytes(
                (n_threads.min(n_trees) * (growing + looking))
                    .max(table.ranking(n_threads))
                    .max(held_out)
                    .max(table.explaining(measures, (n_trees, n_trees * nodes), n_threads)),
            ),
            altered: bytes(table.altered((n_trees, table.rows - bag.rows, nodes), measures)),
            trees: if keeps { bytes(n_trees * tree) } else { 0 },
            ..table.measuring(data, n_trees, measures)
        })
    }

    /// For [`Forest::measure`], besides the forest itself.
    pub fn of_measuring(
        forest: &Forest,
        data: &Dataset,
        measures: &[Measure],
        threads: Threads,
    ) -> Self {
        let table = Table::of(data);
        let nodes = forest.trees().iter().map(Tree::n_nodes).max().unwrap_or(0) as f64;
        let n_nodes = forest.trees().iter().map(Tree::n_nodes).sum::<usize>() as f64;
        let (n_trees, n_threads) = (forest.trees().len() as f64, threads.get() as f64);
        let again = forest.config().and_then(|config| {
            let settings = config.resolve_for(data, forest.features().len()).ok()?;
            let bag = Sampler::new(data, &settings).expected().ok()?;
            Some(table.growing_again(&settings, (bag, nodes), measures))
        });
        let looking = table.looking(table.rows, nodes, measures)
            + nodes * size_of::<RankedNode>() as f64
            + table.unpacked(nodes)
            + again.unwrap_or(0.0);
        Self {
            working: bytes(
                (n_threads.min(n_trees) * looking)
                    .max(table.ranking(n_threads))
                    .max(table.held_out(measures, (n_trees, n_nodes), n_threads))
                    .max(table.explaining(measures, (n_trees, n_nodes), n_threads)),
            ),
            altered: bytes(table.altered((n_trees, table.rows, nodes), measures)),
            ..table.measuring(data, n_trees, measures)
        }
    }

    /// The same where all `n_trees` trees are about as large as those of another forest.
    #[must_use]
    pub fn with_trees_like(self, forest: &Forest, n_trees: usize) -> Self {
        let bags = forest.bags().unwrap_or_default();
        let stored: usize = forest.trees().iter().map(stored_tree).sum::<usize>()
            + bags.iter().map(stored_bag).sum::<usize>();
        let mean = stored as f64 / forest.trees().len().max(1) as f64;
        Self { trees: bytes(SPREAD * mean * n_trees as f64), ..self }
    }

    /// The same where the trees that are kept then become a model file.
    #[must_use]
    pub fn with_model_file(self) -> Self {
        // Numbers are stored as they are, positions in fewer bytes.
        Self { model_file: self.trees, ..self }
    }

    /// All that is held at the same time, with the data set.
    pub fn with_table(&self) -> u64 {
        self.total().saturating_add(self.table)
    }

    /// All that is held at the same time, besides the data set.
    pub fn total(&self) -> u64 {
        self.trees.saturating_add(self.besides_trees().max(self.model_file))
    }

    /// What is held while trees grow, but for the trees that are kept.
    pub fn besides_trees(&self) -> u64 {
        let parts = [self.ranks, self.working, self.out_of_bag, self.altered, self.per_tree];
        parts.into_iter().fold(0, u64::saturating_add)
    }

    /// The largest part, and its bytes.
    pub fn largest(&self) -> (SizePart, u64) {
        let parts = [
            (SizePart::Ranks, self.ranks),
            (SizePart::Working, self.working),
            (SizePart::OutOfBag, self.out_of_bag),
            (SizePart::Altered, self.altered),
            (SizePart::PerTree, self.per_tree),
        ];
        let trees = (SizePart::Trees, self.trees);
        parts.into_iter().fold(trees, |most, part| if part.1 > most.1 { part } else { most })
    }
}

/// Bytes that a tree occupies.
fn stored_tree(tree: &Tree) -> usize {
    let sets = tree.level_sets().iter().map(|set| match set {
        LevelSet::Bits(words) => size_of_val::<[u64]>(words),
        LevelSet::Listed(levels) | LevelSet::Excepted(levels) => size_of_val::<[u32]>(levels),
    });
    let branches = tree
        .branches()
        .iter()
        .map(|table| size_of::<Branches>() + 2 * size_of_val::<[u32]>(&table.levels));
    let lists = 9 + tree.level_sets().len() + 2 * tree.branches().len();
    size_of::<Tree>()
        + size_of_val(tree.nodes())
        + size_of_val::<[f64]>(&tree.values)
        + tree.met.as_ref().map_or(0, Met::bytes)
        + tree.statistics().map_or(0, |_| 16 * tree.n_nodes())
        + sets.sum::<usize>()
        + branches.sum::<usize>()
        + lists * LIST as usize
}

fn stored_bag(bag: &Bag) -> usize {
    size_of::<Bag>() + LIST as usize + size_of_val(bag.counts())
}

/// Casting keeps to the range of integers.
fn bytes(size: f64) -> u64 {
    size.ceil() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_stay_in_range() {
        let most = Size { ranks: u64::MAX, working: 1, trees: 1, ..Size::default() };
        assert_eq!(most.total(), u64::MAX);
        assert_eq!(most.largest(), (SizePart::Ranks, u64::MAX));
        assert_eq!(bytes(1e300), u64::MAX);
        let small = Size { trees: 70, working: 20, ..Size::default() };
        assert_eq!((small.total(), small.with_model_file().total()), (90, 140));
    }
}
