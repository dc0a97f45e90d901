//! Accumulated local effects and Friedman's H, against predictions of substituted rows.

use wald::data::{Column, ColumnData, Target};
use wald::explain::{Grid, GridSize, GridValues, Rows};
use wald::{Dataset, ExplanationId, ExplanationSettings, Features, Forest, ForestConfig};

use crate::curves::{MIXED, constant, explain, grids, predictions, with_column};
use crate::support::{self, assert_close, dataset, grow, weight};

/// ALE of numbers by its definition: predictions of the rows of each interval at both of its ends.
#[test]
fn local_effects_add_up_mean_changes_within_intervals() {
    for n_classes in [0, 3] {
        let data = dataset(support::Shape { n_classes, ..MIXED });
        let forest = grow(&data, &ForestConfig { n_trees: 9, ..ForestConfig::default() });
        let settings =
            ExplanationSettings { grid: GridSize::AtMost(6), ..ExplanationSettings::default() };
        let asked = (ExplanationId::Ale, settings);
        let (layout, records) = explain(&forest, &data, Rows::Training, asked, 2);
        assert_eq!(layout.variables, ["one", "two", "tied", "constant"]);
        let mut found = records[0].as_slice();
        for (grid, variable) in grids(&layout).iter().zip(&layout.variables) {
            let index = grid.feature;
            let column = &data.features().columns()[index];
            let (ColumnData::Numeric(values), GridValues::Numbers(ends)) =
                (column.data(), &grid.values)
            else {
                panic!("numbers")
            };
            let at = |place: usize| {
                let substituted = constant(column, grid, place);
                predictions(&forest, &with_column(data.features(), index, substituted))
            };
            let n_outputs = layout.n_outputs();
            let mut expected = vec![vec![0.0; n_outputs]];
            let mut centre = vec![0.0; n_outputs];
            let mut total = 0.0;
            for place in 1..ends.len() {
                let is_in = |row: &usize| {
                    let is_first = place == 1 && values[*row] == ends[0];
                    is_first || (values[*row] > ends[place - 1] && values[*row] <= ends[place])
                };
                let rows: Vec<usize> = (0..values.len()).filter(is_in).collect();
                let weights: f64 = rows.iter().map(|&row| weight(&data, row)).sum();
                let (below, above) = (at(place - 1), at(place));
                let before = expected[place - 1].clone();
                let mut after = before.clone();
                for output in 0..n_outputs {
                    let change: f64 = rows
                        .iter()
                        .map(|&row| {
                            let cell = row * n_outputs + output;
                            weight(&data, row) * (above[cell] - below[cell])
                        })
                        .sum();
                    after[output] += if weights > 0.0 { change / weights } else { 0.0 };
                    centre[output] += weights * (before[output] + after[output]) / 2.0;
                }
                total += weights;
                expected.push(after);
            }
            for expected in expected {
                for (expected, centre) in expected.iter().zip(&centre) {
                    let centre = if total > 0.0 { centre / total } else { 0.0 };
                    assert_close(found[0], expected - centre, variable);
                    found = &found[1..];
                }
            }
        }
        assert!(found.is_empty());
    }
}

