//! Which variables depend most on the target, in parts of the rows.

use crate::association::compared::{Ready, compared, ready_for, within};
use crate::data::{Column, Dataset, Response};
use crate::error::Error;
use crate::run::Run;
use crate::threads::ordered;

/// The columns of a table and its target, made ready for comparison in parts of the rows.
#[derive(Debug)]
pub(crate) struct Screening {
    columns: Vec<Ready>,
    target: Ready,
    /// The variable of every column.
    group_of: Vec<u32>,
    n_groups: usize,
}

impl Screening {
    /// Ranks and cells are those of all rows; parts are to have about `n_rows` of them.
    /// Cost O(columns * rows * log rows).
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(crate) fn new(data: &Dataset, n_rows: usize, run: &Run) -> Result<Self, Error> {
        let columns = data.features().columns();
        let mut ready = Vec::with_capacity(columns.len());
        let work = |index: usize, (): &mut ()| Ok(ready_for(&columns[index], n_rows));
        ordered(columns.len(), run, || (), work, |_, column| ready.push(column))?;
        let target = data.target();
        let target = match target.response() {
            Response::Regression(values) => Column::numeric(target.name(), values.clone())?,
            Response::Classification(classes) => {
                let (levels, codes) = (classes.levels().to_vec(), classes.codes().to_vec());
                Column::categorical(target.name(), levels, codes)?
            }
        };
        Ok(Self {
            columns: ready,
            target: ready_for(&target, n_rows),
            group_of: data.groups().of_column().to_vec(),
            n_groups: data.groups().n_groups(),
        })
    }

    /// Whether a variable is among the `most` with the smallest p-values in these rows, or as small as
    /// one of them. That of a group is the smallest of its columns. Cost O(columns * rows).
    pub(crate) fn keep(&self, rows: &[u32], most: usize) -> Vec<bool> {
        let target = within(&self.target, rows);
        let mut log_p = vec![0.0_f64; self.n_groups];
        for (column, &group) in self.columns.iter().zip(&self.group_of) {
            let found = compared(&within(column, rows), &target);
            let of_group = &mut log_p[group as usize];
            *of_group = of_group.min(found.map_or(0.0, |found| found.log_p));
        }
        let mut sorted = log_p.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let last = sorted.get(most.saturating_sub(1)).copied().unwrap_or(0.0);
        log_p.iter().map(|&log_p| log_p <= last).collect()
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(data: &Dataset) -> u64 {
        (data.n_rows() as u64).saturating_mul(data.n_features() as u64).saturating_mul(9)
    }
}
