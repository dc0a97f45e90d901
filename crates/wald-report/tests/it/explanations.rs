//! Explanations of single rows in a report: values that add up, of the rows and trees that it
//! names.

use wald::explain::Rows;
use wald::forest::{Sampling, Splitting};
use wald::{
    Dataset, Error, ExplanationId, ExplanationSettings, Forest, ForestConfig, Run, Threads,
};
use wald_report::{Cells, Explanations, Outcome};

use crate::stump::{read, six_rows, stump};
use crate::support::{self, Shape, dataset, grow, threads};

const SHAPE: Shape = Shape { n_rows: 90, n_classes: 0, missing: true, weights: true, seed: 5 };

fn config() -> ForestConfig {
    ForestConfig { n_trees: 40, min_node_size: Some(3), ..ForestConfig::default() }
}

/// The rows of a table have the numbers 11, 21, 31, ...
fn explained(forest: &Forest, data: &Dataset, seed: u64, threads: Threads) -> Explanations {
    let numbers: Vec<u32> = (0..data.n_rows() as u32).map(|row| 10 * row + 11).collect();
    let run = Run::on(threads);
    Explanations::of_forest(forest, data, &numbers, seed, &run)
        .expect("a forest that can be explained")
}

fn row(number: u32) -> usize {
    (number as usize - 11) / 10
}

/// The values of all rows by the trees that did not see them: `[row][variable]`.
fn values(forest: &Forest, data: &Dataset) -> Vec<Vec<f64>> {
    let settings = ExplanationSettings { out_of_bag: true, ..ExplanationSettings::default() };
    let asked = (ExplanationId::TreeShap, &settings);
    support::explained((data, forest), Rows::Training, asked, 2)
}

/// Waterfalls are sums, and end at these predictions, which are `[row][output]`.
fn check_sums(found: &Explanations, classes: &[String], predictions: &[Vec<f64>]) {
    assert!(!found.waterfalls.is_empty());
    for fall in &found.waterfalls {
        let output = fall.class.as_ref().map_or(0, |class| {
            classes.iter().position(|known| known == class).expect("a class of the forest")
        });
        let amounts = fall.contributions.iter().map(|part| part.amount);
        let others = fall.others.map_or(0.0, |(_, amount)| amount);
        let sum = fall.expected.expect("known") + amounts.clone().sum::<f64>() + others;
        assert!((sum - fall.prediction).abs() < 1e-12, "{sum} {}", fall.prediction);
        let prediction = predictions[row(fall.row)][output];
        assert!((sum - prediction).abs() < 1e-10, "{sum} is not {prediction}");
        let sizes: Vec<f64> = amounts.map(f64::abs).collect();
        assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
    }
}

/// Out-of-bag predictions as the forest makes them, `[row][output]`.
fn out_of_bag(forest: &Forest, data: &Dataset) -> Vec<Vec<f64>> {
    let measured = forest.measure(data, &[], &Run::on(threads())).expect("its data");
    let prediction = |row| measured.out_of_bag.prediction(row).expect("out of some bag");
    (0..data.n_rows()).map(prediction).collect()
}

