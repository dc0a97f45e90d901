//! p-values of importances that are symmetric around zero if a variable is irrelevant: the values
//! at or below zero, and their mirror images, estimate their spread. Janitza, Celik & Boulesteix
//! 2018, but with a null for every type of column: those of many values scatter more than those of
//! few, so that one null for all finds too much among the former and too little among the latter.

use std::collections::BTreeMap;

use crate::data::{Groups, MISSING_CODE, RankedColumn, RankedKind, Training};
use crate::words::{counted, listed};

/// With so few values, no p-value is below this level.
const LEVEL: f64 = 0.05;

/// From here on, numbers of more distinct values scatter no more.
const MANY: u32 = 32;

/// Columns that scatter alike, within a factor of about 1.4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ColumnType {
    /// Nothing to split.
    Constant,
    /// Two values, or one with gaps.
    Binary,
    /// Numbers of more than `above` and at most `most` distinct values, a gap being one.
    Numbers { above: u32, most: u32 },
    /// The same of levels.
    Levels { above: u32, most: u32 },
    /// Several columns that count as one variable, which no other is like.
    Group,
}

impl ColumnType {
    fn of(column: &RankedColumn) -> Self {
        let gap = u32::from(column.has_missing());
        match column.kind() {
            RankedKind::Ordered(_) => match column.n_codes() as u32 + gap {
                0 | 1 => Self::Constant,
                2 => Self::Binary,
                n if n > MANY => Self::Numbers { above: MANY, most: u32::MAX },
                n => {
                    Self::Numbers { above: n.next_power_of_two() / 2, most: n.next_power_of_two() }
                }
            },
            RankedKind::Unordered { n_levels } => {
                let mut is_there = vec![false; *n_levels];
                let present = column.codes().iter().filter(|&&code| code != MISSING_CODE);
                present.for_each(|&code| is_there[code as usize] = true);
                match is_there.into_iter().filter(|&is_there| is_there).count() as u32 + gap {
                    0 | 1 => Self::Constant,
                    2 => Self::Binary,
                    n => {
                        // Steps of the square root of 2, because what levels can do grows with
                        // their number without end.
                        let power = |halves: i32| 2_f64.powf(f64::from(halves) / 2.0) as u32;
                        let halves = (2..64).find(|&halves| power(halves) >= n).unwrap_or(64);
                        Self::Levels { above: power(halves - 1), most: power(halves) }
                    }
                }
            }
        }
    }

    /// The types of what importances are given for.
    pub(crate) fn of_groups(training: &Training, groups: &Groups) -> Vec<Self> {
        let features = training.features();
        let of = |members: &Vec<u32>| match members.as_slice() {
            [column] => Self::of(features.column(features.canonical(*column))),
            _ => Self::Group,
        };
        groups.members().iter().map(of).collect()
    }

    /// As in: columns with ...
    fn describe(self) -> String {
        let range = |above: u32, most: u32| {
            if above + 1 == most { most.to_string() } else { format!("{} to {most}", above + 1) }
        };
        match self {
            Self::Constant => "one value".to_owned(),
            Self::Binary => "two values".to_owned(),
            Self::Numbers { above, most: u32::MAX } => format!("more than {above} values"),
            Self::Numbers { above, most } => format!("{} values", range(above, most)),
            Self::Levels { above, most } => format!("{} levels", range(above, most)),
            Self::Group => "groups".to_owned(),
        }
    }
}

/// One p-value per value, and the notes on them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PValues {
    pub(crate) values: Vec<Option<f64>>,
    /// With how many values each was compared.
    pub(crate) null_sizes: Vec<u32>,
    pub(crate) notes: Vec<String>,
}

