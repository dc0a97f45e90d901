//! Mean decrease in accuracy when rows meet the splits on a variable at random:
//! Hapfelmeier, Hothorn, Ulm & Strobl 2014.

use crate::error::Error;
use crate::importance::{DataUsed, Importance};
use crate::loss::Loss;
use crate::measure::definition::references::{HAPFELMEIER_2014, Reference};
use crate::measure::definition::verdicts::{Judgement, Row, Validity, Verdicts};
use crate::measure::definition::{MeasureDef, MeasureSettings, Normalise, Requirement, Scale};
use crate::measure::kernel::donors::Donors;
use crate::measure::permutation::kernel::expected_loss::ExpectedLoss;
use crate::measure::permutation::kernel::increase::{Increase, IncreasePart, IncreaseTotal};
use crate::pass::{Fold, Outcome, Plan, Subject, TreeView};

const BECAUSE: [&str; 3] = [
    "Akin to mda_breiman_cutler; no limit is known.",
    "Akin to mda_breiman_cutler, which adds what variables share; no limit is known.",
    "Akin to mda_breiman_cutler, which contains a term that is not an importance.",
];

/// What the measure serves for.
const ROW: Row = Row {
    selection: Judgement {
        serves: [Validity::Careful, Validity::Invalid, Validity::Invalid],
        because: BECAUSE,
    },
    influence: Judgement {
        serves: [Validity::Careful, Validity::Careful, Validity::Invalid],
        because: BECAUSE,
    },
    source: "Hapfelmeier et al. 2014; by analogy with Table 2 of Bénard et al. 2022",
};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "mda_random_split";
    const NAME: &'static str = "Permutation importance by random splits";
    const ESTIMAND: &'static str = "\
        The increase in the error of a tree on its out-of-bag rows when rows go to a random child \
        at each split on the variable, with the in-bag proportions as probabilities, averaged \
        over trees; the exact expectation over all random paths";
    const CAVEAT: &'static str = "\
        Like permutation importance, it predicts rows where there may be no data, and overstates \
        variables that others can replace. Repeated splits on the variable are drawn \
        independently, so that contradictory values are combined";
    const SOURCE: &'static str = "\
        Hapfelmeier, Hothorn, Ulm & Strobl 2014; what `varimp` of party does by default since 1.0";
    const REFERENCES: &'static [Reference] = &[HAPFELMEIER_2014];
    const UNIT: &'static str = "loss (squared: squared units of the target, or Brier score)";
    const SCALE: Scale = Scale::Loss;
    const COST: &'static str = "as mda_breiman_cutler";
    const DATA: DataUsed = DataUsed::OutOfBag;
    const REQUIREMENTS: &'static [Requirement] =
        &[Requirement::OutOfBagRows, Requirement::NodeStatistics, Requirement::SharesOfClasses];
    const REGRESSION_LOSSES: &'static [Loss] = &[Loss::Squared, Loss::Absolute];
    const CLASSIFICATION_LOSSES: &'static [Loss] =
        &[Loss::Squared, Loss::ZeroOne, Loss::ZeroOneVote];
    const NORMALISATIONS: &'static [Normalise] = &[Normalise::Variance, Normalise::StandardError];
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 12, row: &ROW });

    fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        Ok(Plan::fold(MdaRandomSplit(Increase::new(&Definition::INFO, settings, subject))))
    }
}

#[derive(Debug)]
struct MdaRandomSplit(Increase);

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

    fn fits(&self, _: usize, part: &IncreasePart) -> bool {
        self.0.fits(part)
    }

    fn merge(&self, total: &mut IncreaseTotal, part: IncreasePart) {
        self.0.merge(total, part);
    }

    fn finish(&self, total: IncreaseTotal, _: Outcome<'_>) -> Importance {
        let importance = self.0.finish(total);
        Importance { repeats: Vec::new(), ..importance }
    }
}
