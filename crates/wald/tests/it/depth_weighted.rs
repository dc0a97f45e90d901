//! Shares of splits by depth, against counts by walking down from the root.

use wald::forest::Node;
use wald::measure::MeasureSettings;
use wald::{ForestConfig, MeasureId};

use crate::support::{Shape, assert_close, dataset, grow, measure};

#[test]
fn shares_are_those_of_counts_by_depth() {
    let shape = Shape { n_rows: 60, n_classes: 3, missing: true, weights: false, seed: 5 };
    let data = dataset(shape);
    let forest = grow(&data, &ForestConfig { n_trees: 7, ..ForestConfig::default() });
    let n = data.features().n_columns();
    let mut counts = [[0.0; 6]; 4];
    for tree in forest.trees() {
        let mut pending = vec![(0, 0)];
        while let Some((node, depth)) = pending.pop() {
            let Node::Split(split) = &tree.nodes()[node] else { continue };
            if depth < 4 {
                counts[depth][split.feature as usize] += 1.0;
            }
            pending.extend(tree.children(split).map(|child| (child, depth + 1)));
        }
    }
    let found = measure(&data, &forest, MeasureId::DepthWeightedSplits, MeasureSettings::default());
    let weights = [1.0, 1.0 / 4.0, 1.0 / 9.0, 1.0 / 16.0];
    let mut sum = 0.0;
    for variable in 0..n {
        let shares = counts
            .iter()
            .zip(weights)
            .map(|(counts, weight)| weight * counts[variable] / counts.iter().sum::<f64>());
        let expected = shares.sum::<f64>() / weights.iter().sum::<f64>();
        let value = found.values[variable].expect("defined");
        assert_close(value, expected, &format!("variable {variable}"));
        sum += value;
    }
    assert_close(sum, 1.0, "all shares");
}
