//! Inputs as numbers: rows of tables, and points of the process.

use wald::data::{Column, ColumnData, MISSING_LEVEL};
use wald::{Error, Features, message, setting};

/// What the inputs of the runs are, and how a process sees them: numbers as they are, of a
/// categorical input one indicator for every level.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Inputs {
    names: Vec<String>,
    kinds: Vec<Kind>,
}

/// The values of an input.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    Number,
    Levels(Vec<String>),
}

/// Rows of inputs: numbers, and codes of levels.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rows {
    n_inputs: usize,
    values: Vec<f64>,
}

impl Rows {
    pub(crate) fn new(n_inputs: usize, values: Vec<f64>) -> Self {
        Self { n_inputs, values }
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len() / self.n_inputs.max(1)
    }

    pub(crate) fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.n_inputs..][..self.n_inputs]
    }

    pub(crate) fn select(&self, rows: impl IntoIterator<Item = usize>) -> Self {
        let values = rows.into_iter().flat_map(|row| self.row(row).iter().copied());
        Self::new(self.n_inputs, values.collect())
    }

    /// How many inputs have several values.
    pub(crate) fn n_varying(&self) -> usize {
        let varies = |&input: &usize| {
            let mut values = self.column(input);
            values.next().is_some_and(|first| values.any(|value| value != first))
        };
        (0..self.n_inputs).filter(varies).count()
    }

    pub(crate) fn column(&self, input: usize) -> impl Iterator<Item = f64> + '_ {
        self.values.iter().skip(input).step_by(self.n_inputs.max(1)).copied()
    }
}

impl Inputs {
    pub(crate) fn of(features: &Features) -> Self {
        let kind = |column: &Column| match column.data() {
            ColumnData::Numeric(_) => Kind::Number,
            ColumnData::Categorical(categories) => Kind::Levels(categories.levels().to_vec()),
        };
        Self { names: features.names(), kinds: features.columns().iter().map(kind).collect() }
    }

    pub(crate) fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Reads the columns of these inputs, which may be among others, in any order.
    ///
    /// # Errors
    /// [`Error::Data`] when a column or a level is not among them, or a value is missing.
    pub(crate) fn rows(&self, features: &Features) -> Result<Rows, Error> {
        let columns: Vec<Vec<f64>> = self
            .names
            .iter()
            .zip(&self.kinds)
            .map(|(name, kind)| kind.read(name, features))
            .collect::<Result<_, _>>()?;
        let mut values = Vec::with_capacity(features.n_rows() * columns.len());
        for row in 0..features.n_rows() {
            values.extend(columns.iter().map(|column| column[row]));
        }
        Ok(Rows::new(columns.len(), values))
    }

    /// The rows as columns of a table.
    pub(crate) fn features(&self, rows: &Rows) -> Result<Features, Error> {
        let column = |(input, (name, kind)): (usize, (&String, &Kind))| match kind {
            Kind::Number => Column::numeric(name, rows.column(input).collect()),
            Kind::Levels(levels) => {
                let codes = rows.column(input).map(|code| code as u32).collect();
                Column::categorical(name, levels.clone(), codes)
            }
        };
        let named = self.names.iter().zip(&self.kinds).enumerate();
        Features::new(named.map(column).collect::<Result<_, _>>()?)
    }

    /// Columns of a process for these rows.
    pub(crate) fn columns(&self, rows: &Rows) -> Vec<Vec<f64>> {
        let mut columns = Vec::new();
        for (input, kind) in self.kinds.iter().enumerate() {
            match kind {
                Kind::Number => columns.push(rows.column(input).collect()),
                Kind::Levels(levels) => columns.extend((0..levels.len()).map(|level| {
                    let is_level = |code| f64::from(u8::from(code == level as f64));
                    rows.column(input).map(is_level).collect()
                })),
            }
        }
        columns
    }

    /// The point of a process for a row, in the place of what `point` holds.
    pub(crate) fn point(&self, row: &[f64], point: &mut Vec<f64>) {
        point.clear();
        for (value, kind) in row.iter().zip(&self.kinds) {
            match kind {
                Kind::Number => point.push(*value),
                Kind::Levels(levels) => point.extend(
                    (0..levels.len()).map(|level| f64::from(u8::from(*value == level as f64))),
                ),
            }
        }
    }
}

impl Kind {
    fn read(&self, name: &str, features: &Features) -> Result<Vec<f64>, Error> {
        let Some(column) = features.column(name) else {
            return Err(Error::data(
                format!("the inputs have no column \"{name}\", which is an input of the runs"),
                "give a table with a column for every input of the runs",
            ));
        };
        if column.n_missing() > 0 {
            return Err(Error::data(
                format!(
                    "column \"{name}\" has {}: a Gaussian process needs the value of every input",
                    wald::words::counted(column.n_missing(), "missing value")
                ),
                message!(
                    "leave out such rows",
                    setting::MISSING.word("omit").hint(),
                    ", or put in values"
                ),
            ));
        }
        match (self, column.data()) {
            (Self::Number, ColumnData::Numeric(values)) => Ok(values.to_vec()),
            (Self::Levels(levels), ColumnData::Categorical(categories)) => {
                let codes = codes_of(categories.levels(), levels);
                let code = |code: &u32| {
                    let known = codes.get(*code as usize).copied().flatten();
                    known.filter(|_| *code != MISSING_LEVEL).ok_or_else(|| {
                        Error::data(
                            format!("column \"{name}\" has a level that no run has"),
                            "leave out these rows, or run the model with this level",
                        )
                    })
                };
                categories.codes().iter().map(code).collect()
            }
            _ => Err(Error::data(
                format!("column \"{name}\" is a number in one table and categorical in the other"),
                "give both tables the same kind of column",
            )),
        }
    }
}

/// For every level its code among the levels of the runs.
fn codes_of(levels: &[String], of_runs: &[String]) -> Vec<Option<f64>> {
    let code = |level: &String| of_runs.iter().position(|other| other == level);
    levels.iter().map(|level| code(level).map(|code| code as f64)).collect()
}
