//! The file of a part: a header, and the results of units.
//!
//! Bytes 0..8 are the mark, 8..12 the version (u32), 12..20 the length of the header (u64), both
//! little-endian, 20..52 the BLAKE3 hash of bytes 0..20 and of the header, which follows (postcard). The
//! results come after it, one after the other. The header has the length and the hash of each, so that
//! a result is read, and checked, when it is needed: no more than one per thread is in memory.

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::parts::{PartOf, Work};

/// Starts with a byte that no text has and ends with line ends that careless copying changes.
const MARK: [u8; 8] = *b"\x89walp\r\n\x1a";

/// The version that is written, and the only one that is read.
const VERSION: u32 = 2;

const PREFIX: usize = MARK.len() + 4 + 8;
const HASH: usize = 32;

/// What mends a file that was changed on its way.
const AGAIN: &str = "copy the file again, or run this part again";

/// Where the bytes of a part are: usually a file, or [`io::Cursor`] on memory.
pub trait Content: Read + Seek + Send {}

impl<T: Read + Seek + Send> Content for T {}

/// A part, and how messages call it.
pub struct PartFile {
    name: String,
    content: Box<dyn Content>,
}

impl fmt::Debug for PartFile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PartFile").field("name", &self.name).finish_non_exhaustive()
    }
}

impl PartFile {
    /// What [`Recorder::write`](crate::parts::Recorder::write) wrote, by the name of its file.
    pub fn new(name: impl Into<String>, content: impl Content + 'static) -> Self {
        Self { name: name.into(), content: Box::new(content) }
    }
}

/// What a part is of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Header {
    /// The version of wald: others may find other bits.
    pub(super) program: String,
    pub(super) part: PartOf,
    /// Counted from 0; parts of later rounds begin with the results of earlier ones.
    pub(super) round: usize,
    /// The words of whoever had the work done.
    pub(super) words: Vec<String>,
    pub(super) jobs: Vec<Recorded>,
}

/// A job, and the results of those of its units that the part is of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Recorded {
    pub(super) work: Work,
    pub(super) n_units: usize,
    pub(super) results: Vec<Entry>,
}

/// A result.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry {
    length: u64,
    hash: [u8; HASH],
}

impl Entry {
    pub(super) fn of(result: &[u8]) -> Self {
        Self { length: result.len() as u64, hash: *blake3::hash(result).as_bytes() }
    }
}

impl Header {
    /// Writes the header; the results are to follow.
    pub(super) fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let header = postcard::to_allocvec(self).map_err(io::Error::other)?;
        let mut prefix = MARK.to_vec();
        prefix.extend(VERSION.to_le_bytes());
        prefix.extend((header.len() as u64).to_le_bytes());
        let hash = checksum(&prefix, &header);
        [&prefix[..], &hash, &header].into_iter().try_for_each(|bytes| to.write_all(bytes))
    }

    /// The results of the jobs, in the order of the jobs and their units.
    fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.jobs.iter().flat_map(|job| &job.results)
    }

    /// Whether it is that of a part, and names a result for each of its units.
    fn is_consistent(&self) -> bool {
        let PartOf { number, of } = self.part;
        let is_part = (1..=of).contains(&number) && !self.jobs.is_empty();
        let has_all = |job: &Recorded| job.results.len() == self.part.range(job.n_units).len();
        is_part && self.jobs.iter().all(has_all)
    }
}

fn checksum(prefix: &[u8], header: &[u8]) -> [u8; HASH] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(prefix);
    hasher.update(header);
    *hasher.finalize().as_bytes()
}

/// A part whose header was read.
pub(super) struct Opened {
    pub(super) name: String,
    pub(super) header: Header,
    content: Mutex<Box<dyn Content>>,
    /// By job and unit, where the result starts.
    starts: Vec<Vec<u64>>,
}

impl fmt::Debug for Opened {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = formatter.debug_struct("Opened");
        fields.field("name", &self.name).field("part", &self.header.part).finish_non_exhaustive()
    }
}

