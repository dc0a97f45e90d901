//! Mean absolute Shapley values of rows that trees did not see.

use crate::error::Error;
use crate::importance::{DataUsed, Importance};
use crate::measure::definition::references::{LI_2019, LUNDBERG_2020, Reference};
use crate::measure::definition::verdicts::Verdicts;
use crate::measure::definition::{
    ClassMeaning, CostClass, MeasureDef, MeasureOption, MeasureSettings, Requirement, RowAggregate,
    Scale,
};
use crate::measure::shapley::kernel::over_rows::{Explained, OverRows};
use crate::measure::shapley::tree_shap;
use crate::pass::{OutOfBag, Plan, Subject, Whole};
use crate::run::Run;
use crate::tree_shap::{Against, ShapleyKind};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "tree_shap_oob";
    const NAME: &'static str = "Shapley values of rows (TreeSHAP), out of bag";
    const ESTIMAND: &'static str = "\
        How far a variable moves the out-of-bag predictions on average: every row is explained by \
        the trees that did not see it (path-dependent Shapley values), and the absolute values are \
        averaged over rows and summed over classes. Another `aggregate` uses the signed mean \
        (of several classes, its absolute value) or the covariance with the response";
    const CAVEAT: &'static str = "\
        Measures how far predictions move, not whether they move in the right direction: chance \
        splits move them, too, so that an irrelevant variable is above zero; \
        tree_shap_oob_covariance shows the difference. The value of a group of variables is the \
        sum of theirs";
    const SOURCE: &'static str = "\
        Lundberg et al. 2020, \"path-dependent\", on out-of-bag rows as Li et al. 2019 do with MDI";
    const REFERENCES: &'static [Reference] = &[LUNDBERG_2020, LI_2019];
    const UNIT: &'static str = "units of the prediction";
    const SCALE: Scale = Scale::Prediction;
    const COST: &'static str = "\
        rows visit all leaves of the trees that did not see them: O(rows * leaves). With more than \
        2000 rows a random sample is explained (`samples`), and standard errors are those \
        of the sample";
    const COST_CLASS: CostClass = CostClass::AllLeaves;
    const DATA: DataUsed = DataUsed::OutOfBag;
    const REQUIREMENTS: &'static [Requirement] =
        &[Requirement::OutOfBagRows, Requirement::NodeStatistics, Requirement::EqualTrees];
    const OPTIONS: &'static [MeasureOption] =
        &[MeasureOption::Aggregate, MeasureOption::PerClass, MeasureOption::Samples];
    const CLASS_VALUES: ClassMeaning = ClassMeaning::OfProbability;
    const EXPLAINS_ROWS: bool = true;
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 18, row: &tree_shap::ROW });

    fn plan(settings: &MeasureSettings, _: Subject<'_>) -> Result<Plan, Error> {
        let (aggregate, per_class) = (settings.aggregate, settings.per_class);
        let explained = Explained::of(settings);
        Ok(Plan::whole(TreeShapOob { aggregate, per_class, explained }))
    }
}

struct TreeShapOob {
    aggregate: RowAggregate,
    per_class: bool,
    explained: Explained,
}

impl Whole for TreeShapOob {
    fn measure(&self, subject: Subject<'_>, _: &OutOfBag, run: &Run) -> Result<Importance, Error> {
        let rows = subject.training;
        let against = subject.forest.bags().map_or(Against::Forest, Against::OutOfBag);
        let Self { aggregate, per_class, explained } = *self;
        let data = Definition::INFO.data;
        let kind = ShapleyKind::TreeShap;
        OverRows {
            info: &Definition::INFO,
            subject,
            rows,
            data,
            kind,
            against,
            aggregate,
            per_class,
            explained,
        }
        .measure(run)
    }

    fn is_divided(&self) -> bool {
        true
    }
}
