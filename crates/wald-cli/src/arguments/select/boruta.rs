//! How variables are confirmed and rejected.

use clap::Args;
use wald::ForestConfig;
use wald::Measure;
use wald::selection::{BorutaConfig, Correction};

use crate::arguments::known::by_id;
use crate::arguments::values;
use crate::failure::Failure;

/// How variables are confirmed and rejected.
#[derive(Debug, Args)]
#[command(next_help_heading = "Boruta")]
pub(crate) struct BorutaArguments {
    /// Level of the tests that confirm and reject [default: 0.01, or 0.05 with two-step]
    #[arg(long, value_name = "P", value_parser = values::number)]
    level: Option<f64>,
    /// Correction for the number of tests: bonferroni (as R's Boruta), two-step
    /// (Benjamini-Hochberg over variables, Bonferroni over runs, as Python's) or none
    /// [default: bonferroni]
    #[arg(long, value_name = "HOW", value_parser = by_id(Correction::ALL, Correction::id))]
    multiple_testing: Option<Correction>,
    /// Percentile of the shadows' importances that a hit exceeds; 100 is the best shadow
    /// [default: 100]
    #[arg(long, value_name = "P", value_parser = values::number)]
    percentile: Option<f64>,
    /// Number of forests at most [default: 100]
    #[arg(long, value_name = "N", value_parser = values::whole)]
    max_runs: Option<usize>,
    /// Decide on tentative variables by the medians of their importances and of the best shadows
    #[arg(long)]
    rough_fix: bool,
}

impl BorutaArguments {
    /// An option that was given.
    pub(super) fn given(&self) -> Option<&'static str> {
        let Self { level, multiple_testing, percentile, max_runs, rough_fix } = self;
        let all = [
            (level.is_some(), "--level"),
            (multiple_testing.is_some(), "--multiple-testing"),
            (percentile.is_some(), "--percentile"),
            (max_runs.is_some(), "--max-runs"),
            (*rough_fix, "--rough-fix"),
        ];
        all.into_iter().find_map(|(is_given, option)| is_given.then_some(option))
    }

    pub(super) fn config(
        &self,
        forest: ForestConfig,
        measure: Measure,
    ) -> Result<BorutaConfig, Failure> {
        let usual = BorutaConfig::new(forest)?;
        let correction = self.multiple_testing.unwrap_or(usual.correction);
        let config = BorutaConfig {
            measure,
            level: self.level.unwrap_or(correction.usual_level()),
            correction,
            percentile: self.percentile.unwrap_or(usual.percentile),
            max_runs: self.max_runs.unwrap_or(usual.max_runs),
            rough_fix: self.rough_fix,
            ..usual
        };
        config.validate()?;
        Ok(config)
    }
}
