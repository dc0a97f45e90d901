//! Why a part is missing.

use wald::Error;
use wald::message::{Message, Wording};

/// Why a part cannot be made, or need not be.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum LeftOut {
    /// In words that follow a colon.
    Because(Message),
    /// The engine refused.
    Refused(Error),
}

impl LeftOut {
    pub(super) fn because(why: impl Into<Message>) -> Self {
        Self::Because(why.into())
    }

    /// The notice, after words such as `the selection is left out`; an error where all work must
    /// end.
    pub(super) fn notice(self, missing: &str, wording: &dyn Wording) -> Result<String, Error> {
        match self {
            Self::Because(why) => Ok(format!("{missing}: {}", why.worded(wording))),
            Self::Refused(error @ (Error::Cancelled | Error::Inconsistent { .. })) => Err(error),
            Self::Refused(Error::Measure { measure, why, .. }) => {
                Ok(format!("{missing}: `{measure}` {}", why.worded(wording)))
            }
            Self::Refused(error) => Ok(format!("{missing}: {}", error.worded(wording).what)),
        }
    }
}

impl From<Error> for LeftOut {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}
