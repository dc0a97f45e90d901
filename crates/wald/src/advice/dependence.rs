//! Whether variables depend on each other, pair by pair.

use crate::advice::cells::{Cells, NOWHERE};
use crate::advice::words::{correlation, count, named};
use crate::advice::{Answer, Concern, Evidence, Finding};
use crate::association::{Independence, Ranked};
use crate::data::{Column, Dataset};
use crate::error::Error;
use crate::grouping::dependences_of_groups;
use crate::monitor::Monitor;
use crate::threads::{Threads, ordered};

/// All pairs of more variables would take minutes.
const MOST_COLUMNS: usize = 2000;

/// Rows that are looked at, evenly spread; with so many, a rank correlation of 0.1 is far from zero.
const MOST_ROWS: usize = 2000;

/// With fewer rows nothing can be told.
const LEAST_ROWS: usize = 20;

/// Cells per variable, at most; no fewer than five rows are expected per pair of cells (Cochran
/// 1954).
const MOST_CELLS: usize = 8;
const EXPECTED: usize = 5;

/// Less dependence than this moves the terms of Proposition 2 by less than a twentieth: of linear
/// effects, full and total Sobol index differ by the squared correlation.
pub(super) const MATERIAL: f64 = 0.2;

/// Mean dependence from which on variables are one cluster; as `--groups dependence` has it.
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
    /// Why it cannot be told.
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

/// Tests all pairs of variables on evenly spread rows, each counting once. Cost O(rows * columns^2).
///
/// # Errors
/// [`Error::Cancelled`].
pub(super) fn dependence(
    data: &Dataset,
    level: f64,
    (threads, monitor): (Threads, &Monitor),
) -> Result<Dependence, Error> {
    let columns = data.features().columns();
    let step = data.n_rows().div_ceil(MOST_ROWS).max(1);
    let rows: Vec<u32> = (0..data.n_rows() as u32).step_by(step).collect();
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
        let what = format!("{} rows are too few to test dependence", rows.len());
        return Ok(Dependence { refusal: Some(what), ..found });
    }
    let ready = ready(columns, &rows, threads, monitor)?;
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
    ordered(columns.len(), threads, monitor, || (), compare, note)?;
    if n_groups < columns.len() {
        pairs = best_of_groups(pairs);
        n_tested = n_groups * (n_groups - 1) / 2;
    }
    found.pairs = holm(pairs, n_tested, level);
    found.n_tested = n_tested;
    found.detectable = detectable(rows.len(), n_tested, level);
    found.answer = if found.material().next().is_some() { Answer::Yes } else { Answer::No };
    if found.pairs.iter().any(|pair| pair.size >= CLUSTER) {
        let all: Vec<&Column> = columns.iter().collect();
        let of_group = |members: &Vec<u32>| members.iter().map(|&one| one as usize).collect();
        let members: Vec<Vec<usize>> = data.groups().members().iter().map(of_group).collect();
        let merges = dependences_of_groups(&all, &members, (threads, monitor))?.merges;
        (found.n_clusters, found.n_in_clusters) = clusters(&merges, n_groups);
    }
    Ok(found)
}

type Ready = (Ranked, Option<Cells>);

fn ready(
    columns: &[Column],
    rows: &[u32],
    threads: Threads,
    monitor: &Monitor,
) -> Result<Vec<Ready>, Error> {
    let most = ((rows.len() / EXPECTED) as f64).sqrt() as usize;
    let most = most.clamp(2, MOST_CELLS);
    let mut ready = Vec::with_capacity(columns.len());
    let rank = |index: usize, (): &mut ()| {
        let column = columns[index].select(rows);
        let cells = Cells::new(&column, most, (EXPECTED * most).min(rows.len() / 2));
        // One cell tells nothing.
        Ok((Ranked::new(&column), Some(cells).filter(|cells| cells.size > 1)))
    };
    ordered(columns.len(), threads, monitor, || (), rank, |_, column| ready.push(column))?;
    Ok(ready)
}

