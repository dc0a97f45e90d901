//! Sampling errors from the trees of one forest: the infinitesimal jackknife.

use crate::error::Error;
use crate::forest::{Forest, Sampling};
use crate::importance::Importance;

/// Measures whose value of a tree depends on the rows in its bag alone.
const OF_BAGS: &[&str] = &["mdi", "split_count", "minimal_depth"];

/// Standard errors over samples of rows of a measure that is a mean over trees, each a function of
/// the rows in its bag: how the value of a tree changes with how often a row was drawn for it. Wager,
/// Hastie & Efron 2014, Eq. 5, with the correction of Eq. 7 for the number of trees. Needs about as
/// many trees as rows; `None` where the correction leaves nothing.
///
/// Cost O(trees * rows * variables); nothing is grown.
///
/// # Errors
/// [`Error::Measure`] for other measures, for bags that are not bootstrap samples of rows, and
/// where values of trees were not kept.
pub fn jackknife(forest: &Forest, importance: &Importance) -> Result<Vec<Option<f64>>, Error> {
    let refuse = |why: &str| {
        Err(Error::Measure {
            measure: importance.id,
            why: why.to_owned(),
            help: "estimate sampling errors by subsampling".to_owned(),
        })
    };
    if !OF_BAGS.contains(&importance.id) {
        return refuse("depends on more than the rows in the bags, as the jackknife does not");
    }
    let is_bootstrap = forest.config().is_some_and(|config| {
        config.sampling == Sampling::Bootstrap
            && !config.stratify
            && config.sample_fraction.is_none_or(|fraction| fraction == 1.0)
    });
    let Some(bags) = forest.bags().filter(|_| is_bootstrap) else {
        return refuse("has the jackknife of forests with bootstrap samples of all rows only");
    };
    let per_tree = &importance.per_tree;
    if per_tree.len() != bags.len() || per_tree.len() < 2 {
        return refuse("has no value for each of the trees");
    }
    let n_trees = per_tree.len() as f64;
    let n_rows = bags.first().map_or(0, |bag| bag.counts().len());
    let n_variables = importance.values.len();
    let means: Vec<f64> = (0..n_variables)
        .map(|index| per_tree.iter().map(|tree| tree[index]).sum::<f64>() / n_trees)
        .collect();
    // Row by row would jump between trees: all covariances are summed tree by tree.
    let mut covariances = vec![0.0; n_rows * n_variables];
    let mut squares = vec![0.0; n_variables];
    let mut deviations = vec![0.0; n_variables];
    for (tree, bag) in per_tree.iter().zip(bags) {
        for (index, deviation) in deviations.iter_mut().enumerate() {
            *deviation = tree[index] - means[index];
            squares[index] += *deviation * *deviation;
        }
        let rows = covariances.chunks_exact_mut(n_variables.max(1));
        for (sums, &count) in rows.zip(bag.counts()) {
            let above = f64::from(count) - 1.0;
            sums.iter_mut().zip(&deviations).for_each(|(sum, by)| *sum += above * by);
        }
    }
    let variance = |index: usize| {
        let rows = covariances.chunks_exact(n_variables);
        let sum: f64 = rows.map(|sums| (sums[index] / n_trees).powi(2)).sum();
        sum - n_rows as f64 / (n_trees * n_trees) * squares[index]
    };
    let error = |index: usize| {
        importance.values[index]?;
        Some(variance(index)).filter(|variance| *variance > 0.0).map(f64::sqrt)
    };
    Ok((0..n_variables).map(error).collect())
}
