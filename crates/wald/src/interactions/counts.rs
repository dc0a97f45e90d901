//! How often a set stands on paths, and what the rows in these leaves are.

use crate::error::Error;
use crate::interactions::leaves::Leaves;
use crate::interactions::search::Found;
use crate::run::Run;
use crate::threads::ordered;

/// A smaller share of a sum is an error of rounding.
const ROUNDING: f64 = 1e-9;

/// Shares of rows, for a set and a class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Counts {
    /// Of the rows in leaves of the class, the share in leaves whose path contains the set.
    pub(super) prevalence: f64,
    /// The same of the other leaves; `None` where there are none.
    pub(super) elsewhere: Option<f64>,
    /// Of the rows in leaves with the set, the share of the class; `None` where no such row is there.
    pub(super) precision: Option<f64>,
    /// The same of the leaves without the set.
    pub(super) without: Option<f64>,
}

/// Counts sets in leaves.
#[derive(Debug)]
pub(super) struct Counter<'a> {
    leaves: &'a Leaves,
    /// By signed variable, the leaves whose paths contain it.
    holding: Vec<Vec<u32>>,
    /// By class, the weight of rows in its leaves, and of rows of the class that judge sets.
    in_leaves: Vec<f64>,
    of_class: Vec<f64>,
}

impl<'a> Counter<'a> {
    /// Cost O(variables on all paths).
    pub(super) fn new(leaves: &'a Leaves, n_labels: usize) -> Self {
        let mut holding: Vec<Vec<u32>> = Vec::new();
        let (mut in_leaves, mut of_class) = (vec![0.0; n_labels], vec![0.0; n_labels]);
        for leaf in 0..leaves.len() {
            for &code in leaves.path(leaf) {
                if holding.len() <= code as usize {
                    holding.resize_with(code as usize + 1, Vec::new);
                }
                holding[code as usize].push(leaf as u32);
            }
            in_leaves[leaves.labels[leaf] as usize] += leaves.weights[leaf];
            for &(label, weight) in leaves.judging(leaf) {
                of_class[label as usize] += weight;
            }
        }
        Self { leaves, holding, in_leaves, of_class }
    }

    /// Counts all sets, on several threads.
    pub(super) fn all(&self, found: &Found, run: &Run) -> Result<Vec<Counts>, Error> {
        let mut counts = Vec::with_capacity(found.len());
        let count = |at: usize, (): &mut ()| {
            let (label, set) = &found[at];
            Ok(self.count(*label, set))
        };
        ordered(found.len(), run, || (), count, |_, one| counts.push(one))?;
        Ok(counts)
    }

    /// Counts one set. Cost O(leaves with its rarest variable * variables of the set).
    pub(super) fn count(&self, label: u32, set: &[u32]) -> Counts {
        let holding = |code: &u32| self.holding.get(*code as usize).map_or(&[][..], Vec::as_slice);
        let rarest = set.iter().map(holding).min_by_key(|leaves| leaves.len());
        let (mut inside, mut outside) = (0.0, 0.0);
        let (mut with, mut with_class) = (0.0, 0.0);
        for &leaf in rarest.unwrap_or_default() {
            let leaf = leaf as usize;
            let path = self.leaves.path(leaf);
            if !set.iter().all(|code| path.binary_search(code).is_ok()) {
                continue;
            }
            let side = if self.leaves.labels[leaf] == label { &mut inside } else { &mut outside };
            *side += self.leaves.weights[leaf];
            for &(class, weight) in self.leaves.judging(leaf) {
                with += weight;
                with_class += if class == label { weight } else { 0.0 };
            }
        }
        let at = label as usize;
        let others: f64 = self.in_leaves.iter().sum::<f64>() - self.in_leaves[at];
        let total = self.of_class.iter().sum::<f64>();
        // What is left by rounding weighs nothing.
        let without = if total - with > ROUNDING * total { total - with } else { 0.0 };
        Counts {
            prevalence: share(inside, self.in_leaves[at]).unwrap_or(0.0),
            elsewhere: share(outside, others),
            precision: share(with_class, with),
            without: share(self.of_class[at] - with_class, without),
        }
    }
}

/// A part of a whole, where there is any; differences of sums may be off by a rounding error.
fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| (part / whole).clamp(0.0, 1.0))
}
