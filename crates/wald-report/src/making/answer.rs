//! What matters: shares of single variables and of clusters of them.

use statrs::distribution::{ContinuousCDF, Normal};

use crate::advice::{dependence_of_rows, remedy, slow_names, strength};
use crate::answer::{
    Answer, AnswerEntry, DependentRows, FirstOrder, Subject, by_rank, in_sentences, judged,
};
use crate::leading::{FIRST_ORDER, PERMUTED, SHARES, takes_long, unasked};
use crate::making::dependence_map::{THRESHOLD, dependences_of};
use crate::making::input::Making;
use crate::making::left_out::LeftOut;
use crate::making::orders::Orders;
use crate::making::regrown::{Regrown, Shares};
use crate::making::steps::fits;
use crate::study::Depth;
use wald::data::{ColumnData, Dataset};
use wald::measure::{Measure, MeasureSettings};
use wald::memory::Size;
use wald::pass::Errors;
use wald::work::{first_order as first_order_with_errors, jointly};
use wald::{Error, Importance, Run};

/// Clusters are looked for among so many variables; all pairs of more take longer than growing.
const MOST_VARIABLES: usize = 500;

/// With fewer rows, dependence cannot be distinguished from chance.
const FEWEST_ROWS: usize = 8;

/// Rows that dependence is looked for on.
const MOST_ROWS: f64 = 2000.0;

/// The level of the claim that any cluster depends at all.
const LEVEL: f64 = 0.05;

/// Variables named where none adds anything beyond the others.
const MOST_FIRST: usize = 3;

/// Variables named where shares are unknown.
const LEADERS: usize = 5;

/// The share of every variable, and of clusters where the trees are at hand.
pub(super) fn answer(
    input: &Making<'_>,
    orders: &Orders,
    lead: usize,
    run: &Run,
) -> Result<Answer, LeftOut> {
    let measured = &input.study.measured;
    let has_splits = measured.mean_leaves > 1.0;
    let own = match shares(input, run)? {
        Ok(own) => own,
        Err(why) => return of_ranks(input, orders, lead, has_splits, &why),
    };
    let (measure, found) = &own;
    let names = measured.groups.names();
    let (sets, without_groups) = match input.study.forest() {
        None => (Vec::new(), Some("the trees were not kept")),
        Some(_) if measured.groups.n_groups() < 2 => (Vec::new(), None),
        Some(_) => (clusters(input.data(), names, orders, run)?, None),
    };
    let joint = match input.study.forest() {
        Some(forest) if !sets.is_empty() => {
            Some(jointly(forest, input.data(), &sets, measure.settings(), run)?)
        }
        _ => None,
    };
    let clustered = sets.iter().map(Vec::len).sum::<usize>();
    let n = names.len() - clustered + sets.len();
    let n_rows = input.data().rows_of_positive_weight().len();
    let (n_clusters, n_units) = (input.n_clusters(), input.n_units());
    let with_sets = joint.as_ref().map(|joint| (joint, &sets[..]));
    let again = Regrown::of(input, found, with_sets, run)?;
    let entry = |name: String, found: &Importance, again: &Shares, at: usize| {
        let share = found.values[at];
        if let Some(&(regrown, error)) = again.get(&at) {
            let entry = AnswerEntry::new(name, regrown, error, None, (n, n_units));
            return AnswerEntry { masked_share: share, ..entry };
        }
        let error = found.total_errors.as_ref().and_then(|errors| errors[at]);
        let excess = found.excesses.as_ref().and_then(|excesses| excesses[at]);
        AnswerEntry::new(name, share, error, excess, (n, n_units))
    };
    let first_order = first_order(input, run)?;
    let single = |group: usize| {
        let of_group = first_order.as_ref().and_then(|first| {
            let error = first.total_errors.as_ref().and_then(|errors| errors[group]);
            Some(FirstOrder::new(first.values[group]?, error))
        });
        let entry = entry(names[group].clone(), found, &again.singles, group);
        AnswerEntry { first_order: of_group, ..entry }
    };
    let by_share = |entries: &mut Vec<AnswerEntry>| {
        let key = |entry: &AnswerEntry| entry.share.map_or(f64::INFINITY, |share| -share);
        entries.sort_by(|one, other| key(one).total_cmp(&key(other)));
    };
    let mut is_member = vec![false; names.len()];
    let mut entries = Vec::with_capacity(n);
    for (at, set) in sets.iter().enumerate() {
        set.iter().for_each(|&group| is_member[group] = true);
        let mut members: Vec<AnswerEntry> = set.iter().map(|&group| single(group)).collect();
        let name = set.iter().map(|&group| names[group].as_str()).collect::<Vec<_>>().join(", ");
        by_share(&mut members);
        let together = joint.as_ref().map(|joint| entry(name, joint, &again.sets, at));
        entries.extend(together.map(|together| AnswerEntry { members, ..together }));
    }
    let singles = (0..names.len()).filter(|&group| !is_member[group]);
    entries.extend(singles.map(single));
    by_share(&mut entries);
    let explained = explained(measured.errors.as_ref());
    let dependent = dependent(input)?;
    judged(&mut entries, strength(input.study)?.is_nothing(), dependent.as_ref());
    let sample = found.notes.iter().find_map(|note| taken(note));
    let n_trees = measure.settings().part.map_or(measured.n_trees, |part| part.n_trees);
    let first = first(input);
    let about = Subject {
        first: &first,
        target: input.data().target().name(),
        task: input.data().target().task(),
        n_rows,
        n_trees: n_trees.min(measured.n_trees),
        n_regrown: again.n_trees,
        sample: sample.as_deref(),
        explained,
        has_splits,
        n_clusters,
        dependent: dependent.as_ref(),
        without_groups,
    };
    let has_intervals = entries.iter().any(|entry| entry.low.is_some());
    let is_masked = entries.iter().any(|entry| entry.too_large_by.is_some());
    Ok(Answer {
        sentences: in_sentences(&entries, about),
        measure: found.id.to_owned(),
        unit: found.unit.clone(),
        interval: has_intervals.then(|| interval(n_clusters.is_some(), is_masked)),
        sample,
        entries,
    })
}

