//! Whether the nodes in a file agree with the training data.

use crate::data::{Column, Dataset, Training};
use crate::error::Error;
use crate::forest::info::{Aggregation, FeatureInfo, align, align_target};
use crate::forest::model::Forest;
use crate::forest::placement::Placement;
use crate::forest::predict::{SCORE_TIE, argmax};
use crate::forest::tally::{Tally, Tallying};
use crate::forest::ways::Impurity;
use crate::run::{Run, Threads};
use crate::threads::ordered;

/// Other programs print 6 digits and more of impurities, weights and means.
const TOLERANCE: f64 = 1e-6;

/// And some keep means in single precision, which counts where means are far from zero.
const RELATIVE_TOLERANCE: f64 = 1e-7;

/// And some compute variances as means of squares minus squared means, as scikit-learn does, which
/// loses digits of the square of the mean: up to 1e-13 of it were seen.
const OF_SQUARED_MEAN: f64 = 1e-12;

/// The nodes of a tree as stored in a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Given<'a> {
    /// NaN where a node has none.
    pub(crate) values: &'a [f64],
    pub(crate) weights: Option<&'a [f64]>,
    pub(crate) impurities: Option<&'a [f64]>,
    /// True when only the class with the largest value counts.
    pub(crate) votes: bool,
}

/// Where a file contradicts the data, how, and what to do about it.
#[derive(Debug)]
pub(crate) struct Contradiction {
    pub(crate) node: usize,
    pub(crate) what: String,
    pub(crate) help: String,
}

/// The first node where a file contradicts the data; `impurity` is the one by which nodes are
/// taken to be summed up.
pub(crate) fn first_contradiction(
    given: Given<'_>,
    tally: &Tally,
    impurity: Impurity,
) -> Option<Contradiction> {
    let statistics = &tally.statistics;
    let differs = |given: Option<&[f64]>, computed: &[f64], lost: f64, what: &str| {
        let tolerance = (TOLERANCE * largest(computed) + lost).max(f64::MIN_POSITIVE);
        let pairs = given?.iter().zip(computed).enumerate();
        // Written so that a difference which is not a number is far, too.
        let is_close = |given: f64, computed: f64| (given - computed).abs() <= tolerance;
        let mut far = pairs.filter(|(_, (given, computed))| !is_close(**given, **computed));
        far.next().map(|(node, (given, computed))| {
            (node, format!("has the {what} {given}, but its in-bag rows {computed}"))
        })
    };
    let of_data = |(node, what)| Contradiction { node, what, help: NOT_THE_DATA.to_owned() };
    let of_impurity = |(node, what)| {
        // Only the file distinguishes Gini from entropy; a number has one impurity.
        let otherwise = match impurity {
            Impurity::Variance | Impurity::Poisson | Impurity::AbsoluteError => None,
            Impurity::Gini => Some("entropy"),
            Impurity::Entropy => Some("gini"),
        };
        let otherwise = otherwise.map(|other| {
            format!("add `\"impurity\": \"{other}\"` if the forest has that one; else ")
        });
        Contradiction { node, what, help: otherwise.unwrap_or_default() + NOT_THE_DATA }
    };
    let name = format!("impurity ({})", impurity.id());
    let of_weight = differs(given.weights, &statistics.weights, 0.0, "weight");
    let lost = if impurity == Impurity::Variance {
        let squares = tally.values.iter().map(|mean| mean * mean);
        OF_SQUARED_MEAN * squares.fold(0.0, f64::max)
    } else {
        0.0
    };
    of_weight
        .or_else(|| value_contradiction(given, tally, impurity))
        .map(of_data)
        .or_else(|| differs(given.impurities, &statistics.impurities, lost, &name).map(of_impurity))
}

fn value_contradiction(
    given: Given<'_>,
    tally: &Tally,
    impurity: Impurity,
) -> Option<(usize, String)> {
    let centre = if impurity == Impurity::AbsoluteError { "median" } else { "mean" };
    let n_outputs = tally.values.len() / tally.statistics.weights.len();
    // An absolute error is in units of the target; of a deviance, the values of nodes say how far they
    // may be rounded.
    let spread = match impurity {
        Impurity::Poisson => largest(&tally.values),
        Impurity::AbsoluteError => largest(&tally.statistics.impurities),
        _ => largest(&tally.statistics.impurities).sqrt(),
    };
    let is_close = |(given, mean): (&f64, &f64)| {
        let tolerance = TOLERANCE * spread + RELATIVE_TOLERANCE * mean.abs();
        (given - mean).abs() <= tolerance.max(f64::MIN_POSITIVE)
    };
    // Programs that vote may keep the class alone, break ties in their own way and weigh
    // classes; but no node votes for a class that it has not seen.
    let agrees = |values: &[f64], mean: &[f64]| {
        if given.votes { mean[argmax(values)] > 0.0 } else { values.iter().zip(mean).all(is_close) }
    };
    let pairs = given.values.chunks_exact(n_outputs).zip(tally.values.chunks_exact(n_outputs));
    for (node, (given, mean)) in pairs.enumerate() {
        let is_unknown = given[0].is_nan() || tally.statistics.weights[node] == 0.0;
        if !is_unknown && !agrees(given, mean) {
            let what =
                format!("has the value {given:?}, but its in-bag rows the {centre} {mean:?}");
            return Some((node, what));
        }
    }
    None
}

