//! The measures that tables name, with the divisors of the papers.

use std::sync::Arc;

use wald::importance::DataUsed;
use wald::measure::{MeasureSettings, Normalise};
use wald::{Dataset, Measure, MeasureId};

use crate::failure::Failure;

/// Measures divided by what the paper divides by (the Sobol-MDA always is a share of the variance).
pub(crate) fn shares_of_variance(ids: &[MeasureId]) -> Result<Vec<Measure>, Failure> {
    let measure = |id: &MeasureId| {
        let is_offered = id.info().normalisations.contains(&Normalise::Variance);
        let normalise = if is_offered { Normalise::Variance } else { Normalise::None };
        Ok(Measure::new(*id, MeasureSettings { normalise, ..MeasureSettings::default() })?)
    };
    ids.iter().map(measure).collect()
}

/// As [`shares_of_variance`], with test rows for the measures that look at them.
pub(crate) fn shares_with_test(
    ids: &[MeasureId],
    test: &Arc<Dataset>,
) -> Result<Vec<Measure>, Failure> {
    let with_test = |measure: Measure| {
        let mut settings = measure.settings().clone();
        if measure.id().info().data == DataUsed::Test {
            settings.test = Some(Arc::clone(test));
        }
        Ok(Measure::new(measure.id(), settings)?)
    };
    shares_of_variance(ids)?.into_iter().map(with_test).collect()
}
