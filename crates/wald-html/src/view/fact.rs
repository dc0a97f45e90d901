//! Key facts under a title.

use serde::Serialize;

use crate::view::cell::Cell;

/// A number with its name.
#[derive(Debug, Serialize)]
pub(super) struct Fact {
    label: String,
    value: Cell,
}

pub(super) fn fact(label: &str, value: Cell) -> Fact {
    Fact { label: label.to_owned(), value }
}
