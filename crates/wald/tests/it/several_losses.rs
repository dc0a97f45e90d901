//! Losses of forests of several targets: against the same trees as forests of single outputs.

use std::sync::Arc;

use serde_json::{Value, json};
use wald::data::{Column, ColumnData, Outputs, Target};
use wald::forest::{Forest, Node, Rule, Split};
use wald::measure::{MeasureSettings, Permutations};
use wald::{Dataset, ForestConfig, Importance, Measure, MeasureId, Run};

use crate::several::{DEFINED, grow, measured, names, three, with_outputs};
use crate::support::{Numbers, Shape, assert_close};

/// The same splits and bags, as a forest of one of the outputs.
fn of_output(forest: &Forest, data: &Dataset, output: usize) -> (Forest, Dataset) {
    let values = data.target().outputs().expect("several").output(output).collect();
    let target = Target::regression("y", values).expect("finite");
    let one = Dataset::new(data.features().columns().to_vec(), target).expect("consistent");
    let one = one.with_weights(data.weights().expect("weights").to_vec()).expect("valid weights");
    let bags = forest.bags().expect("wald's own");
    let trees = forest.trees().iter().zip(bags).map(|(tree, bag)| {
        let of_nodes = |at: &dyn Fn(&Split) -> Value| -> Vec<Value> {
            let of_node = |node: &Node| match node {
                Node::Split(split) => at(split),
                Node::Leaf => Value::Null,
            };
            tree.nodes().iter().map(of_node).collect()
        };
        json!({
            "feature": of_nodes(&|split| split.feature.into()),
            "threshold": of_nodes(&|split| match split.rule {
                Rule::AtMost { threshold, .. } => threshold.into(),
                _ => panic!("numbers without missing values"),
            }),
            "left": of_nodes(&|split| split.first_child.into()),
            "right": of_nodes(&|split| (split.first_child + 1).into()),
            "in_bag": bag.counts(),
        })
    });
    let names: Vec<&str> = forest.features().iter().map(|feature| feature.name.as_str()).collect();
    let document = json!({
        "format": "wald-forest",
        "version": 1,
        "task": "regression",
        "features": names,
        "row_weights": data.weights(),
        "trees": trees.collect::<Vec<Value>>(),
    });
    let bytes = document.to_string().into_bytes();
    (Forest::from_json(&bytes, Some(&one), &Run::all()).expect("its data"), one)
}

/// The squared loss of several targets is the mean of that of each, by the same trees.
#[test]
fn losses_are_means_over_the_targets() {
    let mut numbers = Numbers(17);
    let n = 120;
    let mut column = |name: &str| {
        Column::numeric(name, (0..n).map(|_| numbers.unit()).collect()).expect("finite")
    };
    let inputs = ["a", "b", "c"].map(&mut column).to_vec();
    let cells = |at: usize| match inputs[at].data() {
        ColumnData::Numeric(values) => values.clone(),
        ColumnData::Categorical(_) => panic!("numbers"),
    };
    let (a, b) = (cells(0), cells(1));
    let values = (0..n).flat_map(|row| [a[row] + numbers.unit(), 5.0 * a[row] * b[row]]).collect();
    let outputs = Outputs::new(names(2), values, 2).expect("whole rows");
    let target = Target::several("y", outputs).expect("finite");
    let weights = (0..n).map(|_| 0.5 + numbers.unit()).collect();
    let data = Dataset::new(inputs, target).expect("consistent");
    let data = data.with_weights(weights).expect("valid weights");
    let config = ForestConfig { n_trees: 20, mtry: Some(2), ..ForestConfig::default() };
    let forest = grow(&data, &config, 2);
    let each = [0, 1].map(|output| of_output(&forest, &data, output));
    let variances = each.each_ref().map(|(_, data)| wald::work::response_variance(data));
    let random = Permutations::Random(2);
    for id in DEFINED {
        let of = |permutations: &Permutations, forest: &Forest, data: &Dataset| -> Importance {
            let settings = MeasureSettings {
                test: Some(Arc::new(data.clone())),
                permutations: permutations.clone(),
                ..MeasureSettings::default()
            };
            let settings = match id {
                MeasureId::Mdi | MeasureId::SobolMda => MeasureSettings::default(),
                _ => settings,
            };
            let measure = Measure::new(*id, settings).expect("sensible settings");
            let measured = forest.measure(data, &[measure], &Run::all()).expect("applies");
            measured.importances.into_iter().next().expect("one measure")
        };
        for permutations in [&Permutations::Exact, &random] {
            let found = of(permutations, &forest, &data);
            let by_output = each.each_ref().map(|(forest, data)| of(permutations, forest, data));
            for variable in 0..3 {
                let value = |found: &Importance| found.values[variable].expect("defined");
                let values = by_output.each_ref().map(value);
                let expected = if *id == MeasureId::SobolMda {
                    // Lamboni, Monod & Makowski 2011: the mean, weighted by the variances.
                    (values[0] * variances[0] + values[1] * variances[1])
                        / (variances[0] + variances[1])
                } else {
                    f64::midpoint(values[0], values[1])
                };
                assert_close(value(&found), expected, &format!("{id:?}, variable {variable}"));
            }
            assert!(found.values[0].is_some_and(|value| value > 0.0), "{id:?}");
        }
    }
}

/// Losses are divided by the number of targets, and so are their standard errors; shares are not.
#[test]
fn losses_are_divided_by_the_number_of_targets() {
    let shape = Shape { n_rows: 120, n_classes: 0, missing: true, weights: true, seed: 6 };
    let data = three(shape);
    let outputs = data.target().outputs().expect("several");
    let of_one = Outputs::new(outputs.names().to_vec(), outputs.values().to_vec(), 1);
    let together = with_outputs(&data, of_one.expect("whole rows"));
    let config = ForestConfig { n_trees: 12, ..ForestConfig::default() };
    let (each, sum) = (grow(&data, &config, 2), grow(&together, &config, 2));
    for &id in DEFINED {
        let divisor = if id == MeasureId::SobolMda { 1.0 } else { 3.0 };
        let (found, expected) = (measured(&each, &data, id), measured(&sum, &together, id));
        let check = |found: &[Option<f64>], expected: &[Option<f64>]| {
            for (found, expected) in found.iter().zip(expected) {
                let expected = expected.expect("defined") / divisor;
                assert_close(found.expect("defined"), expected, id.info().id);
            }
        };
        check(&found.values, &expected.values);
        assert_eq!(found.standard_errors.is_some(), id != MeasureId::MdaTrainTest);
        let errors = [&found, &expected].map(|found| found.standard_errors.as_deref());
        check(errors[0].unwrap_or_default(), errors[1].unwrap_or_default());
    }
}