#[test]
fn rows_are_explained_by_the_trees_that_did_not_see_them() {
    let data = dataset(SHAPE);
    let forest = grow(&data, &config());
    let found = explained(&forest, &data, 1, threads());
    let n_weighing = data.rows_of_positive_weight().len();
    assert!(n_weighing < 90);
    assert_eq!((found.rows.len(), found.outputs.len()), (n_weighing, 1));
    let words =
        format!("All {n_weighing} rows of positive weight are explained, each by the trees");
    assert!(found.about.starts_with(&words), "{}", found.about);
    let values = values(&forest, &data);
    for (variable, of) in found.variables.iter().zip(&found.outputs[0].variables) {
        let place = forest.features().iter().position(|feature| feature.name == variable.name);
        let place = place.expect("a variable of the forest");
        for (&number, value) in found.rows.iter().zip(&of.values) {
            assert!((value - values[row(number)][place]).abs() < 1e-12);
        }
        let weights = data.weights().expect("weights");
        let weights = found.rows.iter().map(|&number| weights[row(number)]);
        let sum = of.values.iter().zip(weights.clone()).map(|(value, weight)| weight * value.abs());
        assert!((of.mean_absolute - sum.sum::<f64>() / weights.sum::<f64>()).abs() < 1e-12);
        let parts: usize = of.parts.iter().map(|part| part.n_rows).sum();
        let sum: f64 = of.parts.iter().map(|part| part.mean * part.n_rows as f64).sum();
        assert_eq!(parts, n_weighing);
        assert!((sum - of.values.iter().sum::<f64>()).abs() < 1e-10);
    }
    let sizes = found.outputs[0].variables.iter().map(|of| of.mean_absolute);
    assert!(sizes.is_sorted_by(|a, b| a >= b));
    let predictions = out_of_bag(&forest, &data);
    check_sums(&found, &[], &predictions);
    let ends = found.rows.iter().map(|&number| predictions[row(number)][0]);
    let (largest, smallest) =
        (ends.clone().fold(f64::MIN, f64::max), ends.fold(f64::MAX, f64::min));
    let shown: Vec<f64> = found.waterfalls.iter().map(|fall| fall.prediction).collect();
    assert_eq!(shown.len(), 3);
    assert!((shown[0] - largest).abs() < 1e-10 && (shown[2] - smallest).abs() < 1e-10);
    assert!(shown[0] > shown[1] && shown[1] > shown[2]);
}

#[test]
fn cells_are_those_of_the_rows() {
    let data = dataset(SHAPE);
    let found = explained(&grow(&data, &config()), &data, 1, threads());
    let (mut n_missing, mut n_levels) = (0, 0);
    for variable in &found.variables {
        let column = data.features().column(&variable.name).expect("a column");
        match (&variable.cells, column.data()) {
            (Cells::Numbers { values }, wald::data::ColumnData::Numeric(numbers)) => {
                for (&number, value) in found.rows.iter().zip(values) {
                    let cell = numbers[row(number)];
                    assert_eq!(value.unwrap_or(f64::NAN).to_bits(), cell.to_bits());
                }
            }
            (Cells::Levels { levels, codes }, wald::data::ColumnData::Categorical(categories)) => {
                n_levels += levels.len();
                for (&number, code) in found.rows.iter().zip(codes) {
                    let cell = categories.levels().get(categories.codes()[row(number)] as usize);
                    assert_eq!(code.map(|code| &levels[code]), cell);
                    n_missing += usize::from(cell.is_none());
                }
            }
            _ => panic!("cells of another kind"),
        }
    }
    assert!(n_missing > 0 && n_levels >= 10);
}

#[test]
fn of_two_classes_one_is_shown_and_of_more_up_to_six() {
    for n_classes in [2, 3, 8] {
        let data = dataset(Shape { n_classes, weights: false, ..SHAPE });
        let forest = grow(&data, &config());
        let found = explained(&forest, &data, 1, threads());
        let classes = data.target().classes().expect("classes");
        let shown: Vec<&String> =
            found.outputs.iter().filter_map(|output| output.class.as_ref()).collect();
        if n_classes == 2 {
            assert_eq!(shown, [&classes[1]]);
        } else {
            assert_eq!(shown.len(), classes.len().min(6));
        }
        let is_part = found.about.ends_with("The 6 most frequent of 8 classes are shown.");
        assert_eq!(is_part, n_classes == 8, "{}", found.about);
        check_sums(&found, classes, &out_of_bag(&forest, &data));
        for fall in &found.waterfalls {
            let target = data.target();
            let wald::data::Response::Classification(seen) = target.response() else {
                panic!("classes")
            };
            let class = &classes[seen.codes()[row(fall.row)] as usize];
            assert_eq!(fall.response, Some(Outcome::Level(class.clone())));
        }
    }
}

