//! Parts that are merged, and which are refused.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Error;
use crate::parts::file::{Opened, Recorded};
use crate::parts::{PartFile, Work};
use crate::words::listed;

/// All parts of the same work.
#[derive(Debug)]
pub struct Parts {
    /// By round: parts of the same jobs, in the order of their numbers.
    rounds: Vec<Vec<Opened>>,
    /// Whether any job has found its results here.
    is_taken: AtomicBool,
}

/// Where the results of one job are.
#[derive(Clone, Copy)]
pub(super) struct StoredJob<'a> {
    parts: &'a [Opened],
    /// Counted within the round.
    job: usize,
}

impl Parts {
    /// Reads the parts of some work, in any order.
    ///
    /// # Errors
    /// [`Error::State`], which names the part, where one is damaged, is missing, is there twice, or
    /// is of other data, other settings or another version of wald.
    pub fn read(files: Vec<PartFile>) -> Result<Arc<Self>, Error> {
        let mut parts = files.into_iter().map(Opened::new).collect::<Result<Vec<_>, _>>()?;
        parts.sort_by_key(|part| (part.header.round, part.header.part.number));
        let Some(first) = parts.first() else {
            return Err(Error::state("there are no parts", "give the files that parts wrote"));
        };
        parts.iter().try_for_each(|other| check_same_words(first, other))?;
        let mut rounds: Vec<Vec<Opened>> = Vec::new();
        for part in parts {
            match rounds.last_mut().filter(|round| round[0].header.round == part.header.round) {
                Some(round) => round.push(part),
                None => rounds.push(vec![part]),
            }
        }
        for (number, round) in rounds.iter().enumerate() {
            let Opened { name, header, .. } = &round[0];
            if header.round != number {
                return Err(Error::state(
                    format!("{name} is of a later round, and parts of an earlier one are missing"),
                    "give the parts of all rounds",
                ));
            }
            check_round(round)?;
        }
        Ok(Arc::new(Self { rounds, is_taken: AtomicBool::new(false) }))
    }

    /// The words that all parts were given; see [`Recorder::new`](crate::parts::Recorder::new).
    pub fn words(&self) -> &[String] {
        &self.rounds[0][0].header.words
    }

    /// Number of rounds in which the work was divided.
    pub(super) fn n_rounds(&self) -> usize {
        self.rounds.len()
    }

    /// Where the results of a job are, if they are here. Refuses parts of other work: the first job
    /// that is looked for is always here.
    pub(super) fn find(&self, work: &Work, n_units: usize) -> Result<Option<StoredJob<'_>>, Error> {
        let is_same = |job: &Recorded| job.work == *work && job.n_units == n_units;
        for parts in &self.rounds {
            if let Some(job) = parts[0].header.jobs.iter().position(is_same) {
                self.is_taken.store(true, Ordering::Relaxed);
                return Ok(Some(StoredJob { parts, job }));
            }
        }
        if self.is_taken.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let Opened { name, header, .. } = &self.rounds[0][0];
        let (what, help) = if header.jobs.iter().all(|job| job.work.data != work.data) {
            ("another table than this one", "merge them with the table that they were made of")
        } else {
            let help = "merge them with the settings, and the forest, that they were made with";
            ("other settings than these", help)
        };
        Err(Error::state(format!("the parts are of {what}; the first is {name}"), help))
    }
}

impl StoredJob<'_> {
    /// What a unit found, as `read` understands it.
    pub(super) fn result<T>(
        self,
        unit: usize,
        read: impl FnOnce(&[u8]) -> Option<T>,
    ) -> Result<T, Error> {
        let of = |part: &Opened| part.units(self.job);
        let part = &self.parts[self.parts.partition_point(|part| of(part).end <= unit)];
        let result = part.result(self.job, unit)?;
        read(&result).ok_or_else(|| part.refused("does not hold what its part is of"))
    }
}

/// Refuses parts of other commands.
fn check_same_words(first: &Opened, other: &Opened) -> Result<(), Error> {
    let (words, others) = (&first.header.words, &other.header.words);
    if words == others {
        return Ok(());
    }
    let (name, then, named, now) = (&first.name, words.join(" "), &other.name, others.join(" "));
    Err(Error::state(format!("{named} is of `{now}`, but {name} of `{then}`"), OF_ONE_COMMAND))
}

const OF_ONE_COMMAND: &str = "give the parts of one command, and run the others again";

/// Refuses parts that are not all of the same jobs, each once.
fn check_round(parts: &[Opened]) -> Result<(), Error> {
    parts.iter().try_for_each(|other| check_same(&parts[0], other))?;
    for pair in parts.windows(2) {
        if pair[0].header.part == pair[1].header.part {
            let (part, one, other) = (pair[0].header.part, &pair[0].name, &pair[1].name);
            return Err(Error::state(
                format!("{one} and {other} are both part {part}"),
                "give every part once",
            ));
        }
    }
    let of = parts[0].header.part.of;
    if parts.len() == of {
        return Ok(());
    }
    let is_there =
        |number: &usize| parts.binary_search_by_key(number, |part| part.header.part.number).is_ok();
    // The first ones say enough where many are missing.
    let missing = (1..=of).filter(|number| !is_there(number)).take(10);
    let missing: Vec<String> = missing.map(|number| format!("{number}/{of}")).collect();
    Err(Error::state(
        format!("{} of {of} parts are there; missing: {}", parts.len(), listed(&missing, "and")),
        "run these parts, and merge all of them",
    ))
}

/// Refuses parts that are of different jobs.
fn check_same(first: &Opened, other: &Opened) -> Result<(), Error> {
    let (Opened { name, header, .. }, Opened { name: named, header: now, .. }) = (first, other);
    let jobs = header.jobs.iter().zip(&now.jobs);
    if jobs.clone().any(|(then, now)| then.work.data != now.work.data) {
        let what = format!("{named} is of another table than {name}");
        return Err(Error::state(what, OF_ONE_COMMAND));
    }
    let is_same =
        |(then, now): (&Recorded, &Recorded)| then.work == now.work && then.n_units == now.n_units;
    if header.jobs.len() != now.jobs.len() || !jobs.clone().all(is_same) {
        let what = format!("{named} is of other settings than {name}");
        return Err(Error::state(what, OF_ONE_COMMAND));
    }
    if now.part.of != header.part.of {
        return Err(Error::state(
            format!("{named} is part {}, but {name} is part {}", now.part, header.part),
            "divide the work into one number of parts",
        ));
    }
    Ok(())
}
