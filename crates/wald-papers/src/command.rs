//! The command line: its commands, and what each runs.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::arguments::{
    CoverageArguments, EliminationArguments, ExactArguments, FigureArguments, ForestArguments,
    GridArguments, LiTable1Arguments, LimitsArguments, ManyTreesArguments, StudyArguments,
    Table5Arguments, TheoremArguments, TwoStepArguments, TwoStepFigureArguments,
};
use crate::benard::figures::{FIGURE_3, FIGURE_4};
use crate::benard::table_5::Table5;
use crate::benard::theorems::TheoremStudy;
use crate::exhibit::Exhibit;
use crate::failure::Failure;
use crate::li::figures::{FIGURE_1, FIGURE_2, FIGURE_3 as LI_FIGURE_3};
use crate::li::table_1::Table1;
use crate::picture::PictureArguments;
use crate::{advice, benard, inference, li, louppe, masking, sutera};

/// The tables and figures of the papers that wald follows, one command each
///
/// Every command prints published values beside wald's, with standard errors and verdicts.
#[derive(Debug, Parser)]
#[command(name = "wald-papers", version, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Print JSON instead of tables
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// What each package computes, as settings of wald
    #[command(name = "benard-table-1")]
    BenardTable1(StudyArguments),
    /// Limits and estimates of all measures in example 1
    #[command(name = "benard-table-3")]
    BenardTable3(StudyArguments),
    /// Standard deviations of the estimates of Table 3
    #[command(name = "benard-table-4")]
    BenardTable4(StudyArguments),
    /// The largest importances among 200 variables in example 2
    #[command(name = "benard-table-5")]
    BenardTable5(Table5Arguments),
    /// Variable selection on Ozone and Breast Cancer
    #[command(name = "benard-figure-3")]
    BenardFigure3(EliminationArguments),
    /// Variable selection on Galaxy and Prostate
    #[command(name = "benard-figure-4")]
    BenardFigure4(EliminationArguments),
    /// The claims about Prostate, and an additive model beside the forest
    #[command(name = "benard-prostate")]
    BenardProstate(EliminationArguments),
    /// The limits of section 2.5 in closed form, checked by simulation
    #[command(name = "benard-limits")]
    BenardLimits(LimitsArguments),
    /// The Sobol-MDA of irrelevant variables
    #[command(name = "benard-noise")]
    BenardNoise(StudyArguments),
    /// Theorems 1 and 2: convergence of the measures with the number of rows
    #[command(name = "benard-theorems")]
    BenardTheorems(TheoremArguments),
    /// Few runs of smooth functions: a forest, and a Gaussian process before it
    #[command(name = "benard-two-step")]
    BenardTwoStep(TwoStepFigureArguments),
    /// How often the intervals of estimates in two steps contain the truth
    #[command(name = "benard-two-step-coverage")]
    BenardTwoStepCoverage(TwoStepArguments),
    /// The error of the second step alone, against the settings of its forest
    #[command(name = "benard-two-step-forests")]
    BenardTwoStepForests(TwoStepArguments),
    /// How well measures separate relevant variables from others
    #[command(name = "li-table-1")]
    LiTable1(LiTable1Arguments),
    /// MDI against the smallest leaf
    #[command(name = "li-figure-1")]
    LiFigure1(FigureArguments),
    /// MDI against the depth of trees
    #[command(name = "li-figure-2")]
    LiFigure2(FigureArguments),
    /// MDI-oob against the smallest leaf
    #[command(name = "li-figure-3")]
    LiFigure3(FigureArguments),
    /// Theorem 1: MDI without relevant variables, against the smallest leaf
    #[command(name = "li-theorem-1")]
    LiTheorem1(FigureArguments),
    /// Honest trees: MDI of rows that a tree was not grown on
    #[command(name = "li-honest")]
    LiHonest(StudyArguments),
    /// Shapley values in the place of f in MDI-oob, as the discussion suggests
    #[command(name = "li-shapley")]
    LiShapley(StudyArguments),
    /// Importances of the segments of a display, for every K
    #[command(name = "louppe-table-2")]
    LouppeTable2(ManyTreesArguments),
    /// The same by degree of interaction
    #[command(name = "louppe-figure-2")]
    LouppeFigure2(ExactArguments),
    /// Section 5.3: a noisy copy of a variable is masked
    #[command(name = "louppe-noisy-copy")]
    LouppeNoisyCopy(ManyTreesArguments),
    /// Bias and spread of importances against the numbers of rows and trees
    #[command(name = "louppe-finite-samples")]
    LouppeFiniteSamples(FigureArguments),
    /// Global importances of the led problem against K
    #[command(name = "sutera-figure-1")]
    SuteraFigure1(ForestArguments),
    /// Correlation between the local scores of two measures against K
    #[command(name = "sutera-figure-2")]
    SuteraFigure2(ForestArguments),
    /// Local scores as coloured segments and pixels
    #[command(name = "sutera-figure-3")]
    SuteraFigure3(ForestArguments),
    /// Global Shapley values of predictions, and SAGE of two losses, beside MDI against K
    #[command(name = "sutera-appendix-d")]
    SuteraAppendixD(ForestArguments),
    /// How often intervals contain what they are meant to contain
    #[command(name = "coverage")]
    Coverage(CoverageArguments),
    /// Level and power of p-values
    #[command(name = "p-values")]
    PValues(StudyArguments),
    /// Which measures have a symmetric distribution around zero for irrelevant variables
    #[command(name = "null-importances")]
    NullImportances(StudyArguments),
    /// Whether reported Monte-Carlo errors are the spread over seeds
    #[command(name = "monte-carlo-errors")]
    MonteCarloErrors(StudyArguments),
    /// The last four at once: intervals, p-values and error bars
    #[command(name = "uncertainty")]
    Uncertainty(StudyArguments),
    /// Total Sobol indices against mtry, where the truth is known
    #[command(name = "masking-and-sobol")]
    MaskingAndSobol(GridArguments),
    /// Total Sobol indices against the smallest node that is divided
    #[command(name = "node-size")]
    NodeSize(GridArguments),
    /// How often the advice is that of Table 2 where the truth is known
    #[command(name = "advice")]
    Advice(StudyArguments),
}

