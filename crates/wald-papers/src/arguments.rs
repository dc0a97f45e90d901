//! What users type.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use wald::Threads;
use wald::simulate::BenardExample1;

use crate::benard;
use crate::benard::elimination::EliminationStudy;
use crate::benard::figures::{FIGURE_3, FIGURE_4};
use crate::benard::limits_check::LimitsStudy;
use crate::benard::table_5::Table5;
use crate::benard::theorems::TheoremStudy;
use crate::exhibit::Exhibit;
use crate::failure::Failure;
use crate::li;
use crate::li::figures::{FIGURE_1, FIGURE_2, FIGURE_3 as LI_FIGURE_3};
use crate::li::table_1::Table1;
use crate::louppe;
use crate::picture::PictureArguments;
use crate::study::Study;
use crate::sutera::{self, Forests};

const NO_SPREAD: &str = "a standard error needs at least two repetitions";

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
    /// The Sobol-MDA of variables that mean nothing
    #[command(name = "benard-noise")]
    BenardNoise(StudyArguments),
    /// Theorems 1 and 2: convergence of the measures with the number of rows
    #[command(name = "benard-theorems")]
    BenardTheorems(TheoremArguments),
    /// How well measures tell variables that matter from others
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
    /// Theorem 1: what MDI finds where nothing matters, against the smallest leaf
    #[command(name = "li-theorem-1")]
    LiTheorem1(FigureArguments),
    /// Honest trees: MDI of rows that a tree was not grown on
    #[command(name = "li-honest")]
    LiHonest(StudyArguments),
    /// Importances of the segments of a display, for every K
    #[command(name = "louppe-table-2")]
    LouppeTable2(StudyArguments),
    /// The same by degree of interaction
    #[command(name = "louppe-figure-2")]
    LouppeFigure2(FigureArguments),
    /// Section 5.3: a noisy copy of a variable is masked
    #[command(name = "louppe-noisy-copy")]
    LouppeNoisyCopy(StudyArguments),
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
}

