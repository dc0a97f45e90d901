//! Unbiased feature importance: Zhou & Hooker 2021.

use crate::error::Error;
use crate::forest::Impurity;
use crate::importance::DataUsed;
use crate::measure::definition::references::{LI_2019, Reference, ZHOU_2021};
use crate::measure::definition::verdicts::Verdicts;
use crate::measure::definition::{
    ClassMeaning, MeasureDef, MeasureOption, MeasureSettings, Requirement, Scale,
};
use crate::measure::impurity::kernel::node_terms::{self, Formula, Nodes, Rows};
use crate::measure::impurity::mdi_oob;
use crate::measure::impurity::mdi_oob::NO_ENTROPY;
use crate::pass::{Plan, Subject};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "ufi";
    const NAME: &'static str = "Unbiased feature importance (UFI)";
    const ESTIMAND: &'static str = "\
        Mean decrease in an impurity that compares in-bag with out-of-bag rows, so that there is \
        no gain by chance: for classification the probability that an in-bag and an out-of-bag row \
        of the node differ; for regression the mean squared difference of two such rows, which is \
        twice the variance. Nodes have their in-bag weights";
    const CAVEAT: &'static str = "\
        For regression it is about twice mdi_oob. Splits with a child that no out-of-bag row \
        reaches are left out. Shares credit arbitrarily between dependent variables";
    const SOURCE: &'static str = "Zhou & Hooker 2021, with the conventions of their program";
    const REFERENCES: &'static [Reference] = &[LI_2019, ZHOU_2021];
    const UNIT: &'static str = "impurity of the target (Gini; for numbers, twice a variance)";
    const SCALE: Scale = Scale::Loss;
    const COST: &'static str = node_terms::COST;
    const DATA: DataUsed = DataUsed::OutOfBag;
    const REQUIREMENTS: &'static [Requirement] = node_terms::REQUIREMENTS;
    const OPTIONS: &'static [MeasureOption] = node_terms::OPTIONS;
    const CLASS_VALUES: ClassMeaning = ClassMeaning::OfProbability;
    const HAS_LIMIT_WHERE_ADDITIVE: bool = true;
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 15, row: &mdi_oob::ROW });

    fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        node_terms::plan(FORMULA, settings, subject)
    }
}

const FORMULA: Formula = Formula {
    info: &Definition::INFO,
    term,
    weighed_by: Rows::InBag,
    needs_all_children: true,
    reads_impurity: true,
    without_entropy: Some(NO_ENTROPY),
};

/// The mean squared difference of an in-bag and an out-of-bag row is both variances plus the
/// squared distance of both means. That of the indicator of a class, halved, sums to 1 - p p' over
/// classes, p and p' being the in-bag and out-of-bag shares.
fn term(nodes: &Nodes<'_>, node: usize, output: usize) -> f64 {
    let out_of_bag = nodes.out_of_bag.weight(node);
    if out_of_bag <= 0.0 {
        // Never asked for: the splits above and below are left out.
        return 0.0;
    }
    let distance = nodes.in_bag_deviation(node, output)
        - nodes.out_of_bag_deviations(node, output) / out_of_bag;
    let both = nodes.in_bag_impurity(node, output) + nodes.out_of_bag_impurity(node, output);
    let share = if nodes.impurity == Impurity::Variance { 1.0 } else { 0.5 };
    share * nodes.in_bag_weight(node) * (both + distance * distance)
}
