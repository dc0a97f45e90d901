//! The total Sobol index by brute force: every tree is grown again without the variable.
//! Bénard, Da Veiga & Scornet 2022, section 1 and Remark 1 (there called retraining).
//!
//! It is a fold all the same: each tree is grown again on its own bag while it is at hand, so that
//! a tree and its like without a variable are one contribution, whose spread over trees gives
//! standard errors.

use crate::data::Column;
use crate::error::Error;
use crate::forest::{Aggregation, Growing, Placement, Router, Settings, Workspace, align};
use crate::importance::{DataUsed, Importance};
use crate::loss::Loss;
use crate::measure::definition::references::{BENARD_2022, Reference};
use crate::measure::definition::requirement::UNKNOWN_SETTINGS;
use crate::measure::definition::verdicts::{
    INDEPENDENT, Judgement, NOT_WHAT_IS_SHARED, Row, Validity, Verdicts,
};
use crate::measure::definition::{
    CostClass, KeptAltered, Kind, MeasureDef, MeasureOption, MeasureSettings, Requirement, Scale,
};
use crate::measure::kernel::altered_predictions::{Altered, AlteredTree};
use crate::measure::kernel::changes::Changes;
use crate::measure::kernel::node_predictions::NodePredictions;
use crate::measure::kernel::row_sums::Shape;
use crate::measure::projection::sobol_mda::share_of_variance;
use crate::pass::{Fold, Outcome, Plan, Subject, TreeView};
use crate::run::Threads;

