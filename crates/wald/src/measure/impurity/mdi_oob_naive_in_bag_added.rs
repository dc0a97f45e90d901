//! Impurity of out-of-bag and in-bag rows together, as the program of Li et al. 2019 has it.

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
    const ID: &'static str = "mdi_oob_naive_in_bag_added";
    const NAME: &'static str = "Naive MDI on out-of-bag rows, in-bag impurity added";
    const ESTIMAND: &'static str = "\
        The decrease in the sum of the in-bag and the out-of-bag impurity by the splits on a \
        variable, weighted by the share of out-of-bag rows at each split, averaged over trees";
    const CAVEAT: &'static str = "\
        As biased as mdi. For comparison, because the published table of naive-oob for regression \
        was computed this way; splits with a child that no out-of-bag row reaches are left out";
    const SOURCE: &'static str = "The program published with Li et al. 2019";
    const REFERENCES: &'static [Reference] = &[LI_2019];
    const UNIT: &'static str = "impurity of the target, twice (variance, Gini, or bits of entropy)";
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
    needs_all_children: true,
    reads_impurity: true,
    without_entropy: None,
};

fn term(nodes: &Nodes<'_>, node: usize, output: usize) -> f64 {
    let both = nodes.out_of_bag_impurity(node, output) + nodes.in_bag_impurity(node, output);
    nodes.out_of_bag.weight(node) * both
}
