//! How a forest is grown.

use clap::Args;
use wald::ForestConfig;
use wald::forest::{ForestOption, Splitting};
use wald::options::Options;

use super::options::{Offered, OptionArguments};
use crate::failure::Failure;

/// Options of a forest; those left out follow `ForestConfig`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Forest")]
#[group(args = ForestOption::offered().map(Options::id))]
pub(crate) struct GrowingArguments {
    #[command(flatten)]
    options: OptionArguments<ForestOption>,
}

impl Offered for ForestOption {
    const ELSEWHERE: &'static [Self] = &[Self::Seed];

    fn offered() -> impl Iterator<Item = Self> {
        // What decides together stands together.
        let place = |option: &Self| match option {
            Self::ConstantDraws => Self::Mtry as usize,
            Self::MinCriterion | Self::PValues => Self::SplitPure as usize,
            other => *other as usize,
        };
        let mut options: Vec<Self> = Self::ALL.to_vec();
        options.retain(|option| !Self::ELSEWHERE.contains(option));
        options.sort_by_key(place);
        options.into_iter()
    }
}

impl GrowingArguments {
    /// The settings, checked as far as that can be done without the data.
    pub(crate) fn config(&self, seed: u64) -> Result<ForestConfig, Failure> {
        let splitting = self.options.settings()?.splitting;
        let usual = ForestConfig { seed, ..ForestConfig::for_splitting(splitting) };
        let config = self.options.changed(usual)?;
        config.validate()?;
        let draws_constants = |option| option == ForestOption::ConstantDraws;
        if splitting != Splitting::Best && self.options.given().any(draws_constants) {
            return Err(Failure::usage(
                "`--constant-draws` was given, but only best splitting draws constant variables in vain",
                "leave it out, or leave out `--splitting`",
            ));
        }
        Ok(config)
    }
}
