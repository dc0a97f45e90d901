//! What a table does to importances and predictions, whatever the trees: notes on case weights, on clusters, on
//! rows that occur several times or depend on each other, on levels of few rows, on columns of one value in nearly all
//! rows or that follow from others, on outlying targets and on the scales of several ones.

pub(crate) mod dependent_rows;
mod identities;
mod outlying;
mod rare_levels;
mod scales;
mod sparse;

use std::collections::HashMap;

use crate::association::case_weights::{self, note_on_weights};
use crate::data::{Column, ColumnData, Dataset, Target, repeats};
use crate::forest::{Forest, ForestConfig, Tree};
use crate::importance::{DataUsed, Importance};
use crate::measure::MeasureId;
use crate::pass::Measured;
use crate::pass::note_on_splits;
pub(crate) use crate::table_notes::identities::note_on_identities;
pub(crate) use crate::table_notes::outlying::note_on_outlying_targets;
use crate::table_notes::rare_levels::note_on_rare_levels;
use crate::table_notes::scales::note_on_scales;
use crate::table_notes::sparse::note_on_sparse_columns;
use crate::words::some_of;
use crate::work::Kind;

pub(crate) use crate::table_notes::dependent_rows::note_on_dependent_rows;
pub use crate::table_notes::dependent_rows::{RowDependence, row_dependence, slow_variables};

/// Of so many clusters about 74 are out of bag, and fewer than one in fifty donors is of a row's own.
const MANY_CLUSTERS: usize = 200;

/// Rows beyond these are not compared with each other; those that were copied are then seen by the advice only.
const MOST_COMPARED: usize = 200_000;

/// Columns beyond these are counted only.
pub(crate) const MOST_NAMED: usize = 3;

/// The note on a forest whose trees drew rows by clusters that the table does not have.
pub(crate) fn note_on_lost_clusters(measured: &mut Measured, forest: &Forest, data: &Dataset) {
    let importances = &mut measured.importances;
    if !importances.iter().any(depends_on_clusters) {
        return;
    }
    let Some(n_clusters) = forest.lost_clusters(data) else { return };
    let note = format!(
        "the trees of this forest drew rows by {n_clusters} clusters, but the table names none: what is computed \
         of single rows, such as errors over rows, takes them to be independent, so that such errors are too \
         small; give the clusters with the table"
    );
    importances
        .iter_mut()
        .filter(|importance| depends_on_clusters(importance))
        .for_each(|importance| importance.notes.push(note.clone()));
}

/// Whether values or errors are others where rows are in clusters.
fn depends_on_clusters(importance: &Importance) -> bool {
    let has_errors_of_rows = importance.total_errors.is_some()
        || (importance.standard_errors.is_some() && importance.monte_carlo_errors().is_none());
    has_errors_of_rows || permutes_clusters(importance.id)
}

fn permutes_clusters(id: &str) -> bool {
    MeasureId::parse(id).is_some_and(|id| id.info().facts.permutes_clusters)
}

