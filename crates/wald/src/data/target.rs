//! The variable to predict.

use serde::{Deserialize, Serialize};

use crate::data::column::Categories;
use crate::data::outputs::Outputs;
use crate::error::Error;

/// Standard errors and variances of losses are sums of fourth powers, which would overflow for larger deviations.
pub(crate) const LARGEST_TARGET: f64 = 1e70;

/// Fourth powers of smaller deviations would lose their digits, and then become zero.
const SMALLEST_SPREAD: f64 = 1e-70;

/// What kind of target a forest predicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// A number.
    Regression,
    /// One of several classes.
    Classification,
}

/// The variable to predict, with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    name: String,
    response: Response,
}

/// The values of a [`Target`].
#[derive(Debug, Clone, PartialEq)]
pub enum Response {
    /// Finite numbers.
    Regression(Vec<f64>),
    /// Class codes without missing values.
    Classification(Categories),
    /// Several finite numbers for every row.
    Several(Outputs),
}

impl Target {
    /// A numeric target.
    ///
    /// ```
    /// use wald::data::{Target, Task};
    ///
    /// let price = Target::regression("price", vec![10.5, 12.0, 9.9])?;
    /// assert_eq!((price.task(), price.n_outputs()), (Task::Regression, 1));
    /// assert!(Target::regression("price", vec![f64::NAN]).is_err()); // a target is never missing
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Data`] when a value is missing, infinite, or beyond 1e70, or when the values differ by
    /// less than 1e-70: fourth powers, of which standard errors are made, would overflow or vanish.
    pub fn regression(name: impl Into<String>, values: Vec<f64>) -> Result<Self, Error> {
        let name = name.into();
        check_numbers(&name, values.iter().copied())?;
        Ok(Self { name, response: Response::Regression(values) })
    }

    /// A target of classes; `codes` index `classes`.
    ///
    /// ```
    /// use wald::data::{Target, Task};
    ///
    /// let classes = vec!["no".to_owned(), "yes".to_owned()];
    /// let survived = Target::classification("survived", classes, vec![0, 1, 1])?;
    /// assert_eq!((survived.task(), survived.n_outputs()), (Task::Classification, 2));
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Data`] when a code is missing or has no class, or a class is named twice.
    pub fn classification(
        name: impl Into<String>,
        classes: Vec<String>,
        codes: Vec<u32>,
    ) -> Result<Self, Error> {
        let name = name.into();
        if let Some(row) = codes.iter().position(|&code| code as usize >= classes.len()) {
            return Err(Error::column_data(
                &name,
                format!("row {} of the target \"{name}\" has no class", row + 1),
                "remove the rows whose target is missing",
            ));
        }
        let categories = Categories::new(&name, classes, codes)?;
        Ok(Self { name, response: Response::Classification(categories) })
    }

    /// Several targets at once, under one name.
    ///
    /// ```
    /// use wald::data::{Outputs, Target};
    ///
    /// let names = vec!["rent".to_owned(), "size".to_owned()];
    /// let outputs = Outputs::new(names, vec![900.0, 60.0, 1100.0, 75.0], 2)?;
    /// let flat = Target::several("flat", outputs)?;
    /// assert_eq!((flat.len(), flat.n_outputs()), (2, 2));
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Target::regression`], for each output.
    pub fn several(name: impl Into<String>, outputs: Outputs) -> Result<Self, Error> {
        for (output, name) in outputs.names().iter().enumerate() {
            check_numbers(name, outputs.output(output))?;
        }
        Ok(Self { name: name.into(), response: Response::Several(outputs) })
    }

    /// Refuses several targets, where something is of one.
    ///
    /// # Errors
    /// [`Error::Data`] where there are several.
    pub fn check_one(&self) -> Result<(), Error> {
        if self.outputs().is_none() { Ok(()) } else { Err(self.not_one()) }
    }

    /// The refusal of several targets.
    pub fn not_one(&self) -> Error {
        let n_targets = self.outputs().map_or(1, Outputs::n_targets);
        Error::column_data(
            &self.name,
            format!("this is computed of one target, but \"{}\" has {n_targets}", self.name),
            "choose one of the targets; forests of several predict, and have the importances \
             sobol_mda, mdi and those by permutation",
        )
    }

    /// The rows named by `rows`, in that order; all classes stay known.
    #[must_use]
    pub fn select(&self, rows: &[u32]) -> Self {
        let response = match &self.response {
            Response::Regression(values) => {
                Response::Regression(rows.iter().map(|&row| values[row as usize]).collect())
            }
            Response::Classification(classes) => Response::Classification(classes.select(rows)),
            Response::Several(outputs) => Response::Several(outputs.select(rows)),
        };
        Self { name: self.name.clone(), response }
    }

    /// The target's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The values.
    pub fn response(&self) -> &Response {
        &self.response
    }

    /// Regression or classification; several numbers are regression.
    pub fn task(&self) -> Task {
        match self.response {
            Response::Regression(_) | Response::Several(_) => Task::Regression,
            Response::Classification(_) => Task::Classification,
        }
    }

    /// Class names in class order; `None` for regression.
    pub fn classes(&self) -> Option<&[String]> {
        match &self.response {
            Response::Regression(_) | Response::Several(_) => None,
            Response::Classification(categories) => Some(categories.levels()),
        }
    }

    /// The outputs of several targets; `None` for one target.
    pub fn outputs(&self) -> Option<&Outputs> {
        match &self.response {
            Response::Regression(_) | Response::Classification(_) => None,
            Response::Several(outputs) => Some(outputs),
        }
    }

    /// Length of one prediction: 1 for regression, the number of classes or of outputs otherwise.
    pub fn n_outputs(&self) -> usize {
        match &self.response {
            Response::Regression(_) => 1,
            Response::Classification(categories) => categories.levels().len(),
            Response::Several(outputs) => outputs.n_outputs(),
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        match &self.response {
            Response::Regression(values) => values.len(),
            Response::Classification(categories) => categories.codes().len(),
            Response::Several(outputs) => outputs.n_rows(),
        }
    }

    /// True when the target has no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Refuses numbers whose fourth powers have no sum.
fn check_numbers(name: &str, values: impl Iterator<Item = f64> + Clone) -> Result<(), Error> {
    let first =
        |is_wrong: fn(f64) -> bool| values.clone().enumerate().find(|(_, value)| is_wrong(*value));
    if let Some((row, _)) = first(|value| !value.is_finite()) {
        return Err(Error::column_data(
            name,
            format!("row {} of the target \"{name}\" is not a finite number", row + 1),
            "remove the rows whose target is missing or infinite",
        ));
    }
    if let Some((row, value)) = first(|value| value.abs() > LARGEST_TARGET) {
        return Err(Error::column_data(
            name,
            format!(
                "row {} of the target \"{name}\" is {value:e}: standard errors would overflow \
                 beyond {LARGEST_TARGET:e}",
                row + 1
            ),
            "divide the target by a power of ten; importances scale with its square",
        ));
    }
    let largest = values.clone().fold(f64::NEG_INFINITY, f64::max);
    let spread = largest - values.fold(f64::INFINITY, f64::min);
    if spread > 0.0 && spread < SMALLEST_SPREAD {
        return Err(Error::column_data(
            name,
            format!(
                "the values of the target \"{name}\" differ by {spread:e} at most: standard \
                 errors would be lost below {SMALLEST_SPREAD:e}"
            ),
            "multiply the target by a power of ten; importances scale with its square",
        ));
    }
    Ok(())
}