/// How much two columns depend on each other, by the larger of two sizes.
struct Tested {
    size: f64,
    /// What the size is, in words.
    how: &'static str,
    /// True where ranks do not show it.
    is_not_monotone: bool,
    /// Logarithm of the p-value of the better of both tests.
    log_p: f64,
}

const BY_CELLS: &str = "informational correlation";

fn compared(one: &Ready, other: &Ready) -> Option<Tested> {
    let by_rank = one.0.tested(&other.0);
    let in_words = one.0.in_words(&other.0);
    let by_cell = match (&one.1, &other.1) {
        (Some(a), Some(b)) => by_cells(a, b),
        _ => None,
    };
    let by_one = |(size, test): (f64, Independence), how| Tested {
        size,
        how,
        is_not_monotone: false,
        log_p: test.log_p,
    };
    match (by_rank, by_cell) {
        (Some(found), None) => Some(by_one(found, in_words)),
        (None, Some(found)) => Some(by_one(found, BY_CELLS)),
        (Some((by_rank, ranks)), Some((by_cell, cells))) => {
            let log_p = (ranks.log_p.min(cells.log_p) + std::f64::consts::LN_2).min(0.0);
            let is_not_monotone = by_cell > by_rank + MATERIAL / 2.0 && cells.log_p < ranks.log_p;
            let how = if by_cell > by_rank { BY_CELLS } else { in_words };
            Some(Tested { size: by_rank.max(by_cell), how, is_not_monotone, log_p })
        }
        (None, None) => None,
    }
}