/// Rows that depend on their neighbours, where they are found to.
fn dependent(input: &Making<'_>) -> Result<Option<DependentRows>, Error> {
    let Some(found) = dependence_of_rows(input.study)? else { return Ok(None) };
    let correlation = found.correlation.filter(|_| found.is_found);
    Ok(correlation.map(|correlation| DependentRows {
        correlation,
        slow: slow_names(input.study),
        remedy: remedy(input.wording()),
    }))
}

/// The rows and trees that a measure was computed from, where a note names them.
fn taken(note: &str) -> Option<String> {
    let taken = note.strip_prefix("computed ").unwrap_or(note).strip_prefix("from ")?;
    Some(taken.replace(" rows, ", " rows and "))
}

/// What intervals cover.
fn interval(are_clustered: bool, is_masked: bool) -> String {
    let units = if are_clustered { "clusters" } else { "rows" };
    let masking = if is_masked { "; lower ends are of shares less what masking adds" } else { "" };
    format!(
        "share ± 1.96 standard errors (of fewer than 100 {units}, Student's quantile), of a finite \
         number of trees and of the {units} in the table together; for each variable alone{masking}"
    )
}

fn explained(errors: Option<&Errors>) -> Option<f64> {
    match errors? {
        Errors::Regression { explained_variance, .. }
        | Errors::Classification { explained_variance, .. } => *explained_variance,
    }
}

/// The variables that permuting costs most, as far as that is not the error of the trees.
fn first<'a>(input: &Making<'a>) -> Vec<&'a str> {
    let mut pairs = input.study.importances();
    let found = pairs.find(|(measure, _)| measure.id() == PERMUTED);
    let Some((_, found)) = found else { return Vec::new() };
    let Some(errors) = &found.standard_errors else { return Vec::new() };
    let is_above = |&at: &usize| {
        found.values[at].zip(errors[at]).is_some_and(|(value, error)| value > 1.96 * error)
    };
    let names = input.study.names();
    let leaders = found.order().into_iter().take_while(is_above).take(MOST_FIRST);
    leaders.map(|at| names[at].as_str()).collect()
}

type Measured = (Measure, Importance);

/// The share of every variable: measured before, or now; in words why there is none.
fn shares(input: &Making<'_>, run: &Run) -> Result<Result<Measured, String>, LeftOut> {
    let pairs = input.study.importances();
    let known = pairs.clone().find(|(measure, _)| measure.id() == SHARES);
    if let Some((measure, importance)) = known {
        return Ok(Ok((measure.clone(), importance.clone())));
    }
    let measure = Measure::new(SHARES, MeasureSettings::default())?;
    let Some(fitted) = input.fitted() else {
        return Ok(Err("the trees were not kept".to_owned()));
    };
    let forest = fitted.forest();
    if let Err(error) = fitted.check(&measure) {
        return Ok(Err(match error {
            Error::Measure { measure, why, .. } => {
                format!("`{measure}` {}", why.worded(input.wording()))
            }
            error => error.worded(input.wording()).what,
        }));
    }
    let size =
        Size::of_measuring(forest, input.data(), std::slice::from_ref(&measure), run.threads);
    let measure = match unasked(measure, input.data().n_rows(), forest.trees().len(), &size) {
        Ok(measure) => measure,
        Err(why) => return Ok(Err(format!("`{}` {why}", SHARES.info().id))),
    };
    let measures = [measure];
    fits(&Size::of_measuring(forest, input.data(), &measures, run.threads), input.free)?;
    let mut importances = fitted.measure(&measures, run)?.importances;
    let [measure] = measures;
    Ok(importances.pop().map(|found| (measure, found)).ok_or_else(|| "it has no value".to_owned()))
}

