//! Numbers that are equal but for rounding: what is not there must not become a value.

use serde_json::{Value, json};
use wald::data::{Column, Target};
use wald::explain::Rows;
use wald::inference::{ConditionalConfig, ConditionalMethod, conditional_test};
use wald::measure::{MeasureSettings, Normalise};
use wald::{
    Dataset, ExplanationId, ExplanationSettings, Forest, ForestConfig, Importance, MeasureId, Run,
};

use crate::golden_case::read_json;
use crate::stump::stump;
use crate::support::{assert_close, explained, grow, threads, try_measure};

fn number(name: &str, values: Vec<f64>) -> Column {
    Column::numeric(name, values).expect("finite values")
}

fn regression(columns: Vec<Column>, y: Vec<f64>) -> Dataset {
    Dataset::new(columns, Target::regression("y", y).expect("finite")).expect("consistent")
}

fn classification(columns: Vec<Column>, codes: Vec<u32>) -> Dataset {
    let names = ["normal", "rare"].map(str::to_owned).to_vec();
    let target = Target::classification("y", names, codes).expect("valid codes");
    Dataset::new(columns, target).expect("consistent")
}

fn measure(data: &Dataset, forest: &Forest, id: MeasureId) -> Importance {
    try_measure((data, forest), id, MeasureSettings::default(), 1).expect("applies")
}

/// A stump of classes on u at 2.5.
fn stump_of_classes(in_bag: &[u32]) -> Value {
    let mut document = stump();
    document["task"] = json!("classification");
    document["classes"] = json!(["normal", "rare"]);
    document["features"] = json!(["u"]);
    document["feature_levels"] = json!([null]);
    document["trees"][0]["in_bag"] = json!(in_bag);
    document
}

/// Both leaves have the same proportions; the last rows are out of bag.
#[test]
fn trees_whose_leaves_predict_the_same_explain_nothing() {
    for n_normal in 1..12 {
        let side = [vec![0; n_normal], vec![1]].concat();
        let codes = [side.clone(), side.clone(), vec![0, 1, 0]].concat();
        let n_rows = codes.len();
        let u = (0..n_rows).map(|row| if row % (n_rows - 3) < side.len() { 1.0 } else { 4.0 });
        let data = classification(vec![number("u", u.collect())], codes);
        let in_bag: Vec<u32> = (0..n_rows).map(|row| u32::from(row + 3 < n_rows)).collect();
        let forest = read_json(&stump_of_classes(&in_bag), Some(&data)).expect("a forest");
        for id in [ExplanationId::TreeShap, ExplanationId::TreeShapInteractions] {
            let settings = ExplanationSettings::default();
            let found = explained((&data, &forest), Rows::Training, (id, &settings), 1);
            assert!(found.iter().flatten().all(|value| value.abs() < 1e-15), "{found:?}");
        }
        let found = measure(&data, &forest, MeasureId::TreeShapOobCovariance);
        assert!(found.values[0].is_some_and(|value| value.abs() < 1e-15), "{found:?}");
    }
}

#[test]
fn predictions_that_do_not_vary_have_no_interactions() {
    for n_rows in 8..40 {
        let column = |factor: usize| (0..n_rows).map(|row| (row * factor % 7) as f64).collect();
        let columns = vec![number("a", column(2)), number("b", column(3)), number("c", column(5))];
        let data = regression(columns, vec![1.1; n_rows]);
        let forest = grow(&data, &ForestConfig { n_trees: 5, ..ForestConfig::default() });
        let settings = ExplanationSettings::default();
        let asked = (ExplanationId::FriedmanH, &settings);
        let found = explained((&data, &forest), Rows::Training, asked, 1);
        assert!(found.iter().flatten().all(|value| *value == 0.0), "{n_rows} {found:?}");
    }
}

