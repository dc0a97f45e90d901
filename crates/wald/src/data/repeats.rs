//! Rows that occur several times.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use crate::Error;
use crate::data::{ColumnData, Dataset, Response};
use crate::words::{counted, percent};

/// A smaller share of repeated rows changes nothing.
const MATERIAL: f64 = 0.01;

/// Rows that agree in a number of fewer distinct values may do so by chance.
const LEAST_VALUES: usize = 20;

/// Columns that distinguish the rows of most tables, beside the target.
const FIRST_COLUMNS: usize = 8;

/// Rows that equal another one in all variables and the target, out of its cluster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Repeats {
    /// How many rows repeat another one.
    pub n_rows: usize,
    /// Their share of the rows; the rows of a cluster that are equal count as one.
    pub share: f64,
    /// Whether they matter, and are not equal by chance: at least 1 % of the rows, where a numeric variable has a
    /// value of its own in half of the distinct rows.
    pub are_copies: bool,
}

impl Repeats {
    /// How many rows repeat others, in words.
    pub fn words(&self) -> String {
        format!(
            "{} ({}) of the table {} in all variables and the target",
            counted(self.n_rows, "row"),
            percent(self.share),
            if self.n_rows == 1 { "repeats another one" } else { "repeat others" }
        )
    }

    /// Whether they are too few to change anything.
    pub fn are_few(&self) -> bool {
        self.share < MATERIAL
    }

    /// The table where they were found, without copies: the first of equal rows stays. The table itself where none
    /// are copies. Cost O(rows * columns) where some are.
    ///
    /// # Errors
    /// Those of [`Dataset::select`].
    pub fn without_copies(self, data: &Dataset) -> Result<Cow<'_, Dataset>, Error> {
        if !self.are_copies {
            return Ok(Cow::Borrowed(data));
        }
        let rows = hashes(data, data.features().columns().len());
        let mut seen = HashSet::new();
        let first: Vec<u32> =
            (0..data.n_rows() as u32).filter(|&row| seen.insert(rows[row as usize])).collect();
        data.select(&first).map(Cow::Owned)
    }
}

/// Looks for rows that repeat others. A copy of an out-of-bag row is in bag most of the time, so that trees have
/// seen it. Cost O(rows) where the target and a few columns distinguish all rows, else O(rows * columns).
pub fn repeats(data: &Dataset) -> Repeats {
    let n_columns = data.features().columns().len();
    let n_rows = data.n_rows();
    let are_distinct = |rows: &[u64]| rows.iter().collect::<HashSet<_>>().len() == rows.len();
    if n_columns > FIRST_COLUMNS && are_distinct(&hashes(data, FIRST_COLUMNS)) {
        return Repeats { n_rows: 0, share: 0.0, are_copies: false };
    }
    let rows = hashes(data, n_columns);
    let cluster = |row: usize| data.clusters().map_or(row as u32, |of| of[row]);
    let distinct: HashSet<u64> = rows.iter().copied().collect();
    let apart: HashSet<(u64, u32)> = (0..n_rows).map(|row| (rows[row], cluster(row))).collect();
    let n_repeated = apart.len() - distinct.len();
    let share = n_repeated as f64 / apart.len() as f64;
    let least = LEAST_VALUES.max(distinct.len() / 2);
    let are_copies = share >= MATERIAL && most_values(data) >= least;
    Repeats { n_rows: n_repeated, share, are_copies }
}

/// A hash of the target and the first columns of every row.
fn hashes(data: &Dataset, n_columns: usize) -> Vec<u64> {
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    (0..data.n_rows()).map(|row| hasher.hash_one(cells(data, row, n_columns))).collect()
}

/// Cells of a row and its target, as bits.
fn cells(data: &Dataset, row: usize, n_columns: usize) -> Vec<u64> {
    let of_column = |data: &ColumnData| match data {
        ColumnData::Numeric(values) => values[row].to_bits(),
        ColumnData::Categorical(categories) => u64::from(categories.codes()[row]),
    };
    let columns = data.features().columns().iter().take(n_columns);
    let mut cells: Vec<u64> = columns.map(|column| of_column(column.data())).collect();
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
    use crate::data::{Column, Target};

    fn table(n_columns: usize, values: impl Iterator<Item = u32>) -> Dataset {
        let values: Vec<f64> = values.map(f64::from).collect();
        let target = Target::regression("y", values.iter().map(|x| x * x).collect());
        let column = |at: usize| {
            // The first ones do not distinguish rows.
            let shown = if at + 1 < n_columns { vec![1.0; values.len()] } else { values.clone() };
            Column::numeric(format!("x{at}"), shown).expect("finite")
        };
        let columns = (0..n_columns).map(column).collect();
        Dataset::new(columns, target.expect("finite")).expect("consistent")
    }

    #[test]
    fn copies_are_found_out_of_clusters_and_where_chance_is_excluded() {
        for n_columns in [1, 12] {
            let are_copies = |data: &Dataset| repeats(data).are_copies;
            let copies = table(n_columns, (0..300).map(|row| row % 30));
            assert_eq!(repeats(&copies), Repeats { n_rows: 270, share: 0.9, are_copies: true });
            // Copies in one cluster are in bag or out of bag together.
            let of_unit = copies.clone().with_clusters((0..300).map(|row| row % 30).collect());
            assert!(!are_copies(&of_unit.expect("fits")));
            let across = copies.clone().with_clusters((0..300).map(|row| row / 30).collect());
            let across = across.expect("fits");
            assert!(are_copies(&across));
            assert_eq!(repeats(&across).without_copies(&across).expect("selects").n_rows(), 30);
            // Few values agree by chance; a single repeated row of many changes nothing.
            let of_few_values = table(n_columns, (0..300).map(|row| row % 10));
            assert!(!are_copies(&of_few_values));
            assert_eq!(
                repeats(&of_few_values).without_copies(&of_few_values).expect("borrows").n_rows(),
                300
            );
            assert!(!are_copies(&table(n_columns, (0..300).map(|row| row.max(1)))));
            assert_eq!(repeats(&table(n_columns, 0..300)).n_rows, 0);
        }
    }
}
