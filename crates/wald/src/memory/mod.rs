//! How much memory growing and measuring take: an upper estimate, made before anything large is
//! allocated, so that what cannot fit is refused instead of killed.
//!
//! What grows with rows, columns, classes, levels, trees or threads is counted; each formula
//! names what it counts. What only growing determines is bounded: columns are counted as if they
//! had ties, and trees as if they were grown on noise, which makes more nodes than others. Trees
//! of a target that is easily predicted are much smaller; [`Size::with_trees_like`] counts them
//! by one that was grown.
//!
//! Sums are floats, which lose digits that do not matter here and cannot overflow.
//!
//! The estimate is within a factor of two where trees are grown on noise. A data structure that
//! grows with rows, levels, classes or trees has its line here. The engine does not look at the
//! machine: the caller compares the estimate with the memory that is free.

mod columns;
mod measuring;
mod refusal;
mod size;
mod table;

pub use refusal::{amount, check_bytes};
pub use size::{Size, SizePart};

use crate::data::Dataset;
use crate::error::Error;
use crate::forest::{
    Bag, Branches, Forest, ForestConfig, Keep, LevelSet, RankedNode, Sampler, Tree,
};
use crate::measure::Measure;
use crate::memory::size::{LIST, SPREAD, bytes};
use crate::memory::table::{Table, leaves, tree_and_bag};
use crate::run::Threads;

impl Size {
    /// For [`Forest::grow_and_measure`].
    ///
    /// ```
    /// use wald::forest::Keep;
    /// use wald::memory::Size;
    /// use wald::simulate::Friedman1;
    /// use wald::{ForestConfig, Threads};
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let few = ForestConfig { n_trees: 10, ..ForestConfig::default() };
    /// let many = ForestConfig { n_trees: 1000, ..ForestConfig::default() };
    /// let size = |config, keep| Size::of_growing(&data, config, &[], keep, Threads::ONE);
    /// assert!(size(&few, Keep::Trees)?.total() < size(&many, Keep::Trees)?.total()); // bytes
    /// // Trees that are not kept take no memory, however many there are.
    /// assert_eq!(size(&many, Keep::Nothing)?.trees, 0);
    /// # Ok::<(), wald::Error>(())
    /// ```
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
        let settings = config.resolve_targets(data)?;
        let bag = Sampler::new(data, &settings).expected()?;
        let table = Table::of(data);
        let grown = 2.0 * leaves(data, &settings, bag);
        // Trees are grown to the end before they are pruned.
        let nodes = grown.min(2.0 * settings.max_leaf_nodes as f64);
        let level_sets = table.level_sets(&settings, bag, grown);
        // Threads that share a tree put its branches together in a copy.
        let (n_trees, n_threads) = (config.n_trees as f64, threads.get() as f64);
        let copies = if n_threads >= 2.0 * n_trees { 2.0 } else { 1.0 };
        let growing =
            table.growing(&settings, bag) + copies * (grown * table.growing_node() + level_sets);
        let looking = table.looking(table.rows - bag.rows, nodes, measures)
            + table.growing_again(&settings, bag, nodes, measures);
        let kept_sets = table.level_sets(&settings, bag, nodes);
        let tree = table.kept_nodes(nodes, bag) + kept_sets + tree_and_bag(table.rows);
        let keeps = keep == Keep::Trees || measures.iter().any(Measure::needs_trees);
        let held_out = table.held_out(measures, n_trees, n_trees * nodes, n_threads);
        Ok(Self {
            working: bytes(
                (n_threads.min(n_trees) * (growing + looking))
                    .max(table.ranking(n_threads))
                    .max(held_out)
                    .max(table.explaining(measures, n_trees, n_trees * nodes, n_threads)),
            ),
            altered: bytes(table.altered(n_trees, table.rows - bag.rows, nodes, measures)),
            trees: if keeps { bytes(n_trees * tree) } else { 0 },
            ..table
                .measuring(data, n_trees, measures)
                .with_more_ranks(columns::bins(data, Some(config)))
        })
    }

    /// The most leaves that a tree has on average, of those that [`of_growing`](Self::of_growing)
    /// counts.
    pub(crate) fn leaves_of_growing(data: &Dataset, config: &ForestConfig) -> Result<f64, Error> {
        let settings = config.resolve_targets(data)?;
        let bag = Sampler::new(data, &settings).expected()?;
        Ok(leaves(data, &settings, bag).min(settings.max_leaf_nodes as f64))
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
            let names = forest.features().iter().map(|feature| feature.name.as_str());
            let settings = config.resolve_for(data, names).ok()?;
            let bag = Sampler::new(data, &settings).expected().ok()?;
            Some(table.growing_again(&settings, bag, nodes, measures))
        });
        let looking = table.looking(table.rows, nodes, measures)
            + nodes * size_of::<RankedNode>() as f64
            + table.unpacked(nodes)
            + again.unwrap_or(0.0);
        Self {
            working: bytes(
                (n_threads.min(n_trees) * looking)
                    .max(table.ranking(n_threads))
                    .max(table.held_out(measures, n_trees, n_nodes, n_threads))
                    .max(table.explaining(measures, n_trees, n_nodes, n_threads)),
            ),
            altered: bytes(table.altered(n_trees, table.rows, nodes, measures)),
            ..table
                .measuring(data, n_trees, measures)
                .with_more_ranks(columns::bins(data, forest.config()))
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
        + tree.value_bytes()
        + tree.statistics().map_or(0, |_| 16 * tree.n_nodes())
        + sets.sum::<usize>()
        + branches.sum::<usize>()
        + lists * LIST as usize
}

fn stored_bag(bag: &Bag) -> usize {
    size_of::<Bag>() + LIST as usize + size_of_val(bag.counts())
}
