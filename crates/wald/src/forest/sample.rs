//! Which rows are in the bag of a tree.

use serde::{Deserialize, Serialize};

use crate::data::{Dataset, Response};
use crate::error::Error;
use crate::forest::settings::Settings;
use crate::forest::ways::Sampling;
use crate::random::{Purpose, Stream};

/// Nodes are numbered by u32, and a tree has up to two of them for a row in its bag.
const MOST_ROWS_IN_BAG: f64 = (1_u64 << 31) as f64;

/// How often each row was drawn for a tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bag {
    counts: Vec<u16>,
}

impl Bag {
    /// A bag with the given multiplicities.
    pub fn from_counts(counts: Vec<u16>) -> Self {
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
    first_tree: usize,
    n_rows: usize,
    /// Rows of each unit, as ranges of `rows`.
    units: Units,
    /// Strata and the number of draws from each.
    strata: Vec<(Stratum, usize)>,
}

/// The units that some draws are from.
#[derive(Debug)]
enum Stratum {
    /// So many, which are all.
    All(u32),
    Listed(Vec<u32>),
}

impl Stratum {
    fn len(&self) -> usize {
        match self {
            Self::All(n) => *n as usize,
            Self::Listed(units) => units.len(),
        }
    }

    /// The unit at a place.
    #[inline]
    fn unit(&self, place: u32) -> u32 {
        match self {
            Self::All(_) => place,
            Self::Listed(units) => units[place as usize],
        }
    }

    fn units(&self) -> impl Iterator<Item = u32> {
        (0..self.len() as u32).map(|place| self.unit(place))
    }
}

/// What a bag holds on average.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expected {
    /// Rows that are in it.
    pub(crate) rows: f64,
    /// Their multiplicities, summed.
    pub(crate) draws: f64,
}

#[derive(Debug)]
enum Units {
    Rows,
    Clusters { starts: Vec<u32>, rows: Vec<u32> },
}

impl Expected {
    fn check(self) -> Result<(), Error> {
        if self.rows < MOST_ROWS_IN_BAG {
            return Ok(());
        }
        Err(Error::too_large(
            format!(
                "a tree of {:.0} rows may have more nodes than can be numbered; at most \
                 {MOST_ROWS_IN_BAG} rows are possible",
                self.rows
            ),
            "use a sample of the rows, or a smaller sample fraction",
        ))
    }
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
            members.into_iter().map(|rows| (Stratum::Listed(rows), draws)).collect()
        } else {
            let draws = n_draws(n_units, settings.sample_fraction);
            vec![(Stratum::All(n_units as u32), draws)]
        };
        Self {
            sampling: settings.sampling,
            seed: settings.seed,
            first_tree: settings.first_tree,
            n_rows: data.n_rows(),
            units,
            strata,
        }
    }

    /// What a bag holds on average.
    ///
    /// # Errors
    /// [`Error::TooLarge`] when a tree could have more nodes than can be numbered.
    pub(crate) fn expected(&self) -> Result<Expected, Error> {
        let distinct = |n_units: f64, draws: f64| match self.sampling {
            Sampling::All => n_units,
            Sampling::Subsample => draws,
            Sampling::Bootstrap => -n_units * (draws * (-1.0 / n_units).ln_1p()).exp_m1(),
        };
        let n_units: usize = self.strata.iter().map(|(stratum, _)| stratum.len()).sum();
        let rows_per_unit = self.n_rows as f64 / n_units as f64;
        let mut expected = Expected { rows: 0.0, draws: 0.0 };
        for (stratum, draws) in &self.strata {
            let (members, draws) = (stratum.len() as f64, *draws as f64);
            let draws = if self.sampling == Sampling::All { members } else { draws };
            expected.rows += rows_per_unit * distinct(members, draws);
            expected.draws += rows_per_unit * draws;
        }
        expected.check()?;
        Ok(expected)
    }

    /// The bag of the tree with the given index.
    pub(crate) fn bag(&self, tree: usize) -> Bag {
        let mut counts = vec![0_u16; self.n_rows];
        let mut stream = Stream::new(self.seed, self.first_tree + tree, Purpose::Bag);
        for (stratum, draws) in &self.strata {
            match self.sampling {
                Sampling::All => stratum.units().for_each(|unit| self.add(unit, &mut counts)),
                Sampling::Bootstrap => {
                    for _ in 0..*draws {
                        let place = stream.below(stratum.len() as u32);
                        self.add(stratum.unit(place), &mut counts);
                    }
                }
                Sampling::Subsample => {
                    let mut pool: Vec<u32> = stratum.units().collect();
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
    ((n_units as f64 * fraction).round() as usize).max(1)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Target};
    use crate::forest::config::ForestConfig;

    #[test]
    fn bags_hold_what_is_expected_of_them() {
        let x: Vec<f64> = (0..1000).map(f64::from).collect();
        let classes = (0..1000).map(|row| u32::from(row % 10 == 0)).collect();
        let names = vec!["often".to_owned(), "rarely".to_owned()];
        let target = Target::classification("y", names, classes).expect("two classes");
        let data = Dataset::new(vec![Column::numeric("x", x).expect("finite")], target);
        let data = data.expect("a data set");
        let clustered = data.clone().with_clusters((0..1000).map(|row| row / 4).collect());
        let clustered = clustered.expect("one cluster per row");
        let config = ForestConfig::default();
        let balanced = ForestConfig { stratify: true, ..config.clone() };
        let few = ForestConfig { sample_fraction: Some(0.3), ..config.clone() };
        let without = ForestConfig { sampling: Sampling::Subsample, ..config.clone() };
        let all = ForestConfig { sampling: Sampling::All, ..config.clone() };
        for (data, config) in [
            (&data, &config),
            (&data, &balanced),
            (&data, &few),
            (&data, &without),
            (&data, &all),
            (&clustered, &config),
            (&clustered, &without),
        ] {
            let sampler = Sampler::new(data, &config.resolve(data).expect("fitting settings"));
            let expected = sampler.expected().expect("few rows");
            let bags: Vec<Bag> = (0..50).map(|tree| sampler.bag(tree)).collect();
            let mean = |of: &dyn Fn(u16) -> f64| {
                bags.iter().flat_map(Bag::counts).map(|&count| of(count)).sum::<f64>() / 50.0
            };
            let (rows, draws) = (mean(&|count| f64::from(count.min(1))), mean(&f64::from));
            assert!((rows - expected.rows).abs() < 0.02 * rows, "{rows} {}", expected.rows);
            assert!((draws - expected.draws).abs() < 1e-6, "{draws} {}", expected.draws);
        }
    }

    #[test]
    fn more_nodes_than_can_be_numbered_are_refused() {
        let bag = |rows: f64| Expected { rows, draws: rows };
        assert_eq!(bag(2e9).check(), Ok(()));
        let refusal = bag(4e9).check();
        assert!(
            matches!(refusal, Err(Error::TooLarge { what, .. }) if what.contains("2147483648"))
        );
    }
}
