//! Predictions of two learners, combined.

use crate::data::{Dataset, Response};

/// What is made of the predictions of two learners.
pub(super) enum Stack {
    /// Those of one learner.
    One(usize),
    /// A linear function of both, through the means of the truth and of predictions.
    Both { truth: Vec<f64>, predicted: [Vec<f64>; 2], slopes: [f64; 2] },
}

impl Stack {
    /// What suits the truth best, of predictions for rows that were left out: by learner, row after row, of the rows
    /// `made`.
    ///
    /// Of numbers, the linear function with the least squared error, whose slopes are not negative. Of classes,
    /// the learner whose probabilities vary most with the truth, as they are: noise of probabilities averages out
    /// over rows and draws, but where they are drawn to the shares of the classes, to have less squared error, classes
    /// are drawn for rows in which they never occur.
    pub(super) fn new(data: &Dataset, made: &[usize], predictions: [&[f64]; 2]) -> Self {
        let (target, n_outputs) = (data.target(), data.target().n_outputs());
        let weight = |row: usize| data.weights().map_or(1.0, |weights| weights[row]);
        let truth = |row: usize, output: usize| match target.response() {
            Response::Classification(classes) => {
                f64::from(u8::from(classes.codes()[row] as usize == output))
            }
            Response::Regression(values) => values[row],
            Response::Several(outputs) => outputs.row(row)[output],
        };
        let whole: f64 = made.iter().map(|&row| weight(row)).sum();
        let mean = |value: &dyn Fn(usize, usize) -> f64| -> Vec<f64> {
            let sum =
                |output| made.iter().map(|&row| weight(row) * value(row, output)).sum::<f64>();
            (0..n_outputs).map(|output| sum(output) / whole).collect()
        };
        let truths = mean(&truth);
        let means = predictions.map(|of| mean(&|row, output| of[row * n_outputs + output]));
        let (mut together, mut with_truth) = ([[0.0; 2]; 2], [0.0; 2]);
        for &row in made {
            for output in 0..n_outputs {
                let at = row * n_outputs + output;
                let deviations = [0, 1].map(|of| predictions[of][at] - means[of][output]);
                for (one, deviation) in deviations.iter().enumerate() {
                    let deviation = weight(row) * deviation;
                    with_truth[one] += deviation * (truth(row, output) - truths[output]);
                    deviations
                        .iter()
                        .zip(&mut together[one])
                        .for_each(|(d, s)| *s += deviation * d);
                }
            }
        }
        match target.response() {
            Response::Classification(_) => Self::One(usize::from(with_truth[1] > with_truth[0])),
            Response::Regression(_) | Response::Several(_) => {
                let slopes = slopes(together, with_truth);
                Self::Both { truth: truths, predicted: means, slopes }
            }
        }
    }

    pub(super) fn apply(&self, predictions: [&[f64]; 2]) -> Vec<f64> {
        let (truth, predicted, slopes) = match self {
            Self::One(of) => return predictions[*of].to_vec(),
            Self::Both { truth, predicted, slopes } => (truth, predicted, slopes),
        };
        let combined = |at: usize| {
            let output = at % truth.len();
            let term = |of: usize| slopes[of] * (predictions[of][at] - predicted[of][output]);
            truth[output] + term(0) + term(1)
        };
        (0..predictions[0].len()).map(combined).collect()
    }
}

