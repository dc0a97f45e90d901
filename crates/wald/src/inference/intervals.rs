//! Intervals of importances and of ranks.

use crate::setting;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

use crate::error::Error;
use crate::importance::Importance;
use crate::inference::error_law::ErrorLaw;
use crate::inference::pairs::Differences;
use crate::inference::spread::Spread;
use crate::measure::Normalise;

/// From so many variables on, pairs are too many to be compared.
const MOST_RANKED: usize = 3000;

/// The probability with which intervals are to cover, in (0, 1).
///
/// ```
/// use wald::inference::Confidence;
///
/// let confidence = Confidence::new(0.95)?;
/// assert!((confidence.normal() - 1.96).abs() < 0.001); // standard errors to both sides
/// assert!(Confidence::new(95.0).is_err());
/// # Ok::<(), wald::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Confidence(f64);

/// From where to where.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval<T> {
    /// The lower end, included.
    pub low: T,
    /// The upper end, included.
    pub high: T,
}

/// Intervals around importances for the two kinds of error together: what the importance of a
/// forest of infinitely many trees is on average over samples of as many rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Intervals {
    /// The probability with which they are to cover.
    pub confidence: f64,
    /// Standard errors of the Monte-Carlo and the sampling part, their squares added.
    pub standard_errors: Vec<Option<f64>>,
    /// Every interval covers with the probability.
    pub each: Vec<Option<Interval<f64>>>,
    /// All intervals cover at once with the probability.
    pub together: Vec<Option<Interval<f64>>>,
    /// Ranks, 1 being the most important; all cover at once with the probability. `None` with more
    /// than 3000 variables.
    pub ranks: Option<Vec<Option<Interval<usize>>>>,
}

impl Default for Confidence {
    fn default() -> Self {
        Self(0.9)
    }
}

impl Confidence {
    /// # Errors
    /// [`Error::Setting`] outside of (0, 1).
    pub fn new(probability: f64) -> Result<Self, Error> {
        if probability > 0.0 && probability < 1.0 {
            return Ok(Self(probability));
        }
        Err(Error::bad_setting(
            setting::CONFIDENCE,
            format!("the confidence is {probability}"),
            "give a probability above 0 and below 1, for example 0.9",
        ))
    }

    /// The probability.
    pub fn get(self) -> f64 {
        self.0
    }

    /// How many standard errors of a normal variable reach so far to both sides.
    pub fn normal(self) -> f64 {
        Normal::standard().inverse_cdf(f64::midpoint(1.0, self.0))
    }

    /// The value that this share of the values reaches at most, never below `least`: the
    /// (B + 1)-quantile, which is the largest value where there are few.
    fn quantile(self, mut values: Vec<f64>, least: f64) -> f64 {
        values.sort_by(f64::total_cmp);
        let place = ((values.len() + 1) as f64 * self.0).ceil() as usize;
        let found = values.get(place.clamp(1, values.len().max(1)) - 1);
        found.map_or(least, |found| found.max(least))
    }
}

