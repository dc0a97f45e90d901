//! Shapley values of a sample of the training rows of a forest.
//!
//! Rows are explained by the trees that did not see them; there are fewer rows where rows times
//! leaves are many.

use crate::explanations::cells::Cells;
use crate::explanations::rows::ExplainedRows;
use crate::explanations::{Explanations, MOST_CLASSES};
use wald::data::{Column, Dataset, Groups, Response};
use wald::forest::{Aggregation, Bag, Forest, align, align_target};
use wald::words::counted;
use wald::work::{Purpose, Stream, TrainingRows};
use wald::{Error, Run};

const MEASURE: &str = "tree_shap";

/// Rows explained where that is cheap, and where it is dear.
const MOST_ROWS: usize = 300;
const FEWEST_ROWS: usize = 30;

/// Rows that are enough where there is a picture per class: so many over all classes that are shown, and
/// no fewer than this of each.
const ENOUGH_ROWS: usize = 100;

/// Leaves that rows may visit, times outputs: a few seconds of work.
const LEAF_VISITS: f64 = 5.0e7;

impl Explanations {
    /// Explains a random sample of the training rows by Shapley values (`tree_shap`): each by the
    /// trees that did not see it, where bags are known, else by all. `numbers` are the training
    /// rows' numbers in the user's table, counted from 1. At most 300 rows are explained, and fewer
    /// where the forest has many leaves or there are more than two classes. Values of a group of columns are the sums of theirs. Cost
    /// O(rows * leaves).
    ///
    /// # Errors
    /// [`Error::Measure`] when predictions of this forest cannot be shared out, [`Error::Data`] when
    /// the table does not fit it, and [`Error::Cancelled`].
    pub fn of_forest(
        forest: &Forest,
        data: &Dataset,
        numbers: &[u32],
        seed: u64,
        run: &Run,
    ) -> Result<Self, Error> {
        TrainingRows::check(forest)?;
        let columns = align(data.features(), forest.features())?;
        let target = align_target(data, forest.target())?;
        let bags = bags(forest, data.n_rows());
        let (rows, is_sample) = sampled(forest, data, bags, seed);
        let columns: Vec<Column> = columns.iter().map(|column| column.select(&rows)).collect();
        let of_rows = |bag: &Bag| {
            Bag::from_counts(rows.iter().map(|&row| bag.counts()[row as usize]).collect())
        };
        let bags_of_rows: Option<Vec<Bag>> = bags.map(|bags| bags.iter().map(of_rows).collect());
        let found = TrainingRows::new(forest, &columns, bags_of_rows.as_deref(), run)?;
        let names: Vec<&str> =
            forest.features().iter().map(|feature| feature.name.as_str()).collect();
        let groups = data.groups().aligned(data.features(), &names);
        let classes = forest.target().classes.clone();
        let mut class_counts = vec![0; classes.as_ref().map_or(0, Vec::len)];
        let response = |row: usize| match target.response() {
            Response::Regression(values) => values[row],
            Response::Classification(classes) => f64::from(classes.codes()[row]),
            Response::Several(outputs) => outputs.row(row)[0],
        };
        if classes.is_some() {
            (0..data.n_rows()).for_each(|row| class_counts[response(row) as usize] += 1);
        }
        let explained = ExplainedRows {
            names: groups.names().to_vec(),
            cells: cells(&groups, &columns),
            class_counts,
            numbers: rows.iter().map(|&row| numbers[row as usize]).collect(),
            values: of_groups(&groups, &found.values, forest.target().n_outputs()),
            expected: Some(found.expected),
            responses: Some(rows.iter().map(|&row| response(row as usize)).collect()),
            weights: data.weights().map(|of| rows.iter().map(|&row| of[row as usize]).collect()),
            classes,
        };
        let about = about(rows.len(), data, is_sample, bags.is_some());
        let found = Self::of_rows(MEASURE, about, &explained);
        let (n_shown, n_classes) = (found.outputs.len(), forest.target().n_outputs());
        // Of two classes one suffices.
        let about = match n_classes {
            3.. if n_shown < n_classes => {
                format!(
                    "{} The {n_shown} most frequent of {n_classes} classes are shown.",
                    found.about
                )
            }
            _ => found.about,
        };
        Ok(Self { about, ..found })
    }
}

