//! A smooth regression on the other columns: what forests on few rows do not learn.
//!
//! A forest predicts steps, and needs many rows where a column follows a line, a smooth curve or the sum of
//! several columns. Ridge regression on splines, products and indicators learns these from few. Its terms and its
//! penalty have the least squared error in cross-validation, whose predictions stand beside the out-of-bag ones
//! of the forest.

use crate::cholesky::Cholesky;
use crate::data::{Column, Dataset, Response};
use crate::folds::{fold_of_rows, n_units};
use crate::inference::conditional::logistic;
use crate::inference::conditional::terms::{Kind, Terms};
use crate::inference::conditional::truth::{Fit, Link, Truth, predict};
use crate::random::Stream;

/// The regression has at most so many terms, and one for so many rows.
const MOST_TERMS: usize = 60;
const ROWS_PER_TERM: usize = 3;

/// Of more classes nothing is learned: regressions of each against the others take most of the time of a test, and
/// probabilities of many classes that have few rows each are no smooth function.
const MOST_CLASSES: usize = 20;

/// Folds of the cross-validation.
const FOLDS: usize = 10;

/// Penalties, in shares of the weight of all rows, of the squared coefficients of terms of variance 1.
const PENALTIES: [f64; 6] = [1e-6, 1e-4, 1e-3, 1e-2, 1e-1, 1.0];

/// What it has learned.
pub(super) struct Trend {
    /// The names of the columns, in the order of the terms.
    columns: Vec<String>,
    terms: Terms,
    /// Means and standard deviations of the terms.
    scales: Vec<(f64, f64)>,
    /// By output: the intercept, then one by term.
    coefficients: Vec<Vec<f64>>,
    link: Link,
}

/// Products of the terms, whose first one is 1, with each other and with the outputs.
#[derive(Clone)]
struct Products {
    terms: Vec<f64>,
    outputs: Vec<Vec<f64>>,
}

impl Trend {
    /// Learns the target of `data`, and returns the predictions of cross-validation, row after row; `None`
    /// where there are many classes or too few rows for any terms, or numbers are too large. Cost O(rows *
    /// terms^2 + penalties * folds * terms^3), and of classes that of [`logistic::learn`].
    pub(super) fn learn(data: &Dataset, stream: &mut Stream) -> Option<(Self, Vec<f64>)> {
        let (target, units) = (data.target(), n_units(data));
        if matches!(target.response(), Response::Classification(_))
            && target.n_outputs() > MOST_CLASSES
        {
            return None;
        }
        let fold_of = fold_of_rows(data, FOLDS.min(units), stream.word(), 0);
        let truth = Truth::new(data, &fold_of);
        let columns: Vec<&Column> = data.features().columns().iter().collect();
        let most = MOST_TERMS.min(units / ROWS_PER_TERM);
        let candidates = Kind::ALL.into_iter().filter_map(|kind| {
            let terms = Terms::new(&columns, kind);
            (1..=most).contains(&terms.width()).then_some(terms)
        });
        let tried = candidates.filter_map(|terms| Tried::new(&truth, &columns, terms));
        let Tried { terms, scales, rows, mut fit } =
            tried.min_by(|one, other| one.fit.error.total_cmp(&other.fit.error))?;
        let mut link = truth.link;
        if let Link::Shares = link {
            let odds = logistic::learn(&truth, &rows, &PENALTIES);
            if let Some(odds) = odds.filter(|odds| odds.error < fit.error) {
                (fit, link) = (odds, Link::LogOdds);
            }
        }
        let columns = columns.iter().map(|column| column.name().to_owned()).collect();
        let Fit { coefficients, predictions, .. } = fit;
        Some((Self { columns, terms, scales, coefficients, link }, predictions))
    }

