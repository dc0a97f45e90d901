//! How sure importances are.
//!
//! An importance errs for two reasons that are kept apart. *Monte-Carlo* errors come from what was
//! drawn at random (trees, permutations, coalitions) and vanish with more of it; measures report
//! them themselves. *Sampling* errors come from the rows that happen to be in the table: other rows
//! of the same population would give other importances, however many trees there are.
//!
//! [`subsampling`] and [`jackknife`] estimate sampling errors, [`Intervals`] joins both parts, and
//! [`Separation`] is the number of trees that would separate two variables. Three tests ask whether
//! a variable means anything: [`permuted_response`], [`shadow_test`] and [`mirrored_test`].
//! [`Adjustment`] corrects for the number of tests, and [`uncertainty`] does all of it for several
//! measures, which share the forests.
//!
//! [`compare`] tests whether importances differ between two forests or two tables.
//!
//! [`conditional_test`] is a test of another kind: whether a variable adds to what all others explain of
//! the response, by forests that are judged on rows they were not grown on.
//!
//! A report that has its forest measured already adds intervals over samples of rows by
//! [`subsampling`], which takes all measures at once, and [`Sampled::intervals`] of each.

mod adjustment;
mod clusters;
mod comparison;
mod comparison_notes;
mod conditional;
mod error_law;
mod intervals;
mod jackknife;
mod mirrored;
mod observed;
mod output;
mod pairs;
mod permuted_response;
mod scale;
mod separation;
mod shadow;
mod shadow_null;
mod spread;
mod subsampling;
mod test;
mod tested;
mod uncertainty;

pub use adjustment::Adjustment;
pub(crate) use clusters::refuse_clusters;
pub use comparison::{ComparedSide, Comparison, ComparisonConfig, compare};
pub use conditional::{ConditionalConfig, ConditionalMethod, ConditionalTest, conditional_test};
pub use intervals::{Confidence, Interval, Intervals};
pub use jackknife::{jackknife, jackknife_sampled};
pub use mirrored::mirrored_test;
pub use observed::Observed;
pub use permuted_response::{PermutedResponse, permuted_response};
pub use separation::{Separation, separations};
pub use shadow::{ShadowDraws, shadow_test};
pub(crate) use subsampling::units;
pub use subsampling::{Sampled, Subsampling, subsampling};
pub use test::Test;
pub use tested::Tested;
pub use uncertainty::{SamplingErrors, Uncertainty, UncertaintyConfig, uncertainty};
