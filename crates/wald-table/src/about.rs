//! The column that is being read, for messages.

use crate::options::Infinite;
use crate::table::RowPlaces;

/// The column that is being inferred, for messages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct About<'a> {
    pub(crate) file: &'a str,
    pub(crate) column: &'a str,
    pub(crate) places: &'a RowPlaces,
    /// The decimal mark.
    pub(crate) decimal: u8,
    /// What becomes of infinite numbers.
    pub(crate) infinite: Infinite,
}
