//! Arguments of `wald interactions`.

use std::path::PathBuf;

use clap::Args;
use wald::interactions::InteractionConfig;

use super::groups::{DataArguments, GroupingArguments, OutputArguments, RunArguments};
use super::growing::GrowingArguments;
use super::values;
use crate::failure::Failure;

/// Find sets of variables that a forest splits on together: random intersection trees
///
/// Paths to leaves of a class, drawn by the rows in the leaves, are intersected at random; what is left
/// is a set of variables that stand together on paths. Their effects may interact or add up: sets of
/// variables that each have an effect of their own come first. `x+` stands for values above the
/// threshold of the first split on x, `x-` for others. Of a numeric target, leaves are divided by whether
/// their mean is above a cut.
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  wald interactions trees.csv --target species
  wald interactions trees.csv --target height --cut 20 --min-prevalence 0.1
  wald interactions trees.csv --forest trees.forest --resamples 0 --format csv")]
pub(crate) struct InteractionsArguments {
    #[command(flatten)]
    pub(crate) data: DataArguments,
    /// Number of random intersection trees for each class
    #[arg(long, value_name = "M", default_value = "500", value_parser = values::whole)]
    #[arg(help_heading = "Interactions")]
    intersection_trees: usize,
    /// Number of paths that are intersected from the root to a leaf of these trees
    #[arg(long, value_name = "D", default_value = "5", value_parser = values::whole)]
    #[arg(help_heading = "Interactions")]
    depth: usize,
    /// Children of each of their nodes
    #[arg(long, value_name = "N", default_value = "2", value_parser = values::whole)]
    #[arg(help_heading = "Interactions")]
    children: usize,
    /// Fewest variables of a set
    #[arg(long, value_name = "N", default_value = "2", value_parser = values::whole)]
    #[arg(help_heading = "Interactions")]
    min_size: usize,
    /// Smallest share of the rows in leaves of the class, in leaves whose path contains the set
    #[arg(long, value_name = "P", default_value = "0", value_parser = values::number)]
    #[arg(help_heading = "Interactions")]
    min_prevalence: f64,
    /// Value of a numeric target that divides leaves and rows [default: the median]
    #[arg(long, value_name = "Y", value_parser = values::number, help_heading = "Interactions")]
    cut: Option<f64>,
    /// Bootstrap samples of the rows on which forests are grown and searched anew, for the stability
    /// of each set; 0 for none
    #[arg(long, value_name = "B", default_value = "30", value_parser = values::whole)]
    #[arg(help_heading = "Interactions")]
    resamples: usize,
    #[command(flatten, next_help_heading = "Interactions")]
    pub(crate) grouping: GroupingArguments,
    /// Search this forest instead of growing one: wald model file or wald-forest JSON
    #[arg(long, value_name = "FOREST", conflicts_with = "GrowingArguments")]
    #[arg(help_heading = "Interactions")]
    pub(crate) forest: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) growing: GrowingArguments,
    #[command(flatten)]
    pub(crate) run: RunArguments,
}

impl InteractionsArguments {
    /// The settings of the search, checked as far as that can be done without the data.
    pub(crate) fn config(&self) -> Result<InteractionConfig, Failure> {
        let config = InteractionConfig {
            trees: self.intersection_trees,
            depth: self.depth,
            children: self.children,
            min_size: self.min_size,
            min_prevalence: self.min_prevalence,
            cut: self.cut,
            resamples: self.resamples,
            seed: self.run.seed,
        };
        config.validate()?;
        Ok(config)
    }
}
