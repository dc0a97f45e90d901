//! Data sets: named columns, a target, and how rows count.

mod bins;
mod column;
mod dataset;
mod draw_order;
mod features;
mod groups;
mod known_levels;
mod outputs;
mod ranks;
mod repeats;
mod row_codes;
mod shadow_columns;
mod shadows;
mod target;
mod training;
mod truth;
mod variance;
mod weighted_donors;

pub use column::{Categories, Column, ColumnData, MISSING_LEVEL};
pub use dataset::Dataset;
pub use features::Features;
pub use groups::Groups;
pub use known_levels::KnownLevels;
pub use outputs::Outputs;
#[doc(hidden)] // For `work`.
pub use repeats::{Repeats, repeats};
pub(crate) use target::LARGEST_TARGET;
pub use target::{Response, Target, Task};
#[doc(hidden)] // For `work`.
pub use variance::response_variance;

pub(crate) use bins::{Bins, MISSING_BIN, MOST_BINS};
pub(crate) use draw_order::DrawOrder;
pub(crate) use features::check_number_of_rows;
pub(crate) use ranks::{
    Differing, GUIDED, MISSING_CODE, Order, RankedColumn, RankedFeatures, RankedKind, SortingRoom,
    first_where, number_of_bits, order_preserving_bits, sort_by_bits,
};
pub(crate) use row_codes::RowCodes;
pub(crate) use shadows::Shadows;
pub(crate) use training::Training;
#[cfg(test)]
pub(crate) use training::n_rankings;
pub(crate) use truth::{TrainingResponse, Truth};
pub(crate) use variance::{refuse_constant, variance_of};
pub(crate) use weighted_donors::weighted_donors;
