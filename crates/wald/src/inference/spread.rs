//! How importances scatter over forests grown on parts of the rows.

/// Importances of variables over replicates, as deviations that have the spread which samples of
/// all rows would give them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spread {
    n_variables: usize,
    /// By replicate and variable; those of variables that are not always defined are zero.
    deviations: Vec<f64>,
    /// By variable; not finite where a replicate has no value.
    means: Vec<f64>,
    standard_errors: Vec<f64>,
}

/// What one replicate found.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(super) struct Replicate {
    pub(super) values: Vec<Option<f64>>,
    /// Their Monte-Carlo standard errors.
    pub(super) standard_errors: Option<Vec<Option<f64>>>,
}

impl Replicate {
    pub(super) fn multiply(&mut self, factor: f64) {
        let errors = self.standard_errors.iter_mut().flatten();
        for value in self.values.iter_mut().chain(errors).flatten() {
            *value *= factor;
        }
    }
}

impl Spread {
    /// `inflation` is what the variance over replicates is multiplied by to get that over samples
    /// of all rows. What the Monte-Carlo errors of the replicates make of their variance is taken
    /// away first; what is left is known to one standard error of that variance only, so that no
    /// less is reported.
    pub(super) fn new(replicates: &[Replicate], n_variables: usize, inflation: f64) -> Self {
        let mut spread = Self {
            n_variables,
            deviations: vec![0.0; replicates.len() * n_variables],
            means: vec![f64::NAN; n_variables],
            standard_errors: vec![f64::NAN; n_variables],
        };
        if replicates.len() < 2 {
            return spread;
        }
        let count = replicates.len() as f64;
        for variable in 0..n_variables {
            let values = || replicates.iter().map(|found| found.values[variable]);
            let Some(sum) = values().sum::<Option<f64>>() else { continue };
            let mean = sum / count;
            let squares: f64 =
                values().flatten().map(|value| (value - mean) * (value - mean)).sum();
            let variance = squares / (count - 1.0);
            let errors = replicates.iter().filter_map(|found| {
                found.standard_errors.as_ref().and_then(|errors| errors[variable])
            });
            let monte_carlo = errors.map(|error| error * error).sum::<f64>() / count;
            let doubt = variance * (2.0 / (count - 1.0)).sqrt();
            let sampling = (variance - monte_carlo).max(doubt).min(variance) * inflation;
            spread.means[variable] = mean;
            spread.standard_errors[variable] = sampling.sqrt();
            let scale = if variance > 0.0 { (sampling / variance).sqrt() } else { 0.0 };
            for (replicate, value) in values().flatten().enumerate() {
                spread.deviations[replicate * n_variables + variable] = scale * (value - mean);
            }
        }
        spread
    }

    /// Deviations by replicate and variable that only show how variables vary together: they get
    /// the spread of the standard errors.
    pub(super) fn of_deviations(mut deviations: Vec<f64>, standard_errors: &[Option<f64>]) -> Self {
        let n_variables = standard_errors.len();
        let rows = deviations.len() / n_variables.max(1);
        for (variable, error) in standard_errors.iter().enumerate() {
            let places = (0..rows).map(|row| row * n_variables + variable);
            let squares: f64 = places.clone().map(|place| deviations[place].powi(2)).sum();
            let now = (squares / (rows as f64 - 1.0)).sqrt();
            let scale = if now > 0.0 { error.unwrap_or(0.0) / now } else { 0.0 };
            places.for_each(|place| deviations[place] *= scale);
        }
        Self {
            n_variables,
            deviations,
            means: vec![f64::NAN; n_variables],
            standard_errors: standard_errors
                .iter()
                .map(|error| error.unwrap_or(f64::NAN))
                .collect(),
        }
    }

    pub(super) fn n_variables(&self) -> usize {
        self.n_variables
    }

    /// The deviations of every replicate, one number per variable.
    pub(super) fn replicates(&self) -> impl Iterator<Item = &[f64]> {
        self.deviations.chunks_exact(self.n_variables.max(1))
    }

    pub(super) fn n_replicates(&self) -> usize {
        self.deviations.len() / self.n_variables.max(1)
    }

    /// Mean over replicates.
    pub(super) fn means(&self) -> Vec<Option<f64>> {
        defined(&self.means)
    }

    /// Standard errors over samples of all rows.
    pub(super) fn standard_errors(&self) -> Vec<Option<f64>> {
        defined(&self.standard_errors)
    }
}

fn defined(values: &[f64]) -> Vec<Option<f64>> {
    values.iter().map(|value| Some(*value).filter(|value| value.is_finite())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replicate(values: &[f64], error: f64) -> Replicate {
        Replicate {
            values: values.iter().map(|value| Some(*value)).collect(),
            standard_errors: Some(vec![Some(error); values.len()]),
        }
    }

    /// The variance of 1, 2, 6, each twice, is 28/5, of which 0.5^2 is Monte-Carlo; that of 4.5, 5,
    /// 5.5 is 1/5, and could all be.
    #[test]
    fn monte_carlo_variance_is_taken_away() {
        let values = [1.0, 2.0, 6.0].into_iter().zip([4.5, 5.0, 5.5]);
        let mut replicates: Vec<Replicate> =
            values.map(|(first, second)| replicate(&[first, second, 7.0], 0.5)).collect();
        replicates.extend(replicates.clone());
        let spread = Spread::new(&replicates, 3, 2.0);
        assert_eq!(spread.means(), [Some(3.0), Some(5.0), Some(7.0)]);
        let errors = spread.standard_errors();
        let expected: f64 = 2.0 * (28.0 / 5.0 - 0.25);
        assert!((errors[0].expect("defined") - expected.sqrt()).abs() < 1e-12);
        let doubt = 2.0 * 0.2 * (2.0_f64 / 5.0).sqrt();
        assert!((errors[1].expect("defined") - doubt.sqrt()).abs() < 1e-12);
        assert_eq!(errors[2], Some(0.0), "what never varies has no error");
        let squares: f64 = spread.replicates().map(|found| found[0] * found[0]).sum();
        assert!((squares / 5.0 - expected).abs() < 1e-12);
    }

    #[test]
    fn a_value_missing_once_has_no_spread() {
        let mut gap = replicate(&[1.0, 1.0], 0.0);
        gap.values[1] = None;
        let spread = Spread::new(&[gap, replicate(&[2.0, 2.0], 0.0)], 2, 1.0);
        assert_eq!(spread.means(), [Some(1.5), None]);
        assert_eq!(spread.standard_errors()[1], None);
        assert!(spread.replicates().all(|found| found[1] == 0.0));
    }
}