/// The slopes s >= 0 that minimise s'As - 2 b's: those of the whole plane, or of one of the edges.
fn slopes(a: [[f64; 2]; 2], b: [f64; 2]) -> [f64; 2] {
    let determinant = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    let inside = [
        (b[0] * a[1][1] - b[1] * a[0][1]) / determinant,
        (b[1] * a[0][0] - b[0] * a[1][0]) / determinant,
    ];
    let alone = |of: usize| (b[of] / a[of][of]).max(0.0);
    let loss = |s: &[f64; 2]| {
        let squares = s[0] * (a[0][0] * s[0] + 2.0 * a[0][1] * s[1]) + a[1][1] * s[1] * s[1];
        squares - 2.0 * (b[0] * s[0] + b[1] * s[1])
    };
    let is_allowed = |s: &[f64; 2]| s.iter().all(|slope| *slope >= 0.0) && loss(s).is_finite();
    let candidates = [inside, [alone(0), 0.0], [0.0, alone(1)]];
    let allowed = candidates.into_iter().filter(is_allowed);
    // Where no learner's predictions differ between rows, there is nothing to combine.
    allowed.min_by(|one, other| loss(one).total_cmp(&loss(other))).unwrap_or([0.0; 2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Target};

    fn data(target: Target) -> Dataset {
        let x = Column::numeric("x", (0..target.len()).map(|row| row as f64).collect());
        Dataset::new(vec![x.expect("finite")], target).expect("consistent")
    }

    /// No point of a fine grid is better than the slopes that are found: the best ones are inside, on each
    /// edge and at zero.
    #[test]
    fn slopes_are_the_best_of_those_allowed() {
        let a = [[2.0, 0.5], [0.5, 1.0]];
        for b in [[1.0, 0.6], [2.0, -1.0], [-1.0, 0.4], [3.0, 2.0], [-1.0, -1.0], [0.2, 5.0]] {
            let loss = |s: [f64; 2]| {
                2.0 * s[0] * s[0] + s[0] * s[1] + s[1] * s[1] - 2.0 * (b[0] * s[0] + b[1] * s[1])
            };
            let found = slopes(a, b);
            assert!(found[0] >= 0.0 && found[1] >= 0.0, "{found:?}");
            for one in 0..=400 {
                for other in 0..=400 {
                    let tried = [one, other].map(|at| f64::from(at) / 60.0);
                    assert!(loss(found) <= loss(tried) + 1e-12, "{b:?}: {found:?}");
                }
            }
        }
    }

    /// The truth is 1 + 2 f + 3 t: the function of these predictions has no error, and rows without one have
    /// no influence.
    #[test]
    fn a_linear_function_of_predictions_is_found() {
        let f = [1.0, 0.0, 2.0, 5.0, 9.0];
        let t = [0.0, 1.0, 1.0, 2.0, -9.0];
        let mut truth: Vec<f64> = f.iter().zip(&t).map(|(f, t)| 1.0 + 2.0 * f + 3.0 * t).collect();
        truth[4] = 100.0;
        let data = data(Target::regression("y", truth.clone()).expect("finite"));
        let stack = Stack::new(&data, &[0, 1, 2, 3], [&f, &t]);
        let found = stack.apply([&f[..4], &t[..4]]);
        for (found, truth) in found.iter().zip(&truth) {
            assert!((found - truth).abs() < 1e-12, "{found} {truth}");
        }
    }

    /// Of probabilities, the second ones vary less with the truth than the first, though they have less squared
    /// error: .205 a class and row against .29.
    #[test]
    fn probabilities_that_vary_most_with_the_truth_are_taken_as_they_are() {
        let names = ["a", "b"].map(str::to_owned).to_vec();
        let data = data(Target::classification("y", names, vec![0, 1, 0, 1]).expect("classes"));
        let sharp = [1.0, 0.0, 1.0, 0.0, 0.6, 0.4, 0.0, 1.0];
        let dull = [0.6, 0.4, 0.5, 0.5, 0.5, 0.5, 0.4, 0.6];
        let rows = [0, 1, 2, 3];
        assert_eq!(Stack::new(&data, &rows, [&sharp, &dull]).apply([&sharp, &dull]), sharp);
        assert_eq!(Stack::new(&data, &rows, [&dull, &sharp]).apply([&dull, &sharp]), sharp);
        let nothing = Stack::new(&data, &rows, [&[0.5; 8], &[0.0; 8]]);
        assert_eq!(nothing.apply([&[0.5; 8], &[0.0; 8]]), [0.5; 8]);
    }
}
