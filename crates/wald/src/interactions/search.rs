//! Random intersection trees (Shah & Meinshausen 2014, Algorithm 1).
//!
//! The root of a tree is the path of a random leaf; every child of a node intersects the set of the
//! node with the path of another random leaf. What is left at the full depth is found. A set S that the
//! paths to a share p of the rows contain survives in a tree of depth D with B children with probability
//! `q(D)`, where `q(1) = p` and `q(d) = p (1 - (1 - q(d - 1))^B)`: a branching process.

use std::collections::BTreeSet;

use crate::error::Error;
use crate::interactions::leaves::Leaves;
use crate::interactions::settings::InteractionConfig;
use crate::random::{Purpose, Stream};
use crate::run::Run;
use crate::threads::ordered;

/// Sets by class: its label and signed variables, increasing.
pub(super) type Found = Vec<(u32, Vec<u32>)>;

/// The leaves of one class, drawn in proportion to their rows.
#[derive(Debug)]
struct Drawing<'a> {
    leaves: &'a Leaves,
    chosen: Vec<u32>,
    /// Weights, summed up to each of them.
    sums: Vec<f64>,
}

impl<'a> Drawing<'a> {
    fn new(leaves: &'a Leaves, label: u32) -> Self {
        let is_chosen = |leaf: &u32| leaves.labels[*leaf as usize] == label;
        let chosen: Vec<u32> = (0..leaves.len() as u32).filter(is_chosen).collect();
        let mut sum = 0.0;
        let up_to = |&leaf: &u32| {
            sum += leaves.weights[leaf as usize];
            sum
        };
        let sums = chosen.iter().map(up_to).collect();
        Self { leaves, chosen, sums }
    }

    fn path(&self, stream: &mut Stream) -> &'a [u32] {
        let Some(total) = self.sums.last() else { return &[] };
        let drawn = stream.unit() * total;
        let place = self.sums.partition_point(|sum| *sum <= drawn).min(self.sums.len() - 1);
        self.leaves.path(self.chosen[place] as usize)
    }

    /// What one tree finds.
    fn grow(&self, config: &InteractionConfig, stream: &mut Stream) -> BTreeSet<Vec<u32>> {
        let mut found = BTreeSet::new();
        let root = self.path(stream).to_vec();
        self.descend(root, 1, config, stream, &mut found);
        found
    }

    fn descend(
        &self,
        set: Vec<u32>,
        depth: usize,
        config: &InteractionConfig,
        stream: &mut Stream,
        found: &mut BTreeSet<Vec<u32>>,
    ) {
        // Sets only become smaller.
        if set.len() < config.min_size {
            return;
        }
        if depth == config.depth {
            found.insert(set);
            return;
        }
        for _ in 0..config.children {
            let common = intersection(&set, self.path(stream));
            self.descend(common, depth + 1, config, stream, found);
        }
    }
}

/// What two increasing lists share.
fn intersection(one: &[u32], other: &[u32]) -> Vec<u32> {
    one.iter().copied().filter(|code| other.binary_search(code).is_ok()).collect()
}

/// Grows the trees of all classes; sets are in increasing order of class and variables.
pub(super) fn search(
    leaves: &Leaves,
    n_labels: usize,
    config: &InteractionConfig,
    seed: u64,
    run: &Run,
) -> Result<Found, Error> {
    let mut all = Found::new();
    for label in 0..n_labels as u32 {
        let drawing = Drawing::new(leaves, label);
        let mut found = BTreeSet::new();
        let grow = |tree: usize, (): &mut ()| {
            let mut stream = Stream::new(seed, tree, Purpose::Intersections { label });
            Ok(drawing.grow(config, &mut stream))
        };
        ordered(config.trees, run, || (), grow, |_, sets| found.extend(sets))?;
        all.extend(found.into_iter().map(|set| (label, set)));
    }
    Ok(all)
}
