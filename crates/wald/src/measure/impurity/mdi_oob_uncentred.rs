//! MDI-oob as printed: Li et al. 2019, Eq. 14.

use crate::error::Error;
use crate::importance::DataUsed;
use crate::measure::impurity::kernel::node_terms::{self, Formula, Nodes, Rows};
use crate::measure::impurity::mdi_oob::NO_ENTROPY;
use crate::measure::references::LI_2019;
use crate::measure::{Effort, MeasureInfo, MeasureOption, MeasureSettings, Needs, Scale, Subject};
use crate::pass::Plan;

pub(crate) const INFO: MeasureInfo = MeasureInfo {
    id: "mdi_oob_uncentred",
    name: "MDI on out-of-bag rows, not centred",
    estimand: "The mean of the response times what the splits on a variable add to the prediction, \
               on the out-of-bag rows of each tree, averaged over trees",
    caveat: "Depends on where the target has its zero: adding a large constant leaves nothing but \
             noise. Use mdi_oob, unless a published table is to be reproduced",
    source: "Li et al. 2019, Eq. 14 to the letter",
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

fn term(nodes: &Nodes<'_>, node: usize, output: usize) -> f64 {
    let mean = nodes.out_of_bag.weight(node) * nodes.root_mean(output);
    -nodes.in_bag_deviation(node, output) * (nodes.out_of_bag_deviations(node, output) + mean)
}
