//! The total Sobol index by growing again, without the variable, the branches that split on it.

use crate::data::{Dataset, Truth};
use crate::error::Error;
use crate::forest::{Aggregation, Forest};
use crate::importance::{DataUsed, Importance};
use crate::loss::Loss;
use crate::measure::definition::references::{BENARD_2022, Reference};
use crate::measure::definition::requirement::UNKNOWN_SETTINGS;
use crate::measure::definition::verdicts::Verdicts;
use crate::measure::definition::{
    CostClass, KeptAltered, Kind, MeasureDef, MeasureOption, MeasureSettings, Requirement, Scale,
};
use crate::measure::kernel::altered_predictions::{Altered, AlteredTree};
use crate::measure::kernel::part::Taken;
use crate::measure::kernel::row_sums::Shape;
use crate::measure::projection::kernel::regrow::Regrowing;
use crate::measure::projection::kernel::sets::Sets;
use crate::measure::projection::sobol_mda::share_of_variance;
use crate::measure::projection::total_sobol_retrain;
use crate::pass::{Fold, Outcome, Plan, Subject, TreeView};
use crate::run::Run;

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
    const STANDS_FOR_PART: bool = true;
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 5, row: &total_sobol_retrain::ROW });

    fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        let Some(regrowing) = Regrowing::of(subject.data, subject.forest)? else {
            return Err(UNKNOWN_SETTINGS.refusal(&Definition::INFO));
        };
        Ok(Plan::fold(TotalSobolRegrow::new(regrowing, settings, subject)))
    }

    fn altered(settings: &MeasureSettings) -> Option<KeptAltered> {
        Some(KeptAltered::of_part(settings.part))
    }
}

/// The measure of sets of groups, of which no two have a group in common: one value per set, named by its
/// groups. Forests of other programs are grown again as far as their trees show how they were grown. `None`
/// where that is not known, where no means of rows are predicted, and where sets have groups in common.
/// Cost: for every set at most that of growing the trees that are looked at.
///
/// # Errors
/// As [`Forest::measure`].
pub fn regrown(
    forest: &Forest,
    data: &Dataset,
    sets: &[Vec<usize>],
    settings: &MeasureSettings,
    run: &Run,
) -> Result<Option<Importance>, Error> {
    let of = Sets::of(forest, data, sets);
    let Some(united) = &of.united else { return Ok(None) };
    if forest.aggregation() != Aggregation::Mean || forest.bags().is_none() {
        return Ok(None);
    }
    let Some(regrowing) = Regrowing::seen(united, forest)? else { return Ok(None) };
    let n_trees = settings.part.map_or(usize::MAX, |part| part.n_trees);
    let found = forest.fold(united, n_trees, run, |subject| {
        let mut value_of = vec![None; subject.groups.n_groups()];
        let places = of.places(subject.groups).unwrap_or_default();
        (0..).zip(places).for_each(|(value, place)| value_of[place] = Some(value));
        let n_groups = sets.len();
        let names = of.names.clone();
        let whole = TotalSobolRegrow::new(regrowing, settings, subject);
        TotalSobolRegrow { n_groups, value_of, names, ..whole }
    })?;
    Ok(Some(found))
}

#[derive(Debug)]
struct TotalSobolRegrow {
    regrowing: Regrowing,
    n_rows: usize,
    /// Groups that there are values of.
    n_groups: usize,
    /// By group of the table: its value, if it has one.
    value_of: Vec<Option<u32>>,
    /// What values are of, where these are not all groups.
    names: Vec<String>,
    n_outputs: usize,
    per_class: bool,
    /// Which trees stand for all.
    part: Option<Taken>,
    truth: Truth,
}

impl TotalSobolRegrow {
    fn new(regrowing: Regrowing, settings: &MeasureSettings, subject: Subject<'_>) -> Self {
        let n_groups = subject.groups.n_groups();
        Self {
            regrowing,
            n_rows: subject.training.n_rows(),
            n_groups,
            value_of: (0..n_groups as u32).map(Some).collect(),
            names: Vec::new(),
            n_outputs: subject.training.n_outputs(),
            per_class: settings.per_class,
            part: Taken::of_trees(settings, subject),
            truth: subject.training.truth().clone(),
        }
    }

    fn shape(&self) -> Shape {
        Shape { n_rows: self.n_rows, n_groups: self.n_groups, width: self.n_outputs }
    }
}

impl Fold for TotalSobolRegrow {
    /// `None` for trees that are not looked at.
    type Part = Option<AlteredTree>;
    type Total = Altered;

    fn tree(&self, view: &TreeView<'_>) -> Self::Part {
        if self.part.as_ref().is_some_and(|part| !part.has_tree(view.index)) {
            return None;
        }
        let is_wanted = |group: usize| self.value_of[group].is_some();
        // `None` where cancelled: the values of the tree will not be used.
        let mut changes = self.regrowing.changes(view, &is_wanted)?;
        for group in &mut changes.groups {
            *group = self.value_of[*group as usize].unwrap_or(*group);
        }
        Some(match self.part {
            Some(_) => AlteredTree::of_part(view, Aggregation::Mean, changes),
            None => AlteredTree::new(view, Aggregation::Mean, changes, Vec::new()),
        })
    }

    fn fits(&self, _: usize, part: &Self::Part) -> bool {
        part.as_ref().is_none_or(|tree| tree.fits(self.shape(), self.part.is_some()))
    }

    fn merge(&self, total: &mut Altered, part: Self::Part) {
        let shape = self.shape();
        let Some(tree) = part else { return };
        match &self.part {
            Some(part) => total.add_of_part(tree, shape, &self.truth, Aggregation::Mean, part),
            None => total.add(tree, shape),
        }
    }

    fn finish(&self, total: Altered, outcome: Outcome<'_>) -> Importance {
        let found = total.increases(self.n_groups, outcome);
        let part = self.part.as_ref();
        let found = share_of_variance(&Definition::INFO, &found, self.per_class, part, outcome);
        Importance { names: self.names.clone(), ..found }
    }
}
