//! How the predictions of a tree change when it must not use a group of columns.

use crate::measure::kernel::row_sums::Shape;
use crate::parts::numbers::{real, whole};

/// The changes of a tree's out-of-bag predictions, one per row and group where there is any.
#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Changes {
    /// Training rows.
    #[serde(with = "whole")]
    pub(crate) rows: Vec<u32>,
    /// The group that the tree must not know.
    #[serde(with = "whole")]
    pub(crate) groups: Vec<u32>,
    /// The changed prediction minus the ordinary one, `n_outputs` numbers each.
    #[serde(with = "real")]
    pub(crate) amounts: Vec<f64>,
}

impl Changes {
    /// Whether they are of rows and groups that exist.
    pub(crate) fn fits(&self, shape: Shape) -> bool {
        let Shape { n_rows, n_groups, width } = shape;
        self.rows.iter().all(|&row| (row as usize) < n_rows)
            && self.groups.iter().all(|&group| (group as usize) < n_groups)
            && self.groups.len() == self.rows.len()
            && self.amounts.len() == self.rows.len() * width
    }

    /// Notes the change from the ordinary prediction of a row, if there is any.
    pub(crate) fn note(&mut self, row: u32, group: usize, value: &[f64], ordinary: &[f64]) {
        if value != ordinary {
            self.rows.push(row);
            self.groups.push(group as u32);
            self.amounts.extend(value.iter().zip(ordinary).map(|(new, old)| new - old));
        }
    }
}
