//! The measures that tables name, with the divisors of the papers.

use wald::measure::{MeasureSettings, Normalise};
use wald::{Measure, MeasureId};

use crate::failure::Failure;

/// Those of the named measures that this build has, each with its place among the names, divided
/// by what the paper divides by (the Sobol-MDA always is a share of the variance).
pub(crate) fn shares_of_variance(ids: &[&str]) -> Result<(Vec<usize>, Vec<Measure>), Failure> {
    known(ids, |id| if id.starts_with("sobol") { Normalise::None } else { Normalise::Variance })
}

/// The same, divided by nothing.
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
