//! Variables that stand in for each other: both left out together, against each alone.

use std::collections::HashMap;

use statrs::distribution::{ContinuousCDF, Normal};

use crate::leading::SHARES;
use crate::leading::takes_long;
use crate::making::budget::Budget;
use crate::making::left_out::LeftOut;
use wald::data::Dataset;
use wald::forest::{Forest, ForestConfig};
use wald::grouping::Dependences;
use wald::inference::{Observed, Subsampling, subsampling};
use wald::measure::{Measure, MeasureSettings};
use wald::{Error, Importance, Run};

/// Partners are looked for among so many leading variables.
pub(super) const LEADING_VARIABLES: usize = 30;

/// Less dependence than this explains less than 4 % of a variable: no stand-in.
const LEAST_DEPENDENCE: f64 = 0.2;

/// Each round leaves out pairs that share no variable.
const MOST_ROUNDS: usize = 2;

/// The trees that are projected: fewer of large tables, so that this costs less than growing.
const MOST_TREES: usize = 100;
const FEWEST_TREES: usize = 30;
const MOST_ROWS_OF_TREES: usize = 500_000;

/// Forests on parts of the rows, which show what other rows would change, in every round; and what
/// they may take: about as much as growing and measuring 500 trees on 10,000 rows with 7 of 50
/// variables tried.
const FORESTS: usize = 10;
const WORK: f64 = 7.5e7;

/// A pair of variables and what is lost without them, in shares of the target's variance.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pair {
    pub(super) names: [String; 2],
    pub(super) alone: [f64; 2],
    pub(super) together: f64,
    /// Standard error of `together` less both `alone`.
    pub(super) error: f64,
}

/// All pairs that were left out.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Pairs {
    pub(super) pairs: Vec<Pair>,
}

impl Pair {
    /// What both explain that either of them explains, less what they explain only together.
    pub(super) fn shared(&self) -> f64 {
        self.together - self.alone[0] - self.alone[1]
    }
}

impl Pairs {
    /// Pairs that stand in for each other by more than their error: one-sided at 5 % for all pairs
    /// together.
    pub(super) fn redundant(&self) -> impl Iterator<Item = &Pair> {
        let z = one_sided(self.pairs.len());
        self.pairs.iter().filter(move |pair| pair.shared() > z * pair.error)
    }
}

/// How many standard errors one of `n` differences without meaning exceeds in 5 of 100 cases at most
/// (Bonferroni).
pub(super) fn one_sided(n: usize) -> f64 {
    Normal::standard().inverse_cdf(1.0 - 0.05 / n.max(1) as f64)
}

/// How pairs are left out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Search<'a> {
    pub(super) data: &'a Dataset,
    pub(super) forest: &'a Forest,
    /// How forests are grown for errors over samples of rows, and what is known of these errors
    /// of single variables; `None` for errors over trees alone.
    pub(super) refit: Option<(&'a ForestConfig, &'a HashMap<String, f64>)>,
    /// What is lost without single variables, where that is known.
    pub(super) alone: Option<&'a Values>,
}

impl Search<'_> {
    /// Rounds that take no longer than growing.
    pub(super) fn n_rounds(self) -> Result<usize, LeftOut> {
        if takes_long(self.data.n_rows(), FEWEST_TREES) {
            return Err(LeftOut::because("they would take longer than growing the forest"));
        }
        let Some((config, _)) = self.refit else { return Ok(1) };
        let of_tree = Budget::of_tree(self.data.n_rows(), config.resolve(self.data)?.mtry);
        let of_round = FRACTION * of_tree * (FORESTS * n_trees(config)) as f64;
        Ok(((WORK / of_round) as usize).clamp(1, MOST_ROUNDS))
    }
}

const FRACTION: f64 = 0.5;

fn n_trees(config: &ForestConfig) -> usize {
    config.n_trees.min(FEWEST_TREES)
}

/// Rounds of pairs of candidates, the most dependent ones first; no variable is in two pairs of a round.
/// Candidates are places among the variables named, whose dependences are known.
pub(super) fn rounds(
    names: &[&str],
    found: &Dependences,
    candidates: &[usize],
    n_rounds: usize,
) -> Vec<Vec<[String; 2]>> {
    let n = names.len();
    let mut pairs: Vec<(f64, usize, usize)> = candidates
        .iter()
        .flat_map(|&one| candidates.iter().map(move |&other| (one, other)))
        .filter(|(one, other)| one < other)
        .map(|(one, other)| (found.values[one * n + other], one, other))
        .filter(|(dependence, ..)| *dependence >= LEAST_DEPENDENCE)
        .collect();
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut rounds = Vec::new();
    for _ in 0..n_rounds {
        let mut is_taken = vec![false; n];
        let mut round = Vec::new();
        pairs.retain(|&(_, one, other)| {
            let is_free = !is_taken[one] && !is_taken[other];
            if is_free {
                (is_taken[one], is_taken[other]) = (true, true);
                round.push([names[one].to_owned(), names[other].to_owned()]);
            }
            !is_free
        });
        if !round.is_empty() {
            rounds.push(round);
        }
    }
    rounds
}

