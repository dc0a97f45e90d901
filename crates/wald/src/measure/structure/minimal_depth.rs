//! Depth of the first split on a variable: Ishwaran et al. 2010.

use crate::error::Error;
use crate::forest::Node;
use crate::importance::{DataUsed, Importance};
use crate::measure::definition::references::{ISHWARAN_2010, Reference};
use crate::measure::definition::verdicts::Verdicts;
use crate::measure::definition::{MeasureDef, MeasureSettings, Scale};
use crate::measure::kernel::over_trees::mean_over_trees;
use crate::measure::structure::split_count;
use crate::pass::{Fold, Outcome, Plan, Subject, TreeView};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "minimal_depth";
    const CALLED: &'static [&'static str] = &["depth"];
    const NAME: &'static str = "Minimal depth";
    const ESTIMAND: &'static str = "\
        The depth of the split on a variable that is nearest to the root, averaged over trees; the \
        root has depth 0, and a tree without such a split counts its own depth";
    const CAVEAT: &'static str = "\
        Small values are important; depends on the order of splits only, not on their gain; \
        favours variables with many distinct values";
    const SOURCE: &'static str = "Ishwaran et al. 2010";
    const REFERENCES: &'static [Reference] = &[ISHWARAN_2010];
    const UNIT: &'static str = "levels below the root (small is important)";
    const SCALE: Scale = Scale::Invariant;
    const COST: &'static str = "free while growing; otherwise O(nodes)";
    const DATA: DataUsed = DataUsed::Training;
    const SMALL_IS_IMPORTANT: bool = true;
    const FROM_BAGS_ONLY: bool = true;
    const READS_ROWS: bool = false;
    const SHAPED_BY_OTHERS: bool = true;
    const FAVOURS_MANY_VALUES: bool = true;
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 21, row: &split_count::ROW });

    fn plan(_: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        Ok(Plan::fold(MinimalDepth { n_groups: subject.groups.n_groups() }))
    }
}

#[derive(Debug)]
struct MinimalDepth {
    n_groups: usize,
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

    fn fits(&self, _: usize, part: &Vec<f64>) -> bool {
        part.len() == self.n_groups
    }

    fn merge(&self, total: &mut Vec<Vec<f64>>, part: Vec<f64>) {
        total.push(part);
    }

    fn finish(&self, per_tree: Vec<Vec<f64>>, _: Outcome<'_>) -> Importance {
        mean_over_trees(&Definition::INFO, per_tree, self.n_groups)
    }
}
