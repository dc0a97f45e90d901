//! Parts of a report beside rankings. A part that was not asked for, or that cannot be determined
//! for a forest, is missing.

mod dependence_map;
mod disagreement;
mod selection_curve;
mod variable_page;

pub use dependence_map::{DependenceMap, Merge};
pub use disagreement::{
    Decomposition, Disagreement, MaskingPoint, Overfitting, Partner, VariableDisagreement,
};
pub use selection_curve::{SelectionCurve, SelectionPoint};
pub use variable_page::{Curve, CurvePlaces, Distribution, VariablePage};
