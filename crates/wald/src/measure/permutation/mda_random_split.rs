//! Mean decrease in accuracy when rows meet the splits on a variable at random:
//! Hapfelmeier, Hothorn, Ulm & Strobl 2014.

use crate::error::Error;
use crate::importance::{DataUsed, Importance};
use crate::measure::kernel::donors::Donors;
use crate::measure::permutation::kernel::expected_loss::ExpectedLoss;
use crate::measure::permutation::kernel::increase::{Increase, IncreasePart, IncreaseTotal};
use crate::measure::references::HAPFELMEIER_2014;
use crate::measure::{
    Effort, Loss, MeasureInfo, MeasureSettings, Needs, Normalise, Scale, Subject,
};
use crate::pass::{Fold, Outcome, Plan, TreeView};

pub(crate) const INFO: MeasureInfo = MeasureInfo {
    id: "mda_random_split",
    name: "Permutation importance by random splits",
    estimand: "By how much the error of a tree on its out-of-bag rows grows when rows go to a \
               child of each split on the variable at random, as often as rows in the bag did, \
               averaged over trees; the exact expectation over all random paths",
    caveat: "Like permutation importance, it looks at rows where there may be no data, and \
             overstates variables that others can replace. A split below another one on the same \
             variable is met anew, so that values which contradict each other are combined",
    source: "Hapfelmeier, Hothorn, Ulm & Strobl 2014; what `varimp` of party does by default \
             since 1.0",
    references: &[HAPFELMEIER_2014],
    unit: "loss (squared: squared units of the target, or Brier score)",
    scale: Scale::Loss,
    cost: "as mda_breiman_cutler",
    effort: Effort::Pass,
    data: DataUsed::OutOfBag,
    small_is_important: false,
    needs: &[Needs::OutOfBagRows, Needs::NodeStatistics],
    regression_losses: &[Loss::Squared, Loss::Absolute],
    classification_losses: &[Loss::Squared, Loss::ZeroOne, Loss::ZeroOneVote],
    normalisations: &[Normalise::Variance, Normalise::StandardError],
    options: &[],
};

#[derive(Debug)]
struct MdaRandomSplit(Increase);

#[expect(clippy::unnecessary_wraps, reason = "all measures share one signature")]
pub(crate) fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
    Ok(Plan::fold(MdaRandomSplit(Increase::new(&INFO, settings, subject))))
}

impl Fold for MdaRandomSplit {
    type Part = IncreasePart;
    type Total = IncreaseTotal;

    fn tree(&self, view: &TreeView<'_>) -> IncreasePart {
        let losses = self.0.losses(view)?;
        Some(vec![self.0.of_tree(
            &losses,
            |group| ExpectedLoss::new(view, &losses.loss, group, Donors::Shares),
            ExpectedLoss::below,
        )])
    }

    fn merge(&self, total: &mut IncreaseTotal, part: IncreasePart) {
        self.0.merge(total, part);
    }

    fn finish(&self, total: IncreaseTotal, _: Outcome<'_>) -> Importance {
        let importance = self.0.finish(total);
        Importance { repeats: Vec::new(), ..importance }
    }
}
