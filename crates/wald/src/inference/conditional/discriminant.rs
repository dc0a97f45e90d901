//! Probabilities of classes by linear discriminant analysis, where the means of classes are random.
//!
//! Within a class, terms are normal with the same covariance matrix as in all others, and the means of the
//! classes are normal as well: probabilistic linear discriminant analysis (Ioffe 2006), whose variances are
//! estimated from those of the observed means (empirical Bayes). All classes together show along which axes they
//! differ, so that few rows of each are enough; regressions of each class against the others know these rows alone, and
//! know no class between two others on a line. Levels of other columns are independent of each other and of the terms
//! within a class (naive Bayes), their probabilities those of counts ([`LevelCounts`]).

use crate::cholesky::Cholesky;
use crate::inference::conditional::eigen::eigen;
use crate::inference::conditional::level_counts::LevelCounts;
use crate::inference::conditional::truth::{Fit, Model, Truth};

/// Added to the variances of terms within classes, in shares of the variance of a term in the whole table: terms may
/// be constant within classes, or sums of others.
const LEAST_VARIANCE: f64 = 1e-4;

/// Of more columns of levels none is left out.
const MOST_LEFT_OUT: usize = 10;

/// What is learned of classes and scaled terms.
pub(super) struct Discriminant {
    /// The coefficients of the terms, and last the constant, by axis. Rows of a class vary by 1 along each axis,
    /// independently.
    axes: Vec<Vec<f64>>,
    /// `None` of classes without rows.
    classes: Vec<Option<Class>>,
    /// Of the terms that are codes of levels, which are independent of others within a class (naive Bayes).
    levels: Vec<LevelCounts>,
    /// Which of them are.
    used: Vec<bool>,
}

/// Where new rows of a class are.
struct Class {
    /// The logarithm of its share, less half of those of its variances.
    constant: f64,
    /// Mean and variance by axis.
    along: Vec<(f64, f64)>,
}

/// What is known of a class from its rows.
#[derive(Clone)]
struct Known {
    weight: f64,
    squared_weights: f64,
    mean: Vec<f64>,
}

/// The discriminant of all rows, with the predictions of cross-validation; `None` of numbers, where classes
/// have too few rows for the terms, or numbers are too large. So many terms, the last ones, are codes of levels. Cost O(folds * (rows * terms^2 + terms^3 + rows *
/// classes * axes)).
pub(super) fn learn(truth: &Truth<'_>, terms: &[f64], n_codes: usize) -> Option<Fit> {
    let codes = truth.codes?;
    let learn = |without: Option<u32>| Discriminant::new(truth, (terms, n_codes), codes, without);
    let folds = 0..truth.n_folds() as u32;
    let by_fold: Vec<Discriminant> = folds.map(|fold| learn(Some(fold))).collect::<Option<_>>()?;
    let with = |used: &[bool]| {
        truth.predicted(terms, |fold, terms, made| by_fold[fold].predict_by(used, terms, made))
    };
    let mut used = vec![true; n_codes];
    let (mut error, mut predictions) = with(&used);
    // What a column shows that others show as well would count twice.
    while n_codes <= MOST_LEFT_OUT && used.iter().filter(|used| **used).count() > 1 {
        let without = (0..n_codes).filter(|&at| used[at]).map(|at| {
            let fewer: Vec<bool> = (0..n_codes).map(|other| other != at && used[other]).collect();
            (with(&fewer), fewer)
        });
        let best = without.min_by(|(one, _), (other, _)| one.0.total_cmp(&other.0));
        let Some((found, fewer)) = best.filter(|(found, _)| found.0 < error) else { break };
        ((error, predictions), used) = (found, fewer);
    }
    let model = Model::Discriminant(Discriminant { used, ..learn(None)? });
    error.is_finite().then_some(Fit { model, predictions, error })
}

