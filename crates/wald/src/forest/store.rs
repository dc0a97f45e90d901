//! The model file: a header, a checksum over everything, and the forest.
//!
//! Bytes 0..8 are the mark, 8..12 the version (u32), 12..20 the length of the body (u64), both
//! little-endian, 20..52 the BLAKE3 hash of bytes 0..20 and the body, then the body (postcard).
//! A damaged file is refused; it never becomes a forest that predicts something else.

use serde::ser::{Error as _, SerializeSeq, Serializer};
use serde::{Deserialize, Serialize};

use crate::data::Dataset;
use crate::error::Error;
use crate::forest::agree;
use crate::forest::config::ForestConfig;
use crate::forest::info::{Aggregation, FeatureInfo, TargetInfo};
use crate::forest::model::Forest;
use crate::forest::sample::Bag;
use crate::forest::tree::{Branches, LevelSet, Node, NodeStatistics, Tree};
use crate::forest::validate;
use crate::forest::ways::{ClassWeight, ConstantDraws, Impurity};
use crate::run::{Progress, Run};

/// Starts with a byte that no text has and ends with line ends that careless copying changes.
const MARK: [u8; 8] = *b"\x89wald\r\n\x1a";

/// The version that is written. Older ones are read, too: they lack the hash of the table, in version 12 the
/// `mtry` of foreign forests, their targets are single in version 11, and their settings, which end the body, lack
/// `monotonic` in version 10, `class_weight` in version 9, `max_leaf_nodes` and `ccp_alpha` in version 8, `first_tree` in version 7, `max_bins` in version 6 and
/// `constant_draws` in version 4, and trees of version 5 list the values of all nodes.
const VERSION: u32 = 14;
const WITHOUT_TABLE: u32 = 13;
const WITHOUT_MTRY: u32 = 12;
const OF_ONE_TARGET: u32 = 11;
const WITHOUT_TRENDS: u32 = 10;
const WITHOUT_CLASS_WEIGHT: u32 = 9;
const WITHOUT_PRUNING: u32 = 8;
const WITHOUT_FIRST_TREE: u32 = 7;
const WITHOUT_BINS: u32 = 6;
const WITH_ALL_VALUES: u32 = 5;
const OLDEST: u32 = 4;

const HEADER: usize = MARK.len() + 4 + 8;
const HASH: usize = blake3::OUT_LEN;

/// What is written.
#[derive(Serialize)]
struct Body<'a> {
    features: &'a [FeatureInfo],
    target: &'a TargetInfo,
    trees: Watched<'a, Tree>,
    bags: Option<Watched<'a, Bag>>,
    aggregation: Aggregation,
    float32_inputs: bool,
    impurity: Impurity,
    config: Option<&'a ForestConfig>,
    mtry: Option<usize>,
    table: Option<[u8; HASH]>,
}

/// Many parts, between which the reader may stop.
struct Watched<'a, T> {
    parts: &'a [T],
    progress: &'a Progress,
}

impl<T: Serialize> Serialize for Watched<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut parts = serializer.serialize_seq(Some(self.parts.len()))?;
        for part in self.parts {
            self.progress.check().map_err(S::Error::custom)?;
            parts.serialize_element(part)?;
        }
        parts.end()
    }
}

/// What is read; the fields are those of [`Body`].
#[derive(Deserialize)]
struct OwnedBody<T, I = OneTarget> {
    features: Vec<FeatureInfo>,
    target: I,
    trees: Vec<T>,
    bags: Option<Vec<Bag>>,
    aggregation: Aggregation,
    float32_inputs: bool,
    impurity: Impurity,
    config: Option<ForestConfig>,
    mtry: Option<usize>,
    table: Option<[u8; HASH]>,
}

/// The target of older versions.
#[derive(Deserialize)]
struct OneTarget {
    name: String,
    classes: Option<Vec<String>>,
}

impl From<OneTarget> for TargetInfo {
    fn from(OneTarget { name, classes }: OneTarget) -> Self {
        Self { name, classes, outputs: None }
    }
}

/// A tree of older versions.
#[derive(Deserialize)]
struct OlderTree {
    nodes: Vec<Node>,
    values: Vec<f64>,
    statistics: Option<NodeStatistics>,
    level_sets: Vec<LevelSet>,
    branches: Vec<Branches>,
}

impl From<OlderTree> for Tree {
    fn from(older: OlderTree) -> Self {
        let OlderTree { nodes, values, statistics, level_sets, branches } = older;
        Self { nodes, values, statistics, level_sets, branches, met: None }
    }
}

impl<T: Into<Tree>, I: Into<TargetInfo>> OwnedBody<T, I> {
    fn into_forest(self) -> Forest {
        Forest {
            features: self.features,
            target: self.target.into(),
            trees: self.trees.into_iter().map(Into::into).collect(),
            bags: self.bags,
            aggregation: self.aggregation,
            float32_inputs: self.float32_inputs,
            impurity: self.impurity,
            config: self.config,
            mtry: self.mtry,
            table: self.table,
        }
    }
}

