//! Sampling errors from the trees of one forest: the infinitesimal jackknife.

use crate::data::Dataset;
use crate::error::Error;
use crate::forest::{Bag, Forest, Sampling};
use crate::importance::Importance;
use crate::inference::scale::trees_in_value;
use crate::inference::spread::Spread;
use crate::inference::subsampling::Sampled;
use crate::measure::MeasureId;
use crate::random::{Purpose, Stream};
use crate::words::listed;
use crate::{message, setting};

/// Random sums of what single rows add, from which intervals for all variables at once are taken.
const REPLICATES: usize = 1000;

/// What every row adds to the error of every importance.
struct Influences {
    /// By row and variable.
    of_rows: Vec<f64>,
    /// By variable, corrected for the number of trees: of values over samples, squared; below zero
    /// where the correction is larger than what was found. `None` where undefined.
    variances: Vec<Option<f64>>,
    /// By variable, how far such a variance is from what it would be without any influence of rows, only
    /// because bags are drawn at random: one standard error.
    doubts: Vec<f64>,
}

/// Standard errors over samples of rows of a measure that is a mean over trees, each a function of
/// the rows in its bag: how the value of a tree changes with how often a row was drawn for it. Wager,
/// Hastie & Efron 2014, Eq. 5, with the correction of Eq. 7 for the number of trees. Needs many more
/// trees than rows (see `wald-papers coverage`); `None` where the correction leaves nothing.
///
/// Cost O(trees * rows * variables); nothing is grown.
///
/// ```
/// use wald::inference::jackknife;
/// use wald::simulate::Friedman1;
/// use wald::{Forest, ForestConfig, MeasureId, Run};
///
/// let data = Friedman1::default().draw(20, 1)?;
/// let config = ForestConfig { n_trees: 200, ..ForestConfig::default() }; // ten trees per row
/// let forest = Forest::grow(&data, &config, &Run::all())?;
/// let measured = forest.measure(&data, &[MeasureId::Mdi.into()], &Run::all())?;
/// let errors = jackknife(&forest, &measured.importances[0])?;
/// assert_eq!(errors.len(), 10);
/// assert!(errors.iter().flatten().all(|error| *error > 0.0));
/// # Ok::<(), wald::Error>(())
/// ```
///
/// # Errors
/// [`Error::Measure`] for other measures, for bags that are not bootstrap samples of rows, and
/// where values of trees were not kept.
pub fn jackknife(forest: &Forest, importance: &Importance) -> Result<Vec<Option<f64>>, Error> {
    let variances = Influences::new(forest, importance)?.variances;
    let error = |variance: Option<f64>| variance.filter(|of| *of > 0.0).map(f64::sqrt);
    Ok(variances.into_iter().map(error).collect())
}

/// The same as how importances scatter over samples of rows, for intervals of all variables and of
/// ranks: sums over rows of what each adds, with random signs, scatter as importances do (the
/// multiplier bootstrap). Cost: that of [`jackknife`], and 1000 sums over all rows.
///
/// The corrected variance is itself known only so well. Were a tree's value t independent of what is
/// in its bag, every one of the n covariances over B trees would be normal around zero with variance
/// v / B, v being that of t, so that the sum of their squares would have the mean n v / B, which the
/// correction takes away, and the standard error (2 n)^1/2 v / B. At least that is reported, and
/// [`Sampled::at_most`] marks where: otherwise those variables would have intervals whose error was
/// estimated too large by chance, and others none.
///
/// # Errors
/// As [`jackknife`].
pub fn jackknife_sampled(
    forest: &Forest,
    importance: &Importance,
    seed: u64,
) -> Result<Sampled, Error> {
    let influences = Influences::new(forest, importance)?;
    let n_variables = importance.values.len();
    let mut deviations = vec![0.0; REPLICATES * n_variables];
    for (index, sums) in deviations.chunks_exact_mut(n_variables.max(1)).enumerate() {
        let mut stream = Stream::new(seed, index, Purpose::Signs);
        for of_row in influences.of_rows.chunks_exact(n_variables.max(1)) {
            let sign = if stream.unit() < 0.5 { -1.0 } else { 1.0 };
            sums.iter_mut().zip(of_row).for_each(|(sum, part)| *sum += sign * part);
        }
    }
    let small_is_important =
        MeasureId::parse(importance.id).is_some_and(|id| id.info().small_is_important);
    let both = influences.variances.iter().zip(&influences.doubts);
    let at_most = both.clone().map(|(of, doubt)| of.is_some_and(|of| of < *doubt)).collect();
    let errors = both.map(|(of, doubt)| of.map(|of| of.max(*doubt).sqrt()));
    let spread = Spread::of_deviations(deviations, &errors.collect::<Vec<_>>());
    let mut sampled = Sampled::new(importance.id, None, small_is_important, spread);
    sampled.at_most = at_most;
    Ok(sampled)
}

