//! Shapley interactions of trees: Lundberg et al. 2020, path-dependent.

use crate::error::Error;
use crate::explain::{ExplanationInfo, ExplanationSettings, Local, ToExplain, additive};
use crate::measure::references::{LUNDBERG_2020, YU_2022};
use crate::shapley::Sharing;

pub(crate) const INFO: ExplanationInfo = ExplanationInfo {
    id: "tree_shap_interactions",
    name: "Shapley interactions (TreeSHAP, path-dependent)",
    estimand: "What two variables add to the prediction for a row together that neither adds \
               alone: half of their Shapley interaction index for each order of the pair; for a \
               variable with itself, what is left of its value of tree_shap. A row of the table \
               adds up to that value, and all of it to the prediction minus the expected value",
    caveat: "As tree_shap. Of three variables that only act together, every pair gets a third",
    source: "Lundberg et al. 2020, SHAP interaction values, \"path-dependent\"; exact, by \
             quadrature of Linear TreeSHAP's polynomials (Yu et al. 2022)",
    references: &[LUNDBERG_2020, YU_2022],
    cost: "three to five times that of tree_shap, more where paths split on more variables",
    has_grid: false,
    has_background: false,
    regression_losses: &[],
    classification_losses: &[],
};

pub(super) fn plan<'a>(
    settings: &ExplanationSettings,
    subject: ToExplain<'a>,
) -> Result<Box<dyn Local + 'a>, Error> {
    additive::plan((INFO.id, Sharing::Interactions), settings, subject)
}
