//! What the designs of normal inputs share.

use crate::error::Error;

/// The standard deviation of the noise that is this share of the target's variance.
pub(super) fn noise_deviation(signal_variance: f64, noise_share: f64) -> f64 {
    (signal_variance * noise_share / (1.0 - noise_share)).sqrt()
}

pub(super) fn check_noise_share(share: f64) -> Result<(), Error> {
    if (0.0..1.0).contains(&share) {
        return Ok(());
    }
    Err(Error::bad_setting(
        None,
        format!("the noise's share of the target's variance is {share}"),
        "give a share of at least 0 and below 1",
    ))
}

pub(super) fn check_correlation(correlation: f64) -> Result<(), Error> {
    if (-1.0..=1.0).contains(&correlation) {
        return Ok(());
    }
    Err(Error::bad_setting(
        None,
        format!("a correlation is {correlation}"),
        "give correlations between -1 and 1",
    ))
}
