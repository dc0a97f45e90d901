//! Mean absolute Shapley values: Lundberg et al. 2020.

use std::sync::Arc;

use crate::data::Dataset;
use crate::error::Error;
use crate::forest::{align, align_target, aligned_rows};
use crate::importance::{DataUsed, Importance};
use crate::measure::definition::references::{LUNDBERG_2020, Reference, YU_2022};
use crate::measure::definition::verdicts::{Judgement, Row, Validity, Verdicts};
use crate::measure::definition::{
    ClassMeaning, CostClass, MeasureDef, MeasureOption, MeasureSettings, Requirement, RowAggregate,
    Scale,
};
use crate::measure::shapley::kernel::over_rows::{Explained, OverRows};
use crate::pass::{OutOfBag, Plan, Subject, Whole};
use crate::run::Run;
use crate::tree_shap::{Against, ShapleyKind};

/// What the measure serves for.
pub(in crate::measure) const ROW: Row = Row {
    selection: Judgement {
        serves: [Validity::Invalid, Validity::Invalid, Validity::Invalid],
        because: ["Explains predictions, not what is lost without the variable."; 3],
    },
    influence: Judgement {
        serves: [Validity::Careful, Validity::Careful, Validity::Careful],
        because: ["Measures how far a variable moves predictions, not whether the target follows; \
                   splits are averaged without regard to dependence."; 3],
    },
    source: "Lundberg et al. 2020; Aas, Jullum & Løland 2021",
};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "tree_shap";
    const ALIASES: &'static [&'static str] = &["shap"];
    const CALLED: &'static [&'static str] = &["treeshap", "shapley"];
    const NAME: &'static str = "Shapley values of rows (TreeSHAP)";
    const ESTIMAND: &'static str = "\
        How far a variable moves the predictions on average: the mean over rows of the absolute \
        Shapley value (path-dependent), summed over classes. The rows are the training rows, or \
        those of `test`. Another `aggregate` uses the signed mean (of several \
        classes, its absolute value) or the covariance with the response";
    const CAVEAT: &'static str = "\
        Training rows are explained by trees that have seen them, so that overfitted variables, \
        most of all those with many values, look important; use tree_shap_oob to avoid this. \
        Explains predictions, not their accuracy. The value of a group of variables is the sum of \
        theirs";
    const SOURCE: &'static str = "\
        Lundberg et al. 2020, \"path-dependent\", global feature importance";
    const REFERENCES: &'static [Reference] = &[LUNDBERG_2020, YU_2022];
    const UNIT: &'static str = "units of the prediction";
    const SCALE: Scale = Scale::Prediction;
    const COST: &'static str = "\
        rows visit all leaves: O(rows * leaves). With more than 2000 rows a random sample is \
        explained (`samples`), and standard errors are those of the sample";
    const COST_CLASS: CostClass = CostClass::AllLeaves;
    const DATA: DataUsed = DataUsed::Training;
    const REQUIREMENTS: &'static [Requirement] =
        &[Requirement::NodeStatistics, Requirement::EqualTrees];
    const OPTIONS: &'static [MeasureOption] = &[
        MeasureOption::Aggregate,
        MeasureOption::PerClass,
        MeasureOption::TestRows,
        MeasureOption::Samples,
    ];
    const CLASS_VALUES: ClassMeaning = ClassMeaning::OfProbability;
    const EXPLAINS_ROWS: bool = true;
    const FAVOURS_MANY_VALUES: bool = true;
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 17, row: &ROW });

    fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        if let Some(test) = &settings.test {
            // What does not fit is refused before the forest is grown.
            align(test.features(), subject.forest.features())?;
            align_target(test, subject.forest.target())?;
        }
        let (aggregate, per_class) = (settings.aggregate, settings.per_class);
        let (rows, explained) = (settings.test.clone(), Explained::of(settings));
        Ok(Plan::whole(TreeShap { rows, aggregate, per_class, explained }))
    }
}

struct TreeShap {
    /// Other rows than those of training.
    rows: Option<Arc<Dataset>>,
    aggregate: RowAggregate,
    per_class: bool,
    explained: Explained,
}

impl Whole for TreeShap {
    fn measure(&self, subject: Subject<'_>, _: &OutOfBag, run: &Run) -> Result<Importance, Error> {
        let other = match &self.rows {
            Some(rows) => Some(aligned_rows(subject.forest, rows, run.threads)?),
            None => None,
        };
        let data = if other.is_some() { DataUsed::Test } else { DataUsed::Training };
        let rows = other.as_ref().unwrap_or(subject.training);
        let Self { aggregate, per_class, explained, .. } = *self;
        let (kind, against) = (ShapleyKind::TreeShap, Against::Forest);
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
