//! MDI+ against dense regressions that are fitted again without each row, and against imodels 3.0.4 on
//! the same forests (`fixtures/make_mdi_plus.py`).

use serde_json::Value;
use wald::data::{Column, ColumnData};
use wald::explain::Rows;
use wald::forest::{Node, Splitting, Tree};
use wald::measure::MeasureSettings;
use wald::{
    Dataset, ExplanationId, ExplanationSettings, Forest, ForestConfig, Importance, MeasureId,
};

use crate::golden_case::table;
use crate::sklearn::Case;
use crate::support::{
    Shape, child, dataset, explained, grow, levels_only, measure, response, try_measure,
};

fn measured(forest: &Forest, data: &Dataset) -> Importance {
    measure(data, forest, MeasureId::MdiPlus, MeasureSettings::default())
}

/// The nodes that a row passes.
fn path(tree: &Tree, data: &Dataset, row: usize) -> Vec<usize> {
    let mut path = vec![0];
    while let Node::Split(split) = &tree.nodes()[path[path.len() - 1]] {
        path.push(split.first_child as usize + child(data, tree, split, row, None));
    }
    path
}

/// The columns of one tree: by row, the variable of each column and its value, centred.
struct Columns {
    variables: Vec<usize>,
    rows: Vec<Vec<f64>>,
}

/// Weights with mean 1 of the rows that have one.
fn weights(data: &Dataset) -> Vec<f64> {
    let weights = data.weights().map_or_else(|| vec![1.0; data.n_rows()], <[f64]>::to_vec);
    let counted = weights.iter().filter(|weight| **weight > 0.0).count() as f64;
    let total: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight * counted / total).collect()
}

fn mean(values: &[f64], weights: &[f64]) -> f64 {
    let sum: f64 = values.iter().zip(weights).map(|(value, weight)| value * weight).sum();
    sum / weights.iter().sum::<f64>()
}

fn deviation(values: &[f64], weights: &[f64]) -> f64 {
    let middle = mean(values, weights);
    let squares: Vec<f64> = values.iter().map(|value| (value - middle).powi(2)).collect();
    mean(&squares, weights).sqrt()
}

fn columns(forest: &Forest, tree: usize, data: &Dataset) -> Columns {
    let weights = weights(data);
    let tree = &forest.trees()[tree];
    let paths: Vec<Vec<usize>> = (0..data.n_rows()).map(|row| path(tree, data, row)).collect();
    let known = tree.statistics().expect("grown here");
    let mut found: Vec<(usize, Vec<f64>)> = Vec::new();
    let mut widest = vec![0.0_f64; data.features().n_columns()];
    for (node, kind) in tree.nodes().iter().enumerate() {
        let Node::Split(split) = kind else { continue };
        let left = split.first_child as usize;
        let (low, high) = (known.weight(left), known.weight(left + 1));
        let value = |path: &Vec<usize>| {
            let at = path.iter().position(|step| *step == node);
            at.map_or(0.0, |at| {
                if path[at + 1] == left { -(high / low).sqrt() } else { (low / high).sqrt() }
            })
        };
        let values: Vec<f64> = paths.iter().map(value).collect();
        let variable = split.feature as usize;
        widest[variable] = widest[variable].max(deviation(&values, &weights));
        found.push((variable, values));
    }
    for (variable, column) in data.features().columns().iter().enumerate() {
        let ColumnData::Numeric(values) = column.data() else { continue };
        if widest[variable] > 0.0 {
            let present = || (0..values.len()).filter(|row| !values[*row].is_nan());
            let of_present: Vec<f64> = present().map(|row| weights[row]).collect();
            let middle = mean(&present().map(|row| values[row]).collect::<Vec<_>>(), &of_present);
            let filled: Vec<f64> =
                values.iter().map(|value| if value.is_nan() { middle } else { *value }).collect();
            let factor = deviation(&filled, &weights) / widest[variable];
            found.push((variable, filled.iter().map(|value| value / factor).collect()));
        }
    }
    for (_, values) in &mut found {
        let middle = mean(values, &weights);
        values.iter_mut().for_each(|value| *value -= middle);
    }
    Columns {
        variables: found.iter().map(|(variable, _)| *variable).collect(),
        rows: (0..data.n_rows())
            .map(|row| found.iter().map(|(_, values)| values[row]).collect())
            .collect(),
    }
}

