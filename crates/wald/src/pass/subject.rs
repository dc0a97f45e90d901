//! What is measured.

use crate::data::{Dataset, Groups, Training};
use crate::forest::Forest;

/// A forest and its data, as a measure meets them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) data: &'a Dataset,
    /// While it is grown, without its trees.
    pub(crate) forest: &'a Forest,
    pub(crate) training: &'a Training,
    /// What importances are given for.
    pub(crate) groups: &'a Groups,
    pub(crate) n_trees: usize,
}
