//! Rows that occur several times.

use crate::advice::{Concern, Evidence, Finding};
use wald::work::Repeats;

/// What rows mean that equal another one in all variables and the target, out of its cluster.
pub(super) fn repeated_rows(found: Repeats) -> Finding {
    let Repeats { n_rows: n_repeated, share, are_copies: is_found } = found;
    let what = found.words();
    let sentence = match (n_repeated, is_found) {
        (0, _) => "No row repeats another one.".to_owned(),
        (_, true) => format!("{what}."),
        (_, false) if found.are_few() => format!("{what}, which changes hardly anything."),
        (_, false) => format!("{what}, as may be where variables have few different values."),
    };
    let consequence = if is_found {
        "If these are copies of the same observations, out-of-bag rows are not new to the trees: errors are \
         too small, and importances too large and too certain. Leave the copies out, or keep them together as \
         a cluster. Dependence, interactions and other questions on the table are tested without them."
    } else {
        ""
    };
    Finding {
        id: "repeated_rows".to_owned(),
        name: "Rows that occur several times".to_owned(),
        concern: if is_found { Concern::Serious } else { Concern::None },
        sentence,
        consequence: consequence.to_owned(),
        evidence: vec![Evidence::new("share of rows that repeat another one", Some(share))],
        variables: Vec::new(),
        source: "exact comparison; the threshold of 1 % is a convention".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wald::data::{Column, Dataset, Target};
    use wald::work::repeats;

    fn table(values: impl Iterator<Item = u32>) -> Dataset {
        let values: Vec<f64> = values.map(f64::from).collect();
        let target = Target::regression("y", values.iter().map(|x| x * x).collect());
        let column = Column::numeric("x", values).expect("finite");
        Dataset::new(vec![column], target.expect("finite")).expect("consistent")
    }

    #[test]
    fn copies_are_found_out_of_clusters_and_where_chance_is_excluded() {
        let concern = |data: &Dataset| repeated_rows(repeats(data)).concern;
        let share = |data: &Dataset| repeated_rows(repeats(data)).evidence[0].value;
        let copies = table((0..300).map(|row| row % 30));
        assert_eq!((concern(&copies), share(&copies)), (Concern::Serious, Some(0.9)));
        let sentence = repeated_rows(repeats(&copies)).sentence;
        assert!(sentence.starts_with("270 rows (90 %) of the table repeat others"), "{sentence}");
        // Copies in one cluster are in bag or out of bag together.
        let of_unit = copies.clone().with_clusters((0..300).map(|row| row % 30).collect());
        assert_eq!(concern(&of_unit.expect("fits")), Concern::None);
        let across = copies.clone().with_clusters((0..300).map(|row| row / 30).collect());
        assert_eq!(concern(&across.expect("fits")), Concern::Serious);
        // Few values agree by chance; a single repeated row of many changes nothing.
        assert_eq!(concern(&table((0..300).map(|row| row % 10))), Concern::None);
        assert_eq!(concern(&table((0..300).map(|row| row.max(1)))), Concern::None);
        assert_eq!(concern(&table(0..300)), Concern::None);
        let ends =
            |data: &Dataset, words: &str| repeated_rows(repeats(data)).sentence.ends_with(words);
        assert!(ends(&table((0..300).map(|row| row % 10)), "few different values."));
        assert!(ends(&table((0..300).map(|row| row.max(1))), "hardly anything."));
        assert!(ends(&table(0..300), "No row repeats another one."));
    }
}
