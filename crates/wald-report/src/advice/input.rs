//! What is advised on.

use wald::data::Dataset;
use wald::forest::{ForestConfig, TargetInfo};
use wald::measure::MeasureId;
use wald::message::Wording;
use wald::pass::Measured;

/// What is advised on.
#[derive(Debug, Clone, Copy)]
pub struct AdviceInput<'a> {
    /// The training data; its groups are the variables.
    pub data: &'a Dataset,
    /// What one pass over the forest found: out-of-bag predictions, and any importances (those
    /// that are means over trees show whether there are enough trees).
    pub measured: &'a Measured,
    /// How the forest was grown; `None` for a foreign forest. Forests that are grown for
    /// comparison follow it, or the defaults.
    pub config: Option<&'a ForestConfig>,
    /// The forest's own account of its target, where it was stored: its classes may be in another
    /// order than those of the data.
    pub target: Option<&'a TargetInfo>,
    /// The measures that the forest allows ([`MeasureId::allowed_by`]): others are not advised.
    pub allowed: &'a [MeasureId],
    /// How settings and procedures are worded.
    pub wording: &'a dyn Wording,
}
