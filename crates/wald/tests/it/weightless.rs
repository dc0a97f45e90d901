//! Rows of weight zero, whose cells are like no others: what is permuted or drawn has nothing to do with them.

use wald::data::{Column, Target};
use wald::forest::{Keep, Sampling};
use wald::inference::{
    ConditionalConfig, ConditionalMethod, Observed, PermutedResponse, ShadowDraws, Tested,
    conditional_test, permuted_response, shadow_test,
};
use wald::measure::MeasureSettings;
use wald::selection::{BorutaConfig, boruta};
use wald::{Dataset, Forest, ForestConfig, Importance, Measure, MeasureId, Run};

use crate::support::{Numbers, assert_close, threads};

const ROWS: u32 = 60;

/// Rows with weights, the same with rows of weight zero before and after, and the columns of both; in the
/// added rows a column is constant, and another one missing.
fn tables(n_columns: usize) -> [Dataset; 2] {
    let mut numbers = Numbers(17);
    let mut draw = || -> Vec<f64> { (0..ROWS).map(|_| numbers.unit()).collect() };
    let columns: Vec<Vec<f64>> = (0..n_columns).map(|_| draw()).collect();
    let noise = draw();
    let y: Vec<f64> = columns[0].iter().zip(&noise).map(|(x, noise)| x + noise).collect();
    let weights = draw().into_iter().map(|weight| 1.0 + weight).collect();
    let around = |values: Vec<f64>, other: f64| [vec![other; 25], values, vec![other; 15]].concat();
    let table = |columns: Vec<Vec<f64>>, y: Vec<f64>, weights: Vec<f64>| {
        let named = columns.into_iter().zip(["a", "b", "c"]);
        let columns = named.map(|(values, name)| Column::numeric(name, values).expect("numbers"));
        let target = Target::regression("y", y).expect("finite");
        let data = Dataset::new(columns.collect(), target).expect("consistent");
        data.with_weights(weights).expect("positive ones")
    };
    let mut longer = Vec::new();
    for (column, values) in columns.iter().enumerate() {
        let other = [values[0], f64::NAN, values[1]][column];
        longer.push(around(values.clone(), other));
    }
    let with_others = table(longer, around(y.clone(), 99.0), around(weights, 0.0));
    let rows: Vec<u32> = (25..25 + ROWS).collect();
    let alone = with_others.select(&rows).expect("rows that weigh");
    assert_eq!(*with_others.of_positive_weight().expect("some"), alone);
    assert_eq!(alone.rows_of_positive_weight().len(), ROWS as usize);
    [alone, with_others]
}

fn run() -> Run {
    Run::on(threads())
}

/// Trees of all rows, so that rows of weight zero change no draw.
fn config() -> ForestConfig {
    ForestConfig { n_trees: 10, sampling: Sampling::All, ..ForestConfig::default() }
}

fn measure(id: MeasureId) -> Measure {
    Measure::new(id, MeasureSettings::default()).expect("defaults")
}

fn measured(data: &Dataset, id: MeasureId) -> Importance {
    let measures = [measure(id)];
    let grown = Forest::grow_and_measure(data, &config(), &measures, Keep::Nothing, &run());
    grown.expect("valid").measured.importances.remove(0)
}

#[test]
fn shadows_and_permuted_responses_show_other_rows_only() {
    let both = tables(3);
    let [alone, with_others] = both.each_ref().map(|data| measured(data, MeasureId::Air).values);
    for (found, expected) in with_others.into_iter().zip(alone) {
        assert_close(found.expect("defined"), expected.expect("defined"), "air");
    }
    let tested = |data: &Dataset| -> [Tested; 2] {
        let observed = [measured(data, MeasureId::Mdi)];
        let measures = [measure(MeasureId::Mdi)];
        let observed = Observed::new(&measures, &observed);
        let draws = ShadowDraws { draws: 20 };
        let permutations = PermutedResponse { permutations: 19, enough: None };
        let shadows = shadow_test(data, &config(), observed, draws, &run());
        let permuted = permuted_response(data, &config(), observed, permutations, &run());
        [shadows, permuted].map(|found| found.expect("valid").remove(0))
    };
    let [alone, with_others] = both.each_ref().map(tested);
    assert_eq!(with_others, alone);
    assert!(alone[1].p_values[0].is_some_and(|p| p < 0.1), "{alone:?}");
}

#[test]
fn boruta_decides_without_them() {
    let found = tables(1).map(|data| {
        let usual = BorutaConfig::new(config()).expect("valid");
        let config = BorutaConfig { measure: measure(MeasureId::Mdi), ..usual };
        boruta(&data, &config, &run()).expect("valid").variables
    });
    assert_eq!(found[0], found[1]);
}

#[test]
fn conditional_tests_leave_them_out() {
    let both = tables(3);
    for method in [ConditionalMethod::SobolCpi { draws: 5 }, ConditionalMethod::Loco] {
        let forest = ForestConfig { n_trees: 20, ..ForestConfig::default() };
        let config = ConditionalConfig { method, ..ConditionalConfig::new(forest) };
        let [alone, mut with_others] =
            both.each_ref().map(|data| conditional_test(data, &config, &run()).expect("a test"));
        assert_eq!([alone.n_rows, with_others.n_rows], [60, 100]);
        with_others.n_rows = alone.n_rows;
        assert_eq!(with_others, alone, "{method:?}");
    }
}

/// The same trees with bags that leave them out.
#[test]
fn measures_of_equal_trees_are_equal() {
    let [alone, with_others] = tables(3);
    let forest =
        Forest::grow(&alone, &ForestConfig { n_trees: 20, ..ForestConfig::default() }, &run());
    let mut json = Vec::new();
    forest.expect("valid").to_json(&mut json).expect("memory does not fail");
    let mut file: serde_json::Value = serde_json::from_slice(&json).expect("an object");
    file.as_object_mut().expect("an object").remove("config");
    let measured = |file: &serde_json::Value, data: &Dataset| {
        let bytes = serde_json::to_vec(file).expect("small");
        let forest = Forest::read(&bytes, Some(data), &run()).expect("a forest");
        let ids = [MeasureId::SobolMda, MeasureId::SobolFirst, MeasureId::MdaIshwaranKogalur];
        forest.measure(data, &ids.map(measure), &run()).expect("bags are known").importances
    };
    let expected = measured(&file, &alone);
    for tree in file["trees"].as_array_mut().expect("trees") {
        let counts = tree["in_bag"].as_array_mut().expect("counts");
        counts.splice(0..0, vec![0.into(); 25]);
        counts.extend(vec![serde_json::Value::from(0); 15]);
    }
    for key in ["row_weights", "table"] {
        file.as_object_mut().expect("an object").remove(key);
    }
    for (found, expected) in measured(&file, &with_others).iter().zip(&expected) {
        for (&found, &expected) in found.values.iter().zip(&expected.values) {
            assert_close(found.expect("defined"), expected.expect("defined"), "equal trees");
        }
    }
}
