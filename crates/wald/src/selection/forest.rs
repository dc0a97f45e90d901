//! What the importances of forests on some of the columns are compared by.

use crate::association::case_weights;
use crate::data::Dataset;
use crate::error::Error;
use crate::forest::ForestConfig;
use crate::importance::{DataUsed, Importance};
use crate::measure::{Measure, Permutations};
use crate::pass::NO_SPLIT;
use crate::table_notes::note_on_repeats;

/// Importances of which larger ones are more important; what is no number is undefined.
pub(super) fn increasing(importance: &Importance, small_is_important: bool) -> Vec<Option<f64>> {
    let sign = if small_is_important { -1.0 } else { 1.0 };
    let key = |value: &Option<f64>| value.map(|value| sign * value).filter(|key| !key.is_nan());
    importance.values.iter().map(key).collect()
}

/// A note where the trees of some forests had no split; `all` are all of them in words.
pub(super) fn without_splits(n_without: usize, n_all: usize, all: &str) -> Option<String> {
    let what = match n_without {
        0 => return None,
        n if n == n_all => return Some(crate::pass::note_on_no_split()),
        n => format!("{NO_SPLIT} in {n} of {all}, so that these know nothing about any variable"),
    };
    Some(format!("{what}: more rows or smaller leaves would let trees divide them"))
}

/// A note where case weights make the importances of small leaves wrong, or rows are copies of others.
pub(super) fn note_on_table(data: &Dataset, config: &ForestConfig) -> Option<String> {
    let least = config.resolve(data).ok()?.min_leaf_size;
    let of_weights = case_weights::note_on_weights(data, least as f64);
    let both: Vec<String> = of_weights.into_iter().chain(note_on_repeats(data)).collect();
    (!both.is_empty()).then(|| both.join("; "))
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
    measure.refuse_apart()?;
    if matches!(measure.settings().permutations, Permutations::Given(_)) {
        return Err(Error::measure(
            info.id,
            "was given permutations, which fit one forest only",
            "use exact expectations or random permutations",
        ));
    }
    Ok(())
}
