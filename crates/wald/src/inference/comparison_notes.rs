//! What users should know about two sides that are compared.

use crate::data::{Column, ColumnData, Dataset, Response, response_variance};
use crate::digits::Digits;
use crate::inference::scale::grows;
use crate::measure::{Measure, MeasureId, Normalise, Scale};
use crate::words::{counted, listed};

/// From this ratio of numbers of rows on, importances differ without any other reason.
const MUCH_LARGER: f64 = 1.5;

/// A note where one side has many more rows.
pub(super) fn unequal(sizes: [usize; 2]) -> Option<String> {
    let [first, second] = sizes;
    let is_much = first.max(second) as f64 > MUCH_LARGER * first.min(second) as f64;
    is_much.then(|| {
        format!(
            "the first side has {} and the second {second}: forests of more rows find more, so that \
             importances differ where nothing else does; compare random parts of equal size",
            counted(first, "row")
        )
    })
}

/// From this ratio of numbers of rows on, values that grow with the forest differ by a twentieth and more.
const LARGER: f64 = 1.05;

/// A note where the values of a measure grow with the forest, as numbers of splits do, and one side has
/// more rows or trees.
pub(super) fn of_growing(measure: &Measure, rows: [usize; 2], trees: [usize; 2]) -> Option<String> {
    let is_larger = |sizes: [usize; 2], factor: f64| {
        sizes[0].max(sizes[1]) as f64 > factor * sizes[0].min(sizes[1]) as f64
    };
    let (sizes, one) = match grows(measure) {
        true if is_larger(trees, 1.0) => (trees, "tree"),
        true if is_larger(rows, LARGER) => (rows, "row"),
        _ => return None,
    };
    let id = measure.id();
    let other = if id == MeasureId::SplitCount {
        ", or shares of splits (depth_weighted_splits)"
    } else {
        ""
    };
    Some(format!(
        "the first side has {} and the second {}: values of {} grow with the numbers of rows and trees for \
         every variable, so that differences and p-values show these where nothing else differs; compare \
         sides of equal numbers of rows and trees{other}",
        counted(sizes[0], one),
        sizes[1],
        id.info().id
    ))
}

/// From this ratio of standard deviations on, values in units of the targets differ by more than twice.
const MUCH_WIDER: f64 = 1.5;

/// Notes on columns that are numbers in one table and categories in the other.
pub(super) fn of_other_kinds(first: &Dataset, second: &Dataset) -> Vec<String> {
    let others = second.features().by_name();
    let is_numeric = |column: &Column| matches!(column.data(), ColumnData::Numeric(_));
    let mut numbers: [Vec<&str>; 2] = [Vec::new(), Vec::new()];
    for column in first.features().columns() {
        let Some(other) = others.get(column.name()) else { continue };
        match [is_numeric(column), is_numeric(other)] {
            [true, false] => numbers[0].push(column.name()),
            [false, true] => numbers[1].push(column.name()),
            _ => {}
        }
    }
    let note = |names: &[&str], one: &str, other: &str| {
        let are = if names.len() == 1 { "is" } else { "are" };
        format!(
            "{} {are} of another kind on each side: the {one} one holds numbers, the {other} one categories, \
             which trees divide in other ways; read both tables alike",
            listed(names, "and")
        )
    };
    let sides = [(&numbers[0], "first", "second"), (&numbers[1], "second", "first")];
    let noted = sides.into_iter().filter(|(names, ..)| !names.is_empty());
    noted.map(|(names, one, other)| note(names, one, other)).collect()
}

/// A note where the values of a measure change as the target does, and one target varies much more.
pub(super) fn of_other_scales(
    measure: &Measure,
    first: &Dataset,
    second: &Dataset,
) -> Option<String> {
    let is_numeric = matches!(first.target().response(), Response::Regression(_));
    let is_invariant = measure.id().info().scale == Scale::Invariant
        || measure.settings().normalise != Normalise::None;
    if !is_numeric || is_invariant {
        return None;
    }
    let deviations = [first, second].map(|data| response_variance(data).sqrt());
    let [small, large] = [deviations[0].min(deviations[1]), deviations[0].max(deviations[1])];
    let text = |at: usize| Digits::of([deviations[at]]).text(deviations[at]);
    (large > MUCH_WIDER * small).then(|| {
        format!(
            "the targets vary on different scales, with standard deviations {} in the first table and {} in \
             the second: values are in units of the target, so that they differ where nothing else \
             does; compare shares of the variance, such as those of sobol_mda",
            text(0),
            text(1)
        )
    })
}

/// A note where both sides have the same rows, but the error of a measure over trees is not known.
pub(super) fn unknown_trees(id: &str) -> String {
    format!(
        "what other trees would do to values of {id} is known from forests on parts of the rows only, so that \
         both sides are taken as independent samples, although they have the same rows: errors are rather \
         too large than too small"
    )
}

/// What users should know about the values of both sides, and of either one.
pub(super) fn notes(first: &[String], second: &[String]) -> Vec<String> {
    let both = first.iter().filter(|note| second.contains(note)).cloned();
    let only = |side: &'static str, notes: &[String], others: &[String]| -> Vec<String> {
        let notes = notes.iter().filter(|note| !others.contains(note));
        notes.map(|note| format!("{side}: {note}")).collect()
    };
    both.chain(only("first", first, second)).chain(only("second", second, first)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::MeasureSettings;

    #[test]
    fn a_side_of_many_more_rows_is_noted() {
        assert_eq!([unequal([100, 150]), unequal([300, 200]), unequal([7, 7])], [None, None, None]);
        let note = unequal([1, 8]).expect("eight times as many");
        assert!(note.starts_with("the first side has 1 row and the second 8: "), "{note}");
    }

    #[test]
    fn values_that_grow_are_noted_where_rows_or_trees_differ_a_little() {
        let note = |id: MeasureId, rows, trees| of_growing(&Measure::from(id), rows, trees);
        let of_splits = |rows, trees| note(MeasureId::SplitCount, rows, trees);
        assert_eq!([of_splits([100, 105], [9, 9]), of_splits([105, 100], [9, 9])], [None, None]);
        assert_eq!(note(MeasureId::DepthWeightedSplits, [300, 440], [9, 10]), None);
        assert_eq!(note(MeasureId::Mdi, [300, 440], [9, 10]), None);
        assert_eq!(
            of_splits([300, 440], [9, 9]).as_deref(),
            Some(
                "the first side has 300 rows and the second 440: values of split_count grow with the \
                 numbers of rows and trees for every variable, so that differences and p-values show \
                 these where nothing else differs; compare sides of equal numbers of rows and trees, or \
                 shares of splits (depth_weighted_splits)"
            )
        );
        let of_trees = of_splits([100, 100], [500, 501]).expect("another number of trees");
        assert!(of_trees.starts_with("the first side has 500 trees and the second 501: values"));
        assert!(of_splits([100, 106], [9, 9]).is_some());
        let normalise = Normalise::StandardError;
        let settings = MeasureSettings { normalise, ..MeasureSettings::default() };
        let in_errors = Measure::new(MeasureId::MdaBreimanCutler, settings).expect("offered");
        let note = of_growing(&in_errors, [300, 440], [9, 9]).expect("values in errors");
        assert!(note.ends_with("compare sides of equal numbers of rows and trees"), "{note}");
    }
}
