//! Mean decrease in the impurity of out-of-bag rows: Li et al. 2019, section 3.2.

use crate::error::Error;
use crate::importance::DataUsed;
use crate::measure::definition::references::{LI_2019, Reference};
use crate::measure::definition::{
    ClassMeaning, MeasureDef, MeasureOption, MeasureSettings, Requirement, Scale,
};
use crate::measure::impurity::kernel::node_terms::{self, Formula, Nodes, Rows};
use crate::pass::{Plan, Subject};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "mdi_oob_naive";
    const NAME: &'static str = "Naive MDI on out-of-bag rows";
    const ESTIMAND: &'static str = "\
        The decrease in impurity of the out-of-bag rows by the splits on a variable, weighted by \
        the share of out-of-bag rows at each split, averaged over trees";
    const CAVEAT: &'static str = "\
        Nearly as biased as mdi: random splits also reduce impurity. For comparison with mdi_oob, \
        which is not biased";
    const SOURCE: &'static str = "Li et al. 2019, section 3.2 (there: naive-oob)";
    const REFERENCES: &'static [Reference] = &[LI_2019];
    const UNIT: &'static str = "impurity of the target (variance, Gini, or bits of entropy)";
    const SCALE: Scale = Scale::Loss;
    const COST: &'static str = node_terms::COST;
    const DATA: DataUsed = DataUsed::OutOfBag;
    const REQUIREMENTS: &'static [Requirement] = node_terms::REQUIREMENTS;
    const OPTIONS: &'static [MeasureOption] = node_terms::OPTIONS;
    const CLASS_VALUES: ClassMeaning = ClassMeaning::OfProbability;
    const FAVOURS_MANY_VALUES: bool = true;

    fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        node_terms::plan(FORMULA, settings, subject)
    }
}

const FORMULA: Formula = Formula {
    info: &Definition::INFO,
    term,
    weighed_by: Rows::OutOfBag,
    needs_all_children: false,
    reads_impurity: true,
    without_entropy: None,
};

fn term(nodes: &Nodes<'_>, node: usize, output: usize) -> f64 {
    nodes.out_of_bag.weight(node) * nodes.out_of_bag_impurity(node, output)
}
