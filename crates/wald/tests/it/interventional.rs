//! Shapley values against background rows, by the definition: every coalition of the columns, every
//! background row.

use std::sync::Arc;

use wald::explain::Rows;
use wald::forest::{Aggregation, Node, Splitting, Tree};
use wald::{
    Dataset, ExplanationId, ExplanationSettings, Features, Forest, ForestConfig, Run, Threads,
};

use crate::golden_case::{Case, columns, floats, table};
use crate::support::{Shape, assert_close, child, dataset, grow, levels_only};
use crate::tree_shap::factorial;

/// Records of rows, and the mean prediction for background rows.
pub fn explain(
    (forest, data): (&Forest, &Dataset),
    rows: Rows<'_>,
    settings: &ExplanationSettings,
    threads: usize,
) -> (Vec<Vec<f64>>, Vec<f64>) {
    let id = ExplanationId::TreeShapInterventional;
    let explainer = forest.explainer(data, rows, id, settings).expect("applies");
    let mut records = Vec::new();
    let run = &Run::on(Threads::new(threads).expect("few"));
    explainer.run(run, |_, record| records.push(record.to_vec())).expect("adds up");
    (records, explainer.expected_value().expect("one for all rows").to_vec())
}

pub fn against(background: &Features) -> ExplanationSettings {
    let background = Some(Arc::new(background.clone()));
    ExplanationSettings { background, ..ExplanationSettings::default() }
}

#[test]
fn worked_cases() {
    for case in Case::all() {
        let queries = Features::new(columns(&case.file["queries"])).expect("a table");
        let background = Features::new(columns(&case.file["background"])).expect("a table");
        let expected = &case.measures()["treeshap_interventional"];
        let (subject, rows) = ((&case.forest, &case.data), Rows::Other(&queries));
        let (found, base) = explain(subject, rows, &against(&background), 2);
        case.check(&base, &floats(&expected["expected_value"]), "mean for the background");
        let rows = expected["values"].as_array().expect("rows");
        for (found, expected) in found.iter().zip(rows) {
            case.check(found, &table(expected).concat(), "interventional");
        }
    }
}

/// A tree's prediction for a row of which the columns of a coalition have their values, the others
/// those of a background row. Both are rows of the same table.
pub fn mixed(
    data: &Dataset,
    tree: &Tree,
    (row, background): (usize, usize),
    known: usize,
) -> Vec<f64> {
    let mut node = 0;
    while let Node::Split(split) = &tree.nodes()[node] {
        let of = if known >> split.feature & 1 == 1 { row } else { background };
        node = split.first_child as usize + child(data, tree, split, of, None);
    }
    tree.value(node).to_vec()
}

/// The Shapley value of every player of a game on coalitions, given as bits.
pub fn shapley(n_players: usize, game: impl Fn(usize) -> f64) -> Vec<f64> {
    let games: Vec<f64> = (0..1_usize << n_players).map(game).collect();
    let value = |player: usize| {
        let without = (0..games.len()).filter(|coalition| coalition >> player & 1 == 0);
        without
            .map(|coalition| {
                let size = coalition.count_ones() as usize;
                let weight =
                    factorial(size) * factorial(n_players - size - 1) / factorial(n_players);
                weight * (games[coalition | 1 << player] - games[coalition])
            })
            .sum()
    };
    (0..n_players).map(value).collect()
}

/// A forest's predictions for mixed rows, by coalition and output.
pub fn games(data: &Dataset, forest: &Forest, pair: (usize, usize)) -> Vec<Vec<f64>> {
    let n_trees = match forest.aggregation() {
        Aggregation::Sum => 1.0,
        _ => forest.trees().len() as f64,
    };
    let game = |known| {
        let mut sums = vec![0.0; data.target().n_outputs()];
        for tree in forest.trees() {
            let predictions = mixed(data, tree, pair, known);
            sums.iter_mut().zip(predictions).for_each(|(sum, value)| *sum += value / n_trees);
        }
        sums
    };
    (0..1_usize << data.n_features()).map(game).collect()
}

/// By column and output, and the mean prediction for background rows.
fn brute_force(
    data: &Dataset,
    forest: &Forest,
    row: usize,
    background: &[u32],
) -> (Vec<f64>, Vec<f64>) {
    let (n_columns, n_outputs) = (data.n_features(), data.target().n_outputs());
    let mut values = vec![0.0; n_columns * n_outputs];
    let mut base = vec![0.0; n_outputs];
    let share = 1.0 / background.len() as f64;
    for &other in background {
        let games = games(data, forest, (row, other as usize));
        for output in 0..n_outputs {
            base[output] += share * games[0][output];
            let of_pair = shapley(n_columns, |known| games[known][output]);
            for (column, value) in of_pair.iter().enumerate() {
                values[column * n_outputs + output] += share * value;
            }
        }
    }
    (values, base)
}

