//! Forests of one seed whose trees were grown in several places.

use crate::error::Error;
use crate::forest::config::ForestConfig;
use crate::forest::model::Forest;
use crate::forest::tree::Tree;
use crate::message;
use crate::setting;
use crate::words::there_are;

/// Sums over the same rows differ by less than this share of them.
const ROUNDING: f64 = 1e-9;

/// Fewer trees do not show by how much roots differ by chance.
const FEWEST_TREES: usize = 20;

/// Means over the trees of one table are not so many standard errors apart, whatever is in it: where bags
/// differ by a single row that outweighs all others, counts of draws are that far apart with a probability
/// below 1e-9.
const MOST_ERRORS: f64 = 10.0;

/// A range of the trees of a forest, and how messages call it.
#[derive(Debug, Clone, PartialEq)]
pub struct ForestPart {
    /// Usually the name of the file.
    pub name: String,
    /// Grown with its own [`first_tree`](ForestConfig::first_tree).
    pub forest: Forest,
}

impl Forest {
    /// One forest of the trees of several, in any order: forests that were grown with different
    /// [`first_tree`](ForestConfig::first_tree), all else equal. It is what growing all of these trees
    /// at once gives, bags included. Forests are compared by names, classes, numbers of rows, case weights,
    /// and a hash of the table. Files of earlier versions lack the hash: these are compared by means of the
    /// target, of trees that have the same rows, and, with 20 trees and more in both, by what these differ
    /// beyond chance. Whether all are of one table shows there when the forest is measured, which checks every
    /// tree against the data.
    ///
    /// ```
    /// use wald::forest::ForestPart;
    /// use wald::simulate::Friedman1;
    /// use wald::{Forest, ForestConfig, Run};
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let all = ForestConfig { n_trees: 10, ..ForestConfig::default() };
    /// let part = |n_trees, first_tree| {
    ///     let config = ForestConfig { n_trees, first_tree, ..all.clone() };
    ///     let forest = Forest::grow(&data, &config, &Run::all())?;
    ///     Ok::<_, wald::Error>(ForestPart { name: format!("from {first_tree}"), forest })
    /// };
    /// let merged = Forest::merged(vec![part(4, 6)?, part(6, 0)?])?;
    /// assert_eq!(merged, Forest::grow(&data, &all, &Run::all())?);
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::State`] without forests; where one is of another program, or of other settings,
    /// variables, targets, weights or rows than the others; and where trees are missing, or there twice.
    pub fn merged(forests: Vec<ForestPart>) -> Result<Self, Error> {
        let mut ranges = forests.into_iter().map(Range::new).collect::<Result<Vec<_>, _>>()?;
        ranges.sort_by_key(|range| range.config.first_tree);
        let mut ranges = ranges.into_iter();
        let Some(mut merged) = ranges.next() else {
            return Err(Error::state("there are no forests", "give one or more"));
        };
        for next in ranges {
            merged.check_next(&next)?;
            merged.forest.trees.extend(next.forest.trees);
            if let (Some(bags), Some(more)) = (&mut merged.forest.bags, next.forest.bags) {
                bags.extend(more);
            }
            merged.config.n_trees = merged.forest.trees.len();
            merged.last = next.last;
            // One whose table is not known may be of another one.
            merged.forest.table = merged.forest.table.filter(|_| next.forest.table.is_some());
        }
        Ok(Self { config: Some(merged.config), ..merged.forest })
    }
}

/// Trees that follow each other.
struct Range {
    forest: Forest,
    /// Of these trees.
    config: ForestConfig,
    /// The name of the forest that the last trees are from.
    last: String,
}

impl Range {
    fn new(part: ForestPart) -> Result<Self, Error> {
        let ForestPart { name, forest } = part;
        match forest.config.clone() {
            Some(config) => Ok(Self { forest, config, last: name }),
            None => Err(Error::state(
                format!("{name} is a forest of another program, whose random numbers are unknown"),
                "merge forests that wald grew",
            )),
        }
    }

    /// Refuses trees that do not follow these.
    fn check_next(&self, next: &Self) -> Result<(), Error> {
        let (last, name) = (&self.last, &next.last);
        if let Some(what) = self.difference(next) {
            return Err(Error::state(
                format!("{last} and {name} have different {what}"),
                message!("grow both alike, but for ", setting::FIRST_TREE, " and ", setting::TREES),
            ));
        }
        let end = self.config.first_tree + self.config.n_trees;
        let first = next.config.first_tree;
        if first == end {
            return Ok(());
        }
        let what = if first > end {
            format!("{} missing between {last} and {name}", there_are(first - end, "tree"))
        } else {
            format!("{last} and {name} have trees in common")
        };
        Err(Error::state(
            what,
            message!(
                "the trees after ",
                last,
                " begin with ",
                setting::FIRST_TREE.name(),
                " ",
                end
            ),
        ))
    }

    /// What differs though it must not.
    fn difference(&self, next: &Self) -> Option<&'static str> {
        let n_rows = |forest: &Forest| Some(forest.bags()?.first()?.counts().len());
        let same = ForestConfig {
            n_trees: self.config.n_trees,
            first_tree: self.config.first_tree,
            ..next.config.clone()
        };
        let (one, other) = (&self.forest, &next.forest);
        let differ = [
            ("targets", one.target != other.target),
            ("variables", one.features != other.features),
            ("numbers of rows", n_rows(one) != n_rows(other)),
            ("settings", same != self.config),
            ("case weights", weighs(one) != weighs(other)),
            ("targets or case weights", contradict(one, other) || differ_on_average(one, other)),
            ("values in their tables, or rows in another order", of_other_tables(one, other)),
        ];
        differ.into_iter().find(|(_, differs)| *differs).map(|(what, _)| what)
    }
}

/// Whether the hashes of both tables are known, and differ.
fn of_other_tables(one: &Forest, other: &Forest) -> bool {
    one.table.zip(other.table).is_some_and(|(table, others)| table != others)
}

/// Whether rows have case weights, where trees show it: without any, a root weighs as much as its bag has
/// rows.
fn weighs(forest: &Forest) -> Option<bool> {
    let roots = forest.trees.iter().zip(forest.bags()?);
    let mut known = roots.filter_map(|(tree, bag)| {
        let weight = *tree.statistics()?.weights.first()?;
        let n_rows: f64 = bag.counts().iter().map(|&count| f64::from(count)).sum();
        Some(differ(weight, n_rows, n_rows))
    });
    let first = known.next()?;
    Some(first || known.any(|differs| differs))
}

/// Whether trees of the same rows, such as those grown on all, have roots of other means or weights: then
/// the targets or the weights of the two tables are others.
fn contradict(one: &Forest, other: &Forest) -> bool {
    let (Some(bags), Some(others)) = (one.bags(), other.bags()) else { return false };
    let (Some(bag), Some(tree)) = (bags.first(), one.trees.first()) else { return false };
    let same = others.iter().zip(&other.trees).find(|(other, _)| other.counts() == bag.counts());
    let Some((_, like)) = same else { return false };
    let (Some([weight, impurity]), Some([others_weight, others_impurity])) =
        (root(tree), root(like))
    else {
        return false;
    };
    let spread = impurity.max(others_impurity).sqrt();
    let values = tree.value(0);
    let others_values = like.value(0);
    differ(weight, others_weight, weight)
        || differ(impurity, others_impurity, impurity)
        || values
            .iter()
            .zip(others_values.iter())
            .any(|(one, other)| differ(*one, *other, spread.max(one.abs())))
}

/// Weight and impurity of the root, where they are known.
fn root(tree: &Tree) -> Option<[f64; 2]> {
    let known = tree.statistics()?;
    Some([*known.weights.first()?, *known.impurities.first()?])
}

/// Whether weights, impurities or values of roots differ on average by more than chance. Bags are drawn
/// anew for every tree, so that those of one table have the same expectations, and how much the trees of
/// each forest differ among themselves shows how far their means may be apart.
fn differ_on_average(one: &Forest, other: &Forest) -> bool {
    let numbers = |tree: &Tree| -> Option<Vec<f64>> {
        Some(root(tree)?.into_iter().chain(tree.value(0).iter().copied()).collect())
    };
    let of_roots = |forest: &Forest| -> Option<Vec<Vec<f64>>> {
        let are_drawn = forest.bags().is_some() && forest.trees.len() >= FEWEST_TREES;
        are_drawn.then(|| forest.trees.iter().map(numbers).collect())?
    };
    let (Some(roots), Some(others)) = (of_roots(one), of_roots(other)) else { return false };
    (0..roots[0].len().min(others[0].len())).any(|at| {
        let (mean, squares) = mean_and_squares(&roots, at);
        let (others_mean, others_squares) = mean_and_squares(&others, at);
        let (n, n_others) = (roots.len() as f64, others.len() as f64);
        let variance = (squares + others_squares) / (n + n_others - 2.0);
        let error = (variance * (1.0 / n + 1.0 / n_others)).sqrt();
        let rounded = ROUNDING * mean.abs().max(others_mean.abs());
        (mean - others_mean).abs() > MOST_ERRORS * error + rounded
    })
}

/// The mean of one of the numbers of each root, and the sum of squared distances from it.
fn mean_and_squares(roots: &[Vec<f64>], at: usize) -> (f64, f64) {
    let numbers = roots.iter().filter_map(|root| root.get(at));
    let mean = numbers.clone().sum::<f64>() / roots.len() as f64;
    (mean, numbers.map(|number| (number - mean).powi(2)).sum())
}

/// Whether numbers differ by more than they are rounded.
fn differ(one: f64, other: f64, scale: f64) -> bool {
    (one - other).abs() > ROUNDING * scale.abs()
}
