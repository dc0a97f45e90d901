//! A foreign forest of one split, and the six rows that it was trained on.

use serde_json::{Value, json};
use wald::data::{Column, MISSING_LEVEL, Target};
use wald::{Dataset, Forest};

use crate::golden_case::read_json;

/// Two numbers, one variable of three levels, six rows.
pub fn six_rows() -> Dataset {
    let number =
        |name: &str, values: &[f64]| Column::numeric(name, values.to_vec()).expect("finite values");
    let levels = ["a", "b", "c"].map(str::to_owned).to_vec();
    let columns = vec![
        number("u", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        number("v", &[0.0, f64::NAN, 1.0, 0.0, 1.0, 0.5]),
        Column::categorical("w", levels, vec![0, 1, 2, 0, MISSING_LEVEL, 2]).expect("codes"),
    ];
    let target = Target::regression("y", vec![1.0, 2.0, 4.0, 8.0, 16.0, 32.0]);
    Dataset::new(columns, target.expect("finite values")).expect("consistent")
}

/// A forest of one tree with three nodes that splits u at 2.5.
pub fn stump() -> Value {
    json!({
        "format": "wald-forest",
        "version": 1,
        "task": "regression",
        "features": ["u", "v", "w"],
        "feature_levels": [null, null, ["a", "b", "c"]],
        "trees": [{
            "feature": [0, -1, -1],
            "threshold": [2.5, 0.0, 0.0],
            "left": [1, -1, -1],
            "right": [2, -1, -1],
            "in_bag": [1, 1, 1, 1, 1, 1],
        }],
    })
}

pub fn read(document: &Value) -> Forest {
    read_json(document, Some(&six_rows())).expect("a forest")
}
