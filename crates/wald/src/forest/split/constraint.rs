//! Which divisions the trends of variables allow: the values of both sides are in the right order, and
//! within the bounds that the splits above have set (as in scikit-learn, which lets splits on variables
//! without a trend break the bounds, and moves values; here nodes hold means of their rows).
//!
//! Scorers check this last, for divisions that would be the best so far: growing without trends costs nothing
//! per division.

use crate::forest::split::scorer::TIE;
use crate::forest::trends::{Bounds, Trend};

/// What a division must keep to; by default nothing.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Constraint {
    /// Whether anything is refused.
    binds: bool,
    low: f64,
    high: f64,
    /// 1 where the right side may not be lower, -1 where it may not be higher, else 0.
    sign: f64,
    /// Values that are no further apart differ by rounding only.
    slack: f64,
}

impl Constraint {
    /// Looks at a node with these bounds, in values counted from `centre`, and at a variable with this
    /// trend. `spread` is how far values of the node are from its centre.
    pub(super) fn new(bounds: Bounds, trend: Option<Trend>, centre: f64, spread: f64) -> Self {
        let slack = TIE * (centre.abs() + spread);
        let sign = match trend {
            Some(Trend::Increasing) => 1.0,
            Some(Trend::Decreasing) => -1.0,
            None => 0.0,
        };
        let (low, high) = (bounds.low - centre - slack, bounds.high - centre + slack);
        Self { binds: trend.is_some() || bounds != Bounds::NONE, low, high, sign, slack }
    }

    /// Whether anything is refused.
    #[inline]
    pub(super) fn binds(&self) -> bool {
        self.binds
    }

    /// Whether two sides with these values may be made.
    pub(super) fn allows(&self, sides: impl FnOnce() -> [f64; 2]) -> bool {
        if !self.binds {
            return true;
        }
        let [left, right] = sides();
        (left - right) * self.sign <= self.slack && self.holds([left, right])
    }

    /// The same where the sides are not smaller and larger values of the variable, but present and
    /// missing ones.
    pub(super) fn allows_unordered(&self, sides: impl FnOnce() -> [f64; 2]) -> bool {
        !self.binds || self.holds(sides())
    }

    fn holds(&self, sides: [f64; 2]) -> bool {
        sides.iter().all(|side| self.low <= *side && *side <= self.high)
    }
}