/// Size of a simulation; the defaults are the paper's.
#[derive(Debug, Args)]
pub(crate) struct StudyArguments {
    /// Data sets drawn
    #[arg(long, value_name = "N")]
    repetitions: Option<usize>,
    /// Rows of a data set (the smallest, where there are several sizes)
    #[arg(long, value_name = "N")]
    rows: Option<usize>,
    /// Trees of a forest
    #[arg(long, value_name = "N")]
    trees: Option<usize>,
    /// Seed of data and forests
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u32,
    /// Threads; all processors unless given
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

/// A simulation that is drawn.
#[derive(Debug, Args)]
pub(crate) struct FigureArguments {
    #[command(flatten)]
    study: StudyArguments,
    #[command(flatten)]
    picture: PictureArguments,
}

/// Forests on given tables; the defaults are the paper's.
#[derive(Debug, Args)]
pub(crate) struct ForestArguments {
    /// Trees of a forest
    #[arg(long, value_name = "N", default_value_t = 1000)]
    trees: usize,
    /// Seed of the forests
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u32,
    /// Threads; all processors unless given
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    #[command(flatten)]
    picture: PictureArguments,
}

#[derive(Debug, Args)]
pub(crate) struct LiTable1Arguments {
    #[command(flatten)]
    study: StudyArguments,
    /// The folder that holds `enhancer_chip.csv.gz`; the `ChIP` columns are left out without it
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Table5Arguments {
    #[command(flatten)]
    study: StudyArguments,
    /// Variables tried at each node; the root of their number unless given
    #[arg(long, value_name = "N")]
    mtry: Option<usize>,
}

/// Recursive feature elimination; the defaults are the paper's.
#[derive(Debug, Args)]
pub(crate) struct EliminationArguments {
    /// The folder that holds ozone.csv, galaxy.csv and prostate.csv
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Repetitions of the cross-validation
    #[arg(long, value_name = "N", default_value_t = 40)]
    repeats: usize,
    /// Folds of a cross-validation
    #[arg(long, value_name = "N", default_value_t = 10)]
    folds: usize,
    /// Trees of a forest
    #[arg(long, value_name = "N", default_value_t = 500)]
    trees: usize,
    /// Variables tried at each node; the root of their number unless given
    #[arg(long, value_name = "N")]
    mtry: Option<usize>,
    /// Seed of folds and forests
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u32,
    /// Threads; all processors unless given
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    #[command(flatten)]
    picture: PictureArguments,
}

#[derive(Debug, Args)]
pub(crate) struct TheoremArguments {
    #[command(flatten)]
    study: StudyArguments,
    /// Number of samples, each four times as large as the one before
    #[arg(long, value_name = "N", default_value_t = 4)]
    sizes: usize,
    #[command(flatten)]
    picture: PictureArguments,
}

/// The parameters of section 2.5; the defaults are those of example 1.
#[derive(Debug, Args)]
#[command(allow_negative_numbers = true)]
pub(crate) struct LimitsArguments {
    /// Factor of X1 X2
    #[arg(long, default_value_t = 1.5)]
    alpha: f64,
    /// Factor of X4 X5
    #[arg(long, default_value_t = 1.0)]
    beta: f64,
    /// Correlation of X1 and X2
    #[arg(long, default_value_t = 0.9)]
    rho_12: f64,
    /// Correlation of X4 and X5
    #[arg(long, default_value_t = 0.6)]
    rho_45: f64,
    /// Standard deviations of X1 to X5, separated by commas
    #[arg(long, value_delimiter = ',', default_values_t = [1.0; 5])]
    sigma: Vec<f64>,
    /// Share of the noise in the variance of Y
    #[arg(long, default_value_t = 0.1)]
    noise_share: f64,
    /// Monte-Carlo draws per variable
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    draws: usize,
    /// Seed of the draws
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u32,
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
            Self::BenardTable1(arguments) => benard::table_1::run(&arguments.study((1, 500, 100))?),
            Self::BenardTable3(arguments) => {
                benard::table_3::run(&arguments.study((40, 3000, 300))?)
            }
            Self::BenardTable4(arguments) => {
                benard::table_4::run(&arguments.study((40, 3000, 300))?)
            }
            Self::BenardTable5(arguments) => {
                let study = arguments.study.study((40, 1000, 300))?;
                benard::table_5::run(&Table5 { study, mtry: arguments.mtry })
            }
            Self::BenardFigure3(arguments) => benard::figures::run(&FIGURE_3, &arguments.study()?),
            Self::BenardFigure4(arguments) => benard::figures::run(&FIGURE_4, &arguments.study()?),
            Self::BenardProstate(arguments) => benard::prostate::run(&arguments.study()?),
            Self::BenardLimits(arguments) => benard::limits_check::run(&arguments.study()?),
            Self::BenardNoise(arguments) => benard::noise::run(&arguments.study((40, 500, 300))?),
            Self::BenardTheorems(arguments) => {
                let study = arguments.study.study((10, 250, 300))?;
                benard::theorems::run(&TheoremStudy { study, n_sizes: arguments.sizes.min(10) })
            }
            Self::LiTable1(arguments) => {
                let study = arguments.study.study((40, 1000, 100))?;
                let chip = arguments.data.as_deref().map(|folder| (folder, arguments.study.rows));
                li::table_1::run(&Table1 { study, chip })
            }
            Self::LiFigure1(arguments) => {
                li::figures::run(FIGURE_1, &arguments.study.study((40, 200, 300))?)
            }
            Self::LiFigure2(arguments) => {
                li::figures::run(FIGURE_2, &arguments.study.study((40, 200, 300))?)
            }
            Self::LiFigure3(arguments) => {
                li::figures::run(LI_FIGURE_3, &arguments.study.study((40, 200, 300))?)
            }
            Self::LiTheorem1(arguments) => {
                li::theorem_1::run(&arguments.study.study((40, 1000, 100))?)
            }
            Self::LiHonest(arguments) => li::honest::run(&arguments.study((40, 1000, 100))?),
            Self::LouppeTable2(arguments) => {
                louppe::table_2::run(&arguments.study((1, 10, 10_000))?)
            }
            Self::LouppeFigure2(arguments) => {
                louppe::figure_2::run(arguments.study.study((1, 10, 1))?.threads)
            }
            Self::LouppeNoisyCopy(arguments) => {
                louppe::noisy_copy::run(&arguments.study((1, 4, 10_000))?)
            }
            Self::LouppeFiniteSamples(arguments) => {
                louppe::finite_samples::run(&arguments.study.study((200, 25, 1000))?)
            }
            Self::SuteraFigure1(arguments) => sutera::figure_1(&arguments.forests()?),
            Self::SuteraFigure2(arguments) => sutera::figure_2(&arguments.forests()?),
            Self::SuteraFigure3(arguments) => sutera::figure_3(&arguments.forests()?),
        }
    }

