//! Rows that are independent of each other.

use std::borrow::Cow;
use std::collections::BTreeSet;

use wald::Error;
use wald::data::Dataset;
use wald::work::{Purpose, Stream};

/// Those of positive weight, in their order; where there are clusters, a random one of each.
pub(super) fn independent_rows(data: &Dataset, seed: u64) -> Vec<u32> {
    let is_weighing = |row: &u32| data.weights().is_none_or(|weights| weights[*row as usize] > 0.0);
    let mut rows: Vec<u32> = (0..data.n_rows() as u32).filter(is_weighing).collect();
    let Some(clusters) = data.clusters() else { return rows };
    Stream::new(seed, 0, Purpose::Advice { part: 14 }).shuffle(&mut rows);
    let mut seen = BTreeSet::new();
    rows.retain(|&row| seen.insert(clusters[row as usize]));
    rows.sort_unstable();
    rows
}

/// The table of these rows.
///
/// # Errors
/// Those of [`Dataset::select`].
pub(super) fn independent(data: &Dataset, seed: u64) -> Result<Cow<'_, Dataset>, Error> {
    if data.clusters().is_none() {
        return Ok(Cow::Borrowed(data));
    }
    data.select(&independent_rows(data, seed)).map(Cow::Owned)
}