/// Adds notes to the importances of a forest, where wald has grown it by these settings; `target` has the order of
/// classes of the forest. Forests that procedures grow by themselves have none.
pub(crate) fn note_on_table(
    measured: &mut Measured,
    data: &Dataset,
    target: &Target,
    config: Option<&ForestConfig>,
) {
    if measured.importances.is_empty() {
        return;
    }
    let n_rows = data.rows_of_positive_weight().len() as f64;
    let of_weights = note_on_weights(data, n_rows / measured.mean_leaves);
    let has_permuted = measured.importances.iter().any(|found| permutes_clusters(found.id));
    let of_clusters = if has_permuted { note_on_clusters(data) } else { None };
    let is_of_others = |found: &Importance| found.data == DataUsed::OutOfBag;
    let of_repeats =
        if measured.importances.iter().any(is_of_others) { note_on_repeats(data) } else { None };
    let of_levels = config.and_then(|config| note_on_rare_levels(data, config));
    let of_sparse = config.and_then(|config| note_on_sparse_columns(data, config));
    let of_scales = note_on_scales(data);
    let is_of_its_own = |found: &Importance| {
        MeasureId::parse(found.id).is_some_and(|id| id.info().facts.kind == Kind::TotalSobol)
    };
    let has_own = measured.importances.iter().any(is_of_its_own);
    // Groups are found of two that follow from each other.
    let of_identities = if has_own { note_on_identities(data, 3) } else { None };
    let of_outlying = note_on_outlying_targets(data);
    let of_rows = note_on_dependent_rows(data, target, |row| measured.out_of_bag.prediction(row));
    for importance in &mut measured.importances {
        importance.notes.extend(of_weights.clone());
        importance.notes.extend(of_levels.clone());
        importance.notes.extend(of_sparse.clone());
        importance.notes.extend(of_scales.clone());
        if is_of_its_own(importance) {
            importance.notes.extend(of_identities.clone());
        }
        importance.notes.extend(of_outlying.clone());
        importance.notes.extend(of_rows.clone());
        if is_of_others(importance) {
            importance.notes.extend(of_repeats.clone());
        }
        if permutes_clusters(importance.id) {
            importance.notes.extend(of_clusters.clone());
        }
    }
}

/// The note on rows that repeat others, which trees have seen where they are out of bag or held out.
pub(crate) fn note_on_repeats(data: &Dataset) -> Option<String> {
    if data.n_rows() > MOST_COMPARED {
        return None;
    }
    let found = repeats(data);
    found.are_copies.then(|| {
        format!(
            "{}: if these are copies of the same observations, the rows that trees are tested on are not new to \
             them, so that importances are too large and too certain; leave the copies out, or keep them \
             together as a cluster",
            found.words()
        )
    })
}

/// The note on predictions of a forest of a table, where case weights depend on the target.
pub fn note_on_predictions(data: &Dataset, forest: &Forest) -> Option<String> {
    let n_rows = data.rows_of_positive_weight().len() as f64;
    let n_leaves: usize = forest.trees().iter().map(Tree::n_leaves).sum();
    case_weights::note_on_predictions(data, n_rows * forest.trees().len() as f64 / n_leaves as f64)
}

/// The notes on a forest whose predictions are explained: on what it has not learned, and on case weights.
pub fn notes_on_forest(data: &Dataset, forest: &Forest) -> Vec<String> {
    let of_levels = forest.config().and_then(|config| note_on_rare_levels(data, config));
    let of_predictions = note_on_predictions(data, forest);
    [note_on_splits(forest), of_predictions, of_levels].into_iter().flatten().collect()
}

/// The note on columns that are constant within clusters.
fn note_on_clusters(data: &Dataset) -> Option<String> {
    let clusters = data.clusters()?;
    // The first row of the cluster of every row, of those that count.
    let mut first_of: HashMap<u32, u32> = HashMap::new();
    let rows: Vec<[u32; 2]> = data
        .rows_of_positive_weight()
        .into_iter()
        .map(|row| [row, *first_of.entry(clusters[row as usize]).or_insert(row)])
        .collect();
    let n_clusters = first_of.len();
    if n_clusters >= MANY_CLUSTERS || n_clusters == rows.len() {
        return None;
    }
    let is_within = |column: &Column| rows.iter().all(|&[row, first]| is_equal(column, row, first));
    let varies = |column: &Column| {
        rows.first()
            .is_some_and(|&[_, first]| rows.iter().any(|&[row, _]| !is_equal(column, row, first)))
    };
    let columns = data.features().columns().iter();
    let found: Vec<&Column> =
        columns.filter(|&column| is_within(column) && varies(column)).collect();
    let named: Vec<String> = found.iter().map(|column| format!("\"{}\"", column.name())).collect();
    let (are, whose) = if found.len() == 1 { ("is", "its value") } else { ("are", "their values") };
    (!found.is_empty()).then(|| {
        format!(
            "{} {are} constant within clusters, of which there are {n_clusters}: rows that receive the value \
             of another row of their cluster stay as they are, so that {whose} {} too small, the more so \
             the fewer clusters; sobol_mda, which permutes nothing, has no such error",
            some_of(&named, MOST_NAMED),
            if found.len() == 1 { "is" } else { "are" }
        )
    })
}

