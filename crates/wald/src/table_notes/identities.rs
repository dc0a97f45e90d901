//! Columns that follow exactly from others: sums, parts that add up to a whole, other units.

use crate::data::{ColumnData, Dataset};
use crate::table_notes::MOST_NAMED;
use crate::words::some_of;

/// A number follows from others where they leave this share of its variance: numbers of three digits are rounded so.
const NOTHING: f64 = 1e-6;

/// Sets are looked for in so many rows, and then tested in all.
const MOST_ROWS: usize = 2_000;

/// More numbers are not compared: the cost grows with their square.
const MOST_COLUMNS: usize = 300;

/// Larger sets of columns are a matter of chance where rows are few.
const MOST_MEMBERS: usize = 12;

/// A member has at least this coefficient, in standard deviations.
const LEAST_COEFFICIENT: f64 = 0.01;

/// The note on numbers each of which follows from the others of a set of at least so many, so that none adds anything to
/// all others, however much the set matters.
pub(crate) fn note_on_identities(data: &Dataset, fewest_members: usize) -> Option<String> {
    let group_of = |column: usize| data.groups().of_column()[column];
    let is_divided = |set: &&Vec<usize>| {
        set.len() >= fewest_members && set.iter().any(|&at| group_of(at) != group_of(set[0]))
    };
    let sets = identities(data);
    let found: Vec<String> = sets.iter().filter(is_divided).map(|set| words(data, set)).collect();
    (!found.is_empty()).then(|| {
        format!(
            "each of these numbers follows from the others of its set: {}. None of them adds anything to all \
             others, however much the set matters, and how much a forest loses without one only shows how well it \
             has learned the others; measure or test the set as a group",
            some_of(&found, MOST_NAMED)
        )
    })
}

fn words(data: &Dataset, set: &[usize]) -> String {
    let name = |at: &usize| format!("\"{}\"", data.features().columns()[*at].name());
    let names: Vec<String> = set.iter().map(name).collect();
    format!("({})", names.join(", "))
}

/// Sets of columns of numbers each of which is a linear function of the others of the set, in the order of the table. Flags
/// alone, which are levels of one column, and columns with missing cells are left out. Cost O(columns^2 * 2,000 +
/// columns * rows).
fn identities(data: &Dataset) -> Vec<Vec<usize>> {
    let rows = data.rows_of_positive_weight();
    let step = rows.len().div_ceil(MOST_ROWS).max(1);
    let sample: Vec<u32> = rows.iter().copied().step_by(step).collect();
    let columns = data.features().columns().iter().enumerate();
    let numbers: Vec<Numbers<'_>> = columns
        .filter_map(|(column, of)| match of.data() {
            ColumnData::Numeric(values) => Numbers::new(column, values, &rows, &sample),
            ColumnData::Categorical(_) => None,
        })
        .collect();
    // Of fewer rows than columns, every column is a function of the others.
    if numbers.len() > MOST_COLUMNS || sample.len() < 3 * numbers.len() {
        return Vec::new();
    }
    let factor = Factor::new(&numbers);
    let set = |at: usize| {
        let members = factor.members(at);
        if members.len() >= MOST_MEMBERS || !holds(&numbers, at, &members, &rows) {
            return None;
        }
        let set: Vec<usize> = members.iter().map(|(of, _)| *of).chain([at]).collect();
        let are_flags = set.iter().all(|at| numbers[*at].is_flag);
        let mut set: Vec<usize> = set.into_iter().map(|at| numbers[at].column).collect();
        set.sort_unstable();
        (!are_flags).then_some(set)
    };
    let left_out = (0..numbers.len()).filter(|at| !factor.pivots.contains(at));
    let mut sets: Vec<Vec<usize>> = left_out.filter_map(set).collect();
    sets.sort_unstable();
    sets
}

/// A column without missing cells that varies.
struct Numbers<'a> {
    column: usize,
    values: &'a [f64],
    is_flag: bool,
    mean: f64,
    deviation: f64,
    /// What the rows of the sample deviate from the mean, of length 1.
    sample: Vec<f64>,
}

impl<'a> Numbers<'a> {
    fn new(column: usize, values: &'a [f64], rows: &[u32], sample: &[u32]) -> Option<Self> {
        let all = || rows.iter().map(|row| values[*row as usize]);
        if all().any(f64::is_nan) {
            return None;
        }
        let n = sample.len() as f64;
        let of_sample: Vec<f64> = sample.iter().map(|row| values[*row as usize]).collect();
        let mean = of_sample.iter().sum::<f64>() / n;
        let squares: f64 = of_sample.iter().map(|value| (value - mean).powi(2)).sum();
        let is_flag = all().all(|value| value == 0.0 || value == 1.0);
        let scaled = of_sample.iter().map(|value| (value - mean) / squares.sqrt()).collect();
        let deviation = (squares / n).sqrt();
        deviation.is_normal().then_some(Self {
            column,
            values,
            is_flag,
            mean,
            deviation,
            sample: scaled,
        })
    }

    fn scaled(&self, row: u32) -> f64 {
        (self.values[row as usize] - self.mean) / self.deviation
    }
}

/// The factor of the correlations of columns (Cholesky with pivots): a row for each column that adds to those before it.
struct Factor {
    pivots: Vec<usize>,
    rows: Vec<Vec<f64>>,
}