    /// Where a picture goes, for commands that draw one.
    pub(crate) fn picture(&self) -> Option<&PictureArguments> {
        match self {
            Self::BenardTheorems(arguments) => Some(&arguments.picture),
            Self::LiFigure1(arguments)
            | Self::LiFigure2(arguments)
            | Self::LiFigure3(arguments)
            | Self::LiTheorem1(arguments)
            | Self::LouppeFigure2(arguments)
            | Self::LouppeFiniteSamples(arguments) => Some(&arguments.picture),
            Self::SuteraFigure1(arguments)
            | Self::SuteraFigure2(arguments)
            | Self::SuteraFigure3(arguments) => Some(&arguments.picture),
            Self::BenardFigure3(arguments)
            | Self::BenardFigure4(arguments)
            | Self::BenardProstate(arguments) => Some(&arguments.picture),
            _ => None,
        }
    }
}

impl StudyArguments {
    /// Repetitions, rows and trees where they were not given.
    fn study(&self, defaults: (usize, usize, usize)) -> Result<Study, Failure> {
        let (repetitions, n_rows, n_trees) = defaults;
        let study = Study {
            repetitions: self.repetitions.unwrap_or(repetitions),
            n_rows: self.rows.unwrap_or(n_rows),
            n_trees: self.trees.unwrap_or(n_trees),
            seed: self.seed,
            threads: self.threads.map_or(Ok(Threads::all()), Threads::new)?,
        };
        if study.repetitions < 2 && repetitions > 1 {
            return Err(Failure::usage(NO_SPREAD, "give `--repetitions` of 2 or more"));
        }
        Ok(study)
    }
}

impl ForestArguments {
    fn forests(&self) -> Result<Forests, Failure> {
        Ok(Forests {
            n_trees: self.trees,
            seed: u64::from(self.seed),
            threads: self.threads.map_or(Ok(Threads::all()), Threads::new)?,
        })
    }
}

impl EliminationArguments {
    fn study(&self) -> Result<EliminationStudy<'_>, Failure> {
        if self.repeats < 2 {
            return Err(Failure::usage(NO_SPREAD, "give `--repeats` of 2 or more"));
        }
        Ok(EliminationStudy {
            repeats: self.repeats,
            folds: self.folds,
            n_trees: self.trees,
            mtry: self.mtry,
            seed: self.seed,
            threads: self.threads.map_or(Ok(Threads::all()), Threads::new)?,
            folder: self.data.as_deref(),
        })
    }
}

impl LimitsArguments {
    fn study(&self) -> Result<LimitsStudy, Failure> {
        let Ok(sigma) = <[f64; 5]>::try_from(self.sigma.clone()) else {
            return Err(Failure::usage(
                format!("{} standard deviations were given", self.sigma.len()),
                "give five, as `--sigma 1,1,1,1,1`",
            ));
        };
        if self.draws < 2 {
            return Err(Failure::usage("a standard error needs two draws", "give more `--draws`"));
        }
        let design = BenardExample1 {
            alpha: self.alpha,
            beta: self.beta,
            rho_12: self.rho_12,
            rho_45: self.rho_45,
            sigma,
            noise_share: self.noise_share,
        };
        Ok(LimitsStudy { design, draws: self.draws, seed: self.seed })
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