impl Intervals {
    /// Joins the sampling errors of `spread` with the Monte-Carlo errors of an importance.
    ///
    /// Simultaneous intervals take the largest deviation of a replicate in standard errors, over
    /// all variables; ranks the largest difference between two variables (Mogstad et al. 2024).
    pub(super) fn new(
        importance: &Importance,
        small_is_important: bool,
        spread: &Spread,
        confidence: Confidence,
        n_clusters: Option<usize>,
    ) -> Self {
        let n_variables = importance.values.len();
        let sampling = spread.standard_errors();
        let variance =
            |index| importance.monte_carlo_error(index).map_or(0.0, |error| error * error);
        let monte_carlo: Vec<f64> = (0..n_variables).map(variance).collect();
        let standard_errors: Vec<Option<f64>> = (0..n_variables)
            .map(|index| {
                importance.values[index]?;
                let sampling = sampling[index]?;
                Some((sampling * sampling + monte_carlo[index]).sqrt())
            })
            .collect();
        // The size of what is divided by its sum, or by its error, cannot grow, nor can its error.
        let normalised = importance.settings.get("normalise").map(String::as_str);
        let is_even = small_is_important
            || [Normalise::Sum, Normalise::StandardError]
                .map(|by| Some(by.id()))
                .contains(&normalised);
        let around = |factor: f64| -> Vec<Option<Interval<f64>>> {
            let both = importance.values.iter().zip(&standard_errors);
            both.map(|(value, error)| {
                let (value, reach) = ((*value)?, factor * (*error)?);
                let more = if is_even { 0.0 } else { further_up(value, reach) };
                Some(Interval { low: value - reach, high: value + reach + more })
            })
            .collect()
        };
        let largest_of = |found: &[f64]| {
            let both = found.iter().zip(&sampling);
            both.filter_map(|(deviation, error)| {
                error.filter(|error| *error > 0.0).map(|error| deviation.abs() / error)
            })
            .fold(0.0, f64::max)
        };
        let largest: Vec<f64> = spread.replicates().map(largest_of).collect();
        let least = ErrorLaw::of_clusters(n_clusters).reach(confidence.get());
        Self {
            confidence: confidence.get(),
            each: around(least),
            together: around(confidence.quantile(largest, least)),
            ranks: (n_variables <= MOST_RANKED).then(|| {
                let differences = Differences::new(spread, &monte_carlo);
                let factor = confidence.quantile(differences.largest(spread), least);
                let values: Vec<Option<f64>> = importance
                    .values
                    .iter()
                    .zip(&standard_errors)
                    .map(|(value, error)| error.and(*value))
                    .map(|value| value.map(|value| if small_is_important { -value } else { value }))
                    .collect();
                let n_ranked = importance.values.iter().flatten().count();
                ranks(&values, n_ranked, |a, b| factor * differences.error(a, b))
            }),
            standard_errors,
        }
    }
}

/// How much further an interval reaches up than down. The error of an importance grows with it, in
/// proportion where it is that of the target's own variance: where the importance is found too small,
/// so is its error, and nearly all intervals that reach as far to both sides and miss are too low. The
/// upper end is that of the same reach on a logarithmic scale, v exp(r / v), to second order: v + r +
/// r^2 / (2 v), as long as half of the reach separates the value from zero; below, the addition fades out.
fn further_up(value: f64, reach: f64) -> f64 {
    if value > 0.0 { (reach * reach / (2.0 * value)).min(2.0 * value) } else { 0.0 }
}

