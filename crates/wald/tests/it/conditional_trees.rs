//! What must hold of conditional inference trees besides what `party` compares: no kind of variable
//! is preferred, p-values are correct, and neither units nor rows that do not count matter.

use wald::data::{Column, Target};
use wald::forest::{Node, Sampling, Splitting};
use wald::{Dataset, ForestConfig};

use crate::support::{Numbers, Shape, dataset, grow};

const N_ROWS: usize = 120;

/// One tree on all rows that tries all variables.
fn single(n_variables: usize) -> ForestConfig {
    ForestConfig {
        n_trees: 1,
        mtry: Some(n_variables),
        sampling: Sampling::All,
        ..ForestConfig::for_splitting(Splitting::Conditional)
    }
}

/// A target of noise, and columns of different kinds that are independent of it.
fn noise(seed: u64, n_classes: u32) -> Dataset {
    // Neighbouring seeds give streams that are alike at first.
    let mut numbers = Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    for _ in 0..20 {
        numbers.unit();
    }
    let numeric = |name: &str, values: Vec<f64>| Column::numeric(name, values).expect("finite");
    let mut levels = |n: u32| {
        let names = (0..n).map(|level| level.to_string()).collect();
        let codes = (0..N_ROWS).map(|_| numbers.below(n)).collect();
        Column::categorical(format!("{n} levels"), names, codes).expect("codes")
    };
    let of_levels = [levels(2), levels(4), levels(10)];
    let mut values = |n: u32| (0..N_ROWS).map(|_| f64::from(numbers.below(n))).collect();
    let of_numbers = [numeric("many", values(1 << 30)), numeric("few", values(4))];
    let target = if n_classes == 0 {
        Target::regression("y", values(1 << 30)).expect("finite")
    } else {
        let names = (0..n_classes).map(|class| class.to_string()).collect();
        let codes = (0..N_ROWS).map(|_| numbers.below(n_classes)).collect();
        Target::classification("y", names, codes).expect("codes")
    };
    Dataset::new(of_levels.into_iter().chain(of_numbers).collect(), target).expect("consistent")
}

fn root(data: &Dataset, config: &ForestConfig) -> Option<usize> {
    match &grow(data, config).trees()[0].nodes()[0] {
        Node::Split(split) => Some(split.feature as usize),
        Node::Leaf => None,
    }
}

/// Hothorn, Hornik & Zeileis 2006, Section 5.1: irrelevant variables are chosen equally often,
/// however many divisions they offer.
#[test]
fn no_kind_of_variable_is_preferred() {
    let n_data = 1500;
    for n_classes in [0, 2, 4] {
        let config = ForestConfig { max_depth: Some(1), min_leaf_size: 1, ..single(5) };
        let mut counts = [0.0_f64; 5];
        for seed in 0..n_data {
            let chosen = root(&noise(seed, n_classes), &config).expect("p is below 1");
            counts[chosen] += 1.0;
        }
        // A fifth for each: within four standard deviations, sqrt(n 0.2 0.8).
        let expected = n_data as f64 / 5.0;
        let band = 4.0 * (expected * 0.8).sqrt();
        assert!(counts.iter().all(|count| (count - expected).abs() < band), "{counts:?}");
        // The best of all divisions prefers the variables that offer many.
        let best = ForestConfig { splitting: Splitting::Best, min_child_fraction: 0.0, ..config };
        let mut many = 0.0;
        for seed in 0..200 {
            many += f64::from(u8::from([Some(2), Some(3)].contains(&root(&noise(seed, 2), &best))));
        }
        assert!(many > 160.0, "{many}");
    }
}

/// A split is made of noise as often as the criterion allows, for one variable and for all
/// together.
#[test]
fn noise_is_split_as_often_as_the_criterion_says() {
    let n_data = 1200_u32;
    for n_classes in [0, 3] {
        for (mtry, p_values) in [(1, None), (5, Some(wald::forest::PValues::Bonferroni))] {
            let config = ForestConfig {
                max_depth: Some(1),
                mtry: Some(mtry),
                min_leaf_size: 1,
                min_criterion: Some(0.9),
                p_values,
                ..single(5)
            };
            let of_seed = |seed: u32| {
                let config = ForestConfig { seed: u64::from(seed), ..config.clone() };
                root(&noise(u64::from(seed) + 5000, n_classes), &config).is_some()
            };
            let n_split = (0..n_data).filter(|&seed| of_seed(seed)).count() as f64;
            let share = n_split / f64::from(n_data);
            // Four standard deviations of a share of a tenth, and chi-square is an approximation.
            let band = 4.0 * (0.09 / f64::from(n_data)).sqrt() + 0.005;
            assert!((share - 0.1).abs() < band, "{n_classes} classes, {mtry} tried: {share}");
        }
    }
}

