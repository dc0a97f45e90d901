//! Tables whose columns are of every type, few of which mean anything.

use wald::data::{Column, MISSING_LEVEL, Target};
use wald::simulate::Numbers;
use wald::{Dataset, Error};

/// No other study of this program draws this part.
const PART: u32 = 4_000;

/// Types of irrelevant columns.
pub(crate) const TYPES: [&str; 6] =
    ["number", "number, gaps", "flag", "rare flag", "4 levels", "12 levels"];

/// Columns that mean something.
pub(crate) const SIGNALS: [&str; 4] = ["number", "weak number", "flag", "4 levels"];

/// y = x1 + x2 / 2 + f + level effects + noise; for classes, whether it is above zero.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mixed {
    /// Irrelevant columns of each type.
    pub(crate) per_type: usize,
    /// Whether the response is a class.
    pub(crate) has_classes: bool,
    /// Whether any column means something.
    pub(crate) has_signal: bool,
}

impl Mixed {
    /// The irrelevant columns of a type.
    pub(crate) fn of_type(self, kind: usize) -> std::ops::Range<usize> {
        let first = SIGNALS.len() + kind * self.per_type;
        first..first + self.per_type
    }

    pub(crate) fn draw(self, n_rows: usize, seed: u64) -> Result<Dataset, Error> {
        let mut numbers = Numbers::new(seed, PART);
        let mut columns = Vec::new();
        let strong: Vec<f64> = (0..n_rows).map(|_| numbers.normal()).collect();
        let weak: Vec<f64> = (0..n_rows).map(|_| numbers.normal()).collect();
        let flag: Vec<f64> = (0..n_rows).map(|_| f64::from(numbers.below(2))).collect();
        let level: Vec<u32> = (0..n_rows).map(|_| numbers.below(4)).collect();
        let response: Vec<f64> = (0..n_rows)
            .map(|row| {
                let of_level = [-0.5, 0.5, -0.5, 0.5][level[row] as usize];
                let signal = strong[row] + 0.5 * weak[row] + (flag[row] - 0.5) + of_level;
                (if self.has_signal { signal } else { 0.0 }) + numbers.normal()
            })
            .collect();
        columns.push(Column::numeric("x1", strong)?);
        columns.push(Column::numeric("x2", weak)?);
        columns.push(Column::numeric("f", flag)?);
        columns.push(Column::categorical("l", names(4), level)?);
        for (kind, name) in TYPES.iter().enumerate() {
            for index in 0..self.per_type {
                let name = format!("{name} {index}");
                columns.push(nothing(kind, name, n_rows, &mut numbers)?);
            }
        }
        let target = if self.has_classes {
            let classes = response.iter().map(|value| u32::from(*value > 0.0)).collect();
            Target::classification("y", names(2), classes)?
        } else {
            Target::regression("y", response)?
        };
        Dataset::new(columns, target)
    }
}

/// An irrelevant column of a type.
fn nothing(
    kind: usize,
    name: String,
    n_rows: usize,
    numbers: &mut Numbers,
) -> Result<Column, Error> {
    let mut share = |of: f64| f64::from(u8::from(numbers.uniform() < of));
    match kind {
        0 => Column::numeric(name, (0..n_rows).map(|_| numbers.normal()).collect()),
        1 => {
            let mut cell = || if numbers.uniform() < 0.2 { f64::NAN } else { numbers.normal() };
            Column::numeric(name, (0..n_rows).map(|_| cell()).collect())
        }
        2 => Column::numeric(name, (0..n_rows).map(|_| share(0.5)).collect()),
        3 => Column::numeric(name, (0..n_rows).map(|_| share(0.1)).collect()),
        4 => Column::categorical(name, names(4), (0..n_rows).map(|_| numbers.below(4)).collect()),
        _ => {
            // Some gaps, too.
            let mut code = || match numbers.below(13) {
                12 => MISSING_LEVEL,
                level => level,
            };
            Column::categorical(name, names(12), (0..n_rows).map(|_| code()).collect())
        }
    }
}

fn names(n: usize) -> Vec<String> {
    (0..n).map(|level| format!("L{level}")).collect()
}
