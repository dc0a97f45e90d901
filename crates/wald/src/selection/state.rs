//! Finished eliminations, so that work that was stopped can go on.
//!
//! As bytes: 0..8 are the mark, 8..12 the version (u32, little-endian), 12..44 the BLAKE3 hash of
//! all other bytes, then header and eliminations (postcard). The header identifies the data, the
//! measure and the settings that the eliminations are of.
//!
//! Entries are keyed by repetition and fold, so that neither the order of the work nor a stop in
//! between shows in the result. The caller writes the bytes to a file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::data::Dataset;
use crate::error::Error;
use crate::fingerprint::{HASH, of_data, of_settings};
use crate::selection::elimination::Elimination;
use crate::selection::part::Part;
use crate::selection::settings::{PerStep, SelectionConfig};

/// Starts with a byte that no text has and ends with line ends that careless copying changes.
const MARK: [u8; 8] = *b"\x89wals\r\n\x1a";

/// The version that is written, and the only one that is read.
const VERSION: u32 = 2;

const VERSIONED: usize = MARK.len() + 4;

/// Eliminations that are done, and what they are of.
///
/// Work that was stopped goes on where it ended:
///
/// ```
/// use wald::selection::{SelectionConfig, SelectionState};
/// use wald::simulate::Friedman1;
/// use wald::{ForestConfig, MeasureId, Run};
///
/// let data = Friedman1 { n_columns: 5, noise: 1.0 }.draw(60, 1)?;
/// let forest = ForestConfig { n_trees: 5, ..ForestConfig::default() };
/// let config = SelectionConfig { folds: 2, ..SelectionConfig::new(forest, MeasureId::Mdi.into()) };
/// let mut stored = Vec::new(); // usually a file
/// let store = |state: &SelectionState| stored = state.to_bytes().expect("a small state");
/// let fresh = SelectionState::new(&data, &config);
/// let found = wald::select(&data, &config, fresh, store, &Run::all())?;
///
/// let state = SelectionState::from_bytes(&stored, &data, &config)?;
/// assert_eq!(state.n_done(), 3); // two folds, and all rows
/// assert_eq!(wald::select(&data, &config, state, |_| {}, &Run::all())?, found);
/// # Ok::<(), wald::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SelectionState {
    header: Header,
    done: BTreeMap<Part, Elimination>,
}

/// What eliminations are of. Each field is a reason to refuse a state when it differs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Header {
    program: String,
    data: [u8; HASH],
    measure: String,
    /// A hash of the settings of the measure.
    measuring: [u8; HASH],
    /// Other settings by name, as text.
    settings: Vec<(String, String)>,
}

impl SelectionState {
    /// Nothing done yet.
    pub fn new(data: &Dataset, config: &SelectionConfig) -> Self {
        Self { header: Header::of(data, config), done: BTreeMap::new() }
    }

    /// Number of eliminations that are done.
    pub fn n_done(&self) -> usize {
        self.done.len()
    }

    /// Reads a state that belongs to this data and these settings.
    ///
    /// # Errors
    /// [`Error::State`] when the bytes are damaged, or of other data or settings; settings that do
    /// not fit the data as [`super::select`].
    pub fn from_bytes(
        bytes: &[u8],
        data: &Dataset,
        config: &SelectionConfig,
    ) -> Result<Self, Error> {
        let damaged = || {
            Error::state(
                "the state is damaged: it is cut off, or its checksum is wrong",
                "delete it, and the selection begins anew",
            )
        };
        let Some((version, rest)) =
            bytes.strip_prefix(&MARK).and_then(|rest| rest.split_first_chunk::<4>())
        else {
            return Err(Error::state(
                "the file is not the state of a selection",
                "name a file that an earlier selection wrote, or one that does not exist yet",
            ));
        };
        let version = u32::from_le_bytes(*version);
        if version != VERSION {
            return Err(Error::state(
                format!("the state has version {version}; this version of wald reads {VERSION}"),
                "go on with the version of wald that wrote it, or name another file to begin anew",
            ));
        }
        let (hash, body) = rest.split_first_chunk::<HASH>().ok_or_else(damaged)?;
        if checksum(&bytes[..VERSIONED], body) != *hash {
            return Err(damaged());
        }
        let content = postcard::take_from_bytes::<(Header, BTreeMap<Part, Elimination>)>(body);
        let Ok(((header, done), [])) = content else { return Err(damaged()) };
        let state = Self { header, done };
        state.check(data, config)?;
        let n_sizes = config.check(data)?.len();
        let fits = |(part, found): (&Part, &Elimination)| {
            is_plausible(*part, found, data.groups().n_groups(), n_sizes, config)
        };
        if state.done.iter().all(fits) { Ok(state) } else { Err(damaged()) }
    }

