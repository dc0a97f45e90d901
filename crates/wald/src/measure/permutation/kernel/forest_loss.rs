//! How much the loss of a forest's out-of-bag predictions grows when they are altered, for any
//! loss.

use crate::data::Truth;
use crate::loss::{Loss, prediction_loss};
use crate::measure::kernel::row_sums::RowSums;
use crate::pass::{OutOfBag, area_under_curve};

/// Mean losses of altered predictions minus those of the forest, by group.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MeanIncreases {
    /// `None` where no row that counts is out of bag, or, of the area under the curve, where a
    /// class is absent.
    pub(crate) values: Option<Vec<f64>>,
    /// Of classes: means over the rows of each class; `None` where it has none. None at all of
    /// the area under the curve, which compares classes.
    pub(crate) per_class: Vec<Option<Vec<f64>>>,
}

/// Sums over rows, with the weight of the rows, divided.
pub(crate) fn mean_of(sums: &[f64], weight: f64) -> Option<Vec<f64>> {
    (weight > 0.0).then(|| sums.iter().map(|sum| sum / weight).collect())
}

/// Compares altered predictions with those of the forest: `changes` are sums over trees of what
/// changes. Cost O(rows * groups * outputs); of the area under the curve, rows are sorted for
/// every group.
pub(crate) fn mean_increases(
    truth: &Truth,
    out_of_bag: &OutOfBag,
    changes: &RowSums,
    n_groups: usize,
    loss: Loss,
) -> MeanIncreases {
    if loss == Loss::Auc {
        let values = area_decreases(truth, out_of_bag, changes, n_groups);
        return MeanIncreases { values, per_class: Vec::new() };
    }
    let mut prediction = vec![0.0; truth.n_outputs()];
    let mut altered = prediction.clone();
    let (mut sums, mut weight_of_all) = (vec![0.0; n_groups], 0.0);
    let mut per_class = vec![(vec![0.0; n_groups], 0.0); truth.n_classes()];
    for row in 0..truth.n_rows() {
        let weight = truth.weight(row as u32);
        if weight <= 0.0 || !out_of_bag.predict_into(row, &mut prediction) {
            continue;
        }
        let n_trees = f64::from(out_of_bag.n_trees(row));
        weight_of_all += weight;
        let of_class = truth.class(row as u32).map(|class| &mut per_class[class]);
        let (mut class_sums, class_weight) = of_class.map(|(sums, weight)| (sums, weight)).unzip();
        if let Some(of_class) = class_weight {
            *of_class += weight;
        }
        let loss_of = |prediction: &[f64]| prediction_loss(loss, truth.response(), row, prediction);
        let unaltered = loss_of(&prediction);
        for (group, changes) in changes.row(row as u32) {
            if changes.iter().all(|change| *change == 0.0) {
                continue;
            }
            let terms = altered.iter_mut().zip(&prediction).zip(changes);
            terms.for_each(|((altered, own), change)| *altered = own + change / n_trees);
            let increase = weight * (loss_of(&altered) - unaltered);
            sums[group] += increase;
            if let Some(sums) = &mut class_sums {
                sums[group] += increase;
            }
        }
    }
    MeanIncreases {
        values: mean_of(&sums, weight_of_all),
        per_class: per_class.iter().map(|(sums, weight)| mean_of(sums, *weight)).collect(),
    }
}

/// By how much the area under the curve shrinks.
fn area_decreases(
    truth: &Truth,
    out_of_bag: &OutOfBag,
    changes: &RowSums,
    n_groups: usize,
) -> Option<Vec<f64>> {
    let mut prediction = vec![0.0; truth.n_outputs()];
    // The score of a row is its proportion of the second class.
    let mut scores = Vec::new();
    for row in 0..truth.n_rows() {
        let weight = truth.weight(row as u32);
        if weight > 0.0 && out_of_bag.predict_into(row, &mut prediction) {
            let is_second = truth.class(row as u32) == Some(1);
            scores.push((row, (prediction[1], weight, is_second)));
        }
    }
    let unaltered = area_under_curve(scores.iter().map(|(_, score)| *score).collect())?;
    let decrease = |group: usize| {
        let altered = scores.iter().map(|&(row, (score, weight, is_second))| {
            let n_trees = f64::from(out_of_bag.n_trees(row));
            let change = changes.get(row as u32, group as u32).map_or(0.0, |sums| sums[1]);
            (score + change / n_trees, weight, is_second)
        });
        area_under_curve(altered.collect()).map(|area| unaltered - area)
    };
    (0..n_groups).map(decrease).collect()
}
