//! Forests on columns and their shadows.

use wald::data::{Column, Target};
use wald::forest::{Shadowed, Splitting};
use wald::{Dataset, Error, ForestConfig, Run, Threads};

use crate::support::{Numbers, Shape, dataset, levels_only, threads};

fn grow(data: &Dataset, config: &ForestConfig) -> Shadowed {
    Shadowed::grow(data, config, &Run::on(threads())).expect("valid settings")
}

fn mean(per_tree: &[Vec<f64>], column: usize) -> f64 {
    per_tree.iter().map(|tree| tree[column]).sum::<f64>() / per_tree.len() as f64
}

/// Noise of two, four, ... distinct values gains by chance; more values gain more. What its
/// shadow gains takes that away.
#[test]
fn shadows_take_away_what_noise_gains_by_chance() {
    let n_rows = 200;
    let n_data = 40;
    let mut sums = vec![[0.0; 2]; 6];
    for seed in 0..n_data {
        let mut numbers = Numbers(seed + 100);
        let mut columns = Vec::new();
        for n_distinct in [2_u32, 4, 10, 1000, 1_000_000] {
            let values = (0..n_rows).map(|_| f64::from(numbers.below(n_distinct))).collect();
            columns.push(Column::numeric(format!("{n_distinct}"), values).expect("finite"));
        }
        let x: Vec<f64> = (0..n_rows).map(|_| numbers.unit()).collect();
        let y = x.iter().map(|x| 2.0 * x + numbers.unit()).collect();
        columns.push(Column::numeric("signal", x).expect("finite"));
        let target = Target::regression("y", y).expect("finite");
        let data = Dataset::new(columns, target).expect("consistent");
        let config = ForestConfig { n_trees: 40, seed, ..ForestConfig::default() };
        let found = grow(&data, &config);
        for (column, sums) in sums.iter_mut().enumerate() {
            let raw = mean(&found.columns, column);
            sums[0] += raw / n_data as f64;
            sums[1] += (raw - mean(&found.shadows, column)) / n_data as f64;
        }
    }
    let (noise, signal) = sums.split_at(5);
    assert!(noise[4][0] > 3.0 * noise[0][0], "{sums:?}");
    for [raw, corrected] in noise {
        assert!(corrected.abs() < 0.12 * noise[4][0], "{raw} {corrected} {sums:?}");
    }
    assert!(signal[0][1] > 5.0 * noise[4][0], "{sums:?}");
}

#[test]
fn equal_bits_for_any_number_of_threads_and_way_of_growing() {
    let shape = Shape { n_rows: 120, n_classes: 3, missing: true, weights: true, seed: 4 };
    let ways = [
        (dataset(shape), Splitting::Best),
        (dataset(shape), Splitting::RandomThreshold),
        (levels_only(shape), Splitting::Multiway),
        (dataset(shape), Splitting::Conditional),
    ];
    for (data, splitting) in ways {
        let config = ForestConfig { n_trees: 9, splitting, ..ForestConfig::default() };
        let one = Shadowed::grow(&data, &config, &Run::on(Threads::new(1).expect("one")));
        let one = one.expect("valid settings");
        assert_eq!(one, grow(&data, &config));
        assert_eq!((one.columns.len(), one.columns[0].len(), one.shadows[0].len()), (9, 6, 6));
        // Shadows are drawn and used, but not by all alike.
        assert!(one.shadows.iter().flatten().any(|decrease| *decrease > 0.0));
        assert!(one.columns.iter().chain(&one.shadows).all(|tree| tree[3] == 0.0), "constant");
        let other = grow(&data, &ForestConfig { seed: 1, ..config });
        assert_ne!(one, other);
    }
}

#[test]
fn a_subspace_is_refused() {
    let shape = Shape { n_rows: 30, n_classes: 0, missing: false, weights: false, seed: 4 };
    let config = ForestConfig { subspace: Some(2), ..ForestConfig::default() };
    let refused = Shadowed::grow(&dataset(shape), &config, &Run::on(threads()));
    let Err(Error::Setting { what, .. }) = refused else { panic!("{refused:?}") };
    assert!(what.contains("subspace"), "{what:?}");
}
