//! An order of the columns that knows rows by what they hold, and not by where they stand.
//!
//! Trees that are grown on all rows draw their variables in this order, so that a table whose rows
//! are repeated gives the forest of one that has them once, with weights, and so that rows of
//! weight zero might as well be absent.
//!
//! Columns are ordered by the set of their values and, where columns share it, by the set of rows
//! that have each value.

use crate::data::ranks::{MISSING_CODE, RankedColumn, RankedFeatures, RankedKind};
use crate::data::truth::{TrainingResponse, Truth};
use crate::random::mixed;
use crate::run::Threads;
use crate::threads::{self};

/// Canonical columns in the order in which trees of all rows know them.
#[derive(Debug, Clone)]
pub(crate) struct DrawOrder {
    /// By canonical column, its place.
    places: Vec<u32>,
}

impl DrawOrder {
    /// Columns are ordered by the set of their values in rows of positive weight. Where that is the
    /// same, as of columns of two levels, the set of rows decides: a row is known by its response,
    /// its share of the weight and its values in all columns, whatever their order. Columns that
    /// even then look alike keep their canonical order. Shadows come after all columns. Cost O(n p),
    /// and O(n log n) where columns share their values.
    pub(crate) fn new(features: &RankedFeatures, truth: &Truth, threads: Threads) -> Self {
        let n_columns = match features.shadows() {
            None => features.n_columns(),
            Some(_) => features.n_columns() / 2,
        };
        let rows: Vec<u32> =
            (0..features.n_rows() as u32).filter(|&row| truth.weight(row) > 0.0).collect();
        let sets: Vec<u64> = threads::map(n_columns, threads, |column| {
            set_of_values(features.column(column as u32), &rows)
        });
        let mut order: Vec<u32> = (0..n_columns as u32).collect();
        order.sort_by_key(|&column| sets[column as usize]);
        let alike: Vec<&mut [u32]> = order
            .chunk_by_mut(|&one, &other| sets[one as usize] == sets[other as usize])
            .filter(|columns| columns.len() > 1)
            .collect();
        if !alike.is_empty() {
            let known = KnownRows::new(features, truth, &rows, &sets);
            for columns in alike {
                let sets = threads::map(columns.len(), threads, |index| {
                    known.set_of_rows(features.column(columns[index]))
                });
                let mut keyed: Vec<(u64, u32)> =
                    sets.into_iter().zip(columns.iter().copied()).collect();
                keyed.sort_unstable();
                columns.iter_mut().zip(keyed).for_each(|(column, (_, sorted))| *column = sorted);
            }
        }
        let mut places: Vec<u32> = (0..features.n_columns() as u32).collect();
        for (place, &column) in (0_u32..).zip(&order) {
            places[column as usize] = place;
        }
        let shadows = features.n_columns() - n_columns;
        for column in 0..shadows {
            places[n_columns + column] = places[column] + n_columns as u32;
        }
        Self { places }
    }

    pub(crate) fn place(&self, column: u32) -> u32 {
        self.places[column as usize]
    }
}

/// Names the set of a column's values in some rows; an order of the values would cost a sort, so
/// that what is added up is a number for each.
fn set_of_values(column: &RankedColumn, rows: &[u32]) -> u64 {
    let mut met = vec![false; column.n_codes() + 1];
    let kind = match column.kind() {
        RankedKind::Ordered(_) => 1,
        RankedKind::Unordered { .. } => 2,
    };
    let mut sum = mixed(kind);
    for &row in rows {
        let code = column.codes()[row as usize];
        let place = (code as usize).min(column.n_codes());
        if !std::mem::replace(&mut met[place], true) {
            sum = sum.wrapping_add(mixed(word(column, code)));
        }
    }
    sum
}

/// What a code stands for, whatever other values the column has.
fn word(column: &RankedColumn, code: u32) -> u64 {
    if code == MISSING_CODE { u64::MAX } else { column.value(code).to_bits() }
}

/// The rows, each with a name that equal ones share, and equal names one after the other.
struct KnownRows {
    names: Vec<(u64, u32)>,
}

impl KnownRows {
    fn new(features: &RankedFeatures, truth: &Truth, rows: &[u32], sets: &[u64]) -> Self {
        let mut sums = vec![0_u64; features.n_rows()];
        for (column, &set) in (0_u32..).zip(sets) {
            let column = features.column(column);
            for &row in rows {
                let value = word(column, column.codes()[row as usize]);
                let sum = &mut sums[row as usize];
                *sum = sum.wrapping_add(mixed(set ^ mixed(value)));
            }
        }
        let response = |row: u32| match truth.response() {
            TrainingResponse::Numbers { values, .. } => values[row as usize].to_bits(),
            TrainingResponse::Classes { codes, .. } => u64::from(codes[row as usize]),
            TrainingResponse::Several(several) => {
                let values = several.row(row as usize).iter().map(|value| value.to_bits());
                values.reduce(|name, bits| mixed(name) ^ bits).unwrap_or(0)
            }
        };
        let mut names: Vec<(u64, u32)> = rows
            .iter()
            .map(|&row| (mixed(sums[row as usize] ^ mixed(response(row))), row))
            .collect();
        names.sort_unstable();
        let total: f64 = rows.iter().map(|&row| truth.weight(row)).sum();
        for equal in names.chunk_by_mut(|one, other| one.0 == other.0) {
            let weight: f64 = equal.iter().map(|&(_, row)| truth.weight(row)).sum();
            // Fewer digits, so that it does not matter in which order weights were summed.
            let share = (weight / total) as f32;
            equal
                .iter_mut()
                .for_each(|(name, _)| *name = mixed(*name ^ u64::from(share.to_bits())));
        }
        Self { names }
    }

    /// Names the set of rows with the column's value in each.
    fn set_of_rows(&self, column: &RankedColumn) -> u64 {
        let mut sum = 0_u64;
        let mut values = Vec::new();
        for equal in self.names.chunk_by(|one, other| one.0 == other.0) {
            // Rows of one name may differ where columns are exchanged.
            values.clear();
            values.extend(equal.iter().map(|&(_, row)| word(column, column.codes()[row as usize])));
            values.sort_unstable();
            values.dedup();
            for &value in &values {
                sum = sum.wrapping_add(mixed(equal[0].0 ^ mixed(value)));
            }
        }
        sum
    }
}
