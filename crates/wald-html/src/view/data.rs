//! The table behind the report.

use serde::Serialize;
use wald_report::{ColumnKind, ColumnSummary, DataSummary, ReportNotice};

use crate::number;
use crate::view::cell::Cell;

/// Columns shown at once.
const SHOWN: usize = 30;

/// The section on the data.
#[derive(Debug, Serialize)]
pub(super) struct Data<'a> {
    source: &'a str,
    n_rows_read: String,
    n_rows: String,
    n_features: String,
    n_missing: String,
    n_categorical: String,
    all_rows_used: bool,
    target: Column<'a>,
    columns: Vec<Column<'a>>,
    n_shown: usize,
    notices: Vec<Notice<'a>>,
}

/// A notice with the word that the page shows for its kind.
#[derive(Debug, Serialize)]
pub(super) struct Notice<'a> {
    kind: &'a str,
    /// Whether the reader must know it before trusting the ranking.
    grave: bool,
    column: Option<&'a str>,
    message: &'a str,
}

/// One row of the table of columns.
#[derive(Debug, Serialize)]
struct Column<'a> {
    name: &'a str,
    kind: &'static str,
    n_missing: String,
    n_distinct: String,
    minimum: Cell,
    mean: Cell,
    maximum: Cell,
    /// The most frequent levels with their counts.
    levels: Vec<(&'a str, String)>,
}

/// Arranges the section on the data.
pub(super) fn data(data: &DataSummary) -> Data<'_> {
    let categorical =
        |column: &&ColumnSummary| matches!(column.kind, ColumnKind::Categorical { .. });
    Data {
        source: &data.source,
        n_rows_read: number::count(data.n_rows_read as u64),
        n_rows: number::count(data.n_rows as u64),
        n_features: number::count(data.n_features as u64),
        n_missing: number::count(data.n_missing as u64),
        n_categorical: number::count(data.columns.iter().filter(categorical).count() as u64),
        all_rows_used: data.n_rows_read == data.n_rows,
        target: column(&data.target),
        columns: data.columns.iter().map(column).collect(),
        n_shown: SHOWN,
        notices: data.notices.iter().map(notice).collect(),
    }
}

pub(super) fn notice(notice: &ReportNotice) -> Notice<'_> {
    Notice {
        kind: &notice.kind,
        grave: notice.kind == "leak" || notice.kind == "id-like",
        column: notice.column.as_deref(),
        message: &notice.message,
    }
}

fn column(column: &ColumnSummary) -> Column<'_> {
    let (kind, [minimum, mean, maximum], levels) = match &column.kind {
        ColumnKind::Numeric { minimum, mean, maximum } => {
            ("numeric", [*minimum, *mean, *maximum], [].as_slice())
        }
        ColumnKind::Categorical { most_frequent } => {
            ("categorical", [None; 3], most_frequent.as_slice())
        }
    };
    let digits = number::digits_apart([minimum, mean, maximum].into_iter().flatten());
    let shown = |value: Option<f64>| Cell {
        text: value.map(|value| number::with_digits(value, digits)),
        pad: 0,
    };
    // Columns have different units, so there is nothing to align down the table.
    Column {
        name: &column.name,
        kind,
        n_missing: number::count(column.n_missing as u64),
        n_distinct: number::count(column.n_distinct as u64),
        minimum: shown(minimum),
        mean: shown(mean),
        maximum: shown(maximum),
        levels: levels
            .iter()
            .map(|(level, n)| (level.as_str(), number::count(*n as u64)))
            .collect(),
    }
}