/// Chi-square of a table of cells, and the informational correlation of Linfoot (1957): what the
/// correlation of two normal variables with as much mutual information would be. What chance adds
/// to the information is taken off (Miller 1955).
fn by_cells(one: &Cells, other: &Cells) -> Option<(f64, Independence)> {
    let width = other.size;
    let mut table = vec![0.0; one.size * width];
    for (&a, &b) in one.codes.iter().zip(&other.codes) {
        if a != NOWHERE && b != NOWHERE {
            table[a as usize * width + b as usize] += 1.0;
        }
    }
    let total: f64 = table.iter().sum();
    let of_one: Vec<f64> = table.chunks_exact(width).map(|row| row.iter().sum()).collect();
    let of_other: Vec<f64> =
        (0..width).map(|b| table.iter().skip(b).step_by(width).sum()).collect();
    let present = |sums: &[f64]| sums.iter().filter(|sum| **sum > 0.0).count() as f64;
    let degrees = (present(&of_one) - 1.0) * (present(&of_other) - 1.0);
    if degrees < 1.0 {
        return None;
    }
    let (mut share, mut information) = (-1.0, 0.0);
    for (cell, &observed) in table.iter().enumerate().filter(|(_, observed)| **observed > 0.0) {
        let ratio = observed / of_one[cell / width] * (observed / of_other[cell % width]);
        share += ratio;
        information += observed / total * (ratio / observed * total).ln();
    }
    let information: f64 = (information - degrees / (2.0 * total)).max(0.0);
    let correlation = (-(-2.0 * information).exp_m1()).max(0.0).sqrt();
    let test = Independence::new(total, share.max(0.0), degrees)?;
    Some((correlation, test))
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

impl Pair {
    /// Both names and how much they depend on each other.
    fn in_words(&self, names: &[String]) -> String {
        let [one, other] = self.groups.map(|group| named(&names[group]));
        let how = if self.is_not_monotone { ", not monotone" } else { "" };
        format!("{one} and {other} ({} {}{how})", self.how, correlation(self.size))
    }
}

impl Dependence {
    /// In words.
    pub(super) fn finding(&self, names: &[String]) -> Finding {
        let n_material = self.material().count();
        let (concern, sentence, consequence) = match (self.answer, self.pairs.first()) {
            (Answer::Unknown, _) => (
                Concern::Unknown,
                format!("{}.", self.refusal.as_deref().unwrap_or("Dependence was not tested")),
                "Take variables as dependent: measures that are valid then are valid in any case.",
            ),
            (Answer::Yes, Some(first)) => (
                Concern::Serious,
                format!(
                    "{} of {} {} on each other by {MATERIAL} or more, most of all {}{}.",
                    n_material,
                    count(self.n_tested, "pair of variables", "pairs of variables"),
                    if n_material == 1 { "depends" } else { "depend" },
                    first.in_words(names),
                    match self.n_clusters {
                        0 => String::new(),
                        1 => format!(
                            "; {} variables form a cluster, joined at a mean dependence of {CLUSTER} or \
                             more",
                            self.n_in_clusters
                        ),
                        n => format!(
                            "; {} variables form {n} clusters, joined at a mean dependence of {CLUSTER} \
                             or more",
                            self.n_in_clusters
                        ),
                    }
                ),
                "Permutation importances mix what a variable adds with what it shares with others \
                 (Proposition 2); they answer a question only where effects add up.",
            ),
            (_, Some(first)) => (
                Concern::Minor,
                format!(
                    "Of {} none depends on each other by {MATERIAL} or more; beyond chance depend, most \
                     of all, {}.",
                    count(self.n_tested, "pair of variables", "pairs of variables"),
                    first.in_words(names)
                ),
                "So weak a dependence hardly moves permutation importances.",
            ),
            (_, None) => (
                Concern::None,
                if self.n_tested == 0 {
                    "There are no two variables that vary.".to_owned()
                } else {
                    format!(
                        "No dependence was found among {}; with {} a rank correlation of {:.2} \
                         would be found with probability 0.8.",
                        count(self.n_tested, "pair of variables", "pairs of variables"),
                        count(self.n_rows, "row", "rows"),
                        self.detectable
                    )
                },
                "",
            ),
        };
        let share = |of: usize| of as f64;
        let evidence = vec![
            Evidence::new("rows looked at", Some(share(self.n_rows))),
            Evidence::new("pairs tested", Some(share(self.n_tested))),
            Evidence::new("dependent pairs", Some(share(n_material))),
            Evidence::new("pairs dependent by any amount", Some(share(self.pairs.len()))),
            Evidence::new("largest dependence", self.pairs.first().map(|pair| pair.size)),
            Evidence::new(
                "logarithm of its p-value",
                self.pairs.first().map(|pair| pair.log_p).filter(|log_p| log_p.is_finite()),
            ),
            Evidence::new("clusters", Some(share(self.n_clusters))),
            Evidence::new("variables in clusters", Some(share(self.n_in_clusters))),
            Evidence::new(
                "detectable rank correlation",
                (self.n_tested > 0).then_some(self.detectable),
            ),
        ];
        Finding {
            id: "dependence".to_owned(),
            name: "Dependence between variables".to_owned(),
            concern,
            sentence,
            consequence: consequence.to_owned(),
            evidence,
            variables: self.variables(names),
            source: "Bénard, Da Veiga & Scornet 2022, Proposition 2 and Table 2; tests: Spearman \
                     1904, Kruskal & Wallis 1952, chi-square of cells; Holm 1979; level and power: \
                     docs/advice.md"
                .to_owned(),
        }
    }

    /// Variables that depend on others, the most dependent first.
    fn variables(&self, names: &[String]) -> Vec<String> {
        let mut seen = vec![false; self.n_groups];
        let members = self.material().flat_map(|pair| pair.groups);
        let new = members.filter(|&group| !std::mem::replace(&mut seen[group], true));
        new.map(|group| names[group].clone()).collect()
    }

    /// How many variables depend on others, in words that begin a sentence.
    pub(super) fn extent(&self, names: &[String]) -> String {
        match (self.variables(names).len(), self.n_groups) {
            (2, 2) => "Both variables depend on each other".to_owned(),
            (n, all) if n == all => format!("All {all} variables depend on others"),
            (n, all) => format!("{n} of {all} variables depend on others"),
        }
    }
}
