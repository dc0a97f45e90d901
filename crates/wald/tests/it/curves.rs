//! ICE and partial dependence, against predictions of substituted rows.

use wald::data::{Column, ColumnData, MISSING_LEVEL};
use wald::explain::{Grid, GridSize, GridValues, Layout, Rows, Shape};
use wald::forest::{Aggregation, FeatureKind, Splitting};
use wald::{Dataset, ExplanationId, ExplanationSettings, Features, Forest, ForestConfig};
use wald::{Run, Threads};

use crate::forest_json::written;
use crate::golden_case::read_json;
use crate::support::{self, assert_close, dataset, grow, weight};

pub const MIXED: support::Shape =
    support::Shape { n_rows: 70, n_classes: 0, missing: true, weights: true, seed: 3 };

/// The layout and all records.
pub fn explain(
    forest: &Forest,
    data: &Dataset,
    rows: Rows<'_>,
    (id, settings): (ExplanationId, ExplanationSettings),
    threads: usize,
) -> (Layout, Vec<Vec<f64>>) {
    let threads = Threads::new(threads).expect("a sensible number");
    let explainer = forest.explainer(data, rows, id, &settings).expect("applies");
    let mut records = Vec::new();
    let push = |row: usize, values: &[f64]| {
        assert_eq!(row, records.len(), "in the order of the rows");
        records.push(values.to_vec());
    };
    explainer.run(&Run::on(threads), push).expect("not cancelled");
    (explainer.layout().clone(), records)
}

pub fn grids(layout: &Layout) -> &[Grid] {
    let Shape::Curves(grids) = &layout.shape else { panic!("curves") };
    grids
}

/// The column with one value in all rows; the last place of a grid may be a missing value.
pub fn constant(column: &Column, grid: &Grid, place: usize) -> Column {
    let is_missing = grid.has_missing && place == grid.len() - 1;
    let n_rows = column.len();
    match (column.data(), &grid.values) {
        (ColumnData::Numeric(_), GridValues::Numbers(numbers)) => {
            let value = if is_missing { f64::NAN } else { numbers[place] };
            Column::numeric(column.name(), vec![value; n_rows]).expect("finite")
        }
        (ColumnData::Categorical(_), GridValues::Levels(levels)) => {
            let code = if is_missing { MISSING_LEVEL } else { place as u32 };
            Column::categorical(column.name(), levels.clone(), vec![code; n_rows]).expect("codes")
        }
        _ => panic!("the grid does not fit the column"),
    }
}

pub fn predictions(forest: &Forest, rows: &Features) -> Vec<f64> {
    let threads = Threads::new(1).expect("one thread");
    forest.predict(rows, &Run::on(threads)).expect("fits")
}

pub fn with_column(rows: &Features, index: usize, column: Column) -> Features {
    let mut columns = rows.columns().to_vec();
    columns[index] = column;
    Features::new(columns).expect("consistent")
}

/// Compares all curves with predictions of substituted rows.
fn check_curves(forest: &Forest, rows: &Features, layout: &Layout, records: &[Vec<f64>]) {
    assert_eq!(records.len(), rows.n_rows());
    let n_outputs = layout.n_outputs();
    let mut start = 0;
    for (grid, name) in grids(layout).iter().zip(&layout.variables) {
        let index = forest.features().iter().position(|feature| feature.name == *name);
        let index = index.expect("a variable of the forest");
        assert_eq!(index, grid.feature);
        let place_in_rows = rows.columns().iter().position(|column| column.name() == name);
        let place_in_rows = place_in_rows.expect("a column of the rows");
        for place in 0..grid.len() {
            let column = constant(&rows.columns()[place_in_rows], grid, place);
            let expected = predictions(forest, &with_column(rows, place_in_rows, column));
            for (record, expected) in records.iter().zip(expected.chunks_exact(n_outputs)) {
                for (output, &expected) in expected.iter().enumerate() {
                    let found = record[start + output];
                    assert_close(found, expected, &format!("{name} at place {place}"));
                }
            }
            start += n_outputs;
        }
    }
    assert_eq!((start, layout.n_values()), (records[0].len(), start));
}

#[test]
fn curves_are_predictions_of_substituted_rows() {
    for n_classes in [0, 2, 3] {
        for missing in [false, true] {
            let data = dataset(support::Shape { n_classes, missing, ..MIXED });
            for splitting in [Splitting::Best, Splitting::RandomThreshold] {
                let config = ForestConfig { n_trees: 9, splitting, ..ForestConfig::default() };
                let forest = grow(&data, &config);
                for grid in [GridSize::Exact, GridSize::AtMost(6), GridSize::Few(2)] {
                    let settings = ExplanationSettings { grid, ..ExplanationSettings::default() };
                    let ice = (ExplanationId::Ice, settings);
                    let (layout, records) = explain(&forest, &data, Rows::Training, ice, 2);
                    check_curves(&forest, data.features(), &layout, &records);
                    let missing_told = grids(&layout).iter().any(|grid| grid.has_missing);
                    assert_eq!(missing_told, missing);
                }
            }
        }
    }
}

