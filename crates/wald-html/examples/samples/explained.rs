//! Made-up values of rows. Every fourth variable has levels, of which the first name is that of a
//! variable, and every seventh cell or so is missing.

use wald_report::{Cells, ExplainedRows, Explanations};

use super::noise;

pub(super) fn explanations(
    names: &[String],
    classes: Option<&[&str]>,
    n_rows: usize,
) -> Explanations {
    let n_outputs = classes.map_or(1, <[&str]>::len);
    let value = |row: usize, variable: usize, output: usize| {
        let size = 0.2 * 0.8_f64.powi(variable as i32);
        let sum = size * (noise(row + 1, variable + 1) - 0.5);
        // Of classes, values add up to nothing.
        match output {
            0 => sum,
            1 => -sum,
            _ => 0.0,
        }
    };
    let values = (0..n_rows).flat_map(|row| {
        (0..names.len()).flat_map(move |variable| {
            (0..n_outputs).map(move |output| value(row, variable, output))
        })
    });
    let expected = 1.0 / n_outputs as f64;
    let rows = ExplainedRows {
        names: names.to_vec(),
        cells: (0..names.len()).map(|variable| cells(names, variable, n_rows)).collect(),
        classes: classes.map(|classes| classes.iter().map(|class| (*class).to_owned()).collect()),
        class_counts: (0..n_outputs).rev().collect(),
        numbers: (1..=n_rows as u32).collect(),
        values: values.collect(),
        expected: Some(vec![expected; n_rows * n_outputs]),
        responses: Some((0..n_rows).map(|row| (row % n_outputs) as f64).collect()),
        weights: None,
    };
    Explanations::of_rows("tree_shap", "Rows are made up.".to_owned(), &rows)
}

fn cells(names: &[String], variable: usize, n_rows: usize) -> Cells {
    let is_missing = |row: usize| variable % 2 == 1 && noise(row + 5, variable + 3) < 0.14;
    if variable % 4 == 3 {
        let n_levels = 2 + variable % 7;
        let level = |row: usize| (noise(row + 1, variable + 1) * n_levels as f64) as usize;
        let levels = (0..n_levels).map(|level| match level {
            0 => names[(variable + 5) % names.len()].clone(),
            level => format!("level {level}"),
        });
        let code = |row: usize| (!is_missing(row)).then(|| level(row).min(n_levels - 1));
        return Cells::Levels { levels: levels.collect(), codes: (0..n_rows).map(code).collect() };
    }
    let value = |row: usize| (!is_missing(row)).then(|| 1000.0 * noise(row + 1, variable + 1));
    Cells::Numbers { values: (0..n_rows).map(value).collect() }
}
