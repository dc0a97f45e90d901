//! Arguments of Python's by their names, and refusals that name them.

use pyo3::conversion::FromPyObjectOwned;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};

use crate::errors::{self, About};

/// A refusal of an argument, given by its name.
pub(crate) fn refuse(py: Python<'_>, name: &str, what: &str, help: &str) -> PyErr {
    let about = About { setting: Some(name), ..About::default() };
    errors::make(py, "SettingError", [what, help], about)
}

pub(crate) fn one_of(known: &[&str]) -> String {
    let quoted: Vec<String> = known.iter().map(|word| format!("{word:?}")).collect();
    format!("give one of {}", quoted.join(", "))
}

/// A type of arguments.
pub(crate) trait Argument: for<'py> FromPyObjectOwned<'py> {
    /// What to give.
    const HELP: &str;
    /// Whether True and False are values of it.
    const HAS_FLAGS: bool = false;
}

impl Argument for bool {
    const HELP: &str = "give True or False";
    const HAS_FLAGS: bool = true;
}

impl Argument for f64 {
    const HELP: &str = "give a number";
}

impl Argument for String {
    const HELP: &str = "give a text";
}

impl Argument for u64 {
    const HELP: &str = "give a whole number of at least 0";
}

impl Argument for usize {
    const HELP: &str = "give a whole number of at least 0";
}

/// An argument by its name.
pub(crate) fn required<T: Argument>(given: &Bound<'_, PyDict>, name: &str) -> PyResult<T> {
    argument(name, &given.as_any().get_item(name)?)
}

/// An argument by its name, unless it is None.
pub(crate) fn optional<T: Argument>(given: &Bound<'_, PyDict>, name: &str) -> PyResult<Option<T>> {
    let value = given.as_any().get_item(name)?;
    (!value.is_none()).then(|| argument(name, &value)).transpose()
}

/// The value of an argument; one of another type is refused.
pub(crate) fn argument<T: Argument>(name: &str, given: &Bound<'_, PyAny>) -> PyResult<T> {
    part(name, name, given)
}

/// A value in an argument, of which it is the part called `what`.
pub(crate) fn part<T: Argument>(name: &str, what: &str, given: &Bound<'_, PyAny>) -> PyResult<T> {
    let is_flag = given.is_instance_of::<PyBool>();
    let value = if is_flag && !T::HAS_FLAGS { None } else { given.extract().ok() };
    value.ok_or_else(|| no_value_of(name, what, given, T::HELP))
}

/// The refusal of a value.
pub(crate) fn no_value(name: &str, given: &Bound<'_, PyAny>, help: &str) -> PyErr {
    no_value_of(name, name, given, help)
}

/// The refusal of a value in an argument: `what` is a part of it, such as one of its names.
fn no_value_of(name: &str, what: &str, given: &Bound<'_, PyAny>, help: &str) -> PyErr {
    let shown = given.repr().map_or_else(|_| String::new(), |text| text.to_string());
    refuse(given.py(), name, &format!("{what} is {shown}"), help)
}

/// Names, of any kind of list.
pub(crate) fn names(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    names_of(name, name, given)
}

/// Names in an argument, of which the list is a part called `what`.
pub(crate) fn names_of(name: &str, what: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let is_list = !given.is_instance_of::<PyString>() && !given.is_instance_of::<PyDict>();
    let Some(listed) = given.try_iter().ok().filter(|_| is_list) else {
        return Err(no_value_of(name, what, given, "give a list of names of columns"));
    };
    listed.map(|one| part(name, &format!("a name in {what}"), &one?)).collect()
}
