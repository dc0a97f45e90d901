//! The rows of a node in the order of a column.

/// The rows of a node whose value of one column is present, by increasing code.
pub(crate) trait Sequence {
    /// Stands for one row.
    type Item: Copy;
    /// Differs where codes differ.
    type Key: Copy + PartialEq;

    /// True when all codes are known to differ.
    const ALL_DIFFER: bool;

    fn items(&self) -> &[Self::Item];

    fn position(&self, item: Self::Item) -> usize;

    fn key(&self, item: Self::Item) -> Self::Key;

    /// The row of the table.
    fn row(&self, item: Self::Item) -> u32;
}