#[test]
fn without_bags_all_trees_explain() {
    let data = dataset(SHAPE);
    let config =
        ForestConfig { sampling: Sampling::All, splitting: Splitting::RandomThreshold, ..config() };
    let forest = grow(&data, &config);
    let found = explained(&forest, &data, 1, threads());
    assert!(found.about.contains("by all trees"), "{}", found.about);
    let predictions = forest.predict(data.features(), &Run::on(threads())).expect("rows");
    let predictions: Vec<Vec<f64>> = predictions.iter().map(|&value| vec![value]).collect();
    check_sums(&found, &[], &predictions);
}

#[test]
fn a_sample_depends_on_the_seed_and_not_on_threads() {
    let data = dataset(Shape { n_rows: 400, weights: false, ..SHAPE });
    let forest = grow(&data, &config());
    let one = Threads::new(1).expect("one thread");
    let found = explained(&forest, &data, 1, threads());
    assert_eq!(found.rows.len(), 300);
    assert!(found.rows.is_sorted_by(|a, b| a < b));
    assert!(found.about.starts_with("A random sample of 300 of the 400 rows"));
    assert_eq!(found, explained(&forest, &data, 1, one));
    assert_ne!(found.rows, explained(&forest, &data, 2, one).rows);
    check_sums(&found, &[], &out_of_bag(&forest, &data));
}

#[test]
fn a_group_has_the_sum_of_its_columns() {
    let data = dataset(SHAPE);
    let forest = grow(&data, &config());
    let names = data.features().names();
    let members = vec![names[0].clone(), names[3].clone()];
    let grouped = data.clone().with_groups(&[("both".to_owned(), members)]).expect("columns");
    let found = explained(&forest, &grouped, 1, threads());
    let values = values(&forest, &data);
    let place = found.variables.iter().position(|variable| variable.name == "both");
    let place = place.expect("the group");
    assert_eq!(found.variables[place].cells, Cells::Several { n_columns: 2 });
    let of = &found.outputs[0].variables[place];
    for (&number, value) in found.rows.iter().zip(&of.values) {
        let record = &values[row(number)];
        assert!((value - (record[0] + record[3])).abs() < 1e-12);
    }
    assert_eq!(of.parts, []);
    check_sums(&found, &[], &out_of_bag(&forest, &data));
}

#[test]
fn what_cannot_be_shared_out_is_refused() {
    let mut weighing = stump();
    weighing["aggregation"] = "leaf_weighted".into();
    let mut unknown = stump();
    let tree = unknown["trees"][0].as_object_mut().expect("a tree");
    tree.remove("in_bag");
    tree.insert("value".to_owned(), vec![10.5, 1.5, 15.0].into());
    for (document, words) in [(weighing, "weighs leaves"), (unknown, "in-bag weight")] {
        let (forest, numbers) = (read(&document), [1, 2, 3, 4, 5, 6]);
        match Explanations::of_forest(&forest, &six_rows(), &numbers, 1, &Run::on(threads())) {
            Err(Error::Measure { measure: "tree_shap", why, .. }) => {
                assert!(why.contains(words), "{why:?}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn rows_that_all_trees_have_seen_are_left_out() {
    let data = dataset(SHAPE);
    let forest = grow(&data, &ForestConfig { n_trees: 2, ..config() });
    let is_out =
        |row: &usize| forest.bags().expect("bags").iter().any(|bag| bag.counts()[*row] == 0);
    let weighing = data.rows_of_positive_weight();
    let expected: Vec<usize> = weighing.iter().map(|&row| row as usize).filter(is_out).collect();
    assert!(!expected.is_empty() && expected.len() < weighing.len());
    let found = explained(&forest, &data, 1, threads());
    assert_eq!(found.rows.iter().map(|&number| row(number)).collect::<Vec<_>>(), expected);
    let words = format!(
        "The {} of {} rows of positive weight that some tree did not see",
        expected.len(),
        weighing.len()
    );
    assert!(found.about.starts_with(&words), "{}", found.about);
}
