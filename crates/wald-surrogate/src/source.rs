//! Where the inputs of the large sample come from.

use serde::Serialize;
use wald::work::{Purpose, Stream};
use wald::{Error, Features};

use crate::inputs::{Inputs, Rows};
use crate::law::{Drawn, Law};
use crate::purpose::Draws;
use crate::settings::LEAST_ROWS;

/// Inputs of the large sample.
#[derive(Debug, Clone, PartialEq)]
pub enum Source<'a> {
    /// Inputs as in the runs, with the Gaussian copula of their normal scores.
    Copula,
    /// Inputs as in the runs, independent of each other.
    Independent,
    /// A law that is known.
    Law(Law),
    /// Rows of a table with a column for every input.
    Rows(&'a Features),
}

/// The kind of a source, in results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// An estimated Gaussian copula.
    Copula,
    /// Independent inputs.
    Independent,
    /// A given law.
    Law,
    /// Given rows.
    Rows,
}

impl SourceKind {
    /// Whether the law of inputs is estimated from the runs, so that it has an error of its own.
    pub fn is_estimated(self) -> bool {
        match self {
            Self::Copula | Self::Independent => true,
            Self::Law | Self::Rows => false,
        }
    }
}

/// The inputs of a sample.
#[derive(Debug)]
pub(crate) enum Sample {
    /// Drawn from a law, whose conditional laws are known.
    Drawn { law: Law, drawn: Drawn },
    /// Rows that were given.
    Given(Rows),
}

impl Source<'_> {
    /// Its kind.
    pub fn kind(&self) -> SourceKind {
        match self {
            Self::Copula => SourceKind::Copula,
            Self::Independent => SourceKind::Independent,
            Self::Law(_) => SourceKind::Law,
            Self::Rows(_) => SourceKind::Rows,
        }
    }

    /// Checks that a table of inputs can be used with these runs.
    ///
    /// # Errors
    /// [`Error::Data`] when it has too few rows, lacks a column, has a missing value or a level that no
    /// run has.
    pub fn check(&self, runs: &Features) -> Result<(), Error> {
        let Self::Rows(features) = self else { return Ok(()) };
        let n_rows = Inputs::of(runs).rows(features)?.len();
        if n_rows < LEAST_ROWS {
            return Err(Error::data(
                format!("the table of inputs has {}", wald::words::counted(n_rows, "row")),
                format!("give {LEAST_ROWS} rows or more; 10,000 are better"),
            ));
        }
        Ok(())
    }

    /// Draws inputs; of rows that are given, all or so many at random.
    pub(crate) fn sample(
        &self,
        runs: &Features,
        n_rows: usize,
        seed: u64,
    ) -> Result<Sample, Error> {
        let law = match self {
            Self::Copula => Law::copula(runs)?,
            Self::Independent => Law::independent(runs)?,
            Self::Law(law) if law.n_inputs() == runs.n_columns() => law.clone(),
            Self::Law(_) => {
                return Err(Error::data(
                    "the law does not have the inputs of the runs",
                    "give the distribution of every input",
                ));
            }
            Self::Rows(features) => {
                self.check(runs)?;
                let rows = Inputs::of(runs).rows(features)?;
                return Ok(Sample::Given(part(&rows, n_rows, seed)));
            }
        };
        let drawn = law.draw(n_rows, seed);
        Ok(Sample::Drawn { law, drawn })
    }
}

/// So many rows at random, in random order; all where there are no more.
fn part(rows: &Rows, n_rows: usize, seed: u64) -> Rows {
    let mut order: Vec<u32> = (0..rows.len() as u32).collect();
    Stream::new(seed, 0, Purpose::from(Draws::Part)).shuffle(&mut order);
    rows.select(order.into_iter().take(n_rows).map(|row| row as usize))
}

impl Sample {
    pub(crate) fn rows(&self) -> &Rows {
        match self {
            Self::Drawn { drawn, .. } => &drawn.rows,
            Self::Given(rows) => rows,
        }
    }
}