/// What every variable explains by itself, with errors of trees and rows where that takes less time than growing the
/// forest; else what was measured before, without.
fn first_order(input: &Making<'_>, run: &Run) -> Result<Option<Importance>, LeftOut> {
    let mut pairs = input.study.importances();
    let known =
        pairs.find(|(measure, _)| measure.id() == FIRST_ORDER).map(|(_, known)| known.clone());
    let Some(fitted) = input.fitted().filter(|_| input.content.depth != Depth::Answer) else {
        return Ok(known);
    };
    let (forest, data) = (fitted.forest(), input.data());
    // Rows are divided at all nodes for each of these, and for all others together.
    let is_costly = |members: &Vec<u32>| match members[..] {
        [column] => {
            let column = &data.features().columns()[column as usize];
            !matches!(column.data(), ColumnData::Numeric(_)) || column.n_missing() > 0
        }
        _ => true,
    };
    let n_costly = data.groups().members().iter().filter(|members| is_costly(members)).count();
    let measures = [Measure::new(FIRST_ORDER, MeasureSettings::default())?];
    let mut size = Size::of_measuring(forest, data, &measures, run.threads);
    let n_numbers = data.n_rows() * data.groups().n_groups() * data.target().n_outputs();
    size.altered += 8 * n_numbers as u64;
    let is_refused = fitted.check(&measures[0]).is_err() || fits(&size, input.free).is_err();
    if is_refused || takes_long(data.n_rows() * (1 + n_costly), forest.trees().len()) {
        return Ok(known);
    }
    Ok(Some(first_order_with_errors(forest, data, run)?))
}

/// The answer of a forest of which shares are unknown.
fn of_ranks(
    input: &Making<'_>,
    orders: &Orders,
    lead: usize,
    has_splits: bool,
    why: &str,
) -> Result<Answer, LeftOut> {
    let lead = input.study.importances().nth(lead);
    let names = input.study.names();
    let (name, id, unit, leaders) = match lead {
        Some((measure, found)) => {
            let info = measure.id().info();
            let is_above = |&&at: &&usize| {
                found.values[at].is_some_and(|value| info.small_is_important || value > 0.0)
            };
            let leaders = orders.lead.iter().take_while(is_above).take(LEADERS);
            let leaders: Vec<&str> = leaders.map(|&at| names[at].as_str()).collect();
            (info.name, info.id, found.unit.clone(), leaders)
        }
        None => ("the measures", "", String::new(), Vec::new()),
    };
    let target = input.data().target().name();
    let dependent = dependent(input)?;
    Ok(Answer {
        sentences: by_rank(name, &leaders, target, has_splits, dependent.as_ref(), why),
        measure: id.to_owned(),
        unit,
        sample: None,
        interval: None,
        entries: Vec::new(),
    })
}

/// Variables that depend on each other beyond chance, as places among the values of measures.
fn clusters(
    data: &Dataset,
    names: &[String],
    orders: &Orders,
    run: &Run,
) -> Result<Vec<Vec<usize>>, Error> {
    let places = orders.first(MOST_VARIABLES);
    let n_rows = data.n_rows();
    if n_rows < FEWEST_ROWS || places.len() < 2 {
        return Ok(Vec::new());
    }
    let chosen: Vec<&str> = places.iter().map(|&at| names[at].as_str()).collect();
    let merges = dependences_of(data, &chosen, run)?.merges;
    let n = places.len() as f64;
    let quantile = Normal::standard().inverse_cdf(1.0 - LEVEL / (n * (n - 1.0)));
    let by_chance = (quantile / ((n_rows as f64).min(MOST_ROWS) - 3.0).sqrt()).tanh();
    let mut cluster_of: Vec<usize> = (0..places.len()).collect();
    let close = merges.iter().filter(|(.., size)| *size >= THRESHOLD.max(by_chance));
    for (one, other, _) in close {
        let (kept, gone) = (cluster_of[*one], cluster_of[*other]);
        cluster_of.iter_mut().filter(|name| **name == gone).for_each(|name| *name = kept);
    }
    let mut sets: Vec<Vec<usize>> = vec![Vec::new(); places.len()];
    cluster_of.iter().zip(&places).for_each(|(&cluster, &at)| sets[cluster].push(at));
    sets.retain(|set| set.len() > 1);
    sets.iter_mut().for_each(|set| set.sort_unstable());
    sets.sort();
    Ok(sets)
}
