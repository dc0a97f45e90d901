//! Actual impurity reduction: Nembrini, König & Wright 2018.
//!
//! A fold that grows a tree on columns and their shadows on the bag of every tree that it sees, so
//! that the forest itself stays as it is.

use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::error::Error;
use crate::forest::{Impurity, ShadowForest, Tree, Workspace, align};
use crate::importance::{DataUsed, Importance};
use crate::measure::definition::references::{JANITZA_2018, NEMBRINI_2018, Reference};
use crate::measure::definition::requirement::UNKNOWN_SETTINGS;
use crate::measure::definition::verdicts::Verdicts;
use crate::measure::definition::{
    CostClass, MeasureDef, MeasureOption, MeasureSettings, Requirement, Scale,
};
use crate::measure::impurity::kernel::mirrored_null::{ColumnType, p_values};
use crate::measure::impurity::kernel::node_terms::{check_impurity, unit};
use crate::measure::impurity::mdi_oob;
use crate::measure::kernel::over_trees::{means_and_errors, over_trees};
use crate::pass::{Fold, Outcome, Plan, Subject, TreeView};
use crate::run::{Run, Threads};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "air";
    const ALIASES: &'static [&'static str] = &["impurity_corrected"];
    const CALLED: &'static [&'static str] = &["actualimpurityreduction"];
    const NAME: &'static str = "Actual impurity reduction (AIR)";
    const ESTIMAND: &'static str = "\
        Mean decrease in impurity by the splits on a variable minus that by the splits on its \
        shadow, a copy with permuted rows, in a separate forest that draws variables and shadows \
        with equal probability. It is grown on the same bags and with the same settings as the \
        forest, which does not change";
    const CAVEAT: &'static str = "\
        Values of irrelevant variables scatter around zero, with a spread that increases with the \
        number of distinct values. The p-values are based on the values at or below zero of \
        columns of the same type, and need many such columns. Shares credit arbitrarily between \
        dependent variables";
    const SOURCE: &'static str = "\
        Nembrini, König & Wright 2018; p-values: Janitza, Celik & Boulesteix 2018, with a null per \
        type of column";
    const REFERENCES: &'static [Reference] = &[NEMBRINI_2018, JANITZA_2018];
    const UNIT: &'static str = "impurity of the target (variance, Gini, or bits of entropy)";
    const SCALE: Scale = Scale::Loss;
    const COST: &'static str = "that of growing a forest of twice as many variables";
    const COST_CLASS: CostClass = CostClass::Refits;
    const DATA: DataUsed = DataUsed::Training;
    const REQUIREMENTS: &'static [Requirement] =
        &[Requirement::NodeStatistics, Requirement::KnownSettings, Requirement::ExchangeableRows];
    const OPTIONS: &'static [MeasureOption] = &[MeasureOption::Impurity];
    const HAS_LIMIT_WHERE_ADDITIVE: bool = true;
    const IS_DIFFERENCE_FROM_SHADOW: bool = true;
    const GROWS_SHADOWS: bool = true;
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 16, row: &mdi_oob::ROW });

    fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        let Some(config) = subject.forest.config() else {
            return Err(UNKNOWN_SETTINGS.refusal(&Definition::INFO));
        };
        let (own, aggregation) = (subject.forest.impurity(), subject.forest.aggregation());
        let impurity = settings.impurity.unwrap_or(own);
        check_impurity(Definition::INFO.id, impurity, own, aggregation)?;
        let columns = align(subject.data.features(), subject.forest.features())?;
        let columns = columns.into_iter().map(std::borrow::Cow::into_owned).collect();
        Ok(Plan::fold(Air {
            forest: ShadowForest::new(columns, subject.data, subject.training, config)?,
            impurity,
            types: ColumnType::of_groups(subject.training, subject.groups),
            spare: Mutex::default(),
        }))
    }
}

#[derive(Debug)]
struct Air {
    forest: ShadowForest,
    impurity: Impurity,
    types: Vec<ColumnType>,
    /// Working memory that no tree uses just now.
    spare: Mutex<Vec<Workspace>>,
}

impl Air {
    /// The decreases of one tree, by group; `None` when cancelled.
    fn of_tree(&self, view: &TreeView<'_>) -> Option<Vec<f64>> {
        let spare = self.spare.lock().ok().and_then(|mut spare| spare.pop());
        let mut workspace = spare.unwrap_or_default();
        // Trees are grown side by side already.
        let run = Run::new(Threads::ONE, view.progress);
        let impurity = |tree: &Tree, node: usize, stored: f64| {
            if self.impurity == view.impurity {
                stored
            } else {
                self.impurity.of_proportions(&tree.value(node))
            }
        };
        let (forest, index, bag) = (&self.forest, view.index, view.bag?);
        let decreases = forest.decreases(index, bag, &mut workspace, &run, impurity);
        if let Ok(mut spare) = self.spare.lock() {
            spare.push(workspace);
        }
        let [columns, shadows] = decreases.ok()?.map(|columns| view.groups.sums(&columns));
        Some(columns.into_iter().zip(shadows).map(|(column, shadow)| column - shadow).collect())
    }
}

impl Fold for Air {
    type Part = Option<Vec<f64>>;
    type Total = Vec<Vec<f64>>;

    fn tree(&self, view: &TreeView<'_>) -> Option<Vec<f64>> {
        self.of_tree(view)
    }

    fn fits(&self, _: usize, part: &Option<Vec<f64>>) -> bool {
        part.as_ref().is_none_or(|values| values.len() == self.types.len())
    }

    fn merge(&self, total: &mut Vec<Vec<f64>>, part: Option<Vec<f64>>) {
        total.extend(part);
    }

    fn finish(&self, per_tree: Vec<Vec<f64>>, _: Outcome<'_>) -> Importance {
        let summary = over_trees(&per_tree);
        let p_values = summary.as_ref().map(|summary| p_values(&summary.means, &self.types));
        let (values, standard_errors) = means_and_errors(summary, self.types.len());
        let (p_values, notes) = p_values.map(|found| (found.values, found.notes)).unzip();
        Importance {
            unit: unit(self.impurity).to_owned(),
            values,
            standard_errors,
            p_values,
            per_tree,
            settings: BTreeMap::from([("impurity", self.impurity.id().to_owned())]),
            notes: notes.clone().unwrap_or_default(),
            notes_on_p_values: notes.unwrap_or_default(),
            ..Definition::INFO.importance()
        }
    }
}
