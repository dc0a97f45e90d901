//! Columns that have the same value in nearly all rows.

use crate::data::{Column, ColumnData, Dataset};
use crate::forest::{ConstantDraws, ForestConfig, Splitting};
use crate::table_notes::MOST_NAMED;
use crate::words::{percent, some_of};

/// Nodes of so many rows still have much to learn.
const ROWS_OF_NODE: i32 = 20;

/// Fewer such nodes change shares little.
const LEAST_PROBABILITY: f64 = 0.1;

/// Columns that are more often constant at such a node than not.
const OFTEN: f64 = 0.5;

/// More rows are not looked at.
const MOST_ROWS: usize = 2000;

/// The note on nodes that are not divided because all columns that are drawn are constant there. Cost O(columns).
pub(super) fn note_on_sparse_columns(data: &Dataset, config: &ForestConfig) -> Option<String> {
    let is_leaf =
        config.splitting == Splitting::Best && config.constant_draws == ConstantDraws::Leaf;
    let mtry = config.resolve_targets(data).ok().filter(|_| is_leaf)?.mtry;
    let rows = data.rows_of_positive_weight();
    let rows: Vec<u32> =
        rows.iter().step_by(rows.len().div_ceil(MOST_ROWS).max(1)).copied().collect();
    let columns = data.features().columns().iter().filter(|column| !column.is_constant());
    let constant: Vec<(&Column, f64)> = columns
        .map(|column| (column, share_of_majority(column, &rows).powi(ROWS_OF_NODE)))
        .collect();
    let mean = constant.iter().map(|(_, often)| often).sum::<f64>() / constant.len() as f64;
    let probability = mean.powi(i32::try_from(mtry).ok()?);
    if probability < LEAST_PROBABILITY || constant.len() <= mtry {
        return None;
    }
    let named = constant.iter().filter(|(_, often)| *often > OFTEN);
    let named: Vec<String> = named.map(|(column, _)| format!("\"{}\"", column.name())).collect();
    Some(format!(
        "all of {mtry} columns that are drawn at a node of {ROWS_OF_NODE} rows are constant there in about {} of nodes, \
         as {} have the same value in nearly all rows: such nodes are not divided, so that shares of all variables \
         are too small; leave such columns out, try more columns at a node (mtry), or draw others \
         in their place (constant draws: search)",
        percent(probability),
        some_of(&named, MOST_NAMED)
    ))
}

/// The share of the rows that have the value of more than half of them; 0 where no value has.
fn share_of_majority(column: &Column, rows: &[u32]) -> f64 {
    let key = |row: &u32| match column.data() {
        ColumnData::Numeric(values) => values[*row as usize].to_bits(),
        ColumnData::Categorical(levels) => u64::from(levels.codes()[*row as usize]),
    };
    // Of two values that differ both are left out, so that what is left over is that of the majority (Boyer & Moore 1991).
    let (mut value, mut n_left) = (0, 0_usize);
    for key in rows.iter().map(key) {
        match n_left {
            0 => (value, n_left) = (key, 1),
            _ if key == value => n_left += 1,
            _ => n_left -= 1,
        }
    }
    let share =
        rows.iter().filter(|row| key(row) == value).count() as f64 / rows.len().max(1) as f64;
    if share > 0.5 { share } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Target;
    use crate::measure::MeasureId;
    use crate::run::{Run, Threads};

    /// Three columns of different values, and others that are 1 in one of so many rows.
    fn table(n_sparse: u32, one_of: u32) -> Dataset {
        let x = |at: u32| (0..300).map(|row| f64::from((row * (37 + 2 * at) + at) % 301)).collect();
        let sparse = |at: u32| {
            (0..300)
                .map(|row| f64::from(u8::from((row + 13 * at).is_multiple_of(one_of))))
                .collect()
        };
        let of = |name: String, values: Vec<f64>| Column::numeric(name, values).expect("finite");
        let columns = (0..3).map(|at| of(format!("x{at}"), x(at)));
        let columns = columns.chain((0..n_sparse).map(|at| of(format!("s{at}"), sparse(at))));
        let y = (0..300).map(|row| f64::from(row * 37 % 301)).collect();
        Dataset::new(columns.collect(), Target::regression("y", y).expect("finite"))
            .expect("consistent")
    }

    #[test]
    fn nodes_that_sparse_columns_leave_undivided_are_noted() {
        let note = |n_sparse, one_of, config: &ForestConfig| {
            note_on_sparse_columns(&table(n_sparse, one_of), config)
        };
        let usual = ForestConfig::default();
        // 20 columns of shares 149 / 150, four of 23 are drawn: (20 * (149 / 150)^20 / 23)^4 = .334.
        let found = note(20, 150, &usual).expect("sparse");
        assert!(
            found.starts_with(
                "all of 4 columns that are drawn at a node of 20 rows are constant there in about 33 % of nodes, \
                 as \"s0\", \"s1\", \"s2\" and 17 more have the same value in nearly all rows: "
            ),
            "{found}"
        );
        assert_eq!(note(20, 10, &usual), None, "flags");
        assert_eq!(note(1, 150, &usual), None, "few");
        let more = ForestConfig { mtry: Some(12), ..usual.clone() };
        assert_eq!(note(20, 150, &more), None, "more are tried");
        let search = ForestConfig { constant_draws: ConstantDraws::Search, ..usual.clone() };
        assert_eq!(note(20, 150, &search), None, "others are drawn");
    }

    #[test]
    fn majorities_are_counted() {
        let of = |values: Vec<f64>| {
            let column = Column::numeric("x", values).expect("numbers");
            share_of_majority(&column, &(0..column.len() as u32).collect::<Vec<u32>>())
        };
        assert_eq!(of(vec![1.0, 0.0, 0.0, 2.0, 0.0]), 0.6);
        assert_eq!(of(vec![0.0, 1.0, 0.0, 1.0]), 0.0);
        assert_eq!(of(vec![f64::NAN, f64::NAN, f64::NAN, 1.0]), 0.75);
        assert_eq!(of(Vec::new()), 0.0);
    }

    #[test]
    fn importances_have_the_note() {
        let run = Run::on(Threads::ONE);
        let config = ForestConfig { n_trees: 5, ..ForestConfig::default() };
        let is_noted = |n_sparse| {
            let fitted = crate::fit(table(n_sparse, 150), &config, &run).expect("valid settings");
            let found = fitted.measure(&[MeasureId::SobolMda.into()], &run).expect("applies");
            found.importances[0]
                .notes
                .iter()
                .any(|note| note.contains("drawn at a node of 20 rows"))
        };
        assert!(is_noted(20) && !is_noted(0));
    }
}