    /// Predictions for the rows of a table, row after row. Columns are found by their names.
    pub(super) fn predict(&self, columns: &[Column]) -> Vec<f64> {
        let named = |name: &String| columns.iter().find(|column| column.name() == name);
        let columns: Vec<&Column> = self.columns.iter().filter_map(named).collect();
        let width = self.terms.width();
        let n_outputs = self.coefficients.len();
        let numbers = self.terms.of(&columns);
        let mut predictions = vec![0.0; numbers.len() / width * n_outputs];
        let rows = numbers.chunks_exact(width).zip(predictions.chunks_exact_mut(n_outputs));
        let mut terms = vec![1.0; width + 1];
        for (numbers, made) in rows {
            for ((term, number), (mean, deviation)) in
                terms[1..].iter_mut().zip(numbers).zip(&self.scales)
            {
                *term = (number - mean) / deviation;
            }
            predict(&self.coefficients, &terms, self.link, made);
        }
        predictions
    }
}

/// What cross-validation has found for some terms.
struct Tried {
    terms: Terms,
    scales: Vec<(f64, f64)>,
    /// The scaled terms of all rows, each behind a 1.
    rows: Vec<f64>,
    fit: Fit,
}

impl Tried {
    fn new(truth: &Truth<'_>, columns: &[&Column], terms: Terms) -> Option<Self> {
        let whole: f64 = truth.weights.iter().sum();
        let (scales, rows) =
            standardised(&terms.of(columns), terms.width(), whole, |row| truth.weights[row]);
        let width = terms.width() + 1;
        let mut of_fold = vec![Products::new(width, truth.n_outputs); truth.n_folds()];
        for (row, terms) in rows.chunks_exact(width).enumerate() {
            of_fold[truth.fold_of[row] as usize].add(truth.weights[row], terms, truth.of(row));
        }
        let mut products = Products::new(width, truth.n_outputs);
        of_fold.iter().for_each(|fold| products.merge(fold, 1.0));
        let by_penalty = |penalty: f64| -> Option<(f64, f64, Vec<f64>)> {
            let without = |fold: &Products| {
                let mut rest = products.clone();
                rest.merge(fold, -1.0);
                rest.solve(penalty)
            };
            let by_fold: Vec<Vec<Vec<f64>>> = of_fold.iter().map(without).collect::<Option<_>>()?;
            let (error, predictions) = truth.predicted(&rows, &by_fold, truth.link);
            error.is_finite().then_some((error, penalty, predictions))
        };
        let tried = PENALTIES.into_iter().filter_map(by_penalty);
        let (error, penalty, predictions) = tried.min_by(|one, other| one.0.total_cmp(&other.0))?;
        let coefficients = products.solve(penalty)?;
        Some(Self { terms, scales, rows, fit: Fit { coefficients, predictions, error } })
    }
}

/// Means and standard deviations of the terms, and the terms of every row behind a 1.
fn standardised(
    numbers: &[f64],
    width: usize,
    whole: f64,
    weight: impl Fn(usize) -> f64,
) -> (Vec<(f64, f64)>, Vec<f64>) {
    let mean = |of: &dyn Fn(usize) -> f64| {
        (0..numbers.len() / width).map(|row| weight(row) * of(row)).sum::<f64>() / whole
    };
    let scale = |term: usize| {
        let center = mean(&|row| numbers[row * width + term]);
        let variance = mean(&|row| (numbers[row * width + term] - center).powi(2));
        (center, if variance > 0.0 { variance.sqrt() } else { 1.0 })
    };
    let scales: Vec<(f64, f64)> = (0..width).map(scale).collect();
    let of_row = |numbers: &[f64]| {
        let scaled = numbers.iter().zip(&scales).map(|(number, (mean, by))| (number - mean) / by);
        std::iter::once(1.0).chain(scaled).collect::<Vec<f64>>()
    };
    let rows = numbers.chunks_exact(width).flat_map(of_row).collect();
    (scales, rows)
}

impl Products {
    fn new(width: usize, n_outputs: usize) -> Self {
        Self { terms: vec![0.0; width * width], outputs: vec![vec![0.0; width]; n_outputs] }
    }