/// Only whether the first column is there matters, whatever its one value is.
#[test]
fn a_column_of_one_value_has_no_slope() {
    let of = |constant: f64| {
        let gap = |row: usize| if row.is_multiple_of(3) { f64::NAN } else { constant };
        let other = |row: usize| (row * 7 % 11) as f64;
        let columns = vec![
            number("a", (0..40).map(gap).collect()),
            number("b", (0..40).map(other).collect()),
        ];
        let y =
            (0..40).map(|row| other(row) + if row.is_multiple_of(3) { 9.0 } else { 0.0 }).collect();
        let data = regression(columns, y);
        let forest = grow(&data, &ForestConfig { n_trees: 20, ..ForestConfig::default() });
        measure(&data, &forest, MeasureId::MdiPlus).values
    };
    let expected = of(1.0);
    for constant in [0.1, 0.3, 0.7, 1e9 / 3.0] {
        for (found, expected) in of(constant).into_iter().zip(&expected) {
            let expected = expected.expect("defined");
            assert_close(found.expect("defined"), expected, &format!("{constant}"));
        }
    }
}

/// Only the first row, which weighs nothing, has another value.
#[test]
fn a_target_that_is_constant_where_rows_weigh_has_no_shares() {
    for n_rows in 8..30 {
        let u = (0..n_rows).map(f64::from).collect();
        let y = (0..n_rows).map(|row| if row == 0 { 7.3 } else { 0.1 }).collect();
        let weights = (0..n_rows).map(|row| f64::from(row) / 3.0).collect();
        let data = regression(vec![number("u", u)], y).with_weights(weights).expect("weights");
        let forest = grow(&data, &ForestConfig { n_trees: 20, ..ForestConfig::default() });
        let settings =
            MeasureSettings { normalise: Normalise::Variance, ..MeasureSettings::default() };
        let found = try_measure((&data, &forest), MeasureId::MdaBreimanCutler, settings, 1);
        assert_eq!(found.expect("applies").values, [None], "{n_rows}");
    }
}

/// Twice the impurity of the numbers 0 and 1, also where no in-bag row goes right.
#[test]
fn impurities_of_classes_and_of_numbers_agree_without_in_bag_rows() {
    let u = || vec![number("u", vec![1.0, 2.0, 2.0, 3.0, 4.0])];
    let in_bag = [1, 2, 0, 0, 0];
    let classes = classification(u(), vec![0, 1, 0, 1, 0]);
    let numbers = regression(u(), vec![0.0, 1.0, 0.0, 1.0, 0.0]);
    let of_classes = stump_of_classes(&in_bag);
    let mut of_numbers = of_classes.clone();
    of_numbers["task"] = json!("regression");
    of_numbers.as_object_mut().expect("an object").remove("classes");
    for id in [MeasureId::MdiOobNaiveInBagAdded, MeasureId::Mdi] {
        let value = |document: &Value, data: &Dataset| {
            let forest = read_json(document, Some(data)).expect("a forest");
            measure(data, &forest, id).values[0].expect("defined")
        };
        let (of_classes, of_numbers) = (value(&of_classes, &classes), value(&of_numbers, &numbers));
        assert_close(of_classes, 2.0 * of_numbers, &format!("{id:?}"));
    }
}

/// One tree is the whole forest, so that its loss is that of the forest.
#[test]
fn a_tree_that_votes_is_judged_by_its_vote() {
    let u = vec![number("u", (0..12).map(|row| f64::from(row % 6)).collect())];
    let data = classification(u, vec![0, 0, 1, 1, 0, 1, 0, 1, 0, 1, 1, 0]);
    let mut document = stump_of_classes(&[1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0]);
    document["aggregation"] = json!("vote");
    let forest = read_json(&document, Some(&data)).expect("a forest");
    let value = |id| measure(&data, &forest, id).values[0].expect("defined");
    let of_trees = value(MeasureId::MdaBreimanCutler);
    assert_close(of_trees, value(MeasureId::MdaIshwaranKogalur), "one tree");
    assert!(of_trees.abs() > 0.01, "{of_trees}");
    assert!(value(MeasureId::TotalSobolFull).abs() < 1e-15);
}

#[test]
fn a_constant_column_passes_no_conditional_test() {
    for n_rows in [30_u32, 41, 60] {
        let x: Vec<f64> = (0..n_rows).map(|row| f64::from(row * 17 % 31)).collect();
        let y = x.iter().map(|x| (x / 7.0).sin() + x / 30.0).collect();
        let constant = number("constant", vec![0.3; n_rows as usize]);
        let data = regression(vec![number("x", x), constant], y);
        let forest = ForestConfig { n_trees: 25, ..ForestConfig::default() };
        let config = ConditionalConfig {
            method: ConditionalMethod::SobolCpi { draws: 7 },
            ..ConditionalConfig::new(forest)
        };
        let found = conditional_test(&data, &config, &Run::on(threads())).expect("a test");
        assert_eq!((found.values[1], found.p_values[1]), (0.0, 1.0));
    }
}

