//! Impurity of out-of-bag and in-bag rows together, as the program of Li et al. 2019 has it.

use crate::error::Error;
use crate::importance::DataUsed;
use crate::measure::impurity::kernel::node_terms::{self, Formula, Nodes, Rows};
use crate::measure::references::LI_2019;
use crate::measure::{Effort, MeasureInfo, MeasureOption, MeasureSettings, Needs, Scale, Subject};
use crate::pass::Plan;

pub(crate) const INFO: MeasureInfo = MeasureInfo {
    id: "mdi_oob_naive_in_bag_added",
    name: "MDI of out-of-bag rows, naively, in-bag impurity added",
    estimand: "How much the sum of the in-bag and the out-of-bag impurity falls at the splits on a \
               variable, weighted by the share of out-of-bag rows at each split, averaged over \
               trees",
    caveat: "As biased as mdi. Here because the published table of naive-oob for numbers was \
             computed so; splits with a child that no out-of-bag row reaches are left out",
    source: "The program published with Li et al. 2019",
    references: &[LI_2019],
    unit: "impurity of the target, twice (variance, Gini, or bits of entropy)",
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
    asks_all_children: true,
    without_entropy: None,
};

pub(crate) fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
    node_terms::plan(FORMULA, settings, subject)
}

fn term(nodes: &Nodes<'_>, node: usize, output: usize) -> f64 {
    let both = nodes.out_of_bag_impurity(node, output) + nodes.in_bag_impurity(node, output);
    nodes.out_of_bag.weight(node) * both
}
