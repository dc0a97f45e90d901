//! The measures that tables name, with the divisors of the papers.

use wald::measure::{MeasureSettings, Normalise};
use wald::{Measure, MeasureId};

use crate::failure::Failure;

/// A measure by its name; `None` where this build does not have it.
fn find(id: &str, normalise: Normalise) -> Option<Result<Measure, Failure>> {
    let settings = MeasureSettings { normalise, ..MeasureSettings::default() };
    MeasureId::parse(id).map(|id| Measure::new(id, settings).map_err(Failure::from))
}

/// Those of the named measures that this build has, each with its place among the names, divided
/// by what the paper divides by (the Sobol-MDA always is a share of the variance).
pub(crate) fn shares_of_variance(ids: &[&str]) -> Result<(Vec<usize>, Vec<Measure>), Failure> {
    let mut found = (Vec::new(), Vec::new());
    for (place, id) in ids.iter().enumerate() {
        let normalise = if id.starts_with("sobol") { Normalise::None } else { Normalise::Variance };
        if let Some(measure) = find(id, normalise) {
            found.0.push(place);
            found.1.push(measure?);
        }
    }
    Ok(found)
}
