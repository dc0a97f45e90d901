//! What the crates beside the engine build their own work from: threads whose results arrive in
//! order, streams of random numbers, and pieces of measures.

pub use crate::data::{Repeats, repeats, response_variance};
pub use crate::explain::TrainingRows;
pub use crate::measure::definition::verdicts::{Judgement, Row, Validity, Verdicts};
pub use crate::measure::definition::{Facts, Kind, Term};
pub use crate::measure::projection::sobol_first::first_order;
pub use crate::measure::projection::sobol_mda::{jointly, too_large};
pub use crate::measure::projection::total_sobol_regrow::regrown;
pub use crate::measure::{compared_trees, is_comparable, smaller_mtry};
pub use crate::random::{Purpose, Stream, scattered_rows};
pub use crate::table_notes::{
    RowDependence, note_on_predictions, notes_on_forest, row_dependence, slow_variables,
};
pub use crate::threads::ordered;
