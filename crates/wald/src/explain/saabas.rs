//! Saabas's values: what the splits on a row's path add to its prediction.

use crate::error::Error;
use crate::explain::{ExplanationInfo, ExplanationSettings, Local, ToExplain, additive};
use crate::measure::references::{LI_2019, SAABAS_2014};
use crate::shapley::Sharing;

pub(crate) const INFO: ExplanationInfo = ExplanationInfo {
    id: "saabas",
    name: "Saabas's values",
    estimand: "What the splits on a variable add to the prediction for a row: by how much the mean \
               of the in-bag responses changes where the row goes, summed over the splits on its \
               paths and averaged over trees. All values and the mean of the roots add up to the \
               prediction",
    caveat: "Splits near the root are credited for less than splits below them that only became \
             possible there, so that variables of equal effect get unequal values; tree_shap treats \
             them alike",
    source: "Saabas 2014; Li et al. 2019, f of Proposition 1",
    references: &[SAABAS_2014, LI_2019],
    cost: "one pass of the rows through the forest, and the numbers written",
    has_grid: false,
};

pub(super) fn plan<'a>(
    settings: &ExplanationSettings,
    subject: ToExplain<'a>,
) -> Result<Box<dyn Local + 'a>, Error> {
    additive::plan((INFO.id, Sharing::Saabas), settings, subject)
}
