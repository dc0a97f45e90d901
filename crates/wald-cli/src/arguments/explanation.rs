//! What is explained of single rows, and how.

use std::path::PathBuf;

use clap::Args;
use wald::explain::GridSize;
use wald::measure::Loss;
use wald::{ExplanationId, ExplanationSettings};

use super::values;
use crate::failure::Failure;

/// Options of local measures.
#[derive(Debug, Args)]
#[command(next_help_heading = "Measure")]
pub(crate) struct ExplanationArguments {
    #[arg(long, short, value_name = "ID", required = true, help = measure_help())]
    #[arg(value_parser = values::explanation)]
    pub(crate) measure: ExplanationId,
    /// Explain the rows of this table instead of the training rows; only measures of losses need the
    /// target in it
    #[arg(long, value_name = "DATA")]
    pub(crate) rows: Option<PathBuf>,
    /// Loss of a prediction, for measures of losses: squared, absolute (of a number) or log (of
    /// classes) [default: squared]
    #[arg(long, value_name = "LOSS", value_parser = values::loss)]
    loss: Option<Loss>,
    /// Variables to explain, separated by commas [default: all]
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    variables: Vec<String>,
    /// Values of a numeric variable at which curves are evaluated: at most G of the training data
    /// (distinct values or quantiles), or exact (one between all neighbouring thresholds of the
    /// forest, which gives the complete curves) [default: 100]
    #[arg(long, value_name = "G|exact", value_parser = values::grid)]
    #[arg(allow_negative_numbers = true)]
    grid: Option<GridSize>,
    /// Explain every training row by the trees that did not see it
    #[arg(long, conflicts_with = "rows")]
    out_of_bag: bool,
    /// Background table over which unknown variables are averaged; it needs no target [default:
    /// some of the training rows]
    #[arg(long, value_name = "DATA", conflicts_with = "background_rows")]
    pub(crate) background: Option<PathBuf>,
    /// Number of training rows drawn as background rows [default: 100]
    #[arg(long, value_name = "N", value_parser = values::whole, allow_negative_numbers = true)]
    background_rows: Option<usize>,
    /// Explain this forest instead of growing one: wald model file or wald-forest JSON
    #[arg(long, value_name = "FOREST", conflicts_with = "GrowingArguments")]
    pub(crate) forest: Option<PathBuf>,
}

impl ExplanationArguments {
    /// The settings, checked as far as that can be done without the data.
    pub(crate) fn settings(&self, seed: u64) -> Result<ExplanationSettings, Failure> {
        let info = self.measure.info();
        if self.grid.is_some() && !info.has_grid {
            return Err(Failure::usage(
                format!("`{}` has no curves, so a grid does not apply", info.id),
                "leave out `--grid`",
            ));
        }
        if self.loss.is_some() && !self.measures_losses() {
            return Err(Failure::usage(
                format!("`{}` measures predictions, not losses", info.id),
                "leave out `--loss`, or use `tree_shap_loss`",
            ));
        }
        let asks_for_background = self.background.is_some() || self.background_rows.is_some();
        if asks_for_background && !info.has_background {
            return Err(Failure::usage(
                format!("`{}` averages over no background rows", info.id),
                "leave out `--background` and `--background-rows`, or use another measure such as \
                 `tree_shap_interventional`",
            ));
        }
        let settings = ExplanationSettings {
            variables: self.variables.clone(),
            grid: self.grid.unwrap_or(GridSize::AtMost(100)),
            out_of_bag: self.out_of_bag,
            impurity: None,
            // Read when the columns of the training data are known.
            background: None,
            background_rows: self.background_rows,
            loss: self.loss,
            seed,
        };
        settings.validate()?;
        Ok(settings)
    }

    /// Whether the measure measures losses, so that rows need their target.
    pub(crate) fn measures_losses(&self) -> bool {
        let info = self.measure.info();
        !info.regression_losses.is_empty() || !info.classification_losses.is_empty()
    }

    /// Refuses pictures of what is not one value per variable, before any work.
    pub(crate) fn check_picture(&self) -> Result<(), Failure> {
        let info = self.measure.info();
        if info.has_grid || self.measure == ExplanationId::TreeShapInteractions {
            let what = format!("`{}` does not have one value per variable to draw", info.id);
            return Err(Failure::usage(what, "leave out `--svg`, or use tree_shap or saabas"));
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
