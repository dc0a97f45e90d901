//! MDI-oob, centred: Li et al. 2019, Eq. 14.

use crate::error::Error;
use crate::importance::DataUsed;
use crate::measure::definition::references::{LI_2019, Reference};
use crate::measure::definition::verdicts::{Judgement, Row, Validity, Verdicts};
use crate::measure::definition::{
    ClassMeaning, MeasureDef, MeasureOption, MeasureSettings, Requirement, Scale, Term,
};
use crate::measure::impurity::kernel::node_terms::{self, Formula, Nodes, Rows};
use crate::pass::{Plan, Subject};

const UNBIASED: &str = "\
    Mean decrease in impurity without its bias; with independent variables and effects that add up \
    its limit is known.";
const FROM_NOISE: &str = "\
    Separates relevant variables from noise in simulations; their order is not well defined.";

/// What the measure serves for.
pub(in crate::measure) const ROW: Row = Row {
    selection: Judgement {
        serves: [Validity::Careful, Validity::Invalid, Validity::Invalid],
        because: [
            UNBIASED,
            "Dependent variables share credit: it does not show what is lost without one.",
            "Its limit is not well defined where effects interact: it does not show what is lost \
             without a variable.",
        ],
    },
    influence: Judgement {
        serves: [Validity::Careful, Validity::Careful, Validity::Careful],
        because: [UNBIASED, FROM_NOISE, FROM_NOISE],
    },
    source: "Li et al. 2019, Table 1; Zhou & Hooker 2021; Nembrini, König & Wright 2018; Scornet \
             2023",
};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "mdi_oob";
    const CALLED: &'static [&'static str] = &[
        "gini",
        "impurity",
        "meandecreaseimpurity",
        "meandecreasegini",
        "incnodepurity",
        "feature",
        "gain",
    ];
    const NAME: &'static str = "MDI on out-of-bag rows (MDI-oob)";
    const ESTIMAND: &'static str = "\
        The mean decrease in impurity without the gain by chance: the covariance of the response \
        with the contribution of the splits on a variable to the prediction, on the out-of-bag \
        rows of each tree, averaged over trees (on in-bag rows it is exactly mdi). Responses are \
        centred at the in-bag mean of the tree, so that adding a constant to the target changes \
        nothing";
    const CAVEAT: &'static str = "\
        Shares credit arbitrarily between dependent variables; values of irrelevant variables \
        scatter around zero, so that half of them are negative";
    const SOURCE: &'static str = "Li et al. 2019, Proposition 1 and Eq. 14, responses centred";
    const REFERENCES: &'static [Reference] = &[LI_2019];
    const UNIT: &'static str = "impurity of the target (variance, or Gini)";
    const SCALE: Scale = Scale::Loss;
    const COST: &'static str = node_terms::COST;
    const DATA: DataUsed = DataUsed::OutOfBag;
    const REQUIREMENTS: &'static [Requirement] = node_terms::REQUIREMENTS;
    const OPTIONS: &'static [MeasureOption] = node_terms::OPTIONS;
    const CLASS_VALUES: ClassMeaning = ClassMeaning::OfProbability;
    const STANDS_FOR_PART: bool = true;
    const HAS_LIMIT_WHERE_ADDITIVE: bool = true;
    const TERM: Option<Term> = Some(Term::OutOfBag);
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 14, row: &ROW });

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

/// Why [`term`] has no like for entropy.
pub(crate) const NO_ENTROPY: &str = "\
    where a leaf met only one class in bag, an out-of-bag row of another class would be an \
    infinite surprise";

/// A child's in-bag mean minus its parent's is what the split adds to predictions; times what the
/// out-of-bag responses of the child sum to, it is the split's part of Eq. 14.
fn term(nodes: &Nodes<'_>, node: usize, output: usize) -> f64 {
    -nodes.in_bag_deviation(node, output) * nodes.out_of_bag_deviations(node, output)
}
