//! How sure importances are.
//!
//! An importance errs for two reasons that are kept apart. *Monte-Carlo* errors come from what was
//! drawn at random (trees, permutations, coalitions) and vanish with more of it; measures report
//! them themselves. *Sampling* errors come from the rows that happen to be in the table: other rows
//! of the same population would give other importances, however many trees there are.
//!
//! [`subsampling`] and [`jackknife`] estimate sampling errors, [`Intervals`] joins both parts, and
//! [`Separation`] says how many trees would tell two variables apart. [`permuted_response`] tests
//! whether a variable means anything, [`Adjustment`] corrects for the number of tests, and
//! [`uncertainty`] does all of it for one measure.

mod adjustment;
mod intervals;
mod jackknife;
mod pairs;
mod permuted_response;
mod separation;
mod spread;
mod subsampling;
mod uncertainty;

pub use adjustment::Adjustment;
pub use intervals::{Confidence, Interval, Intervals};
pub use jackknife::jackknife;
pub use permuted_response::{PermutedResponse, Tested, permuted_response};
pub use separation::{Separation, separations};
pub use subsampling::{Sampled, Subsampling, subsampling};
pub use uncertainty::{Uncertainty, UncertaintyConfig, uncertainty};