impl Discriminant {
    /// Of the rows outside of a fold.
    fn new(
        truth: &Truth<'_>,
        (terms, n_codes): (&[f64], usize),
        codes: &[u32],
        without: Option<u32>,
    ) -> Option<Self> {
        // The first term is 1 in all rows.
        let width = terms.len() / codes.len();
        let n = width - 1 - n_codes;
        let rows = || {
            let rows = terms.chunks_exact(width).zip(codes).enumerate();
            rows.filter_map(|(row, (terms, code))| {
                (Some(truth.fold_of[row]) != without).then_some((
                    &terms[1..],
                    *code as usize,
                    truth.weights[row],
                ))
            })
        };
        let mut known = vec![Known::new(n); truth.n_outputs];
        for (terms, code, weight) in rows() {
            known[code].add(&terms[..n], weight);
        }
        known.iter_mut().for_each(Known::finish);
        let (within, freedom) = within(rows(), &known, n);
        let n_classes = known.iter().filter(|class| class.weight > 0.0).count();
        let n_rows: f64 = known.iter().map(Known::n_rows).sum();
        if n_classes < 2 || n_rows - (n_classes as f64) < n as f64 {
            return None;
        }
        let factor = Cholesky::new(
            (0..n * n)
                .map(|at| {
                    let least = if at / n == at % n { LEAST_VARIANCE } else { 0.0 };
                    within[at] / freedom + least
                })
                .collect(),
            n,
        )?;
        let mut center = vec![0.0; n];
        for class in &known {
            let share = class.n_rows() / n_rows;
            center.iter_mut().zip(&class.mean).for_each(|(sum, mean)| *sum += share * mean);
        }
        // Means of classes where rows vary by 1 within them, in all directions.
        let deviations: Vec<Vec<f64>> = known
            .iter()
            .map(|class| {
                let mut deviation: Vec<f64> =
                    class.mean.iter().zip(&center).map(|(mean, center)| mean - center).collect();
                factor.divide(&mut deviation);
                deviation
            })
            .collect();
        let mut between = vec![0.0; n * n];
        for (class, deviation) in known.iter().zip(&deviations) {
            let scale = class.n_rows() / (n_classes as f64 - 1.0);
            for (row, one) in between.chunks_exact_mut(n.max(1)).zip(deviation) {
                row.iter_mut().zip(deviation).for_each(|(sum, other)| *sum += scale * one * other);
            }
        }
        let (values, vectors) = eigen(between, n);
        let squared: f64 = known.iter().map(|class| class.n_rows().powi(2)).sum();
        // Observed means vary by that of the means, and by 1 for each row of a class.
        let scale = (n_classes as f64 - 1.0) / (n_rows - squared / n_rows);
        let variances: Vec<f64> = values.iter().map(|value| (value - 1.0) * scale).collect();
        if !variances.iter().all(|variance| variance.is_finite()) {
            return None;
        }
        let whole: f64 = known.iter().map(|class| class.weight).sum();
        let used: Vec<(f64, &Vec<f64>)> =
            variances.into_iter().zip(&vectors).filter(|(variance, _)| *variance > 0.0).collect();
        let classes = known.iter().zip(&deviations).map(|(class, deviation)| {
            (class.weight > 0.0).then(|| Class::new(class, class.weight / whole, deviation, &used))
        });
        let axes = used.iter().map(|(_, vector)| {
            let mut axis = (*vector).clone();
            factor.divide_transposed(&mut axis);
            let constant: f64 = axis.iter().zip(&center).map(|(by, center)| by * center).sum();
            axis.push(-constant);
            axis
        });
        let levels = (n + 1..width).map(|at| {
            let rows: Vec<(usize, usize, f64)> = rows()
                .map(|(terms, class, weight)| (terms[at - 1] as usize, class, weight))
                .collect();
            let all = terms.chunks_exact(width).map(|terms| terms[at] as usize);
            LevelCounts::new(&rows, all.max().map_or(0, |last| last + 1), truth.n_outputs)
        });
        Some(Self {
            classes: classes.collect(),
            axes: axes.collect(),
            levels: levels.collect(),
            used: vec![true; n_codes],
        })
    }

    /// The probabilities of the classes of a row, whose first term is 1.
    pub(super) fn predict(&self, terms: &[f64], made: &mut [f64]) {
        self.predict_by(&self.used, terms, made);
    }