/// Numbers of nodes are rounded in proportion to the largest of them. That need not be the root's:
/// where one row outweighs all others, the root hardly varies, but nodes without that row do.
fn largest(of_nodes: &[f64]) -> f64 {
    of_nodes.iter().copied().fold(0.0, f64::max)
}

/// What to do about a contradiction.
const NOT_THE_DATA: &str = "give the table that the forest was grown on, its rows in \
                                       the same order, and the same case weights";

/// True when every tree has one vote for a class.
pub(crate) fn votes(forest: &Forest) -> bool {
    forest.aggregation == Aggregation::Vote && forest.target.n_outputs() > 1
}

/// Makes means vote for the class that the file does: programs break ties in their own way, so that of
/// equally large means one becomes larger by as little as counts; other means are replaced.
pub(crate) fn keep_votes(given: &[f64], means: &mut [f64], n_outputs: usize) {
    for (given, mean) in given.chunks_exact(n_outputs).zip(means.chunks_exact_mut(n_outputs)) {
        let (voted, largest) = (argmax(given), argmax(mean));
        if given[0].is_nan() || voted == largest {
            continue;
        }
        if mean[voted] >= mean[largest] - SCORE_TIE {
            mean[voted] = mean[largest] + 2.0 * SCORE_TIE;
        } else {
            mean.copy_from_slice(given);
        }
    }
}

/// The data as the forest's trees see it.
///
/// # Errors
/// [`Error::ForestFile`] when the bags speak of another number of rows, and [`Error::Data`]
/// when a variable or class does not fit.
pub(crate) fn training(
    forest: &Forest,
    data: &Dataset,
    threads: Threads,
) -> Result<Training, Error> {
    let bag = forest.bags.iter().flatten().next();
    if let Some(bag) = bag.filter(|bag| bag.counts().len() != data.n_rows()) {
        return Err(Error::forest_file(
            format!(
                "the forest was grown on {} rows, but the table has {}",
                bag.counts().len(),
                data.n_rows()
            ),
            "give the table that the forest was grown on",
        ));
    }
    rows(forest, data, threads)
}

/// Rows as the forest's trees see them, whether it was grown on them or not.
///
/// # Errors
/// [`Error::Data`] when a variable or class does not fit.
pub(crate) fn rows(forest: &Forest, data: &Dataset, threads: Threads) -> Result<Training, Error> {
    let columns = align(data.features(), &forest.features)?;
    let columns: Vec<&Column> = columns.iter().map(AsRef::as_ref).collect();
    let target = align_target(data, &forest.target)?;
    let known_levels: Vec<u32> = forest.features.iter().map(FeatureInfo::n_levels).collect();
    let training = Training::new(&columns, &known_levels, &target, data.weights(), threads);
    Ok(training.in_clusters(data.clusters()))
}

/// Checks that the forest was grown on the data, as far as the forest shows.
///
/// # Errors
/// [`Error::ForestFile`] with the tree and node that contradict the data; as [`training`].
pub(crate) fn check(forest: &Forest, data: &Dataset, run: &Run) -> Result<(), Error> {
    check_trees(forest, &training(forest, data, run.threads)?, forest.trees.len(), run)
}

/// As [`check`], for the first `n_trees` trees only.
pub(crate) fn check_trees(
    forest: &Forest,
    training: &Training,
    n_trees: usize,
    run: &Run,
) -> Result<(), Error> {
    let Some(bags) = forest.bags.as_ref().filter(|_| forest.aggregation != Aggregation::Sum) else {
        return Ok(());
    };
    let check_tree = |index: usize, placement: &mut Placement| {
        let tree = &forest.trees[index];
        let tallying = Tallying {
            tree,
            bag: &bags[index],
            training,
            impurity: forest.impurity,
            class_weight: forest.class_weight(),
            float32_inputs: forest.float32_inputs,
        };
        let values = tree.all_values();
        let given = Given {
            values: &values,
            weights: tree.statistics.as_ref().map(|known| known.weights.as_slice()),
            impurities: tree.statistics.as_ref().map(|known| known.impurities.as_slice()),
            votes: votes(forest),
        };
        match first_contradiction(given, &tallying.tally(placement), forest.impurity) {
            None => Ok(()),
            Some(Contradiction { node, what, help }) => {
                Err(Error::forest_file(format!("tree {index}, node {node} {what}"), help))
            }
        }
    };
    ordered(n_trees.min(forest.trees.len()), run, Placement::default, check_tree, |_, ()| {})
}
