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
mod regrown;
mod sampled;
mod selection_curve;
mod sentences;
mod some_rows;
mod steps;
mod terms;
#[cfg(test)]
mod tests;
mod variable_pages;

pub use input::Content;
pub(crate) use input::Making;
pub use parts::Parts;
pub(super) use parts::leading;
pub(crate) use sampled::SampledMeasure;

use crate::making::maker::Maker;
use crate::study::{Depth, Front, Study};
use wald::Error;

impl Parts {
    /// Makes all parts. What needs more memory than is free, takes much longer than growing the forest, or
    /// does not apply, is left out with a notice.
    ///
    /// Cost: [`Depth::Full`] grows forests again, which takes about two to four times as long as growing
    /// and measuring 500 trees; [`Depth::Quick`] measures the forest a few times more.
    ///
    /// # Errors
    /// [`Error::Cancelled`], and [`Error::Inconsistent`] for a defect.
    pub fn make(study: &Study, content: Content<'_>, front: &dyn Front) -> Result<Self, Error> {
        if content.depth == Depth::Importances {
            return Ok(Self::default());
        }
        let run = &front.run().unshared();
        Maker::new(&Making { study, content, front, run, free: front.free() }).make()
    }
}
