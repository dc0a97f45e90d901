//! One input variable: numeric, or categorical with named levels.

use std::sync::Arc;

use crate::error::Error;

/// The code of a missing value in [`Categories`].
pub const MISSING_LEVEL: u32 = u32::MAX;

/// A named input variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    name: String,
    data: ColumnData,
}

/// The values of a [`Column`].
#[derive(Debug, Clone, PartialEq)]
pub enum ColumnData {
    /// Finite numbers; NaN marks a missing value.
    Numeric(Arc<Vec<f64>>),
    /// Unordered levels.
    Categorical(Categories),
}

/// Values of an unordered variable, as codes into a list of distinct level names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Categories {
    /// Shared by all selections of rows.
    levels: Arc<Vec<String>>,
    codes: Vec<u32>,
}

impl Column {
    /// A numeric variable; NaN marks a missing value, and -0 becomes 0.
    ///
    /// ```
    /// use wald::data::Column;
    ///
    /// let age = Column::numeric("age", vec![41.0, f64::NAN, 17.5])?;
    /// assert_eq!((age.len(), age.n_missing()), (3, 1));
    /// assert!(Column::numeric("age", vec![f64::INFINITY]).is_err());
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Data`] when a value is infinite.
    pub fn numeric(name: impl Into<String>, mut values: Vec<f64>) -> Result<Self, Error> {
        let name = name.into();
        if let Some(row) = values.iter().position(|value| value.is_infinite()) {
            return Err(Error::column_data(
                &name,
                format!("row {} of column \"{name}\" is infinite", row + 1),
                "replace infinite values by finite or missing ones",
            ));
        }
        for value in &mut values {
            // Adding zero turns -0 into 0, so that equal numbers have equal bits.
            *value += 0.0;
        }
        Ok(Self { name, data: ColumnData::Numeric(Arc::new(values)) })
    }

    /// A categorical variable; `codes` index `levels`, [`MISSING_LEVEL`] marks a missing value.
    ///
    /// ```
    /// use wald::data::{Column, MISSING_LEVEL};
    ///
    /// let levels = vec!["red".to_owned(), "green".to_owned()];
    /// let colour = Column::categorical("colour", levels, vec![1, 0, MISSING_LEVEL, 1])?;
    /// assert_eq!((colour.len(), colour.n_missing()), (4, 1));
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Data`] when a code has no level or two levels have the same name.
    pub fn categorical(
        name: impl Into<String>,
        levels: Vec<String>,
        codes: Vec<u32>,
    ) -> Result<Self, Error> {
        let name = name.into();
        let categories = Categories::new(&name, levels, codes)?;
        Ok(Self { name, data: ColumnData::Categorical(categories) })
    }

    /// True when names and cells are equal; missing cells equal each other.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let is_same = match (&self.data, &other.data) {
            (ColumnData::Numeric(one), ColumnData::Numeric(other)) => {
                let is_equal =
                    |(one, other): (&f64, &f64)| one == other || (one.is_nan() && other.is_nan());
                one.len() == other.len() && one.iter().zip(other.iter()).all(is_equal)
            }
            (one, other) => one == other,
        };
        is_same && self.name == other.name
    }

    /// The variable's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The values.
    pub fn data(&self) -> &ColumnData {
        &self.data
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        match &self.data {
            ColumnData::Numeric(values) => values.len(),
            ColumnData::Categorical(categories) => categories.codes.len(),
        }
    }

    /// True when the column has no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of missing values.
    pub fn n_missing(&self) -> usize {
        match &self.data {
            ColumnData::Numeric(values) => values.iter().filter(|value| value.is_nan()).count(),
            ColumnData::Categorical(categories) => {
                categories.codes.iter().filter(|&&code| code == MISSING_LEVEL).count()
            }
        }
    }

    /// Whether all cells are equal, missing ones included.
    pub(crate) fn is_constant(&self) -> bool {
        match &self.data {
            ColumnData::Numeric(values) => {
                values.iter().all(|value| value.to_bits() == values[0].to_bits())
            }
            ColumnData::Categorical(categories) => {
                categories.codes.iter().all(|code| *code == categories.codes[0])
            }
        }
    }

    /// Number of levels; 0 for numbers.
    pub(crate) fn n_levels(&self) -> u32 {
        match &self.data {
            ColumnData::Numeric(_) => 0,
            ColumnData::Categorical(categories) => categories.levels.len() as u32,
        }
    }

    /// The rows named by `rows`, in that order.
    #[must_use]
    pub fn select(&self, rows: &[u32]) -> Self {
        let data = match &self.data {
            ColumnData::Numeric(values) => {
                let values = rows.iter().map(|&row| values[row as usize]).collect();
                ColumnData::Numeric(Arc::new(values))
            }
            ColumnData::Categorical(categories) => ColumnData::Categorical(categories.select(rows)),
        };
        Self { name: self.name.clone(), data }
    }

    /// The same cells under another name.
    #[must_use]
    pub(crate) fn named(self, name: String) -> Self {
        Self { name, ..self }
    }
}

impl Categories {
    pub(crate) fn new(name: &str, levels: Vec<String>, codes: Vec<u32>) -> Result<Self, Error> {
        let mut sorted: Vec<&String> = levels.iter().collect();
        sorted.sort_unstable();
        let mut neighbours = sorted.iter().zip(sorted.iter().skip(1));
        if let Some((level, _)) = neighbours.find(|(a, b)| a == b) {
            return Err(Error::column_data(
                name,
                format!("column \"{name}\" names the level \"{level}\" twice"),
                "give every level a name of its own",
            ));
        }
        let known = |code: u32| code == MISSING_LEVEL || (code as usize) < levels.len();
        if let Some(row) = codes.iter().position(|&code| !known(code)) {
            return Err(Error::column_data(
                name,
                format!("row {} of column \"{name}\" has a code without a level", row + 1),
                "give every code a level",
            ));
        }
        Ok(Self { levels: Arc::new(levels), codes })
    }

    pub(crate) fn select(&self, rows: &[u32]) -> Self {
        Self {
            levels: Arc::clone(&self.levels),
            codes: rows.iter().map(|&row| self.codes[row as usize]).collect(),
        }
    }

    /// Level names, indexed by code.
    pub fn levels(&self) -> &[String] {
        &self.levels
    }

    /// One code per row; [`MISSING_LEVEL`] where the value is missing.
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// The name of the level in every row; empty where the value is missing.
    pub(crate) fn texts(&self) -> impl Iterator<Item = Option<&str>> {
        self.codes.iter().map(|&code| self.levels.get(code as usize).map(String::as_str))
    }
}