fn is_equal(column: &Column, one: u32, other: u32) -> bool {
    let (one, other) = (one as usize, other as usize);
    match column.data() {
        ColumnData::Numeric(values) => {
            values[one] == values[other] || (values[one].is_nan() && values[other].is_nan())
        }
        ColumnData::Categorical(levels) => levels.codes()[one] == levels.codes()[other],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Target;
    use crate::forest::ForestConfig;
    use crate::run::{Run, Threads};

    /// A column that is constant within clusters, and another one.
    fn table(n_clusters: u32) -> Dataset {
        let n_rows = 240;
        let x: Vec<f64> = (0..n_rows).map(|row| f64::from(row % n_clusters)).collect();
        let z: Vec<f64> = (0..n_rows).map(|row| f64::from(row * 37 % 240)).collect();
        let y = x.iter().zip(&z).map(|(x, z)| x + z).collect();
        let column = |name: &str, values| Column::numeric(name, values).expect("finite");
        let constant = column("none", vec![1.0; n_rows as usize]);
        let columns = vec![column("x", x), column("z", z), constant];
        let data = Dataset::new(columns, Target::regression("y", y).expect("finite"));
        let clusters = (0..n_rows).map(|row| row % n_clusters).collect();
        data.expect("consistent").with_clusters(clusters).expect("one per row")
    }

    #[test]
    fn columns_that_are_constant_within_clusters_are_noted_where_values_are_permuted() {
        let run = Run::on(Threads::ONE);
        let config = ForestConfig { n_trees: 5, ..ForestConfig::default() };
        let measures = [MeasureId::SobolMda, MeasureId::MdaBreimanCutler].map(Into::into);
        let fitted = crate::fit(table(12), &config, &run).expect("valid settings");
        let found = fitted.measure(&measures, &run).expect("both apply").importances;
        let is_noted =
            |at: usize| found[at].notes.iter().any(|note| note.contains("within clusters"));
        assert!(!is_noted(0) && is_noted(1));
        let note = note_on_clusters(&table(12)).expect("few clusters");
        assert!(
            note.starts_with("\"x\" is constant within clusters, of which there are 12: "),
            "{note}"
        );
        assert_eq!(note_on_clusters(&table(220)), None, "many clusters");
        assert_eq!(note_on_clusters(&table(240)), None, "of one row each");
        // A single row that differs is enough for donors of the same cluster to count.
        let of_rows = table(12);
        let clusters = (0..240).map(|row| if row == 0 { 5 } else { row % 12 }).collect();
        let data = of_rows.with_clusters(clusters).expect("one per row");
        assert_eq!(note_on_clusters(&data), None);
    }

    #[test]
    fn copies_of_rows_are_noted_where_rows_out_of_bag_are_looked_at() {
        let run = Run::on(Threads::ONE);
        let config = ForestConfig { n_trees: 5, ..ForestConfig::default() };
        let measures = [MeasureId::SobolMda, MeasureId::Mdi].map(Into::into);
        let noted = |data: Dataset| {
            let fitted = crate::fit(data, &config, &run).expect("valid settings");
            let found = fitted.measure(&measures, &run).expect("both apply").importances;
            let is_noted = |found: &Importance| {
                found.notes.iter().any(|note| note.contains("copies of the same observations"))
            };
            (is_noted(&found[0]), is_noted(&found[1]))
        };
        let alone = table(240);
        assert_eq!(noted(alone.clone()), (false, false));
        let copies = alone.select(&(0..240).map(|row| row % 120).collect::<Vec<u32>>());
        let alone = (0..240).collect();
        let copies = copies.expect("rows").with_clusters(alone).expect("one per row");
        let note = note_on_repeats(&copies).expect("copies");
        assert!(note.starts_with("120 rows (50 %) of the table repeat others in all "), "{note}");
        assert_eq!(noted(copies), (true, false));
    }
}
