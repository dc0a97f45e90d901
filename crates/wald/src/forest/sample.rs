//! Which rows are in the bag of a tree.

use serde::{Deserialize, Serialize};

use crate::data::Dataset;
use crate::data::Response;
use crate::forest::config::{Sampling, Settings};
use crate::random::{Purpose, Stream};

/// How often each row was drawn for a tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bag {
    counts: Vec<u16>,
}

impl Bag {
    /// A bag with the given multiplicities.
    pub(crate) fn from_counts(counts: Vec<u16>) -> Self {
        Self { counts }
    }

    /// Multiplicity of every row; 0 means out of bag.
    pub fn counts(&self) -> &[u16] {
        &self.counts
    }

    /// The rows that were drawn, increasing.
    pub(crate) fn in_bag(&self) -> impl Iterator<Item = u32> + '_ {
        (0_u32..).zip(&self.counts).filter(|(_, count)| **count > 0).map(|(row, _)| row)
    }

    /// The rows that were not drawn, increasing.
    pub(crate) fn out_of_bag(&self) -> impl Iterator<Item = u32> + '_ {
        (0_u32..).zip(&self.counts).filter(|(_, count)| **count == 0).map(|(row, _)| row)
    }
}

/// Draws bags; units are rows, or clusters of rows, in one stratum or one per class.
#[derive(Debug)]
pub(crate) struct Sampler {
    sampling: Sampling,
    seed: u64,
    n_rows: usize,
    /// Rows of each unit, as ranges of `rows`.
    units: Units,
    /// Units of each stratum and the number of draws from it.
    strata: Vec<(Vec<u32>, usize)>,
}

#[derive(Debug)]
enum Units {
    Rows,
    Clusters { starts: Vec<u32>, rows: Vec<u32> },
}

impl Sampler {
    pub(crate) fn new(data: &Dataset, settings: &Settings) -> Self {
        let (units, n_units) = match data.clusters() {
            None => (Units::Rows, data.n_rows()),
            Some(clusters) => group_by_cluster(clusters),
        };
        let strata = if let (true, Response::Classification(classes)) =
            (settings.stratify, data.target().response())
        {
            let mut members = vec![Vec::new(); classes.levels().len()];
            for (row, &class) in (0_u32..).zip(classes.codes()) {
                members[class as usize].push(row);
            }
            members.retain(|rows| !rows.is_empty());
            let smallest = members.iter().map(Vec::len).min().unwrap_or(0);
            let draws = n_draws(smallest, settings.sample_fraction);
            members.into_iter().map(|rows| (rows, draws)).collect()
        } else {
            let draws = n_draws(n_units, settings.sample_fraction);
            vec![((0..n_units as u32).collect(), draws)]
        };
        Self {
            sampling: settings.sampling,
            seed: settings.seed,
            n_rows: data.n_rows(),
            units,
            strata,
        }
    }

    /// The bag of the tree with the given index.
    pub(crate) fn bag(&self, tree: usize) -> Bag {
        let mut counts = vec![0_u16; self.n_rows];
        let mut stream = Stream::new(self.seed, tree, Purpose::Bag);
        for (members, draws) in &self.strata {
            match self.sampling {
                Sampling::All => {
                    for &unit in members {
                        self.add(unit, &mut counts);
                    }
                }
                Sampling::Bootstrap => {
                    for _ in 0..*draws {
                        let unit = members[stream.below(members.len() as u32) as usize];
                        self.add(unit, &mut counts);
                    }
                }
                Sampling::Subsample => {
                    let mut pool = members.clone();
                    for drawn in 0..*draws {
                        let rest = (pool.len() - drawn) as u32;
                        pool.swap(drawn, drawn + stream.below(rest) as usize);
                        self.add(pool[drawn], &mut counts);
                    }
                }
            }
        }
        Bag { counts }
    }

    fn add(&self, unit: u32, counts: &mut [u16]) {
        match &self.units {
            Units::Rows => {
                let count = &mut counts[unit as usize];
                *count = count.saturating_add(1);
            }
            Units::Clusters { starts, rows } => {
                let range = starts[unit as usize] as usize..starts[unit as usize + 1] as usize;
                for &row in &rows[range] {
                    counts[row as usize] = counts[row as usize].saturating_add(1);
                }
            }
        }
    }
}

fn n_draws(n_units: usize, fraction: f64) -> usize {
    ((n_units as f64 * fraction).round() as usize).clamp(1, n_units.max(1))
}

fn group_by_cluster(clusters: &[u32]) -> (Units, usize) {
    let mut rows: Vec<u32> = (0..clusters.len() as u32).collect();
    rows.sort_by_key(|&row| clusters[row as usize]);
    let mut starts = vec![0];
    for index in 1..rows.len() {
        if clusters[rows[index] as usize] != clusters[rows[index - 1] as usize] {
            starts.push(index as u32);
        }
    }
    let n_clusters = starts.len();
    starts.push(rows.len() as u32);
    (Units::Clusters { starts, rows }, n_clusters)
}