fn check(data: &Dataset, forest: &Forest) {
    // A row that counts twice, and rows with values that others do not have.
    let background = [3, 1, 4, 1, 5, 9, 2, 6, 53, 58];
    let columns = data.features().columns().iter().map(|column| column.select(&background));
    let settings = against(&Features::new(columns.collect()).expect("a table"));
    let (found, base) = explain((forest, data), Rows::Training, &settings, 1);
    let (again, _) = explain((forest, data), Rows::Training, &settings, 3);
    let bits = |rows: &[Vec<f64>]| -> Vec<u64> {
        rows.iter().flatten().map(|value| value.to_bits()).collect()
    };
    assert_eq!(bits(&found), bits(&again), "threads");
    for row in (0..data.n_rows()).step_by(13) {
        let (expected, mean) = brute_force(data, forest, row, &background);
        for (found, expected) in found[row].iter().zip(expected) {
            assert_close(*found, expected, "value");
        }
        for (found, expected) in base.iter().zip(mean) {
            assert_close(*found, expected, "mean for the background");
        }
    }
}

#[test]
fn values_are_those_of_the_definition() {
    for n_classes in [0, 2, 3] {
        for (weights, missing) in [(false, false), (true, false), (false, true), (true, true)] {
            let shape = Shape { n_rows: 90, n_classes, missing, weights, seed: 191 };
            let best = ForestConfig {
                n_trees: 3,
                mtry: Some(2),
                min_node_size: Some(1),
                ..ForestConfig::default()
            };
            let random = ForestConfig { splitting: Splitting::RandomThreshold, ..best.clone() };
            let multiway = ForestConfig { splitting: Splitting::Multiway, ..best.clone() };
            for config in [best, random] {
                let data = dataset(shape);
                check(&data, &grow(&data, &config));
            }
            let data = levels_only(shape);
            check(&data, &grow(&data, &multiway));
        }
    }
}

/// More background rows than are looked at together count alike.
#[test]
fn background_rows_can_be_many() {
    let shape = Shape { n_rows: 300, n_classes: 3, missing: true, weights: false, seed: 192 };
    let data = dataset(shape);
    let forest = grow(&data, &ForestConfig { n_trees: 3, ..ForestConfig::default() });
    let all: Vec<u32> = (0..300).collect();
    let of = |rows: &[u32]| {
        let columns = data.features().columns().iter().map(|column| column.select(rows));
        let settings = against(&Features::new(columns.collect()).expect("a table"));
        explain((&forest, &data), Rows::Training, &settings, 2).0.concat()
    };
    let parts: Vec<Vec<f64>> = all.chunks(100).map(of).collect();
    for (place, found) in of(&all).iter().enumerate() {
        let mean = parts.iter().map(|part| part[place]).sum::<f64>() / 3.0;
        assert_close(*found, mean, "mean over parts of the background");
    }
}

/// More rows than go through a tree together, on one thread or two, have the bits that they have alone.
#[test]
fn rows_are_explained_as_if_they_were_alone() {
    let shape = Shape { n_rows: 9_000, n_classes: 0, missing: true, weights: false, seed: 193 };
    let data = dataset(shape);
    let config = ForestConfig { n_trees: 2, min_node_size: Some(500), ..ForestConfig::default() };
    let forest = grow(&data, &config);
    let of = |rows: &[u32]| {
        let columns = data.features().columns().iter().map(|column| column.select(rows));
        Features::new(columns.collect()).expect("a table")
    };
    let settings = against(&of(&(0..20).collect::<Vec<_>>()));
    let (all, _) = explain((&forest, &data), Rows::Training, &settings, 1);
    let (again, _) = explain((&forest, &data), Rows::Training, &settings, 2);
    assert_eq!(all.len(), 9_000);
    let bits = |row: &[f64]| row.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    assert!(all.iter().zip(&again).all(|(one, two)| bits(one) == bits(two)), "threads");
    for row in [0, 1, 4_500, 8_191, 8_192, 8_999] {
        let alone = of(&[row]);
        let (found, _) = explain((&forest, &data), Rows::Other(&alone), &settings, 1);
        assert_eq!(bits(&found[0]), bits(&all[row as usize]), "row {row}");
    }
}
