//! Trees in less room.

use std::borrow::Cow;

use crate::forest::met::Met;
use crate::forest::tree::Tree;

impl Tree {
    /// Bytes of the values of all nodes.
    pub(crate) fn value_bytes(&self) -> usize {
        size_of_val::<[f64]>(&self.values) + self.met.as_ref().map_or(0, Met::bytes)
    }

    /// The same tree in less room, where its nodes have met few of many classes.
    pub(crate) fn packed(mut self) -> Self {
        if self.met.is_none() {
            self.met = Met::of(&self.values, self.n_outputs());
            if self.met.is_some() {
                self.values = Vec::new();
            }
        }
        self
    }

    /// The same tree with the values of its nodes one after the other, where reading is fast.
    pub(crate) fn unpacked(&self) -> Cow<'_, Self> {
        if self.met.is_none() {
            return Cow::Borrowed(self);
        }
        let values = self.all_values().into_owned();
        let (statistics, met) = (self.statistics.clone(), None);
        let (nodes, level_sets) = (self.nodes.clone(), self.level_sets.clone());
        Cow::Owned(Self {
            nodes,
            values,
            statistics,
            level_sets,
            branches: self.branches.clone(),
            met,
        })
    }
}
