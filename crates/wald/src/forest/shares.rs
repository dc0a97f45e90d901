//! Whether bags hold classes in other shares than the table.
//!
//! Nodes hold the shares of classes of their bag, and rows out of bag those of the table. Where the two
//! differ, what a forest predicts is wrong by the difference for every row, and what a variable adds to
//! an error is mostly what it adds to or takes from this.

use crate::data::{Dataset, Response, Target};
use crate::forest::config::ForestConfig;
use crate::forest::info::{Aggregation, align_target};
use crate::forest::model::Forest;
use crate::forest::sample::Bag;
use crate::forest::ways::ClassWeight;

/// Odds of a class that differ by no more than this factor move a share by at most 0.046, whose square is
/// below one percent of the variance of the class.
const MOST_ODDS: f64 = 1.2;

/// Bags drawn alike differ from the table by more standard errors than this once in a billion times.
const STANDARD_ERRORS: f64 = 6.0;

/// So many rows of bags determine shares far beyond the factor of odds, unless a class has a handful of rows.
const ENOUGH_ROWS: usize = 4_000_000;

/// Their trees are at least so many, as far as there are.
const FEWEST_TREES: usize = 20;

impl ForestConfig {
    /// Whether trees of these settings draw some classes of the data more often than others, or weigh them
    /// such that they count for more.
    pub(crate) fn favours_classes(&self, data: &Dataset) -> bool {
        let is_balanced = self.stratify || self.class_weight != ClassWeight::Equal;
        let (true, Response::Classification(classes)) = (is_balanced, data.target().response())
        else {
            return false;
        };
        let mut sizes = vec![0.0; classes.levels().len()];
        classes.codes().iter().for_each(|&class| sizes[class as usize] += 1.0);
        // All classes are drawn equally often, or their draws weigh the same together, so that a row counts by
        // one over the rows of its class.
        let table = shares(data.target(), data, |_| 1.0);
        let bags = shares(data.target(), data, |row| 1.0 / sizes[classes.codes()[row] as usize]);
        table.into_iter().zip(bags).any(|(table, bags)| differ(table, bags))
    }
}

impl Forest {
    /// Whether its trees have drawn some classes of the training rows more often than others, or weighed them
    /// so: by its settings, and for other programs by its bags, else by the roots of its trees. Cost O(rows of
    /// bags), at most some millions of them.
    pub(crate) fn favours_classes(&self, data: &Dataset) -> bool {
        match (&self.config, &self.bags) {
            (Some(config), _) => config.favours_classes(data),
            (None, Some(bags)) => are_unlike(bags, data),
            (None, None) => self.roots_are_unlike(data),
        }
    }

    /// Of a forest whose bags are unknown, so that the table may be another sample than it was grown on.
    fn roots_are_unlike(&self, data: &Dataset) -> bool {
        let are_known = self.trees.iter().all(|tree| tree.statistics().is_some());
        let is_mean = self.aggregation == Aggregation::Mean;
        let Ok(target) = align_target(data, &self.target) else { return false };
        let roots: Vec<Vec<f64>> = self.trees.iter().map(|tree| tree.value(0).to_vec()).collect();
        is_mean && are_known && are_beyond_chance(&roots, &target, data, 1.0)
    }
}

fn are_unlike(bags: &[Bag], data: &Dataset) -> bool {
    let enough = (ENOUGH_ROWS / data.n_rows().max(1)).max(FEWEST_TREES);
    let bags = &bags[..bags.len().min(enough)];
    if bags.iter().any(|bag| bag.counts().len() != data.n_rows()) {
        return false;
    }
    let target = data.target();
    let in_bag = |bag: &Bag| shares(target, data, |row| f64::from(bag.counts()[row]));
    let of_bags: Vec<Vec<f64>> = bags.iter().map(in_bag).collect();
    let draws: f64 = bags.iter().flat_map(Bag::counts).map(|&count| f64::from(count)).sum();
    are_beyond_chance(&of_bags, target, data, draws / data.n_rows() as f64)
}

/// Whether shares of classes, by tree, differ from those of the table by more than trees that draw its rows so
/// many times do.
fn are_beyond_chance(of_trees: &[Vec<f64>], target: &Target, data: &Dataset, times: f64) -> bool {
    let n_trees = of_trees.len() as f64;
    // Rows of a cluster are drawn together.
    let draws = times * data.n_clusters().unwrap_or(data.n_rows()) as f64;
    shares(target, data, |_| 1.0).into_iter().enumerate().any(|(class, share)| {
        let mean = of_trees.iter().map(|shares| shares[class]).sum::<f64>() / n_trees;
        let squares: f64 = of_trees.iter().map(|shares| (shares[class] - mean).powi(2)).sum();
        let between = squares / (n_trees * (n_trees - 1.0).max(1.0));
        let variance = between.max(share * (1.0 - share) / draws);
        (mean - share).abs() > STANDARD_ERRORS * variance.sqrt() && differ(share, mean)
    })
}

