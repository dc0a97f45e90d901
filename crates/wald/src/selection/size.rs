//! How much memory a selection takes.

use crate::data::Dataset;
use crate::error::Error;
use crate::forest::Keep;
use crate::memory::Size;
use crate::run::Threads;
use crate::selection::settings::SelectionConfig;

impl SelectionConfig {
    /// Bytes that a selection holds at the same time; an upper estimate. Folds that are worked on
    /// at the same time each have a copy of the table and its ranks.
    ///
    /// # Errors
    /// As [`super::select`] for settings that do not fit the data.
    pub fn size(&self, data: &Dataset, threads: Threads) -> Result<Size, Error> {
        self.check(data)?;
        let measures = std::slice::from_ref(&self.measure);
        let of = |threads| Size::of_growing(data, &self.forest, measures, Keep::Nothing, threads);
        let (together, alone) = (of(threads)?, of(Threads::ONE)?);
        let n_alone = threads.get().min(self.folds * self.repeats) as u64;
        let times = |bytes: u64| bytes.saturating_mul(n_alone);
        Ok(Size {
            ranks: times(alone.ranks.saturating_add(alone.table)).max(together.ranks),
            working: times(alone.working).max(together.working),
            out_of_bag: times(alone.out_of_bag).max(together.out_of_bag),
            per_tree: times(alone.per_tree).max(together.per_tree),
            ..Size::default()
        })
    }
}
