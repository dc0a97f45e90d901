//! What a measure states of itself, and what users set.

mod apart;
mod choices;
mod errors_over;
mod measure_def;
mod memory_facts;
mod part;
pub mod references;
pub(in crate::measure) mod requirement;
pub(in crate::measure) mod settings;
pub(crate) mod verdicts;

pub use choices::{ClassMeaning, Normalise, Permutations, RowAggregate};
pub use measure_def::{CostClass, Facts, Kind, MeasureInfo, Scale, Term};
pub(crate) use measure_def::{MeasureDef, OverTrees};
pub(crate) use memory_facts::{Copies, KeptAltered, TreeShape};
pub use part::Part;
pub use references::Reference;
pub use requirement::Requirement;
pub(crate) use requirement::{check_means, check_one_target, check_shares};
pub use settings::{MeasureOption, MeasureSettings};
pub(crate) use settings::{check_background, check_loss, not_offered};
