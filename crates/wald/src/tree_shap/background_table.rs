//! The rows over which variables that are not known are averaged.

use std::borrow::Cow;
use std::sync::Arc;

use crate::data::{Column, Dataset, Features, RankedFeatures, weighted_donors};
use crate::error::Error;
use crate::forest::{Forest, align};
use crate::random::{Purpose, Stream};
use crate::run::Threads;
use crate::words::thousands;

/// What standard errors do not hold where background rows are drawn.
pub(crate) const ERRORS_LEAVE_OUT: &str =
    "standard errors leave out how far values would differ with other background rows";

/// The note on that, for so many rows.
pub(crate) fn note_on_drawn(what: &str, n_background: usize) -> String {
    format!(
        "{what}; these are {n_background} training rows drawn at random, of which another seed draws others"
    )
}

/// Which background rows are wanted.
#[derive(Debug, Clone)]
pub(crate) struct BackgroundWanted {
    /// All rows of a table of the user's.
    pub(crate) table: Option<Arc<Features>>,
    /// Else so many training rows, if there are so many.
    pub(crate) n_rows: usize,
    /// Whether the user gave the number.
    pub(crate) is_given: bool,
    /// Which draws them.
    pub(crate) seed: u64,
}

impl BackgroundWanted {
    /// Refuses a table that does not fit the forest.
    ///
    /// # Errors
    /// [`Error::Data`].
    pub(crate) fn check(&self, forest: &Forest) -> Result<(), Error> {
        self.table.as_ref().map_or(Ok(()), |table| align(table, forest.features()).map(|_| ()))
    }

    /// The rows, as the trees of a forest see them: those of the table, or of the training data all
    /// or some drawn at random, in proportion to their weights.
    ///
    /// # Errors
    /// [`Error::Data`] when a variable does not fit.
    pub(crate) fn ranked(
        &self,
        forest: &Forest,
        training: &Dataset,
        threads: Threads,
    ) -> Result<RankedFeatures, Error> {
        let columns = if let Some(table) = &self.table {
            align(table, forest.features())?
        } else {
            let rows = self.drawn(training);
            let columns = align(training.features(), forest.features())?;
            columns.iter().map(|column| Cow::Owned(column.select(&rows))).collect()
        };
        let columns: Vec<&Column> = columns.iter().map(AsRef::as_ref).collect();
        Ok(RankedFeatures::new(&columns, threads))
    }

    /// Whether chance decides which rows these are: some of the training rows, or all in proportion to weights
    /// that differ.
    pub(crate) fn are_drawn(&self, training: &Dataset) -> bool {
        let weights = training.weights().unwrap_or_default();
        let differ = weights.iter().any(|weight| *weight != weights[0]);
        self.table.is_none() && (differ || training.n_rows() > self.n_rows)
    }

    /// The note where more training rows were wanted than there are.
    pub(crate) fn note_on_fewer(&self, training: &Dataset) -> Option<String> {
        let n_there = training.n_rows();
        let are_fewer = self.table.is_none() && self.is_given && self.n_rows > n_there;
        are_fewer.then(|| {
            format!(
                "the table has {} rows, fewer than the {} background rows that were wanted: only so many are taken",
                thousands(n_there),
                thousands(self.n_rows)
            )
        })
    }

    fn drawn(&self, training: &Dataset) -> Vec<u32> {
        let mut stream = Stream::new(self.seed, 0, Purpose::BackgroundRows);
        let mut rows: Vec<u32> = match training.weights() {
            Some(weights) => weighted_donors(weights.iter().copied(), stream.unit()),
            None => (0..training.n_rows() as u32).collect(),
        };
        if rows.len() > self.n_rows {
            stream.shuffle(&mut rows);
            rows.truncate(self.n_rows);
        }
        rows
    }
}
