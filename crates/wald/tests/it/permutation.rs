//! Breiman-Cutler importance against brute force over all pairs of rows, on trees with ties,
//! categories, missing values and case weights.

use std::sync::Arc;

use wald::data::{Column, MISSING_LEVEL, Response, Target, Task};
use wald::forest::{Bag, Forest, LevelSet, Tree};
use wald::measure::{Loss, MeasureSettings, Normalise, Permutations};
use wald::{Dataset, ForestConfig, Importance, MeasureId};

use crate::support::{
    self, Numbers, Shape, assert_close, assert_scattered, dataset, grow, leaf, response, weight,
};

pub fn row_loss(data: &Dataset, tree: &Tree, leaf: usize, row: usize, loss: Loss) -> f64 {
    let (truth, value) = (response(data, row), tree.value(leaf));
    match loss {
        Loss::Squared | Loss::Log | Loss::Auc => {
            truth.iter().zip(&*value).map(|(y, v)| (y - v).powi(2)).sum()
        }
        Loss::Absolute => (truth[0] - value[0]).abs(),
        Loss::ZeroOne | Loss::ZeroOneVote => {
            let largest = value.iter().copied().fold(0.0, f64::max);
            let predicted = value.iter().position(|v| *v >= largest - 1e-12).expect("not empty");
            f64::from(u8::from(truth[predicted] != 1.0))
        }
    }
}

/// Mean over rows and donors of the loss of the row with the donor's value, minus the mean loss.
pub fn brute_force(data: &Dataset, tree: &Tree, bag: &Bag, column: usize, loss: Loss) -> f64 {
    let rows: Vec<usize> = (0..data.n_rows()).filter(|&row| bag.counts()[row] == 0).collect();
    let total: f64 = rows.iter().map(|&row| weight(data, row)).sum();
    let mut sum = 0.0;
    for &row in &rows {
        let base = row_loss(data, tree, leaf(data, tree, row, None), row, loss);
        for &donor in &rows {
            let end = leaf(data, tree, row, Some((column, donor)));
            let share = weight(data, row) * weight(data, donor) / total / total;
            sum += share * (row_loss(data, tree, end, row, loss) - base);
        }
    }
    sum
}

pub fn measure(data: &Dataset, forest: &Forest, settings: MeasureSettings) -> Importance {
    support::measure(data, forest, MeasureId::MdaBreimanCutler, settings)
}

#[test]
fn exact_expectation_equals_brute_force_over_all_pairs() {
    for n_classes in [0, 2, 4] {
        for (missing, weights) in [(false, false), (true, false), (true, true)] {
            let shape = Shape { n_rows: 90, n_classes, missing, weights, seed: 11 };
            let data = dataset(shape);
            let config = ForestConfig { n_trees: 4, mtry: Some(3), ..ForestConfig::default() };
            let forest = grow(&data, &config);
            let losses: &[Loss] = match data.target().task() {
                Task::Regression => &[Loss::Squared, Loss::Absolute],
                Task::Classification => &[Loss::Squared, Loss::ZeroOne, Loss::ZeroOneVote],
            };
            for &loss in losses {
                let settings = MeasureSettings { loss: Some(loss), ..MeasureSettings::default() };
                let importance = measure(&data, &forest, settings);
                let mut largest = 0.0_f64;
                for column in 0..data.n_features() {
                    let trees = forest.trees().iter().zip(forest.bags().expect("own bags"));
                    let expected: f64 = trees
                        .map(|(tree, bag)| brute_force(&data, tree, bag, column, loss) / 4.0)
                        .sum();
                    let found = importance.values[column].expect("defined");
                    assert_close(found, expected, &format!("{shape:?} {loss:?} column {column}"));
                    largest = largest.max(expected.abs());
                }
                assert!(largest > 0.01, "no effect in {shape:?}: {largest}");
                assert_eq!(importance.values[3], Some(0.0), "a constant column");
            }
        }
    }
}

/// Random permutations scatter around the exact expectation with their own spread.
#[test]
fn random_permutations_agree_with_the_expectation() {
    let data = dataset(Shape { n_rows: 150, n_classes: 0, missing: true, weights: false, seed: 4 });
    let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
    let forest = grow(&data, &config);
    let exact = measure(&data, &forest, MeasureSettings::default());
    let repeats = 400;
    let permutations = Permutations::Random(repeats);
    let random =
        measure(&data, &forest, MeasureSettings { permutations, ..MeasureSettings::default() });
    assert_eq!(random.repeats.len(), repeats as usize);
    assert_scattered(&random, &exact);
}

