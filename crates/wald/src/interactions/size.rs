//! How much memory a search takes.

use crate::data::Dataset;
use crate::error::Error;
use crate::forest::{Keep, Tree};
use crate::interactions::settings::InteractionConfig;
use crate::memory::Size;
use crate::origin::Origin;
use crate::run::Threads;

/// How many times as deep trees are as those whose splits are even.
const UNEVEN: f64 = 1.5;

/// Bytes of a leaf besides its path: class, weight, two ends of lists.
const LEAF: f64 = 28.0;

impl InteractionConfig {
    /// Bytes that are held at the same time; an upper estimate. A forest that is grown is held with
    /// the paths to its leaves; those on bootstrap samples also with a copy of the table. One forest is
    /// held at a time, besides the one that exists.
    ///
    /// # Errors
    /// As growing one.
    pub fn size(
        &self,
        data: &Dataset,
        origin: Origin<'_>,
        threads: Threads,
    ) -> Result<Size, Error> {
        let grown = match origin {
            Origin::Settings(config) => Some(config),
            Origin::Forest(_) | Origin::Fitted(_) => origin.config().filter(|_| self.resamples > 0),
        };
        let (mut sizes, mut ranks) = (Vec::new(), 0);
        if let Some(forest) = origin.forest() {
            let n_leaves: usize = forest.trees().iter().map(Tree::n_nodes).sum();
            let n_trees = forest.trees().len().max(1) as f64;
            let measuring = origin.size(data, &[], threads)?;
            // Those of the forest that exists may be kept meanwhile.
            ranks = measuring.ranks;
            sizes.push(with_leaves(measuring, data, n_leaves as f64, n_trees));
        }
        if let Some(config) = grown {
            let growing = Size::of_growing(data, config, &[], Keep::Trees, threads)?;
            let n_leaves = Size::leaves_of_growing(data, config)? * config.n_trees as f64;
            let size = with_leaves(growing, data, n_leaves, config.n_trees as f64);
            let copy = if self.resamples > 0 { size.table } else { 0 };
            let ranks = size.ranks.saturating_add(ranks).saturating_add(copy);
            sizes.push(Size { ranks, ..size });
        }
        Ok(sizes.into_iter().max_by_key(Size::total).unwrap_or_default())
    }
}

/// With the paths to leaves: each variable of a path is listed at the leaf, and the leaf at the
/// variable. Lists that grow may be twice as long as what they hold.
fn with_leaves(size: Size, data: &Dataset, n_leaves: f64, n_trees: f64) -> Size {
    let depth = 1.0 + UNEVEN * (n_leaves / n_trees).max(2.0).log2();
    let path = depth.min(data.groups().n_groups() as f64);
    let n_classes = data.target().classes().map_or(2, <[String]>::len);
    // Rows of each class that precisions are shares of, of which a tree has no more than rows.
    let judging = 16.0 * (n_leaves * n_classes as f64).min(n_trees * data.n_rows() as f64);
    let paths = 2.0 * (n_leaves * (8.0 * path + LEAF) + judging);
    Size { working: size.working.saturating_add(paths.ceil() as u64), ..size }
}