impl Factor {
    fn new(numbers: &[Numbers<'_>]) -> Self {
        let mut left = vec![1.0; numbers.len()];
        let mut factor = Self { pivots: Vec::new(), rows: Vec::new() };
        loop {
            let more =
                (0..numbers.len()).filter(|at| left[*at] > NOTHING && !factor.pivots.contains(at));
            // Of equal ones the first, so that sums follow from their parts.
            let next = more.rev().max_by(|one, other| left[*one].total_cmp(&left[*other]));
            let Some(pivot) = next else { return factor };
            let row: Vec<f64> = numbers
                .iter()
                .enumerate()
                .map(|(at, other)| {
                    let both = numbers[pivot].sample.iter().zip(&other.sample);
                    let before = factor.rows.iter().map(|row| row[pivot] * row[at]);
                    let more = both.map(|(a, b)| a * b).sum::<f64>() - before.sum::<f64>();
                    more / left[pivot].sqrt()
                })
                .collect();
            left.iter_mut().zip(&row).for_each(|(left, entry)| *left -= entry * entry);
            factor.pivots.push(pivot);
            factor.rows.push(row);
        }
    }

    /// The columns that another one is a linear function of, with their coefficients in standard deviations.
    fn members(&self, of: usize) -> Vec<(usize, f64)> {
        let mut members: Vec<(usize, f64)> = Vec::new();
        for (&pivot, row) in self.pivots.iter().zip(&self.rows).rev() {
            let after: f64 = members.iter().map(|(other, by)| by * row[*other]).sum();
            members.push((pivot, (row[of] - after) / row[pivot]));
        }
        members.retain(|(_, by)| by.abs() >= LEAST_COEFFICIENT);
        members
    }
}

/// Whether a function that was found in a sample is one of all rows.
fn holds(numbers: &[Numbers<'_>], of: usize, members: &[(usize, f64)], rows: &[u32]) -> bool {
    let left = |row: &u32| {
        let sum: f64 = members.iter().map(|(other, by)| by * numbers[*other].scaled(*row)).sum();
        (numbers[of].scaled(*row) - sum).powi(2)
    };
    rows.iter().map(left).sum::<f64>() <= 10.0 * NOTHING * rows.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Target};
    use crate::random::{Purpose, Stream};

    /// Numbers x, z, v, their sum with rounding, x in another unit, three flags one of which is set, the same sum but for
    /// the last row, and one with a missing cell.
    fn table() -> Dataset {
        let mut stream = Stream::new(1, 0, Purpose::Folds);
        let mut drawn = || (0..90).map(|_| stream.unit()).collect::<Vec<f64>>();
        let (x, z, v) = (drawn(), drawn(), drawn());
        let sum: Vec<f64> = (0..90)
            .map(|row| ((x[row] + z[row] - 2.0 * v[row]) * 1000.0).round() / 1000.0)
            .collect();
        let mut other: Vec<f64> = (0..90).map(|row| x[row] * x[row] + z[row]).collect();
        other[89] += 1.0;
        let flag = |of: usize| (0..90).map(|row| f64::from(u8::from(row % 3 == of))).collect();
        let mut missing = x.clone();
        missing[3] = f64::NAN;
        let columns = [
            ("x", x.clone()),
            ("z", z),
            ("v", v),
            ("sum", sum),
            ("unit", x.iter().map(|x| 32.0 + 1.8 * x).collect()),
            ("a", flag(0)),
            ("b", flag(1)),
            ("c", flag(2)),
            ("other", other),
            ("missing", missing),
            ("constant", vec![1.0; 90]),
        ];
        let columns = columns.map(|(name, values)| Column::numeric(name, values).expect("numbers"));
        let target = Target::regression("y", x).expect("finite");
        Dataset::new(columns.to_vec(), target).expect("consistent")
    }

    #[test]
    fn sums_and_units_are_found_and_flags_are_not() {
        let data = table();
        let names = |set: &Vec<usize>| {
            set.iter().map(|at| data.features().columns()[*at].name()).collect::<Vec<_>>().join(" ")
        };
        // Of x and its other unit, the first one is taken for what follows.
        let found: Vec<String> = identities(&data).iter().map(names).collect();
        assert_eq!(found, ["x z v sum", "x unit"]);
        let note = note_on_identities(&data, 3).expect("a sum");
        assert!(note.contains("its set: (\"x\", \"z\", \"v\", \"sum\"). None"), "{note}");
        // Sets within one group are no matter, nor are those of too few rows.
        let members = ["x", "z", "v", "sum", "unit"].map(str::to_owned).to_vec();
        let grouped = data.clone().with_groups(&[("all".to_owned(), members)]).expect("columns");
        assert_eq!(note_on_identities(&grouped, 2), None);
        let few = data.select(&(0..26).collect::<Vec<_>>()).expect("rows");
        assert!(identities(&few).is_empty());
    }

    /// A sum in all rows of the sample, every second one, but not in the others.
    #[test]
    fn sets_of_a_sample_are_tested_in_all_rows() {
        let mut stream = Stream::new(2, 0, Purpose::Folds);
        let mut drawn = || (0..4000).map(|_| stream.unit()).collect::<Vec<f64>>();
        let (x, z) = (drawn(), drawn());
        let data = |by: f64| {
            let sum =
                (0..4000).map(|row| x[row] + z[row] + by * f64::from(row as u32 % 2)).collect();
            let columns = [("x", x.clone()), ("z", z.clone()), ("sum", sum)];
            let columns =
                columns.map(|(name, values)| Column::numeric(name, values).expect("numbers"));
            let target = Target::regression("y", x.clone()).expect("finite");
            Dataset::new(columns.to_vec(), target).expect("consistent")
        };
        assert_eq!(identities(&data(0.0)), [[0, 1, 2]]);
        assert!(identities(&data(1.0)).is_empty());
    }
}
