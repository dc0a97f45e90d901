//! Columns that case weights depend on.
//!
//! The mean by weight of a few rows is biased where weights depend on the values that are averaged, by
//! about the covariance of both divided by the number of rows (Cochran 1977, Section 6.8). Nodes of
//! forests are such few rows, so that their means are not those of the population that weights
//! stand for.

use crate::association::cells::{Cells, NOWHERE};
use crate::association::independence::Independence;
use crate::association::ranks::ranks;
use crate::data::{Column, Dataset, Response};
use crate::words::listed;

/// Leaves of so many rows have means by weight that are nearly those of many rows.
pub const LARGE_LEAVES: f64 = 50.0;

/// Cells of a column, and rows of each, so that their mean weights are known well enough.
const MOST_CELLS: usize = 8;
const FEWEST_ROWS: usize = 10;

/// Chance alone makes a column of a table seem to matter with this probability.
const LEVEL: f64 = 0.001;

/// How far mean weights of cells differ, as a standard deviation in means of all: two classes of equal
/// size whose weights are 5 to 3. From there on, shares lose a tenth of their value and more.
const BY_TARGET: f64 = 0.25;

/// The same of a variable, which matters less: below, its share changes by less than a tenth.
const BY_VARIABLE: f64 = 0.4;

/// Columns beyond these are counted only.
const MOST_NAMED: usize = 3;

/// What case weights depend on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WeightsFollow {
    /// Whether they depend on the target.
    pub target: bool,
    /// The variables that they depend on, the one with the strongest dependence first.
    pub columns: Vec<String>,
}

/// Finds what case weights depend on strongly enough to matter, beyond chance. Rows of weight zero take
/// no part, and rows of a cluster count as one. Cost O(columns * rows * log rows); nothing where weights
/// are equal.
pub fn weights_follow(data: &Dataset) -> WeightsFollow {
    let Some(weights) = data.weights().and_then(|weights| Weights::new(data, weights)) else {
        return WeightsFollow::default();
    };
    let columns = data.features().columns();
    let log_level = (LEVEL / (columns.len() as f64 + 1.0)).ln();
    let size = |column: &Column| {
        weights.compared(column).filter(|(_, log_p)| *log_p < log_level).map(|(size, _)| size)
    };
    let of_target = targets(data).iter().filter_map(size).fold(0.0, f64::max);
    let mut sizes: Vec<(f64, &str)> = columns
        .iter()
        .filter_map(|column| Some((size(column)?, column.name())))
        .filter(|(size, _)| *size >= BY_VARIABLE)
        .collect();
    sizes.sort_by(|one, other| other.0.total_cmp(&one.0));
    WeightsFollow {
        target: of_target >= BY_TARGET,
        columns: sizes.into_iter().map(|(_, name)| name.to_owned()).collect(),
    }
}

impl WeightsFollow {
    /// What weights depend on, in words; `None` where it is nothing.
    pub fn in_words(&self, target: &str) -> Option<String> {
        let quoted = |name: &str| format!("\"{name}\"");
        let mut named: Vec<String> =
            self.columns.iter().take(MOST_NAMED).map(|name| quoted(name)).collect();
        let n_more = self.columns.len() - named.len();
        if n_more > 0 {
            named.push(format!("{n_more} more"));
        }
        if self.target {
            named.insert(0, format!("the target {}", quoted(target)));
        }
        (!named.is_empty()).then(|| listed(&named, "and"))
    }

    /// The note on forests with small leaves, by what is wrong in them.
    fn note(&self, target: &str, wrong: &str) -> Option<String> {
        let what = self.in_words(target)?;
        Some(format!(
            "case weights depend on {what}, and the leaves are small: means by weight of few rows are biased \
             then, so that {wrong} are wrong; grow trees whose leaves have at least \
             {LARGE_LEAVES} rows (min_leaf_size, which estimators of Python name min_samples_leaf)"
        ))
    }
}

/// The note on a table and the forest on it, whose leaves have so many rows on average.
pub(crate) fn note_on_weights(data: &Dataset, leaf_size: f64) -> Option<String> {
    if leaf_size >= LARGE_LEAVES {
        return None;
    }
    weights_follow(data).note(data.target().name(), "shares and p-values")
}