/// The bags of a forest whose trees each predict the target, where some row is in none of them.
fn bags(forest: &Forest, n_rows: usize) -> Option<&[Bag]> {
    let is_usable = |bags: &&[Bag]| {
        forest.aggregation() != Aggregation::Sum
            && bags.iter().all(|bag| bag.counts().len() == n_rows)
            && bags.iter().any(|bag| bag.counts().contains(&0))
    };
    forest.bags().filter(is_usable)
}

/// Which rows are explained, increasing: as many as are cheap, of those that have a weight and that some tree
/// has not seen; and whether these are more.
fn sampled(forest: &Forest, data: &Dataset, bags: Option<&[Bag]>, seed: u64) -> (Vec<u32>, bool) {
    let n_rows = data.n_rows();
    let leaves = |tree: &wald::forest::Tree| {
        tree.nodes().iter().filter(|node| **node == wald::forest::Node::Leaf).count() as f64
    };
    let n_leaves: f64 = forest.trees().iter().map(leaves).sum();
    // All bags are about equally large.
    let share = bags.and_then(<[Bag]>::first).map_or(1.0, |bag| {
        let n_out = bag.counts().iter().filter(|&&count| count == 0).count();
        (n_out as f64 / n_rows as f64).max(0.05)
    });
    let per_row = n_leaves * share * forest.target().n_outputs() as f64;
    let n_cheap = (LEAF_VISITS / per_row.max(1.0)) as usize;
    let n_pictures = match forest.target().n_outputs() {
        0..=2 => 1,
        n_outputs => n_outputs.min(MOST_CLASSES),
    };
    let n_wanted = n_cheap.clamp(FEWEST_ROWS, (MOST_ROWS / n_pictures).max(ENOUGH_ROWS));
    let mut rows = data.rows_of_positive_weight();
    Stream::new(seed, 0, Purpose::PicturedRows).shuffle(&mut rows);
    let is_explained =
        |row: &u32| bags.is_none_or(|bags| bags.iter().any(|bag| bag.counts()[*row as usize] == 0));
    let mut rows: Vec<u32> = rows.into_iter().filter(is_explained).take(n_wanted + 1).collect();
    let is_sample = rows.len() > n_wanted;
    rows.truncate(n_wanted);
    rows.sort_unstable();
    (rows, is_sample)
}

/// The value of a group is the sum of its columns'.
fn of_groups(groups: &Groups, values: &[f64], n_outputs: usize) -> Vec<f64> {
    let n_columns = groups.of_column().len();
    if groups.are_single() {
        return values.to_vec();
    }
    let mut sums = Vec::new();
    for record in values.chunks_exact(n_columns * n_outputs) {
        let start = sums.len();
        sums.resize(start + groups.n_groups() * n_outputs, 0.0);
        for (&group, of_column) in groups.of_column().iter().zip(record.chunks_exact(n_outputs)) {
            let of_group = &mut sums[start + group as usize * n_outputs..][..n_outputs];
            of_group.iter_mut().zip(of_column).for_each(|(sum, value)| *sum += value);
        }
    }
    sums
}

fn cells(groups: &Groups, columns: &[Column]) -> Vec<Cells> {
    let of_group = |members: &Vec<u32>| match members.as_slice() {
        [only] => {
            let column = &columns[*only as usize];
            Cells::of(column, &(0..column.len() as u32).collect::<Vec<_>>())
        }
        several => Cells::Several { n_columns: several.len() },
    };
    groups.members().iter().map(of_group).collect()
}

/// Which rows these are and which trees explain them.
fn about(n_explained: usize, data: &Dataset, is_sample: bool, out_of_bag: bool) -> String {
    let n_rows = data.rows_of_positive_weight().len();
    let mut all = counted(n_rows, "row");
    if n_rows < data.n_rows() {
        all.push_str(" of positive weight");
    }
    let rows = if is_sample {
        format!("A random sample of {n_explained} of the {all} is explained")
    } else if n_explained == n_rows {
        format!("All {all} are explained")
    } else {
        format!("The {n_explained} of {all} that some tree did not see are explained")
    };
    let by = if out_of_bag {
        "each by the trees that did not see it, so that overfitting \
         does not count. The expected value therefore differs slightly from row to row"
    } else {
        "by all trees, which may have seen it: overfitting counts, too"
    };
    format!("{rows}, {by}.")
}
