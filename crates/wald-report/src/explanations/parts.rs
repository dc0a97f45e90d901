//! How values depend on a variable, in numbers: means over rows of similar or equal cells.

use serde::Serialize;

use crate::explanations::cells::Cells;

/// About so many parts of numbers.
const N_PARTS: usize = 8;

/// Levels that have a part of their own.
const MOST_LEVELS: usize = 10;

/// Rows with similar or equal cells.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DependencePart {
    /// What their cells are.
    pub values: PartValues,
    /// How many rows.
    pub n_rows: usize,
    /// Mean of the values that explain them.
    pub mean: f64,
}

/// The cells of a part.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PartValues {
    /// Numbers from the smallest to the largest.
    Numbers(f64, f64),
    /// A level.
    Level(String),
    /// All levels that have no part of their own, and how many they are.
    OtherLevels(usize),
    /// Missing cells.
    Missing,
}

/// The values of one variable for one output, in units of the prediction.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VariableValues {
    /// One number per row, in the order of [`Explanations::rows`](crate::Explanations::rows).
    pub values: Vec<f64>,
    /// Mean of their absolute values.
    pub mean_absolute: f64,
    /// Smallest of them.
    pub lowest: f64,
    /// Largest of them.
    pub highest: f64,
    /// How they depend on the variable: means over rows of similar or equal values.
    pub parts: Vec<DependencePart>,
}

/// The parts of a variable: numbers in about equal shares of the rows, equal numbers together;
/// levels by frequency; missing cells last.
pub(super) fn parts(cells: &Cells, values: &[f64]) -> Vec<DependencePart> {
    let mut found = Vec::new();
    let mut missing = Vec::new();
    match cells {
        Cells::Several { .. } => {}
        Cells::Numbers { values: numbers } => {
            let mut pairs = Vec::with_capacity(values.len());
            for (number, &value) in numbers.iter().zip(values) {
                match number {
                    Some(number) => pairs.push((*number, value)),
                    None => missing.push(value),
                }
            }
            // A stable sort: sums do not depend on anything but the order of the rows.
            pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
            let share = pairs.len().div_ceil(N_PARTS).max(1);
            let mut rest = pairs.as_slice();
            while !rest.is_empty() {
                let last = rest[share.min(rest.len()) - 1].0;
                let (part, others) = rest.split_at(rest.partition_point(|pair| pair.0 <= last));
                let values: Vec<f64> = part.iter().map(|pair| pair.1).collect();
                found.extend(part_of(PartValues::Numbers(part[0].0, last), &values));
                rest = others;
            }
        }
        Cells::Levels { levels, codes } => {
            let n_own = if levels.len() <= MOST_LEVELS { levels.len() } else { MOST_LEVELS - 1 };
            let mut by_level: Vec<Vec<f64>> = vec![Vec::new(); n_own + 1];
            for (code, &value) in codes.iter().zip(values) {
                match code {
                    Some(code) => by_level[(*code).min(n_own)].push(value),
                    None => missing.push(value),
                }
            }
            let own = levels.iter().take(n_own).map(|level| PartValues::Level(level.clone()));
            let others = PartValues::OtherLevels(levels.len() - n_own);
            for (what, values) in own.chain([others]).zip(&by_level) {
                found.extend(part_of(what, values));
            }
        }
    }
    found.extend(part_of(PartValues::Missing, &missing));
    found
}

fn part_of(what: PartValues, values: &[f64]) -> Option<DependencePart> {
    let n_rows = values.len();
    let mean = values.iter().sum::<f64>() / n_rows as f64;
    (n_rows > 0).then_some(DependencePart { values: what, n_rows, mean })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_stay_together_and_every_row_is_in_one_part() {
        let numbers = [3.0, 1.0, 1.0, 1.0, 1.0, 2.0, 5.0, 4.0, 6.0, 7.0];
        let cells =
            Cells::Numbers { values: numbers.map(Some).into_iter().chain([None]).collect() };
        let values: Vec<f64> = (0..11).map(f64::from).collect();
        let parts = parts(&cells, &values);
        assert_eq!(parts[0].values, PartValues::Numbers(1.0, 1.0));
        assert_eq!((parts[0].n_rows, parts[0].mean), (4, 2.5));
        assert_eq!(parts[1].values, PartValues::Numbers(2.0, 3.0));
        assert_eq!((parts[1].n_rows, parts[1].mean), (2, 2.5));
        let last = parts.last().expect("a part of what is missing");
        assert_eq!((&last.values, last.n_rows, last.mean), (&PartValues::Missing, 1, 10.0));
        assert_eq!(parts.iter().map(|part| part.n_rows).sum::<usize>(), 11);
    }

    #[test]
    fn rare_levels_share_a_part() {
        let levels: Vec<String> = (0..12).map(|level| format!("level {level}")).collect();
        let codes = (0..12).map(Some).collect();
        let parts = parts(&Cells::Levels { levels, codes }, &[1.0; 12]);
        assert_eq!(parts.len(), 10);
        assert_eq!(parts[8].values, PartValues::Level("level 8".to_owned()));
        assert_eq!((&parts[9].values, parts[9].n_rows), (&PartValues::OtherLevels(3), 3));
    }
}