/// The same for predictions, which weights that depend on variables alone do not change.
pub(crate) fn note_on_predictions(data: &Dataset, leaf_size: f64) -> Option<String> {
    if leaf_size >= LARGE_LEAVES {
        return None;
    }
    let of_target = WeightsFollow { columns: Vec::new(), ..weights_follow(data) };
    of_target.note(data.target().name(), "predictions and intervals")
}

/// The outputs of the target as columns.
fn targets(data: &Dataset) -> Vec<Column> {
    let numeric = |values| Column::numeric("", values).ok();
    match data.target().response() {
        Response::Regression(values) => numeric(values.clone()).into_iter().collect(),
        Response::Classification(classes) => {
            let (levels, codes) = (classes.levels().to_vec(), classes.codes().to_vec());
            Column::categorical("", levels, codes).into_iter().collect()
        }
        Response::Several(outputs) => {
            let columns = 0..outputs.n_outputs();
            columns.filter_map(|output| numeric(outputs.output(output).collect())).collect()
        }
    }
}

/// Case weights that differ, with their ranks.
struct Weights<'a> {
    values: &'a [f64],
    /// NaN where a weight is zero.
    ranks: Vec<f64>,
    /// Independent rows for each row.
    independent: f64,
}

/// What is summed up of the rows of a cell.
#[derive(Clone, Copy, Default)]
struct Cell {
    n_rows: f64,
    ranks: f64,
    weights: f64,
}

impl<'a> Weights<'a> {
    /// `None` where all weights are equal.
    fn new(data: &Dataset, weights: &'a [f64]) -> Option<Self> {
        let positive: Vec<f64> =
            weights.iter().map(|&weight| if weight > 0.0 { weight } else { f64::NAN }).collect();
        let rows = data.rows_of_positive_weight();
        let first = weights[*rows.first()? as usize];
        if rows.iter().all(|&row| weights[row as usize] == first) {
            return None;
        }
        let independent = data.clusters().map_or(1.0, |clusters| {
            let mut distinct: Vec<u32> = rows.iter().map(|&row| clusters[row as usize]).collect();
            distinct.sort_unstable();
            distinct.dedup();
            distinct.len() as f64 / rows.len() as f64
        });
        Some(Self { values: weights, ranks: ranks(&positive), independent })
    }

