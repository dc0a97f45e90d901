//! Number of splits on a variable: Strobl et al. 2007.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::forest::Node;
use crate::importance::{DataUsed, Importance};
use crate::measure::kernel::over_trees::over_trees;
use crate::measure::references::STROBL_2007;
use crate::measure::{Effort, MeasureInfo, MeasureSettings, Scale, Subject};
use crate::pass::{Fold, Outcome, Plan, TreeView};

pub(crate) const INFO: MeasureInfo = MeasureInfo {
    id: "split_count",
    name: "Number of splits",
    estimand: "How many splits of the whole forest ask about a variable",
    caveat: "Counts splits that mean nothing like those that mean much; favours variables with \
             many distinct values",
    source: "Strobl et al. 2007",
    references: &[STROBL_2007],
    unit: "splits",
    scale: Scale::Free,
    cost: "free while growing; otherwise O(nodes)",
    effort: Effort::Pass,
    data: DataUsed::Training,
    small_is_important: false,
    needs: &[],
    regression_losses: &[],
    classification_losses: &[],
    normalisations: &[],
    options: &[],
};

#[derive(Debug)]
struct SplitCount {
    n_groups: usize,
}

#[expect(clippy::unnecessary_wraps, reason = "all measures share one signature")]
pub(crate) fn plan(_: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
    Ok(Plan::fold(SplitCount { n_groups: subject.groups.n_groups() }))
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
            id: INFO.id,
            data: INFO.data,
            loss: None,
            unit: INFO.unit.to_owned(),
            values: (0..self.n_groups).map(|feature| Some(sum(feature))).collect(),
            standard_errors: errors,
            p_values: None,
            total_errors: None,
            per_class: None,
            by_degree: None,
            per_tree,
            repeats: Vec::new(),
            settings: BTreeMap::new(),
            notes: Vec::new(),
        }
    }
}
