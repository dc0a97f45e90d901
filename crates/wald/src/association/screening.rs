//! Which variables depend most on the target, in parts of the rows.

use std::borrow::Cow;

use crate::association::cells::NOWHERE;
use crate::association::compared::cells;
use crate::association::independence::independence;
use crate::association::ranks::ranks;
use crate::data::{Column, ColumnData, Dataset, MISSING_LEVEL, Response};
use crate::error::Error;
use crate::run::Run;
use crate::threads::ordered;

/// The columns of a table and its target, made ready for tests in parts of the rows.
#[derive(Debug)]
pub(crate) struct Screening<'a> {
    data: &'a Dataset,
    columns: Vec<Ready<'a>>,
    target: Ready<'a>,
}

/// A column as ranks of its numbers, or as its levels, and as cells of similar size, which show what
/// is not monotone.
type Ready<'a> = (Cow<'a, Column>, Option<Column>);

fn ready(column: &Column, n_rows: usize) -> Result<Ready<'_>, Error> {
    let by_cell = match cells(column, n_rows) {
        None => None,
        Some(cells) => {
            let code = |&code: &u8| if code == NOWHERE { MISSING_LEVEL } else { u32::from(code) };
            let codes = cells.codes.iter().map(code).collect();
            let names = (0..cells.size).map(|cell| cell.to_string()).collect();
            Some(Column::categorical(column.name(), names, codes)?)
        }
    };
    let by_rank = match column.data() {
        ColumnData::Numeric(values) => Cow::Owned(Column::numeric(column.name(), ranks(values))?),
        ColumnData::Categorical(_) => Cow::Borrowed(column),
    };
    Ok((by_rank, by_cell))
}

impl<'a> Screening<'a> {
    /// Ranks and cells are those of all rows; parts are to have about `n_rows` of them.
    /// Cost O(columns * rows * log rows).
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(crate) fn new(data: &'a Dataset, n_rows: usize, run: &Run) -> Result<Self, Error> {
        let columns = data.features().columns();
        let mut all = Vec::with_capacity(columns.len());
        let work = |index: usize, (): &mut ()| ready(&columns[index], n_rows);
        ordered(columns.len(), run, || (), work, |_, column| all.push(column))?;
        let target = data.target();
        let target = match target.response() {
            Response::Regression(values) => Column::numeric(target.name(), values.clone())?,
            Response::Classification(classes) => {
                let (levels, codes) = (classes.levels().to_vec(), classes.codes().to_vec());
                Column::categorical(target.name(), levels, codes)?
            }
            Response::Several(_) => return Err(target.not_one()),
        };
        let (by_rank, by_cell) = ready(&target, n_rows)?;
        let target = (Cow::Owned(by_rank.into_owned()), by_cell);
        Ok(Self { data, columns: all, target })
    }

    /// Whether a variable is among the `most` with the smallest p-values in these rows, or as good as
    /// one of them. The p-value of a column is the smaller one of ranks and of cells, that of a group
    /// the smallest one of its columns. Rows count by their case weights. Cost O(columns * rows).
    pub(crate) fn keep(&self, rows: &[u32], most: usize) -> Vec<bool> {
        let mut weights = vec![0.0; self.data.n_rows()];
        let given = |row: u32| self.data.weights().map_or(1.0, |weights| weights[row as usize]);
        let counted = rows.iter().filter(|row| given(**row) > 0.0).count() as f64;
        let total: f64 = rows.iter().map(|&row| given(row)).sum();
        // So that tests count as many rows as there are.
        rows.iter().for_each(|&row| weights[row as usize] = given(row) * (counted / total));
        let log_p = |one: &Column, other: &Column| {
            independence(one, other, |row| weights[row]).map_or(0.0, |test| test.log_p)
        };
        let mut best = vec![0.0_f64; self.data.groups().n_groups()];
        for ((ranks, cells), &group) in self.columns.iter().zip(self.data.groups().of_column()) {
            let of_group = &mut best[group as usize];
            *of_group = of_group.min(log_p(ranks, &self.target.0));
            if let (Some(cells), Some(target)) = (cells, &self.target.1) {
                *of_group = of_group.min(log_p(cells, target));
            }
        }
        let mut sorted = best.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let last = sorted.get(most.saturating_sub(1)).copied().unwrap_or(0.0);
        best.iter().map(|&log_p| log_p <= last).collect()
    }

    /// About how many bytes it takes: ranks and codes of cells.
    pub(crate) fn bytes(data: &Dataset) -> u64 {
        (data.n_rows() as u64).saturating_mul(data.n_features() as u64).saturating_mul(12)
    }
}
