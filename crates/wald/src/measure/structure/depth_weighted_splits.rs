//! Shares of splits by depth, early ones counting more: Athey, Tibshirani & Wager 2019, grf.

use crate::error::Error;
use crate::forest::Node;
use crate::importance::{DataUsed, Importance};
use crate::measure::definition::references::{ATHEY_2019, Reference};
use crate::measure::definition::verdicts::Verdicts;
use crate::measure::definition::{MeasureDef, MeasureSettings, Scale};
use crate::measure::structure::split_count;
use crate::pass::{Fold, Outcome, Plan, Subject, TreeView};

/// Depths that count, the root's being the first, and the power by which later ones count less: the
/// defaults of grf.
const N_DEPTHS: usize = 4;
const DECAY: i32 = 2;

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "depth_weighted_splits";
    const CALLED: &'static [&'static str] = &["splitfrequencies", "variableimportance", "grf"];
    const NAME: &'static str = "Share of splits, weighted by depth";
    const ESTIMAND: &'static str = "\
        The share of the splits of the whole forest that are on the variable, at each of the first \
        four depths, averaged with weights 1, 1/4, 1/9 and 1/16; all values add up to 1 where the \
        forest splits at all of these depths";
    const CAVEAT: &'static str = "\
        Counts irrelevant splits like important ones; favours variables with many distinct values, \
        less so than split_count. Depths at which no tree splits add nothing";
    const SOURCE: &'static str = "\
        Athey, Tibshirani & Wager 2019; variable_importance of grf, with its defaults";
    const REFERENCES: &'static [Reference] = &[ATHEY_2019];
    const UNIT: &'static str = "share of splits";
    const SCALE: Scale = Scale::Invariant;
    const COST: &'static str = "free while growing; otherwise O(nodes)";
    const DATA: DataUsed = DataUsed::Training;
    const READS_ROWS: bool = false;
    const SHAPED_BY_OTHERS: bool = true;
    const FAVOURS_MANY_VALUES: bool = true;
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 22, row: &split_count::ROW });

    fn plan(_: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        Ok(Plan::fold(DepthWeightedSplits { n_groups: subject.groups.n_groups() }))
    }
}

#[derive(Debug)]
struct DepthWeightedSplits {
    n_groups: usize,
}

impl Fold for DepthWeightedSplits {
    /// By depth, then group.
    type Part = Vec<f64>;
    type Total = Vec<f64>;

    fn tree(&self, view: &TreeView<'_>) -> Vec<f64> {
        let mut counts = vec![0.0; N_DEPTHS * self.n_groups];
        let mut level = vec![0];
        for depth in 0..N_DEPTHS {
            let mut below = Vec::new();
            for node in level {
                let Node::Split(split) = &view.tree.nodes()[node] else { continue };
                let group = view.groups.of_column()[split.feature as usize] as usize;
                counts[depth * self.n_groups + group] += 1.0;
                below.extend(view.tree.children(split));
            }
            level = below;
        }
        counts
    }

    fn fits(&self, _: usize, part: &Vec<f64>) -> bool {
        part.len() == N_DEPTHS * self.n_groups
    }

    fn merge(&self, total: &mut Vec<f64>, part: Vec<f64>) {
        total.resize(part.len(), 0.0);
        total.iter_mut().zip(part).for_each(|(sum, count)| *sum += count);
    }

    fn finish(&self, counts: Vec<f64>, _: Outcome<'_>) -> Importance {
        let mut values = vec![0.0; self.n_groups];
        let weight = |depth: usize| (depth as f64 + 1.0).powi(-DECAY);
        let total: f64 = (0..N_DEPTHS).map(weight).sum();
        for (depth, counts) in counts.chunks_exact(self.n_groups.max(1)).enumerate() {
            let n_splits: f64 = counts.iter().sum();
            for (value, count) in values.iter_mut().zip(counts) {
                *value += weight(depth) / total * count / n_splits.max(1.0);
            }
        }
        Importance {
            values: values.into_iter().map(Some).collect(),
            ..Definition::INFO.importance()
        }
    }
}
