//! How much two columns depend on each other, by ranks and by cells.

use crate::association::cells::{Cells, Crossed};
use crate::association::independence::Independence;
use crate::association::ranks::Ranked;
use crate::data::Column;
use crate::error::Error;
use crate::run::Run;
use crate::threads::ordered;

/// Less dependence than this moves the terms of Proposition 2 of Bénard, Da Veiga & Scornet (2022) by
/// less than a twentieth: of linear effects, full and total Sobol index differ by the squared
/// correlation.
pub const MATERIAL: f64 = 0.2;

/// Cells per variable, at most; no fewer than five rows are expected per pair of cells (Cochran
/// 1954).
const MOST_CELLS: usize = 8;
const EXPECTED: usize = 5;

/// A column made ready for comparison: its ranks, and its cells where it has several.
pub type Ready = (Ranked, Option<Cells>);

pub fn ready(columns: &[Column], rows: &[u32], run: &Run) -> Result<Vec<Ready>, Error> {
    let mut ready = Vec::with_capacity(columns.len());
    let rank = |index: usize, (): &mut ()| {
        let column = columns[index].select(rows);
        Ok((Ranked::new(&column), cells(&column, rows.len())))
    };
    ordered(columns.len(), run, || (), rank, |_, column| ready.push(column))?;
    Ok(ready)
}

/// The cells of a column that is compared in so many rows; `None` where it has one, which is no
/// information.
pub(super) fn cells(column: &Column, n_rows: usize) -> Option<Cells> {
    let most = ((n_rows / EXPECTED) as f64).sqrt() as usize;
    let most = most.clamp(2, MOST_CELLS);
    let cells = Cells::new(column, most, (EXPECTED * most).min(n_rows / 2));
    Some(cells).filter(|cells| cells.size > 1)
}

/// How much two columns depend on each other, by the larger of two sizes.
#[derive(Debug)]
pub struct Tested {
    pub size: f64,
    /// What the size is, in words.
    pub how: &'static str,
    /// True where ranks do not show it.
    pub is_not_monotone: bool,
    /// Logarithm of the p-value of the better of both tests.
    pub log_p: f64,
}

const BY_CELLS: &str = "informational correlation";

pub fn compared(one: &Ready, other: &Ready) -> Option<Tested> {
    let by_rank = one.0.tested(&other.0);
    let in_words = one.0.in_words(&other.0);
    let by_cell = match (&one.1, &other.1) {
        (Some(a), Some(b)) => by_cells(a, b),
        _ => None,
    };
    let by_one = |(size, test): (f64, Independence), how| Tested {
        size,
        how,
        is_not_monotone: false,
        log_p: test.log_p,
    };
    match (by_rank, by_cell) {
        (Some(found), None) => Some(by_one(found, in_words)),
        (None, Some(found)) => Some(by_one(found, BY_CELLS)),
        (Some((by_rank, ranks)), Some((by_cell, cells))) => {
            let log_p = (ranks.log_p.min(cells.log_p) + std::f64::consts::LN_2).min(0.0);
            let is_not_monotone = by_cell > by_rank + MATERIAL / 2.0 && cells.log_p < ranks.log_p;
            let how = if by_cell > by_rank { BY_CELLS } else { in_words };
            Some(Tested { size: by_rank.max(by_cell), how, is_not_monotone, log_p })
        }
        (None, None) => None,
    }
}

/// Chi-square of a table of cells, and the informational correlation of Linfoot (1957): what the
/// correlation of two normal variables with as much mutual information would be. What chance adds
/// to the information is taken off (Miller 1955).
fn by_cells(one: &Cells, other: &Cells) -> Option<(f64, Independence)> {
    let width = other.size;
    let Crossed { table, of_one, of_other, total } = one.crossed(other);
    let present = |sums: &[f64]| sums.iter().filter(|sum| **sum > 0.0).count() as f64;
    let degrees = (present(&of_one) - 1.0) * (present(&of_other) - 1.0);
    if degrees < 1.0 {
        return None;
    }
    let (mut share, mut information) = (-1.0, 0.0);
    for (cell, &observed) in table.iter().enumerate().filter(|(_, observed)| **observed > 0.0) {
        let ratio = observed / of_one[cell / width] * (observed / of_other[cell % width]);
        share += ratio;
        information += observed / total * (ratio / observed * total).ln();
    }
    let information: f64 = (information - degrees / (2.0 * total)).max(0.0);
    let correlation = (-(-2.0 * information).exp_m1()).max(0.0).sqrt();
    let test = Independence::new(total, share.max(0.0), degrees)?;
    Some((correlation, test))
}
