//! Random thresholds: where they lie, and how often which variable and threshold is drawn.

use wald::ForestConfig;
use wald::data::ColumnData;
use wald::forest::{Node, Rule, Sampling, Splitting};

use crate::support::{Shape, child, dataset, grow};

const MIXED: Shape = Shape { n_rows: 150, n_classes: 0, missing: true, weights: false, seed: 31 };

#[test]
fn thresholds_divide_the_rows_of_their_node() {
    let data = dataset(MIXED);
    let config = ForestConfig {
        splitting: Splitting::RandomThreshold,
        mtry: Some(6),
        min_node_size: Some(1),
        n_trees: 20,
        ..ForestConfig::default()
    };
    let forest = grow(&data, &config);
    let mut n_kinds = [0; 3];
    for (tree, bag) in forest.trees().iter().zip(forest.bags().expect("own bags")) {
        let mut pending =
            vec![(0, (0..150).filter(|&row| bag.counts()[row] > 0).collect::<Vec<usize>>())];
        while let Some((node, rows)) = pending.pop() {
            let Node::Split(split) = &tree.nodes()[node] else { continue };
            let column = &data.features().columns()[split.feature as usize];
            match (column.data(), split.rule) {
                (ColumnData::Numeric(values), Rule::AtMost { threshold, .. }) => {
                    n_kinds[0] += 1;
                    let present = rows.iter().map(|&row| values[row]).filter(|x| !x.is_nan());
                    let low = present.clone().fold(f64::INFINITY, f64::min);
                    let high = present.fold(f64::NEG_INFINITY, f64::max);
                    assert!(low <= threshold && threshold < high);
                }
                (ColumnData::Categorical(_), Rule::Levels { .. }) => n_kinds[1] += 1,
                (_, Rule::Present) => n_kinds[2] += 1,
                (_, rule) => panic!("{rule:?}"),
            }
            for side in [0, 1] {
                let rows: Vec<usize> = rows
                    .iter()
                    .copied()
                    .filter(|&row| child(&data, tree, split, row, None) == side)
                    .collect();
                assert!(!rows.is_empty(), "both children have rows");
                pending.push((split.first_child as usize + side, rows));
            }
        }
    }
    assert!(n_kinds.iter().all(|&count| count > 3), "{n_kinds:?}");
}

/// The root of totally randomized trees: which variable, and which threshold.
#[test]
fn totally_randomized_roots_are_uniform() {
    let n_trees = 6000;
    let data = dataset(Shape { missing: false, weights: false, ..MIXED });
    let config = ForestConfig {
        splitting: Splitting::RandomThreshold,
        mtry: Some(1),
        max_depth: Some(1),
        sampling: Sampling::All,
        n_trees,
        ..ForestConfig::default()
    };
    let forest = grow(&data, &config);
    let mut counts = [0.0_f64; 6];
    let mut shares = Vec::new();
    let ColumnData::Numeric(values) = data.features().columns()[0].data() else {
        panic!("numbers")
    };
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for tree in forest.trees() {
        let Node::Split(split) = tree.nodes()[0] else { panic!("a split") };
        counts[split.feature as usize] += 1.0;
        if let (0, Rule::AtMost { threshold, .. }) = (split.feature, split.rule) {
            shares.push((threshold - low) / (high - low));
        }
    }
    assert_eq!(counts[3], 0.0, "the constant column");
    let expected = n_trees as f64 / 5.0;
    let chi_square: f64 = [0, 1, 2, 4, 5]
        .map(|feature: usize| (counts[feature] - expected).powi(2) / expected)
        .iter()
        .sum();
    // Chi-square with 4 degrees of freedom: 18.5 is the 99.9 % point.
    assert!(chi_square < 18.5, "{counts:?}");
    shares.sort_by(f64::total_cmp);
    let n = shares.len() as f64;
    let gaps = shares.iter().enumerate();
    let gap =
        gaps.map(|(index, share)| (share - (index as f64 + 0.5) / n).abs()).fold(0.0, f64::max);
    // Kolmogorov & Smirnov: 1.95 / sqrt(n) is the 99.9 % point.
    assert!(gap < 1.95 / n.sqrt(), "{gap} of {n}");
}
