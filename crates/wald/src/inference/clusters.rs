//! Tests that exchange rows, and tables whose rows belong together.

use crate::data::Dataset;
use crate::error::Error;

/// Refuses rows that cannot change places.
pub(super) fn refuse_clusters(data: &Dataset) -> Result<(), Error> {
    if data.clusters().is_none() {
        return Ok(());
    }
    Err(Error::data(
        "responses of rows in clusters cannot change places",
        "leave out the clusters, or aggregate each of them to one row",
    ))
}
