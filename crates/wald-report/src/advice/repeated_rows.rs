//! Rows that occur several times.

use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use crate::advice::{Concern, Evidence, Finding};
use wald::data::{ColumnData, Dataset, Response};
use wald::words::{counted, percent};

/// A smaller share of repeated rows changes nothing.
const MATERIAL: f64 = 0.01;

/// Rows that agree in a number of fewer distinct values may do so by chance.
const LEAST_VALUES: usize = 20;

/// Looks for rows that equal another one in all variables and the target, out of its cluster. A copy of an
/// out-of-bag row is in bag most of the time, so that trees have seen it. Where all variables have few
/// values, rows may agree by chance; so a number is needed that has a value of its own in half of the distinct
/// rows. Cost O(rows * columns).
pub(super) fn repeated_rows(data: &Dataset) -> Finding {
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    let rows: Vec<u64> = (0..data.n_rows()).map(|row| hasher.hash_one(cells(data, row))).collect();
    let cluster = |row: usize| data.clusters().map_or(row as u32, |of| of[row]);
    let distinct: HashSet<u64> = rows.iter().copied().collect();
    let apart: HashSet<(u64, u32)> =
        rows.iter().enumerate().map(|(row, hash)| (*hash, cluster(row))).collect();
    let n_repeated = apart.len() - distinct.len();
    let share = n_repeated as f64 / apart.len() as f64;
    let least = LEAST_VALUES.max(distinct.len() / 2);
    let is_found = share >= MATERIAL && most_values(data) >= least;
    let what = format!(
        "{} ({}) of the table {} in all variables and the target",
        counted(n_repeated, "row"),
        percent(share),
        if n_repeated == 1 { "repeats another one" } else { "repeat others" }
    );
    let sentence = match (n_repeated, is_found) {
        (0, _) => "No row repeats another one.".to_owned(),
        (_, true) => format!("{what}."),
        (_, false) if share < MATERIAL => format!("{what}, which changes hardly anything."),
        (_, false) => format!("{what}, as may be where variables have few different values."),
    };
    let consequence = if is_found {
        "If these are copies of the same observations, out-of-bag rows are not new to the trees: errors are \
         too small, and importances too large and too certain. Leave the copies out, or keep them together as \
         a cluster."
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

/// All cells of a row and its target, as bits.
fn cells(data: &Dataset, row: usize) -> Vec<u64> {
    let of_column = |data: &ColumnData| match data {
        ColumnData::Numeric(values) => values[row].to_bits(),
        ColumnData::Categorical(categories) => u64::from(categories.codes()[row]),
    };
    let mut cells: Vec<u64> =
        data.features().columns().iter().map(|column| of_column(column.data())).collect();
    match data.target().response() {
        Response::Regression(values) => cells.push(values[row].to_bits()),
        Response::Classification(classes) => cells.push(u64::from(classes.codes()[row])),
        Response::Several(outputs) => {
            cells.extend(outputs.row(row).iter().map(|value| value.to_bits()));
        }
    }
    cells
}

/// The largest number of distinct values of a numeric variable.
fn most_values(data: &Dataset) -> usize {
    let columns = data.features().columns().iter();
    let numbers = columns.filter_map(|column| match column.data() {
        ColumnData::Numeric(values) => Some(values),
        ColumnData::Categorical(_) => None,
    });
    let distinct =
        |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<HashSet<u64>>().len();
    numbers.map(|values| distinct(values)).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wald::data::{Column, Target};

    fn table(values: impl Iterator<Item = u32>) -> Dataset {
        let values: Vec<f64> = values.map(f64::from).collect();
        let target = Target::regression("y", values.iter().map(|x| x * x).collect());
        let column = Column::numeric("x", values).expect("finite");
        Dataset::new(vec![column], target.expect("finite")).expect("consistent")
    }

    #[test]
    fn copies_are_found_out_of_clusters_and_where_chance_is_excluded() {
        let concern = |data: &Dataset| repeated_rows(data).concern;
        let share = |data: &Dataset| repeated_rows(data).evidence[0].value;
        let copies = table((0..300).map(|row| row % 30));
        assert_eq!((concern(&copies), share(&copies)), (Concern::Serious, Some(0.9)));
        let sentence = repeated_rows(&copies).sentence;
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
        let ends = |data: &Dataset, words: &str| repeated_rows(data).sentence.ends_with(words);
        assert!(ends(&table((0..300).map(|row| row % 10)), "few different values."));
        assert!(ends(&table((0..300).map(|row| row.max(1))), "hardly anything."));
        assert!(ends(&table(0..300), "No row repeats another one."));
    }
}
