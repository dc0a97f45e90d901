//! The measures that tables name, with the divisors of the papers.

use std::sync::Arc;

use wald::importance::DataUsed;
use wald::measure::{MeasureSettings, Normalise};
use wald::{Dataset, Measure, MeasureId};

use crate::failure::Failure;

/// Those of the named measures that this build has, each with its place among the names, divided
/// by what the paper divides by (the Sobol-MDA always is a share of the variance).
pub(crate) fn shares_of_variance(ids: &[&str]) -> Result<(Vec<usize>, Vec<Measure>), Failure> {
    known(ids, |id| if id.starts_with("sobol") { Normalise::None } else { Normalise::Variance })
}

/// As [`shares_of_variance`], with test rows for the measures that look at them.
pub(crate) fn shares_with_test(ids: &[&str], test: &Arc<Dataset>) -> Result<Vec<Measure>, Failure> {
    let (_, measures) = shares_of_variance(ids)?;
    let with_test = |measure: Measure| {
        let mut settings = measure.settings().clone();
        if measure.id().info().data == DataUsed::Test {
            settings.test = Some(Arc::clone(test));
        }
        Ok(Measure::new(measure.id(), settings)?)
    };
    measures.into_iter().map(with_test).collect()
}

/// As [`shares_of_variance`], divided by nothing.
pub(crate) fn plain(ids: &[&str]) -> Result<(Vec<usize>, Vec<Measure>), Failure> {
    known(ids, |_| Normalise::None)
}

fn known(
    ids: &[&str],
    normalise: impl Fn(&str) -> Normalise,
) -> Result<(Vec<usize>, Vec<Measure>), Failure> {
    let mut found = (Vec::new(), Vec::new());
    for (place, id) in ids.iter().enumerate() {
        let settings = MeasureSettings { normalise: normalise(id), ..MeasureSettings::default() };
        if let Some(id) = MeasureId::parse(id) {
            found.0.push(place);
            found.1.push(Measure::new(id, settings)?);
        }
    }
    Ok(found)
}
