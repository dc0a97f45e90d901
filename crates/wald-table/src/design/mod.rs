//! From a table to a data set: which column plays which part, and which rows take part.

mod data_frame;
mod formula;
mod likely;
mod options;
mod quality;
mod roles;
mod rows;
mod target;

use std::sync::Arc;

use wald::data::Column;
use wald::words::counted;

use crate::error::{ErrorClass, TableError, escape};
use crate::notice::{Notice, NoticeKind};
use crate::table::{Table, Values};

pub use data_frame::remarks_on;
pub use likely::{LikelyTarget, likely_targets};
pub use options::{DesignOptions, Missing, WeightKind};
pub(crate) use roles::{find, unknown_column};
pub(crate) use rows::{Keep, as_text, cluster_codes, weights};

/// A data set with what happened on the way.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// The data set.
    pub dataset: Arc<wald::Dataset>,
    /// Remarks about the columns used.
    pub notices: Vec<Notice>,
    /// Rows of the table.
    pub n_rows_read: usize,
    /// Rows dropped because the target is missing.
    pub n_without_target: usize,
    /// Rows dropped because an input variable is missing ([`Missing::Omit`]).
    pub n_incomplete: usize,
    /// The rows of the table (from 0) that the data set holds, in order.
    pub rows: Vec<u32>,
}

/// Turns a table into a data set, moving its columns.
///
/// # Errors
/// When a column does not exist, cannot be used, or does not fit its part; see [`TableError`].
pub fn prepare(mut table: Table, options: &DesignOptions) -> Result<Prepared, TableError> {
    let source = table.source.clone();
    prepare_table(&mut table, options).map_err(|error| located(error, &source))
}

/// Every error names the file.
pub(crate) fn located(error: TableError, source: &str) -> TableError {
    if error.file.is_some() || error.class == ErrorClass::Usage {
        return error;
    }
    error.file(source)
}

fn prepare_table(table: &mut Table, options: &DesignOptions) -> Result<Prepared, TableError> {
    let roles = roles::assign(table, options)?;
    let mut notices = Vec::new();
    let mut target = rows::take(table, roles.target, &options.categorical, &mut notices)?;
    let mut features = Vec::with_capacity(roles.features.len());
    for &index in &roles.features {
        let values = rows::take(table, index, &options.categorical, &mut notices)?;
        features.push((table.columns[index].name.clone(), values));
    }
    let n_rows_read = table.n_rows;
    let keep = Keep::new(&target, &features, options.missing);
    if keep.n_kept() == 0 {
        return Err(rows::nothing_left(&keep, &table.columns[roles.target].name));
    }
    let are = options.weights_are;
    let weights = roles.weights.map(|index| weights(table, index, are, &keep)).transpose()?;
    let clusters = roles.cluster.map(|index| cluster_codes(table, index, &keep)).transpose()?;
    keep.apply(&mut target);
    for (_, values) in &mut features {
        keep.apply(values);
    }
    notices.extend(dropped(&keep, &table.columns[roles.target].name));
    let target = target::build(table, roles.target, target, options, &mut notices)?;
    quality::inspect(&features, &target, &mut notices);
    let columns = features
        .into_iter()
        .map(|(name, values)| column(name, values))
        .collect::<Result<_, _>>()?;
    let mut dataset = wald::Dataset::new(columns, target)?;
    if let Some(weights) = weights {
        dataset = dataset.with_weights(weights)?;
    }
    if let Some(clusters) = clusters {
        dataset = dataset.with_clusters(clusters)?;
    }
    Ok(Prepared {
        dataset: Arc::new(dataset),
        notices,
        n_rows_read,
        n_without_target: keep.n_without_target,
        n_incomplete: keep.n_incomplete,
        rows: keep.into_rows(),
    })
}

/// An input variable.
pub(crate) fn column(name: String, values: Values) -> Result<Column, TableError> {
    let column = match values {
        Values::Numeric { values, .. } => Column::numeric(name, values)?,
        Values::Text { levels, codes } => Column::categorical(name, levels, codes)?,
    };
    Ok(column)
}

/// Remarks on dropped rows.
pub(crate) fn dropped(keep: &Keep, target: &str) -> Vec<Notice> {
    let mut notices = Vec::new();
    if keep.n_without_target > 0 {
        let message = format!(
            "{} dropped because the target \"{}\" is missing",
            counted(keep.n_without_target, "row"),
            escape(target)
        );
        notices.push(Notice::new(NoticeKind::RowsDropped, Some(target), message));
    }
    if keep.n_incomplete > 0 {
        let message = format!(
            "{} dropped because an input variable is missing",
            counted(keep.n_incomplete, "row")
        );
        notices.push(Notice::new(NoticeKind::RowsDropped, None, message));
    }
    notices
}
