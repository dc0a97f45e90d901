//! The total Sobol index by growing again, without the variable, the branches that split on it.

use crate::error::Error;
use crate::forest::Aggregation;
use crate::importance::{DataUsed, Importance};
use crate::measure::kernel::altered_predictions::{Altered, AlteredTree};
use crate::measure::projection::kernel::regrow::Regrowing;
use crate::measure::projection::sobol_mda::share_of_variance;
use crate::measure::references::BENARD_2022;
use crate::measure::requirement::UNKNOWN_SETTINGS;
use crate::measure::{
    Effort, Loss, MeasureInfo, MeasureOption, MeasureSettings, Needs, Scale, Subject,
};
use crate::pass::{Fold, Outcome, Plan, TreeView};

pub(crate) const INFO: MeasureInfo = MeasureInfo {
    id: "total_sobol_regrow",
    name: "Total Sobol index by growing branches again",
    estimand: "The share of the target's variance that is no longer explained when the variable \
               may not be used (its total Sobol index): below its first splits on the variable, \
               every tree is grown again without it, on the same rows and with the same random \
               numbers. Variables that stood in the shadow of this one can take its place, so \
               that, unlike Sobol-MDA, it hardly depends on mtry",
    caveat: "What only this variable explains: of two that can replace each other, both are \
             near zero. An irrelevant variable is near zero, and may be negative",
    source: "Bénard, Da Veiga & Scornet 2022, Remark 1 (retraining), confined to the branches \
             that change",
    references: &[BENARD_2022],
    unit: "share of the variance of the target",
    scale: Scale::Free,
    cost: "two to six times that of growing the forest, whatever the number of variables",
    effort: Effort::Refits,
    data: DataUsed::OutOfBag,
    small_is_important: false,
    needs: &[Needs::OutOfBagRows, Needs::KnownSettings],
    regression_losses: &[Loss::Squared],
    classification_losses: &[Loss::Squared],
    normalisations: &[],
    options: &[MeasureOption::PerClass],
};

#[derive(Debug)]
struct TotalSobolRegrow {
    regrowing: Regrowing,
    n_rows: usize,
    n_groups: usize,
    n_outputs: usize,
    per_class: bool,
}

pub(crate) fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
    let Some(regrowing) = Regrowing::of(subject.data, subject.forest)? else {
        return Err(UNKNOWN_SETTINGS.refusal(&INFO));
    };
    Ok(Plan::fold(TotalSobolRegrow {
        regrowing,
        n_rows: subject.training.n_rows(),
        n_groups: subject.groups.n_groups(),
        n_outputs: subject.training.n_outputs(),
        per_class: settings.per_class,
    }))
}

impl Fold for TotalSobolRegrow {
    type Part = AlteredTree;
    type Total = Altered;

    fn tree(&self, view: &TreeView<'_>) -> AlteredTree {
        match self.regrowing.changes(view) {
            Some(changes) => AlteredTree::new(view, Aggregation::Mean, changes, Vec::new()),
            // Cancelled: the values of the tree will not be used.
            None => AlteredTree::default(),
        }
    }

    fn merge(&self, total: &mut Altered, part: AlteredTree) {
        total.add(part, (self.n_rows, self.n_groups, self.n_outputs));
    }

    fn finish(&self, total: Altered, outcome: Outcome<'_>) -> Importance {
        share_of_variance(&INFO, &total, (self.n_groups, self.per_class, None), outcome)
    }
}
