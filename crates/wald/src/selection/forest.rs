//! What the importances of forests on some of the columns are compared by.

use crate::association::case_weights;
use crate::data::{Dataset, Training};
use crate::error::Error;
use crate::forest::{ForestConfig, Keep};
use crate::importance::{DataUsed, Importance};
use crate::measure::{Measure, Permutations};
use crate::measuring::Ground;
use crate::pass::NO_SPLIT;
use crate::run::Run;
use crate::table_notes::{note_on_dependent_rows, note_on_outlying_targets, note_on_repeats};

/// Trees whose out-of-bag residuals show whether neighbouring rows depend on each other.
const TREES_OF_RESIDUALS: usize = 50;

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

/// A note where case weights make the importances of small leaves wrong, rows are copies of others or depend on their
/// neighbours, or a few rows have most of the variance. Cost of a forest of 50 trees.
///
/// # Errors
/// [`Error::Cancelled`].
pub(super) fn note_on_table(
    data: &Dataset,
    config: &ForestConfig,
    run: &Run,
) -> Result<Option<String>, Error> {
    let least = config.resolve(data)?.min_leaf_size;
    let notes = [
        case_weights::note_on_weights(data, least as f64),
        note_on_repeats(data),
        note_on_outlying_targets(data),
        note_on_rows(data, config, run)?,
    ];
    let notes: Vec<String> = notes.into_iter().flatten().collect();
    Ok((!notes.is_empty()).then(|| notes.join("; ")))
}

/// The note on residuals that neighbouring rows share, of a forest on all variables.
fn note_on_rows(data: &Dataset, config: &ForestConfig, run: &Run) -> Result<Option<String>, Error> {
    if data.clusters().is_some() {
        return Ok(None);
    }
    let n_trees = config.n_trees.min(TREES_OF_RESIDUALS);
    let config = ForestConfig { n_trees, ..config.clone() };
    let training = Training::of(data, run.threads);
    let ground = Ground { data, training: &training, new_rows: &[], before: None };
    let (grown, _) = ground.grow_and_measure(&config, &[], Keep::Nothing, &run.part())?;
    let out_of_bag = &grown.measured.out_of_bag;
    Ok(note_on_dependent_rows(data, data.target(), |row| out_of_bag.prediction(row)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Response, Target};
    use crate::measure::MeasureId;
    use crate::run::Threads;
    use crate::selection::{BorutaConfig, IpssConfig, SelectionConfig, SelectionState};
    use crate::table_notes::dependent_rows::tests::numbers;

    /// The same with one target far off.
    fn outlying(data: &Dataset) -> Dataset {
        let Response::Regression(values) = data.target().response() else { panic!("numbers") };
        let mut values = values.clone();
        values[99] += 900.0;
        let target = Target::regression("response", values).expect("finite");
        let columns = data.features().columns().to_vec();
        Dataset::new(columns, target).expect("consistent")
    }

    fn forest() -> ForestConfig {
        ForestConfig { n_trees: 20, ..ForestConfig::default() }
    }

    /// The notes of Boruta, ipss and elimination.
    fn notes(data: &Dataset) -> [Option<String>; 3] {
        let run = Run::on(Threads::ONE);
        let boruta =
            BorutaConfig { max_runs: 8, ..BorutaConfig::new(forest()).expect("a measure") };
        let ipss = IpssConfig { pairs: 5, ..IpssConfig::new(forest()).expect("a measure") };
        let measure = MeasureId::MdaBreimanCutler.into();
        let selection = SelectionConfig { folds: 2, ..SelectionConfig::new(forest(), measure) };
        let state = SelectionState::new(data, &selection);
        [
            crate::selection::boruta(data, &boruta, &run).expect("valid").note(),
            crate::selection::ipss(data, &ipss, &run).expect("valid").note(),
            crate::select(data, &selection, state, |_| {}, &run).expect("valid").note,
        ]
    }

    #[test]
    fn all_selections_note_dependent_rows_and_outlying_targets() {
        let has = |data: &Dataset, words: &str| {
            notes(data).map(|note| note.is_some_and(|note| note.contains(words)))
        };
        let dependent = "neighbouring rows of the table have similar residuals";
        let (persons, rows) = (numbers(2.0, 1), numbers(0.0, 1));
        assert_eq!(has(&persons, dependent), [true; 3]);
        assert_eq!(has(&rows, dependent), [false; 3]);
        let clusters = (0..400).map(|row| row / 10).collect();
        let of_persons = persons.with_clusters(clusters).expect("one per row");
        let note = note_on_table(&of_persons, &forest(), &Run::on(Threads::ONE)).expect("valid");
        assert_eq!(note, None);
        let far_off = "most outlying 4 of 400 rows";
        assert_eq!(has(&outlying(&rows), far_off), [true; 3]);
        assert_eq!(has(&rows, far_off), [false; 3]);
    }
}
