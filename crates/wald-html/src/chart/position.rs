//! Points of a picture, in its units: x to the right, y downwards.

/// A point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Position {
    pub(super) x: f64,
    pub(super) y: f64,
}

pub(super) const fn at(x: f64, y: f64) -> Position {
    Position { x, y }
}

/// The two ends of a stretch along one axis; the second may be the smaller number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) start: f64,
    pub(super) end: f64,
}

pub(super) const fn between(start: f64, end: f64) -> Span {
    Span { start, end }
}
