//! The commands that divide the work of others.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use wald::Run;
use wald::parts::{PartOf, Parts, Recorder};

/// Do a part of the work of another command, for example on one of many machines
///
/// `conditional`, `fit`, `importance`, `masking`, `report`, `select` and `uncertainty` can be divided.
/// `wald merge` joins the parts, and prints and writes byte for byte what the command would have. Measures that need all
/// trees first can be divided in a second round (`--after`); merging does what was not divided.
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  wald part 3/10 -o 3.part importance trees.csv --target height
  wald part 1/4 -o 1.part select trees.csv --target height --repeats 40
  wald merge *.part                              what `wald importance` or `wald select` gives
  wald part 1/2 -o c.part --after a.part b.part  a second round
  wald merge a.part b.part c.part d.part")]
pub(crate) struct PartArguments {
    /// Which part of how many, for example 3/10
    #[arg(value_name = "PART", value_parser = super::values::part)]
    pub(crate) part: PartOf,
    /// Where the part is written
    #[arg(long, short, value_name = "PATH")]
    pub(crate) output: PathBuf,
    /// Replace an existing part
    #[arg(long)]
    pub(crate) force: bool,
    /// Parts of all earlier rounds, in place of a command: divide the work that needs their results
    #[arg(long, value_name = "PART", num_args = 1.., conflicts_with = "command")]
    pub(crate) after: Vec<PathBuf>,
    /// The command whose work is divided, with its options, as it would be typed after `wald`
    #[arg(value_name = "COMMAND", required_unless_present = "after", num_args = 1..)]
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) command: Vec<String>,
}

/// Join the parts that `wald part` wrote, or forests of one seed
///
/// Of parts, it prints and writes what the command would have. Forests that were grown with different
/// `--first-tree` and equal settings become the one that growing all of their trees at once gives.
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  wald merge *.part
  wald fit trees.csv --target height --trees 500 --output a.forest
  wald fit trees.csv --target height --trees 500 --first-tree 500 --output b.forest
  wald merge --forests a.forest b.forest --output trees.forest")]
pub(crate) struct MergeArguments {
    /// All parts of all rounds, in any order; the table must be where the parts found it
    #[arg(value_name = "PART", required = true)]
    pub(crate) parts: Vec<PathBuf>,
    /// The files are forests
    #[arg(long, requires = "output")]
    pub(crate) forests: bool,
    /// Where the forest of all trees is written; a name that ends with .json: as JSON
    #[arg(long, short, value_name = "PATH", requires = "forests")]
    pub(crate) output: Option<PathBuf>,
    /// Replace an existing forest
    #[arg(long, requires = "forests")]
    pub(crate) force: bool,
}

/// Whether other processes share the work of a command.
#[derive(Debug, Clone, Default)]
pub(crate) enum Shared {
    #[default]
    Alone,
    Part(Arc<Recorder>),
    Merge(Arc<Parts>),
    /// Alone, in place of the command that was typed: these are its words.
    Instead(Vec<String>),
}

impl Shared {
    pub(crate) fn run(&self, run: Run) -> Run {
        match self {
            Self::Alone | Self::Instead(_) => run,
            Self::Part(recorder) => run.recording(recorder),
            Self::Merge(parts) => run.merging(Arc::clone(parts)),
        }
    }

    /// The words of the command that is carried out, after the name of the program.
    pub(crate) fn words(&self) -> Vec<String> {
        match self {
            Self::Merge(parts) => parts.words().to_vec(),
            Self::Instead(words) => words.clone(),
            Self::Alone | Self::Part(_) => crate::provenance::words().collect(),
        }
    }
}
