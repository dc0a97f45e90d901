//! How much memory a test of conditional independence takes.

use crate::data::Dataset;
use crate::error::Error;
use crate::forest::{ForestConfig, Keep};
use crate::inference::conditional::config::{ConditionalConfig, ConditionalMethod};
use crate::memory::Size;
use crate::run::Threads;

impl ConditionalConfig {
    /// Bytes that are held at the same time; an upper estimate. The forests on all variables stay, and
    /// each thread has one or two forests of its own with a copy of the table, its ranks, and drawn values.
    ///
    /// # Errors
    /// As [`conditional_test`](crate::inference::conditional_test) for settings that do not fit.
    pub fn size(&self, data: &Dataset, threads: Threads) -> Result<Size, Error> {
        self.check(data)?;
        let n_forests = self.folds
            + threads.get()
                * match self.method {
                    // Of a variable and of its spread.
                    ConditionalMethod::SobolCpi { .. } => 2,
                    ConditionalMethod::Loco => 1,
                };
        let n_trees = self.forest.n_trees.saturating_mul(n_forests);
        let kept = ForestConfig { n_trees, ..self.forest.clone() };
        let kept = Size::of_growing(data, &kept, &[], Keep::Trees, threads)?;
        let of_one = Size::of_growing(data, &self.forest, &[], Keep::Trees, Threads::ONE)?;
        let rows = data.n_rows() as u64;
        let largest_group = data.groups().members().iter().map(Vec::len).max().unwrap_or(1) as u64;
        let drawn = match self.method {
            ConditionalMethod::SobolCpi { draws } => 8 * rows * draws as u64 * largest_group,
            ConditionalMethod::Loco => 0,
        };
        let times = |bytes: u64| bytes.saturating_mul(threads.get() as u64);
        Ok(Size {
            ranks: times(of_one.ranks.saturating_add(of_one.table).saturating_add(drawn)),
            working: times(of_one.working),
            trees: kept.trees,
            ..Size::default()
        })
    }
}
