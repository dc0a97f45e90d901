//! Values that grow with the forest: those of forests on fewer rows, of fewer trees, are brought to
//! the scale of the whole one.

use crate::importance::Importance;
use crate::inference::spread::Replicate;
use crate::measure::{Measure, MeasureId, Normalise, OverTrees};

/// Whether the values of a measure are sums over trees, not means.
fn is_sum(measure: MeasureId) -> bool {
    measure.info().facts.aggregation == OverTrees::Sum
}

/// What a value is, in means over trees.
pub(super) fn trees_in_value(importance: &Importance) -> f64 {
    if MeasureId::parse(importance.id).is_some_and(is_sum) {
        importance.per_tree.len() as f64
    } else {
        1.0
    }
}

/// Whether values depend on how many trees and rows there are, and not only through what the trees
/// are like: sums over trees, and values divided by their error over trees.
pub(super) fn grows(measure: &Measure) -> bool {
    is_sum(measure.id()) || measure.settings().normalise == Normalise::StandardError
}

/// Multiplies values and errors of replicates, so that their means come nearest to what was observed
/// (least squares); only for measures whose values grow. A count of splits is about proportional to
/// rows and trees, unless the depth of trees is limited: what the factor is depends on the forest, so
/// that it is estimated.
pub(super) fn to_whole(measure: &Measure, observed: &Importance, replicates: &mut [Replicate]) {
    if !grows(measure) {
        return;
    }
    let (mut product, mut square) = (0.0, 0.0);
    for (variable, whole) in observed.values.iter().enumerate() {
        let sum: Option<f64> = replicates.iter().map(|found| found.values[variable]).sum();
        if let (Some(whole), Some(sum)) = (whole, sum) {
            let mean = sum / replicates.len() as f64;
            product += whole * mean;
            square += mean * mean;
        }
    }
    if square > 0.0 {
        let factor = product / square;
        replicates.iter_mut().for_each(|found| found.multiply(factor));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::measure::MeasureSettings;

    fn replicate(values: [f64; 2]) -> Replicate {
        Replicate {
            values: values.map(Some).to_vec(),
            standard_errors: Some(vec![Some(1.0), Some(2.0)]),
        }
    }

    /// Means of (2, 4) and (4, 8) are (3, 6), of which (30, 60) is ten times as much.
    #[test]
    fn counts_are_brought_to_the_scale_of_the_whole_forest() {
        let observed = Importance {
            unit: String::new(),
            values: vec![Some(30.0), Some(60.0)],
            per_tree: vec![vec![15.0, 30.0]; 2],
            ..crate::measure::MeasureId::SplitCount.info().importance()
        };
        let of = |id| Measure::new(id, MeasureSettings::default()).expect("defaults");
        let draws = [replicate([2.0, 4.0]), replicate([4.0, 8.0])];
        let mut found = draws.to_vec();
        to_whole(&of(MeasureId::SplitCount), &observed, &mut found);
        assert_eq!(found[0].values, [Some(20.0), Some(40.0)]);
        assert_eq!(found[1].standard_errors, Some(vec![Some(10.0), Some(20.0)]));
        let mut found = draws.to_vec();
        to_whole(&of(MeasureId::Mdi), &observed, &mut found);
        assert_eq!(found, draws, "means over trees stay as they are");
        assert_eq!(trees_in_value(&observed), 2.0);
        assert_eq!(trees_in_value(&Importance { id: "mdi", ..observed }), 1.0);
    }
}
