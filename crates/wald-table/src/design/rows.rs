//! Which rows take part, and what the columns besides features and target hold.

use wald::data::MISSING_LEVEL;
use wald::{message, setting};

use crate::design::options::{Missing, WeightKind};
use crate::error::{TableError, escape};
use crate::notice::Notice;
use crate::table::{Table, Values, numeral};

/// The rows that a data set keeps.
#[derive(Debug)]
pub(crate) struct Keep {
    rows: Vec<u32>,
    n_rows_read: usize,
    pub(crate) n_without_target: usize,
    pub(crate) n_incomplete: usize,
}

impl Keep {
    /// Keeps rows with a target and, when asked, with all features.
    pub(crate) fn new(target: &Values, features: &[(String, Values)], missing: Missing) -> Self {
        let n_rows_read = target.len();
        let mut rows: Vec<u32> =
            (0..n_rows_read as u32).filter(|&row| !target.is_missing(row as usize)).collect();
        let n_without_target = n_rows_read - rows.len();
        if missing == Missing::Omit {
            for (_, values) in features {
                rows.retain(|&row| !values.is_missing(row as usize));
            }
        }
        let n_incomplete = n_rows_read - n_without_target - rows.len();
        Self { rows, n_rows_read, n_without_target, n_incomplete }
    }

    /// Number of kept rows.
    pub(crate) fn n_kept(&self) -> usize {
        self.rows.len()
    }

    /// The kept rows.
    pub(crate) fn into_rows(self) -> Vec<u32> {
        self.rows
    }

    /// Drops all other rows and the levels that only they had.
    pub(crate) fn apply(&self, values: &mut Values) {
        self.apply_keeping_levels(values);
        if let Values::Text { levels, codes } = values
            && self.rows.len() < self.n_rows_read
        {
            drop_unused(levels, codes);
        }
    }

    /// Drops all other rows, but no level.
    pub(crate) fn apply_keeping_levels(&self, values: &mut Values) {
        if self.rows.len() == self.n_rows_read {
            return;
        }
        match values {
            Values::Numeric { values, .. } => self.compact(values),
            Values::Text { codes, .. } => self.compact(codes),
        }
    }

    fn compact<T: Copy>(&self, values: &mut Vec<T>) {
        for (to, &from) in self.rows.iter().enumerate() {
            values[to] = values[from as usize];
        }
        values.truncate(self.rows.len());
        values.shrink_to_fit();
    }
}

/// Drops levels that no row has; the order of the others stays.
fn drop_unused(levels: &mut Vec<String>, codes: &mut [u32]) {
    let mut is_used = vec![false; levels.len()];
    for &code in codes.iter().filter(|&&code| code != MISSING_LEVEL) {
        is_used[code as usize] = true;
    }
    let mut new_code = vec![0; levels.len()];
    let used = is_used.iter().enumerate().filter(|(_, used)| **used);
    for (next, (code, _)) in (0..).zip(used) {
        new_code[code] = next;
    }
    for code in codes.iter_mut().filter(|code| **code != MISSING_LEVEL) {
        *code = new_code[*code as usize];
    }
    let mut used = is_used.iter();
    levels.retain(|_| used.next().copied().unwrap_or_default());
}

/// Takes the values of a used column out of the table, with its notices.
pub(crate) fn take(
    table: &mut Table,
    index: usize,
    categorical: &[String],
    notices: &mut Vec<Notice>,
) -> Result<Values, TableError> {
    let column = &mut table.columns[index];
    let emptied = Ok(Values::Numeric { values: Vec::new(), integers: false });
    let values = std::mem::replace(&mut column.values, emptied)?;
    notices.append(&mut column.notices);
    Ok(if categorical.contains(&column.name) { as_text(values) } else { values })
}

