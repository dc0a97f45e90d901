//! Sutera, Louppe, Huynh-Thu, Wehenkel & Geurts (2021): global and local MDI, and when they are
//! Shapley values.

mod correlations;
mod forests;
mod global;
mod local;
mod other_measures;
mod scores;
mod shapes;

pub(crate) use correlations::run as figure_2;
pub(crate) use forests::Forests;
pub(crate) use global::run as figure_1;
pub(crate) use local::run as figure_3;
pub(crate) use other_measures::run as appendix_d;
