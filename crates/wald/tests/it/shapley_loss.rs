//! Shapley values of the loss, by the definition: every coalition, every background row.

use std::sync::Arc;

use wald::data::Groups;
use wald::explain::Rows;
use wald::forest::Splitting;
use wald::measure::{Loss, MeasureSettings};
use wald::{
    Dataset, Error, ExplanationId, ExplanationSettings, Features, Forest, ForestConfig, Importance,
    MeasureId,
};

use crate::interventional::{games, shapley};
use crate::support::{
    Shape, assert_close, dataset, explained, grow, levels_only, response, try_measure, weight,
};

const BACKGROUND: [u32; 6] = [3, 1, 4, 1, 5, 29];

fn background(data: &Dataset) -> Arc<Features> {
    let columns = data.features().columns().iter().map(|column| column.select(&BACKGROUND));
    Arc::new(Features::new(columns.collect()).expect("a table"))
}

pub fn loss_of(loss: Loss, y: &[f64], prediction: &[f64]) -> f64 {
    let pairs = y.iter().zip(prediction);
    match loss {
        Loss::Squared => pairs.map(|(y, predicted)| (y - predicted) * (y - predicted)).sum(),
        Loss::Absolute => (y[0] - prediction[0]).abs(),
        // One class is true.
        _ => pairs.map(|(y, predicted)| -y * predicted.max(1e-15).ln()).sum(),
    }
}

/// By group: by how much it lowers the loss of a row.
fn brute_force(
    (data, forest): (&Dataset, &Forest),
    groups: &Groups,
    row: usize,
    loss: Loss,
) -> Vec<f64> {
    let y = response(data, row);
    let mut values = vec![0.0; groups.n_groups()];
    for other in BACKGROUND {
        let games = games(data, forest, (row, other as usize));
        let game = |players: usize| {
            let members = groups.of_column().iter().enumerate();
            let known = members.filter(|(_, group)| players >> **group & 1 == 1);
            let columns = known.fold(0, |columns, (column, _)| columns | 1 << column);
            -loss_of(loss, &y, &games[columns])
        };
        let of_pair = shapley(groups.n_groups(), game);
        let share = 1.0 / BACKGROUND.len() as f64;
        values.iter_mut().zip(of_pair).for_each(|(sum, value)| *sum += share * value);
    }
    values
}

fn measure(
    of: (&Dataset, &Forest),
    settings: MeasureSettings,
    threads: usize,
) -> Result<Importance, Error> {
    try_measure(of, MeasureId::TreeShapLoss, settings, threads)
}

fn check(data: &Dataset, config: &ForestConfig, losses: [Loss; 2]) {
    let forest = &grow(data, config);
    let names = ["one", "few"].map(str::to_owned).to_vec();
    let grouped = data.clone().with_groups(&[("both".to_owned(), names)]).expect("columns");
    for (data, loss) in [(data, losses[0]), (data, losses[1]), (&grouped, losses[0])] {
        let settings = MeasureSettings {
            loss: Some(loss),
            background: Some(background(data)),
            ..MeasureSettings::default()
        };
        let found = measure((data, forest), settings.clone(), 1).expect("few variables");
        assert_eq!(found, measure((data, forest), settings, 3).expect("few"), "threads");
        let (mut sums, mut total) = (vec![0.0; data.groups().n_groups()], 0.0);
        for row in 0..data.n_rows() {
            total += weight(data, row);
            let values = brute_force((data, forest), data.groups(), row, loss);
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += weight(data, row) * value);
        }
        for (found, sum) in found.values.iter().zip(sums) {
            assert_close(found.expect("defined"), sum / total, "mean value of the loss");
        }
    }
    for loss in losses {
        let settings = ExplanationSettings {
            background: Some(background(data)),
            loss: (loss != Loss::Squared).then_some(loss),
            ..ExplanationSettings::default()
        };
        let asked = (ExplanationId::TreeShapLoss, &settings);
        let found = explained((data, forest), Rows::Training, asked, 2);
        for (row, found) in found.iter().enumerate().step_by(5) {
            let expected = brute_force((data, forest), data.groups(), row, loss);
            for (found, expected) in found.iter().zip(expected) {
                assert_close(*found, expected, "value of the loss of a row");
            }
        }
        // Rows of which the forest knows nothing have the same values.
        let again = explained((data, forest), Rows::WithTarget(data), asked, 1);
        assert_eq!(again, found, "rows with their target");
        let without = forest.explainer(data, Rows::Other(data.features()), asked.0, asked.1);
        let why = without.expect_err("no target").to_string();
        assert!(why.contains("needs the target of the rows"), "{why}");
    }
}

#[test]
fn values_of_the_loss_are_those_of_the_definition() {
    for n_classes in [0, 3] {
        for weights in [false, true] {
            let shape = Shape { n_rows: 30, n_classes, missing: weights, weights, seed: 195 };
            let config = ForestConfig {
                n_trees: 3,
                mtry: Some(2),
                min_node_size: Some(1),
                ..ForestConfig::default()
            };
            let multiway = ForestConfig { splitting: Splitting::Multiway, ..config.clone() };
            let losses = [Loss::Squared, if n_classes == 0 { Loss::Absolute } else { Loss::Log }];
            check(&dataset(shape), &config, losses);
            check(&levels_only(shape), &multiway, losses);
        }
    }
}

#[test]
fn too_many_variables_are_refused_and_groups_help() {
    let shape = Shape { n_rows: 60, n_classes: 0, missing: false, weights: false, seed: 196 };
    let (mut columns, mut names) = (Vec::new(), Vec::new());
    let base = dataset(shape);
    for copy in 0..24 {
        let data = dataset(Shape { seed: 200 + copy, ..shape });
        let wald::data::ColumnData::Numeric(values) = data.features().columns()[0].data() else {
            panic!("numbers")
        };
        names.push(format!("x{copy}"));
        let column = wald::data::Column::numeric(format!("x{copy}"), values.to_vec());
        columns.push(column.expect("finite"));
    }
    let data = Dataset::new(columns, base.target().clone()).expect("consistent");
    let config = ForestConfig {
        n_trees: 30,
        mtry: Some(1),
        min_node_size: Some(1),
        ..ForestConfig::default()
    };
    let forest = &grow(&data, &config);
    let absolute = MeasureSettings { loss: Some(Loss::Absolute), ..MeasureSettings::default() };
    let refusal = measure((&data, forest), absolute.clone(), 2).expect_err("many");
    assert!(refusal.to_string().contains("more than 20"), "{refusal}");
    let squared = measure((&data, forest), MeasureSettings::default(), 2).expect("not refused");
    assert_eq!(squared.values.len(), 24);
    let groups = data.with_groups(&[("many".to_owned(), names[..16].to_vec())]);
    let grouped = groups.expect("columns");
    let found = measure((&grouped, forest), absolute, 2).expect("nine");
    assert_eq!(found.values.len(), 9);
}
