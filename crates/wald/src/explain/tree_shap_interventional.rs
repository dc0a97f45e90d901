//! Shapley values of trees against background rows: Lundberg et al. 2020, interventional.

use crate::error::Error;
use crate::explain::{
    ExplanationInfo, ExplanationOption, ExplanationSettings, Local, ToExplain, UNITS_OF_PREDICTION,
    additive,
};
use crate::measure::references::LUNDBERG_2020;
use crate::tree_shap::ShapleyKind;

pub(crate) const INFO: ExplanationInfo = ExplanationInfo {
    id: "tree_shap_interventional",
    name: "Shapley values (TreeSHAP, interventional)",
    estimand: "How much of the difference between the prediction for a row and the mean \
               prediction for background rows is due to a variable: the change of the prediction \
               when the value of the background row is replaced by that of the row, after those \
               of others, averaged over all orders and background rows. All values and the \
               expected value, the mean prediction for the background rows, add up to the \
               prediction",
    caveat: "With dependent variables, the forest predicts combinations of two rows that may not \
             occur. A variable without splits has the value 0, however much it depends on others; \
             depends on the background: the rows of `background`, or 100 training rows drawn at \
             random",
    unit: UNITS_OF_PREDICTION,
    source: "Lundberg et al. 2020, \"interventional\"; exact",
    references: &[LUNDBERG_2020],
    cost: "grows with the rows and leaves that a background row shares, times the number of \
           background rows at most; less per row for many rows together",
    options: &[
        ExplanationOption::Variables,
        ExplanationOption::Background,
        ExplanationOption::BackgroundRows,
        ExplanationOption::Seed,
    ],
    regression_losses: &[],
    classification_losses: &[],
};

pub(super) fn plan<'a>(
    settings: &ExplanationSettings,
    subject: ToExplain<'a>,
) -> Result<Box<dyn Local + 'a>, Error> {
    additive::plan(INFO.id, ShapleyKind::Interventional, settings, subject)
}