#[test]
fn other_rows_may_have_new_levels_and_further_columns() {
    let data = dataset(MIXED);
    let forest = grow(&data, &ForestConfig { n_trees: 8, ..ForestConfig::default() });
    let other = dataset(support::Shape { n_rows: 12, seed: 9, ..MIXED });
    let mut columns = other.features().columns().to_vec();
    columns.push(Column::numeric("further", vec![0.0; 12]).expect("finite"));
    columns.reverse();
    let levels = ["new", "L1", "L0", "L2"].map(str::to_owned).to_vec();
    let codes = (0..12).map(|row| row % 4).collect();
    let few = columns.iter().position(|column| column.name() == "few").expect("there");
    columns[few] = Column::categorical("few", levels, codes).expect("codes");
    let rows = Features::new(columns).expect("consistent");
    let ice = (ExplanationId::Ice, ExplanationSettings::default());
    let (layout, records) = explain(&forest, &data, Rows::Other(&rows), ice, 2);
    check_curves(&forest, &rows, &layout, &records);
}

#[test]
fn other_ways_of_joining_trees_keep_their_meaning() {
    for n_classes in [0, 3] {
        let shape = support::Shape { n_classes, missing: true, weights: false, ..MIXED };
        let data = dataset(shape);
        let forest = grow(&data, &ForestConfig { n_trees: 6, ..ForestConfig::default() });
        let mut text = Vec::new();
        forest.to_json(&mut text).expect("memory does not fail");
        let mut document: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
        for (aggregation, kind) in
            [("vote", Aggregation::Vote), ("leaf_weighted", Aggregation::LeafWeighted)]
        {
            document["aggregation"] = aggregation.into();
            let forest = read_json(&document, Some(&data)).expect("a forest");
            assert_eq!(forest.aggregation(), kind);
            let ice = (ExplanationId::Ice, ExplanationSettings::default());
            let (layout, records) = explain(&forest, &data, Rows::Training, ice, 2);
            check_curves(&forest, data.features(), &layout, &records);
        }
    }
}

#[test]
fn a_step_holds_down_to_the_threshold_before_it() {
    let data = dataset(support::Shape { missing: false, ..MIXED });
    let forest = grow(&data, &ForestConfig { n_trees: 5, ..ForestConfig::default() });
    check_steps(&forest, &data);
    let mut document: serde_json::Value = serde_json::from_slice(&written(&forest)).expect("JSON");
    document["float32_inputs"] = true.into();
    document["trees"].as_array_mut().expect("trees").iter_mut().for_each(|tree| {
        tree.as_object_mut().expect("a tree").remove("in_bag");
    });
    check_steps(&read_json(&document, None).expect("a forest"), &data);
}

fn check_steps(forest: &Forest, data: &Dataset) {
    let ice = (ExplanationId::Ice, ExplanationSettings::default());
    let (layout, records) = explain(forest, data, Rows::Training, ice, 1);
    let GridValues::Numbers(grid) = &grids(&layout)[0].values else { panic!("numbers") };
    let at = |value: f64| {
        let column = Column::numeric("one", vec![value; 70]).expect("finite");
        predictions(forest, &with_column(data.features(), 0, column))
    };
    for place in 1..grid.len() {
        let above_the_one_before = at(grid[place - 1].next_up());
        let beyond = at(grid[place].next_up());
        for (row, record) in records.iter().enumerate() {
            assert_close(record[place], above_the_one_before[row], "left end of a step");
            if place + 1 < grid.len() {
                assert_close(record[place + 1], beyond[row], "the next step");
            } else {
                assert_close(record[place], at(1e9)[row], "the last step has no end");
            }
        }
    }
    // Every threshold is a step for some row, or the forest would not have split there.
    let is_step = |place: usize| records.iter().any(|record| record[place] != record[place - 1]);
    assert!((1..grid.len()).filter(|&place| is_step(place)).count() * 2 > grid.len());
}

