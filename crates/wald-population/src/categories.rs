//! The categories of variables, and the rows that have them in common.

use std::collections::HashMap;

use wald::Error;
use wald::data::{Column, ColumnData, Dataset};

/// A column of numbers with more distinct values than this may be continuous.
const FEW_VALUES: usize = 20;

/// It is, if it separates this share of the rows.
const NEARLY_ALL: f64 = 0.9;

/// Rows as categories.
#[derive(Debug, Clone)]
pub(crate) struct Categories {
    /// One code per row and variable, row by row.
    pub(crate) codes: Vec<u32>,
    /// Categories of every variable.
    pub(crate) n_categories: Vec<u32>,
}

impl Categories {
    /// The categories of some rows of a data set. A group of columns is one variable whose
    /// categories are those of its columns together.
    pub(crate) fn new(data: &Dataset, rows: &[u32]) -> Result<Self, Error> {
        let columns = data.features().columns();
        let of_columns: Vec<Coded> = columns.iter().map(|column| of_column(column, rows)).collect();
        for (column, coded) in columns.iter().zip(&of_columns) {
            refuse_continuous(column, coded.n_categories as usize, rows.len())?;
        }
        let groups = data.groups();
        let of_groups: Vec<Coded> = groups
            .members()
            .iter()
            .map(|members| {
                let mut all = members.iter().map(|&column| &of_columns[column as usize]);
                let first = all.next().cloned().unwrap_or_default();
                all.fold(first, |known, further| together(&known, further))
            })
            .collect();
        let n_variables = of_groups.len();
        let mut codes = vec![0; rows.len() * n_variables];
        for (variable, coded) in of_groups.iter().enumerate() {
            let places = codes.iter_mut().skip(variable).step_by(n_variables);
            places.zip(&coded.codes).for_each(|(place, code)| *place = *code);
        }
        Ok(Self { codes, n_categories: of_groups.iter().map(|coded| coded.n_categories).collect() })
    }
}

/// The category of every row, and their number.
#[derive(Debug, Clone, Default, PartialEq)]
struct Coded {
    codes: Vec<u32>,
    n_categories: u32,
}

/// Codes 0, 1, ... of the values that occur, in the order of numbers or levels; a missing value is
/// a category of its own, the last one.
fn of_column(column: &Column, rows: &[u32]) -> Coded {
    match column.data() {
        ColumnData::Numeric(values) => {
            // All missing values look alike, and come last.
            let plain = |value: f64| if value.is_nan() { f64::NAN } else { value };
            let keys: Vec<f64> = rows.iter().map(|&row| plain(values[row as usize])).collect();
            coded(&keys, f64::total_cmp)
        }
        ColumnData::Categorical(categories) => {
            let codes = categories.codes();
            let codes: Vec<u32> = rows.iter().map(|&row| codes[row as usize]).collect();
            coded(&codes, u32::cmp)
        }
    }
}

/// Places among the distinct values.
fn coded<T: Copy>(values: &[T], order: impl Fn(&T, &T) -> std::cmp::Ordering) -> Coded {
    let mut distinct = values.to_vec();
    distinct.sort_unstable_by(&order);
    distinct.dedup_by(|one, other| order(one, other).is_eq());
    let code = |value: &T| distinct.partition_point(|known| order(known, value).is_lt()) as u32;
    let codes = values.iter().map(code).collect();
    Coded { codes, n_categories: distinct.len() as u32 }
}

/// Two variables as one.
fn together(one: &Coded, other: &Coded) -> Coded {
    let pairs = one.codes.iter().zip(&other.codes).map(|(&one, &other)| (one, other));
    coded(&pairs.collect::<Vec<_>>(), Ord::cmp)
}

fn refuse_continuous(column: &Column, n_distinct: usize, n_rows: usize) -> Result<(), Error> {
    let is_numeric = matches!(column.data(), ColumnData::Numeric(_));
    let is_nearly_unique = n_distinct as f64 >= NEARLY_ALL * n_rows as f64;
    if !is_numeric || n_distinct <= FEW_VALUES || !is_nearly_unique {
        return Ok(());
    }
    let name = column.name();
    Err(Error::column_data(
        name,
        format!(
            "column \"{name}\" has {n_distinct} different numbers in {n_rows} rows: as categories, \
             they alone would determine the target of every row"
        ),
        "cut the numbers into a few classes, leave the column out, or make it categorical if its \
         numbers are names; the importance of continuous variables is measured on forests",
    ))
}

/// Equal rows as one: the place of every row among the distinct ones, which are in the order of
/// their codes, and the first row of each.
pub(crate) fn distinct_rows(codes: &[u32], n_variables: usize) -> (Vec<u32>, Vec<u32>) {
    let rows: Vec<&[u32]> = codes.chunks_exact(n_variables).collect();
    let mut first: HashMap<&[u32], u32> = HashMap::new();
    (0_u32..).zip(&rows).for_each(|(row, codes)| {
        first.entry(codes).or_insert(row);
    });
    let mut distinct: Vec<(&[u32], u32)> = first.into_iter().collect();
    distinct.sort_unstable();
    let place: HashMap<&[u32], u32> =
        (0_u32..).zip(&distinct).map(|(place, (codes, _))| (*codes, place)).collect();
    let of_row = rows.iter().map(|codes| place[codes]).collect();
    (of_row, distinct.into_iter().map(|(_, row)| row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_become_one() {
        let codes = [1, 0, 0, 2, 1, 0, 0, 1];
        assert_eq!(distinct_rows(&codes, 2), (vec![2, 1, 2, 0], vec![3, 1, 0]));
    }

    #[test]
    fn missing_values_are_a_category() {
        let column = Column::numeric("x", vec![2.0, f64::NAN, -1.0, -f64::NAN]).expect("finite");
        assert_eq!(
            of_column(&column, &[0, 1, 2, 3]),
            Coded { codes: vec![1, 2, 0, 2], n_categories: 3 }
        );
        assert_eq!(of_column(&column, &[0, 2]), Coded { codes: vec![1, 0], n_categories: 2 });
    }
}