/// p-values of `values` by the null of their own types. Cost O(n log n).
///
/// Where nothing means anything, a value is as likely above zero as below, and its size is one
/// more of those of its type. So with m values below zero, p = (1 + b) / (2 + 2 m) is uniform on its
/// steps, b being how many of the 2 m values of the null are as large. A constant column has 1; a
/// group and a type without values at or below zero have none.
pub(crate) fn p_values(values: &[f64], types: &[ColumnType]) -> PValues {
    let mut by_type: BTreeMap<ColumnType, Vec<usize>> = BTreeMap::new();
    for (index, kind) in types.iter().enumerate() {
        by_type.entry(*kind).or_default().push(index);
    }
    let null_sizes = vec![0; values.len()];
    let mut found = PValues { values: vec![None; values.len()], null_sizes, notes: Vec::new() };
    let (mut sizes, mut coarse, mut none) = (Vec::new(), Vec::new(), Vec::new());
    for (kind, members) in by_type {
        match kind {
            ColumnType::Constant => {
                members.iter().for_each(|&index| found.values[index] = Some(1.0));
                continue;
            }
            ColumnType::Group => {
                found
                    .notes
                    .push("groups of columns have no p-values: no other is like them".into());
                continue;
            }
            _ => {}
        }
        let null = null(members.iter().map(|&index| values[index]));
        if null.is_empty() {
            none.push(kind.describe());
            continue;
        }
        let steps = null.len() as f64 + 2.0;
        let columns = counted(members.len(), "column");
        sizes.push(format!("{} ({columns} with {})", null.len(), kind.describe()));
        if 1.0 / steps > LEVEL {
            coarse.push(format!("{:.3} ({})", 1.0 / steps, kind.describe()));
        }
        for &index in &members {
            let below = null.partition_point(|&value| value < values[index]);
            found.values[index] = Some((1.0 + (null.len() - below) as f64) / steps);
            found.null_sizes[index] = null.len() as u32;
        }
    }
    if !sizes.is_empty() {
        let sizes = sizes.join(", ");
        found.notes.push(format!(
            "p-values by the values at or below zero of columns of the same type, mirrored: {sizes}"
        ));
    }
    if !coarse.is_empty() {
        let smallest = coarse.join(", ");
        found.notes.push(format!(
            "too few values at or below zero for a p-value below {LEVEL}: the smallest possible \
             are {smallest}; add irrelevant variables, or use more of them"
        ));
    }
    if !none.is_empty() {
        found.notes.push(format!(
            "no p-values for columns with {}: none of their importances is at or below zero",
            listed(&none, "or")
        ));
    }
    found
}

/// The values below zero, zeros, and the former mirrored; increasing.
fn null(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut null: Vec<f64> = values.filter(|value| *value <= 0.0).collect();
    let mirrored: Vec<f64> =
        null.iter().filter(|value| **value < 0.0).map(|value| -value).collect();
    null.extend(mirrored);
    null.sort_by(f64::total_cmp);
    null
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Threads;
    use crate::data::Column;
    use crate::data::RankedFeatures;

    #[test]
    fn every_type_has_a_null_of_its_own() {
        let (few, many) = (ColumnType::Binary, ColumnType::Numbers { above: 32, most: u32::MAX });
        let values = [-1.0, 1.0, 3.0, 0.5, -10.0, -20.0, 15.0, 30.0, 0.0, 5.0, 7.0];
        let rest = [ColumnType::Constant, ColumnType::Group];
        let mut types = vec![few; 4];
        types.extend([many; 4]);
        types.extend(rest);
        types.push(ColumnType::Levels { above: 2, most: 4 });
        let found = p_values(&values, &types);
        let p = |above: f64, null: f64| Some((1.0 + above) / (2.0 + null));
        // -1, 1: above 3 none, above 0.5 and as large as 1 one, all are as large as -1.
        assert_eq!(found.values[..4], [p(2.0, 2.0), p(1.0, 2.0), p(0.0, 2.0), p(1.0, 2.0)]);
        assert_eq!(found.values[4..8], [p(3.0, 4.0), p(4.0, 4.0), p(1.0, 4.0), p(0.0, 4.0)]);
        assert_eq!(found.values[8..], [Some(1.0), None, None]);
        let notes = found.notes.join("\n");
        for part in ["2 (4 columns with two values)", "0.250 (two values)", "with 3 to 4 levels"] {
            assert!(notes.contains(part), "{notes}");
        }
    }

    #[test]
    fn types_follow_distinct_values() {
        let cases = [
            (1, ColumnType::Constant),
            (2, ColumnType::Binary),
            (3, ColumnType::Numbers { above: 2, most: 4 }),
            (4, ColumnType::Numbers { above: 2, most: 4 }),
            (5, ColumnType::Numbers { above: 4, most: 8 }),
            (32, ColumnType::Numbers { above: 16, most: 32 }),
            (33, ColumnType::Numbers { above: 32, most: u32::MAX }),
        ];
        let of = |column: Column| {
            let ranked = RankedFeatures::new(&[&column], Threads::ONE);
            ColumnType::of(ranked.column(0))
        };
        for (n_values, expected) in cases {
            let values: Vec<f64> = (0..100_u32).map(|row| f64::from(row % n_values)).collect();
            assert_eq!(of(Column::numeric("x", values).expect("finite")), expected);
        }
        let levels = [
            (2, ColumnType::Binary),
            (3, ColumnType::Levels { above: 2, most: 4 }),
            (5, ColumnType::Levels { above: 4, most: 5 }),
            (6, ColumnType::Levels { above: 5, most: 8 }),
            (16, ColumnType::Levels { above: 11, most: 16 }),
        ];
        for (n_levels, expected) in levels {
            // One more level that no row has.
            let names = (0..=n_levels).map(|level| level.to_string()).collect();
            let codes = (0..100_u32).map(|row| row % n_levels).collect();
            assert_eq!(of(Column::categorical("x", names, codes).expect("valid")), expected);
        }
        let gaps = Column::numeric("x", vec![1.0, f64::NAN, 1.0]).expect("finite");
        assert_eq!(of(gaps), ColumnType::Binary);
    }
}