#[test]
fn partial_dependence_is_the_weighted_mean_of_the_curves() {
    for n_classes in [0, 3] {
        let data = dataset(support::Shape { n_classes, ..MIXED });
        let forest = grow(&data, &ForestConfig { n_trees: 7, ..ForestConfig::default() });
        let variables = vec!["more".to_owned(), "two".to_owned()];
        let settings = ExplanationSettings { variables, ..ExplanationSettings::default() };
        let of =
            |id, threads| explain(&forest, &data, Rows::Training, (id, settings.clone()), threads);
        let ((layout, curves), (mean_layout, mean)) =
            (of(ExplanationId::Ice, 2), of(ExplanationId::Pdp, 2));
        assert_eq!(layout.variables, ["two", "more"]);
        assert_eq!((layout.shape, mean.len()), (mean_layout.shape, 1));
        let total: f64 = (0..70).map(|row| weight(&data, row)).sum();
        for (place, &found) in mean[0].iter().enumerate() {
            let sum: f64 = (0..70).map(|row| weight(&data, row) * curves[row][place]).sum();
            assert_close(found, sum / total, "mean of the curves");
        }
        for threads in [1, 3, 16] {
            assert_eq!(of(ExplanationId::Ice, threads).1, curves, "{threads} threads");
            assert_eq!(of(ExplanationId::Pdp, threads).1, mean, "{threads} threads");
        }
    }
}

#[test]
fn out_of_bag_curves_leave_out_trees_that_saw_the_row() {
    let data = dataset(support::Shape { n_classes: 2, weights: false, ..MIXED });
    let forest = grow(&data, &ForestConfig { n_trees: 4, ..ForestConfig::default() });
    let settings = ExplanationSettings { out_of_bag: true, ..ExplanationSettings::default() };
    let ice = (ExplanationId::Ice, settings.clone());
    let (layout, records) = explain(&forest, &data, Rows::Training, ice, 2);
    let bags = forest.bags().expect("grown here");
    let mut text = Vec::new();
    forest.to_json(&mut text).expect("memory does not fail");
    let document: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
    let mut n_never = 0;
    for (row, record) in records.iter().enumerate() {
        let mut some = document.clone();
        let trees = document["trees"].as_array().expect("trees").iter().enumerate();
        let unseen: Vec<serde_json::Value> = trees
            .filter(|(tree, _)| bags[*tree].counts()[row] == 0)
            .map(|(_, tree)| tree.clone())
            .collect();
        if unseen.is_empty() {
            n_never += 1;
            assert!(record.iter().all(|value| value.is_nan()));
            continue;
        }
        some["trees"] = unseen.into();
        let some = read_json(&some, Some(&data)).expect("a forest");
        let alone = data.features().columns().iter().map(|column| column.select(&[row as u32]));
        let alone = Features::new(alone.collect()).expect("one row");
        check_curves(&some, &alone, &layout, std::slice::from_ref(record));
    }
    assert!(n_never > 0);
    // Partial dependence is the mean over the rows that have a curve.
    let (_, mean) = explain(&forest, &data, Rows::Training, (ExplanationId::Pdp, settings), 2);
    let known: Vec<&Vec<f64>> = records.iter().filter(|record| !record[0].is_nan()).collect();
    let first: f64 = known.iter().map(|record| record[0]).sum();
    assert_close(mean[0][0], first / known.len() as f64, "mean of the rows out of bag");
}

#[test]
fn what_does_not_fit_is_refused() {
    let data = dataset(MIXED);
    let forest = grow(&data, &ForestConfig { n_trees: 3, ..ForestConfig::default() });
    let refusal = |rows: Rows<'_>, settings: ExplanationSettings| {
        let ice = ExplanationId::Ice;
        let error = forest.explainer(&data, rows, ice, &settings).expect_err("refused");
        assert!(!error.help().is_empty());
        error.to_string()
    };
    let settings = ExplanationSettings::default;
    let variables = vec!["nowhere".to_owned()];
    let unknown = refusal(Rows::Training, ExplanationSettings { variables, ..settings() });
    assert!(unknown.contains("\"nowhere\" is not an input variable"), "{unknown}");
    let grid = GridSize::AtMost(0);
    let empty = refusal(Rows::Training, ExplanationSettings { grid, ..settings() });
    assert!(empty.contains("grid of 0 values"), "{empty}");
    let other = Rows::Other(data.features());
    let unseen = refusal(other, ExplanationSettings { out_of_bag: true, ..settings() });
    assert!(unseen.contains("out-of-bag trees"), "{unseen}");
    let lacking = Features::new(data.features().columns()[1..].to_vec()).expect("columns");
    assert!(refusal(Rows::Other(&lacking), settings()).contains("no column \"one\""));
    assert!(matches!(forest.features()[0].kind, FeatureKind::Numeric));
}
