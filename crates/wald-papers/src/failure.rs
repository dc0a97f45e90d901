//! Why a command cannot run.

use std::fmt;
use wald::message::Neutral;

/// What is wrong and how to mend it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) exit_code: u8,
    pub(crate) what: String,
    /// Empty where nothing helps.
    pub(crate) help: String,
}

impl Failure {
    /// The options contradict each other.
    pub(crate) fn usage(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self { exit_code: 2, what: what.into(), help: help.into() }
    }

    /// The result cannot be written.
    pub(crate) fn output(error: &dyn fmt::Display) -> Self {
        Self {
            exit_code: 5,
            what: format!("cannot write the result: {error}"),
            help: String::new(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "error: {}", self.what)?;
        if self.help.is_empty() { Ok(()) } else { write!(formatter, "\n  help: {}", self.help) }
    }
}

impl From<wald::Error> for Failure {
    fn from(error: wald::Error) -> Self {
        let exit_code = match error {
            wald::Error::Data { .. } => 3,
            wald::Error::TooLarge { .. } => 6,
            wald::Error::Cancelled => 130,
            _ => 2,
        };
        Self { exit_code, what: error.to_string(), help: error.help() }
    }
}

impl From<wald_table::TableError> for Failure {
    fn from(error: wald_table::TableError) -> Self {
        let file = error.file.as_deref().unwrap_or("the table");
        Self {
            exit_code: error.class.exit_code(),
            what: format!("{file}: {error}"),
            help: error.help.worded(&Neutral),
        }
    }
}
