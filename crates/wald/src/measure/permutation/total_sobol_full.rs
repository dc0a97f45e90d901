//! The full total Sobol index as the difference of two permutation importances: Bénard, Da Veiga &
//! Scornet 2022, Remark 1.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::importance::{DataUsed, Importance};
use crate::measure::permutation::kernel::blocks::{BlockPart, BlocksTotal};
use crate::measure::permutation::mda_breiman_cutler::{self, MdaBreimanCutler};
use crate::measure::permutation::mda_ishwaran_kogalur::MdaIshwaranKogalur;
use crate::measure::references::BENARD_2022;
use crate::measure::{
    Effort, Loss, MeasureInfo, MeasureSettings, Needs, Normalise, Scale, Subject,
};
use crate::pass::{Fold, Outcome, Plan, TreeView};

pub(crate) const INFO: MeasureInfo = MeasureInfo {
    id: "total_sobol_full",
    name: "Full total Sobol index from two permutation importances",
    estimand: "The share of the target's variance that is due to the variable together with what \
               depends on it and interacts with it (its full total Sobol index), as the \
               Breiman-Cutler minus the Ishwaran-Kogalur importance",
    caveat: "Right in the limit of infinitely many rows only: single trees err more than the \
             forest, so that with any real number of rows it is strongly biased. What is lost \
             without the variable is another index: see sobol_mda",
    source: "Bénard, Da Veiga & Scornet 2022, Remark 1",
    references: &[BENARD_2022],
    unit: "share of the variance of the target",
    scale: Scale::Free,
    cost: "that of mda_breiman_cutler and mda_ishwaran_kogalur",
    effort: Effort::Pass,
    data: DataUsed::OutOfBag,
    small_is_important: false,
    needs: &[Needs::OutOfBagRows, Needs::EqualTrees],
    regression_losses: &[Loss::Squared],
    classification_losses: &[Loss::Squared],
    normalisations: &[],
    options: &[],
};

#[derive(Debug)]
struct TotalSobolFull {
    of_trees: MdaBreimanCutler,
    of_forest: MdaIshwaranKogalur,
    /// Of the target over all rows, divisor n - 1.
    variance: f64,
}

#[derive(Debug, Default)]
struct Total {
    of_trees: mda_breiman_cutler::Total,
    of_forest: BlocksTotal,
    /// By tree: whether it has out-of-bag rows that count.
    has_rows: Vec<bool>,
}

pub(crate) fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
    let settings = MeasureSettings { normalise: Normalise::None, ..settings.clone() };
    Ok(Plan::fold(TotalSobolFull {
        of_trees: MdaBreimanCutler::new(&settings, subject)?,
        of_forest: MdaIshwaranKogalur::new(&settings, subject)?,
        variance: subject.training.response_variance(),
    }))
}

impl Fold for TotalSobolFull {
    type Part = (mda_breiman_cutler::Part, BlockPart);
    type Total = Total;

    fn tree(&self, view: &TreeView<'_>) -> Self::Part {
        (self.of_trees.tree(view), self.of_forest.tree(view))
    }

    fn merge(&self, total: &mut Total, (of_tree, of_forest): Self::Part) {
        total.has_rows.push(of_tree.has_rows());
        self.of_trees.merge(&mut total.of_trees, of_tree);
        self.of_forest.merge(&mut total.of_forest, of_forest);
    }

    fn finish(&self, mut total: Total, outcome: Outcome<'_>) -> Importance {
        let influences = match total.of_forest.finished.as_mut_slice() {
            [forest] => std::mem::take(&mut forest.influences),
            _ => Vec::new(),
        };
        let of_trees = self.of_trees.finish(total.of_trees, outcome);
        let of_forest = self.of_forest.finish(total.of_forest, outcome);
        let share = |value: f64| (self.variance > 0.0).then(|| value / self.variance);
        let pairs = of_trees.values.iter().zip(&of_forest.values);
        let mut notes = of_trees.notes.clone();
        notes.extend(of_forest.notes);
        if self.variance <= 0.0 {
            notes.push("undefined, because the target is constant".to_owned());
        }
        let repeats = of_trees.repeats.iter().zip(&of_forest.repeats);
        let repeats = repeats.filter_map(|(one, other)| -> Option<Vec<f64>> {
            one.iter().zip(other).map(|(one, other)| share(one - other)).collect()
        });
        let errors = standard_errors(&of_trees, &influences, &total.has_rows);
        Importance {
            id: INFO.id,
            data: INFO.data,
            loss: Some(Loss::Squared.id()),
            unit: INFO.unit.to_owned(),
            values: pairs.map(|(one, other)| share((*one)? - (*other)?)).collect(),
            standard_errors: errors.map(|errors| errors.into_iter().map(share).collect()),
            p_values: None,
            total_errors: None,
            per_class: None,
            by_degree: None,
            per_tree: Vec::new(),
            repeats: repeats.collect(),
            settings: BTreeMap::from([
                ("permutations", of_forest.settings["permutations"].clone()),
                ("normalise", Normalise::Variance.id().to_owned()),
            ]),
            notes,
        }
    }
}

/// Both importances are of the same trees: what a tree adds to the difference is what it adds to
/// the one minus what it adds to the other.
fn standard_errors(
    of_trees: &Importance,
    influences: &[Vec<f64>],
    has_rows: &[bool],
) -> Option<Vec<f64>> {
    if influences.len() < 2 {
        return None;
    }
    let n_counted = of_trees.per_tree.len() as f64;
    let all = has_rows.len() as f64 / influences.len() as f64;
    let error = |group: usize| -> Option<f64> {
        let mean = of_trees.values[group]?;
        let mut counted = of_trees.per_tree.iter();
        let squares = influences.iter().zip(has_rows).map(|(influence, has_rows)| {
            let tree = if *has_rows { counted.next() } else { None };
            let own = tree.map_or(0.0, |tree| (tree[group] - mean) / n_counted);
            (own - influence[group]).powi(2)
        });
        Some((all * squares.sum::<f64>()).sqrt())
    };
    (0..of_trees.values.len()).map(error).collect()
}
