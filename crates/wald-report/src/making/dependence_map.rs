//! The map of dependent variables, as a picture needs it.

use std::collections::HashMap;

use crate::parts::{DependenceMap, Merge};
use crate::study::Study;
use wald::data::{Column, Dataset};
use wald::grouping::{Dependences, dependences_of_groups};
use wald::{Error, Run};

/// A map of more variables cannot be read.
pub(super) const MOST_MAPPED: usize = 100;

/// Mean rank correlation from which on variables are a cluster; as `--group-by dependence` has it.
pub(super) const THRESHOLD: f64 = 0.7;

const METHOD: &str = "Dependence of ranks, between 0 and 1: the absolute rank correlation of two \
                      numbers (Spearman), the correlation ratio of ranks between a number and \
                      levels, and Cramér's V between levels, the latter two corrected for chance; \
                      on at most 2000 rows, scattered over the table. Non-monotone dependence is not \
                      detected. The tree joins variables by average linkage";

impl DependenceMap {
    /// The map of the variables that the first measure of a study ranks best, at most so many of them and
    /// 100. Cost O(rows * columns^2).
    ///
    /// # Errors
    /// [`Error::Setting`] where there are fewer than two, and [`Error::Cancelled`].
    pub fn of_study(study: &Study, most: usize, run: &Run) -> Result<Self, Error> {
        let names = study.names();
        let all = study.measured.importances.first().map(wald::Importance::order);
        let order = all.unwrap_or_else(|| (0..names.len()).collect());
        let best: Vec<&str> =
            order.iter().take(most.min(MOST_MAPPED)).map(|&at| names[at].as_str()).collect();
        Ok(dependence_map(&study.data, &best, run)?.0)
    }
}

/// The map of the variables named, at least two and at most 100, the most important one first, and the
/// dependences in this order. Cost O(rows * columns^2).
pub(super) fn dependence_map(
    data: &Dataset,
    names: &[&str],
    run: &Run,
) -> Result<(DependenceMap, Dependences), Error> {
    let found = dependences_of(data, names, run)?;
    let n_variables = data.groups().n_groups();
    let left_out = (names.len() < n_variables).then(|| {
        format!(
            "of {n_variables} variables, the {} that measures rank best are shown, because a map \
             of more cannot be read",
            names.len()
        )
    });
    let method = if data.groups().are_single() {
        METHOD.to_owned()
    } else {
        format!("{METHOD}. Between groups of columns it is the largest of their columns")
    };
    Ok((drawn(names, &found, method, left_out), found))
}

/// The dependences of the groups named, in this order, in rows of positive weight.
pub(super) fn dependences_of(
    data: &Dataset,
    names: &[&str],
    run: &Run,
) -> Result<Dependences, Error> {
    let data = &*data.of_positive_weight()?;
    let groups = data.groups();
    let place: HashMap<&str, usize> = groups.names().iter().map(String::as_str).zip(0..).collect();
    let mut columns: Vec<&Column> = Vec::new();
    let mut members = Vec::with_capacity(names.len());
    for name in names {
        let Some(&group) = place.get(name) else {
            return Err(Error::Inconsistent {
                what: format!("\"{name}\" was measured, but is no variable"),
            });
        };
        let before = columns.len();
        columns.extend(
            groups.members()[group]
                .iter()
                .map(|&member| &data.features().columns()[member as usize]),
        );
        members.push((before..columns.len()).collect());
    }
    dependences_of_groups(&columns, &members, run)
}

/// A merge before it is known where its variables stand.
struct Join {
    first: usize,
    middle: usize,
    n_variables: usize,
    dependence: f64,
}

/// Puts the variables of clusters next to each other. Of two clusters that are merged, the one with the
/// more important variable comes first.
fn drawn(
    names: &[&str],
    found: &Dependences,
    method: String,
    left_out: Option<String>,
) -> DependenceMap {
    let n = names.len();
    let mut leaves: Vec<Vec<usize>> = (0..n).map(|variable| vec![variable]).collect();
    let mut cluster_of: Vec<usize> = (0..n).collect();
    let mut height = vec![1.0_f64; n];
    let mut joins = Vec::with_capacity(n - 1);
    for &(one, other, dependence) in &found.merges {
        let (one, other) = (cluster_of[one], cluster_of[other]);
        let smallest = |cluster: usize| leaves[cluster].iter().min().copied();
        let (first, second) =
            if smallest(one) <= smallest(other) { (one, other) } else { (other, one) };
        // Rounding must not put a cluster above one that holds it.
        let dependence = dependence.min(height[first]).min(height[second]);
        joins.push(Join {
            first: leaves[first][0],
            middle: leaves[second][0],
            n_variables: leaves[first].len() + leaves[second].len(),
            dependence,
        });
        let moved = std::mem::take(&mut leaves[second]);
        moved.iter().for_each(|&variable| cluster_of[variable] = first);
        leaves[first].extend(moved);
        height[first] = dependence;
    }
    let order: Vec<usize> = leaves.into_iter().flatten().collect();
    let mut place = vec![0; n];
    order.iter().enumerate().for_each(|(at, &variable)| place[variable] = at);
    let mut merges: Vec<Merge> = joins
        .iter()
        .map(|join| Merge {
            first: place[join.first],
            middle: place[join.middle],
            end: place[join.first] + join.n_variables,
            dependence: join.dependence,
        })
        .collect();
    merges.sort_by(|one, other| other.dependence.total_cmp(&one.dependence));
    let variables: Vec<String> = order.iter().map(|&variable| names[variable].to_owned()).collect();
    let row = |&one: &usize| order.iter().map(|&other| found.values[one * n + other]).collect();
    DependenceMap {
        method,
        left_out,
        values: order.iter().map(row).collect(),
        clusters: clusters(&merges, &variables),
        variables,
        merges,
        threshold: THRESHOLD,
    }
}

/// The largest stretches that hang together from the threshold on.
fn clusters(merges: &[Merge], variables: &[String]) -> Vec<Vec<String>> {
    let close: Vec<&Merge> = merges.iter().filter(|merge| merge.dependence >= THRESHOLD).collect();
    let holds = |outer: &Merge, inner: &Merge| {
        outer.first <= inner.first
            && inner.end <= outer.end
            && outer.end - outer.first > inner.end - inner.first
    };
    let mut stretches: Vec<&Merge> = close
        .iter()
        .copied()
        .filter(|inner| !close.iter().any(|outer| holds(outer, inner)))
        .collect();
    stretches.sort_by_key(|merge| (std::cmp::Reverse(merge.end - merge.first), merge.first));
    stretches.iter().map(|merge| variables[merge.first..merge.end].to_vec()).collect()
}