impl Opened {
    /// Reads the header of a part of this version of wald.
    pub(super) fn new(file: PartFile) -> Result<Self, Error> {
        let PartFile { name, mut content } = file;
        let read = Self::read_header(&mut *content);
        let (header, start) = match read.unwrap_or_else(|error| Err(unreadable(&error))) {
            Ok(read) => read,
            Err(Refusal { what, help }) => {
                return Err(Error::state(format!("{name} {what}"), help));
            }
        };
        let mut at = start;
        let mut start_of = |entry: &Entry| {
            let start = at;
            at += entry.length;
            start
        };
        let jobs = header.jobs.iter();
        let starts = jobs.map(|job| job.results.iter().map(&mut start_of).collect()).collect();
        Ok(Self { name, header, content: Mutex::new(content), starts })
    }

    /// The header, and where the results start.
    fn read_header(content: &mut dyn Content) -> io::Result<Result<(Header, u64), Refusal>> {
        let refuse = |what: &str, help| Ok(Err(Refusal { what: what.to_owned(), help }));
        let n_bytes = content.seek(SeekFrom::End(0))?;
        content.rewind()?;
        let mut begin = Vec::new();
        (&mut *content).take((PREFIX + HASH) as u64).read_to_end(&mut begin)?;
        if !begin.starts_with(&MARK) {
            let mend = "give the files that parts wrote, and no others";
            return refuse("is not a part, or its line ends were changed", mend);
        }
        let same = "use the same version of wald for all parts and for merging";
        let version = begin[MARK.len()..].first_chunk().map(|bytes| u32::from_le_bytes(*bytes));
        if let Some(version) = version.filter(|version| *version != VERSION) {
            let what = format!("has version {version}; this version of wald reads {VERSION}");
            return refuse(&what, same);
        }
        let cut = "is cut off, or longer than it was";
        let length = begin.get(MARK.len() + 4..).and_then(<[u8]>::first_chunk);
        let length = length.map_or(u64::MAX, |length| u64::from_le_bytes(*length));
        let start = ((PREFIX + HASH) as u64).saturating_add(length);
        if begin.len() < PREFIX + HASH || start > n_bytes {
            return refuse(cut, AGAIN);
        }
        let mut header = Vec::new();
        content.take(length).read_to_end(&mut header)?;
        if checksum(&begin[..PREFIX], &header)[..] != begin[PREFIX..] {
            return refuse(DAMAGED, AGAIN);
        }
        let here = env!("CARGO_PKG_VERSION");
        let Ok((header, [])) = postcard::take_from_bytes::<Header>(&header) else {
            return refuse("does not hold a part", AGAIN);
        };
        if header.program != here {
            return refuse(&format!("is of wald {}, but this is {here}", header.program), same);
        }
        let lengths = header.entries().map(|entry| u128::from(entry.length));
        if lengths.sum::<u128>() != u128::from(n_bytes - start) {
            return refuse(cut, AGAIN);
        }
        if !header.is_consistent() {
            return refuse("contradicts itself", AGAIN);
        }
        Ok(Ok((header, start)))
    }

    /// The units of a job, counted from the first one of this file, that the part is of.
    pub(super) fn units(&self, job: usize) -> Range<usize> {
        self.header.part.range(self.header.jobs[job].n_units)
    }

    /// What a unit found, of those that this part is of.
    pub(super) fn result(&self, job: usize, unit: usize) -> Result<Vec<u8>, Error> {
        let place = unit - self.units(job).start;
        let entry = self.header.jobs[job].results[place];
        let read = || -> io::Result<Vec<u8>> {
            let mut content = self.content.lock().unwrap_or_else(PoisonError::into_inner);
            content.seek(SeekFrom::Start(self.starts[job][place]))?;
            let mut result = Vec::with_capacity(entry.length as usize);
            (&mut *content).take(entry.length).read_to_end(&mut result)?;
            Ok(result)
        };
        match read() {
            Ok(result) if Entry::of(&result) == entry => Ok(result),
            Ok(_) => Err(self.refused(DAMAGED)),
            Err(error) => Err(self.refused(&unreadable(&error).what)),
        }
    }

    /// An error that names the file.
    pub(super) fn refused(&self, what: &str) -> Error {
        Error::state(format!("{} {what}", self.name), AGAIN)
    }
}

const DAMAGED: &str = "is damaged: its checksum is wrong";

/// What is wrong with a file, after its name.
struct Refusal {
    what: String,
    help: &'static str,
}

fn unreadable(error: &io::Error) -> Refusal {
    Refusal { what: format!("cannot be read: {error}"), help: "give a file, not a pipe" }
}