/// One given permutation per tree and variable, row by row.
#[test]
fn given_permutations_are_applied_as_given() {
    let data = dataset(Shape { n_rows: 70, n_classes: 3, missing: true, weights: true, seed: 8 });
    let forest = grow(&data, &ForestConfig { n_trees: 3, ..ForestConfig::default() });
    let bags = forest.bags().expect("own bags");
    let mut numbers = Numbers(5);
    let given: Vec<Vec<Vec<u32>>> = bags
        .iter()
        .map(|bag| {
            let n_rows = bag.counts().iter().filter(|&&count| count == 0).count() as u32;
            let mut shuffled = || {
                let mut order: Vec<u32> = (0..n_rows).collect();
                for last in (1..n_rows).rev() {
                    order.swap(last as usize, numbers.below(last + 1) as usize);
                }
                order
            };
            (0..data.n_features()).map(|_| shuffled()).collect()
        })
        .collect();
    let permutations = Permutations::Given(Arc::new(given.clone()));
    let found =
        measure(&data, &forest, MeasureSettings { permutations, ..MeasureSettings::default() });
    for column in 0..data.n_features() {
        let mut expected = 0.0;
        for ((tree, bag), given) in forest.trees().iter().zip(bags).zip(&given) {
            let rows: Vec<usize> =
                (0..data.n_rows()).filter(|&row| bag.counts()[row] == 0).collect();
            let total: f64 = rows.iter().map(|&row| weight(&data, row)).sum();
            for (place, &row) in rows.iter().enumerate() {
                let donor = rows[given[column][place] as usize];
                let permuted = leaf(&data, tree, row, Some((column, donor)));
                let change = row_loss(&data, tree, permuted, row, Loss::Squared)
                    - row_loss(&data, tree, leaf(&data, tree, row, None), row, Loss::Squared);
                expected += weight(&data, row) * change / total / 3.0;
            }
        }
        assert_close(found.values[column].expect("defined"), expected, "given permutation");
    }
}

#[test]
fn normalisations_follow_their_definitions() {
    let data =
        dataset(Shape { n_rows: 120, n_classes: 0, missing: false, weights: false, seed: 9 });
    let forest = grow(&data, &ForestConfig { n_trees: 12, ..ForestConfig::default() });
    let raw = measure(&data, &forest, MeasureSettings::default());
    let by = |normalise| {
        measure(&data, &forest, MeasureSettings { normalise, ..MeasureSettings::default() })
    };
    let Response::Regression(y) = data.target().response() else { panic!("regression") };
    let mean = y.iter().sum::<f64>() / y.len() as f64;
    let variance = y.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / (y.len() - 1) as f64;
    let (by_variance, by_error) = (by(Normalise::Variance), by(Normalise::StandardError));
    for column in 0..data.n_features() {
        let value = raw.values[column].expect("defined");
        assert_close(
            by_variance.values[column].expect("defined"),
            value / (2.0 * variance),
            "variance",
        );
        let n_trees = raw.per_tree.len() as f64;
        let population: f64 =
            raw.per_tree.iter().map(|tree| (tree[column] - value).powi(2)).sum::<f64>() / n_trees;
        let error = (population / n_trees).sqrt();
        let expected = if error > 0.0 { value / error } else { 0.0 };
        assert_close(by_error.values[column].expect("defined"), expected, "standard error");
    }
}

