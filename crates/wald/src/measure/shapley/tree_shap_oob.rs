//! Mean absolute Shapley values of rows that trees did not see.

use crate::error::Error;
use crate::importance::{DataUsed, Importance};
use crate::measure::references::{LI_2019, LUNDBERG_2020};
use crate::measure::shapley::kernel::over_rows::{Explained, OverRows};
use crate::measure::{
    Effort, MeasureInfo, MeasureOption, MeasureSettings, Needs, Scale, Subject, Summary,
};
use crate::pass::{Plan, Whole};
use crate::run::Run;
use crate::shapley::{Against, Sharing};

pub(crate) const INFO: MeasureInfo = MeasureInfo {
    id: "tree_shap_oob",
    name: "Shapley values of rows (TreeSHAP), out of bag",
    estimand: "How far a variable moves the out-of-bag predictions on average: every row is \
               explained by the trees that did not see it (path-dependent Shapley values), and the \
               absolute values are averaged over rows and summed over classes. `--summary` takes \
               the signed mean or the covariance with the response in the place of the absolute \
               mean",
    caveat: "Says how far predictions move, not whether they move the right way: splits of chance \
             move them, too, so that a variable which means nothing is above zero; \
             tree_shap_oob_covariance tells. The value of a group of variables is the sum of \
             theirs",
    source: "Lundberg et al. 2020, \"path-dependent\", on out-of-bag rows as Li et al. 2019 do \
             with MDI",
    references: &[LUNDBERG_2020, LI_2019],
    unit: "unit of the prediction",
    scale: Scale::Prediction,
    cost: "rows visit all leaves of the trees that did not see them: O(rows * leaves). Of more \
           than 2000 rows a random sample is explained (`--samples` sets its size), and standard \
           errors are those of the sample",
    effort: Effort::AllLeaves,
    data: DataUsed::OutOfBag,
    small_is_important: false,
    needs: &[Needs::OutOfBagRows, Needs::NodeStatistics, Needs::EqualTrees],
    regression_losses: &[],
    classification_losses: &[],
    normalisations: &[],
    options: &[MeasureOption::Summary, MeasureOption::PerClass, MeasureOption::Samples],
};

struct TreeShapOob {
    summary: Summary,
    per_class: bool,
    explained: Explained,
}

#[expect(clippy::unnecessary_wraps, reason = "all measures share one signature")]
pub(crate) fn plan(settings: &MeasureSettings, _: Subject<'_>) -> Result<Plan, Error> {
    let (summary, per_class) = (settings.summary, settings.per_class);
    let explained = Explained::of(settings);
    Ok(Plan::whole(TreeShapOob { summary, per_class, explained }))
}

impl Whole for TreeShapOob {
    fn measure(&self, subject: Subject<'_>, run: &Run) -> Result<Importance, Error> {
        let rows = subject.training;
        let against = subject.forest.bags().map_or(Against::Forest, Against::OutOfBag);
        let Self { summary, per_class, explained } = *self;
        let data = INFO.data;
        let sharing = Sharing::TreeShap;
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