/// Solves the normal equations by Gaussian elimination; the last coefficient is the intercept.
fn ridge(rows: &[Vec<f64>], response: &[f64], weights: &[f64], penalty: f64) -> Vec<f64> {
    let n_columns = rows[0].len() + 1;
    let mut system = vec![vec![0.0; n_columns + 1]; n_columns];
    for ((row, y), weight) in rows.iter().zip(response).zip(weights) {
        let with_one: Vec<f64> = row.iter().copied().chain([1.0]).collect();
        for i in 0..n_columns {
            for j in 0..n_columns {
                system[i][j] += weight * with_one[i] * with_one[j];
            }
            system[i][n_columns] += weight * with_one[i] * y;
        }
    }
    (0..n_columns - 1).for_each(|i| system[i][i] += penalty);
    for i in 0..n_columns {
        for other in i + 1..n_columns {
            let factor = system[other][i] / system[i][i];
            let above = system[i].clone();
            let entries = system[other].iter_mut().zip(&above).skip(i);
            entries.for_each(|(entry, above)| *entry -= factor * above);
        }
    }
    let mut solution = vec![0.0; n_columns];
    for i in (0..n_columns).rev() {
        let known: f64 = (i + 1..n_columns).map(|j| system[i][j] * solution[j]).sum();
        solution[i] = (system[i][n_columns] - known) / system[i][i];
    }
    solution
}

/// The importance by one tree: every row is predicted by a regression on the other rows.
fn by_refitting(columns: &Columns, response: &[f64], weights: &[f64], n: usize) -> Vec<f64> {
    let counted: Vec<usize> = (0..response.len()).filter(|row| weights[*row] > 0.0).collect();
    let without = |left_out: usize, penalty: f64| {
        let kept = || counted.iter().copied().filter(move |row| *row != left_out);
        let rows: Vec<Vec<f64>> = kept().map(|row| columns.rows[row].clone()).collect();
        let y: Vec<f64> = kept().map(|row| response[row]).collect();
        let of_kept: Vec<f64> = kept().map(|row| weights[row]).collect();
        ridge(&rows, &y, &of_kept, penalty)
    };
    let predicted = |row: usize, solution: &[f64], wanted: &dyn Fn(usize) -> bool| {
        let terms = columns.rows[row].iter().zip(solution).zip(&columns.variables);
        let sum: f64 = terms.filter(|(_, k)| wanted(**k)).map(|((x, b), _)| x * b).sum();
        sum + solution[solution.len() - 1]
    };
    let mut best = (f64::INFINITY, Vec::new());
    for at in 0..100 {
        let penalty = 10_f64.powf(-5.0 + 10.0 * f64::from(at) / 99.0);
        let solutions: Vec<Vec<f64>> = counted.iter().map(|&row| without(row, penalty)).collect();
        let error = counted.iter().zip(&solutions).map(|(&row, solution)| {
            weights[row] * (response[row] - predicted(row, solution, &|_| true)).powi(2)
        });
        let error: f64 = error.sum();
        if error < best.0 {
            best = (error, solutions);
        }
    }
    let middle = mean(response, weights);
    let total: f64 =
        counted.iter().map(|&row| weights[row] * (response[row] - middle).powi(2)).sum();
    let share = |variable: usize| {
        if !columns.variables.contains(&variable) {
            return 0.0;
        }
        let errors = counted.iter().zip(&best.1).map(|(&row, solution)| {
            let prediction = predicted(row, solution, &|k| k == variable);
            weights[row] * (response[row] - prediction).powi(2)
        });
        1.0 - errors.sum::<f64>() / total
    };
    (0..n).map(share).collect()
}

#[test]
fn values_are_those_of_regressions_without_each_row() {
    let shapes = [(0, false, false), (0, true, true), (2, false, true), (3, true, false)];
    for (seed, (n_classes, missing, weighted)) in (1..).zip(shapes) {
        let data = dataset(Shape { n_rows: 34, n_classes, missing, weights: weighted, seed });
        let config =
            ForestConfig { n_trees: 2, max_depth: Some(3), seed, ..ForestConfig::default() };
        let forest = grow(&data, &config);
        let found = measured(&forest, &data);
        let weights = weights(&data);
        let n_columns = data.features().n_columns();
        let mut largest = 0.0;
        for tree in 0..2 {
            let columns = columns(&forest, tree, &data);
            let by_row: Vec<Vec<f64>> =
                (0..data.n_rows()).map(|row| response(&data, row)).collect();
            let responses: Vec<Vec<f64>> = (0..by_row[0].len())
                .map(|output| by_row.iter().map(|outputs| outputs[output]).collect())
                .collect();
            let mut expected = vec![0.0; n_columns];
            for response in &responses {
                let values = by_refitting(&columns, response, &weights, n_columns);
                let shares = values.iter().map(|value| value / responses.len() as f64);
                expected.iter_mut().zip(shares).for_each(|(sum, value)| *sum += value);
            }
            largest = expected.iter().copied().fold(largest, f64::max);
            for (value, expected) in found.per_tree[tree].iter().zip(&expected) {
                let gap = (value - expected).abs();
                assert!(gap < 1e-8, "{n_classes} classes, tree {tree}: {value} {expected}");
            }
        }
        assert!(largest > 0.02, "{n_classes} classes: {largest}");
    }
}

