//! The files of tables that `bench/tables.py` writes.

use std::fs::File;
use std::io::{BufReader, Read};

use wald::Dataset;
use wald::data::{Column, MISSING_LEVEL, Target};

use crate::Outcome;

/// Reads three little-endian u64 (rows, columns, classes; no classes for regression), the
/// columns one after another as f64, and the target as f64. Where columns are categories, the
/// number of levels of every column follows as u64, 0 for numbers; NaN is a missing value.
pub(crate) fn read(path: &str) -> Outcome<Dataset> {
    let mut file = BufReader::new(File::open(path)?);
    let header = words(&mut file, 3, u64::from_le_bytes)?;
    let [n_rows, n_columns, n_classes] = *header else {
        return Err(format!("{path} has no header").into());
    };
    let mut columns = Vec::new();
    for _ in 0..n_columns {
        columns.push(words(&mut file, n_rows, f64::from_le_bytes)?);
    }
    let target = words(&mut file, n_rows, f64::from_le_bytes)?;
    let mut levels = words(&mut file, n_columns, u64::from_le_bytes)?;
    if target.len() as u64 != n_rows || !(levels.is_empty() || levels.len() == columns.len()) {
        return Err(format!("{path} does not have the length that its header states").into());
    }
    levels.resize(columns.len(), 0);
    let columns = columns.into_iter().zip(levels).enumerate();
    let columns = columns
        .map(|(index, (values, n_levels))| column(format!("x{}", index + 1), values, n_levels))
        .collect::<Result<Vec<_>, _>>()?;
    let target = if n_classes == 0 {
        Target::regression("y", target)?
    } else {
        Target::classification("y", names(n_classes), codes(&target))?
    };
    Ok(Dataset::new(columns, target)?)
}

fn column(name: String, values: Vec<f64>, n_levels: u64) -> Result<Column, wald::Error> {
    if n_levels == 0 {
        Column::numeric(name, values)
    } else {
        Column::categorical(name, names(n_levels), codes(&values))
    }
}

/// The next `n` words; fewer at the end of the file.
fn words<T>(file: &mut impl Read, n: u64, from_bytes: fn([u8; 8]) -> T) -> Outcome<Vec<T>> {
    let mut bytes = Vec::with_capacity(8 * n as usize);
    file.take(8 * n).read_to_end(&mut bytes)?;
    Ok(bytes.as_chunks::<8>().0.iter().map(|&word| from_bytes(word)).collect())
}

fn names(n: u64) -> Vec<String> {
    (0..n).map(|code| code.to_string()).collect()
}

fn codes(values: &[f64]) -> Vec<u32> {
    let code = |value: &f64| if value.is_nan() { MISSING_LEVEL } else { *value as u32 };
    values.iter().map(code).collect()
}