/// ALE by the trees that did not see a row, from the row's own curves by these trees.
#[test]
fn local_effects_out_of_bag_are_those_of_curves_of_rows() {
    let data = dataset(MIXED);
    let forest = grow(&data, &ForestConfig { n_trees: 4, ..ForestConfig::default() });
    let settings = ExplanationSettings {
        grid: GridSize::AtMost(5),
        out_of_bag: true,
        ..ExplanationSettings::default()
    };
    let found = |id| explain(&forest, &data, Rows::Training, (id, settings.clone()), 2);
    let (of_rows, curves) = found(ExplanationId::Ice);
    let (layout, records) = found(ExplanationId::Ale);
    assert!(curves.iter().any(|curve| curve[0].is_nan()), "a row that all trees saw");
    let mut found = records[0].iter();
    for grid in grids(&layout) {
        let before = grids(&of_rows).iter().take_while(|other| other.feature < grid.feature);
        let start: usize = before.map(Grid::len).sum();
        let (ColumnData::Numeric(values), GridValues::Numbers(ends)) =
            (data.features().columns()[grid.feature].data(), &grid.values)
        else {
            panic!("numbers")
        };
        let (mut sums, mut centre, mut total) = (vec![0.0], 0.0, 0.0);
        for place in 1..ends.len() {
            let is_in = |row: &usize| {
                let is_first = place == 1 && values[*row] == ends[0];
                let is_between = values[*row] > ends[place - 1] && values[*row] <= ends[place];
                (is_first || is_between) && !curves[*row][0].is_nan()
            };
            let rows: Vec<usize> = (0..values.len()).filter(is_in).collect();
            let weights: f64 = rows.iter().map(|&row| weight(&data, row)).sum();
            let change = |&row: &usize| {
                let of_row = &curves[row][start..];
                weight(&data, row) * (of_row[place] - of_row[place - 1])
            };
            let change = rows.iter().map(change).sum::<f64>() / weights.max(f64::MIN_POSITIVE);
            centre += weights * (sums[place - 1] + change / 2.0);
            total += weights;
            sums.push(sums[place - 1] + change);
        }
        for sum in sums {
            let centre = if total > 0.0 { centre / total } else { 0.0 };
            assert_close(*found.next().expect("a value"), sum - centre, "out of bag");
        }
    }
    assert!(found.next().is_none());
}

/// Friedman's H by its definition: partial dependence by predictions of substituted rows.
#[test]
fn interactions_are_what_partial_dependence_does_not_add_up_to() {
    for (n_classes, weights) in [(0, true), (3, false)] {
        let shape = support::Shape { n_classes, weights, n_rows: 26, missing: true, seed: 8 };
        let data = dataset(shape);
        let forest = grow(&data, &ForestConfig { n_trees: 6, ..ForestConfig::default() });
        let (rows, n) = (data.features(), data.features().n_columns());
        let n_outputs = n_classes.max(1) as usize;
        let asked = (ExplanationId::FriedmanH, ExplanationSettings::default());
        let (_, records) = explain(&forest, &data, Rows::Training, asked, 2);
        let total: f64 = (0..rows.n_rows()).map(|row| weight(&data, row)).sum();
        // By row and output, centred.
        let dependence = |put_in: &[usize]| -> Vec<f64> {
            let mut values = Vec::new();
            for row in 0..rows.n_rows() {
                let copies = vec![row as u32; rows.n_rows()];
                let columns = rows.columns().iter().enumerate().map(|(at, column)| {
                    if put_in.contains(&at) { column.select(&copies) } else { column.clone() }
                });
                let substituted = Features::new(columns.collect()).expect("consistent");
                let found = predictions(&forest, &substituted);
                let mean = |output: usize| -> f64 {
                    let of_rows = (0..rows.n_rows())
                        .map(|row| weight(&data, row) * found[row * n_outputs + output]);
                    of_rows.sum::<f64>() / total
                };
                values.extend((0..n_outputs).map(mean));
            }
            let mean = |output: usize| -> f64 {
                let of_rows = (0..rows.n_rows())
                    .map(|row| weight(&data, row) * values[row * n_outputs + output]);
                of_rows.sum::<f64>() / total
            };
            let means: Vec<f64> = (0..n_outputs).map(mean).collect();
            values.iter().enumerate().map(|(at, value)| value - means[at % n_outputs]).collect()
        };
        let sum = |value: &dyn Fn(usize) -> f64, output: usize| -> f64 {
            (0..rows.n_rows())
                .map(|row| weight(&data, row) * value(row * n_outputs + output).powi(2))
                .sum()
        };
        let single: Vec<Vec<f64>> = (0..n).map(|one| dependence(&[one])).collect();
        let all: Vec<usize> = (0..n).collect();
        let whole = dependence(&all);
        let of_predictions: f64 = (0..n_outputs).map(|output| sum(&|at| whole[at], output)).sum();
        let share = |whole: &[f64], parts: [&[f64]; 2], output: usize| -> [f64; 2] {
            let all = sum(&|at| whole[at], output);
            let rest = sum(&|at| whole[at] - parts[0][at] - parts[1][at], output);
            // Of a constant column, rounding is all there is.
            if all > 1e-20 { [rest / all, rest / of_predictions] } else { [0.0; 2] }
        };
        let mut largest = [0.0_f64; 2];
        for one in 0..n {
            for other in 0..n {
                for output in 0..n_outputs {
                    let expected = if one == other {
                        let others: Vec<usize> =
                            all.iter().copied().filter(|at| *at != one).collect();
                        share(&whole, [&single[one], &dependence(&others)], output)
                    } else {
                        let both = dependence(&[one, other]);
                        share(&both, [&single[one], &single[other]], output)
                    };
                    for (at, expected) in expected.into_iter().enumerate() {
                        let found = records[0][((at * n + one) * n + other) * n_outputs + output];
                        let gap = (found - expected).abs();
                        assert!(gap < 1e-10, "{one} {other}: {found} {expected}");
                        largest[at] = largest[at].max(expected);
                    }
                }
            }
        }
        assert!(largest[0] > 0.03 && largest[1] > 0.01, "{largest:?}");
    }
}

