//! Checked collections of columns.

use std::collections::{HashMap, HashSet};

use crate::data::column::Column;
use crate::error::Error;

/// Rows are addressed by u32, and `u32::MAX` is kept as a mark.
const MOST_ROWS: usize = u32::MAX as usize - 1;

/// Input variables of equal length and distinct names.
#[derive(Debug, Clone, PartialEq)]
pub struct Features {
    pub(super) columns: Vec<Column>,
    n_rows: usize,
}

impl Features {
    /// Checks that all columns have the same number of rows and a name of their own.
    ///
    /// ```
    /// use wald::Features;
    /// use wald::data::Column;
    ///
    /// let new_rows = Features::new(vec![
    ///     Column::numeric("x1", vec![0.1, 0.9])?,
    ///     Column::numeric("x2", vec![0.5, f64::NAN])?,
    /// ])?;
    /// assert_eq!((new_rows.n_rows(), new_rows.names()), (2, vec!["x1".to_owned(), "x2".to_owned()]));
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Data`] when there is no column or no row, when lengths differ, or when two
    /// columns share a name.
    pub fn new(columns: Vec<Column>) -> Result<Self, Error> {
        let Some(first) = columns.first() else {
            return Err(Error::data(
                "there is no input variable",
                "name at least one column besides the target",
            ));
        };
        let n_rows = first.len();
        if n_rows == 0 {
            return Err(Error::data("the table has no rows", "give at least one row of data"));
        }
        check_number_of_rows(n_rows)?;
        let mut names = HashSet::new();
        for column in &columns {
            if column.len() != n_rows {
                return Err(Error::column_data(
                    column.name(),
                    format!("column \"{}\" has {} rows, not {n_rows}", column.name(), column.len()),
                    "give every column the same number of rows",
                ));
            }
            if !names.insert(column.name()) {
                return Err(Error::column_data(
                    column.name(),
                    format!("two columns are called \"{}\"", column.name()),
                    "rename one of them",
                ));
            }
        }
        Ok(Self { columns, n_rows })
    }

    /// The columns, in the user's order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Number of columns.
    pub fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name() == name)
    }

    /// The columns by their names, for looking up many: [`Self::column`] compares all names for each.
    pub fn by_name(&self) -> HashMap<&str, &Column> {
        self.columns.iter().map(|column| (column.name(), column)).collect()
    }

    /// Column names, in the user's order.
    pub fn names(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.name().to_owned()).collect()
    }
}

/// An error where rows cannot be addressed.
pub(crate) fn check_number_of_rows(n_rows: usize) -> Result<(), Error> {
    if n_rows <= MOST_ROWS {
        return Ok(());
    }
    Err(Error::too_large(
        format!("the table has {n_rows} rows; at most {MOST_ROWS} are possible"),
        "use a sample of the rows",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_cannot_be_addressed_are_refused() {
        assert_eq!(check_number_of_rows(4_294_967_294), Ok(()));
        let refusal = check_number_of_rows(4_294_967_295);
        assert!(
            matches!(refusal, Err(Error::TooLarge { what, .. }) if what.contains("4294967294"))
        );
    }
}