    /// How much the mean weights of the cells of a column differ beyond chance, and the logarithm of the
    /// p-value of independence (Kruskal & Wallis 1952, which no single large weight decides).
    fn compared(&self, column: &Column) -> Option<(f64, f64)> {
        let cells = Cells::new(column, MOST_CELLS, FEWEST_ROWS);
        let mut found = vec![Cell::default(); cells.size];
        let rows = || {
            let rows = cells.codes.iter().zip(self.values).zip(&self.ranks);
            rows.filter(|((code, _), rank)| **code != NOWHERE && !rank.is_nan())
        };
        for ((&code, &weight), &rank) in rows() {
            let cell = &mut found[code as usize];
            cell.n_rows += 1.0;
            cell.ranks += rank;
            cell.weights += weight;
        }
        found.retain(|cell| cell.n_rows > 0.0);
        let n_rows: f64 = found.iter().map(|cell| cell.n_rows).sum();
        let degrees = found.len() as f64 - 1.0;
        let mean_of = |of: &dyn Fn(&Cell) -> f64| found.iter().map(of).sum::<f64>() / n_rows;
        let (mean_rank, mean_weight) = (mean_of(&|cell| cell.ranks), mean_of(&|cell| cell.weights));
        let between = |mean: f64, of: &dyn Fn(&Cell) -> f64| {
            mean_of(&|cell| cell.n_rows * (of(cell) / cell.n_rows - mean).powi(2))
        };
        let (mut of_ranks, mut of_weights) = (0.0, 0.0);
        for ((_, &weight), &rank) in rows() {
            of_ranks += (rank - mean_rank).powi(2) / n_rows;
            of_weights += (weight - mean_weight).powi(2) / n_rows;
        }
        if degrees < 1.0 || of_ranks <= 0.0 {
            return None;
        }
        let n_independent = n_rows * self.independent;
        let share = between(mean_rank, &|cell| cell.ranks) / of_ranks;
        let log_p = Independence::new(n_independent, share.min(1.0), degrees)?.log_p;
        let between_weights = between(mean_weight, &|cell| cell.weights);
        let by_chance = degrees * (of_weights - between_weights) / n_independent;
        Some(((between_weights - by_chance).max(0.0).sqrt() / mean_weight, log_p))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Target;
    use crate::random::{Purpose, Stream};

    const N_ROWS: usize = 600;

    /// Three columns, the last of them four levels, and two classes of equal size, from which the
    /// first column is apart.
    fn table(seed: u64) -> Dataset {
        let mut stream = Stream::new(seed, 0, Purpose::Simulation { part: 0 });
        let classes: Vec<u32> = (0..N_ROWS as u32).map(|row| row % 2).collect();
        let apart = classes.iter().map(|&class| stream.unit() + 0.3 * f64::from(class));
        let x = apart.collect();
        let noise = (0..N_ROWS).map(|_| stream.unit()).collect();
        let levels = (0..N_ROWS).map(|_| (4.0 * stream.unit()) as u32).collect();
        let names = ["p", "q", "r", "s"].map(str::to_owned).to_vec();
        let columns = vec![
            Column::numeric("x", x).expect("finite"),
            Column::numeric("noise", noise).expect("finite"),
            Column::categorical("group", names, levels).expect("levels"),
        ];
        let classes_named = ["a", "b"].map(str::to_owned).to_vec();
        let target = Target::classification("k", classes_named, classes).expect("classes");
        Dataset::new(columns, target).expect("consistent")
    }

    fn weighted(data: &Dataset, weight: impl Fn(usize) -> f64) -> WeightsFollow {
        let weights = (0..N_ROWS).map(weight).collect();
        weights_follow(&data.clone().with_weights(weights).expect("positive"))
    }

    fn numbers(data: &Dataset, column: usize) -> &[f64] {
        match data.features().columns()[column].data() {
            crate::data::ColumnData::Numeric(values) => values,
            crate::data::ColumnData::Categorical(_) => &[],
        }
    }

    #[test]
    fn weights_that_depend_on_nothing_are_not_noted() {
        for seed in 0..50 {
            let data = table(seed);
            let mut stream = Stream::new(seed, 0, Purpose::Simulation { part: 1 });
            let drawn: Vec<f64> = (0..N_ROWS).map(|_| stream.unit()).collect();
            // Weights that hardly differ, counts, and a few very large ones.
            for form in [|u: f64| 1.0 + u, |u: f64| (4.0 * u).ceil(), |u: f64| 1.0 / (u + 0.01)] {
                let found = weighted(&data, |row| form(drawn[row]));
                assert_eq!(found, WeightsFollow::default(), "seed {seed}");
            }
        }
    }

    #[test]
    fn weights_of_classes_and_of_variables_are_noted() {
        for seed in 0..10 {
            let data = table(seed);
            let of_class =
                |ratio: f64| weighted(&data, |row| if row % 2 == 1 { ratio } else { 1.0 });
            assert!(of_class(2.0).target && of_class(5.0).target && of_class(0.2).target);
            assert!(!of_class(1.3).target, "too alike to matter");
            let noise = numbers(&data, 1);
            let found = weighted(&data, |row| (3.0 * noise[row]).exp());
            assert_eq!((found.target, found.columns), (false, vec!["noise".to_owned()]));
        }
        let follow = WeightsFollow {
            target: true,
            columns: ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec(),
        };
        let words = follow.in_words("k").expect("something");
        assert_eq!(words, "the target \"k\", \"a\", \"b\", \"c\" and 2 more");
    }

    /// Ten clusters differ in any column that is constant in each, which proves nothing.
    #[test]
    fn rows_of_a_cluster_count_as_one() {
        for seed in 0..20 {
            let mut stream = Stream::new(seed, 0, Purpose::Simulation { part: 2 });
            let of_clusters: Vec<[f64; 2]> =
                (0..10).map(|_| [stream.unit(), (3.0 * stream.unit()).exp()]).collect();
            let column = |at: usize| (0..N_ROWS).map(|row| of_clusters[row % 10][at]).collect();
            let y = (0..N_ROWS).map(|_| stream.unit()).collect();
            let x = Column::numeric("x", column(0)).expect("finite");
            let target = Target::regression("y", y).expect("finite");
            let data = Dataset::new(vec![x], target).expect("consistent");
            let clusters = (0..N_ROWS as u32).map(|row| row % 10).collect();
            let data = data.with_weights(column(1)).expect("positive");
            assert!(!weights_follow(&data).columns.is_empty(), "of as many rows it would");
            let data = data.with_clusters(clusters).expect("as many");
            assert_eq!(weights_follow(&data), WeightsFollow::default());
        }
    }
}
