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
mod dot_marks;
mod dot_plot;
mod drawing;
mod frame;
mod heat_map;
mod layout;
mod letters;
mod level_names;
mod lines;
mod marks;
mod medium;
mod named_lines;
mod names;
mod position;
mod profile;
mod scale;
mod sheet;
mod stacks;
mod two_ways;
mod waterfall;

pub use bands::BandedPanel;
pub use beeswarm::{Beeswarm, Swarm};
pub use cells::{Cell, Cells, Outline};
pub use curves::selection;
pub(crate) use curves::{convergence, masking};
pub use dependence::dependence;
pub use dot_marks::{Dot, Mark};
pub use dot_plot::{DotKind, DotPanel, DotPlot, Series};
pub use drawing::Drawing;
pub use heat_map::{heat_map, most_mapped};
pub use layout::{Picture, file, panel};
pub use lines::{Band, COLOURS, Chart, Line, Panel, Point};
pub use medium::{Columns, Medium};
pub use named_lines::NamedLines;
pub use profile::curves;
pub(crate) use profile::{curve, distribution};
pub(crate) use scale::Scale;
pub use sheet::Sheet;
pub use stacks::{Part, Stacks};
pub use two_ways::surrogate;
pub(crate) use two_ways::{left_out, two_ways};
pub(crate) use waterfall::digits_of_ends;
pub use waterfall::waterfall;
