//! Local mean decrease in impurity, against worked cases, rows followed one by one, the measure
//! that it takes apart, and its limits in infinitely many trees.

use serde_json::Value;
use wald::explain::Rows;
use wald::forest::{Bag, Impurity, Node, Sampling, Splitting, Tree};
use wald::measure::MeasureSettings;
use wald::{
    Dataset, Error, ExplanationId, ExplanationSettings, Features, Forest, ForestConfig, Measure,
    MeasureId, Run, Threads,
};

use crate::golden_case::{Case, columns, floats, table};
use crate::multiway_limits::digits;
use crate::support::{
    Shape, assert_close, best_and_multiway, child, explained, grow, in_bag_weight, response,
};

const ID: ExplanationId = ExplanationId::LocalMdi;

#[test]
fn worked_cases() {
    for case in Case::all() {
        let queries = Features::new(columns(&case.file["queries"])).expect("a table");
        let own = if case.is_regression() { Impurity::Variance } else { Impurity::Gini };
        let expected = &case.measures()["local_mdi"];
        for (impurity, expected) in
            [(None, "variance"), (Some(own), "variance"), (Some(Impurity::Entropy), "entropy")]
                .map(|(impurity, key)| (impurity, &expected[key]))
        {
            if case.is_regression() && impurity == Some(Impurity::Entropy) {
                continue;
            }
            let settings = ExplanationSettings { impurity, ..ExplanationSettings::default() };
            let subject = (&case.data, &case.forest);
            let found = explained(subject, Rows::Other(&queries), (ID, &settings), 2);
            case.check(&found.concat(), &table(expected).concat(), "local mdi");
        }
    }
}

/// By definition: the impurity of in-bag rows, for numbers and for classes.
fn impurity_of(data: &Dataset, bag: &Bag, rows: &[usize], impurity: Impurity) -> f64 {
    let total: f64 = rows.iter().map(|&row| in_bag_weight(data, bag, row)).sum();
    let share = |row: &usize| in_bag_weight(data, bag, *row) / total;
    let outputs = 0..data.target().n_outputs();
    let of_output = |output: usize| -> f64 {
        let mean: f64 = rows.iter().map(|row| share(row) * response(data, *row)[output]).sum();
        match impurity {
            Impurity::Entropy if mean > 0.0 => -mean * mean.log2(),
            Impurity::Entropy => 0.0,
            _ => rows
                .iter()
                .map(|row| share(row) * (response(data, *row)[output] - mean).powi(2))
                .sum(),
        }
    };
    outputs.map(of_output).sum()
}

/// The terms of one tree: Eq. 8, following the row and all in-bag rows from the root.
pub fn along_path(
    data: &Dataset,
    (tree, bag): (&Tree, &Bag),
    row: usize,
    impurity: Impurity,
) -> Vec<f64> {
    let mut terms = vec![0.0; data.n_features()];
    let mut node = 0;
    let counted = |row: &usize| in_bag_weight(data, bag, *row) > 0.0;
    let mut here: Vec<usize> = (0..data.n_rows()).filter(counted).collect();
    while let Node::Split(split) = &tree.nodes()[node] {
        let next = child(data, tree, split, row, None);
        let above = impurity_of(data, bag, &here, impurity);
        here.retain(|&other| child(data, tree, split, other, None) == next);
        if here.is_empty() {
            // Only rows of weight zero got here: nothing is known of the branch.
            break;
        }
        terms[split.feature as usize] += above - impurity_of(data, bag, &here, impurity);
        node = split.first_child as usize + next;
    }
    terms
}

#[test]
fn rows_follow_their_paths_and_add_up_to_the_measure() {
    for (n_classes, impurity) in
        [(0, None), (2, Some(Impurity::Gini)), (3, Some(Impurity::Entropy))]
    {
        for weights in [false, true] {
            let shape = Shape { n_rows: 70, n_classes, missing: true, weights, seed: 91 };
            for (data, config) in best_and_multiway(shape, 3, 5) {
                check(&data, &grow(&data, &config), impurity);
            }
        }
    }
}

