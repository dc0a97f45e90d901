//! The terms of MDI-oob by row, against the measure itself and against rows followed one by one.

use wald::explain::Rows;
use wald::forest::{Node, Splitting, Tree};
use wald::measure::MeasureSettings;
use wald::{
    Dataset, Error, ExplanationId, ExplanationSettings, Forest, ForestConfig, Measure, MeasureId,
    Run, Threads,
};

use crate::support::{
    Shape, assert_close, child, dataset, explained, grow, levels_only, response, weight,
};

/// Records of all rows.
fn terms(data: &Dataset, forest: &Forest, threads: usize) -> Vec<Vec<f64>> {
    let asked = (ExplanationId::MdiOob, &ExplanationSettings::default());
    explained((data, forest), Rows::Training, asked, threads)
}

/// By column and output: f(x) times the deviation of the response, along the path of a row.
fn along_path(data: &Dataset, tree: &Tree, row: usize) -> Vec<f64> {
    let n_outputs = data.target().n_outputs();
    let mut terms = vec![0.0; data.n_features() * n_outputs];
    let y = response(data, row);
    let mut node = 0;
    while let Node::Split(split) = &tree.nodes()[node] {
        let next = split.first_child as usize + child(data, tree, split, row, None);
        for output in 0..n_outputs {
            let step = tree.value(next)[output] - tree.value(node)[output];
            let deviation = y[output] - tree.value(0)[output];
            terms[split.feature as usize * n_outputs + output] += step * deviation;
        }
        node = next;
    }
    terms
}

#[test]
fn rows_add_up_to_the_measure_and_follow_their_paths() {
    for n_classes in [0, 3] {
        for weights in [false, true] {
            let shape = Shape { n_rows: 70, n_classes, missing: true, weights, seed: 81 };
            let config = ForestConfig { n_trees: 5, mtry: Some(3), ..ForestConfig::default() };
            let multiway = ForestConfig { splitting: Splitting::Multiway, ..config.clone() };
            for (data, config) in [(dataset(shape), config), (levels_only(shape), multiway)] {
                check(&data, &grow(&data, &config));
            }
        }
    }
}

fn check(data: &Dataset, forest: &Forest) {
    let n_outputs = data.target().n_outputs();
    let found = terms(data, forest, 1);
    let bits = |rows: &[Vec<f64>]| -> Vec<u64> {
        rows.iter().flatten().map(|value| value.to_bits()).collect()
    };
    assert_eq!(bits(&found), bits(&terms(data, forest, 3)), "threads");
    let weights: Vec<f64> = (0..data.n_rows()).map(|row| weight(data, row)).collect();
    let all: f64 = weights.iter().sum();
    let mut expected = vec![vec![0.0; data.n_features() * n_outputs]; data.n_rows()];
    let mut is_explained = vec![false; data.n_rows()];
    for (tree, bag) in forest.trees().iter().zip(forest.bags().expect("own bags")) {
        let out: Vec<usize> = (0..data.n_rows()).filter(|&row| bag.counts()[row] == 0).collect();
        let total: f64 = out.iter().map(|&row| weights[row]).sum();
        for row in out {
            is_explained[row] = true;
            for (sum, term) in expected[row].iter_mut().zip(along_path(data, tree, row)) {
                *sum += term * all / total / forest.trees().len() as f64;
            }
        }
    }
    for row in 0..data.n_rows() {
        for (found, expected) in found[row].iter().zip(&expected[row]) {
            if is_explained[row] {
                assert_close(*found, *expected, "term");
            } else {
                assert!(found.is_nan(), "row {row}");
            }
        }
    }
    let measure = Measure::new(MeasureId::MdiOob, MeasureSettings::default()).expect("defaults");
    let run = &Run::on(Threads::new(2).expect("two"));
    let measured = forest.measure(data, &[measure], run).expect("applies");
    for (column, value) in measured.importances[0].values.iter().enumerate() {
        let rows = found.iter().zip(&weights).filter(|(record, _)| !record[0].is_nan());
        let sum = rows.map(|(record, weight)| {
            let of_column = &record[column * n_outputs..(column + 1) * n_outputs];
            weight * of_column.iter().sum::<f64>()
        });
        assert_close(sum.sum::<f64>() / all, value.expect("defined"), "mean over rows");
    }
}

#[test]
fn other_rows_are_refused_and_variables_can_be_chosen() {
    let shape = Shape { n_rows: 60, n_classes: 2, missing: false, weights: false, seed: 82 };
    let data = dataset(shape);
    let forest = grow(&data, &ForestConfig { n_trees: 4, ..ForestConfig::default() });
    let settings = ExplanationSettings::default();
    let rows = Rows::Other(data.features());
    let refused = forest.explainer(&data, rows, ExplanationId::MdiOob, &settings);
    let Err(Error::Measure { why, .. }) = refused else { panic!("{refused:?}") };
    assert!(why.contains("no out-of-bag trees for rows besides the training data"), "{why:?}");
    let settings = ExplanationSettings { variables: vec!["two".to_owned()], ..settings };
    let id = ExplanationId::MdiOob;
    let explainer = forest.explainer(&data, Rows::Training, id, &settings).expect("applies");
    let all = terms(&data, &forest, 2);
    let run = &Run::on(Threads::new(2).expect("two"));
    let check = |row: usize, record: &[f64]| {
        assert_eq!(record.len(), 2);
        let same = |(one, other): (&f64, &f64)| one.to_bits() == other.to_bits();
        assert!(record.iter().zip(&all[row][2..4]).all(same));
    };
    explainer.run(run, check).expect("not cancelled");
}
