//! How the in-bag rows of the nodes are kept while a tree grows.

use crate::data::{MISSING_CODE, RankedFeatures};
use crate::forest::position::Position;
use crate::forest::split::{Best, Cut, Scorer};
use crate::forest::tree::Side;

/// Where the rows of a node begin and end among the in-bag rows of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    pub(crate) fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The in-bag rows of a tree, so arranged that those of a node are contiguous.
///
/// All arrangements visit rows in the same order, so that the choice between them changes no
/// bit of the tree.
pub(crate) trait Arrangement {
    type Position: Position;

    /// The positions of a node's rows, increasing.
    fn members(&self, span: Span) -> &[Self::Position];

    /// Fetches from memory what preparing a column will read.
    fn announce(&self, _features: &RankedFeatures, _column: u32) {}

    /// Fetches from memory what searching a column will read.
    fn prepare(&self, _features: &RankedFeatures, _column: u32, _span: Span) {}

    /// Offers all splits of a node on the candidate column of `best`.
    fn search<S: Scorer>(
        &mut self,
        scorer: &mut S,
        features: &RankedFeatures,
        span: Span,
        best: &mut Best,
    );

    /// True when all rows of a node agree on a column.
    fn is_constant(&self, features: &RankedFeatures, column: u32, span: Span) -> bool;

    /// Divides a node by the best split; returns where its right part begins. An arrangement that
    /// moves rows lets the scorer move them as well.
    fn divide<S: Scorer>(
        &mut self,
        scorer: &mut S,
        features: &RankedFeatures,
        span: Span,
        best: &Best,
    ) -> u32;

    /// Completes a division whose children will be searched.
    fn deepen(&mut self, _span: Span, _best: &Best) {}
}

/// An arrangement that a smaller one may take nodes over from.
pub(crate) trait HandOver: Arrangement {
    type Smaller: HandOver<Smaller = Self::Smaller> + Default + Send;

    /// Hands a node over to a smaller arrangement, in which its rows lie close together.
    /// Returns false where that does not pay.
    fn hand_over(&self, features: &RankedFeatures, span: Span, to: &mut Self::Smaller) -> bool;
}

/// Returns whether a row with a code goes to the right of the best split of a column with these
/// codes.
pub(crate) fn goes_right(best: &Best, codes: &[u32]) -> impl Fn(u32) -> bool {
    let missing_right = best.missing != Some(Side::Left);
    let low = match best.cut {
        Cut::Between { low, .. } => codes[low as usize],
        Cut::Levels | Cut::Present | Cut::None => 0,
    };
    move |code| match best.cut {
        Cut::Present | Cut::None => code == MISSING_CODE,
        Cut::Between { .. } | Cut::Levels if code == MISSING_CODE => missing_right,
        Cut::Between { .. } => code > low,
        Cut::Levels => best.levels_left.binary_search(&code).is_err(),
    }
}
