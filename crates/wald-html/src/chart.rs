//! Charts as SVG that stands alone: a grid of panels, each with axes, and lines with bars of spread
//! and reference lines, or stacked bars.
//!
//! Text stays text, and equal numbers give an equal file.

mod axis;
mod bands;
mod beeswarm;
mod cells;
mod curves;
mod dependence;
mod drawing;
mod frame;
mod heat_map;
mod layout;
mod lines;
mod marks;
mod position;
mod profile;
mod scale;
mod stacks;
mod two_ways;
mod waterfall;

pub use bands::BandedPanel;
pub use beeswarm::{Beeswarm, Swarm};
pub use cells::{Cell, Cells, Outline};
pub(crate) use curves::{convergence, masking, selection};
pub use dependence::dependence;
pub use drawing::Drawing;
pub(crate) use heat_map::heat_map;
pub use layout::{Picture, file};
pub use lines::{Band, COLOURS, Chart, Line, Panel, Point};
pub(crate) use profile::{curve, distribution};
pub(crate) use scale::Scale;
pub use stacks::{Part, Stacks};
pub use two_ways::surrogate;
pub(crate) use two_ways::{left_out, two_ways};
pub use waterfall::waterfall;
