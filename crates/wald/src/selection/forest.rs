//! The settings of forests on some of the columns, and what their importances are compared by.

use crate::error::Error;
use crate::forest::ForestConfig;
use crate::importance::{DataUsed, Importance};
use crate::measure::{Measure, Permutations};

/// The settings for so many columns: what was requested, as far as there are so many.
pub(super) fn config_for(asked: &ForestConfig, n_columns: usize, seed: u64) -> ForestConfig {
    let subspace = asked.subspace.map(|subspace| subspace.min(n_columns));
    ForestConfig {
        mtry: asked.mtry.map(|mtry| mtry.min(subspace.unwrap_or(n_columns))),
        subspace,
        seed,
        ..asked.clone()
    }
}

/// Importances of which larger ones are more important; what is no number is undefined.
pub(super) fn increasing(importance: &Importance, small_is_important: bool) -> Vec<Option<f64>> {
    let sign = if small_is_important { -1.0 } else { 1.0 };
    let key = |value: &Option<f64>| value.map(|value| sign * value).filter(|key| !key.is_nan());
    importance.values.iter().map(key).collect()
}

/// Refuses measures that need more than the rows to grow on; `why_no_test` is why there are no test
/// rows.
pub(super) fn check_measure(measure: &Measure, why_no_test: &str) -> Result<(), Error> {
    let info = measure.id().info();
    if info.data == DataUsed::Test {
        return Err(Error::measure(
            info.id,
            format!("needs test rows, but {why_no_test}"),
            "use sobol_mda, or another measure of training or out-of-bag rows",
        ));
    }
    if matches!(measure.settings().permutations, Permutations::Given(_)) {
        return Err(Error::measure(
            info.id,
            "was given permutations, which fit one forest only",
            "use exact expectations or random permutations",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_shrink_with_the_columns() {
        let asked = ForestConfig { mtry: Some(5), subspace: Some(8), ..ForestConfig::default() };
        let config = |n| {
            let config = config_for(&asked, n, 3);
            (config.mtry, config.subspace)
        };
        assert_eq!(config(20), (Some(5), Some(8)));
        assert_eq!(config(6), (Some(5), Some(6)));
        assert_eq!(config(2), (Some(2), Some(2)));
        let asked = ForestConfig { subspace: None, mtry: None, ..asked };
        assert_eq!(config_for(&asked, 2, 0).mtry, None);
    }
}
