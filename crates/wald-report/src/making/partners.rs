//! Variables that stand in for each other: both left out together, against each alone.

use crate::answer::quantile;
use crate::leading::{SHARES, takes_long};
use crate::making::input::Making;
use crate::making::left_out::LeftOut;
use crate::making::orders::Orders;
use crate::making::steps::fits;
use crate::making::terms::sample;
use wald::Importance;
use wald::grouping::Dependences;
use wald::measure::{Measure, MeasureSettings, Part};
use wald::memory::Size;
use wald::work::jointly;

/// Partners are looked for among so many leading variables.
const LEADING_VARIABLES: usize = 30;

/// Less dependence than this explains less than 4 % of a variable: no stand-in.
const LEAST_DEPENDENCE: f64 = 0.2;

/// In each round of pairs, no variable is in two of them.
const N_ROUNDS: usize = 2;

/// The trees that are projected: fewer of large tables, so that this costs less than growing.
const MOST_TREES: usize = 100;
const FEWEST_TREES: usize = 30;
const MOST_ROWS_OF_TREES: usize = 300_000;

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
    pub(super) all: Vec<Pair>,
    /// So many independent rows, or clusters of them, their errors are from.
    pub(super) n_units: usize,
    /// The rows and trees that they were found from, in words, where these are not all.
    pub(super) sample: Option<String>,
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
        let z = one_sided(self.all.len(), self.n_units);
        self.all.iter().filter(move |pair| pair.shared() > z * pair.error)
    }
}

/// How many standard errors one of `n` differences that are zero exceeds in 5 of 100 cases at most
/// (Bonferroni), where errors are from so many independent rows, or clusters of them: of few, they are
/// uncertain themselves.
pub(super) fn one_sided(n: usize, n_units: usize) -> f64 {
    quantile(1.0 - 0.05 / n.max(1) as f64, n_units)
}

/// Pairs of candidates, the most dependent ones first. Candidates are places among the variables whose
/// dependences are known, as are the places in pairs.
fn candidate_pairs(found: &Dependences, n: usize, candidates: &[usize]) -> Vec<[usize; 2]> {
    let mut left: Vec<(f64, usize, usize)> = candidates
        .iter()
        .flat_map(|&one| candidates.iter().map(move |&other| (one, other)))
        .filter(|(one, other)| one < other)
        .map(|(one, other)| (found.values[one * n + other], one, other))
        .filter(|(dependence, ..)| *dependence >= LEAST_DEPENDENCE)
        .collect();
    left.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut pairs = Vec::new();
    for _ in 0..N_ROUNDS {
        let mut is_taken = vec![false; n];
        left.retain(|&(_, one, other)| {
            let is_free = !is_taken[one] && !is_taken[other];
            if is_free {
                (is_taken[one], is_taken[other]) = (true, true);
                pairs.push([one, other]);
            }
            !is_free
        });
    }
    pairs
}

/// What is lost without pairs of leading variables that depend on each other, by projecting the first
/// trees of the forest; `alone` is what is lost without single ones. Errors are those of a finite number
/// of trees and of the rows in the table together. Cost: that of `jointly`.
pub(super) fn partners(
    input: &Making<'_>,
    alone: Option<&Importance>,
    orders: &Orders,
    dependences: Option<&(Vec<usize>, Dependences)>,
) -> Result<Pairs, LeftOut> {
    let (Some(forest), Some((mapped, found))) = (input.study.forest(), dependences) else {
        return Err(LeftOut::because("the trees were not kept"));
    };
    let (data, run, names) = (input.data(), input.run, input.study.names());
    if takes_long(data.n_rows(), FEWEST_TREES) {
        return Err(LeftOut::because("they would take longer than growing the forest"));
    }
    let leading = orders.first(LEADING_VARIABLES);
    let candidates: Vec<usize> =
        (0..mapped.len()).filter(|&place| leading.contains(&mapped[place])).collect();
    let pairs = candidate_pairs(found, mapped.len(), &candidates);
    if pairs.is_empty() {
        return Ok(Pairs::default());
    }
    let n_trees = (MOST_ROWS_OF_TREES / data.n_rows()).clamp(FEWEST_TREES, MOST_TREES);
    let measure = Measure::new(SHARES, MeasureSettings::default())?;
    let measure = measure.with_part(Part { n_trees, n_rows: usize::MAX });
    measure.check(forest)?;
    measure.check_bags(forest, data)?;
    let Some(alone) = alone else {
        return Err(LeftOut::because("what is lost without single variables is unknown"));
    };
    fits(
        &Size::of_measuring(forest, data, std::slice::from_ref(&measure), run.threads),
        input.free,
    )?;
    let in_order = |pair: &[usize; 2]| pair.map(|place| mapped[place]);
    let pairs: Vec<[usize; 2]> = pairs.iter().map(in_order).collect();
    let sets: Vec<Vec<usize>> = pairs.iter().map(|pair| pair.to_vec()).collect();
    let together = jointly(forest, data, &sets, measure.settings(), run)?;
    let pair = |(&[one, other], at): (&[usize; 2], usize)| {
        let values = [lost(alone, one)?, lost(alone, other)?, lost(&together, at)?];
        let [(one_alone, _), (other_alone, _), (both, _)] = values;
        Some(Pair {
            names: [names[one].clone(), names[other].clone()],
            alone: [one_alone, other_alone],
            together: both,
            // The three values go together, so that this is rather too much.
            error: values.iter().map(|(_, error)| error * error).sum::<f64>().sqrt(),
        })
    };
    let pairs = pairs.iter().zip(0..).filter_map(pair).collect();
    let sample = sample(&together).map(str::to_owned);
    Ok(Pairs { all: pairs, n_units: input.n_units(), sample })
}

/// A value with its error.
fn lost(importance: &Importance, at: usize) -> Option<(f64, f64)> {
    let errors = importance.total_errors.as_ref().or(importance.standard_errors.as_ref())?;
    Some((importance.values[at]?, errors[at]?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twice its error is beyond chance for one pair of many rows, but not where the error is that of six
    /// clusters: R: qnorm(.95) = 1.645, qt(.95, 5) = 2.015.
    #[test]
    fn errors_of_few_clusters_need_more_to_be_exceeded() {
        let names = ["a".to_owned(), "b".to_owned()];
        let pair = Pair { names, alone: [0.1, 0.1], together: 0.4, error: 0.1 };
        let of = |n_units| {
            let pairs = Pairs { all: vec![pair.clone()], n_units, sample: None };
            pairs.redundant().count()
        };
        assert_eq!((of(6), of(500)), (0, 1));
        assert!((one_sided(1, 6) - 2.015_048_373).abs() < 1e-6);
        assert!((one_sided(1, 500) - 1.644_853_627).abs() < 1e-6);
    }
}
