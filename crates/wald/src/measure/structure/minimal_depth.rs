//! Depth of the first split on a variable: Ishwaran et al. 2010.

use crate::error::Error;
use crate::forest::Node;
use crate::importance::{DataUsed, Importance};
use crate::measure::kernel::over_trees::mean_over_trees;
use crate::measure::references::ISHWARAN_2010;
use crate::measure::{Effort, MeasureInfo, MeasureSettings, Scale, Subject};
use crate::pass::{Fold, Outcome, Plan, TreeView};

pub(crate) const INFO: MeasureInfo = MeasureInfo {
    id: "minimal_depth",
    name: "Minimal depth",
    estimand: "The depth of the split on a variable that is nearest to the root, averaged over \
               trees; the root has depth 0, and a tree without such a split counts its own depth",
    caveat: "Small means important; looks at the order of splits only, not at how much they \
             help; favours variables with many distinct values",
    source: "Ishwaran et al. 2010",
    references: &[ISHWARAN_2010],
    unit: "levels below the root (small is important)",
    scale: Scale::Free,
    cost: "free while growing; otherwise O(nodes)",
    effort: Effort::Pass,
    data: DataUsed::Training,
    small_is_important: true,
    needs: &[],
    regression_losses: &[],
    classification_losses: &[],
    normalisations: &[],
    options: &[],
};

#[derive(Debug)]
struct MinimalDepth {
    n_groups: usize,
}

#[expect(clippy::unnecessary_wraps, reason = "all measures share one signature")]
pub(crate) fn plan(_: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
    Ok(Plan::fold(MinimalDepth { n_groups: subject.groups.n_groups() }))
}

impl Fold for MinimalDepth {
    type Part = Vec<f64>;
    type Total = Vec<Vec<f64>>;

    fn tree(&self, view: &TreeView<'_>) -> Vec<f64> {
        let depths = view.tree.depths();
        let deepest = depths.iter().copied().max().unwrap_or(0);
        let mut first = vec![deepest; self.n_groups];
        for (node, depth) in view.tree.nodes().iter().zip(&depths) {
            if let Node::Split(split) = node {
                let group = view.groups.of_column()[split.feature as usize];
                let first = &mut first[group as usize];
                *first = (*first).min(*depth);
            }
        }
        first.into_iter().map(f64::from).collect()
    }

    fn merge(&self, total: &mut Vec<Vec<f64>>, part: Vec<f64>) {
        total.push(part);
    }

    fn finish(&self, per_tree: Vec<Vec<f64>>, _: Outcome<'_>) -> Importance {
        mean_over_trees(&INFO, per_tree, self.n_groups)
    }
}
