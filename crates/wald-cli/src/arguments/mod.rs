//! What users type: commands here, groups of options they share in `groups.rs`.

mod advise;
mod compare;
mod conditional;
mod explanation;
mod forests;
mod front;
mod groups;
mod growing;
mod interactions;
mod known;
mod masking;
mod measures;
mod names;
mod options;
mod parts;
mod picture;
mod population;
mod proximities;
mod quantiles;
mod refusal;
mod repeated;
mod select;
mod simulate;
mod surrogate;
mod uncertainty;
mod values;

pub(crate) use advise::AdviseArguments;
pub(crate) use compare::CompareArguments;
pub(crate) use conditional::ConditionalArguments;
pub(crate) use explanation::ExplanationArguments;
pub(crate) use forests::{ConvertArguments, FitArguments, PredictArguments};
pub(crate) use front::{CompletionsArguments, DemoArguments, ManArguments};
pub(crate) use groups::{DataArguments, OutputArguments, RunArguments};
pub(crate) use growing::GrowingArguments;
pub(crate) use interactions::InteractionsArguments;
pub(crate) use masking::MaskingArguments;
pub(crate) use measures::MeasureArguments;
pub(crate) use options::Offered;
pub(crate) use parts::{MergeArguments, PartArguments, Shared};
pub(crate) use picture::PictureArguments;
pub(crate) use population::PopulationArguments;
pub(crate) use proximities::{ProximitiesArguments, Shows};
pub(crate) use repeated::repeated;
pub(crate) use select::{Asked, SelectArguments, Target};
pub(crate) use simulate::SimulateArguments;
pub(crate) use surrogate::SurrogateArguments;
pub(crate) use uncertainty::UncertaintyArguments;
pub(crate) use values::{Format, Mtry};

use std::path::PathBuf;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use known::{by_id, words};
use values::FORMATS;
use wald::DecimalMark;

use crate::failure::Failure;
use crate::messages;

/// Variable importance of random forests
#[derive(Debug, Parser)]
#[command(name = "wald", version, disable_help_subcommand = true)]
#[command(args_conflicts_with_subcommands = true)]
#[command(before_help = "\
Examples:
  wald demo                                      an example: a table and its report
  wald report trees.csv --target height          ranking here, the full report in report.html
  wald importance trees.csv \"height ~ . - id\" --measure all --format json
  wald advise trees.csv --target height          which measure answers which question here
  wald masking trees.csv --target height         which variables are masked by others
  wald uncertainty trees.csv --target height     its uncertainty: intervals, ranks, p-values
  wald conditional trees.csv --target height     whether each variable adds to the others
  wald compare a.csv --second b.csv -t height    whether importances differ between two tables
  wald interactions trees.csv --target height    which variables trees split on together
  wald surrogate runs.csv --target stress        few runs of a smooth model: a process first
  wald select trees.csv --target height          which variables are enough to predict it
  wald explain trees.csv --target height --measure pdp --variables age,soil
  wald fit trees.csv --target height --output trees.forest
  wald predict trees.forest new.csv > heights.csv
  wald proximities trees.csv --target species    which rows are outliers, and prototypes of classes
  wald part 3/10 -o 3.part importance trees.csv --target height   on one of ten machines
  wald merge *.part                              what all of them found
  wald measures                                  what each measure estimates, and its caveats
  wald measures sobol_mda                        one of them, with its options
  wald population joint.csv --target y           exact importances of a known distribution
  wald simulate friedman_1 --rows 500            data of a paper's design, whose truth is known
  wald completions bash                          for the shell; `wald man FOLDER` for man")]
pub(crate) struct Cli {
    /// Describe these measures, with their options, as `wald measures` does
    #[arg(long, value_name = "MEASURE", value_parser = values::any_measures())]
    #[arg(hide_possible_values = true)]
    explain: Vec<&'static str>,
    #[command(subcommand)]
    command: Option<Command>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Demo(DemoArguments),
    Report(ReportArguments),
    Advise(AdviseArguments),
    Compare(CompareArguments),
    Conditional(ConditionalArguments),
    Importance(ImportanceArguments),
    Interactions(InteractionsArguments),
    Masking(MaskingArguments),
    Select(SelectArguments),
    Explain(ExplainArguments),
    Fit(FitArguments),
    Predict(PredictArguments),
    Convert(ConvertArguments),
    Measures(MeasuresArguments),
    Population(PopulationArguments),
    Proximities(ProximitiesArguments),
    Simulate(SimulateArguments),
    Surrogate(SurrogateArguments),
    Uncertainty(UncertaintyArguments),
    Part(PartArguments),
    Merge(MergeArguments),
    Completions(CompletionsArguments),
    Man(ManArguments),
}