impl Forest {
    /// Reads a wald model file or `wald-forest` JSON, whichever the bytes are.
    ///
    /// With the training data, the nodes in the file must agree with the data.
    ///
    /// ```
    /// use wald::simulate::Friedman1;
    /// use wald::{Forest, ForestConfig, Run};
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let config = ForestConfig { n_trees: 3, ..ForestConfig::default() };
    /// let forest = Forest::grow(&data, &config, &Run::all())?;
    /// let bytes = forest.to_bytes()?;
    /// assert_eq!(Forest::read(&bytes, Some(&data), &Run::all())?, forest);
    /// // A file that was damaged on its way is refused.
    /// assert!(Forest::read(&bytes[..bytes.len() - 1], None, &Run::all()).is_err());
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::ForestFile`] when the bytes are damaged, inconsistent, or contradict the data;
    /// [`Error::Data`] when the data lacks a variable; [`Error::Cancelled`].
    pub fn read(bytes: &[u8], data: Option<&Dataset>, run: &Run) -> Result<Self, Error> {
        if bytes.starts_with(&MARK[..5]) {
            let forest = Self::from_bytes(bytes)?;
            if let Some(data) = data {
                agree::check(&forest, data, run)?;
            }
            return Ok(forest);
        }
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        match text.iter().find(|byte| !byte.is_ascii_whitespace()) {
            Some(b'{') => Self::from_json(text, data, run),
            _ => Err(not_a_forest(bytes)),
        }
    }

    /// Reads a wald model file.
    ///
    /// # Errors
    /// [`Error::ForestFile`] when the bytes are not a model file, or not intact.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (version, bytes) = open(bytes)?;
        let forest = match version {
            VERSION => whole(bytes).map(OwnedBody::<Tree, TargetInfo>::into_forest),
            WITHOUT_TABLE => {
                extended(bytes, &NO_TABLE).map(OwnedBody::<Tree, TargetInfo>::into_forest)
            }
            WITHOUT_MTRY => completed(bytes, &()).map(OwnedBody::<Tree, TargetInfo>::into_forest),
            OF_ONE_TARGET => completed(bytes, &()).map(OwnedBody::<Tree>::into_forest),
            WITHOUT_TRENDS => completed(bytes, &NO_TRENDS).map(OwnedBody::<Tree>::into_forest),
            WITHOUT_CLASS_WEIGHT => completed(bytes, &EQUAL).map(OwnedBody::<Tree>::into_forest),
            WITHOUT_PRUNING => completed(bytes, &UNPRUNED).map(OwnedBody::<Tree>::into_forest),
            WITHOUT_FIRST_TREE => {
                completed(bytes, &(FIRST_TREE, UNPRUNED)).map(OwnedBody::<Tree>::into_forest)
            }
            WITHOUT_BINS => completed(bytes, &(NO_BINS, FIRST_TREE, UNPRUNED))
                .map(OwnedBody::<Tree>::into_forest),
            WITH_ALL_VALUES => completed(bytes, &(NO_BINS, FIRST_TREE, UNPRUNED))
                .map(OwnedBody::<OlderTree>::into_forest),
            _ => completed(bytes, &(ConstantDraws::Leaf, NO_BINS, FIRST_TREE, UNPRUNED))
                .map(OwnedBody::<OlderTree>::into_forest),
        };
        let forest = forest.ok_or_else(|| {
            Error::forest_file(
                "the model file does not hold a forest",
                "write the model file again with this version of wald",
            )
        })?;
        validate::check(&forest)?;
        Ok(forest)
    }

    /// The forest as a model file.
    ///
    /// ```
    /// use wald::simulate::Friedman1;
    /// use wald::{Forest, ForestConfig, Run};
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let config = ForestConfig { n_trees: 3, ..ForestConfig::default() };
    /// let forest = Forest::grow(&data, &config, &Run::all())?;
    /// let bytes = forest.to_bytes()?; // for example for `std::fs::write`
    /// assert_eq!(Forest::from_bytes(&bytes)?, forest); // bags and settings, too
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLarge`] when the forest cannot be written down.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        self.to_bytes_watched(&Progress::new())
    }

    /// The same, which may be cancelled.
    ///
    /// # Errors
    /// As [`Forest::to_bytes`], and [`Error::Cancelled`].
    pub fn to_bytes_watched(&self, progress: &Progress) -> Result<Vec<u8>, Error> {
        let body = Body {
            features: &self.features,
            target: &self.target,
            trees: Watched { parts: &self.trees, progress },
            bags: self.bags.as_deref().map(|parts| Watched { parts, progress }),
            aggregation: self.aggregation,
            float32_inputs: self.float32_inputs,
            impurity: self.impurity,
            config: self.config.as_ref(),
            mtry: self.mtry,
            table: self.table,
        };
        // The header is written into the space left for it once the body is known.
        let room = vec![0; HEADER + HASH];
        let bytes = postcard::to_extend(&body, room);
        // A serializer has errors of its own only.
        progress.check()?;
        let bytes = bytes.map_err(|error| {
            Error::too_large(
                format!("the forest cannot be written as a model file: {error}"),
                "write it as wald-forest JSON",
            )
        })?;
        Ok(seal(bytes))
    }
}

/// Fills in the header and the checksum.
fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    let length = (bytes.len() - HEADER - HASH) as u64;
    bytes[..MARK.len()].copy_from_slice(&MARK);
    bytes[MARK.len()..MARK.len() + 4].copy_from_slice(&VERSION.to_le_bytes());
    bytes[MARK.len() + 4..HEADER].copy_from_slice(&length.to_le_bytes());
    let hash = checksum(&bytes[..HEADER], &bytes[HEADER + HASH..]);
    bytes[HEADER..HEADER + HASH].copy_from_slice(&hash);
    bytes
}

fn checksum(header: &[u8], body: &[u8]) -> [u8; HASH] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(header);
    hasher.update(body);
    *hasher.finalize().as_bytes()
}

/// A body without anything after it.
fn whole<'a, T: Deserialize<'a>, I: Deserialize<'a>>(bytes: &'a [u8]) -> Option<OwnedBody<T, I>> {
    let read = postcard::take_from_bytes(bytes);
    read.ok().filter(|(_, rest)| rest.is_empty()).map(|(body, _)| body)
}

/// What older forests had for the table, for `mtry`, for `max_bins` and `first_tree`, for `max_leaf_nodes` and `ccp_alpha`, for
/// `class_weight`, and for `monotonic`.
const NO_TABLE: Option<[u8; HASH]> = None;
const NO_MTRY: (Option<usize>, Option<[u8; HASH]>) = (None, NO_TABLE);
const NO_BINS: Option<usize> = None;
const FIRST_TREE: usize = 0;
const NO_TRENDS: &[()] = &[];
const EQUAL: (ClassWeight, &[()]) = (ClassWeight::Equal, NO_TRENDS);
const UNPRUNED: (Option<usize>, f64, (ClassWeight, &[()])) = (None, 0.0, EQUAL);

/// The body of an older file, whose settings lack their last fields, or are not there at all.
fn completed<T, I>(bytes: &[u8], lacking: &impl Serialize) -> Option<OwnedBody<T, I>>
where
    T: for<'a> Deserialize<'a>,
    I: for<'a> Deserialize<'a>,
{
    let of_others = || extended(bytes, &NO_MTRY).filter(|body| body.config.is_none());
    extended(bytes, &(lacking, NO_MTRY)).or_else(of_others)
}

/// The body of an older file with what it lacks at its end.
fn extended<T, I>(bytes: &[u8], lacking: &impl Serialize) -> Option<OwnedBody<T, I>>
where
    T: for<'a> Deserialize<'a>,
    I: for<'a> Deserialize<'a>,
{
    whole(&[bytes, &postcard::to_allocvec(lacking).ok()?].concat())
}

/// The version and the body of an intact file.
fn open(bytes: &[u8]) -> Result<(u32, &[u8]), Error> {
    let damaged = |what: String| {
        Err(Error::forest_file(what, "copy the file again, or grow and write the forest again"))
    };
    let Some(rest) = bytes.strip_prefix(&MARK) else {
        return if bytes.starts_with(&MARK[..5]) {
            damaged("the model file is damaged: its line ends were changed".to_owned())
        } else {
            Err(not_a_forest(bytes))
        };
    };
    let (Some((version, rest)), true) = (rest.split_first_chunk::<4>(), bytes.len() >= 52) else {
        return damaged(format!("the model file is cut off after {} bytes", bytes.len()));
    };
    let version = u32::from_le_bytes(*version);
    if !(OLDEST..=VERSION).contains(&version) {
        return Err(Error::forest_file(
            format!(
                "the model file has version {version}; versions {OLDEST} to {VERSION} are read"
            ),
            "read it with the version of wald that wrote it, or grow the forest again",
        ));
    }
    let (Some((length, rest)), body) = (rest.split_first_chunk::<8>(), &bytes[HEADER + HASH..])
    else {
        return damaged("the model file is cut off".to_owned());
    };
    let length = u64::from_le_bytes(*length);
    if length != body.len() as u64 {
        return damaged(format!(
            "the model file is damaged: it should hold {length} bytes after its header, but \
             holds {}",
            body.len()
        ));
    }
    if checksum(&bytes[..HEADER], body)[..] != rest[..HASH] {
        return damaged("the model file is damaged: its checksum is wrong".to_owned());
    }
    Ok((version, body))
}

fn not_a_forest(bytes: &[u8]) -> Error {
    let (what, help) = if bytes.is_empty() {
        ("the forest file is empty", "give a wald model file or wald-forest JSON")
    } else if bytes.starts_with(b"\x1f\x8b") || bytes.starts_with(b"PK") {
        ("the forest file is compressed", "decompress it first")
    } else if bytes.starts_with(b"\x80") || bytes.starts_with(b"RDX") {
        (
            "the file is a pickle or an R image: such files may run programs and are not read",
            "write the forest as wald-forest JSON; the documentation shows how",
        )
    } else {
        (
            "the file is neither a wald model file nor wald-forest JSON",
            "give a model file of wald, or wald-forest JSON from another program",
        )
    };
    Error::forest_file(what, help)
}