/// Of every variable, one more than those that are more important by more than `reach`, and the
/// number of variables without those that are less important by more. `n_ranked` variables have a rank;
/// what is known of nothing but the value of one may have any.
fn ranks(
    values: &[Option<f64>],
    n_ranked: usize,
    reach: impl Fn(usize, usize) -> f64,
) -> Vec<Option<Interval<usize>>> {
    let rank = |(index, value): (usize, &Option<f64>)| {
        let value = (*value)?;
        let (mut above, mut below) = (0, 0);
        for (other, other_value) in values.iter().enumerate().filter(|(other, _)| *other != index) {
            let Some(other_value) = other_value else { continue };
            let reach = reach(index, other);
            above += usize::from(other_value - value > reach);
            below += usize::from(value - other_value > reach);
        }
        Some(Interval { low: above + 1, high: n_ranked - below })
    };
    values.iter().enumerate().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_confidence_is_a_probability() {
        assert!(Confidence::new(0.0).is_err() && Confidence::new(1.0).is_err());
        assert!(Confidence::new(f64::NAN).is_err());
        let confidence = Confidence::new(0.9).expect("a probability");
        // R: qnorm(.95).
        assert!((confidence.normal() - 1.644_853_626_951_472_9).abs() < 1e-9);
        let values: Vec<f64> = (1..=99).rev().map(f64::from).collect();
        assert_eq!(confidence.quantile(values.clone(), 0.0), 90.0);
        assert_eq!(confidence.quantile(values, 95.0), 95.0, "never below the least");
        let ten: Vec<f64> = (1..=10).map(f64::from).collect();
        assert_eq!(confidence.quantile(ten, 0.0), 10.0, "the place is 9.9, not 9");
        assert_eq!(confidence.quantile(vec![3.0], 0.0), 3.0, "few values: the largest");
        assert_eq!(confidence.quantile(Vec::new(), 1.5), 1.5);
    }

    /// Two replicates far away for one variable, two others for the other one, of 19: by hand.
    #[test]
    fn intervals_for_all_at_once_reach_to_the_largest_deviation_of_any() {
        use crate::inference::spread::Replicate;
        let values = |at: usize| match at {
            0 => [10.0, 0.0],
            1 => [-10.0, 0.0],
            2 => [0.0, 5.0],
            3 => [0.0, -5.0],
            _ => [0.0, 0.0],
        };
        let replicate =
            |at| Replicate { values: values(at).map(Some).to_vec(), standard_errors: None };
        let replicates: Vec<Replicate> = (0..19).map(replicate).collect();
        let spread = Spread::new(&replicates, 2, 1.0);
        let of = |values: [f64; 2], share: f64, small_is_important: bool| {
            let importance = Importance {
                unit: String::new(),
                values: values.map(Some).to_vec(),
                standard_errors: Some(vec![Some(4.0), Some(0.0)]),
                ..crate::measure::MeasureId::Mdi.info().importance()
            };
            let confidence = Confidence::new(share).expect("a probability");
            Intervals::new(&importance, small_is_important, &spread, confidence, None)
        };
        // Variances 200 / 18 and 50 / 18, with 16 and 0 over trees.
        let errors = [(200.0_f64 / 18.0 + 16.0).sqrt(), (50.0_f64 / 18.0).sqrt()];
        let found = of([30.0, 20.0], 0.8, false);
        // R: qnorm(.9). Of 19 largest deviations, 4 are at 3 standard errors; the 16th counts.
        for (factor, intervals) in [(1.281_551_565_544_6, &found.each), (3.0, &found.together)] {
            for ((interval, error), value) in intervals.iter().zip(errors).zip([30.0, 20.0]) {
                let interval = interval.expect("defined");
                assert!((interval.low - (value - factor * error)).abs() < 1e-9, "{interval:?}");
                // As far up on a logarithmic scale, but for terms of the third order and above.
                let relative = factor * error / value;
                let above = value * (relative.exp() - relative.powi(3) / 6.0);
                let rest = value * relative.powi(4) / 12.0;
                assert!((interval.high - above).abs() < rest, "{interval:?}");
            }
        }
        // Where small values are important, and where they are about zero or below, both ends are as
        // far away.
        for found in [of([30.0, 20.0], 0.8, true), of([-30.0, 0.0], 0.8, false)] {
            for interval in found.each.iter().flatten() {
                let middle = f64::midpoint(interval.low, interval.high);
                assert!([30.0, 20.0, -30.0, 0.0].iter().any(|v| (v - middle).abs() < 1e-9));
            }
        }
        // A tenth of a reach above zero, the upper end is a fifth further.
        assert!((further_up(0.1, 1.0) - 0.2).abs() < 1e-12);
        assert!((further_up(0.5, 1.0) - 1.0).abs() < 1e-12, "both rules meet");
        // Of the differences 10, -10, -5, 5 and 15 times 0, the 18th largest is 10.
        let interval = |low, high| Some(Interval { low, high });
        let ranks = |values, small_is_important| of(values, 0.9, small_is_important).ranks;
        let [both, apart, back] = [
            vec![interval(1, 2), interval(1, 2)],
            vec![interval(1, 1), interval(2, 2)],
            vec![interval(2, 2), interval(1, 1)],
        ];
        assert_eq!(ranks([29.9, 20.0], false), Some(both));
        assert_eq!(ranks([30.1, 20.0], false), Some(apart));
        assert_eq!(ranks([30.1, 20.0], true), Some(back));
        // The 16th is 5, less than 1.2816 errors of the difference, in which trees count: 7.006.
        let ranks = |values| of(values, 0.8, false).ranks;
        assert_eq!(ranks([27.0, 20.0]), Some(vec![interval(1, 2), interval(1, 2)]));
        assert_eq!(ranks([27.1, 20.0]), Some(vec![interval(1, 1), interval(2, 2)]));
    }

    #[test]
    fn ranks_are_those_that_differences_leave() {
        let values = [Some(5.0), Some(4.9), None, Some(1.0), Some(0.0)];
        let found = ranks(&values, 4, |_, _| 0.5);
        let interval = |low, high| Some(Interval { low, high });
        assert_eq!(found, [interval(1, 2), interval(1, 2), None, interval(3, 3), interval(4, 4)]);
        let all = ranks(&values, 4, |_, _| 10.0);
        assert_eq!(all[0], interval(1, 4));
        assert_eq!(all[4], interval(1, 4));
        // The third one has a value but no error: it may be anywhere.
        let found = ranks(&values, 5, |_, _| 0.5);
        assert_eq!(found, [interval(1, 3), interval(1, 3), None, interval(3, 4), interval(4, 5)]);
    }
}
