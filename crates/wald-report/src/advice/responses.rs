//! The response as numbers, and responses like it whose truth is additive.

use wald::Error;
use wald::data::{Dataset, Response, Target};
use wald::work::Stream;

/// Of probabilities so many may be cut at 0 and 1; the others are drawn nearer to their mean.
const CUT: f64 = 0.02;

/// Numbers in units of their standard deviation, or indicators of classes (of two classes, of the
/// second one).
#[derive(Debug, Clone)]
pub(super) struct Responses {
    /// `[output][row]`.
    pub(super) values: Vec<Vec<f64>>,
    /// Class codes and names; `None` for numbers.
    classes: Option<(Vec<u32>, Vec<String>)>,
}

impl Responses {
    /// `None` where the target does not vary among the rows that count.
    pub(super) fn of(data: &Dataset) -> Option<Self> {
        let ones = vec![1.0; data.n_rows()];
        let weights = data.weights().unwrap_or(&ones);
        let found = match data.target().response() {
            Response::Regression(numbers) => {
                // Distances from one of the values, so that a large common offset costs no digits.
                let origin = numbers.first().copied().unwrap_or_default();
                let centred: Vec<f64> = numbers.iter().map(|value| value - origin).collect();
                let total: f64 = weights.iter().sum();
                let deviation = (squares(&centred, weights) / total).sqrt();
                if !deviation.is_normal() {
                    return None;
                }
                let values = centred.iter().map(|value| value / deviation).collect();
                Self { values: vec![values], classes: None }
            }
            Response::Classification(classes) => {
                Self::of_classes(classes.codes().to_vec(), classes.levels().to_vec())
            }
            Response::Several(_) => return None,
        };
        let spread: f64 = found.values.iter().map(|values| squares(values, weights)).sum();
        (spread > 0.0).then_some(found)
    }

    fn of_classes(codes: Vec<u32>, names: Vec<String>) -> Self {
        let first = u32::from(names.len() == 2);
        let indicator = |class: u32| -> Vec<f64> {
            codes.iter().map(|&code| f64::from(u8::from(code == class))).collect()
        };
        let values = (first..names.len() as u32).map(indicator).collect();
        Self { values, classes: Some((codes, names)) }
    }

    /// The sum of squared distances from the mean, weighted, over outputs.
    pub(super) fn squares(&self, weights: &[f64]) -> f64 {
        self.values.iter().map(|values| squares(values, weights)).sum()
    }

    /// Responses whose truth is the fit: its values plus residuals out of fold with random signs,
    /// or classes drawn with its probabilities.
    pub(super) fn drawn(
        &self,
        fitted: &[Vec<f64>],
        held_out: &[Vec<f64>],
        stream: &mut Stream,
    ) -> Self {
        let Some((codes, names)) = &self.classes else {
            let draw = |((y, fitted), held_out): ((&f64, &f64), &f64)| {
                let sign = if stream.below(2) == 0 { 1.0 } else { -1.0 };
                fitted + sign * (y - held_out)
            };
            let rows = self.values[0].iter().zip(&fitted[0]).zip(&held_out[0]);
            return Self { values: vec![rows.map(draw).collect()], classes: None };
        };
        let probabilities = probabilities(fitted, names.len());
        let draw = |row: usize| {
            let total: f64 = probabilities.iter().map(|of_class| of_class[row]).sum();
            let mut left = stream.unit() * total;
            for (class, of_class) in (0_u32..).zip(&probabilities) {
                left -= of_class[row];
                if left < 0.0 {
                    return class;
                }
            }
            codes[row]
        };
        Self::of_classes((0..codes.len()).map(draw).collect(), names.clone())
    }

