//! Probabilities of classes by logistic regression with a ridge penalty.
//!
//! Probabilities that rise steeply from 0 to 1 are no linear function of smooth terms; their log-odds are. Each
//! class has a regression against all others (ridge estimators of le Cessie & van Houwelingen 1992), and the
//! probabilities of a row are divided by their sum.

use crate::cholesky::Cholesky;
use crate::inference::conditional::truth::{Fit, Link, Model, Truth, probability};

/// Newton's method ends after so many steps, or once the mean log-likelihood of a row has gained no more than this.
/// It ends, too, where there is no largest likelihood: a class without rows has log-odds of minus infinity.
const MOST_STEPS: usize = 30;
const LEAST_GAIN: f64 = 1e-8;

/// Steps that do not increase the likelihood are halved so many times.
const HALVINGS: i32 = 10;

/// The regressions of classes on terms, whose first one is 1, with the penalty of the least squared error in
/// cross-validation; `None` where numbers are too large. While penalties are compared, the
/// coefficients without a fold are one step of Newton's method from those of all rows. Cost O(classes *
/// (penalties + folds) * rows * terms^2).
pub(super) fn learn(truth: &Truth<'_>, terms: &[f64], penalties: &[f64]) -> Option<Fit> {
    let folds: Vec<usize> = (0..truth.n_folds()).collect();
    let width = terms.len() / truth.weights.len();
    // The log-odds of the second of two classes are those of the first with the other sign.
    let n_fitted = if truth.n_outputs == 2 { 1 } else { truth.n_outputs };
    let classes: Vec<Class<'_>> = (0..n_fitted).map(|of| Class { terms, truth, of }).collect();
    let model = |mut fitted: Vec<Vec<f64>>| {
        if let [one] = &*fitted {
            fitted.push(one.iter().map(|by| -by).collect());
        }
        Model::Linear(fitted, Link::LogOdds)
    };
    let mut coefficients = vec![vec![0.0; width]; n_fitted];
    let mut best: Option<(f64, Tried)> = None;
    // Each penalty begins where a larger one has ended.
    for &penalty in penalties.iter().rev() {
        let Some(tried) = Tried::new(&classes, &folds, penalty, &mut coefficients) else { break };
        let by_fold: Vec<Model> = tried.by_fold.iter().cloned().map(model).collect();
        let (error, _) =
            truth.predicted(terms, |fold, terms, made| by_fold[fold].predict(terms, made));
        if best.as_ref().is_some_and(|best| error >= best.0) {
            break;
        }
        best = Some((error, tried));
    }
    let (_, Tried { penalty, coefficients, mut by_fold }) = best?;
    for (&fold, fitted) in folds.iter().zip(&mut by_fold) {
        for (class, coefficients) in classes.iter().zip(fitted) {
            class.fit(penalty, Some(fold), coefficients)?;
        }
    }
    let by_fold: Vec<Model> = by_fold.into_iter().map(model).collect();
    let (error, predictions) =
        truth.predicted(terms, |fold, terms, made| by_fold[fold].predict(terms, made));
    Some(Fit { model: model(coefficients), predictions, error })
}

/// What is fitted with a penalty: coefficients by class, of all rows and without each fold.
struct Tried {
    penalty: f64,
    coefficients: Vec<Vec<f64>>,
    by_fold: Vec<Vec<Vec<f64>>>,
}

impl Tried {
    fn new(
        classes: &[Class<'_>],
        folds: &[usize],
        penalty: f64,
        coefficients: &mut [Vec<f64>],
    ) -> Option<Self> {
        let mut by_fold = vec![Vec::with_capacity(classes.len()); folds.len()];
        for (class, coefficients) in classes.iter().zip(&mut *coefficients) {
            class.fit(penalty, None, coefficients)?;
            let slopes = class.slopes(coefficients, None);
            for (&fold, fitted) in folds.iter().zip(&mut by_fold) {
                let step = Class::step(&slopes, penalty, Some(fold), coefficients)?;
                fitted.push(coefficients.iter().zip(step).map(|(from, by)| from + by).collect());
            }
        }
        Some(Self { penalty, coefficients: coefficients.to_vec(), by_fold })
    }
}

/// The regression of one class against the others.
struct Class<'a> {
    /// Row after row; the first term is 1.
    terms: &'a [f64],
    truth: &'a Truth<'a>,
    of: usize,
}

/// Derivatives of the log-likelihood of the rows of a fold.
#[derive(Clone)]
struct Slope {
    weight: f64,
    gradient: Vec<f64>,
    /// The lower triangle of the second derivatives, without their sign.
    curvature: Vec<f64>,
}

