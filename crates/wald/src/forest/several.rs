//! What forests of several targets cannot be grown with.

use crate::data::Dataset;
use crate::error::Error;
use crate::forest::config::ForestConfig;
use crate::forest::ways::{ClassWeight, Impurity, Splitting};
use crate::message;
use crate::message::Setting;
use crate::setting;

impl ForestConfig {
    /// Refuses settings that trees of several targets do not have.
    pub(super) fn check_several(&self, data: &Dataset) -> Result<(), Error> {
        let Some(outputs) = data.target().outputs() else { return Ok(()) };
        let n_targets = outputs.n_targets();
        let refuse = |setting: Setting, why: &str| {
            Err(Error::bad_setting(
                setting,
                message!(
                    setting.name(),
                    format!(
                        " does not go with several targets, of which there are {n_targets}: {why}"
                    )
                ),
                message!("leave out ", setting, ", or predict one target"),
            ))
        };
        let goes_two_ways = match self.splitting {
            Splitting::Best | Splitting::RandomThreshold => true,
            Splitting::Multiway | Splitting::Conditional => false,
        };
        if !goes_two_ways {
            return refuse(setting::SPLITTING, "their nodes have the best or a random threshold");
        }
        if self.impurity.is_some_and(|impurity| impurity != Impurity::Variance) {
            return refuse(setting::IMPURITY, "splits reduce the mean of their variances");
        }
        if self.max_bins.is_some() {
            return refuse(setting::MAX_BINS, "every value is on its own");
        }
        if self.class_weight != ClassWeight::Equal {
            return refuse(setting::CLASS_WEIGHT, "a row has one weight, but a class of each");
        }
        if self.stratify {
            return refuse(setting::STRATIFY, "a row has a class of each");
        }
        match self.monotonic.iter().next() {
            Some((_, trend)) => {
                refuse(trend.setting(), "their predictions have no common direction")
            }
            None => Ok(()),
        }
    }
}