/// Grow a forest, rank its variables, and write a report as one HTML page
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  wald report trees.csv --target height
  wald report trees.csv \"height ~ . - id\" --output height.html
  wald report trees.csv --target height --quick  grows one forest only
  wald report trees.parquet --target species --trees 2000 --weights area")]
pub(crate) struct ReportArguments {
    #[command(flatten)]
    pub(crate) data: DataArguments,
    #[command(flatten)]
    pub(crate) measures: MeasureArguments,
    /// Where the page is written; `-` is the standard output, instead of the ranking
    #[arg(long, short, value_name = "PATH", default_value = "report.html")]
    #[arg(help_heading = "Output")]
    pub(crate) output: PathBuf,
    /// Replace an existing output file
    #[arg(long, help_heading = "Output")]
    pub(crate) force: bool,
    /// Sign before decimals on the page and in the ranking: point or comma; JSON has points
    #[arg(long, value_name = "MARK", default_value = "point", help_heading = "Output")]
    #[arg(value_parser = by_id(&DecimalMark::ALL, DecimalMark::id))]
    pub(crate) decimal_mark: DecimalMark,
    /// Also write the content of the page to this file, as JSON
    #[arg(long, value_name = "PATH", help_heading = "Output")]
    pub(crate) json: Option<PathBuf>,
    /// Report on this forest only and grow no others: no advice, no intervals over samples of
    /// rows, no importances against mtry, no selection of variables
    #[arg(long, help_heading = "Output")]
    pub(crate) quick: bool,
    /// Leave out the explanations of single rows (Shapley values)
    #[arg(long, help_heading = "Output")]
    pub(crate) no_explanations: bool,
    #[command(flatten)]
    pub(crate) growing: GrowingArguments,
    #[command(flatten)]
    pub(crate) run: RunArguments,
}

/// Measure the importance of the variables of a forest
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  wald importance trees.csv --target height
  wald importance trees.csv \"height ~ age + soil\" --measure mda-breiman-cutler --format json
  wald importance trees.csv --target height --measure all --format csv --output ranking.csv
  wald importance trees.csv --target height --measure sobol_mda,sobol_first --pdf indices.pdf
  wald importance trees.csv --forest trees.forest")]
#[command(mut_arg("svg", |svg| svg.help("\
Write a picture of the rankings to this file, as SVG: importances with their intervals, a plot for each \
measure; first-order Sobol indices stand beside total ones")))]
pub(crate) struct ImportanceArguments {
    #[command(flatten)]
    pub(crate) data: DataArguments,
    #[command(flatten)]
    pub(crate) measures: MeasureArguments,
    /// Add the values of every tree to the JSON
    #[arg(long, help_heading = "Output")]
    pub(crate) per_tree: bool,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) picture: PictureArguments,
    #[command(flatten)]
    pub(crate) growing: GrowingArguments,
    #[command(flatten)]
    pub(crate) run: RunArguments,
}

/// Explain the predictions of single rows, or the mean prediction as a function of variables
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  wald explain trees.csv --target height --measure pdp
  wald explain trees.csv --target height --measure pdp --variables age --grid exact --format csv
  wald explain trees.csv --target height --measure ice --rows new.csv --format json
  wald explain trees.csv --target height --measure tree_shap --format parquet -o shap.parquet
  wald explain trees.csv --target height --measure tree_shap --svg swarm.svg
  wald explain trees.csv --target height --measure ice --pdf curves.pdf --picture-width two")]
