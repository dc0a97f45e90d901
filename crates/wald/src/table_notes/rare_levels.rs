//! Levels of so few rows that no tree divides them.

use crate::data::{Column, ColumnData, Dataset};
use crate::forest::{ForestConfig, LEAST_ROWS, MOST_FREE_LEVELS, Splitting};
use crate::table_notes::MOST_NAMED;
use crate::words::{percent, some_of};

/// Levels of fewer rows hide little of a column where these are a smaller share of all rows.
const LEAST_SHARE: f64 = 0.1;

/// The note on columns of many levels, many rows of which are of levels that are kept together at every node,
/// so that what distinguishes these is neither learned nor measured.
pub(super) fn note_on_rare_levels(data: &Dataset, config: &ForestConfig) -> Option<String> {
    if config.splitting != Splitting::Best {
        return None;
    }
    let rows = data.rows_of_positive_weight();
    let found: Vec<String> = data
        .features()
        .columns()
        .iter()
        .filter_map(|column| {
            let share = rare_rows(column, &rows)? as f64 / rows.len() as f64;
            let of_column = || format!("\"{}\" ({} of the rows)", column.name(), percent(share));
            (share >= LEAST_SHARE).then(of_column)
        })
        .collect();
    (!found.is_empty()).then(|| {
        format!(
            "levels of fewer than {LEAST_ROWS} rows of {} are kept together as one, as at every node of trees \
             for columns of more than {MOST_FREE_LEVELS} levels: effects of single ones are not in predictions \
             and importances; merge levels that belong together, or add columns that describe them",
            some_of(&found, MOST_NAMED)
        )
    })
}

/// How many of the rows are of levels that are kept together in all of a forest; `None` for other columns. Levels
/// that have fewer rows in a bag are not counted.
fn rare_rows(column: &Column, rows: &[u32]) -> Option<usize> {
    let ColumnData::Categorical(levels) = column.data() else { return None };
    if levels.levels().len() <= MOST_FREE_LEVELS {
        return None;
    }
    let mut n_rows = vec![0_usize; levels.levels().len()];
    for &row in rows {
        // Missing values have no level.
        if let Some(n) = n_rows.get_mut(levels.codes()[row as usize] as usize) {
            *n += 1;
        }
    }
    Some(n_rows.into_iter().filter(|&n| n < LEAST_ROWS as usize).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Target;
    use crate::measure::MeasureId;
    use crate::run::{Run, Threads};

    /// Twelve levels of 25 rows without effect, and 300 rows in levels of so many rows each, every other of which has a
    /// larger target.
    fn table(rows_per_level: usize) -> Dataset {
        let n_rare = 300 / rows_per_level;
        let level =
            |row: usize| if row < 300 { row / 25 } else { 12 + (row - 300) / rows_per_level };
        let codes: Vec<u32> = (0..600).map(|row| level(row) as u32).collect();
        let names = (0..12 + n_rare).map(|level| format!("l{level}")).collect();
        let effect = |code: &u32| if *code < 12 { 0.0 } else { 6.0 * f64::from(code % 2) - 3.0 };
        let x: Vec<f64> = (0..600).map(|row| f64::from(row * 37 % 600) / 300.0).collect();
        let y = codes.iter().zip(&x).map(|(code, x)| effect(code) + x).collect();
        let columns = vec![
            Column::categorical("c", names, codes).expect("codes of levels"),
            Column::numeric("x", x).expect("finite"),
        ];
        Dataset::new(columns, Target::regression("y", y).expect("finite")).expect("consistent")
    }

    #[test]
    fn levels_that_no_tree_divides_are_noted_and_add_nothing() {
        let run = Run::on(Threads::ONE);
        let config = ForestConfig { n_trees: 30, mtry: Some(2), ..ForestConfig::default() };
        let measured = |rows_per_level| {
            let fitted = crate::fit(table(rows_per_level), &config, &run).expect("valid settings");
            let measures = [MeasureId::SobolMda.into()];
            let found =
                fitted.measure(&measures, &run).expect("applies").importances.swap_remove(0);
            let note =
                found.notes.iter().find(|note| note.contains("kept together as one")).cloned();
            (found.values[0].expect("of a target that varies"), note)
        };
        let (of_pairs, note) = measured(2);
        assert!(of_pairs < 0.02, "{of_pairs}");
        let note = note.expect("half of the rows are of rare levels");
        assert!(
            note.starts_with(
                "levels of fewer than 3 rows of \"c\" (50 % of the rows) are kept together as one, "
            ),
            "{note}"
        );
        let (of_tens, note) = measured(10);
        assert!(of_tens > 0.5 && note.is_none(), "{of_tens} {note:?}");
    }

    #[test]
    fn levels_that_trees_divide_are_not_noted() {
        let data = table(2);
        let config = ForestConfig::default();
        assert!(note_on_rare_levels(&data, &config).is_some());
        // Random divisions keep nothing together.
        let at_random = ForestConfig { splitting: Splitting::RandomThreshold, ..config.clone() };
        assert_eq!(note_on_rare_levels(&data, &at_random), None);
        let of_rows = |rows: Vec<u32>| data.select(&rows).expect("rows");
        // Fifteen rows in levels of one row beside 300 in frequent levels.
        assert_eq!(note_on_rare_levels(&of_rows((0..315).collect()), &config), None);
        // Rows of weight zero do not count.
        let weights = (0..600).map(|row| f64::from(u8::from(row < 300))).collect();
        let weighted = data.clone().with_weights(weights).expect("positive ones");
        assert_eq!(note_on_rare_levels(&weighted, &config), None);
        // Of twelve levels or fewer, all divisions are tried.
        let names = (0..12).map(|level| format!("l{level}")).collect();
        let few = Column::categorical("c", names, (0..12).collect()).expect("codes of levels");
        assert_eq!(rare_rows(&few, &[0, 1, 2]), None);
    }
}
