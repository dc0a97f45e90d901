//! Tests that exchange rows, and tables whose rows belong together.

use crate::data::Dataset;
use crate::error::Error;
use crate::origin::Origin;
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

/// Refuses a forest whose trees drew rows by clusters that the table lacks: rows that belong together would be
/// drawn one by one, as if they were independent.
pub(crate) fn refuse_lost_clusters(data: &Dataset, origin: Origin<'_>) -> Result<(), Error> {
    let Some(n_clusters) = origin.forest().and_then(|forest| forest.lost_clusters(data)) else {
        return Ok(());
    };
    Err(Error::data(
        format!(
            "the trees of this forest drew rows by {n_clusters} clusters, but the table names none: errors \
             over single rows would be too small"
        ),
        message!("give the clusters that the forest was grown with", setting::CLUSTER.hint()),
    ))
}