#[command(mut_arg("svg", |svg| svg.help("\
Write a picture of the values to this file, as SVG: curves and their mean; a beeswarm of at most 2000 \
rows, or a single row as a sum (waterfall)")))]
#[command(mut_arg("picture_variables", |variables| variables.help("\
Variables in the picture at most, the most important ones; a beeswarm has at most 12, and a waterfall \
9 and the others [default: 40]")))]
pub(crate) struct ExplainArguments {
    #[command(flatten)]
    pub(crate) data: DataArguments,
    #[command(flatten)]
    pub(crate) explanation: ExplanationArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) picture: PictureArguments,
    #[command(flatten)]
    pub(crate) growing: GrowingArguments,
    #[command(flatten)]
    pub(crate) run: RunArguments,
}

/// List the measures: estimand, caveat, requirements, cost and source of each
///
/// Of measures that are named, the options are described, too.
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  wald measures
  wald measures sobol_mda
  wald measures --format json")]
pub(crate) struct MeasuresArguments {
    /// The measures; without any, all measures
    #[arg(value_name = "MEASURE", value_parser = values::any_measures())]
    pub(crate) measures: Vec<&'static str>,
    /// Output format: table, json, csv, parquet, md or latex
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = words(FORMATS))]
    pub(crate) format: Format,
}

/// The command line. Options take negative numbers, so that refusals state which are possible; the
/// texts of options list their words.
pub(crate) fn command() -> clap::Command {
    let adapted = |argument: clap::Arg| {
        if !argument.get_action().takes_values() {
            return argument;
        }
        let is_option = argument.get_long().is_some();
        let argument = argument.hide_possible_values(true);
        if is_option { argument.allow_negative_numbers(true) } else { argument }
    };
    Cli::command().mut_subcommands(|command| command.mut_args(adapted))
}

/// What the command line was.
#[derive(Debug)]
pub(crate) enum Parsed {
    Command(Box<Command>),
    /// Help or version, which were printed.
    Help,
    /// Nothing: where to begin was printed.
    Nothing,
}

/// Reads the command line.
pub(crate) fn parse() -> Result<Parsed, Failure> {
    let matches = command().try_get_matches();
    match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(Cli { command: Some(command), .. }) => Ok(Parsed::Command(Box::new(command))),
        Ok(Cli { explain: measures, .. }) if !measures.is_empty() => {
            let asked = MeasuresArguments { measures, format: values::TABLE.1 };
            Ok(Parsed::Command(Box::new(Command::Measures(asked))))
        }
        Ok(_) => {
            messages::first_steps();
            Ok(Parsed::Nothing)
        }
        Err(error) if error.use_stderr() => Err(refusal::failure(&error)),
        Err(help) => {
            // A reader that closed the pipe has seen enough help.
            let _ = help.print();
            Ok(Parsed::Help)
        }
    }
}

/// Reads words that stand in place of the command line, of a command whose work is shared.
pub(crate) fn parse_shared(words: &[String], shared: &Shared) -> Result<Command, Failure> {
    let all = std::iter::once("wald").chain(words.iter().map(String::as_str));
    let matches = command().try_get_matches_from(all);
    let cli = matches.and_then(|matches| Cli::from_arg_matches(&matches));
    let undivided = || {
        let what = format!("`wald {}` is not divided into parts", words[0]);
        let help = "divide `conditional`, `fit`, `importance`, `masking`, `report`, `select` or `uncertainty`";
        Failure::usage(what, help)
    };
    let cli = cli.map_err(|error| {
        if error.use_stderr() {
            return refusal::failure(&error);
        }
        let what = "the command that is divided has `--help` or `--version` among its words";
        Failure::usage(what, format!("see `wald {} --help`", words[0]))
    })?;
    let mut command = cli.command.ok_or_else(undivided)?;
    match &mut command {
        Command::Conditional(ConditionalArguments { run, .. })
        | Command::Fit(FitArguments { run, .. })
        | Command::Importance(ImportanceArguments { run, .. })
        | Command::Masking(MaskingArguments { run, .. })
        | Command::Report(ReportArguments { run, .. })
        | Command::Uncertainty(UncertaintyArguments { run, .. }) => run.shared = shared.clone(),
        Command::Select(select) => {
            select.refuse_undivided()?;
            select.run.shared = shared.clone();
        }
        _ => return Err(undivided()),
    }
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declarations_agree_with_each_other() {
        command().debug_assert();
    }
}
