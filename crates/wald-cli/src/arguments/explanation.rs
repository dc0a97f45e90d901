//! What is explained of single rows, and how.

use std::path::{Path, PathBuf};

use clap::Args;
use wald::explain::{ExplanationOption, GridSize};
use wald::options::Options;
use wald::{ExplanationId, ExplanationSettings};

use super::options::OptionArguments;
use super::values;
use crate::failure::Failure;
use crate::wording::long;

/// Options of local measures.
#[derive(Debug, Args)]
#[command(next_help_heading = "Measure")]
pub(crate) struct ExplanationArguments {
    #[arg(long, short, value_name = "ID", required = true, help = measure_help())]
    #[arg(value_parser = values::explanations())]
    pub(crate) measure: ExplanationId,
    /// Explain the rows of this table instead of the training rows; only measures of losses need the
    /// target in it
    #[arg(long, value_name = "DATA", conflicts_with = "out_of_bag")]
    pub(crate) rows: Option<PathBuf>,
    #[command(flatten)]
    options: OptionArguments<ExplanationOption>,
    /// Explain this forest instead of growing one: wald model file or wald-forest JSON
    #[arg(long, value_name = "FOREST", conflicts_with = "GrowingArguments")]
    pub(crate) forest: Option<PathBuf>,
}

impl ExplanationArguments {
    /// The settings, checked as far as that can be done without the data.
    pub(crate) fn settings(&self, seed: u64) -> Result<ExplanationSettings, Failure> {
        let info = self.measure.info();
        if let Some(option) = self.options.given().find(|option| !info.takes(*option)) {
            let mut others = ExplanationId::ALL.iter().map(|id| id.info());
            let other = others.find(|other| other.takes(option)).map_or("another", |info| info.id);
            let long = long(option.id());
            return Err(Failure::usage(
                format!("measure `{}` does not offer `--{long}`", info.id),
                format!("leave out `--{long}`, or use a measure that offers it, such as `{other}`"),
            ));
        }
        let mut settings =
            ExplanationSettings { seed, ..self.options.settings()? }.offered_by(info);
        if self.measure == ExplanationId::Ale {
            match self.options.value(ExplanationOption::Grid) {
                // Its own number of quantiles is enough for it.
                None => settings.grid = GridSize::default(),
                Some(_) if settings.grid == GridSize::Exact => {
                    return Err(Failure::usage(
                        "measure `ale` has a grid of quantiles, not an exact one, whose intervals \
                         have no rows",
                        "give a number, such as `--grid 41`, or leave out `--grid`",
                    ));
                }
                Some(_) => {}
            }
        }
        settings.validate()?;
        Ok(settings)
    }

    /// The background table, which is read when the columns of the training data are known.
    pub(crate) fn background(&self) -> Option<&Path> {
        self.options.table(ExplanationOption::Background)
    }

    /// Whether the measure measures losses, so that rows need their target.
    pub(crate) fn measures_losses(&self) -> bool {
        self.measure.info().takes(ExplanationOption::Loss)
    }

    /// Refuses pictures of pairs of variables, before any work.
    pub(crate) fn check_picture(&self, option: &str) -> Result<(), Failure> {
        let info = self.measure.info();
        if matches!(self.measure, ExplanationId::FriedmanH | ExplanationId::TreeShapInteractions) {
            let what = format!("there is no picture of `{}`, which measures pairs", info.id);
            let help = format!("leave out `{option}`, or use tree_shap, saabas, pdp or ice");
            return Err(Failure::usage(what, help));
        }
        Ok(())
    }
}

/// The measures by name, from their own declarations.
fn measure_help() -> String {
    let line = |id: &ExplanationId| format!("  {}: {}", id.info().id, id.info().name);
    let list: Vec<String> = ExplanationId::ALL.iter().map(line).collect();
    format!("Measure of the rows\n{}", list.join("\n"))
}