/// What the measure serves for.
pub(in crate::measure) const ROW: Row = Row {
    selection: Judgement {
        serves: [Validity::Valid, Validity::Valid, Validity::Valid],
        because: ["Estimates the total Sobol index: what is lost without the variable."; 3],
    },
    influence: Judgement {
        serves: [Validity::Valid, Validity::Invalid, Validity::Invalid],
        because: [INDEPENDENT, NOT_WHAT_IS_SHARED, NOT_WHAT_IS_SHARED],
    },
    source: "Bénard, Da Veiga & Scornet 2022, Definition 1, by growing trees without the variable",
};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "total_sobol_retrain";
    const ALIASES: &'static [&'static str] = &["loco", "drop_column"];
    const CALLED: &'static [&'static str] = &["sobol", "sobolindex", "totalsobol", "retrain"];
    const NAME: &'static str = "Total Sobol index by retraining";
    const ESTIMAND: &'static str = "\
        The share of the target's variance that the out-of-bag predictions of a forest no longer \
        explain when it is grown without the variable, on the same bags and with the same settings \
        (mtry at most the number of variables left)";
    const CAVEAT: &'static str = "\
        Grows a forest per variable. Only what no other variable explains counts: two variables \
        that can replace each other are both near zero. Fewer variables compete at a split, so \
        that dropping an irrelevant variable often improves predictions slightly: values may be \
        negative";
    const SOURCE: &'static str = "Bénard, Da Veiga & Scornet 2022, Remark 1 (retraining)";
    const REFERENCES: &'static [Reference] = &[BENARD_2022];
    const UNIT: &'static str = "share of the variance of the target";
    const SCALE: Scale = Scale::Invariant;
    const COST: &'static str = "that of growing as many forests as there are variables";
    const COST_CLASS: CostClass = CostClass::Refits;
    const DATA: DataUsed = DataUsed::OutOfBag;
    const REQUIREMENTS: &'static [Requirement] = &[
        Requirement::OutOfBagRows,
        Requirement::KnownSettings,
        Requirement::MeansOfRows,
        Requirement::SharesOfClasses,
    ];
    const REGRESSION_LOSSES: &'static [Loss] = &[Loss::Squared];
    const CLASSIFICATION_LOSSES: &'static [Loss] = &[Loss::Squared];
    const OPTIONS: &'static [MeasureOption] = &[MeasureOption::PerClass];
    const KIND: Kind = Kind::TotalSobol;
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 6, row: &ROW });

    fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        let Some(config) = subject.forest.config() else {
            return Err(UNKNOWN_SETTINGS.refusal(&Definition::INFO));
        };
        let columns = align(subject.data.features(), subject.forest.features())?;
        let names = columns.iter().map(|column| column.name());
        Ok(Plan::fold(TotalSobolRetrain {
            settings: config.resolve_for(subject.data, names)?,
            columns: columns.into_iter().map(std::borrow::Cow::into_owned).collect(),
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
struct TotalSobolRetrain {
    /// Those of the forest, for all variables.
    settings: Settings,
    /// In the order of the forest's variables.
    columns: Vec<Column>,
    n_rows: usize,
    n_groups: usize,
    n_outputs: usize,
    per_class: bool,
}

impl TotalSobolRetrain {
    fn shape(&self) -> Shape {
        Shape { n_rows: self.n_rows, n_groups: self.n_groups, width: self.n_outputs }
    }
}

impl Fold for TotalSobolRetrain {
    type Part = AlteredTree;
    type Total = Altered;

    fn tree(&self, view: &TreeView<'_>) -> AlteredTree {
        let mut again = Again::new(self, view);
        for group in 0..self.n_groups {
            if again.without(group).is_none() {
                // Cancelled: the tree's predictions will not be used.
                return AlteredTree::default();
            }
        }
        AlteredTree::new(view, Aggregation::Mean, again.changes, Vec::new())
    }

    fn fits(&self, _: usize, part: &AlteredTree) -> bool {
        part.fits(self.shape(), false)
    }

    fn merge(&self, total: &mut Altered, part: AlteredTree) {
        total.add(part, self.shape());
    }

    fn finish(&self, total: Altered, outcome: Outcome<'_>) -> Importance {
        // A tree and its like without a variable share their bag, so that the difference between
        // them is what one tree contributes, and its spread over trees gives standard errors.
        let found = total.increases(self.n_groups, outcome);
        share_of_variance(&Definition::INFO, &found, self.per_class, None, outcome)
    }
}

/// Grows one tree again and again.
struct Again<'a> {
    forest: &'a TotalSobolRetrain,
    view: &'a TreeView<'a>,
    columns: Vec<&'a Column>,
    /// By the tree with all variables.
    predictions: NodePredictions,
    workspace: Workspace,
    placement: Placement,
    changes: Changes,
}

impl<'a> Again<'a> {
    fn new(forest: &'a TotalSobolRetrain, view: &'a TreeView<'a>) -> Self {
        Self {
            forest,
            view,
            columns: forest.columns.iter().collect(),
            predictions: NodePredictions::new(view, Aggregation::Mean),
            workspace: Workspace::default(),
            placement: Placement::default(),
            changes: Changes::default(),
        }
    }

    /// Notes how out-of-bag predictions change without a group; `None` when cancelled.
    fn without(&mut self, group: usize) -> Option<()> {
        let view = self.view;
        let features = view.training.features();
        let kept: Vec<u32> = (0..features.n_columns() as u32)
            .filter(|&column| view.group(column) != group)
            .collect();
        if kept.is_empty() {
            // Without variables the tree is its root, the mean of its bag.
            let root = view.tree.value(0);
            let rows = view.out_of_bag.all();
            rows.iter().for_each(|&row| self.note(row, group, &root));
            return Some(());
        }
        let settings = self.forest.settings.among(kept.len());
        // Trees are grown side by side already.
        let (columns, alone) = (&self.columns, Threads::ONE);
        let growing = Growing::new(view.training, columns, &settings, view.progress, alone);
        let growing = growing.using(&kept);
        let (tree, ranked) = growing.grow(view.index, view.bag?, &mut self.workspace).ok()?;
        let router = Router::new(&tree, &ranked, view.training);
        let mut placement = std::mem::take(&mut self.placement);
        placement.place(&router, view.out_of_bag.all().iter().copied());
        for (leaf, rows) in placement.leaves(&tree) {
            for &row in rows {
                self.note(row, group, &tree.value(leaf));
            }
        }
        self.placement = placement;
        Some(())
    }

    fn note(&mut self, row: u32, group: usize, value: &[f64]) {
        let ordinary = self.predictions.by(self.predictions.leaf_of(row));
        self.changes.note(row, group, value, ordinary);
    }
}