impl Influences {
    fn new(forest: &Forest, importance: &Importance) -> Result<Self, Error> {
        let bags = bags(forest, importance)?;
        let per_tree = &importance.per_tree;
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
        // Of the mean over trees; a sum is as many means.
        let unit = trees_in_value(importance);
        let variance = |index: usize| {
            importance.values[index]?;
            let rows = covariances.chunks_exact(n_variables);
            let sum: f64 = rows.map(|sums| (sums[index] / n_trees).powi(2)).sum();
            let by_chance = n_rows as f64 / (n_trees * n_trees) * squares[index];
            Some(unit * unit * (sum - by_chance))
        };
        let variances = (0..n_variables).map(variance).collect();
        let doubt = |squares: &f64| {
            unit * unit * (2.0 * n_rows as f64).sqrt() * squares / (n_trees * n_trees)
        };
        let doubts = squares.iter().map(doubt).collect();
        covariances.iter_mut().for_each(|sum| *sum *= unit / n_trees);
        Ok(Self { of_rows: covariances, variances, doubts })
    }
}

/// Refuses measures that look at more than bags.
pub(super) fn check(id: &'static str) -> Result<(), Error> {
    if MeasureId::parse(id).is_some_and(|id| id.info().facts.from_bags_only) {
        return Ok(());
    }
    let offered =
        MeasureId::ALL.iter().map(|id| id.info()).filter(|info| info.facts.from_bags_only);
    let offered: Vec<&str> = offered.map(|info| info.id).collect();
    Err(Error::measure(
        id,
        format!("has no jackknife, which is available for {} only", listed(&offered, "and")),
        message!(
            "leave out ",
            setting::VARIANCE.word("jackknife"),
            ", or use one of these measures"
        ),
    ))
}

/// Refuses rows that are not drawn by themselves.
pub(super) fn check_data(data: &Dataset) -> Result<(), Error> {
    if data.clusters().is_none() {
        return Ok(());
    }
    Err(Error::data(
        "the jackknife is not available for rows in clusters, which are drawn together",
        "estimate sampling errors by subsampling",
    ))
}

fn refuse<T>(measure: &'static str, why: &str) -> Result<T, Error> {
    let help = "estimate sampling errors by subsampling".to_owned();
    Err(Error::measure(measure, why, help))
}

/// The bags of a forest for which the jackknife holds.
fn bags<'a>(forest: &'a Forest, importance: &Importance) -> Result<&'a [Bag], Error> {
    let refuse = |why: &str| refuse(importance.id, why);
    check(importance.id)?;
    let is_bootstrap = forest.config().is_some_and(|config| {
        config.sampling == Sampling::Bootstrap
            && !config.stratify
            && config.sample_fraction.is_none_or(|fraction| fraction == 1.0)
    });
    let Some(bags) = forest.bags().filter(|_| is_bootstrap) else {
        return refuse("has the jackknife of forests with bootstrap samples of all rows only");
    };
    if importance.per_tree.len() != bags.len() || bags.len() < 2 {
        return refuse("has no value for each of the trees");
    }
    Ok(bags)
}
