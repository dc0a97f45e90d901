//! Number of splits on a variable: Strobl et al. 2007.

use crate::error::Error;
use crate::forest::Node;
use crate::importance::{DataUsed, Importance};
use crate::measure::definition::references::{Reference, STROBL_2007};
use crate::measure::definition::verdicts::{Judgement, Row, Validity, Verdicts};
use crate::measure::definition::{MeasureDef, MeasureSettings, OverTrees, Scale};
use crate::measure::kernel::over_trees::over_trees;
use crate::pass::{Fold, Outcome, Plan, Subject, TreeView};

/// What the measure serves for.
pub(in crate::measure) const ROW: Row = Row {
    selection: Judgement {
        serves: [Validity::Invalid, Validity::Invalid, Validity::Invalid],
        because: ["Measures where splits are, not what is lost without the variable."; 3],
    },
    influence: Judgement {
        serves: [Validity::Careful, Validity::Careful, Validity::Careful],
        because: ["Measures where splits are, not how much they explain."; 3],
    },
    source: "Ishwaran et al. 2010 (minimal depth); no limit is known",
};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "split_count";
    const CALLED: &'static [&'static str] = &["split", "frequency", "weight"];
    const NAME: &'static str = "Number of splits";
    const ESTIMAND: &'static str = "The number of splits on a variable in the whole forest";
    const CAVEAT: &'static str = "\
        Counts irrelevant splits like important ones; favours variables with many distinct values";
    const SOURCE: &'static str = "Strobl et al. 2007";
    const REFERENCES: &'static [Reference] = &[STROBL_2007];
    const UNIT: &'static str = "splits";
    const SCALE: Scale = Scale::Invariant;
    const COST: &'static str = "free while growing; otherwise O(nodes)";
    const DATA: DataUsed = DataUsed::Training;
    const AGGREGATION: OverTrees = OverTrees::Sum;
    const FROM_BAGS_ONLY: bool = true;
    const READS_ROWS: bool = false;
    const SHAPED_BY_OTHERS: bool = true;
    const FAVOURS_MANY_VALUES: bool = true;
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 20, row: &ROW });

    fn plan(_: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        Ok(Plan::fold(SplitCount { n_groups: subject.groups.n_groups() }))
    }
}

#[derive(Debug)]
struct SplitCount {
    n_groups: usize,
}

impl Fold for SplitCount {
    type Part = Vec<f64>;
    type Total = Vec<Vec<f64>>;

    fn tree(&self, view: &TreeView<'_>) -> Vec<f64> {
        let mut counts = vec![0.0; self.n_groups];
        for node in view.tree.nodes() {
            if let Node::Split(split) = node {
                counts[view.groups.of_column()[split.feature as usize] as usize] += 1.0;
            }
        }
        counts
    }

    fn fits(&self, _: usize, part: &Vec<f64>) -> bool {
        part.len() == self.n_groups
    }

    fn merge(&self, total: &mut Vec<Vec<f64>>, part: Vec<f64>) {
        total.push(part);
    }

    fn finish(&self, per_tree: Vec<Vec<f64>>, _: Outcome<'_>) -> Importance {
        let sum = |feature: usize| per_tree.iter().map(|tree| tree[feature]).sum();
        // The error of a sum of independent trees is that of their mean, times their number.
        let n_trees = per_tree.len() as f64;
        let of_sum = |errors: Vec<f64>| errors.into_iter().map(|e| Some(n_trees * e)).collect();
        let errors = over_trees(&per_tree).and_then(|found| found.standard_errors).map(of_sum);
        Importance {
            values: (0..self.n_groups).map(|feature| Some(sum(feature))).collect(),
            standard_errors: errors,
            per_tree,
            ..Definition::INFO.importance()
        }
    }
}
