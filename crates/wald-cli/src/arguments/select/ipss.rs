//! How the stability of selections is judged.

use clap::Args;
use wald::selection::{Ipss, IpssConfig, Power};
use wald::{ForestConfig, Measure};

use crate::arguments::known::by_id;
use crate::arguments::values;
use crate::failure::Failure;

/// The rate of false discoveries unless a target is given.
const USUAL_RATE: f64 = 0.1;

/// The word for all variables.
const ALL: &str = "all";

/// How the stability of selections is judged.
#[derive(Debug, Args)]
#[command(next_help_heading = "Integrated path stability selection")]
pub(crate) struct IpssArguments {
    /// Select variables whose q-value is at most this rate of false discoveries [default: 0.1]
    #[arg(long, value_name = "RATE", value_parser = values::number)]
    #[arg(conflicts_with = "target_fp")]
    target_fdr: Option<f64>,
    /// Select variables whose efp score is at most this expected number of false positives
    #[arg(long, value_name = "N", value_parser = values::number)]
    target_fp: Option<f64>,
    /// How often the rows are halved at random [default: 50]
    #[arg(long, value_name = "N", value_parser = values::whole)]
    pairs: Option<usize>,
    /// Power m of the transformation of stability paths, 2 or 3 [default: 3]
    #[arg(long, value_name = "M", value_parser = by_id(Power::ALL, Power::id))]
    power: Option<Power>,
    /// Trees of a forest on half of the rows [default: a tenth of the trees, at least 50]
    #[arg(long, value_name = "N", value_parser = values::whole)]
    subsample_trees: Option<usize>,
    /// Variables of every half of the rows of which a forest is grown, those that depend most on the
    /// target there, or all [default: 200]
    #[arg(long, value_name = "N|all", value_parser = preselected)]
    preselect: Option<Preselect>,
}

/// How many variables of every half are kept.
#[derive(Debug, Clone, Copy)]
enum Preselect {
    All,
    Most(usize),
}

fn preselected(text: &str) -> Result<Preselect, values::BadValue> {
    if text == ALL { Ok(Preselect::All) } else { values::whole_or(text, ALL).map(Preselect::Most) }
}

/// Which variables are selected.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    /// At a rate of false discoveries.
    Rate(f64),
    /// At an expected number of false positives.
    Number(f64),
}

impl Target {
    /// The places of the variables selected.
    pub(crate) fn selected(self, found: &Ipss) -> Vec<usize> {
        match self {
            Self::Rate(rate) => found.at_rate(rate),
            Self::Number(number) => found.at_number(number),
        }
    }
}

impl IpssArguments {
    /// An option that was given.
    pub(super) fn given(&self) -> Option<&'static str> {
        let Self { target_fdr, target_fp, pairs, power, subsample_trees, preselect } = self;
        let all = [
            (target_fdr.is_some(), "--target-fdr"),
            (target_fp.is_some(), "--target-fp"),
            (pairs.is_some(), "--pairs"),
            (power.is_some(), "--power"),
            (subsample_trees.is_some(), "--subsample-trees"),
            (preselect.is_some(), "--preselect"),
        ];
        all.into_iter().find_map(|(is_given, option)| is_given.then_some(option))
    }

    pub(super) fn config(
        &self,
        forest: ForestConfig,
        measure: Measure,
    ) -> Result<(IpssConfig, Target), Failure> {
        let usual = IpssConfig::new(forest)?;
        let config = IpssConfig {
            measure,
            pairs: self.pairs.unwrap_or(usual.pairs),
            power: self.power.unwrap_or(usual.power),
            subsample_trees: self.subsample_trees,
            preselect: match self.preselect {
                None => usual.preselect,
                Some(Preselect::All) => None,
                Some(Preselect::Most(most)) => Some(most),
            },
            ..usual
        };
        config.validate()?;
        let target = match self.target_fp {
            Some(number) => Target::Number(number),
            None => Target::Rate(self.target_fdr.unwrap_or(USUAL_RATE)),
        };
        match target {
            Target::Rate(rate) if !(rate > 0.0 && rate < 1.0) => Err(Failure::usage(
                format!("`--target-fdr` is {rate}"),
                "give a number above 0 and below 1, such as 0.1",
            )),
            Target::Number(number) if !(number > 0.0 && number.is_finite()) => Err(Failure::usage(
                format!("`--target-fp` is {number}"),
                "give a number above 0, such as 1",
            )),
            target => Ok((config, target)),
        }
    }
}
