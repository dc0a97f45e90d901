//! The parts of a report beside rankings: one after the other, each as far as data and forest allow.

mod all_measured;
mod answer;
mod budget;
mod compared;
mod dependence_map;
mod disagreement;
mod distribution;
mod input;
mod left_out;
mod maker;
mod masked;
mod orders;
mod partners;
mod parts;
mod pieces;
mod sampled;
mod selection_curve;
mod sentences;
mod steps;
mod terms;
#[cfg(test)]
mod tests;
mod variable_pages;

pub use input::{Depth, PartsInput};
pub use parts::Parts;
pub(super) use parts::leading;

use crate::making::maker::Maker;
use wald::Error;
use wald::Run;

impl Parts {
    /// Makes all parts. What needs more memory than is free, takes much longer than growing the forest, or
    /// does not apply, is left out with a notice. `watch` is called for every part with what is done, in
    /// words, and the work, which it must do.
    ///
    /// Cost: [`Depth::Full`] grows forests again, which takes about two to four times as long as growing
    /// and measuring 500 trees; [`Depth::Quick`] measures the forest a few times more.
    ///
    /// # Errors
    /// [`Error::Cancelled`], and [`Error::Inconsistent`] for a defect.
    pub fn make(
        input: &PartsInput<'_>,
        run: &Run,
        watch: impl FnMut(&'static str, &mut (dyn FnMut() + Send)),
    ) -> Result<Self, Error> {
        Maker::new(input, run, watch).make()
    }
}
