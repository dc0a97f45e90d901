//! How often a variable is split on at the root: a measure for `cargo xtask test` alone.

use crate::error::Error;
use crate::forest::Node;
use crate::importance::{DataUsed, Importance};
use crate::measure::definition::MeasureDef;
use crate::measure::kernel::over_trees::mean_over_trees;
use crate::measure::references::{Reference, STROBL_2007};
use crate::measure::verdicts::{Judgement, Row, Validity, Verdicts};
use crate::measure::{MeasureSettings, Scale, Subject};
use crate::pass::{Fold, Outcome, Plan, TreeView};

const ROW: Row = Row {
    selection: Judgement { serves: [Validity::Invalid; 3], because: ["Sees roots only."; 3] },
    influence: Judgement { serves: [Validity::Careful; 3], because: ["Sees roots only."; 3] },
    source: "no limit is known",
};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "root_splits";
    const ALIASES: &'static [&'static str] = &["roots"];
    const NAME: &'static str = "Splits at roots";
    const ESTIMAND: &'static str = "The share of trees whose first split is on the variable";
    const CAVEAT: &'static str = "Sees one split of every tree";
    const SOURCE: &'static str = "none";
    const REFERENCES: &'static [Reference] = &[STROBL_2007];
    const UNIT: &'static str = "share of trees";
    const SCALE: Scale = Scale::Invariant;
    const COST: &'static str = "O(trees)";
    const DATA: DataUsed = DataUsed::Training;
    const FROM_BAGS_ONLY: bool = true;
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 99, row: &ROW });

    fn plan(_: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        Ok(Plan::fold(RootSplits { n_groups: subject.groups.n_groups() }))
    }
}

#[derive(Debug)]
struct RootSplits {
    n_groups: usize,
}

impl Fold for RootSplits {
    type Part = Vec<f64>;
    type Total = Vec<Vec<f64>>;

    fn tree(&self, view: &TreeView<'_>) -> Vec<f64> {
        let mut at_root = vec![0.0; self.n_groups];
        if let Some(Node::Split(split)) = view.tree.nodes().first() {
            at_root[view.groups.of_column()[split.feature as usize] as usize] = 1.0;
        }
        at_root
    }

    fn merge(&self, total: &mut Vec<Vec<f64>>, part: Vec<f64>) {
        total.push(part);
    }

    fn finish(&self, per_tree: Vec<Vec<f64>>, _: Outcome<'_>) -> Importance {
        mean_over_trees(&Definition::INFO, per_tree, self.n_groups)
    }
}