impl Class<'_> {
    /// Moves coefficients to the largest penalised likelihood of all rows, or of those outside of a fold. The penalty
    /// is half the squares of all but the first one, as a share of the weight of these rows. `None` where numbers
    /// are too large.
    fn fit(&self, penalty: f64, without: Option<usize>, coefficients: &mut Vec<f64>) -> Option<()> {
        let mut likelihood = self.likelihood(penalty, without, coefficients);
        for _ in 0..MOST_STEPS {
            let slopes = self.slopes(coefficients, without);
            let weight: f64 = slopes.iter().map(|slope| slope.weight).sum();
            let step = Self::step(&slopes, penalty, without, coefficients)?;
            let moved = (0..HALVINGS).find_map(|halvings| {
                let share = 0.5_f64.powi(halvings);
                let steps = coefficients.iter().zip(&step);
                let there: Vec<f64> = steps.map(|(from, by)| from + share * by).collect();
                let found = self.likelihood(penalty, without, &there);
                (found >= likelihood).then_some((there, found))
            });
            let Some((there, found)) = moved else { break };
            let gain = found - likelihood;
            (*coefficients, likelihood) = (there, found);
            if gain <= LEAST_GAIN * weight {
                break;
            }
        }
        likelihood.is_finite().then_some(())
    }

    /// Fold, terms, truth and weight of the rows outside of a fold.
    fn rows(
        &self,
        without: Option<usize>,
        width: usize,
    ) -> impl Iterator<Item = (usize, &[f64], f64, f64)> {
        let rows = self.terms.chunks_exact(width).enumerate();
        rows.filter_map(move |(row, terms)| {
            let fold = self.truth.fold_of[row] as usize;
            let of = (fold, terms, self.truth.of(row)[self.of], self.truth.weights[row]);
            (Some(fold) != without).then_some(of)
        })
    }

    fn likelihood(&self, penalty: f64, without: Option<usize>, coefficients: &[f64]) -> f64 {
        let (mut sum, mut whole) = (0.0, 0.0);
        for (_, terms, truth, weight) in self.rows(without, coefficients.len()) {
            let odds = log_odds(terms, coefficients);
            // The subtrahend is ln(1 + exp(odds)), of any odds.
            sum += weight * (truth * odds - (odds.max(0.0) + (-odds.abs()).exp().ln_1p()));
            whole += weight;
        }
        let squares: f64 = coefficients[1..].iter().map(|by| by * by).sum();
        sum - 0.5 * penalty * whole * squares
    }

    /// The derivatives by fold.
    fn slopes(&self, coefficients: &[f64], without: Option<usize>) -> Vec<Slope> {
        let width = coefficients.len();
        let mut slopes = vec![Slope::new(width); self.truth.n_folds()];
        for (fold, terms, truth, weight) in self.rows(without, width) {
            let made = probability(log_odds(terms, coefficients));
            let (residual, variance) = (weight * (truth - made), weight * made * (1.0 - made));
            let slope = &mut slopes[fold];
            slope.weight += weight;
            slope.gradient.iter_mut().zip(terms).for_each(|(sum, term)| *sum += residual * term);
            for (at, term) in terms.iter().enumerate() {
                let by = variance * term;
                let row = &mut slope.curvature[at * width..=at * width + at];
                row.iter_mut().zip(terms).for_each(|(sum, other)| *sum += by * other);
            }
        }
        slopes
    }

    /// The step of Newton's method.
    fn step(
        slopes: &[Slope],
        penalty: f64,
        without: Option<usize>,
        coefficients: &[f64],
    ) -> Option<Vec<f64>> {
        let width = coefficients.len();
        let mut sum = Slope::new(width);
        for (_, slope) in slopes.iter().enumerate().filter(|(fold, _)| Some(*fold) != without) {
            sum.add(slope);
        }
        let penalty = penalty * sum.weight;
        for (at, coefficient) in coefficients.iter().enumerate().skip(1) {
            sum.gradient[at] -= penalty * coefficient;
            sum.curvature[at * width + at] += penalty;
        }
        Cholesky::new(sum.curvature, width)?.solve(&mut sum.gradient);
        Some(sum.gradient)
    }
}

impl Slope {
    fn new(width: usize) -> Self {
        Self { weight: 0.0, gradient: vec![0.0; width], curvature: vec![0.0; width * width] }
    }

    fn add(&mut self, other: &Self) {
        self.weight += other.weight;
        self.gradient.iter_mut().zip(&other.gradient).for_each(|(sum, own)| *sum += own);
        self.curvature.iter_mut().zip(&other.curvature).for_each(|(sum, own)| *sum += own);
    }
}

