//! What can go wrong.

use thiserror::Error;

use crate::message;
use crate::message::{Message, Neutral, Setting, Wording};

/// Every reason for which the engine refuses to work.
///
/// The display text describes what is wrong and where; [`Error::help`] how to fix it. Both name
/// settings by their identifiers; [`Error::worded`] is for fronts that call them otherwise.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum Error {
    /// The data contradicts itself or cannot be used.
    #[error("{}", what.worded(&Neutral))]
    Data {
        /// What is wrong.
        what: Message,
        /// The column concerned, where there is one.
        column: Option<String>,
        /// How to mend it.
        help: Message,
    },
    /// A setting is outside its range, or two settings exclude each other.
    #[error("{}", what.worded(&Neutral))]
    Setting {
        /// The setting concerned, where it is one.
        setting: Option<Setting>,
        /// What is wrong.
        what: Message,
        /// How to mend it.
        help: Message,
    },
    /// A model or forest file is damaged or not a forest.
    #[error("{}", what.worded(&Neutral))]
    ForestFile {
        /// What is wrong, with the tree and node concerned.
        what: Message,
        /// How to mend it.
        help: Message,
    },
    /// The stored state of earlier work is damaged, or of other work.
    #[error("{}", what.worded(&Neutral))]
    State {
        /// What is wrong.
        what: Message,
        /// How to mend it.
        help: Message,
    },
    /// The measure asked for cannot be computed on this forest and data.
    #[error("measure `{measure}` {}", why.worded(&Neutral))]
    Measure {
        /// Identifier of the measure.
        measure: &'static str,
        /// Why it cannot be computed.
        why: Message,
        /// What to do instead.
        help: Message,
    },
    /// The work would need more memory than is sensible.
    #[error("{}", what.worded(&Neutral))]
    TooLarge {
        /// What would be needed, with the estimate.
        what: Message,
        /// How to make it smaller.
        help: Message,
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

/// An error as a front words it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordedError {
    /// What is wrong and where, without a final full stop.
    pub what: String,
    /// How to mend it, without a final full stop; empty where nothing helps.
    pub help: String,
}

impl Error {
    /// What is wrong, and how to mend it.
    pub fn into_messages(self) -> (Message, Message) {
        match self {
            Self::Data { what, help, .. }
            | Self::Setting { what, help, .. }
            | Self::ForestFile { what, help }
            | Self::State { what, help }
            | Self::TooLarge { what, help } => (what, help),
            Self::Measure { measure, why, help } => {
                (message!("measure `", measure, "` ", why), help)
            }
            Self::Inconsistent { what } => {
                (what.into(), "this is a defect of wald: please report it with the data".into())
            }
            Self::Cancelled => ("interrupted".into(), Message::default()),
        }
    }

    /// How to mend it, as a sentence without a final full stop; empty where nothing helps.
    ///
    /// ```
    /// use wald::Measure;
    ///
    /// let error = "sobolmda".parse::<Measure>().unwrap_err();
    /// assert_eq!(error.to_string(), "there is no measure \"sobolmda\"");
    /// assert_eq!(error.help(), "did you mean `sobol_mda`?");
    /// ```
    pub fn help(&self) -> String {
        self.worded(&Neutral).help
    }

    /// The error in the words of a front.
    pub fn worded(&self, wording: &dyn Wording) -> WordedError {
        let (what, help) = self.clone().into_messages();
        WordedError { what: what.worded(wording), help: help.worded(wording) }
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

    /// The setting the error is about, where it is one.
    pub fn setting(&self) -> Option<Setting> {
        match self {
            Self::Setting { setting, .. } => *setting,
            _ => None,
        }
    }

    /// Data that cannot be used.
    pub fn data(what: impl Into<Message>, help: impl Into<Message>) -> Self {
        Self::Data { what: what.into(), column: None, help: help.into() }
    }

    /// A column whose values cannot be used.
    pub fn column_data(column: &str, what: impl Into<Message>, help: impl Into<Message>) -> Self {
        Self::Data { what: what.into(), column: Some(column.to_owned()), help: help.into() }
    }

    /// A setting that cannot be used.
    pub fn bad_setting(
        setting: impl Into<Option<Setting>>,
        what: impl Into<Message>,
        help: impl Into<Message>,
    ) -> Self {
        Self::Setting { setting: setting.into(), what: what.into(), help: help.into() }
    }

    /// A measure that cannot be computed.
    pub fn measure(
        measure: &'static str,
        why: impl Into<Message>,
        help: impl Into<Message>,
    ) -> Self {
        Self::Measure { measure, why: why.into(), help: help.into() }
    }

    /// Work that would need too much memory or time.
    pub fn too_large(what: impl Into<Message>, help: impl Into<Message>) -> Self {
        Self::TooLarge { what: what.into(), help: help.into() }
    }

    pub(crate) fn state(what: impl Into<Message>, help: impl Into<Message>) -> Self {
        Self::State { what: what.into(), help: help.into() }
    }

    pub(crate) fn forest_file(what: impl Into<Message>, help: impl Into<Message>) -> Self {
        Self::ForestFile { what: what.into(), help: help.into() }
    }
}
