//! The file of a part: a header, a checksum over everything, and the results of units.
//!
//! Bytes 0..8 are the mark, 8..12 the version (u32), 12..20 the length of what follows the checksum
//! (u64), both little-endian, 20..52 the BLAKE3 hash of bytes 0..20 and of what follows: what the
//! part is of (postcard), then the results, one after the other.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::parts::{PartOf, Unit, Work};

/// Starts with a byte that no text has and ends with line ends that careless copying changes.
const MARK: [u8; 8] = *b"\x89walp\r\n\x1a";

/// The version that is written, and the only one that is read.
const VERSION: u32 = 1;

const HEADER: usize = MARK.len() + 4 + 8;
const HASH: usize = 32;

/// A part in memory, and how messages call it.
#[derive(Debug, Clone)]
pub struct PartFile {
    /// Usually the name of the file.
    pub name: String,
    /// What [`Recorder::bytes`] gave.
    pub bytes: Vec<u8>,
}

/// What a part is of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Header {
    /// The version of wald: others may find other bits.
    program: String,
    pub(super) part: PartOf,
    pub(super) unit: Unit,
    pub(super) work: Work,
    pub(super) n_units: usize,
    pub(super) units: Range<usize>,
    /// The words of whoever had the work done.
    pub(super) words: Vec<String>,
    /// Bytes of the results.
    lengths: Vec<usize>,
}

/// A part that was read, and where the result of each unit stands.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) name: String,
    pub(super) header: Header,
    bytes: Vec<u8>,
    /// Where results start, and where the last one ends.
    starts: Vec<usize>,
}

/// Takes down what a part of the work finds.
#[derive(Debug)]
pub struct Recorder {
    pub(super) part: PartOf,
    pub(super) unit: Unit,
    words: Vec<String>,
    is_taken: AtomicBool,
    found: Mutex<Option<(Header, Vec<u8>)>>,
}

impl Recorder {
    /// Nothing yet. The `words` are kept for whoever merges.
    pub fn new(part: PartOf, unit: Unit, words: Vec<String>) -> std::sync::Arc<Self> {
        let is_taken = AtomicBool::new(false);
        std::sync::Arc::new(Self { part, unit, words, is_taken, found: Mutex::default() })
    }

    /// Whether a job of this unit is to be divided: the first one is.
    pub(super) fn takes(&self, unit: Unit) -> bool {
        unit == self.unit && !self.is_taken.swap(true, Ordering::Relaxed)
    }

    pub(super) fn put(&self, work: Work, n_units: usize, results: &[Vec<u8>]) {
        let header = Header {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            part: self.part,
            unit: self.unit,
            work,
            n_units,
            units: self.part.range(n_units),
            words: self.words.clone(),
            lengths: results.iter().map(Vec::len).collect(),
        };
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        *found = Some((header, results.concat()));
    }

    /// The part as bytes; `None` before it is done.
    ///
    /// # Errors
    /// [`Error::TooLarge`] where it cannot be written down.
    pub fn bytes(&self) -> Result<Option<Vec<u8>>, Error> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((header, results)) = found.take() else { return Ok(None) };
        let room = vec![0; HEADER + HASH];
        let bytes = postcard::to_extend(&header, room);
        let mut bytes = bytes.map_err(|error| unwritable(&error))?;
        bytes.extend(results);
        let length = (bytes.len() - HEADER - HASH) as u64;
        bytes[..MARK.len()].copy_from_slice(&MARK);
        bytes[MARK.len()..MARK.len() + 4].copy_from_slice(&VERSION.to_le_bytes());
        bytes[MARK.len() + 4..HEADER].copy_from_slice(&length.to_le_bytes());
        let hash = checksum(&bytes);
        bytes[HEADER..HEADER + HASH].copy_from_slice(&hash);
        Ok(Some(bytes))
    }
}

pub(super) fn unwritable(error: &postcard::Error) -> Error {
    Error::too_large(format!("the part cannot be written: {error}"), "divide the work further")
}

fn checksum(bytes: &[u8]) -> [u8; HASH] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&bytes[..HEADER]);
    hasher.update(&bytes[HEADER + HASH..]);
    *hasher.finalize().as_bytes()
}

impl Opened {
    /// Reads an intact part of this version of wald.
    pub(super) fn new(file: PartFile) -> Result<Self, Error> {
        let PartFile { name, bytes } = file;
        let refuse = |what: &str, help: &str| Err(Error::state(format!("{name} {what}"), help));
        let again = "copy the file again, or run this part again";
        if !bytes.starts_with(&MARK) {
            let mend = "give the files that parts wrote, and no others";
            return refuse("is not a part, or its line ends were changed", mend);
        }
        let version = bytes[MARK.len()..].first_chunk().map(|bytes| u32::from_le_bytes(*bytes));
        let same = "use the same version of wald for all parts and for merging";
        if let Some(version) = version.filter(|version| *version != VERSION) {
            let what = format!("has version {version}; this version of wald reads {VERSION}");
            return refuse(&what, same);
        }
        let length = bytes.get(MARK.len() + 4..).and_then(<[u8]>::first_chunk);
        let length = length.map_or(u64::MAX, |length| u64::from_le_bytes(*length));
        if bytes.len() < HEADER + HASH || length != (bytes.len() - HEADER - HASH) as u64 {
            return refuse("is cut off, or longer than it was", again);
        }
        if checksum(&bytes)[..] != bytes[HEADER..HEADER + HASH] {
            return refuse("is damaged: its checksum is wrong", again);
        }
        let body = &bytes[HEADER + HASH..];
        let Ok((header, results)) = postcard::take_from_bytes::<Header>(body) else {
            return refuse("does not hold a part", again);
        };
        let here = env!("CARGO_PKG_VERSION");
        if header.program != here {
            return refuse(&format!("is of wald {}, but this is {here}", header.program), same);
        }
        let mut starts = vec![bytes.len() - results.len()];
        for length in &header.lengths {
            starts.push(starts[starts.len() - 1].saturating_add(*length));
        }
        let is_whole = starts.last() == Some(&bytes.len());
        if !is_whole
            || header.part.number == 0
            || header.part.number > header.part.of
            || header.units != header.part.range(header.n_units)
            || header.lengths.len() != header.units.len()
        {
            return refuse("contradicts itself", again);
        }
        Ok(Self { name, header, bytes, starts })
    }

    /// What a unit found, of those that this part is of.
    pub(super) fn result(&self, unit: usize) -> &[u8] {
        let place = unit - self.header.units.start;
        &self.bytes[self.starts[place]..self.starts[place + 1]]
    }
}
