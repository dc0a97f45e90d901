//! What users set.

use wald::inference::Confidence;
use wald::{Error, ForestConfig, message, setting};
use wald_gp::{FitSettings, Kernel};

/// How importances of few runs are found.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The family of correlations of the process.
    pub kernel: Kernel,
    /// Starts of the search for lengths and noise.
    pub n_starts: usize,
    /// Rows of the sample; of rows that are given, at most so many.
    pub n_rows: usize,
    /// Functions drawn from the process, for its error.
    pub n_draws: usize,
    /// The forests; half of the variables compete for a split of the sample's forest unless `mtry` is set.
    pub forest: ForestConfig,
    /// The probability of intervals.
    pub confidence: Confidence,
}

/// Numbers of rows that make a sample.
pub(crate) const LEAST_ROWS: usize = 100;
const MOST_ROWS: usize = 1_000_000;

impl Default for Settings {
    fn default() -> Self {
        Self {
            kernel: Kernel::default(),
            n_starts: FitSettings::default().n_starts,
            n_rows: 10_000,
            n_draws: 20,
            forest: ForestConfig { n_trees: 300, ..ForestConfig::default() },
            confidence: Confidence::default(),
        }
    }
}

impl Settings {
    /// Checks ranges.
    ///
    /// # Errors
    /// [`Error::Setting`] for a value outside its range.
    pub fn validate(&self) -> Result<(), Error> {
        if !(LEAST_ROWS..=MOST_ROWS).contains(&self.n_rows) {
            return Err(Error::bad_setting(
                setting::ROWS,
                message!("a sample of ", self.n_rows, " rows was requested", setting::ROWS.hint()),
                format!("give a number between {LEAST_ROWS} and {MOST_ROWS}"),
            ));
        }
        if !(2..=1000).contains(&self.n_draws) {
            return Err(Error::bad_setting(
                setting::DRAWS,
                message!(
                    self.n_draws,
                    " functions of the process were requested",
                    setting::DRAWS.hint()
                ),
                "give a number between 2 and 1000",
            ));
        }
        if !(1..=100).contains(&self.n_starts) {
            return Err(Error::bad_setting(
                setting::STARTS,
                message!(self.n_starts, " starts were requested", setting::STARTS.hint()),
                "give a number between 1 and 100",
            ));
        }
        Ok(())
    }
}