    /// The rows with these responses.
    ///
    /// # Errors
    /// Those of [`Dataset::new`].
    pub(super) fn dataset(&self, like: &Dataset) -> Result<Dataset, Error> {
        let name = like.target().name();
        let target = match &self.classes {
            None => Target::regression(name, self.values[0].clone())?,
            Some((codes, names)) => Target::classification(name, names.clone(), codes.clone())?,
        };
        let data = Dataset::new(like.features().columns().to_vec(), target)?;
        match like.weights() {
            Some(weights) => data.with_weights(weights.to_vec()),
            None => Ok(data),
        }
    }
}

/// Additive values as probabilities, `[class][row]`: drawn nearer to their mean, which keeps them
/// additive, until most of them are between 0 and 1; the others are cut.
fn probabilities(fitted: &[Vec<f64>], n_classes: usize) -> Vec<Vec<f64>> {
    let n = fitted[0].len();
    let means: Vec<f64> =
        fitted.iter().map(|values| values.iter().sum::<f64>() / n as f64).collect();
    let room = |row: usize| -> f64 {
        let of_output = |(values, mean): (&Vec<f64>, &f64)| {
            let distance = values[row] - mean;
            let limit = if distance > 0.0 { 1.0 - mean } else { *mean };
            if distance == 0.0 { 1.0 } else { (limit / distance.abs()).min(1.0) }
        };
        fitted.iter().zip(&means).map(of_output).fold(1.0, f64::min)
    };
    let mut rooms: Vec<f64> = (0..n).map(room).collect();
    rooms.sort_by(f64::total_cmp);
    let factor = rooms[((n as f64 * CUT) as usize).min(n - 1)].max(0.0);
    let drawn = |(values, mean): (&Vec<f64>, &f64)| -> Vec<f64> {
        values.iter().map(|value| (mean + factor * (value - mean)).clamp(0.0, 1.0)).collect()
    };
    let mut all: Vec<Vec<f64>> = fitted.iter().zip(&means).map(drawn).collect();
    if n_classes == 2 && all.len() == 1 {
        all.insert(0, all[0].iter().map(|second| 1.0 - second).collect());
    }
    all
}

/// P(T > t) of Student's t distribution.
pub(super) fn t_upper_tail(t: f64, degrees: f64) -> f64 {
    use statrs::function::beta::checked_beta_reg;
    let x = degrees / (degrees + t * t);
    let both = checked_beta_reg(degrees / 2.0, 0.5, x).unwrap_or(if t == 0.0 { 1.0 } else { 0.0 });
    if t > 0.0 { both / 2.0 } else { 1.0 - both / 2.0 }
}

/// Weighted squared distances from the mean.
pub(super) fn squares(values: &[f64], weights: &[f64]) -> f64 {
    let total: f64 = weights.iter().sum();
    let mean = values.iter().zip(weights).map(|(value, w)| w * value).sum::<f64>() / total;
    values.iter().zip(weights).map(|(value, w)| w * (value - mean).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_of_t_are_those_of_tables() {
        // R: pt(c(2.068658, 0, -1, 30), 23, lower.tail = FALSE).
        let close = |t: f64, expected: f64| {
            let found = t_upper_tail(t, 23.0);
            assert!((found - expected).abs() < 1e-6, "{t}: {found}");
        };
        close(2.068_658, 0.025);
        close(0.0, 0.5);
        close(-1.0, 0.836_142);
        assert!(t_upper_tail(30.0, 23.0) < 1e-15);
    }

    #[test]
    fn fitted_values_become_probabilities() {
        let fitted = vec![(0..100).map(|row| f64::from(row) / 50.0 - 0.5).collect::<Vec<f64>>()];
        let both = probabilities(&fitted, 2);
        assert_eq!(both.len(), 2);
        for (first, second) in both[0].iter().zip(&both[1]) {
            assert!((first + second - 1.0).abs() < 1e-12);
            assert!((0.0..=1.0).contains(second));
        }
        // Still additive: equal differences, but for the few that are cut.
        let steps: Vec<f64> = both[1][2..98].windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(steps.iter().all(|step| (step - steps[0]).abs() < 1e-12));
    }
}
