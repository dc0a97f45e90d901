//! A smooth regression on the other columns: what forests on few rows do not learn.
//!
//! A forest predicts steps, and needs many rows where a column follows a line, a smooth curve or the sum of
//! several columns. Ridge regression on splines, products and indicators learns these from few, and of classes
//! logistic regression, linear discriminant analysis and naive Bayes do. What has the least squared error in cross-validation is
//! taken: terms, learner and penalty. Its predictions for rows that were left out stand beside the out-of-bag ones of the
//! forest.

use crate::data::{Column, Dataset};
use crate::folds::{fold_of_rows, n_units};
use crate::inference::conditional::terms::{Kind, Terms};
use crate::inference::conditional::truth::{Fit, Model, Truth};
use crate::inference::conditional::{discriminant, logistic, ridge};
use crate::random::Stream;

/// The regression has at most so many terms, and one for so many rows.
const MOST_TERMS: usize = 60;
const ROWS_PER_TERM: usize = 3;

/// More classes have no regressions of each against the others, which take most of the time of a test, and whose
/// probabilities of classes of few rows are no smooth function.
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
    n_outputs: usize,
    model: Model,
}

impl Trend {
    /// Learns the target of `data`, and returns the predictions of cross-validation, row after row; `None`
    /// where there are too few rows for any terms, or numbers are too large. Cost: that of [`ridge::learn`], and of classes
    /// those of [`discriminant::learn`] and [`logistic::learn`].
    pub(super) fn learn(data: &Dataset, stream: &mut Stream) -> Option<(Self, Vec<f64>)> {
        let units = n_units(data);
        let fold_of = fold_of_rows(data, FOLDS.min(units), stream.word(), 0);
        let truth = Truth::new(data, &fold_of);
        let columns: Vec<&Column> = data.features().columns().iter().collect();
        let most = MOST_TERMS.min(units / ROWS_PER_TERM);
        let candidates = Kind::of(&columns, truth.codes.is_some()).into_iter().filter_map(|kind| {
            let terms = Terms::new(&columns, kind);
            (1..=most).contains(&terms.width()).then_some(terms)
        });
        let tried = candidates.filter_map(|terms| Tried::new(&truth, &columns, terms));
        let Tried { terms, scales, rows, mut fit } =
            tried.min_by(|one, other| one.fit.error.total_cmp(&other.fit.error))?;
        if truth.codes.is_some() && truth.n_outputs <= MOST_CLASSES && terms.n_codes() == 0 {
            let odds = logistic::learn(&truth, &rows, &PENALTIES);
            if let Some(odds) = odds.filter(|odds| odds.error < fit.error) {
                fit = odds;
            }
        }
        let columns = columns.iter().map(|column| column.name().to_owned()).collect();
        let Fit { model, predictions, .. } = fit;
        Some((Self { columns, terms, scales, n_outputs: truth.n_outputs, model }, predictions))
    }

    /// Predictions for the rows of a table, row after row. Columns are found by their names.
    pub(super) fn predict(&self, columns: &[Column]) -> Vec<f64> {
        let named = |name: &String| columns.iter().find(|column| column.name() == name);
        let columns: Vec<&Column> = self.columns.iter().filter_map(named).collect();
        let width = self.terms.width();
        let n_outputs = self.n_outputs;
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
            self.model.predict(&terms, made);
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
            standardised(&terms.of(columns), (terms.width(), terms.n_codes()), whole, |row| {
                truth.weights[row]
            });
        let has_few_classes = truth.codes.is_none() || truth.n_outputs <= MOST_CLASSES;
        let is_regression = has_few_classes && terms.n_codes() == 0;
        let linear = is_regression.then(|| ridge::learn(truth, &rows, &PENALTIES)).flatten();
        let fits = linear.into_iter().chain(discriminant::learn(truth, &rows, terms.n_codes()));
        let fit = fits.min_by(|one, other| one.error.total_cmp(&other.error))?;
        Some(Self { terms, scales, rows, fit })
    }
}

/// Means and standard deviations of the terms, and the terms of every row behind a 1; so many of them, the last ones, stay
/// as they are.
pub(super) fn standardised(
    numbers: &[f64],
    (width, n_codes): (usize, usize),
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
    let of_numbers = (0..width - n_codes).map(scale);
    let scales: Vec<(f64, f64)> =
        of_numbers.chain(std::iter::repeat_n((0.0, 1.0), n_codes)).collect();
    let of_row = |numbers: &[f64]| {
        let scaled = numbers.iter().zip(&scales).map(|(number, (mean, by))| (number - mean) / by);
        std::iter::once(1.0).chain(scaled).collect::<Vec<f64>>()
    };
    let rows = numbers.chunks_exact(width).flat_map(of_row).collect();
    (scales, rows)
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

    /// Of classes that are parts of a line, eight rows each and more of them than regressions are made of, a third of the
    /// variance at least is explained for rows that are left out. Classes of one row have nothing within them.
    #[test]
    fn many_classes_are_learned_where_they_have_rows() {
        let columns = drawn(200);
        let known = |n_classes: usize, code: &dyn Fn(usize) -> usize| {
            let codes = (0..200).map(|row| code(row) as u32).collect();
            let names = (0..n_classes).map(|class| class.to_string()).collect();
            let target = Target::classification("y", names, codes).expect("classes");
            learn(&columns, target)
        };
        let part = |row: usize| (values(&columns[0])[row] * 25.0) as usize;
        let (_, left_out) = known(25, &part).expect("a trend");
        let error: f64 = (0..200 * 25)
            .map(|at| (left_out[at] - f64::from(u8::from(at % 25 == part(at / 25)))).powi(2))
            .sum();
        let share = |of: usize| (0..200).filter(|row| part(*row) == of).count() as f64 / 200.0;
        let spread = 200.0 * (1.0 - (0..25).map(|of| share(of).powi(2)).sum::<f64>());
        assert!(error < 0.67 * spread, "{}", error / spread);
        assert!(known(200, &|row| row).is_none());
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