/// A product of a sign, which changes from row to row as in a panel of two years, and of a number.
fn panel(n_rows: usize) -> Dataset {
    let sign = |row: usize| if row.is_multiple_of(2) { -1.0 } else { 1.0 };
    let number = |row: usize| ((row / 2) as f64 * 0.618).fract();
    let column = |name: &str, of: &dyn Fn(usize) -> f64| {
        Column::numeric(name, (0..n_rows).map(of).collect()).expect("finite")
    };
    let columns = vec![column("sign", &sign), column("number", &number)];
    let y = (0..n_rows).map(|row| sign(row) * number(row)).collect();
    let target = Target::regression("y", y).expect("finite");
    Dataset::new(columns, target).expect("consistent")
}

/// A forest that tries both variables at every split, and so learns their product.
fn learned(data: &Dataset) -> Forest {
    grow(data, &ForestConfig { n_trees: 5, mtry: Some(2), ..ForestConfig::default() })
}

fn interaction(data: &Dataset, forest: &Forest, rows: Rows<'_>, seed: u64) -> f64 {
    let settings = ExplanationSettings { seed, ..ExplanationSettings::default() };
    explain(forest, data, rows, (ExplanationId::FriedmanH, settings), 2).1[0][1]
}

/// Of every other row the sign is the same, so that nothing would interact with it.
#[test]
fn rows_that_friedmans_h_looks_at_do_not_follow_the_order_of_the_table() {
    let data = panel(2000);
    let forest = learned(&data);
    let [one, other] = [1, 2].map(|seed| interaction(&data, &forest, Rows::Training, seed));
    assert!(one != other, "{one}, other rows are drawn");
    // Of independent signs and numbers between 0 and 1, the variance of the product is 1/3, and that of
    // sign times mean 1/4.
    for found in [one, other] {
        assert!((found - 0.25).abs() < 0.1, "{found}");
    }
}

#[test]
fn friedmans_h_looks_at_rows_of_positive_weight_only() {
    let data = panel(1200);
    // Every third row counts, which are 400: all of them are looked at.
    let weights = (0..1200).map(|row| if row % 3 == 1 { 1.0 } else { 0.0 }).collect();
    let data = data.with_weights(weights).expect("valid");
    let forest = learned(&data);
    let found = interaction(&data, &forest, Rows::Training, 0);
    let rows: Vec<u32> = (0..400).map(|row| 3 * row + 1).collect();
    let counted = data.select(&rows).expect("rows");
    let expected = interaction(&data, &forest, Rows::Other(counted.features()), 0);
    assert_close(found, expected, "the rows that count");
    assert!(found > 0.1, "{found}");
}

#[test]
fn local_effects_of_levels_are_refused() {
    let data = dataset(MIXED);
    let forest = grow(&data, &ForestConfig { n_trees: 2, ..ForestConfig::default() });
    let settings =
        ExplanationSettings { variables: vec!["few".to_owned()], ..ExplanationSettings::default() };
    let refused = forest.explainer(&data, Rows::Training, ExplanationId::Ale, &settings);
    let message = refused.map(|_| ()).expect_err("refused").to_string();
    assert!(message.contains("needs numbers, but the variable \"few\" has levels"), "{message}");
}
