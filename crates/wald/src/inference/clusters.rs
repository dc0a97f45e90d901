//! Tests that exchange rows, and tables whose rows belong together.

use crate::data::Dataset;
use crate::error::Error;
use crate::{message, setting};

/// Refuses rows that are not exchangeable.
pub(crate) fn refuse_clusters(data: &Dataset) -> Result<(), Error> {
    if data.clusters().is_none() {
        return Ok(());
    }
    Err(Error::data(
        "shadows and p-values are not available for rows in clusters, which are not exchangeable",
        message!("leave out ", setting::CLUSTER, ", or aggregate each cluster to one row"),
    ))
}
