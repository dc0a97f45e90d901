//! MDI-oob as printed: Li et al. 2019, Eq. 14.

use crate::error::Error;
use crate::importance::DataUsed;
use crate::measure::definition::references::{LI_2019, Reference};
use crate::measure::definition::{
    ClassMeaning, MeasureDef, MeasureOption, MeasureSettings, Requirement, Scale,
};
use crate::measure::impurity::kernel::node_terms::{self, Formula, Nodes, Rows};
use crate::measure::impurity::mdi_oob::NO_ENTROPY;
use crate::pass::{Plan, Subject};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "mdi_oob_uncentred";
    const NAME: &'static str = "MDI on out-of-bag rows, not centred";
    const ESTIMAND: &'static str = "\
        The mean of the response times the contribution of the splits on a variable to the \
        prediction, on the out-of-bag rows of each tree, averaged over trees";
    const CAVEAT: &'static str = "\
        Depends on the origin of the target: adding a large constant leaves only noise. Use \
        mdi_oob, unless a published table is to be reproduced";
    const SOURCE: &'static str = "Li et al. 2019, Eq. 14 to the letter";
    const REFERENCES: &'static [Reference] = &[LI_2019];
    const UNIT: &'static str = "impurity of the target (variance, or Gini)";
    const SCALE: Scale = Scale::Loss;
    const COST: &'static str = node_terms::COST;
    const DATA: DataUsed = DataUsed::OutOfBag;
    const REQUIREMENTS: &'static [Requirement] = node_terms::REQUIREMENTS;
    const OPTIONS: &'static [MeasureOption] = node_terms::OPTIONS;
    const CLASS_VALUES: ClassMeaning = ClassMeaning::OfProbability;

    fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        node_terms::plan(FORMULA, settings, subject)
    }
}

const FORMULA: Formula = Formula {
    info: &Definition::INFO,
    term,
    weighed_by: Rows::OutOfBag,
    needs_all_children: false,
    reads_impurity: false,
    without_entropy: Some(NO_ENTROPY),
};

fn term(nodes: &Nodes<'_>, node: usize, output: usize) -> f64 {
    let mean = nodes.out_of_bag.weight(node) * nodes.root_mean(output);
    -nodes.in_bag_deviation(node, output) * (nodes.out_of_bag_deviations(node, output) + mean)
}
