//! What users should know about two sides that are compared.

use crate::words::counted;

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
