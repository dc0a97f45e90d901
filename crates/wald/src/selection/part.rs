//! The parts of the rows that variables are eliminated on.

use serde::{Deserialize, Serialize};

use crate::random::{Purpose, Stream};

/// Which rows variables are eliminated on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Part {
    /// All but those of one fold of one repetition.
    Fold { repeat: u32, fold: u32 },
    /// All rows.
    AllRows,
}

impl Part {
    /// A seed for a step, of its own.
    pub(super) fn seed(self, seed: u64, step: usize) -> u64 {
        let (repeat, fold) = match self {
            Self::Fold { repeat, fold } => (repeat, fold),
            Self::AllRows => (0, u32::MAX),
        };
        let purpose = Purpose::Selection { fold, step: step as u32 };
        Stream::new(seed, repeat as usize, purpose).word()
    }
}
