//! Whether variables depend on each other, pair by pair.

mod finding;

use crate::advice::Answer;
use wald::Error;
use wald::Run;
pub(super) use wald::association::compared::MATERIAL;
use wald::association::compared::{compared, ready};
use wald::data::{Column, Dataset};
use wald::grouping::dependences_of_groups;
use wald::words::counted;
use wald::work::{Purpose, Stream, ordered};

/// All pairs of more variables would take minutes.
pub(super) const MOST_COLUMNS: usize = 2000;

/// Rows that are looked at, at random; with so many, a rank correlation of 0.1 is far from zero.
pub(super) const MOST_ROWS: usize = 2000;

/// Where smaller correlations could be missed, nothing can be concluded.
const LARGE: f64 = 0.6;

/// With fewer rows nothing can be concluded.
pub(super) const LEAST_ROWS: usize = 20;

/// Mean dependence from which on variables are one cluster; as `--group-by dependence` has it.
pub(super) const CLUSTER: f64 = 0.7;

/// Two variables (groups) that are not independent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pair {
    pub(super) groups: [usize; 2],
    /// The columns where they depend most.
    pub(super) columns: [usize; 2],
    /// 0 to 1, a correlation of ranks or what would be one.
    pub(super) size: f64,
    /// What the size is, in words.
    how: &'static str,
    /// True where ranks do not show it.
    pub(super) is_not_monotone: bool,
    log_p: f64,
}

/// What was found.
#[derive(Debug, Clone)]
pub(super) struct Dependence {
    pub(super) answer: Answer,
    /// Pairs that are dependent beyond chance, Holm-adjusted; the most dependent first.
    pub(super) pairs: Vec<Pair>,
    n_tested: usize,
    n_rows: usize,
    /// The rank correlation that would be found in 8 of 10 tables.
    detectable: f64,
    /// Why it cannot be determined.
    refusal: Option<String>,
    n_groups: usize,
    n_in_clusters: usize,
    n_clusters: usize,
}

impl Dependence {
    /// Pairs that depend enough to matter.
    pub(super) fn material(&self) -> impl Iterator<Item = &Pair> {
        self.pairs.iter().filter(|pair| pair.size >= MATERIAL)
    }

    pub(super) fn n_clusters(&self) -> usize {
        self.n_clusters
    }

    /// True where a dependence that matters could well have been missed.
    pub(super) fn is_thin(&self) -> bool {
        self.answer == Answer::Unknown || (self.answer == Answer::No && self.detectable > MATERIAL)
    }
}

/// Tests all pairs of variables on random rows, each counting once. Cost O(rows * columns^2).
///
/// # Errors
/// [`Error::Cancelled`].
pub(super) fn dependence(
    data: &Dataset,
    level: f64,
    seed: u64,
    run: &Run,
) -> Result<Dependence, Error> {
    let columns = data.features().columns();
    let rows = some_rows(data.n_rows(), seed);
    let n_groups = data.groups().n_groups();
    let mut found = Dependence {
        answer: Answer::Unknown,
        pairs: Vec::new(),
        n_tested: 0,
        n_rows: rows.len(),
        detectable: 1.0,
        refusal: None,
        n_groups,
        n_in_clusters: 0,
        n_clusters: 0,
    };
    if columns.len() > MOST_COLUMNS {
        let what = format!("{} columns are too many to test all pairs", columns.len());
        return Ok(Dependence { refusal: Some(what), ..found });
    }
    if rows.len() < LEAST_ROWS {
        let what = format!("{} are too few to test dependence", units(data, rows.len()));
        return Ok(Dependence { refusal: Some(what), ..found });
    }
    let ready = ready(columns, &rows, run)?;
    let group_of = data.groups().of_column();
    let mut pairs: Vec<Pair> = Vec::new();
    let mut n_tested = 0;
    // Of groups of columns all pairs are tested, and the best one counts as so many.
    let of_groups = |a: usize, b: usize| {
        let members = data.groups().members();
        (members[a].len() * members[b].len()) as f64
    };
    let compare = |index: usize, (): &mut ()| {
        let test = |other: usize| {
            let (a, b) = (group_of[other] as usize, group_of[index] as usize);
            let tested = if a == b { None } else { compared(&ready[other], &ready[index]) };
            tested.map(|found| Pair {
                groups: [a.min(b), a.max(b)],
                columns: [other, index],
                size: found.size,
                how: found.how,
                is_not_monotone: found.is_not_monotone,
                log_p: (found.log_p + of_groups(a, b).ln()).min(0.0),
            })
        };
        let all: Vec<Pair> = (0..index).filter_map(test).collect();
        let n_tested = all.len();
        Ok((n_tested, all.into_iter().filter(|pair| pair.log_p <= level.ln()).collect()))
    };
    let note = |_, (tested, found): (usize, Vec<Pair>)| {
        n_tested += tested;
        pairs.extend(found);
    };
    ordered(columns.len(), run, || (), compare, note)?;
    if n_groups < columns.len() {
        pairs = best_of_groups(pairs);
        n_tested = n_groups * (n_groups - 1) / 2;
    }
    found.pairs = holm(pairs, n_tested, level);
    found.n_tested = n_tested;
    found.detectable = detectable(rows.len(), n_tested, level);
    found.answer = if found.material().next().is_some() {
        Answer::Yes
    } else if found.n_tested > 0 && found.detectable > LARGE {
        let unseen =
            format!("only a rank correlation of {:.2} or more would be found", found.detectable);
        found.refusal = Some(format!("With {}, {unseen}", units(data, rows.len())));
        Answer::Unknown
    } else {
        Answer::No
    };
    if found.pairs.iter().any(|pair| pair.size >= CLUSTER) {
        let all: Vec<&Column> = columns.iter().collect();
        let of_group = |members: &Vec<u32>| members.iter().map(|&one| one as usize).collect();
        let members: Vec<Vec<usize>> = data.groups().members().iter().map(of_group).collect();
        let merges = dependences_of_groups(&all, &members, run)?.merges;
        (found.n_clusters, found.n_in_clusters) = clusters(&merges, n_groups);
    }
    Ok(found)
}

