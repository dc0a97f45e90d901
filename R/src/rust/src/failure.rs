//! Failures as R values, of which `R/R/conditions.R` makes conditions.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use extendr_api::prelude::*;

use crate::wording::{self, Arguments};

/// Why there is no result.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The class of the condition, without its prefix `wald_`.
    class: &'static str,
    pub(crate) what: String,
    pub(crate) help: String,
    column: Option<String>,
    setting: Option<&'static str>,
}

impl Failure {
    /// A refusal of an argument.
    pub(crate) fn argument(name: &'static str, what: String, help: String) -> Self {
        Self { class: "setting_error", what, help, column: None, setting: Some(name) }
    }

    /// A refusal of a name that no measure has.
    pub(crate) fn unknown_measure(what: String, help: String) -> Self {
        Self { class: "measure_error", what, help, column: None, setting: Some("measure") }
    }

    /// A defect of wald.
    pub(crate) fn internal(what: impl Into<String>) -> Self {
        let help = "this is a defect of wald: please report it with the data".to_owned();
        Self { class: "internal_error", what: what.into(), help, column: None, setting: None }
    }

    /// The user interrupted.
    pub(crate) fn interrupted() -> Self {
        let (what, help) = ("interrupted".to_owned(), String::new());
        Self { class: "interrupt", what, help, column: None, setting: None }
    }

    /// R has raised an error during the work, and has printed it, since no handler was there to catch it.
    pub(crate) fn raised() -> Self {
        let what = "R raised an error during the call, which is printed above".to_owned();
        let help = "call again".to_owned();
        Self { class: "session_error", what, help, column: None, setting: None }
    }

    /// What a panic of the engine becomes.
    pub(crate) fn of_panic(panic: &(dyn Any + Send)) -> Self {
        let words = panic.downcast_ref::<String>().map(String::as_str);
        let words = words.or(panic.downcast_ref::<&str>().copied());
        Self::internal(words.unwrap_or("the engine panicked"))
    }

    fn into_robj(self) -> Robj {
        let failure = List::from_names_and_values(
            ["kind", "what", "help", "column", "setting"],
            [
                Robj::from(self.class),
                Robj::from(self.what),
                Robj::from(self.help),
                self.column.map_or(().into(), Robj::from),
                self.setting.map_or(().into(), Robj::from),
            ],
        );
        let mut failure = Robj::from(failure.unwrap_or_default());
        // Without the class, R takes the list for a result, whose parts it then misses.
        let _ = failure.set_class(["wald_failure"]);
        failure
    }
}

impl From<wald::Error> for Failure {
    fn from(error: wald::Error) -> Self {
        let class = match error {
            wald::Error::Data { .. } => "data_error",
            wald::Error::Setting { .. } => "setting_error",
            wald::Error::ForestFile { .. } | wald::Error::State { .. } => "forest_file_error",
            wald::Error::Measure { .. } => "measure_error",
            wald::Error::TooLarge { .. } => "too_large_error",
            wald::Error::Cancelled => return Self::interrupted(),
            _ => "internal_error",
        };
        let wald::WordedError { what, help } = error.worded(&Arguments);
        let column = error.column().map(str::to_owned);
        let setting = error.setting().and_then(wording::argument);
        Self { class, what, help, column, setting }
    }
}

/// What R gets: the result, or the failure. A panic is one, too.
pub(crate) fn answer(work: impl FnOnce() -> Result<Robj, Failure>) -> Robj {
    let done = catch_unwind(AssertUnwindSafe(work));
    let done = done.unwrap_or_else(|panic| Err(Failure::of_panic(&*panic)));
    done.unwrap_or_else(Failure::into_robj)
}