/// Reads the command line; an exit code after help, version or a refusal was printed.
pub(crate) fn parse() -> Result<Arguments, ExitCode> {
    Arguments::try_parse().map_err(|error| {
        // A reader that closed the pipe has seen enough.
        let _ = error.print();
        if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS }
    })
}

impl Command {
    /// Computes what the command shows.
    pub(crate) fn run(&self) -> Result<Exhibit, Failure> {
        match self {
            Self::BenardTable1(arguments) => benard::table_1::run(&arguments.study(1, 500, 100)?),
            Self::BenardTable3(arguments) => benard::table_3::run(&arguments.study(40, 3000, 300)?),
            Self::BenardTable4(arguments) => benard::table_4::run(&arguments.study(40, 3000, 300)?),
            Self::BenardTable5(arguments) => {
                let study = arguments.study.study(40, 1000, 300)?;
                benard::table_5::run(&Table5 { study, mtry: arguments.mtry })
            }
            Self::BenardFigure3(arguments) => benard::figures::run(&FIGURE_3, &arguments.study()?),
            Self::BenardFigure4(arguments) => benard::figures::run(&FIGURE_4, &arguments.study()?),
            Self::BenardProstate(arguments) => benard::prostate::run(&arguments.study()?),
            Self::BenardLimits(arguments) => benard::limits_check::run(&arguments.study()?),
            Self::BenardNoise(arguments) => benard::noise::run(&arguments.study(40, 500, 300)?),
            Self::BenardTheorems(arguments) => {
                let study = arguments.study.study(10, 250, 300)?;
                benard::theorems::run(&TheoremStudy { study, n_sizes: arguments.sizes.min(10) })
            }
            Self::BenardTwoStep(arguments) => benard::two_step::run(&arguments.two_step.study(10)?),
            Self::BenardTwoStepForests(arguments) => {
                benard::two_step::forests::run(&arguments.study(10)?)
            }
            Self::BenardTwoStepCoverage(arguments) => {
                benard::two_step::coverage::run(&arguments.study(50)?)
            }
            Self::LiTable1(arguments) => {
                let study = arguments.study.study(40, 1000, 100)?;
                let chip = arguments.data.as_deref().map(|folder| (folder, arguments.study.rows));
                li::table_1::run(&Table1 { study, chip })
            }
            Self::LiFigure1(arguments) => {
                li::figures::run(FIGURE_1, &arguments.study.study(40, 200, 300)?)
            }
            Self::LiFigure2(arguments) => {
                li::figures::run(FIGURE_2, &arguments.study.study(40, 200, 300)?)
            }
            Self::LiFigure3(arguments) => {
                li::figures::run(LI_FIGURE_3, &arguments.study.study(40, 200, 300)?)
            }
            Self::LiTheorem1(arguments) => {
                li::theorem_1::run(&arguments.study.study(40, 1000, 100)?)
            }
            Self::LiHonest(arguments) => li::honest::run(&arguments.study(40, 1000, 100)?),
            Self::LiShapley(arguments) => li::shapley::run(&arguments.study(40, 1000, 100)?),
            Self::LouppeTable2(arguments) => louppe::table_2::run(&arguments.forests()?),
            Self::LouppeFigure2(arguments) => louppe::figure_2::run(arguments.threads()?),
            Self::LouppeNoisyCopy(arguments) => louppe::noisy_copy::run(&arguments.forests()?),
            Self::LouppeFiniteSamples(arguments) => {
                louppe::finite_samples::run(&arguments.study.study(200, 25, 1000)?)
            }
            Self::SuteraFigure1(arguments) => sutera::figure_1(&arguments.forests()?),
            Self::SuteraFigure2(arguments) => sutera::figure_2(&arguments.forests()?),
            Self::SuteraFigure3(arguments) => sutera::figure_3(&arguments.forests()?),
            Self::SuteraAppendixD(arguments) => sutera::appendix_d(&arguments.forests()?),
            Self::Coverage(arguments) => {
                let study = arguments.study.study(200, 300, 200)?;
                match arguments.families.as_slice() {
                    [] => inference::coverage::run(&study),
                    families => inference::coverage::by_family::run(&study, families),
                }
            }
            Self::PValues(arguments) => inference::levels::run(&arguments.study(200, 100, 50)?),
            Self::NullImportances(arguments) => {
                inference::symmetry::run(&arguments.study(60, 100, 100)?)
            }
            Self::MonteCarloErrors(arguments) => {
                inference::honesty::run(&arguments.study(100, 100, 50)?)
            }
            Self::Uncertainty(arguments) => inference::uncertainty(&arguments.study(200, 100, 50)?),
            Self::MaskingAndSobol(arguments) => masking::sobol::run(&arguments.grid(true)?),
            Self::NodeSize(arguments) => masking::node_size::run(&arguments.grid(false)?),
            Self::Advice(arguments) => advice::table_2::run(&arguments.study(10, 2000, 300)?),
        }
    }

    /// Where a picture goes, for commands that draw one.
    pub(crate) fn picture(&self) -> Option<&PictureArguments> {
        match self {
            Self::BenardTheorems(arguments) => Some(&arguments.picture),
            Self::BenardTwoStep(arguments) => Some(&arguments.picture),
            Self::LiFigure1(arguments)
            | Self::LiFigure2(arguments)
            | Self::LiFigure3(arguments)
            | Self::LiTheorem1(arguments)
            | Self::LouppeFiniteSamples(arguments) => Some(&arguments.picture),
            Self::LouppeFigure2(arguments) => Some(&arguments.picture),
            Self::SuteraFigure1(arguments)
            | Self::SuteraFigure2(arguments)
            | Self::SuteraFigure3(arguments)
            | Self::SuteraAppendixD(arguments) => Some(&arguments.picture),
            Self::BenardFigure3(arguments)
            | Self::BenardFigure4(arguments)
            | Self::BenardProstate(arguments) => Some(&arguments.picture),
            Self::MaskingAndSobol(arguments) | Self::NodeSize(arguments) => {
                Some(&arguments.picture)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_declarations_agree_with_each_other() {
        Arguments::command().debug_assert();
    }
}
