//! Bytes by what they are for.

/// A list besides its contents: pointer, length, capacity, and the allocator's own words.
pub(super) const LIST: f64 = 40.0;

/// Trees differ, and small blocks leave holes between them.
pub(super) const SPREAD: f64 = 1.1;

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
    /// The same where the trees that are kept then become a model file.
    #[must_use]
    pub fn with_model_file(self) -> Self {
        // Numbers are stored as they are, positions in fewer bytes.
        Self { model_file: self.trees, ..self }
    }

    /// The same with so many more bytes of codes.
    pub(super) fn with_more_ranks(self, more: f64) -> Self {
        Self { ranks: self.ranks.saturating_add(bytes(more)), ..self }
    }

    /// The same for one of so many parts of the work on `n_trees` trees, which holds what its trees
    /// bring as bytes until it ends: trees, and about seven bytes for the prediction of a row.
    #[must_use]
    pub fn of_part(self, parts: usize, n_trees: usize, n_rows: usize) -> Self {
        let share = |bytes: u64| bytes / (parts.max(1) as u64);
        let predictions = bytes(7.0 * n_trees as f64 * n_rows as f64);
        Self {
            altered: share(self.altered),
            per_tree: share(self.per_tree),
            trees: share(self.trees.saturating_add(predictions)),
            ..self
        }
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

/// Casting keeps to the range of integers.
pub(super) fn bytes(size: f64) -> u64 {
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