fn check(data: &Dataset, forest: &Forest, impurity: Option<Impurity>) {
    let subject = (data, forest);
    let settings = ExplanationSettings { impurity, ..ExplanationSettings::default() };
    let found = explained(subject, Rows::Training, (ID, &settings), 1);
    let bits = |rows: &[Vec<f64>]| -> Vec<u64> {
        rows.iter().flatten().map(|value| value.to_bits()).collect()
    };
    assert_eq!(bits(&found), bits(&explained(subject, Rows::Training, (ID, &settings), 3)));
    let other = explained(subject, Rows::Other(data.features()), (ID, &settings), 2);
    assert_eq!(bits(&found), bits(&other), "rows besides the training data");
    let settings = ExplanationSettings { out_of_bag: true, ..settings };
    let unseen = explained(subject, Rows::Training, (ID, &settings), 2);
    let impurity = impurity.unwrap_or(forest.impurity());
    let bags = forest.bags().expect("own bags");
    let n_trees = bags.len() as f64;
    let mut in_bag_means = vec![0.0; data.n_features()];
    for row in 0..data.n_rows() {
        let mut sums = vec![0.0; data.n_features()];
        let mut unseen_sums = (sums.clone(), 0.0);
        for (tree, bag) in forest.trees().iter().zip(bags) {
            let terms = along_path(data, (tree, bag), row, impurity);
            let root: f64 = (0..data.n_rows()).map(|other| in_bag_weight(data, bag, other)).sum();
            let share = in_bag_weight(data, bag, row) / root / n_trees;
            for (variable, term) in terms.iter().enumerate() {
                sums[variable] += term / n_trees;
                in_bag_means[variable] += share * term;
                if bag.counts()[row] == 0 {
                    unseen_sums.0[variable] += term;
                }
            }
            unseen_sums.1 += f64::from(u8::from(bag.counts()[row] == 0));
        }
        for (variable, sum) in sums.iter().enumerate() {
            assert_close(found[row][variable], *sum, "all trees");
            let (unseen, expected) = (unseen[row][variable], unseen_sums.0[variable]);
            if unseen_sums.1 > 0.0 {
                assert_close(unseen, expected / unseen_sums.1, "out-of-bag trees");
            } else {
                assert!(unseen.is_nan());
            }
        }
    }
    let settings = MeasureSettings { impurity: Some(impurity), ..MeasureSettings::default() };
    let measure = Measure::new(MeasureId::Mdi, settings).expect("offered");
    let run = &Run::on(Threads::new(2).expect("two"));
    let measured = forest.measure(data, &[measure], run).expect("applies");
    for (mean, value) in in_bag_means.iter().zip(&measured.importances[0].values) {
        let gap = (mean - value.expect("defined")).abs();
        assert!(gap < 1e-12, "in-bag mean: {mean} is not {value:?}");
    }
}

#[test]
fn trees_on_all_rows_decompose_the_measure_over_rows_and_variables() {
    let shape = Shape { n_rows: 80, n_classes: 3, missing: true, weights: false, seed: 92 };
    let [(data, config), _] = best_and_multiway(shape, 2, 6);
    let splitting = Splitting::RandomThreshold;
    let forest = grow(&data, &ForestConfig { sampling: Sampling::All, splitting, ..config });
    let settings = ExplanationSettings::default();
    let found = explained((&data, &forest), Rows::Training, (ID, &settings), 2);
    let measure = Measure::new(MeasureId::Mdi, MeasureSettings::default()).expect("defaults");
    let run = &Run::on(Threads::new(2).expect("two"));
    let measured = forest.measure(&data, &[measure], run).expect("applies");
    for (variable, value) in measured.importances[0].values.iter().enumerate() {
        // Eq. 9.
        let mean = found.iter().map(|record| record[variable]).sum::<f64>() / 80.0;
        assert!((mean - value.expect("defined")).abs() < 1e-12);
    }
    for (row, record) in found.iter().enumerate() {
        let removed = forest.trees().iter().map(|tree| {
            let known = tree.statistics().expect("own trees");
            known.impurity(0) - known.impurity(crate::support::leaf(&data, tree, row, None))
        });
        assert_close(record.iter().sum(), removed.sum::<f64>() / 6.0, "all variables");
    }
    let settings = ExplanationSettings { variables: vec!["more".to_owned()], ..settings };
    let one = explained((&data, &forest), Rows::Training, (ID, &settings), 2);
    assert!(one.iter().zip(&found).all(|(one, all)| one.len() == 1 && one[0] == all[5]));
}

