//! Saabas's values: what the splits on a row's path add to its prediction.

use crate::error::Error;
use crate::explain::along_paths::AlongPaths;
use crate::explain::{
    ExplanationInfo, ExplanationOption, ExplanationSettings, Local, ToExplain, UNITS_OF_PREDICTION,
};
use crate::forest::Forest;
use crate::measure::references::{LI_2019, SAABAS_2014};
use crate::tree_shap::check_adds_up;

pub(crate) const INFO: ExplanationInfo = ExplanationInfo {
    id: "saabas",
    name: "Saabas values",
    estimand: "The contribution of the splits on a variable to the prediction for a row: the \
               change of the mean of the in-bag responses along the path of the row, summed over \
               the splits on its paths and averaged over trees. All values and the mean of the \
               roots add up to the prediction",
    caveat: "Splits near the root get less credit than later splits that they enable, so that \
             variables with equal effects get unequal values; tree_shap treats them equally",
    unit: UNITS_OF_PREDICTION,
    source: "Saabas 2014; Li et al. 2019, f of Proposition 1",
    references: &[SAABAS_2014, LI_2019],
    cost: "one pass of the rows through the forest, and the numbers written",
    options: &[ExplanationOption::Variables, ExplanationOption::OutOfBag],
    regression_losses: &[],
    classification_losses: &[],
};

pub(super) fn plan<'a>(
    settings: &ExplanationSettings,
    subject: ToExplain<'a>,
) -> Result<Box<dyn Local + 'a>, Error> {
    let forest = subject.forest;
    check_adds_up(INFO.id, forest)?;
    let expected = expected_value(forest);
    Ok(Box::new(AlongPaths::adding_up(INFO.id, settings, subject, expected)?))
}

/// The predictions of the roots, as the forest adds them up.
fn expected_value(forest: &Forest) -> Vec<f64> {
    let mut sums = vec![0.0; forest.target().n_outputs()];
    for tree in forest.trees() {
        forest.aggregation().add(tree, 0, &mut sums);
    }
    let divisor = forest.aggregation().divisor(forest.trees().len() as f64);
    sums.iter().map(|sum| sum / divisor).collect()
}
