//! The rows that forests are grown on again: of large tables a random sample, because what is shown of
//! these forests needs no more.

use std::borrow::Cow;

use crate::making::input::Making;
use wald::words::thousands;
use wald::work::{Purpose, Stream};
use wald::{Dataset, Error};

/// The whole table, or at most so many of its rows, drawn at random from those that count.
pub(super) fn some_rows<'a>(input: &Making<'a>, most: usize) -> Result<Cow<'a, Dataset>, Error> {
    let data = input.data();
    if data.n_rows() <= most {
        return Ok(Cow::Borrowed(data));
    }
    let mut rows = data.rows_of_positive_weight();
    Stream::new(input.content.seed, 0, Purpose::PartOfRows).shuffle(&mut rows);
    rows.truncate(most);
    rows.sort_unstable();
    Ok(Cow::Owned(data.select(&rows)?))
}

/// What follows "on" in a sentence; empty where all rows are taken.
pub(super) fn of_rows(n_rows: usize, of: usize) -> String {
    if n_rows == of {
        return String::new();
    }
    format!(" on a random sample of {} of the {} rows", thousands(n_rows), thousands(of))
}
