//! Shapley interactions of trees: Lundberg et al. 2020, path-dependent.

use crate::error::Error;
use crate::explain::{
    ExplanationInfo, ExplanationOption, ExplanationSettings, Local, ToExplain, UNITS_OF_PREDICTION,
    additive,
};
use crate::measure::references::{LUNDBERG_2020, YU_2022};
use crate::tree_shap::ShapleyKind;

pub(crate) const INFO: ExplanationInfo = ExplanationInfo {
    id: "tree_shap_interactions",
    name: "Shapley interactions (TreeSHAP, path-dependent)",
    estimand: "The joint contribution of two variables to the prediction for a row beyond those \
               of each alone: half of their Shapley interaction index for each order of the pair; \
               for a variable with itself, the remainder of its tree_shap value. A row of the \
               table adds up to that value, and the whole table to the prediction minus the \
               expected value",
    caveat: "As tree_shap. If three variables act only jointly, every pair gets a third",
    unit: UNITS_OF_PREDICTION,
    source: "Lundberg et al. 2020, SHAP interaction values, \"path-dependent\"; exact, by \
             quadrature of Linear TreeSHAP's polynomials (Yu et al. 2022)",
    references: &[LUNDBERG_2020, YU_2022],
    cost: "three to five times that of tree_shap, more where paths split on more variables",
    options: &[ExplanationOption::Variables, ExplanationOption::OutOfBag],
    regression_losses: &[],
    classification_losses: &[],
};

pub(super) fn plan<'a>(
    settings: &ExplanationSettings,
    subject: ToExplain<'a>,
) -> Result<Box<dyn Local + 'a>, Error> {
    additive::plan(INFO.id, ShapleyKind::Interactions, settings, subject)
}