/// Eq. 10 and, for mtry above 1, the recursion of an independent program: a table that lists a
/// distribution stands for infinitely many rows.
#[test]
fn multiway_forests_approach_the_limits_of_the_digits() {
    let path = format!("{}/tests/fixtures/golden/pop_led.json", env!("CARGO_MANIFEST_DIR"));
    let file: Value = serde_json::from_slice(&std::fs::read(path).expect("there")).expect("JSON");
    let data = digits().data();
    let points = table(&file["local"]["x"]);
    let row_of = |point: &Vec<f64>| {
        let is_row = |row: &Vec<u32>| row.iter().zip(point).all(|(a, b)| f64::from(*a) == *b);
        digits().rows.iter().position(is_row).expect("a digit")
    };
    let rows: Vec<usize> = points.iter().map(row_of).collect();
    for mtry in 1..=7 {
        let expected = match mtry {
            1 => table(&file["local"]["importance"]),
            _ => table(&file["local"]["K_unused"][mtry.to_string()]),
        };
        let config = ForestConfig {
            splitting: Splitting::Multiway,
            sampling: Sampling::All,
            impurity: Some(Impurity::Entropy),
            mtry: Some(mtry),
            n_trees: 2000,
            ..ForestConfig::default()
        };
        let forest = grow(&data, &config);
        let settings = ExplanationSettings::default();
        let found = explained((&data, &forest), Rows::Training, (ID, &settings), 2);
        for (&row, expected) in rows.iter().zip(&expected) {
            for variable in 0..7 {
                let value = found[row][variable];
                let n_trees = forest.trees().len() as f64;
                let squares = forest
                    .trees()
                    .iter()
                    .map(|tree| (of_tree(&data, tree, row)[variable] - value).powi(2));
                let error = (squares.sum::<f64>() / (n_trees - 1.0) / n_trees).sqrt();
                let gap = (value - expected[variable]).abs();
                assert!(gap <= 4.0 * error + 1e-9, "{mtry} {row} {variable}: {gap} {error}");
            }
        }
    }
    assert_eq!(floats(&file["local"]["prob"]), [0.1; 10]);
}

/// The terms of one tree by what its nodes know.
fn of_tree(data: &Dataset, tree: &Tree, row: usize) -> Vec<f64> {
    let known = tree.statistics().expect("own trees");
    let mut terms = vec![0.0; data.n_features()];
    let mut node = 0;
    while let Node::Split(split) = &tree.nodes()[node] {
        let next = split.first_child as usize + child(data, tree, split, row, None);
        terms[split.feature as usize] += known.impurity(node) - known.impurity(next);
        node = next;
    }
    terms
}

#[test]
fn wrong_requests_are_refused() {
    let shape = Shape { n_rows: 60, n_classes: 0, missing: false, weights: false, seed: 93 };
    let [(data, config), _] = best_and_multiway(shape, 2, 3);
    let forest = grow(&data, &config);
    let refused = |rows, settings: ExplanationSettings| {
        let refused = forest.explainer(&data, rows, ID, &settings);
        let Err(Error::Measure { why, .. }) = refused else { panic!("{refused:?}") };
        why
    };
    let settings = ExplanationSettings::default();
    let entropy = ExplanationSettings { impurity: Some(Impurity::Entropy), ..settings.clone() };
    assert!(refused(Rows::Training, entropy).contains("cannot use the impurity `entropy`"));
    let unseen = ExplanationSettings { out_of_bag: true, ..settings };
    assert!(refused(Rows::Other(data.features()), unseen).contains("no out-of-bag trees"));
}