/// Which variable each node of the first tree splits on, with the weight of the node.
fn questions(data: &Dataset, config: &ForestConfig) -> Vec<(Option<u32>, f64)> {
    let forest = grow(data, config);
    let tree = &forest.trees()[0];
    let weights = tree.statistics().expect("own trees");
    let node = |(index, node): (usize, &Node)| match node {
        Node::Split(split) => (Some(split.feature), weights.weight(index)),
        Node::Leaf => (None, weights.weight(index)),
    };
    tree.nodes().iter().enumerate().map(node).collect()
}

#[test]
fn units_of_numbers_do_not_matter() {
    for n_classes in [0, 2, 3] {
        let shape = Shape { n_rows: 300, n_classes, missing: false, weights: false, seed: 8 };
        let data = dataset(shape);
        let expected = questions(&data, &single(6));
        assert!(expected.len() > 5, "{expected:?}");
        for (factor, offset) in [(1e-300, 0.0), (1e300, 0.0), (-1.0, 0.0), (1.0, 1e6)] {
            let columns = data.features().columns().iter().map(|column| match column.data() {
                wald::data::ColumnData::Numeric(values) => {
                    let values = values.iter().map(|value| value * factor + offset).collect();
                    Column::numeric(column.name(), values).expect("finite")
                }
                wald::data::ColumnData::Categorical(_) => column.clone(),
            });
            let changed = Dataset::new(columns.collect(), data.target().clone());
            let mut found = questions(&changed.expect("consistent"), &single(6));
            let mut expected = expected.clone();
            if factor < 0.0 {
                // Children change places, and thresholds are the other one of two neighbours.
                let by_weight = |a: &(_, f64), b: &(_, f64)| a.1.total_cmp(&b.1);
                found.sort_by(by_weight);
                expected.sort_by(by_weight);
                found.iter_mut().chain(&mut expected).for_each(|node| node.0 = None);
            }
            assert_eq!(found, expected, "{factor} {offset}");
        }
    }
}

/// Rows of weight zero do not count, and only ratios of weights do.
#[test]
fn weights_say_how_much_rows_count() {
    for n_classes in [0, 2, 3] {
        let shape = Shape { n_rows: 400, n_classes, missing: true, weights: false, seed: 9 };
        let data = dataset(shape);
        let is_kept = |row: &u32| row % 3 != 1;
        let kept: Vec<u32> = (0..400).filter(is_kept).collect();
        let weights = |unit: f64| {
            (0..400).map(|row| if is_kept(&row) { unit } else { 0.0 }).collect::<Vec<f64>>()
        };
        let expected = questions(&data.select(&kept).expect("rows"), &single(6));
        assert!(expected.len() > 5, "{expected:?}");
        for unit in [1.0, 0.25, 1024.0] {
            let weighted = data.clone().with_weights(weights(unit)).expect("valid weights");
            let found = questions(&weighted, &single(6));
            let expected = expected.iter().map(|(feature, weight)| (*feature, weight * unit));
            assert_eq!(found, expected.collect::<Vec<_>>(), "{unit}");
        }
    }
}

/// P-values that no number can hold still determine which variable is more significant.
#[test]
fn tiny_p_values_are_told_apart() {
    let n_rows = 20_000_u32;
    let mut numbers = Numbers(11);
    let y: Vec<f64> = (0..n_rows).map(|_| numbers.unit()).collect();
    let mut near = |noise: f64| y.iter().map(|y| y + noise * numbers.unit()).collect::<Vec<f64>>();
    let names = (0..40).map(|level| level.to_string()).collect();
    let codes = near(0.02).iter().map(|value| (value * 39.0) as u32).collect();
    let columns = vec![
        Column::numeric("far", near(0.3)).expect("finite"),
        Column::categorical("levels", names, codes).expect("codes"),
        Column::numeric("near", near(0.1)).expect("finite"),
    ];
    let data = Dataset::new(columns, Target::regression("y", y).expect("finite"));
    let config = ForestConfig { max_depth: Some(1), ..single(3) };
    // By R, 19,804 with one degree of freedom has log p = -9,907, and 19,978 with 39 has -9,857.
    let chosen = root(&data.expect("consistent"), &config);
    assert_eq!(chosen, Some(2));
}
