//! Working memory, and the nodes that it serves.

use crate::forest::grow::arrangement::Span;
use crate::forest::grow::direct::branching::{Branching, Found};
use crate::forest::grow::direct::candidates::Candidates;
use crate::forest::grow::direct::present::Present;
use crate::forest::grow::direct::random_division::{Drawn, RandomDivision};
use crate::forest::grow::direct::rows::{Asked, Rows};
use crate::forest::split::{self, ByChild};
use crate::forest::trends::Bounds;
use crate::random::NodeKey;

/// Working memory that does not depend on the kind of scorer.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) candidates: Candidates,
    pub(super) division: RandomDivision,
    pub(super) branching: Branching,
    pub(super) conditional: Conditional,
    pub(super) best: Best,
    /// Rows whose cells a shadow shows.
    pub(super) seen: Vec<u32>,
    pub(super) pending: Vec<Pending>,
    pub(super) by_child: ByChild,
    pub(super) value: Vec<f64>,
}

/// The best division of a node so far.
#[derive(Debug, Default)]
pub(super) struct Best {
    pub(super) column: Option<u32>,
    pub(super) score: f64,
    pub(super) drawn: Drawn,
    pub(super) found: Found,
}

/// A node that waits for its split.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pending {
    pub(super) node: u32,
    pub(super) span: Span,
    pub(super) depth: u32,
    pub(super) draws: f64,
    pub(super) key: NodeKey,
    pub(super) bounds: Bounds,
}

/// Where the rows of nodes are read.
pub(super) struct Place<'a, S> {
    pub(super) rows: &'a mut Rows,
    /// By column.
    pub(super) table: &'a [Asked<'a>],
    pub(super) scorer: &'a mut S,
}

/// Memory of conditional inference trees: the tests of the node looked at last.
#[derive(Debug, Default)]
pub(super) struct Conditional {
    /// By variable tested: the column, and the logarithm of its p-value.
    pub(super) tests: Vec<(u32, f64)>,
    pub(super) present: Present,
    pub(super) best: split::Best,
}