/// Values of Sobol-MDA with their errors over trees, by variable.
pub(super) type Values = HashMap<String, (f64, f64)>;

/// Projects the first trees of a forest on what is left without pairs. Errors are those over trees,
/// and, where the forest can be grown again, those over samples of rows. Cost: a pass of Sobol-MDA
/// per round, and one where single variables are not known, and in every round one for forests on parts of
/// the rows.
pub(super) fn partners(
    search: Search<'_>,
    rounds: &[Vec<[String; 2]>],
    run: &Run,
) -> Result<Pairs, Error> {
    let n_cheap = MOST_ROWS_OF_TREES / search.data.n_rows();
    let trees = search.forest.first_trees(n_cheap.clamp(FEWEST_TREES, MOST_TREES));
    let alone = match search.alone {
        Some(known) => known.clone(),
        None => values(&trees, search.data, run)?,
    };
    let mut pairs = Vec::new();
    for round in rounds {
        let named: Vec<String> = (0..round.len()).map(|at| free_name(search.data, at)).collect();
        let data = grouped(search.data, round, &named)?;
        let together = values(&trees, &data, run)?;
        let sampled = match search.refit {
            Some((config, _)) => sampling_errors(&data, config, run)?,
            None => HashMap::new(),
        };
        for (names, group) in round.iter().zip(&named) {
            let (Some(&one), Some(&other), Some(&both)) =
                (alone.get(&names[0]), alone.get(&names[1]), together.get(group))
            else {
                continue;
            };
            let of_rows = |errors: &HashMap<String, f64>, name: &String| errors.get(name).copied();
            let single = |name| search.refit.and_then(|(_, known)| of_rows(known, name));
            let errors = [
                one.1,
                other.1,
                both.1,
                single(&names[0]).unwrap_or(0.0),
                single(&names[1]).unwrap_or(0.0),
                of_rows(&sampled, group).unwrap_or(0.0),
            ];
            pairs.push(Pair {
                names: names.clone(),
                alone: [one.0, other.0],
                together: both.0,
                // The three values go together, so that this is rather too much.
                error: errors.iter().map(|error| error * error).sum::<f64>().sqrt(),
            });
        }
    }
    Ok(Pairs { pairs })
}

fn sobol_mda() -> Result<[Measure; 1], Error> {
    Ok([Measure::new(SHARES, MeasureSettings::default())?])
}

fn values(forest: &Forest, data: &Dataset, run: &Run) -> Result<Values, Error> {
    let measured = forest.measure(data, &sobol_mda()?, run)?;
    let Some(importance) = measured.importances.first() else { return Ok(Values::new()) };
    Ok(of_variables(measured.groups.names(), importance))
}

/// Values with their errors over trees, of the variables that have both.
pub(super) fn of_variables(names: &[String], importance: &Importance) -> Values {
    let value = |(at, name): (usize, &String)| {
        Some((name.clone(), (importance.values[at]?, error_over_trees(importance, at)?)))
    };
    names.iter().enumerate().filter_map(value).collect()
}

fn sampling_errors(
    data: &Dataset,
    config: &ForestConfig,
    run: &Run,
) -> Result<HashMap<String, f64>, Error> {
    let settings =
        Subsampling { n_subsamples: FORESTS, fraction: FRACTION, n_trees: Some(n_trees(config)) };
    let sampled = subsampling(data, config, Observed::new(&sobol_mda()?, &[]), &settings, run)?;
    let errors = sampled.into_iter().flat_map(|sampled| sampled.standard_errors);
    let named = data.groups().names().iter().zip(errors);
    Ok(named.filter_map(|(name, error)| Some((name.clone(), error?))).collect())
}

fn error_over_trees(importance: &Importance, at: usize) -> Option<f64> {
    importance.standard_errors.as_ref()?[at]
}

/// The same data with every pair as one group, beside the groups there are.
fn grouped(data: &Dataset, pairs: &[[String; 2]], named: &[String]) -> Result<Dataset, Error> {
    let groups = data.groups();
    let columns = data.features().columns();
    let members: HashMap<&str, Vec<String>> = groups
        .names()
        .iter()
        .zip(groups.members())
        .map(|(name, members)| {
            let names = members.iter().map(|&member| columns[member as usize].name().to_owned());
            (name.as_str(), names.collect())
        })
        .collect();
    let of = |name: &String| members.get(name.as_str()).cloned().unwrap_or_default();
    let mut all: Vec<(String, Vec<String>)> = pairs
        .iter()
        .zip(named)
        .map(|(pair, name)| (name.clone(), pair.iter().flat_map(of).collect()))
        .collect();
    let is_paired = |name: &String| pairs.iter().flatten().any(|paired| paired == name);
    let others = groups.names().iter().filter(|name| !is_paired(name) && of(name).len() > 1);
    all.extend(others.map(|name| (name.clone(), of(name))));
    data.clone().with_groups(&all)
}

/// A name that no variable has.
fn free_name(data: &Dataset, at: usize) -> String {
    let mut name = format!("pair {at}");
    while data.features().column(&name).is_some() || data.groups().names().contains(&name) {
        name.push('\'');
    }
    name
}