fn cases() -> Value {
    let path = format!("{}/tests/fixtures/mdi_plus.json", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).expect("the fixture is there");
    serde_json::from_slice(&bytes).expect("JSON")
}

fn local_values(forest: &Forest, data: &Dataset) -> Vec<Vec<f64>> {
    let settings = ExplanationSettings::default();
    explained((data, forest), Rows::Training, (ExplanationId::MdiPlus, &settings), 2)
}

/// Numbers as scikit-learn sends them down, which imodels was given.
fn in_32_bits(data: &Dataset) -> Dataset {
    let rounded = |column: &Column| {
        let ColumnData::Numeric(values) = column.data() else { panic!("a number") };
        let rounded = values.iter().map(|value| f64::from(*value as f32)).collect();
        Column::numeric(column.name(), rounded).expect("finite")
    };
    let columns = data.features().columns().iter().map(rounded).collect();
    Dataset::new(columns, data.target().clone()).expect("consistent")
}

#[test]
fn values_are_those_of_imodels() {
    for (name, expected) in cases().as_object().expect("cases") {
        let case = Case::read(name);
        let [forest, _] = case.forests();
        let found = measured(&forest, &in_32_bits(&case.data));
        for (tree, expected) in table(&expected["by_tree"]).iter().enumerate() {
            for (value, expected) in found.per_tree[tree].iter().zip(expected) {
                let gap = (value - expected).abs();
                assert!(gap < 1e-8, "{name}, tree {tree}: {value} {expected}");
            }
        }
    }
}

#[test]
fn groups_predict_by_all_their_columns() {
    let shape = Shape { n_rows: 60, n_classes: 0, missing: false, weights: false, seed: 3 };
    let data = dataset(shape);
    let forest = grow(&data, &ForestConfig { n_trees: 3, seed: 2, ..ForestConfig::default() });
    let all = [("all".to_owned(), data.features().names())];
    let together = measured(&forest, &data.clone().with_groups(&all).expect("columns"));
    let largest = measured(&forest, &data).values.into_iter().flatten().fold(0.0, f64::max);
    assert!(together.values[0].expect("defined") > largest, "{together:?}");
}

#[test]
fn what_has_no_stumps_is_refused() {
    let shape = Shape { n_rows: 40, n_classes: 2, missing: false, weights: false, seed: 1 };
    let data = levels_only(shape);
    let splitting = Splitting::Multiway;
    let config = ForestConfig { n_trees: 2, splitting, ..ForestConfig::default() };
    let allowed = MeasureId::allowed_when_grown(&config);
    assert!(!allowed.contains(&MeasureId::MdiPlus) && allowed.contains(&MeasureId::Mdi));
    let settings = MeasureSettings::default();
    let refused = try_measure((&data, &grow(&data, &config)), MeasureId::MdiPlus, settings, 1)
        .expect_err("refused");
    assert!(refused.to_string().contains("two children"), "{refused}");
}

/// LMDI+ of every seventh row.
#[test]
fn local_values_are_those_of_imodels() {
    for (name, expected) in cases().as_object().expect("cases") {
        let Some(local) = expected.get("local") else { continue };
        let data = in_32_bits(&Case::read(name).data);
        let [forest, _] = Case::read(name).forests();
        let found = local_values(&forest, &data);
        for (row, expected) in table(&local["rows"]).iter().enumerate() {
            for (value, expected) in found[7 * row].iter().zip(expected) {
                assert!((value - expected).abs() < 1e-8, "{name}, row {row}: {value} {expected}");
            }
        }
    }
}

/// The values of a row add up to what the regressions predict for it, minus the mean response.
#[test]
fn local_values_of_classes_mirror_each_other_and_are_zero_on_average() {
    let shape = Shape { n_rows: 70, n_classes: 2, missing: true, weights: false, seed: 9 };
    let data = dataset(shape);
    let forest = grow(&data, &ForestConfig { n_trees: 4, ..ForestConfig::default() });
    let records = local_values(&forest, &data);
    let n_columns = data.features().n_columns();
    let mut means = vec![0.0; n_columns];
    for record in &records {
        for column in 0..n_columns {
            assert!((record[2 * column] + record[2 * column + 1]).abs() < 1e-12);
            means[column] += record[2 * column] / records.len() as f64;
        }
    }
    assert!(means.iter().all(|mean| mean.abs() < 1e-12), "{means:?}");
    assert!(records.iter().flatten().any(|value| value.abs() > 0.05));
}
