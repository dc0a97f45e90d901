//! Arguments of the commands, and the studies that they describe.

use std::path::PathBuf;

use clap::Args;
use wald::Threads;
use wald::simulate::BenardExample1;

use crate::benard::elimination::EliminationStudy;
use crate::benard::limits_check::LimitsStudy;
use crate::benard::two_step::{Function, TwoStepStudy};
use crate::copula::Draws;
use crate::failure::Failure;
use crate::inference::coverage::families::Family;
use crate::louppe::ManyTrees;
use crate::masking::{Grid, WORLDS};
use crate::picture::PictureArguments;
use crate::study::Study;
use crate::sutera::Forests;

const NO_SPREAD: &str = "a standard error needs at least two repetitions";

/// Size of a simulation; the defaults are the paper's.
#[derive(Debug, Args)]
pub(crate) struct StudyArguments {
    /// Data sets drawn
    #[arg(long, value_name = "N")]
    repetitions: Option<usize>,
    /// Rows of a data set (the smallest, where there are several sizes)
    #[arg(long, value_name = "N")]
    pub(crate) rows: Option<usize>,
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

/// Forests that are to come near infinitely many trees; the defaults are the paper's.
#[derive(Debug, Args)]
pub(crate) struct ManyTreesArguments {
    /// Trees of a forest
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    trees: usize,
    /// Seed of the forests
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u32,
    /// Threads; all processors unless given
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

/// What nothing random has a part in.
#[derive(Debug, Args)]
pub(crate) struct ExactArguments {
    /// Threads; all processors unless given
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    #[command(flatten)]
    pub(crate) picture: PictureArguments,
}

/// A simulation that is drawn.
#[derive(Debug, Args)]
pub(crate) struct FigureArguments {
    #[command(flatten)]
    pub(crate) study: StudyArguments,
    #[command(flatten)]
    pub(crate) picture: PictureArguments,
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
    pub(crate) picture: PictureArguments,
}

#[derive(Debug, Args)]
pub(crate) struct LiTable1Arguments {
    #[command(flatten)]
    pub(crate) study: StudyArguments,
    /// The folder that holds `enhancer_chip.csv.gz`; the `ChIP` columns are left out without it
    #[arg(long, value_name = "FOLDER")]
    pub(crate) data: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct CoverageArguments {
    #[command(flatten)]
    pub(crate) study: StudyArguments,
    /// Families of designs, separated by commas, in the place of Friedman's first function
    #[arg(long, value_name = "FAMILY", value_delimiter = ',')]
    pub(crate) families: Vec<Family>,
}

#[derive(Debug, Args)]
pub(crate) struct Table5Arguments {
    #[command(flatten)]
    pub(crate) study: StudyArguments,
    /// Variables tried at each node; the root of their number unless given
    #[arg(long, value_name = "N")]
    pub(crate) mtry: Option<usize>,
}

/// Recursive feature elimination; the defaults are the paper's.
#[derive(Debug, Args)]
pub(crate) struct EliminationArguments {
    /// The folder that holds ozone.csv, galaxy.csv and prostate.csv
    #[arg(long, value_name = "FOLDER")]
    pub(crate) data: Option<PathBuf>,
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
    pub(crate) mtry: Option<usize>,
    /// Seed of folds and forests
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u32,
    /// Threads; all processors unless given
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    #[command(flatten)]
    pub(crate) picture: PictureArguments,
}

#[derive(Debug, Args)]
pub(crate) struct TheoremArguments {
    #[command(flatten)]
    pub(crate) study: StudyArguments,
    /// Number of samples, each four times as large as the one before
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub(crate) sizes: usize,
    #[command(flatten)]
    pub(crate) picture: PictureArguments,
}

/// Few runs, and the large sample of the second step.
#[derive(Debug, Args)]
pub(crate) struct TwoStepArguments {
    #[command(flatten)]
    study: StudyArguments,
    /// Functions, separated by commas; all unless given
    #[arg(long, value_name = "FUNCTION", value_delimiter = ',')]
    functions: Vec<Function>,
    /// Numbers of runs, separated by commas; all unless given
    #[arg(long, value_name = "N,N,...", value_delimiter = ',')]
    runs: Vec<usize>,
}

/// Few runs, drawn.
#[derive(Debug, Args)]
pub(crate) struct TwoStepFigureArguments {
    #[command(flatten)]
    pub(crate) two_step: TwoStepArguments,
    #[command(flatten)]
    pub(crate) picture: PictureArguments,
}

/// Designs of known truth, in several sizes.
#[derive(Debug, Args)]
pub(crate) struct GridArguments {
    /// Numbers of rows, separated by commas
    #[arg(long, value_name = "N,N,...", value_delimiter = ',',
          default_values_t = [500, 2_000, 10_000, 50_000])]
    sizes: Vec<usize>,
    /// Data sets drawn of each design and size; fewer of the largest
    #[arg(long, value_name = "N", default_value_t = 5)]
    repetitions: usize,
    /// Trees of a forest; fewer on the largest data sets
    #[arg(long, value_name = "N", default_value_t = 200)]
    trees: usize,
    /// Only the first so many designs
    #[arg(long, value_name = "N", default_value_t = WORLDS.len())]
    designs: usize,
    /// One small size, two data sets and few trees, to see that it runs
    #[arg(long)]
    quick: bool,
    /// Seed of data and forests
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u32,
    /// Threads; all processors unless given
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    #[command(flatten)]
    pub(crate) picture: PictureArguments,
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

/// All processors unless given.
fn threads(given: Option<usize>) -> Result<Threads, Failure> {
    Ok(given.map_or(Ok(Threads::all()), Threads::new)?)
}

impl StudyArguments {
    /// Repetitions, rows and trees where they were not given.
    pub(crate) fn study(
        &self,
        repetitions: usize,
        n_rows: usize,
        n_trees: usize,
    ) -> Result<Study, Failure> {
        let study = Study {
            repetitions: self.repetitions.unwrap_or(repetitions),
            n_rows: self.rows.unwrap_or(n_rows),
            n_trees: self.trees.unwrap_or(n_trees),
            seed: self.seed,
            threads: threads(self.threads)?,
        };
        if study.repetitions < 2 && repetitions > 1 {
            return Err(Failure::usage(NO_SPREAD, "give `--repetitions` of 2 or more"));
        }
        Ok(study)
    }
}

impl ManyTreesArguments {
    pub(crate) fn forests(&self) -> Result<ManyTrees, Failure> {
        Ok(ManyTrees { n_trees: self.trees, seed: self.seed, threads: threads(self.threads)? })
    }
}

impl ExactArguments {
    pub(crate) fn threads(&self) -> Result<Threads, Failure> {
        threads(self.threads)
    }
}

impl ForestArguments {
    pub(crate) fn forests(&self) -> Result<Forests, Failure> {
        Ok(Forests {
            n_trees: self.trees,
            seed: u64::from(self.seed),
            threads: threads(self.threads)?,
        })
    }
}

impl EliminationArguments {
    pub(crate) fn study(&self) -> Result<EliminationStudy<'_>, Failure> {
        if self.repeats < 2 {
            return Err(Failure::usage(NO_SPREAD, "give `--repeats` of 2 or more"));
        }
        Ok(EliminationStudy {
            repeats: self.repeats,
            folds: self.folds,
            n_trees: self.trees,
            mtry: self.mtry,
            seed: self.seed,
            threads: threads(self.threads)?,
            folder: self.data.as_deref(),
        })
    }
}

impl TwoStepArguments {
    /// Repetitions where they were not given.
    pub(crate) fn study(&self, repetitions: usize) -> Result<TwoStepStudy, Failure> {
        Ok(TwoStepStudy {
            study: self.study.study(repetitions, 10_000, 300)?,
            functions: self.functions.clone(),
            runs: self.runs.clone(),
        })
    }
}

impl GridArguments {
    pub(crate) fn grid(&self, has_shapley_effects: bool) -> Result<Grid, Failure> {
        let per_set = match (has_shapley_effects, self.quick) {
            (false, _) => 0,
            (true, true) => 100,
            (true, false) => 5_000,
        };
        let (repetitions, n_trees) =
            if self.quick { (2, 20) } else { (self.repetitions, self.trees) };
        let mut sizes = if self.quick { vec![500] } else { self.sizes.clone() };
        sizes.sort_unstable();
        sizes.dedup();
        if repetitions == 0 || self.designs == 0 || sizes.first().is_none_or(|size| *size == 0) {
            return Err(Failure::usage(
                "nothing is drawn",
                "give at least one design, size and repetition",
            ));
        }
        let threads = threads(self.threads)?;
        let study = Study { repetitions, n_rows: 0, n_trees, seed: self.seed, threads };
        let per_input = if self.quick { 5_000 } else { 100_000 };
        let draws = Draws { per_input, per_set };
        Ok(Grid { study, sizes, n_worlds: self.designs.min(WORLDS.len()), draws })
    }
}

impl LimitsArguments {
    pub(crate) fn study(&self) -> Result<LimitsStudy, Failure> {
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
