//! How much exact work may cost.

use wald::Error;
use wald::{message, setting};

/// How much exact work may cost by estimate; more is refused before it begins.
///
/// Exact importances of p variables take 2^p sets. For n points and variables of c categories, a
/// table over all sets has at most the product of 1 + c cells (3^p for binary variables), and at
/// most n 2^p; the importances themselves add p 2^p terms. Trees that take the best of K variables
/// read all points for every set, and local importances p terms per point and set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Of all threads together; they are estimated for a common processor.
    pub seconds: f64,
    /// Of memory.
    pub bytes: f64,
}

impl Default for Limits {
    /// A minute, and 8 GiB.
    fn default() -> Self {
        Self { seconds: 60.0, bytes: 8.0 * 1024.0 * 1024.0 * 1024.0 }
    }
}

/// An error where the points of a population, each with so many numbers, take too much memory.
pub(crate) fn check_states(n_points: usize, stride: usize) -> Result<(), Error> {
    let bytes = 8.0 * n_points as f64 * stride as f64;
    if bytes <= Limits::default().bytes {
        return Ok(());
    }
    Err(Error::too_large(
        format!(
            "{n_points} combinations of categories with {stride} classes each take about {} of \
             memory",
            memory(bytes)
        ),
        message!(
            "merge classes or categories, or take the target as a number",
            setting::IMPURITY.word("variance").hint()
        ),
    ))
}

/// Bytes in words.
pub(crate) fn memory(bytes: f64) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB"];
    let power = (bytes.max(1.0).log10() / 3.0).floor().min(4.0);
    let number = bytes / 1000_f64.powf(power);
    if number >= 1000.0 {
        return "more than 1000 TB".to_owned();
    }
    let decimals = usize::from(number < 9.95 && power > 0.0);
    format!("{number:.decimals$} {}", units[power as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_with_too_many_classes_are_refused() {
        assert_eq!(check_states(1_000_000, 1000), Ok(()));
        let refusal = check_states(1_000_000, 2000);
        assert!(matches!(refusal, Err(Error::TooLarge { what, .. }) if what.contains("16 GB")));
    }

    #[test]
    fn amounts_are_short() {
        let words = ["0 bytes", "8.6 GB", "12 MB", "more than 1000 TB"];
        assert_eq!([0.0, Limits::default().bytes, 1.2e7, 1e99].map(memory), words);
    }
}
