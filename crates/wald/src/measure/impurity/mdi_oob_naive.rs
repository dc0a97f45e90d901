//! Mean decrease in the impurity of out-of-bag rows: Li et al. 2019, section 3.2.

use crate::error::Error;
use crate::importance::DataUsed;
use crate::measure::impurity::kernel::node_terms::{self, Formula, Nodes, Rows};
use crate::measure::references::LI_2019;
use crate::measure::{Effort, MeasureInfo, MeasureOption, MeasureSettings, Needs, Scale, Subject};
use crate::pass::Plan;

pub(crate) const INFO: MeasureInfo = MeasureInfo {
    id: "mdi_oob_naive",
    name: "MDI of out-of-bag rows, naively",
    estimand: "How much impurity of the out-of-bag rows the splits on a variable remove, weighted \
               by the share of out-of-bag rows at each split, averaged over trees",
    caveat: "Nearly as biased as mdi: dividing rows at random removes impurity, too. Here to be \
             compared with mdi_oob, which is not",
    source: "Li et al. 2019, section 3.2 (there: naive-oob)",
    references: &[LI_2019],
    unit: "impurity of the target (variance, Gini, or bits of entropy)",
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
    without_entropy: None,
};

pub(crate) fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
    node_terms::plan(FORMULA, settings, subject)
}

fn term(nodes: &Nodes<'_>, node: usize, output: usize) -> f64 {
    nodes.out_of_bag.weight(node) * nodes.out_of_bag_impurity(node, output)
}
