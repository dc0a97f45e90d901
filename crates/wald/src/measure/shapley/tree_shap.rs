//! Mean absolute Shapley values: Lundberg et al. 2020.

use std::sync::Arc;

use crate::data::Dataset;
use crate::error::Error;
use crate::forest::{align, align_target, aligned_rows};
use crate::importance::{DataUsed, Importance};
use crate::measure::references::{LUNDBERG_2020, YU_2022};
use crate::measure::shapley::kernel::over_rows::{Explained, OverRows};
use crate::measure::{
    Effort, MeasureInfo, MeasureOption, MeasureSettings, Needs, Scale, Subject, Summary,
};
use crate::pass::{Plan, Whole};
use crate::run::Run;
use crate::shapley::{Against, Sharing};

pub(crate) const INFO: MeasureInfo = MeasureInfo {
    id: "tree_shap",
    name: "Shapley values of rows (TreeSHAP)",
    estimand: "How far a variable moves the predictions on average: the mean over rows of the \
               absolute Shapley value (path-dependent), summed over classes. Rows are those of \
               training, or those given with `--test`. `--summary` takes the signed mean or the \
               covariance with the response in the place of the absolute mean",
    caveat: "Training rows are explained by trees that have seen them, so that a variable which \
             the forest has only learned by heart counts as if it mattered, most of all one of \
             many values; tree_shap_oob has not this fault. Says what the forest does, not how \
             well. The value of a group of variables is the sum of theirs",
    source: "Lundberg et al. 2020, \"path-dependent\", global feature importance",
    references: &[LUNDBERG_2020, YU_2022],
    unit: "unit of the prediction",
    scale: Scale::Prediction,
    cost: "rows visit all leaves: O(rows * leaves). Of more than 2000 rows a \
           random sample is explained (`--samples` sets its size), and standard errors are those \
           of the sample",
    effort: Effort::AllLeaves,
    data: DataUsed::Training,
    small_is_important: false,
    needs: &[Needs::NodeStatistics, Needs::EqualTrees],
    regression_losses: &[],
    classification_losses: &[],
    normalisations: &[],
    options: &[
        MeasureOption::Summary,
        MeasureOption::PerClass,
        MeasureOption::TestRows,
        MeasureOption::Samples,
    ],
};

struct TreeShap {
    /// Other rows than those of training.
    rows: Option<Arc<Dataset>>,
    summary: Summary,
    per_class: bool,
    explained: Explained,
}

pub(crate) fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
    if let Some(test) = &settings.test {
        // What does not fit is refused before the forest is grown.
        align(test.features(), subject.forest.features())?;
        align_target(test, subject.forest.target())?;
    }
    let (summary, per_class) = (settings.summary, settings.per_class);
    let (rows, explained) = (settings.test.clone(), Explained::of(settings));
    Ok(Plan::whole(TreeShap { rows, summary, per_class, explained }))
}

impl Whole for TreeShap {
    fn measure(&self, subject: Subject<'_>, run: &Run) -> Result<Importance, Error> {
        let other = match &self.rows {
            Some(rows) => Some(aligned_rows(subject.forest, rows, run.threads)?),
            None => None,
        };
        let data = if other.is_some() { DataUsed::Test } else { DataUsed::Training };
        let rows = other.as_ref().unwrap_or(subject.training);
        let Self { summary, per_class, explained, .. } = *self;
        let (sharing, against) = (Sharing::TreeShap, Against::Forest);
        OverRows {
            info: &INFO,
            subject,
            rows,
            data,
            sharing,
            against,
            summary,
            per_class,
            explained,
        }
        .measure(run)
    }
}
