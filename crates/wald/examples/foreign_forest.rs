//! A forest of another program, as `wald-forest` JSON, is measured with its training data.
//!
//! The file needs the splits of every tree; with `in_bag`, how often a tree drew each row, wald
//! computes what else it needs from the data. `docs/files.md` lists all fields.

#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use wald::data::{Column, Target};
use wald::{Dataset, Error, Fitted, Forest, MeasureId, Run};

/// Two trees on eight rows: the first splits on `age`, then on `dose`; the second on `age` alone.
const FOREST: &[u8] = br#"{
    "format": "wald-forest", "version": 1, "task": "regression", "features": ["age", "dose"],
    "trees": [
        {"feature": [0, -1, 1, -1, -1], "threshold": [40, null, 2.5, null, null],
         "left": [1, -1, 3, -1, -1], "right": [2, -1, 4, -1, -1],
         "in_bag": [1, 2, 0, 1, 1, 0, 2, 1]},
        {"feature": [0, -1, -1], "threshold": [45, null, null],
         "left": [1, -1, -1], "right": [2, -1, -1],
         "in_bag": [2, 0, 1, 1, 0, 1, 1, 2]}
    ]
}"#;

/// Runs the example.
pub fn main() -> Result<(), Error> {
    let run = Run::all();
    let age = vec![25.0, 31.0, 38.0, 44.0, 47.0, 52.0, 58.0, 63.0];
    let dose = vec![1.0, 2.0, 1.0, 2.0, 3.0, 3.0, 1.0, 4.0];
    let effect = vec![2.0, 2.5, 1.5, 4.0, 6.5, 6.0, 4.5, 7.0];
    let columns = vec![Column::numeric("age", age)?, Column::numeric("dose", dose)?];
    let data = Dataset::new(columns, Target::regression("effect", effect)?)?;

    let forest = Forest::from_json(FOREST, Some(&data), &run)?;
    let allowed = MeasureId::allowed_by(&forest);
    println!("{} of {} measures apply to this forest", allowed.len(), MeasureId::ALL.len());

    let fitted = Fitted::new(forest, data, &run)?;
    for id in [MeasureId::Mdi, MeasureId::MdaBreimanCutler, MeasureId::SplitCount] {
        let found = fitted.importance(id.into(), &run)?;
        let shown: Vec<String> = found
            .ranking()
            .map(|variable| format!("{} {:.2}", variable.name, variable.value.unwrap_or(0.0)))
            .collect();
        println!("{:20}{}", found.id, shown.join(", "));
    }
    Ok(())
}