/// Rows of b, all of one number, meet a split on it that divides none of them.
#[test]
fn splits_that_divide_no_rows_have_no_column() {
    let a: Vec<f64> = (0..24).map(|row| f64::from(row * 5 % 17)).collect();
    let b: Vec<f64> = (0..24).map(|row| f64::from(row * 7 % 13)).collect();
    let y = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    let data = regression(vec![number("a", a), number("b", b)], y);
    let document = |right: Value| {
        json!({
            "format": "wald-forest", "version": 1, "task": "regression", "features": ["a", "b"],
            "trees": [{
                "feature": [0, -1, right["feature"], -1, -1],
                "threshold": [8.5, null, right["threshold"], null, null],
                "left": [1, -1, 3, -1, -1],
                "right": [2, -1, 4, -1, -1],
                "in_bag": vec![1; 24],
            }],
        })
    };
    let values = |right: Value| {
        let forest = read_json(&document(right), Some(&data)).expect("a forest");
        measure(&data, &forest, MeasureId::MdiPlus).values
    };
    let redundant = values(json!({"feature": 1, "threshold": 99.0}));
    let expected = values(json!({"feature": 0, "threshold": 99.0}));
    assert_eq!(redundant, expected);
    assert_eq!(redundant[1], Some(0.0));
}

/// The in-bag rows of a leaf are of two classes, equally often, and the file votes for either one.
#[test]
fn a_tie_may_be_voted_either_way() {
    let u = vec![number("u", vec![1.0, 1.0, 4.0, 4.0, 1.0, 4.0])];
    let data = classification(u, vec![0, 1, 1, 1, 0, 1]);
    let of = |left: Value| {
        let mut document = stump_of_classes(&[1, 1, 1, 1, 0, 0]);
        document["aggregation"] = json!("vote");
        document["trees"][0]["value"] = json!([[0, 1], left, [0, 1]]);
        let forest = read_json(&document, Some(&data)).expect("a forest");
        let vote = forest.predict(data.features(), &Run::on(threads())).expect("fits");
        let measures = [MeasureId::Mdi, MeasureId::MdiOob, MeasureId::MdiOobNaiveInBagAdded];
        (vote[0], measures.map(|id| measure(&data, &forest, id).values[0].expect("defined")))
    };
    let (first, expected) = of(json!([1, 0]));
    let (second, found) = of(json!([0, 1]));
    assert_eq!((first, second), (1.0, 0.0));
    for (found, expected) in found.into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-11, "{found} {expected}");
    }
}

/// Both leaves have the median of all rows, so that what the split decreases is rounding.
#[test]
fn decreases_by_rounding_have_no_shares() {
    let mut n_rounded = 0;
    for n_rows in 6..40_usize {
        let u = (0..n_rows).map(|row| 1.0 + 3.0 * (row % 2) as f64).collect();
        let y = (0..n_rows).map(|row| [0.1, 0.1, 0.3, 0.3, 0.7, 0.7][row % 6]).collect();
        let data = regression(vec![number("u", u)], y);
        let mut document = stump();
        document["features"] = json!(["u"]);
        document["feature_levels"] = json!([null]);
        document["impurity"] = json!("absolute_error");
        document["trees"][0]["in_bag"] = json!(
            vec![1; n_rows / 6 * 6].into_iter().chain(vec![0; n_rows % 6]).collect::<Vec<_>>()
        );
        let forest = read_json(&document, Some(&data)).expect("a forest");
        let of = |normalise| {
            let settings = MeasureSettings { normalise, ..MeasureSettings::default() };
            let found = try_measure((&data, &forest), MeasureId::Mdi, settings, 1);
            found.expect("applies").values[0].expect("defined")
        };
        let decrease = of(Normalise::None);
        assert!(decrease.abs() < 1e-15, "{decrease}");
        n_rounded += usize::from(decrease != 0.0);
        assert_eq!(of(Normalise::Sum), 0.0, "{n_rows}");
    }
    assert!(n_rounded > 0);
}
