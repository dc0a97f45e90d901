//! Clusters of columns that depend on each other: average linkage (Sokal & Michener 1958) by chains
//! of nearest neighbours (Benzecri 1982; Juan 1982).

use crate::association::Ranked;
use crate::data::Column;
use crate::error::Error;
use crate::grouping::found::{Dependences, Found};
use crate::random::scattered_rows;
use crate::run::Run;
use crate::setting;
use crate::threads::ordered;

/// All pairs of more columns would take minutes, and hundreds of megabytes.
const MOST_COLUMNS: usize = 2000;

/// With so many rows the error of a rank correlation is about 0.02.
const MOST_ROWS: usize = 2000;

/// More names than this are not part of a group's name.
const MOST_NAMES: usize = 3;

pub(super) fn clusters(columns: &[Column], threshold: f64, run: &Run) -> Result<Found, Error> {
    if !(threshold > 0.0 && threshold <= 1.0) {
        return Err(Error::bad_setting(
            setting::GROUP_BY,
            format!("the threshold of dependence is {threshold}"),
            "give a number above 0 and at most 1, for example 0.7",
        ));
    }
    let mut cluster_of: Vec<usize> = (0..columns.len()).collect();
    let all: Vec<&Column> = columns.iter().collect();
    for (one, other, similarity) in merges(similarities(&all, run)?) {
        if similarity >= threshold {
            let (kept, gone) = (cluster_of[one], cluster_of[other]);
            cluster_of.iter_mut().filter(|name| **name == gone).for_each(|name| *name = kept);
        }
    }
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); columns.len()];
    cluster_of.iter().enumerate().for_each(|(column, &cluster)| members[cluster].push(column));
    members.retain(|members| members.len() > 1);
    members.sort();
    Ok(members.into_iter().map(|members| (name(columns, &members), members)).collect())
}

fn name(columns: &[Column], members: &[usize]) -> String {
    let shown = if members.len() > MOST_NAMES { MOST_NAMES - 1 } else { members.len() };
    let names: Vec<&str> = members[..shown].iter().map(|&member| columns[member].name()).collect();
    let rest = members.len() - shown;
    let more = if rest > 0 { format!("+{rest} more") } else { String::new() };
    format!("{}{more}", names.join("+"))
}

/// Dependences of all pairs.
#[derive(Clone)]
struct Similarities {
    n: usize,
    of_pair: Vec<f64>,
}

pub(super) fn dependences(columns: &[Column], run: &Run) -> Result<Dependences, Error> {
    let columns: Vec<&Column> = columns.iter().collect();
    let all = similarities(&columns, run)?;
    let mut merges = merges(all.clone());
    merges.sort_by(|one, other| other.2.total_cmp(&one.2));
    let mut values = all.of_pair;
    (0..all.n).for_each(|column| values[column * all.n + column] = 1.0);
    Ok(Dependences { values, merges })
}

/// As [`dependences`], of groups of columns, given by their places: the largest dependence between a
/// column of one and a column of the other. Merges come in an order in which clusters are made before
/// they are merged.
pub(super) fn of_groups(
    columns: &[&Column],
    groups: &[Vec<usize>],
    run: &Run,
) -> Result<Dependences, Error> {
    let all = similarities(columns, run)?;
    let n = groups.len();
    let mut values = vec![1.0; n * n];
    for (one, columns) in groups.iter().enumerate() {
        for (other, others) in groups.iter().enumerate().filter(|(other, _)| *other != one) {
            let pairs = columns.iter().flat_map(|a| others.iter().map(move |b| (a, b)));
            values[one * n + other] =
                pairs.map(|(a, b)| all.of_pair[a * all.n + b]).fold(0.0, f64::max);
        }
    }
    let merges = merges(Similarities { n, of_pair: values.clone() });
    Ok(Dependences { values, merges })
}

fn similarities(columns: &[&Column], run: &Run) -> Result<Similarities, Error> {
    if columns.len() > MOST_COLUMNS {
        return Err(Error::too_large(
            format!(
                "the dependence of {} columns was requested; at most {MOST_COLUMNS} are possible",
                columns.len()
            ),
            "name groups of columns, or group them by their names",
        ));
    }
    let n_rows = columns.first().map_or(0, |column| column.len());
    let rows = scattered_rows(n_rows, MOST_ROWS);
    let mut ranked = Vec::with_capacity(columns.len());
    let rank = |index: usize, (): &mut ()| Ok(Ranked::new(&columns[index].select(&rows)));
    ordered(columns.len(), run, || (), rank, |_, column| ranked.push(column))?;
    let n = columns.len();
    let mut of_pair = vec![0.0; n * n];
    let compare = |index: usize, (): &mut ()| {
        Ok(ranked[..index].iter().map(|other| ranked[index].dependence(other)).collect())
    };
    let note = |index: usize, row: Vec<f64>| {
        for (other, similarity) in row.into_iter().enumerate() {
            of_pair[index * n + other] = similarity;
            of_pair[other * n + index] = similarity;
        }
    };
    ordered(n, run, || (), compare, note)?;
    Ok(Similarities { n, of_pair })
}

/// All n - 1 merges, as pairs of members of the clusters merged and their mean similarity. Cost
/// O(n^2): two clusters that are nearest to each other will be merged sooner or later, so that
/// they may be at once.
fn merges(mut all: Similarities) -> Vec<(usize, usize, f64)> {
    let n = all.n;
    let mut sizes = vec![1.0; n];
    let mut found = Vec::with_capacity(n);
    let mut chain: Vec<usize> = Vec::new();
    while found.len() + 1 < n {
        let last = match chain.last() {
            Some(&last) => last,
            None => match sizes.iter().position(|size| *size > 0.0) {
                Some(first) => first,
                None => break,
            },
        };
        if chain.is_empty() {
            chain.push(last);
        }
        let before = chain.len().checked_sub(2).map(|place| chain[place]);
        let row = &all.of_pair[last * n..(last + 1) * n];
        // Of equally near ones the one before, so that the chain ends.
        let mut nearest = before.map(|before| (before, row[before]));
        for (other, &similarity) in row.iter().enumerate() {
            let is_candidate = other != last && sizes[other] > 0.0;
            if is_candidate && nearest.is_none_or(|(_, best)| similarity > best) {
                nearest = Some((other, similarity));
            }
        }
        let Some((nearest, similarity)) = nearest else { break };
        if before != Some(nearest) {
            chain.push(nearest);
            continue;
        }
        chain.truncate(chain.len() - 2);
        found.push((last, nearest, similarity));
        let (kept, gone) = (last.min(nearest), last.max(nearest));
        let (of_kept, of_gone) = (sizes[kept], sizes[gone]);
        for other in (0..n).filter(|&other| sizes[other] > 0.0 && other != kept && other != gone) {
            let sum =
                of_kept * all.of_pair[kept * n + other] + of_gone * all.of_pair[gone * n + other];
            let mean = sum / (of_kept + of_gone);
            all.of_pair[kept * n + other] = mean;
            all.of_pair[other * n + kept] = mean;
        }
        sizes[kept] = of_kept + of_gone;
        sizes[gone] = 0.0;
    }
    found
}
