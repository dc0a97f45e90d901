//! What can go wrong, in the user's words.

use thiserror::Error;

/// Every reason for which the engine refuses to work.
///
/// The display text describes what is wrong and where; [`Error::help`] how to fix it.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum Error {
    /// The data contradicts itself or cannot be used.
    #[error("{what}")]
    Data {
        /// What is wrong.
        what: String,
        /// The column concerned, where there is one.
        column: Option<String>,
        /// How to mend it.
        help: String,
    },
    /// A setting is outside its range, or two settings exclude each other.
    #[error("{what}")]
    Setting {
        /// What is wrong.
        what: String,
        /// How to mend it.
        help: String,
    },
    /// A model or forest file is damaged or not a forest.
    #[error("{what}")]
    ForestFile {
        /// What is wrong, with the tree and node concerned.
        what: String,
        /// How to mend it.
        help: String,
    },
    /// The stored state of earlier work is damaged, or of other work.
    #[error("{what}")]
    State {
        /// What is wrong.
        what: String,
        /// How to mend it.
        help: String,
    },
    /// The measure asked for cannot be computed on this forest and data.
    #[error("measure `{measure}` {why}")]
    Measure {
        /// Identifier of the measure.
        measure: &'static str,
        /// Why it cannot be computed.
        why: String,
        /// What to do instead.
        help: String,
    },
    /// The work would need more memory than is sensible.
    #[error("{what}")]
    TooLarge {
        /// What would be needed, with the estimate.
        what: String,
        /// How to make it smaller.
        help: String,
    },
    /// Numbers that must agree do not: a defect of the program, not of the data.
    #[error("{what}")]
    Inconsistent {
        /// What does not agree.
        what: String,
    },
    /// The caller asked to stop.
    #[error("interrupted")]
    Cancelled,
}

impl Error {
    /// How to mend it, as a sentence without a final full stop; empty where nothing helps.
    ///
    /// ```
    /// use wald::Measure;
    ///
    /// let error = "sobolmda".parse::<Measure>().unwrap_err();
    /// assert_eq!(error.to_string(), "there is no measure \"sobolmda\"");
    /// assert_eq!(error.help(), "did you mean `sobol_mda`?");
    /// ```
    pub fn help(&self) -> &str {
        match self {
            Self::Data { help, .. }
            | Self::Setting { help, .. }
            | Self::ForestFile { help, .. }
            | Self::State { help, .. }
            | Self::Measure { help, .. }
            | Self::TooLarge { help, .. } => help,
            Self::Inconsistent { .. } => "this is a defect of wald: please report it with the data",
            Self::Cancelled => "",
        }
    }

    /// The column the error is about, where there is one.
    ///
    /// ```
    /// use wald::data::Column;
    ///
    /// let error = Column::numeric("age", vec![1.0, f64::INFINITY]).unwrap_err();
    /// assert_eq!(error.to_string(), "row 2 of column \"age\" is infinite");
    /// assert_eq!(error.column(), Some("age"));
    /// ```
    pub fn column(&self) -> Option<&str> {
        match self {
            Self::Data { column, .. } => column.as_deref(),
            _ => None,
        }
    }

    pub(crate) fn data(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Data { what: what.into(), column: None, help: help.into() }
    }

    /// A column whose values cannot be used.
    pub fn column_data(column: &str, what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Data { what: what.into(), column: Some(column.to_owned()), help: help.into() }
    }

    /// A setting that cannot be used.
    pub fn setting(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Setting { what: what.into(), help: help.into() }
    }

    pub(crate) fn state(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::State { what: what.into(), help: help.into() }
    }

    pub(crate) fn forest_file(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::ForestFile { what: what.into(), help: help.into() }
    }
}