    /// The same by some of the columns of levels.
    fn predict_by(&self, used: &[bool], terms: &[f64], made: &mut [f64]) {
        let place = |axis: &Vec<f64>| -> f64 {
            let (constant, axis) = axis.split_last().unwrap_or((&0.0, &[]));
            constant + axis.iter().zip(&terms[1..]).map(|(by, term)| by * term).sum::<f64>()
        };
        let places: Vec<f64> = self.axes.iter().map(place).collect();
        for (made, class) in made.iter_mut().zip(&self.classes) {
            *made = class.as_ref().map_or(f64::NEG_INFINITY, |class| class.log_density(&places));
        }
        let codes = &terms[terms.len() - self.levels.len()..];
        for ((levels, code), _) in
            self.levels.iter().zip(codes).zip(used).filter(|(_, used)| **used)
        {
            levels.add(*code as usize, made);
        }
        let largest = made.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        made.iter_mut().for_each(|made| *made = (*made - largest).exp());
        let sum: f64 = made.iter().sum();
        made.iter_mut().for_each(|made| *made /= sum);
    }
}

impl Class {
    /// Of a class whose observed mean deviates so from that of all; with the variances of means along axes.
    fn new(known: &Known, share: f64, deviation: &[f64], axes: &[(f64, &Vec<f64>)]) -> Self {
        let n_rows = known.n_rows();
        let along: Vec<(f64, f64)> = axes
            .iter()
            .map(|(variance, axis)| {
                let observed: f64 =
                    axis.iter().zip(deviation).map(|(by, by_own)| by * by_own).sum();
                let left = variance / (1.0 + n_rows * variance);
                (n_rows * left * observed, 1.0 + left)
            })
            .collect();
        let logarithms: f64 = along.iter().map(|(_, variance)| variance.ln()).sum();
        Self { constant: share.ln() - 0.5 * logarithms, along }
    }

    fn log_density(&self, places: &[f64]) -> f64 {
        let distances = self.along.iter().zip(places);
        let distance: f64 =
            distances.map(|((mean, variance), place)| (place - mean).powi(2) / variance).sum();
        self.constant - 0.5 * distance
    }
}

impl Known {
    fn new(n: usize) -> Self {
        Self { weight: 0.0, squared_weights: 0.0, mean: vec![0.0; n] }
    }

    fn add(&mut self, terms: &[f64], weight: f64) {
        self.weight += weight;
        self.squared_weights += weight * weight;
        self.mean.iter_mut().zip(terms).for_each(|(sum, term)| *sum += weight * term);
    }

    fn finish(&mut self) {
        if self.weight > 0.0 {
            self.mean.iter_mut().for_each(|sum| *sum /= self.weight);
        }
    }

    /// As many rows of equal weight have a mean as certain.
    fn n_rows(&self) -> f64 {
        if self.weight > 0.0 { self.weight * self.weight / self.squared_weights } else { 0.0 }
    }
}

/// The sums of products of the deviations of rows from the means of their classes, lower triangle, and what they are
/// divided by for a covariance matrix.
fn within<'a>(
    rows: impl Iterator<Item = (&'a [f64], usize, f64)>,
    known: &[Known],
    n: usize,
) -> (Vec<f64>, f64) {
    let mut within = vec![0.0; n * n];
    let mut deviation = vec![0.0; n];
    for (terms, code, weight) in rows {
        for ((deviation, term), mean) in deviation.iter_mut().zip(terms).zip(&known[code].mean) {
            *deviation = term - mean;
        }
        for (at, one) in deviation.iter().enumerate() {
            let by = weight * one;
            let row = &mut within[at * n..=at * n + at];
            row.iter_mut().zip(&deviation).for_each(|(sum, other)| *sum += by * other);
        }
    }
    let freedom = |class: &Known| class.weight * (1.0 - 1.0 / class.n_rows());
    (within, known.iter().filter(|class| class.weight > 0.0).map(freedom).sum())
}

#[cfg(test)]
mod tests;