/// Columns with so many levels that splits list the few that go one way.
#[test]
fn exact_expectation_with_hundreds_of_levels_equals_brute_force() {
    let n_rows = 1500;
    let mut numbers = Numbers(17);
    let mut codes = |n_levels: u32| -> Vec<u32> {
        let missing = 0.1;
        (0..n_rows)
            .map(|_| if numbers.unit() < missing { MISSING_LEVEL } else { numbers.below(n_levels) })
            .collect()
    };
    let (many, hundred) = (codes(200), codes(100));
    let x: Vec<f64> = (0..n_rows).map(|row| f64::from(row * 7 % 31)).collect();
    let level = |code: u32| if code == MISSING_LEVEL { 3.0 } else { f64::from(code * 13 % 7) };
    let y: Vec<f64> = (0..n_rows as usize)
        .map(|row| level(many[row]) + 0.5 * level(hundred[row]) + 0.1 * x[row])
        .collect();
    let names = |n_levels: u32| (0..n_levels).map(|level| format!("L{level}")).collect::<Vec<_>>();
    let columns = vec![
        Column::categorical("many", names(200), many).expect("valid"),
        Column::categorical("hundred", names(100), hundred).expect("valid"),
        Column::numeric("x", x).expect("finite"),
    ];
    let data = Dataset::new(columns, Target::regression("y", y).expect("finite")).expect("valid");
    let config = ForestConfig { n_trees: 3, mtry: Some(2), ..ForestConfig::default() };
    let forest = grow(&data, &config);
    let sets: Vec<&LevelSet> = forest.trees().iter().flat_map(Tree::level_sets).collect();
    assert!(sets.iter().any(|set| matches!(set, LevelSet::Listed(_))));
    assert!(sets.iter().any(|set| matches!(set, LevelSet::Excepted(_))));
    assert!(sets.iter().any(|set| matches!(set, LevelSet::Bits(_))));
    let found = measure(&data, &forest, MeasureSettings::default());
    for column in 0..3 {
        let trees = forest.trees().iter().zip(forest.bags().expect("own bags"));
        let expected: f64 = trees
            .map(|(tree, bag)| brute_force(&data, tree, bag, column, Loss::Squared) / 3.0)
            .sum();
        assert!(expected > 0.01, "column {column} matters");
        assert_close(found.values[column].expect("defined"), expected, "many levels");
    }
}

#[test]
fn exact_expectation_with_one_variable_equals_brute_force() {
    // All out-of-bag rows go to every leaf, so that leaves share what they sum up.
    for n_classes in [0, 2, 3] {
        let all = dataset(Shape { n_rows: 400, n_classes, missing: true, weights: true, seed: 4 });
        let column = all.features().columns()[0].clone();
        let data = Dataset::new(vec![column], all.target().clone()).expect("consistent");
        let weights = all.weights().expect("weighted").to_vec();
        let data = data.with_weights(weights).expect("valid weights");
        let forest = grow(&data, &ForestConfig { n_trees: 3, ..ForestConfig::default() });
        let losses: &[Loss] = match data.target().task() {
            Task::Regression => &[Loss::Squared, Loss::Absolute],
            Task::Classification => &[Loss::Squared, Loss::ZeroOne],
        };
        for &loss in losses {
            let settings = MeasureSettings { loss: Some(loss), ..MeasureSettings::default() };
            let trees = forest.trees().iter().zip(forest.bags().expect("own bags"));
            let expected: f64 =
                trees.map(|(tree, bag)| brute_force(&data, tree, bag, 0, loss) / 3.0).sum();
            let found = measure(&data, &forest, settings).values[0].expect("defined");
            assert_close(found, expected, &format!("{n_classes} classes, {loss:?}"));
        }
    }
}

/// Weights that go with the values of a variable, where it matters whose values are given away.
#[test]
fn random_permutations_give_values_away_by_weight() {
    let mut numbers = Numbers(8);
    let x: Vec<f64> = (0..300).map(|_| numbers.unit()).collect();
    let y = x.iter().map(|&x| if x > 0.8 { 5.0 } else { numbers.unit() }).collect();
    let weights = x.iter().map(|&x| if x > 0.8 { 5.0 } else { 0.5 }).collect();
    let column = Column::numeric("x", x).expect("finite");
    let target = Target::regression("y", y).expect("finite");
    let data = Dataset::new(vec![column], target).expect("consistent");
    let data = data.with_weights(weights).expect("valid weights");
    let forest = grow(&data, &ForestConfig { n_trees: 10, ..ForestConfig::default() });
    let exact = measure(&data, &forest, MeasureSettings::default()).values[0].expect("defined");
    let permutations = Permutations::Random(100);
    let settings = MeasureSettings { permutations, ..MeasureSettings::default() };
    let random = measure(&data, &forest, settings).values[0].expect("defined");
    assert!((random / exact - 1.0).abs() < 0.02, "{random} {exact}");
}