/// At most [`MOST_ROWS`] rows, in their order.
fn some_rows(n_rows: usize, seed: u64) -> Vec<u32> {
    let mut rows: Vec<u32> = (0..n_rows as u32).collect();
    if n_rows > MOST_ROWS {
        Stream::new(seed, 0, Purpose::Advice { part: 15 }).shuffle(&mut rows);
        rows.truncate(MOST_ROWS);
        rows.sort_unstable();
    }
    rows
}

/// So many rows, or where there are clusters, rows of as many of them.
fn units(data: &Dataset, n_rows: usize) -> String {
    let of_clusters = if data.clusters().is_some() { " of different clusters" } else { "" };
    format!("{}{of_clusters}", counted(n_rows, "row"))
}

/// Of every two groups the pair of columns with the smallest p-value.
fn best_of_groups(mut pairs: Vec<Pair>) -> Vec<Pair> {
    pairs.sort_by(|a, b| a.groups.cmp(&b.groups).then(a.log_p.total_cmp(&b.log_p)));
    let mut best: Vec<Pair> = Vec::new();
    for pair in pairs {
        match best.last_mut() {
            Some(last) if last.groups == pair.groups => {
                if pair.size > last.size {
                    (last.size, last.how) = (pair.size, pair.how);
                }
            }
            _ => best.push(pair),
        }
    }
    best
}

/// The pairs that Holm (1979) rejects among so many tests, by decreasing size. p-values are on the
/// logarithmic scale, where those of thousands of rows still differ.
fn holm(mut pairs: Vec<Pair>, n_tests: usize, level: f64) -> Vec<Pair> {
    pairs.sort_by(|a, b| a.log_p.total_cmp(&b.log_p));
    let is_rejected =
        |(rank, pair): &(usize, &Pair)| pair.log_p + ((n_tests - rank) as f64).ln() <= level.ln();
    let rejected = pairs.iter().enumerate().take_while(is_rejected).count();
    pairs.truncate(rejected);
    pairs.sort_by(|a, b| b.size.total_cmp(&a.size).then(a.columns.cmp(&b.columns)));
    pairs
}

/// The rank correlation that a test at this level, adjusted for their number, finds with
/// probability 0.8.
fn detectable(n_rows: usize, n_tests: usize, level: f64) -> f64 {
    use statrs::distribution::{ContinuousCDF, Normal};
    let normal = Normal::standard();
    // Two tests per pair, two sides.
    let quantile = normal.inverse_cdf(1.0 - level / (4.0 * n_tests.max(1) as f64));
    ((quantile + normal.inverse_cdf(0.8)) / (n_rows as f64 - 1.0).sqrt()).min(1.0)
}

/// Number of clusters that merges from [`CLUSTER`] on make, and of the variables in them.
fn clusters(merges: &[(usize, usize, f64)], n_groups: usize) -> (usize, usize) {
    let mut cluster_of: Vec<usize> = (0..n_groups).collect();
    for (one, other, _) in merges.iter().filter(|(.., dependence)| *dependence >= CLUSTER) {
        let (kept, gone) = (cluster_of[*one], cluster_of[*other]);
        cluster_of.iter_mut().filter(|name| **name == gone).for_each(|name| *name = kept);
    }
    let mut sizes = vec![0; n_groups];
    cluster_of.iter().for_each(|&cluster| sizes[cluster] += 1);
    let large = || sizes.iter().filter(|size| **size > 1);
    (large().count(), large().sum())
}
