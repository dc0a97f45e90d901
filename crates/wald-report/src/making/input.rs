//! What parts are made from.

use wald::data::Dataset;
use wald::forest::{Forest, ForestConfig};
use wald::measure::Measure;
use wald::message::Wording;
use wald::pass::Measured;

/// How much is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Depth {
    /// Everything, also what needs forests grown anew, as far as that takes about as long as the forest
    /// itself.
    #[default]
    Full,
    /// Results for the forest at hand: no forest is grown again.
    Quick,
    /// What matters, and nothing else.
    Answer,
}

/// What parts are made from.
#[derive(Debug, Clone, Copy)]
pub struct PartsInput<'a> {
    /// The data the forest was grown on.
    pub data: &'a Dataset,
    /// Its trees; `None` where they were not kept.
    pub forest: Option<&'a Forest>,
    /// How it was grown; `None` for a foreign forest, which cannot be grown again.
    pub config: Option<&'a ForestConfig>,
    /// What was measured.
    pub measured: &'a Measured,
    /// The measures, in the order of `measured.importances`.
    pub measures: &'a [Measure],
    /// Numbers of the training rows in the user's table, counted from 1.
    pub row_numbers: &'a [u32],
    /// How much is looked at.
    pub depth: Depth,
    /// Whether single rows are explained.
    pub explains: bool,
    /// Seed of the rows that pictures show.
    pub seed: u64,
    /// Bytes of memory that are free; `None` where that is not known.
    pub free: Option<u64>,
    /// How settings and procedures are worded.
    pub wording: &'a dyn Wording,
}
