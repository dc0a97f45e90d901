//! Shapley values of trees: Lundberg et al. 2020, path-dependent.

use crate::error::Error;
use crate::explain::{
    ExplanationInfo, ExplanationOption, ExplanationSettings, Local, ToExplain, UNITS_OF_PREDICTION,
    additive,
};
use crate::measure::references::{LUNDBERG_2020, YU_2022};
use crate::tree_shap::ShapleyKind;

pub(crate) const INFO: ExplanationInfo = ExplanationInfo {
    id: "tree_shap",
    name: "Shapley values (TreeSHAP, path-dependent)",
    estimand: "How much of the prediction for a row is due to a variable, relative to the \
               expected value: the change of the prediction when the variable becomes known after \
               others, averaged over all orders. At a split on an unknown variable, both branches \
               are averaged, weighted by in-bag rows. All values and the expected value add up to \
               the prediction",
    caveat: "Explains the forest, not the data-generating process: dependent variables share \
             credit, and the averages at splits are neither those of independent nor quite those \
             of dependent variables",
    unit: UNITS_OF_PREDICTION,
    source: "Lundberg et al. 2020, \"path-dependent\"; exact, by quadrature of Linear TreeSHAP's \
             polynomials (Yu et al. 2022)",
    references: &[LUNDBERG_2020, YU_2022],
    cost: "all rows visit all leaves: about a tenth of that of the program shap; less per row for \
           many rows together",
    options: &[ExplanationOption::Variables, ExplanationOption::OutOfBag],
    regression_losses: &[],
    classification_losses: &[],
};

pub(super) fn plan<'a>(
    settings: &ExplanationSettings,
    subject: ToExplain<'a>,
) -> Result<Box<dyn Local + 'a>, Error> {
    additive::plan(INFO.id, ShapleyKind::TreeShap, settings, subject)
}
