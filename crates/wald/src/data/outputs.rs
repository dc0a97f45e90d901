//! Several numbers for every row, which a forest predicts together.

use crate::error::Error;

/// Several numbers for every row: the response of a forest that predicts several targets at once.
///
/// A target is one number, or one class. A class is as many outputs as there are classes: 1 for that
/// of the row and 0 for the others, whose variances add up to the Gini impurity.
#[derive(Debug, Clone, PartialEq)]
pub struct Outputs {
    names: Vec<String>,
    /// Row after row.
    values: Vec<f64>,
    n_targets: usize,
}

impl Outputs {
    /// The values of all outputs, row after row. Impurities and errors are sums over outputs, divided
    /// by the number of targets.
    ///
    /// ```
    /// use wald::data::Outputs;
    ///
    /// let names = vec!["rent".to_owned(), "size".to_owned()];
    /// let outputs = Outputs::new(names, vec![900.0, 60.0, 1100.0, 75.0], 2)?;
    /// assert_eq!((outputs.n_rows(), outputs.row(1)), (2, &[1100.0, 75.0][..]));
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Data`] when there is no output, when two share a name, when rows differ in length, or
    /// when the number of targets is not between 1 and that of the outputs.
    pub fn new(names: Vec<String>, values: Vec<f64>, n_targets: usize) -> Result<Self, Error> {
        let n_outputs = names.len();
        if n_outputs == 0 || !values.len().is_multiple_of(n_outputs) {
            return Err(Error::data(
                format!("there are {} values for rows of {n_outputs} outputs", values.len()),
                "give one value of every output for every row",
            ));
        }
        if !(1..=n_outputs).contains(&n_targets) {
            return Err(Error::data(
                format!("{n_targets} targets cannot have {n_outputs} outputs"),
                "give as many outputs as targets, or one for every class of a target",
            ));
        }
        let outputs = Self { names, values, n_targets };
        match outputs.first_double() {
            Some(name) => Err(Error::column_data(
                name,
                format!("two outputs of the target are called \"{name}\""),
                "give every output a name of its own",
            )),
            None => Ok(outputs),
        }
    }

    fn first_double(&self) -> Option<&str> {
        let mut seen = std::collections::HashSet::new();
        self.names.iter().map(String::as_str).find(|name| !seen.insert(*name))
    }

    /// The names of the outputs.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// All values, row after row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The values of a row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.n_outputs()..(row + 1) * self.n_outputs()]
    }

    /// The values of an output, one for every row.
    pub fn output(&self, output: usize) -> impl Iterator<Item = f64> + Clone {
        self.values.iter().skip(output).step_by(self.n_outputs()).copied()
    }

    /// Number of values of a row.
    pub fn n_outputs(&self) -> usize {
        self.names.len()
    }

    /// Number of targets, of which each is one output or, for classes, several.
    pub fn n_targets(&self) -> usize {
        self.n_targets
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.values.len() / self.n_outputs()
    }

    /// The rows named by `rows`, in that order.
    pub(crate) fn select(&self, rows: &[u32]) -> Self {
        let values = rows.iter().flat_map(|&row| self.row(row as usize)).copied().collect();
        Self { names: self.names.clone(), values, n_targets: self.n_targets }
    }
}