    fn add(&mut self, weight: f64, terms: &[f64], truth: &[f64]) {
        for (row, term) in self.terms.chunks_exact_mut(terms.len()).zip(terms) {
            row.iter_mut().zip(terms).for_each(|(sum, other)| *sum += weight * term * other);
        }
        for (sums, truth) in self.outputs.iter_mut().zip(truth) {
            sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += weight * term * truth);
        }
    }

    fn merge(&mut self, other: &Self, sign: f64) {
        let add = |sums: &mut [f64], others: &[f64]| {
            sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += sign * other);
        };
        add(&mut self.terms, &other.terms);
        self.outputs.iter_mut().zip(&other.outputs).for_each(|(sums, others)| add(sums, others));
    }

    /// Coefficients by output; `None` where the terms do not determine them.
    fn solve(&self, penalty: f64) -> Option<Vec<Vec<f64>>> {
        let width = self.outputs.first()?.len();
        let mut matrix = self.terms.clone();
        // The first term is 1, so that its square is the weight of all rows; it is not penalised.
        let penalty = penalty * matrix[0];
        (1..width).for_each(|at| matrix[at * width + at] += penalty);
        let factored = Cholesky::new(matrix, width)?;
        let mut outputs = self.outputs.clone();
        outputs.iter_mut().for_each(|output| factored.solve(output));
        Some(outputs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Target;
    use crate::random::Purpose;

    fn numbers(name: &str, values: Vec<f64>) -> Column {
        Column::numeric(name, values).expect("numbers")
    }

    fn drawn(n_rows: usize) -> Vec<Column> {
        let mut stream = Stream::new(2, 0, Purpose::Folds);
        let mut column = |name| numbers(name, (0..n_rows).map(|_| stream.unit()).collect());
        vec![column("x"), column("z"), column("noise")]
    }

    fn values(column: &Column) -> &[f64] {
        match column.data() {
            crate::data::ColumnData::Numeric(values) => values,
            crate::data::ColumnData::Categorical(_) => &[],
        }
    }

    fn learn(columns: &[Column], target: Target) -> Option<(Trend, Vec<f64>)> {
        let data = Dataset::new(columns.to_vec(), target).expect("consistent");
        Trend::learn(&data, &mut Stream::new(1, 0, Purpose::Folds))
    }

    /// Predictions of `sklearn.linear_model.Ridge(alpha=0.1 * w.sum())` on columns standardised by weight.
    #[test]
    fn coefficients_are_those_of_ridge_regression() {
        let rows = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [4.0, 1.0], [5.0, 5.0]];
        let truth = [1.0, 3.0, 2.0, 5.0, 9.0];
        let weights = [1.0, 2.0, 1.0, 1.0, 3.0];
        let (scales, terms) = standardised(&rows.concat(), 2, 8.0, |row| weights[row]);
        assert_eq!(scales.iter().map(|scale| scale.0).collect::<Vec<_>>(), [2.875, 2.375]);
        let mut products = Products::new(3, 1);
        for ((terms, truth), weight) in terms.chunks_exact(3).zip(truth).zip(weights) {
            products.add(weight, terms, &[truth]);
        }
        let coefficients = products.solve(0.1).expect("a solution");
        for (found, expected) in coefficients[0].iter().zip([5.125, 1.866_161_89, 1.109_234_39]) {
            assert!((found - expected).abs() < 1e-8, "{found}");
        }
        let expected = [1.673_719_74, 2.099_839_76, 4.097_384_63, 5.473_432_94, 8.518_594_39];
        for (terms, expected) in terms.chunks_exact(3).zip(expected) {
            let mut made = [0.0];
            predict(&coefficients, terms, Link::Identity, &mut made);
            assert!((made[0] - expected).abs() < 1e-8, "{made:?}");
        }
    }

    /// Lines, curves and products are found from 60 rows, and predicted for others.
    #[test]
    fn smooth_relations_are_learned_from_few_rows() {
        let signals: [fn(f64, f64) -> f64; 3] = [
            |x, z| 2.0 * x - 3.0 * z,
            |x, z| (4.0 * x).sin() + z * z,
            |x, z| (x - 0.5) * (z - 0.5),
        ];
        let (columns, new) = (drawn(60), drawn(90));
        for (at, signal) in signals.into_iter().enumerate() {
            let of = |columns: &[Column]| -> Vec<f64> {
                let pairs = values(&columns[0]).iter().zip(values(&columns[1]));
                pairs.map(|(x, z)| signal(*x, *z)).collect()
            };
            let truth = of(&columns);
            let target = Target::regression("y", truth.clone()).expect("finite");
            let (trend, left_out) = learn(&columns, target).expect("a trend");
            let share = |made: &[f64], truth: &[f64]| {
                let mean = truth.iter().sum::<f64>() / truth.len() as f64;
                let squares = |of: &mut dyn Iterator<Item = f64>| of.map(|x| x * x).sum::<f64>();
                squares(&mut made.iter().zip(truth).map(|(made, truth)| made - truth))
                    / squares(&mut truth.iter().map(|truth| truth - mean))
            };
            assert!(share(&left_out, &truth) < 0.01, "{at}: {}", share(&left_out, &truth));
            // The order of columns is that of their names.
            let turned: Vec<Column> = new.iter().rev().cloned().collect();
            let (made, truth) = (trend.predict(&turned), of(&new));
            assert!(share(&made, &truth) < 0.01, "{at}: {}", share(&made, &truth));
        }
    }

    /// Of noise, nothing is learned for rows that are left out; six terms and an intercept that were fitted to
    /// them, too, would explain a fifth.
    #[test]
    fn rows_that_are_left_out_are_predicted_without_them() {
        let mut stream = Stream::new(4, 0, Purpose::Folds);
        let (mut explained, mut spread) = (0.0, 0.0);
        for _ in 0..20 {
            let mut column = |name| numbers(name, (0..30).map(|_| stream.unit()).collect());
            let columns = ["x", "z", "v"].map(&mut column);
            let truth: Vec<f64> = (0..30).map(|_| stream.unit()).collect();
            let target = Target::regression("y", truth.clone()).expect("finite");
            let (_, left_out) = learn(&columns, target).expect("a trend");
            let mean = truth.iter().sum::<f64>() / 30.0;
            for (truth, made) in truth.iter().zip(left_out) {
                explained += (truth - mean).powi(2) - (truth - made).powi(2);
                spread += (truth - mean).powi(2);
            }
        }
        assert!(explained < 0.0, "{}", explained / spread);
    }

    #[test]
    fn predictions_of_classes_are_probabilities() {
        let columns = drawn(80);
        let codes = values(&columns[0]).iter().map(|x| (3.0 * x) as u32).collect();
        let names = ["a", "b", "c"].map(str::to_owned).to_vec();
        let target = Target::classification("y", names, codes).expect("classes");
        let (trend, _) = learn(&columns, target).expect("a trend");
        let made = trend.predict(&drawn(40));
        for shares in made.chunks_exact(3) {
            assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{shares:?}");
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{shares:?}");
        }
        assert!(made.chunks_exact(3).any(|shares| shares[0] > 0.8), "{made:?}");
    }

    #[test]
    fn many_classes_are_left_to_the_forest() {
        for (n_classes, is_learned) in [(MOST_CLASSES, true), (MOST_CLASSES + 1, false)] {
            let codes = (0..200).map(|row| row % n_classes as u32).collect();
            let names = (0..n_classes).map(|class| class.to_string()).collect();
            let target = Target::classification("y", names, codes).expect("classes");
            assert_eq!(learn(&drawn(200), target).is_some(), is_learned, "{n_classes}");
        }
    }

    /// Three terms need nine rows; columns that do not vary have no term.
    #[test]
    fn few_rows_and_constant_columns_have_no_trend() {
        let target = |n| Target::regression("y", (0..n).map(f64::from).collect()).expect("finite");
        let first = |n: u32| -> Vec<Column> {
            let rows: Vec<u32> = (0..n).collect();
            drawn(60).iter().map(|column| column.select(&rows)).collect()
        };
        assert!(learn(&first(8), target(8)).is_none());
        assert!(learn(&first(9), target(9)).is_some());
        assert!(learn(&[numbers("x", vec![1.0; 20])], target(20)).is_none());
    }
}
