//! What users should know about two sides that are compared.

use crate::data::{Column, ColumnData, Dataset, Response, response_variance};
use crate::digits::Digits;
use crate::measure::{Measure, Normalise, Scale};
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

    #[test]
    fn a_side_of_many_more_rows_is_noted() {
        assert_eq!([unequal([100, 150]), unequal([300, 200]), unequal([7, 7])], [None, None, None]);
        let note = unequal([1, 8]).expect("eight times as many");
        assert!(note.starts_with("the first side has 1 row and the second 8: "), "{note}");
    }
}