    /// The state as bytes.
    ///
    /// # Errors
    /// [`Error::TooLarge`] when it cannot be written down.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let room = vec![0; VERSIONED + HASH];
        let content = (&self.header, &self.done);
        let mut bytes = postcard::to_extend(&content, room).map_err(|error| {
            Error::too_large(
                format!("the state cannot be written: {error}"),
                "select without a state",
            )
        })?;
        bytes[..MARK.len()].copy_from_slice(&MARK);
        bytes[MARK.len()..VERSIONED].copy_from_slice(&VERSION.to_le_bytes());
        let hash = checksum(&bytes[..VERSIONED], &bytes[VERSIONED + HASH..]);
        bytes[VERSIONED..VERSIONED + HASH].copy_from_slice(&hash);
        Ok(bytes)
    }

    /// Refuses data and settings that the state is not of.
    pub(super) fn check(&self, data: &Dataset, config: &SelectionConfig) -> Result<(), Error> {
        let now = Header::of(data, config);
        let help = "repeat the earlier command, or name another file to begin anew";
        let refuse = |what: String| Err(Error::state(what, help));
        let then = &self.header;
        if then.program != now.program {
            return refuse(format!(
                "the state was written by wald {}, but this is {}",
                then.program, now.program
            ));
        }
        if then.data != now.data {
            return refuse("the state is of other data".to_owned());
        }
        if then.measure != now.measure {
            return refuse(format!(
                "the state is of the measure `{}`, not of `{}`",
                then.measure, now.measure
            ));
        }
        if then.measuring != now.measuring && then.settings == now.settings {
            return refuse("the state is of other settings of the measure".to_owned());
        }
        let differs = now.settings.iter().zip(&then.settings).find(|(now, then)| now != then);
        match differs {
            Some(((name, now), (_, then))) => refuse(format!(
                "the state is of other settings: {name} was {then} and is now {now}"
            )),
            None => Ok(()),
        }
    }

    pub(super) fn get(&self, part: Part) -> Option<&Elimination> {
        self.done.get(&part)
    }

    pub(super) fn add(&mut self, part: Part, found: Elimination) {
        self.done.insert(part, found);
    }
}

/// True for what an elimination can have found: a checksum keeps accidents out, this keeps made-up
/// positions out.
pub(super) fn is_plausible(
    part: Part,
    found: &Elimination,
    n_variables: usize,
    n_sizes: usize,
    config: &SelectionConfig,
) -> bool {
    let mut seen = vec![false; n_variables];
    let is_order = found.order.len() == n_variables
        && found.order.iter().all(|&group| match seen.get_mut(group as usize) {
            Some(seen) => !std::mem::replace(seen, true),
            None => false,
        });
    let (is_part, n_losses) = match part {
        Part::Fold { repeat, fold } => {
            ((repeat as usize) < config.repeats && (fold as usize) < config.folds, n_sizes)
        }
        Part::AllRows => (true, 0),
    };
    let is_loss = |loss: f64| loss.is_finite() && loss >= 0.0;
    is_order
        && is_part
        && is_loss(found.weight)
        && found.losses.len() == n_losses
        && found.losses.iter().all(|losses| is_loss(losses.chosen) && is_loss(losses.squared))
}

impl Header {
    fn of(data: &Dataset, config: &SelectionConfig) -> Self {
        let SelectionConfig { forest, measure, folds, repeats, drop, smallest, loss } = config;
        let setting = |name: &str, value: String| (name.to_owned(), value);
        let drop = match drop {
            PerStep::Auto => "auto".to_owned(),
            PerStep::Variables(number) => number.to_string(),
            PerStep::Share(share) => share.to_string(),
        };
        let mut settings = vec![
            setting("the number of folds", folds.to_string()),
            setting("the number of repetitions", repeats.to_string()),
            setting("what is dropped at a time", drop),
            setting("the smallest number of variables", smallest.to_string()),
            setting("the loss of held-out rows", loss.id().to_owned()),
        ];
        if let Ok(serde_json::Value::Object(growing)) = serde_json::to_value(forest) {
            settings.extend(growing.iter().map(|(name, value)| setting(name, value.to_string())));
        }
        Self {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            data: of_data(data),
            measure: measure.id().info().id.to_owned(),
            measuring: of_settings(measure.settings()),
            settings,
        }
    }
}

fn checksum(versioned: &[u8], body: &[u8]) -> [u8; HASH] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(versioned);
    hasher.update(body);
    *hasher.finalize().as_bytes()
}
