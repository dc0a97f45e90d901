//! Shapley values of the loss where rows differ in many variables, by the definition.

use std::sync::Arc;

use wald::data::{Column, Target};
use wald::explain::Rows;
use wald::measure::Loss;
use wald::{
    Dataset, ExplanationId, ExplanationSettings, Features, Forest, ForestConfig, Run, Threads,
};

use crate::interventional::mixed;
use crate::shapley_loss::loss_of;
use crate::support::{Numbers, explained, grow, response};

const BACKGROUND: u32 = 3;

/// Columns of numbers, and a target that depends on two of them at a time.
fn table(n_columns: usize, n_classes: u32, seed: u64) -> Dataset {
    rows((30, n_columns), n_classes, seed)
}

fn rows((n_rows, n_columns): (usize, usize), n_classes: u32, seed: u64) -> Dataset {
    let mut numbers = Numbers(seed);
    let columns: Vec<Vec<f64>> =
        (0..n_columns).map(|_| (0..n_rows).map(|_| numbers.unit() - 0.5).collect()).collect();
    let y: Vec<f64> = (0..n_rows)
        .map(|row| {
            let product = |at: usize| columns[at][row] * columns[(at + 1) % n_columns][row];
            (0..n_columns).map(product).sum::<f64>() + 0.1 * numbers.unit()
        })
        .collect();
    let named = columns.into_iter().enumerate();
    let columns = named.map(|(at, values)| Column::numeric(format!("x{at}"), values));
    let target = if n_classes == 0 {
        // A large offset costs no digits.
        Target::regression("y", y.iter().map(|y| y + 1e6).collect())
    } else {
        let classes = (0..n_classes).map(|class| format!("c{class}")).collect();
        let codes = y.iter().map(|y| (y * 40.0).rem_euclid(f64::from(n_classes)) as u32);
        Target::classification("y", classes, codes.collect())
    };
    let columns = columns.collect::<Result<_, _>>().expect("finite");
    Dataset::new(columns, target.expect("finite")).expect("consistent")
}

/// Every coalition of the columns.
fn brute_force((data, forest): (&Dataset, &Forest), row: usize, loss: Loss) -> Vec<f64> {
    let n = data.n_features();
    let y = response(data, row);
    let n_trees = forest.trees().len() as f64;
    let losses: Vec<f64> = (0..1_usize << n)
        .map(|known| {
            let mut sums = vec![0.0; y.len()];
            for tree in forest.trees() {
                let predictions = mixed(data, tree, (row, BACKGROUND as usize), known);
                sums.iter_mut().zip(predictions).for_each(|(sum, value)| *sum += value / n_trees);
            }
            loss_of(loss, &y, &sums)
        })
        .collect();
    // By size of the coalition before the player, out of n - 1 others: one over n times the number
    // of such coalitions.
    let mut share = vec![1.0 / n as f64];
    for size in 1..n {
        share.push(share[size - 1] * size as f64 / (n - size) as f64);
    }
    let value = |player: usize| -> f64 {
        let without = (0..losses.len()).filter(|known| known >> player & 1 == 0);
        without
            .map(|known| {
                let fall = losses[known] - losses[known | 1 << player];
                share[known.count_ones() as usize] * fall
            })
            .sum()
    };
    (0..n).map(value).collect()
}

fn check(data: &Dataset, n_trees: usize, row: usize, loss: Loss) {
    let config =
        ForestConfig { n_trees, mtry: Some(1), min_node_size: Some(1), ..ForestConfig::default() };
    let forest = &grow(data, &config);
    let select = |rows: &[u32]| {
        let columns = data.features().columns().iter().map(|column| column.select(rows));
        Arc::new(Features::new(columns.collect()).expect("a table"))
    };
    let settings = ExplanationSettings {
        background: Some(select(&[BACKGROUND])),
        loss: Some(loss),
        ..ExplanationSettings::default()
    };
    let asked = (ExplanationId::TreeShapLoss, &settings);
    let found = explained((data, forest), Rows::Training, asked, 2);
    let expected = brute_force((data, forest), row, loss);
    assert!(expected.iter().any(|value| value.abs() > 1e-3), "the test has something to see");
    for (found, expected) in found[row].iter().zip(expected) {
        let gap = (found - expected).abs();
        assert!(gap < 1e-9 * expected.abs().max(1.0), "{found} is not {expected}");
    }
}

#[test]
fn the_squared_loss_is_shared_out_exactly_among_many_variables() {
    for (n_columns, n_trees, row) in [(13, 6, 0), (13, 40, 7), (16, 8, 11)] {
        check(&table(n_columns, 0, 232), n_trees, row, Loss::Squared);
    }
    check(&table(13, 3, 233), 8, 5, Loss::Squared);
}

/// More than all coalitions are looked at for.
#[test]
fn the_squared_loss_is_shared_out_exactly_among_more_variables_than_coalitions_allow() {
    check(&table(21, 0, 234), 12, 2, Loss::Squared);
}

#[test]
fn other_losses_are_shared_out_exactly_among_many_variables() {
    check(&table(13, 0, 235), 6, 1, Loss::Absolute);
    check(&table(13, 3, 236), 6, 1, Loss::Log);
}

/// Two rows that differ in 60 variables come to some ten leaves in each of many trees, and few of these
/// ask for the same.
#[test]
fn too_many_pairs_of_leaves_are_refused_before_the_work() {
    let data = rows((300, 60), 0, 237);
    let config = ForestConfig {
        n_trees: 4000,
        mtry: Some(1),
        min_node_size: Some(1),
        ..ForestConfig::default()
    };
    let forest = grow(&data, &config);
    let columns = data.features().columns().iter().map(|column| column.select(&[BACKGROUND]));
    let background = Features::new(columns.collect()).expect("a table");
    let settings = ExplanationSettings {
        background: Some(Arc::new(background)),
        ..ExplanationSettings::default()
    };
    let id = ExplanationId::TreeShapLoss;
    let explainer = forest.explainer(&data, Rows::Training, id, &settings).expect("applies");
    let run = &Run::on(Threads::new(2).expect("few"));
    let why = explainer.run(run, |_, _| {}).expect_err("too many").to_string();
    assert!(why.contains("of them ask for different variables"), "{why}");
    assert!(why.contains("billion steps for one pair of rows"), "{why}");
}
