//! The classes that every node of a tree has met, with their shares: what is kept of trees of many
//! classes, most of whose nodes have met few.
//!
//! A walk over the trees unpacks one tree at a time.

use serde::{Deserialize, Serialize};

/// With fewer classes, a node's shares are kept one after the other.
pub(crate) const FEWEST_CLASSES: usize = 16;

/// Bytes of a class and its share.
pub(crate) const ENTRY: usize = 12;

/// Shares above zero, by node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Met {
    n_classes: u32,
    /// Where every node ends in the lists.
    ends: Vec<u32>,
    classes: Vec<u32>,
    shares: Vec<f64>,
}

impl Met {
    /// `None` where that takes more than half of the room.
    pub(super) fn of(values: &[f64], n_classes: usize) -> Option<Self> {
        if n_classes < FEWEST_CLASSES {
            return None;
        }
        let n_met = values.iter().filter(|value| value.to_bits() != 0).count();
        let n_nodes = values.len() / n_classes;
        if u32::try_from(n_met).is_err() || 2 * (ENTRY * n_met + 4 * n_nodes) > 8 * values.len() {
            return None;
        }
        let mut met = Self {
            n_classes: n_classes as u32,
            ends: Vec::with_capacity(n_nodes),
            classes: Vec::with_capacity(n_met),
            shares: Vec::with_capacity(n_met),
        };
        for value in values.chunks_exact(n_classes) {
            for (class, share) in (0..).zip(value).filter(|(_, share)| share.to_bits() != 0) {
                met.classes.push(class);
                met.shares.push(*share);
            }
            met.ends.push(met.classes.len() as u32);
        }
        Some(met)
    }

    pub(super) fn n_classes(&self) -> usize {
        self.n_classes as usize
    }

    pub(super) fn n_nodes(&self) -> usize {
        self.ends.len()
    }

    /// The classes that a node has met, with their shares.
    pub(super) fn entries(&self, node: usize) -> impl Iterator<Item = (usize, f64)> {
        let start = if node == 0 { 0 } else { self.ends[node - 1] as usize };
        let entries = start..self.ends[node] as usize;
        let classes = self.classes[entries.clone()].iter().map(|&class| class as usize);
        classes.zip(self.shares[entries].iter().copied())
    }

    /// The shares of all classes at a node.
    pub(super) fn value(&self, node: usize) -> Vec<f64> {
        let mut value = vec![0.0; self.n_classes()];
        self.entries(node).for_each(|(class, share)| value[class] = share);
        value
    }

    /// Whether lists and classes are such as [`Met::of`] makes them.
    pub(super) fn is_sound(&self) -> bool {
        let starts = std::iter::once(&0).chain(&self.ends);
        let are_sorted = |(&start, &end): (&u32, &u32)| {
            self.classes.get(start as usize..end as usize).is_some_and(|classes| {
                classes.is_sorted_by(|one, other| one < other)
                    && classes.last().is_none_or(|&last| last < self.n_classes)
            })
        };
        self.n_classes > 0
            && starts.zip(&self.ends).all(are_sorted)
            && self.ends.last().is_some_and(|&end| end as usize == self.classes.len())
            && self.shares.len() == self.classes.len()
    }

    pub(super) fn bytes(&self) -> usize {
        4 * self.ends.len() + ENTRY * self.classes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_gets_its_shares_back() {
        let n_classes = 40;
        let mut values = vec![0.0; 3 * n_classes];
        for (at, share) in [(0, 0.25), (39, 0.75), (40, -0.0), (119, 1.0)] {
            values[at] = share;
        }
        let met = Met::of(&values, n_classes).expect("few are met");
        assert!(met.is_sound() && met.n_nodes() == 3);
        for (node, value) in values.chunks_exact(n_classes).enumerate() {
            let bits = |value: &[f64]| value.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&met.value(node)), bits(value));
        }
        for wrong in [
            Met { ends: vec![2, 1, 4], ..met.clone() },
            Met { ends: vec![2, 3, 5], ..met.clone() },
            Met { classes: vec![0, 40, 0, 39], ..met.clone() },
            Met { classes: vec![39, 0, 0, 39], ..met.clone() },
            Met { shares: vec![1.0], ..met.clone() },
        ] {
            assert!(!wrong.is_sound(), "{wrong:?}");
        }
        assert_eq!(Met::of(&vec![1.0 / 40.0; 80], n_classes), None);
        assert_eq!(Met::of(&[1.0, 0.0, 0.0, 1.0], 2), None);
    }
}