fn log_odds(terms: &[f64], coefficients: &[f64]) -> f64 {
    terms.iter().zip(coefficients).map(|(term, by)| term * by).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Dataset, Target};
    use crate::random::{Purpose, Stream};

    fn classes(codes: Vec<u32>, weights: Option<Vec<f64>>) -> Dataset {
        let names = ["a", "b", "c"].map(str::to_owned)
            [..=codes.iter().max().map_or(0, |&most| most as usize)]
            .to_vec();
        let x = Column::numeric("x", vec![0.0; codes.len()]).expect("finite");
        let target = Target::classification("y", names, codes).expect("classes");
        let data = Dataset::new(vec![x], target).expect("consistent");
        match weights {
            Some(weights) => data.with_weights(weights).expect("positive"),
            None => data,
        }
    }

    /// Coefficients of `sklearn.linear_model.LogisticRegression(C=1 / (penalty * w.sum()))` by class against the
    /// others, fitted with weights w, of all rows and of those outside of a fold.
    #[test]
    fn coefficients_are_those_of_logistic_regression() {
        let terms =
            [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [4.0, 1.0], [5.0, 5.0], [3.0, 0.0], [1.0, 4.0]];
        let terms: Vec<f64> = terms.iter().flat_map(|[x, z]| [1.0, *x, *z]).collect();
        let weights = vec![1.0, 2.0, 1.0, 1.0, 3.0, 1.0, 2.0];
        let data = classes(vec![0, 1, 0, 2, 2, 1, 0], Some(weights));
        let truth = Truth::new(&data, &[0, 1, 0, 0, 1, 1, 0]);
        let expected = [
            (0.1, 0, None, [0.487_225, -1.136_666, 0.639_558]),
            (0.1, 1, None, [0.882_011, -0.090_720, -1.181_786]),
            (0.1, 2, None, [-4.903_051, 1.230_560, 0.310_394]),
            (0.001, 1, None, [3.771_334, -0.068_655, -6.879_681]),
            (0.001, 2, None, [-18.055_643, 4.887_923, 1.635_327]),
            (0.01, 0, Some(1), [5.262_734, -2.305_035, 1.120_288]),
            (0.01, 2, Some(1), [-5.262_734, 2.305_035, -1.120_288]),
            (0.01, 1, Some(0), [6.714_864, -0.802_055, -1.555_590]),
        ];
        for (penalty, class, without, expected) in expected {
            let mut found = vec![0.0; 3];
            let class = Class { terms: &terms, truth: &truth, of: class };
            class.fit(penalty, without, &mut found).expect("coefficients");
            for (found, expected) in found.iter().zip(expected) {
                assert!(
                    (found - expected).abs() < 1e-5 * expected.abs().max(1.0),
                    "{found} {expected}"
                );
            }
        }
    }

    /// Predictions for rows that were left out, of a class that follows a term, and of one that does not. A
    /// regression that knew these rows would explain a share of the second one.
    #[test]
    fn steep_probabilities_are_learned_and_noise_is_not() {
        let mut stream = Stream::new(3, 0, Purpose::Folds);
        let (mut of_steep, mut of_noise) = (0.0, 0.0);
        for _ in 0..10 {
            let terms: Vec<f64> = (0..60)
                .flat_map(|_| [1.0, stream.unit() - 0.5, stream.unit(), stream.unit()])
                .collect();
            let fold_of: Vec<u32> = (0..60).map(|row| row % 10).collect();
            let explained = |of: &mut dyn FnMut(f64) -> bool| {
                let codes: Vec<u32> =
                    terms.chunks_exact(4).map(|terms| u32::from(of(terms[1]))).collect();
                let share = f64::from(codes.iter().sum::<u32>()) / 60.0;
                let data = classes(codes, None);
                let found = learn(&Truth::new(&data, &fold_of), &terms, &[1e-4, 1e-3, 1e-2, 0.1])
                    .expect("a fit");
                1.0 - found.error / (120.0 * share * (1.0 - share))
            };
            of_steep += explained(&mut |x| x > 0.0) / 10.0;
            of_noise += explained(&mut |_| stream.unit() < 0.5) / 10.0;
        }
        assert!(of_steep > 0.8, "{of_steep}");
        assert!(of_noise < 0.0, "{of_noise}");
    }

    /// The only row of the third class is in one fold: without it, there is no largest likelihood.
    #[test]
    fn a_class_may_have_no_row_outside_of_a_fold() {
        let codes: Vec<u32> =
            (0..40).map(|row| if row == 7 { 2 } else { u32::from(row >= 20) }).collect();
        let terms: Vec<f64> = (0..40).flat_map(|row| [1.0, f64::from(row) / 20.0 - 1.0]).collect();
        let data = classes(codes, None);
        let fold_of: Vec<u32> = (0..40).map(|row| row % 10).collect();
        let found = learn(&Truth::new(&data, &fold_of), &terms, &[1e-4, 1e-2, 1.0]).expect("a fit");
        let of_seven = &found.predictions[21..24];
        assert!(of_seven[2] < 1e-3 && of_seven[0] > 0.8, "{of_seven:?}");
        assert!(found.predictions[3 * 30 + 1] > 0.8, "{:?}", &found.predictions[90..93]);
    }
}
