//! The total Sobol index by growing again, without the variable, the branches that split on it.

use crate::error::Error;
use crate::forest::Aggregation;
use crate::importance::{DataUsed, Importance};
use crate::loss::Loss;
use crate::measure::definition::references::{BENARD_2022, Reference};
use crate::measure::definition::requirement::UNKNOWN_SETTINGS;
use crate::measure::definition::verdicts::Verdicts;
use crate::measure::definition::{
    CostClass, KeptAltered, Kind, MeasureDef, MeasureOption, MeasureSettings, Requirement, Scale,
};
use crate::measure::kernel::altered_predictions::{Altered, AlteredTree};
use crate::measure::kernel::row_sums::Shape;
use crate::measure::projection::kernel::regrow::Regrowing;
use crate::measure::projection::sobol_mda::share_of_variance;
use crate::measure::projection::total_sobol_retrain;
use crate::pass::{Fold, Outcome, Plan, Subject, TreeView};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "total_sobol_regrow";
    const NAME: &'static str = "Total Sobol index by regrowing branches";
    const ESTIMAND: &'static str = "\
        The share of the target's variance that is no longer explained without the variable (its \
        total Sobol index): below its first splits on the variable, every tree is regrown without \
        it, on the same rows and with the same random numbers. Masked variables can replace this \
        one, so that, unlike Sobol-MDA, it hardly depends on mtry";
    const CAVEAT: &'static str = "\
        Only what no other variable explains counts: two variables that can replace each other are \
        both near zero. An irrelevant variable is near zero, and may be negative";
    const SOURCE: &'static str = "\
        Bénard, Da Veiga & Scornet 2022, Remark 1 (retraining), confined to the branches that \
        change";
    const REFERENCES: &'static [Reference] = &[BENARD_2022];
    const UNIT: &'static str = "share of the variance of the target";
    const SCALE: Scale = Scale::Invariant;
    const COST: &'static str = "\
        two to six times that of growing the forest, for any number of variables";
    const COST_CLASS: CostClass = CostClass::Refits;
    const DATA: DataUsed = DataUsed::OutOfBag;
    const REQUIREMENTS: &'static [Requirement] = &[
        Requirement::OutOfBagRows,
        Requirement::KnownSettings,
        Requirement::UnprunedTrees,
        Requirement::MeansOfRows,
        Requirement::SharesOfClasses,
    ];
    const REGRESSION_LOSSES: &'static [Loss] = &[Loss::Squared];
    const CLASSIFICATION_LOSSES: &'static [Loss] = &[Loss::Squared];
    const OPTIONS: &'static [MeasureOption] = &[MeasureOption::PerClass];
    const KIND: Kind = Kind::TotalSobol;
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 5, row: &total_sobol_retrain::ROW });

    fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        let Some(regrowing) = Regrowing::of(subject.data, subject.forest)? else {
            return Err(UNKNOWN_SETTINGS.refusal(&Definition::INFO));
        };
        Ok(Plan::fold(TotalSobolRegrow {
            regrowing,
            n_rows: subject.training.n_rows(),
            n_groups: subject.groups.n_groups(),
            n_outputs: subject.training.n_outputs(),
            per_class: settings.per_class,
        }))
    }

    fn altered(settings: &MeasureSettings) -> Option<KeptAltered> {
        Some(KeptAltered::of_part(settings.part))
    }
}

#[derive(Debug)]
struct TotalSobolRegrow {
    regrowing: Regrowing,
    n_rows: usize,
    n_groups: usize,
    n_outputs: usize,
    per_class: bool,
}

impl TotalSobolRegrow {
    fn shape(&self) -> Shape {
        Shape { n_rows: self.n_rows, n_groups: self.n_groups, width: self.n_outputs }
    }
}

impl Fold for TotalSobolRegrow {
    type Part = AlteredTree;
    type Total = Altered;

    fn tree(&self, view: &TreeView<'_>) -> AlteredTree {
        match self.regrowing.changes(view, &|_| true) {
            Some(changes) => AlteredTree::new(view, Aggregation::Mean, changes, Vec::new()),
            // Cancelled: the values of the tree will not be used.
            None => AlteredTree::default(),
        }
    }

    fn fits(&self, _: usize, part: &AlteredTree) -> bool {
        part.fits(self.shape(), false)
    }

    fn merge(&self, total: &mut Altered, part: AlteredTree) {
        total.add(part, self.shape());
    }

    fn finish(&self, total: Altered, outcome: Outcome<'_>) -> Importance {
        let found = total.increases(self.n_groups, outcome);
        share_of_variance(&Definition::INFO, &found, self.per_class, None, outcome)
    }
}