/// Numbers as levels named by their shortest numerals; text stays as it is.
pub(crate) fn as_text(values: Values) -> Values {
    let Values::Numeric { values, .. } = values else { return values };
    let distinct = distinct_numbers(&values);
    let code = |value: f64| {
        let found = distinct.binary_search_by(|known| known.total_cmp(&(value + 0.0)));
        found.map_or(MISSING_LEVEL, |position| position as u32)
    };
    let codes = values.iter().map(|&value| code(value)).collect();
    Values::Text { levels: distinct.iter().map(|&value| numeral(value)).collect(), codes }
}

/// The different numbers in increasing order, without missing ones; -0 is 0.
pub(crate) fn distinct_numbers(values: &[f64]) -> Vec<f64> {
    let mut distinct: Vec<f64> =
        values.iter().filter(|value| !value.is_nan()).map(|value| value + 0.0).collect();
    distinct.sort_unstable_by(f64::total_cmp);
    distinct.dedup();
    distinct
}

/// Weights of the kept rows.
pub(crate) fn weights(
    table: &mut Table,
    index: usize,
    are: WeightKind,
    keep: &Keep,
) -> Result<Vec<f64>, TableError> {
    let (all, one) = are.words();
    let mut values = take(table, index, &[], &mut Vec::new())?;
    let name = &table.columns[index].name;
    let column = escape(name);
    let refuse = |row: usize, what: &str, help: &str| {
        TableError::data(format!("column \"{column}\" cannot be used as {all}: {what}"), help)
            .file(table.source())
            .at(table.place(row))
            .column(name)
            .value(&values.cell(row))
    };
    let Values::Numeric { values: numbers, .. } = &values else {
        let row = keep.rows.iter().map(|&row| row as usize).find(|&row| !values.is_missing(row));
        let help = format!("{all} are finite numbers, zero or larger");
        return Err(refuse(row.unwrap_or_default(), "it holds text", &help));
    };
    for row in keep.rows.iter().map(|&row| row as usize) {
        if numbers[row].is_nan() {
            return Err(refuse(
                row,
                &format!("a {one} is missing"),
                &format!("give every row a {one}; 0 leaves a row out"),
            ));
        }
        if numbers[row] == f64::MAX {
            return Err(refuse(row, &format!("a {one} is infinite"), "give finite numbers"));
        }
        if numbers[row] < 0.0 {
            return Err(refuse(
                row,
                &format!("a {one} is negative"),
                &format!("{all} are zero or larger"),
            ));
        }
    }
    if keep.rows.iter().all(|&row| numbers[row as usize] == 0.0) {
        return Err(TableError::data(
            format!("all {all} in column \"{column}\" are zero"),
            format!("give at least one row a positive {one}"),
        )
        .file(table.source())
        .column(name));
    }
    keep.apply(&mut values);
    match values {
        Values::Numeric { values, .. } => Ok(values),
        Values::Text { .. } => Ok(Vec::new()),
    }
}

/// Cluster codes of the kept rows.
pub(crate) fn cluster_codes(
    table: &mut Table,
    index: usize,
    keep: &Keep,
) -> Result<Vec<u32>, TableError> {
    let mut values = as_text(take(table, index, &[], &mut Vec::new())?);
    let name = &table.columns[index].name;
    if let Some(&row) = keep.rows.iter().find(|&&row| values.is_missing(row as usize)) {
        return Err(TableError::data(
            format!("a row has no cluster in column \"{}\"", escape(name)),
            "give every row a cluster; a row on its own needs a name of its own",
        )
        .file(table.source())
        .at(table.place(row as usize))
        .column(name));
    }
    keep.apply(&mut values);
    match values {
        Values::Text { codes, .. } => Ok(codes),
        Values::Numeric { .. } => Ok(Vec::new()),
    }
}

/// The error when no row can be used.
pub(crate) fn nothing_left(keep: &Keep, target: &str) -> TableError {
    if keep.n_without_target == keep.n_rows_read {
        return TableError::data(
            format!("the target \"{}\" is missing in all rows", escape(target)),
            "name another target",
        )
        .column(target);
    }
    TableError::data(
        "every row lacks the target or an input variable",
        message!(
            "keep incomplete rows",
            setting::MISSING.word("separate").hint(),
            ", or exclude columns with many missing values"
        ),
    )
}
