//! What JSON documents of results have in common.

use serde::Serialize;

use crate::data::{Dataset, Task};

/// The format of files of results.
pub const FORMAT: &str = "wald-result";

/// Its version.
pub const VERSION: u32 = 2;

/// What every document begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Header {
    format: &'static str,
    version: u32,
    /// The version of this library.
    wald: &'static str,
}

impl Default for Header {
    fn default() -> Self {
        Self { format: FORMAT, version: VERSION, wald: env!("CARGO_PKG_VERSION") }
    }
}

/// The beginning of a document about data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Subject<'a> {
    #[serde(flatten)]
    header: Header,
    task: Task,
    target: &'a str,
    n_rows: usize,
    features: &'a [String],
}

impl<'a> From<&'a Dataset> for Subject<'a> {
    fn from(data: &'a Dataset) -> Self {
        Self {
            header: Header::default(),
            task: data.target().task(),
            target: data.target().name(),
            n_rows: data.n_rows(),
            features: data.groups().names(),
        }
    }
}
