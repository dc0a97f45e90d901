//! MDI-oob, centred: Li et al. 2019, Eq. 14.

use crate::error::Error;
use crate::importance::DataUsed;
use crate::measure::impurity::kernel::node_terms::{self, Formula, Nodes, Rows};
use crate::measure::references::LI_2019;
use crate::measure::{Effort, MeasureInfo, MeasureOption, MeasureSettings, Needs, Scale, Subject};
use crate::pass::Plan;

pub(crate) const INFO: MeasureInfo = MeasureInfo {
    id: "mdi_oob",
    name: "MDI on out-of-bag rows (MDI-oob)",
    estimand: "What mean decrease in impurity would be without the gain from chance: the \
               covariance of the response with what the splits on a variable add to the \
               prediction, on the out-of-bag rows of each tree, averaged over trees (on in-bag \
               rows it is exactly mdi). Responses are counted from the in-bag mean of the tree, so \
               that adding a constant to the target changes nothing",
    caveat: "Shares credit arbitrarily between dependent variables; values of variables that mean \
             nothing scatter around zero, so that half of them are negative",
    source: "Li et al. 2019, Proposition 1 and Eq. 14, responses centred",
    references: &[LI_2019],
    unit: "impurity of the target (variance, or Gini)",
    scale: Scale::Loss,
    cost: "free beside any measure of out-of-bag rows: O(out-of-bag rows + nodes * classes) per \
           tree",
    effort: Effort::Pass,
    data: DataUsed::OutOfBag,
    small_is_important: false,
    needs: &[Needs::OutOfBagRows, Needs::NodeStatistics],
    regression_losses: &[],
    classification_losses: &[],
    normalisations: &[],
    options: &[MeasureOption::PerClass],
};

const FORMULA: Formula = Formula {
    info: &INFO,
    term,
    weighed_by: Rows::OutOfBag,
    asks_all_children: false,
    without_entropy: Some(NO_ENTROPY),
};

pub(crate) fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
    node_terms::plan(FORMULA, settings, subject)
}

/// Why [`term`] has no like for entropy.
pub(crate) const NO_ENTROPY: &str = "where a leaf met only one class in bag, an out-of-bag row of \
                                     another class would be an infinite surprise";

/// A child's in-bag mean minus its parent's is what the split adds to predictions; times what the
/// out-of-bag responses of the child sum to, it is the split's part of Eq. 14.
fn term(nodes: &Nodes<'_>, node: usize, output: usize) -> f64 {
    -nodes.in_bag_deviation(node, output) * nodes.out_of_bag_deviations(node, output)
}
