//! Parts that are merged, and which are refused.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Error;
use crate::parts::file::{Header, Opened};
use crate::parts::{PartFile, Unit, Work};
use crate::words::listed;

/// All parts of one job.
#[derive(Debug)]
pub struct Parts {
    /// In the order of their numbers.
    parts: Vec<Opened>,
    is_taken: AtomicBool,
}

impl Parts {
    /// Reads the parts of a job, in any order.
    ///
    /// # Errors
    /// [`Error::State`], which names the part, where one is damaged, is missing, is there twice, or
    /// is of other data, other settings or another version of wald.
    pub fn read(files: Vec<PartFile>) -> Result<Arc<Self>, Error> {
        let mut parts = files.into_iter().map(Opened::new).collect::<Result<Vec<_>, _>>()?;
        parts.sort_by_key(|part| part.header.part.number);
        let Some(first) = parts.first() else {
            return Err(Error::state("there are no parts", "give the files that parts wrote"));
        };
        parts.iter().try_for_each(|other| check_same(first, other))?;
        for pair in parts.windows(2) {
            if pair[0].header.part == pair[1].header.part {
                let (part, one, other) = (pair[0].header.part, &pair[0].name, &pair[1].name);
                return Err(Error::state(
                    format!("{one} and {other} are both part {part}"),
                    "give every part once",
                ));
            }
        }
        let of = first.header.part.of;
        if parts.len() != of {
            let is_there = |number: &usize| {
                parts.binary_search_by_key(number, |part| part.header.part.number).is_ok()
            };
            // The first ones say enough where many are missing.
            let missing = (1..=of).filter(|number| !is_there(number)).take(10);
            let missing: Vec<String> = missing.map(|number| format!("{number}/{of}")).collect();
            return Err(Error::state(
                format!(
                    "{} of {of} parts are there; missing: {}",
                    parts.len(),
                    listed(&missing, "and")
                ),
                "run these parts, and merge all of them",
            ));
        }
        Ok(Arc::new(Self { parts, is_taken: AtomicBool::new(false) }))
    }

    /// The words that all parts were given; see [`Recorder::new`](crate::parts::Recorder::new).
    pub fn words(&self) -> &[String] {
        &self.parts[0].header.words
    }

    /// Whether it was a job of this unit that was divided: the first one was.
    pub(super) fn takes(&self, unit: Unit) -> bool {
        unit == self.parts[0].header.unit && !self.is_taken.swap(true, Ordering::Relaxed)
    }

    /// Whether any job has taken its results.
    pub fn is_taken(&self) -> bool {
        self.is_taken.load(Ordering::Relaxed)
    }

    /// Refuses parts of other work.
    pub(super) fn check(&self, work: &Work, n_units: usize) -> Result<(), Error> {
        let Opened { name, header, .. } = &self.parts[0];
        if header.work.data != work.data {
            return Err(Error::state(
                format!("the parts are of another table than this one; the first is {name}"),
                "merge them with the table that they were made of",
            ));
        }
        if header.work.settings != work.settings || header.n_units != n_units {
            return Err(Error::state(
                format!("the parts are of other settings than these; the first is {name}"),
                "merge them with the settings, and the forest, that they were made with",
            ));
        }
        Ok(())
    }

    /// What a unit found.
    pub(super) fn result(&self, unit: usize) -> &[u8] {
        let place = self.parts.partition_point(|part| part.header.units.end <= unit);
        self.parts[place].result(unit)
    }

    /// The error of a result that cannot be read.
    pub(super) fn unreadable(&self, unit: usize) -> Error {
        let place = self.parts.partition_point(|part| part.header.units.end <= unit);
        Error::state(
            format!("{} does not hold what its part is of", self.parts[place].name),
            "run this part again",
        )
    }
}

/// Refuses parts that are of different jobs.
fn check_same(first: &Opened, other: &Opened) -> Result<(), Error> {
    let (Opened { name, header, .. }, Opened { name: named, header: now, .. }) = (first, other);
    let refuse = |what: String, help: &str| Err(Error::state(what, help));
    let again = "give the parts of one command, and run the others again";
    let Header { part, unit, work, n_units, words, .. } = header;
    if now.work.data != work.data {
        return refuse(format!("{named} is of another table than {name}"), again);
    }
    if &now.words != words {
        let (now, then) = (now.words.join(" "), words.join(" "));
        return refuse(format!("{named} is of `{now}`, but {name} of `{then}`"), again);
    }
    if (now.work.settings, now.unit, now.n_units) != (work.settings, *unit, *n_units) {
        return refuse(format!("{named} is of other settings than {name}"), again);
    }
    if now.part.of != part.of {
        let what = format!("{named} is part {}, but {name} is part {part}", now.part);
        return refuse(what, "divide the work into one number of parts");
    }
    Ok(())
}
