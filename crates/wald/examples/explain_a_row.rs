//! Local explanations: why the forest predicts what it predicts for one row.
//!
//! Shapley values (`tree_shap`) share the difference between a prediction and the mean prediction
//! among the variables; they add up to it.

#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use wald::data::ColumnData;
use wald::explain::Rows;
use wald::simulate::Friedman1;
use wald::{Error, ExplanationId, ExplanationSettings, ForestConfig, Run};

/// Runs the example.
pub fn main() -> Result<(), Error> {
    let run = Run::all();
    let data = Friedman1 { n_columns: 6, noise: 1.0 }.draw(200, 1)?;
    let config = ForestConfig { n_trees: 100, seed: 1, ..ForestConfig::default() };
    let fitted = wald::fit(data, &config, &run)?;

    let new_row = Friedman1 { n_columns: 6, noise: 1.0 }.draw(1, 2)?;
    let prediction = fitted.forest().predict(new_row.features(), &run)?[0];
    let settings = ExplanationSettings::default();
    let rows = Rows::Other(new_row.features());
    let explainer = fitted.explainer(rows, ExplanationId::TreeShap, &settings)?;
    let expected = explainer.expected_value().map_or(0.0, |expected| expected[0]);
    let mut values = Vec::new();
    explainer.run(&run, |_, of_row| values = of_row.to_vec())?;

    println!("{:24}{expected:8.2}", "mean prediction");
    for (column, value) in new_row.features().columns().iter().zip(&values) {
        let ColumnData::Numeric(cells) = column.data() else { continue };
        println!("{:24}{value:+8.2}", format!("{} = {:.2}", column.name(), cells[0]));
    }
    println!("{:24}{prediction:8.2}", "prediction of the row");
    assert!((expected + values.iter().sum::<f64>() - prediction).abs() < 1e-9);
    Ok(())
}
