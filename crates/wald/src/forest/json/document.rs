//! The file as it stands, with types but not yet checked.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::entry::{Child, Count, Index, Number, Values, per_node, per_row, per_tree, values};
use super::format::{FORMAT, VERSION};
use crate::data::Task;
use crate::error::Error;
use crate::forest::config::ForestConfig;
use crate::forest::info::Aggregation;
use crate::forest::ways::Impurity;

/// The whole file. Unknown fields are refused: a misspelt `float32_inputs` must not pass.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Document {
    format: String,
    version: u64,
    pub(super) task: Task,
    #[serde(default)]
    pub(super) target: Option<String>,
    pub(super) features: Vec<String>,
    #[serde(default)]
    pub(super) feature_levels: Option<Vec<Option<Vec<String>>>>,
    #[serde(default)]
    pub(super) classes: Option<Vec<String>>,
    #[serde(default)]
    pub(super) float32_inputs: bool,
    #[serde(default)]
    pub(super) aggregation: Aggregation,
    #[serde(default)]
    pub(super) impurity: Option<Impurity>,
    #[serde(default, deserialize_with = "per_row")]
    pub(super) row_weights: Option<Vec<f64>>,
    #[serde(default)]
    pub(super) config: Option<ForestConfig>,
    #[serde(default)]
    pub(super) mtry: Option<usize>,
    #[serde(default)]
    pub(super) table: Option<String>,
    #[serde(default, rename = "comment")]
    _comment: IgnoredAny,
    #[serde(deserialize_with = "per_tree")]
    pub(super) trees: Vec<TreeDocument>,
}

/// One tree.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TreeDocument {
    #[serde(deserialize_with = "per_node")]
    pub(super) feature: Option<Vec<Index>>,
    #[serde(deserialize_with = "per_node")]
    pub(super) threshold: Option<Vec<Number>>,
    #[serde(deserialize_with = "per_node")]
    pub(super) left: Option<Vec<Index>>,
    #[serde(deserialize_with = "per_node")]
    pub(super) right: Option<Vec<Index>>,
    #[serde(default, deserialize_with = "per_node")]
    pub(super) split: Option<Vec<Option<SplitKind>>>,
    #[serde(default, deserialize_with = "per_node")]
    pub(super) levels: Option<Vec<Option<Vec<u32>>>>,
    #[serde(default, deserialize_with = "per_node")]
    pub(super) children: Option<Vec<Option<Vec<u32>>>>,
    #[serde(default, deserialize_with = "per_node")]
    pub(super) branches: Option<Vec<Option<Vec<u32>>>>,
    #[serde(default, deserialize_with = "per_node")]
    pub(super) others: Option<Vec<Child>>,
    #[serde(default, deserialize_with = "per_node")]
    pub(super) missing: Option<Vec<Child>>,
    #[serde(default, deserialize_with = "values")]
    pub(super) value: Option<Values>,
    #[serde(default, deserialize_with = "per_node")]
    pub(super) weight: Option<Vec<Number>>,
    #[serde(default, deserialize_with = "per_node")]
    pub(super) impurity: Option<Vec<Number>>,
    #[serde(default, alias = "inbag", deserialize_with = "per_row")]
    pub(super) in_bag: Option<Vec<Count>>,
}

/// The split of an inner node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SplitKind {
    /// Left iff x <= threshold.
    Le,
    /// Left iff x < threshold.
    Lt,
    /// Left iff the level is listed.
    Levels,
    /// Right iff the level is listed.
    LevelsRight,
    /// Left iff the value is present.
    Present,
    /// A child per level.
    Multiway,
}

/// What every version of the format has in common.
#[derive(Debug, Deserialize)]
struct Header {
    format: Option<String>,
    version: Option<serde_json::Number>,
}

impl Document {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, Error> {
        match serde_json::from_slice::<Self>(bytes) {
            Ok(document) => {
                check_header(&document.format, &document.version.to_string())?;
                Ok(document)
            }
            Err(error) => Err(explain(bytes, &error)),
        }
    }
}

fn check_header(format: &str, version: &str) -> Result<(), Error> {
    if format != FORMAT {
        return Err(Error::forest_file(
            format!("the format of the file is \"{format}\", not \"{FORMAT}\""),
            "give a wald model file or wald-forest JSON",
        ));
    }
    if version != VERSION.to_string() {
        return Err(Error::forest_file(
            format!("the file is {FORMAT} JSON of version {version}; version {VERSION} is read"),
            "write the file again in that version, or use a newer wald",
        ));
    }
    Ok(())
}

/// A file of another format or version is refused as such, whatever else is wrong with it.
fn explain(bytes: &[u8], error: &serde_json::Error) -> Error {
    if let Err(error) = std::str::from_utf8(bytes) {
        return Error::forest_file(
            format!("the forest file is not valid JSON: {error}"),
            "write the file as UTF-8",
        );
    }
    if let Err(syntax) = serde_json::from_slice::<IgnoredAny>(bytes) {
        let help = if syntax.is_eof() {
            "the file seems to be cut off: write or copy it again"
        } else {
            "JSON knows neither NaN nor infinities: write null where there is no number"
        };
        // The first error may name the tree and the node.
        return Error::forest_file(format!("the forest file is not valid JSON: {error}"), help);
    }
    if let Ok(header) = serde_json::from_slice::<Header>(bytes) {
        let (Some(format), Some(version)) = (header.format, header.version) else {
            return Error::forest_file(
                format!("the JSON is not marked as a forest: {error}"),
                format!("it needs \"format\": \"{FORMAT}\" and \"version\": {VERSION}"),
            );
        };
        if let Err(error) = check_header(&format, &version.to_string()) {
            return error;
        }
    }
    Error::forest_file(
        format!("the forest file is wrong: {error}"),
        "correct the entry; trees, nodes and rows are counted from 0",
    )
}