/// The share of each class in the weight of the rows, times a factor for each of them; none of numbers.
fn shares(target: &Target, data: &Dataset, factor: impl Fn(usize) -> f64) -> Vec<f64> {
    let Response::Classification(classes) = target.response() else { return Vec::new() };
    let weights = data.weights();
    let mut shares = vec![0.0; classes.levels().len()];
    for (row, &class) in classes.codes().iter().enumerate() {
        shares[class as usize] += factor(row) * weights.map_or(1.0, |weights| weights[row]);
    }
    let total: f64 = shares.iter().sum();
    if total > 0.0 {
        shares.iter_mut().for_each(|share| *share /= total);
    }
    shares
}

/// Whether the odds of a class differ by more than the factor between two tables.
fn differ(one: f64, other: f64) -> bool {
    let (larger, smaller) = (one.max(other), one.min(other));
    larger * (1.0 - smaller) > MOST_ODDS * smaller * (1.0 - larger)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;
    use crate::random::{Purpose, Stream};

    /// Rows of which so many are of the second class.
    fn table(n_rows: usize, n_cases: usize) -> Dataset {
        let x = (0..n_rows).map(|row| row as f64).collect();
        let codes = (0..n_rows).map(|row| u32::from(row < n_cases)).collect();
        let names = vec!["often".to_owned(), "rarely".to_owned()];
        let target = Target::classification("y", names, codes).expect("two classes");
        Dataset::new(vec![Column::numeric("x", x).expect("finite")], target).expect("a table")
    }

    /// Bags of as many draws as rows, where a case is drawn so many times as often as another row.
    fn bags(data: &Dataset, n_trees: usize, n_cases: usize, factor: u32) -> Vec<Bag> {
        let n_rows = data.n_rows();
        let lots = n_rows + n_cases * (factor as usize - 1);
        let bag = |tree| {
            let mut stream = Stream::new(1, tree, Purpose::Bag);
            let mut counts = vec![0_u16; n_rows];
            for _ in 0..n_rows {
                let lot = stream.below(lots as u32) as usize;
                let of_cases = n_cases * factor as usize;
                let row =
                    if lot < of_cases { lot / factor as usize } else { lot - of_cases + n_cases };
                counts[row] += 1;
            }
            Bag::from_counts(counts)
        };
        (0..n_trees).map(bag).collect()
    }

    #[test]
    fn bags_are_unlike_the_table_where_a_class_is_drawn_more_often() {
        for (n_rows, n_cases) in [(1500, 150), (200, 6), (60, 25)] {
            let data = table(n_rows, n_cases);
            for n_trees in [1, 3, 50] {
                let of = |factor| are_unlike(&bags(&data, n_trees, n_cases, factor), &data);
                assert!(!of(1), "{n_rows} rows and {n_trees} trees drawn alike");
                assert!(n_trees < 50 || of(3), "{n_rows} rows and {n_trees} trees");
            }
        }
        let data = table(1500, 150);
        assert!(are_unlike(&bags(&data, 1, 150, 9), &data), "one tree of equal shares");
        assert!(!are_unlike(&[], &data));
    }

    #[test]
    fn settings_favour_classes_of_unequal_size() {
        let balanced = ForestConfig { stratify: true, ..ForestConfig::default() };
        assert!(balanced.favours_classes(&table(1500, 150)));
        assert!(!ForestConfig::default().favours_classes(&table(1500, 150)));
        assert!(!balanced.favours_classes(&table(100, 50)));
        // Odds of 1.17 and of 1.22.
        assert!(!balanced.favours_classes(&table(100, 46)));
        assert!(balanced.favours_classes(&table(100, 45)));
        // A row counts by its weight, in the table and in bags alike.
        let weights = (0..100).map(|row| if row < 10 { 9.0 } else { 1.0 }).collect();
        let weighted = table(100, 10).with_weights(weights).expect("weights");
        assert!(balanced.favours_classes(&weighted));
    }

    #[test]
    fn draws_weighed_anew_favour_classes_of_unequal_size() {
        let class_weight = ClassWeight::BalancedSubsample;
        let balanced = ForestConfig { class_weight, ..ForestConfig::default() };
        assert!(balanced.favours_classes(&table(1500, 150)));
        assert!(!balanced.favours_classes(&table(100, 50)));
    }
}
