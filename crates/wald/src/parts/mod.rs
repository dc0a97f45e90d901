//! Work that several machines share, with the bits of one machine.
//!
//! A part works on a range of the units of a job and writes down what each of them found. Merging
//! does all the work anew, but reads those results in place of working, one after the other in the
//! order of the units, as threads hand them over: sums have the same bits by construction.
//!
//! This knows no engine: whatever starts processes and moves bytes will do. Work is a sequence of
//! jobs, such as the trees of a forest, or forests on parts of the rows. A part does its share of all
//! jobs that do not depend on one another, and then ends. Jobs that need what earlier ones found are
//! done when parts are merged, or divided in a further round, whose parts begin with the results of
//! all earlier ones ([`Recorder::after`]).
//!
//! ```
//! use std::io::Cursor;
//! use std::sync::Arc;
//!
//! use wald::parts::{PartFile, PartOf, Parts, Recorder};
//! use wald::simulate::Friedman1;
//! use wald::{Error, Fitted, ForestConfig, MeasureId, Run};
//!
//! let data = Arc::new(Friedman1::default().draw(60, 1)?);
//! let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
//! let measures = [MeasureId::SobolMda.into()];
//! let mut files = Vec::new();
//! for number in 1..=3 {
//!     let part = Arc::new(Recorder::new(PartOf::new(number, 3)?, Vec::new()));
//!     let stopped = Fitted::grow(data.clone(), &config, &measures, &Run::all().recording(&part));
//!     assert_eq!(stopped.err(), Some(Error::Cancelled)); // The rest is for who merges.
//!     let bytes = part.bytes()?.expect("the part is done");
//!     files.push(PartFile::new(format!("{number}.part"), Cursor::new(bytes)));
//! }
//! let run = Run::all().merging(Parts::read(files)?);
//! let (_, merged) = Fitted::grow(data.clone(), &config, &measures, &run)?;
//! assert_eq!(merged, Fitted::grow(data, &config, &measures, &Run::all())?.1);
//! # Ok::<(), wald::Error>(())
//! ```
//!
//! [`Run`]: crate::Run

mod file;
mod merge;
pub(crate) mod numbers;
mod recorder;
mod share;

pub use file::{Content, PartFile};
pub use merge::Parts;
pub use recorder::{Recorder, Store};
pub(crate) use share::{Sharing, With, Work, Written, distributed, divided};

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// Which part of how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartOf {
    number: usize,
    of: usize,
}

impl PartOf {
    /// Part `number`, from 1, of so many.
    ///
    /// # Errors
    /// [`Error::Setting`] where there is no such part.
    pub fn new(number: usize, of: usize) -> Result<Self, Error> {
        if (1..=of).contains(&number) {
            return Ok(Self { number, of });
        }
        Err(Error::bad_setting(
            None,
            format!("there is no part {number} of {of}"),
            "give the number of the part, from 1, and that of all parts, for example 3/10",
        ))
    }

    /// The units of this part, of so many.
    fn range(self, n_units: usize) -> Range<usize> {
        let start = |part: usize| (part as u128 * n_units as u128 / self.of as u128) as usize;
        start(self.number - 1)..start(self.number)
    }
}

impl FromStr for PartOf {
    type Err = Error;

    /// For example `3/10`.
    fn from_str(text: &str) -> Result<Self, Error> {
        let numbers = text
            .split_once('/')
            .and_then(|(number, of)| Some((number.trim().parse().ok()?, of.trim().parse().ok()?)));
        let (number, of) = numbers.ok_or_else(|| {
            Error::bad_setting(
                None,
                format!("\"{text}\" names no part"),
                "give the number of the part, from 1, and that of all parts, for example 3/10",
            )
        })?;
        Self::new(number, of)
    }
}

impl fmt::Display for PartOf {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_all_units_once() {
        for (n_units, of) in [(0, 1), (1, 3), (10, 3), (500, 7), (7, 7)] {
            let part = |number| PartOf::new(number, of).expect("a part").range(n_units);
            let units: Vec<usize> = (1..=of).flat_map(part).collect();
            assert_eq!(units, (0..n_units).collect::<Vec<_>>());
        }
    }

    #[test]
    fn parts_are_read_as_they_are_written() {
        assert_eq!("3/10".parse::<PartOf>().expect("a part").to_string(), "3/10");
        for wrong in ["", "3", "0/3", "4/3", "1/0", "a/b", "-1/3"] {
            assert!(wrong.parse::<PartOf>().is_err(), "{wrong}");
        }
    }
}
