//! Which measures are wanted, and how they compute.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use wald::grouping::GroupRule;
use wald::measure::{
    Loss, MeasureInfo, MeasureOption, MeasureSettings, Normalise, Permutations, Summary,
};
use wald::{Measure, MeasureId};
use wald_report::LEADING;

use super::selection::{Selection, Wish, looks_at_test, needs_test};
use super::values::{self, Wanted};
use crate::failure::Failure;

/// Options of the measures.
#[derive(Debug, Args)]
#[command(next_help_heading = "Measures")]
pub(crate) struct MeasureArguments {
    #[arg(long, short, value_name = "ID[,ID...]|all", value_delimiter = ',', help = measure_help())]
    #[arg(value_parser = values::wanted)]
    measure: Vec<Wanted>,
    #[arg(long, value_name = "LOSS", help = loss_help(), value_parser = values::loss)]
    loss: Option<Loss>,
    /// exact (the expectation over all permutations), or a number of random permutations
    #[arg(long, value_name = "exact|R", default_value = "exact")]
    #[arg(value_parser = values::permutations, allow_negative_numbers = true)]
    permutations: Permutations,
    /// Conditional permutation conditions on variables whose test of association has 1 - p above
    /// this [default: 0.2]
    #[arg(long, value_name = "LEVEL", value_parser = values::number)]
    #[arg(allow_negative_numbers = true)]
    association: Option<f64>,
    /// Divide values by: none, variance, standard-error or sum
    #[arg(long, value_name = "BY", default_value = "none", value_parser = values::normalise)]
    normalise: Normalise,
    /// Number of blocks of trees; errors are computed per block of averaged trees
    #[arg(long, value_name = "N", default_value = "1")]
    #[arg(value_parser = values::whole, allow_negative_numbers = true)]
    blocks: usize,
    /// How Shapley values of rows are aggregated: absolute (mean absolute value), signed (mean), or
    /// target (covariance with the response)
    #[arg(long, value_name = "HOW", default_value = "absolute", value_parser = values::summary)]
    summary: Summary,
    /// Also report the values of every class
    #[arg(long)]
    per_class: bool,
    /// Also decompose values by degree of interaction: the number of other variables used above a
    /// split
    #[arg(long)]
    by_degree: bool,
    /// A row never receives its own value in a permutation
    #[arg(long)]
    exclude_self: bool,
    /// Background table over which SAGE and interventional Shapley values average unknown
    /// variables; it needs no target [default: some of the training rows]
    #[arg(long, value_name = "DATA", conflicts_with = "background_rows")]
    pub(crate) background: Option<PathBuf>,
    /// Number of training rows drawn as background rows [default: 512 for SAGE, 100 for Shapley
    /// values]
    #[arg(long, value_name = "N", value_parser = values::whole, allow_negative_numbers = true)]
    background_rows: Option<usize>,
    /// SAGE samples until the largest standard error is at most this share of the range of its
    /// values [default: 0.025]
    #[arg(long, value_name = "SHARE", value_parser = values::number, allow_negative_numbers = true)]
    precision: Option<f64>,
    /// Number of samples of SAGE, instead of `--precision`; number of rows over which Shapley
    /// values are averaged [default: 2000]
    #[arg(long, value_name = "N", value_parser = values::whole, allow_negative_numbers = true)]
    samples: Option<usize>,
    /// Seconds after which SAGE stops sampling, whatever its precision
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds)]
    #[arg(allow_negative_numbers = true)]
    time_budget: Option<Duration>,
    /// Columns that count as one variable; may be given several times
    #[arg(long, value_name = "NAME=A,B,...", value_parser = values::group)]
    pub(crate) group: Vec<(String, Vec<String>)>,
    /// Also group columns automatically: names (one-hot columns such as `colour_red`), or
    /// dependence (clusters of mean rank correlation 0.7, or dependence=LEVEL)
    #[arg(long, value_name = "RULE", value_parser = values::groups)]
    pub(crate) groups: Option<GroupRule>,
    /// Table of held-out rows, with the same columns and the target, for measures of test rows
    #[arg(long, value_name = "DATA")]
    pub(crate) test: Option<PathBuf>,
    /// Measure this forest instead of growing one: wald model file or wald-forest JSON
    #[arg(long, value_name = "FOREST", conflicts_with = "GrowingArguments")]
    pub(crate) forest: Option<PathBuf>,
}

impl MeasureArguments {
    /// Refuses more blocks than trees, before data are read.
    pub(crate) fn check_blocks(&self, n_trees: usize) -> Result<(), Failure> {
        if self.blocks <= n_trees {
            return Ok(());
        }
        let what = format!("{} blocks of {n_trees} trees", self.blocks);
        Err(Failure::usage(what, "give at most as many blocks (`--blocks`) as trees (`--trees`)"))
    }

    /// Refuses a stored forest where `who` grows others.
    pub(super) fn refuse_forest(&self, who: &str) -> Result<(), Failure> {
        if self.forest.is_none() {
            return Ok(());
        }
        let what = format!("{who} grows forests of its own, but `--forest` is given");
        Err(Failure::usage(what, "leave out `--forest`"))
    }

    /// The measures with their settings. A setting goes to the measures that offer it; one that
    /// no measure offers is a mistake.
    pub(crate) fn selection(&self, seed: u64) -> Result<Selection, Failure> {
        let wants_all = self.measure.contains(&Wanted::All);
        let (measures, left_out) = self.measures(LEADING, seed)?;
        let wish = match self.measure.as_slice() {
            [] => Wish::Leading,
            _ if wants_all => Wish::All,
            _ => Wish::Named,
        };
        Ok(Selection { measures, wish, left_out })
    }

    /// The one measure that is named, or the given one where none is.
    pub(crate) fn single(&self, default: MeasureId, seed: u64) -> Result<Measure, Failure> {
        let named = self.of_training_rows(default, seed)?;
        <[Measure; 1]>::try_from(named).map(|[measure]| measure).map_err(|_| {
            let what = "this takes one measure, but several are named";
            Failure::usage(what, "name one measure with `--measure`")
        })
    }

    /// The measures that are named, or the given one where none is; none of them looks at other
    /// rows than those of the forest, because further forests have rows of their own.
    pub(crate) fn of_training_rows(
        &self,
        default: MeasureId,
        seed: u64,
    ) -> Result<Vec<Measure>, Failure> {
        if self.measure.contains(&Wanted::All) {
            let what = "this takes measures by name, not all that there are";
            return Err(Failure::usage(what, "name them with `--measure`"));
        }
        if self.test.is_some() || self.measure.iter().filter_map(|w| w.id()).any(needs_test) {
            return Err(Failure::usage(
                "this takes a measure of the training rows, not of test rows",
                "leave out `--test`, and name another measure with `--measure`",
            ));
        }
        if self.background.is_some() {
            return Err(Failure::usage(
                "every forest has training rows of its own, but background rows are given",
                "leave out `--background`; `--background-rows` draws them from the training rows",
            ));
        }
        Ok(self.measures(&[default], seed)?.0)
    }

    /// Measures with their settings, and why others were left out.
    fn measures(
        &self,
        default: &[MeasureId],
        seed: u64,
    ) -> Result<(Vec<Measure>, Vec<String>), Failure> {
        let wants_all = self.measure.contains(&Wanted::All);
        let mut ids: Vec<MeasureId> = match self.measure.as_slice() {
            [] if self.test.is_some() => {
                default.iter().copied().chain([MeasureId::MdaTrainTest]).collect()
            }
            [] => default.to_vec(),
            _ if wants_all => MeasureId::ALL.to_vec(),
            named => named.iter().copied().filter_map(Wanted::id).collect(),
        };
        let left_out = if wants_all { without_long_ones(&mut ids) } else { Vec::new() };
        let mut seen = Vec::new();
        ids.retain(|id| !seen.contains(id) && (seen.push(*id), true).1);
        if self.test.is_some() && !ids.iter().any(|id| looks_at_test(*id)) {
            return Err(Failure::usage(
                "none of the measures uses test rows",
                "leave out `--test`, or add a measure such as `mda_train_test`",
            ));
        }
        let needing = ids.iter().find(|id| needs_test(**id));
        if let Some(id) = needing.filter(|_| !wants_all && self.test.is_none()) {
            return Err(Failure::usage(
                format!("measure `{}` needs rows that the forest never saw", id.info().id),
                "give a table of them with `--test`",
            ));
        }
        let loss = self.loss;
        let offers_loss = |info: &MeasureInfo| {
            let mut losses = info.regression_losses.iter().chain(info.classification_losses);
            losses.any(|offered| Some(*offered) == loss)
        };
        let offers_normalise = |info: &MeasureInfo| info.normalisations.contains(&self.normalise);
        let anyone = |offers: &dyn Fn(&MeasureInfo) -> bool| ids.iter().any(|id| offers(id.info()));
        if let Some(loss) = loss.filter(|_| !anyone(&offers_loss)) {
            return Err(unused(&format!("the loss `{}`", loss.id()), "--loss"));
        }
        if self.normalise != Normalise::None && !anyone(&offers_normalise) {
            return Err(unused(
                &format!("the normalisation `{}`", self.normalise.id()),
                "--normalise",
            ));
        }
        let conditional = MeasureId::ConditionalPermutation;
        if self.association.is_some() && !ids.contains(&conditional) {
            return Err(unused("a threshold of associations", "--association"));
        }
        let options = MeasureSettings {
            blocks: self.blocks,
            summary: self.summary,
            per_class: self.per_class,
            by_degree: self.by_degree,
            exclude_self: self.exclude_self,
            background_rows: self.background_rows,
            precision: self.precision,
            samples: self.samples,
            time_budget: self.time_budget,
            ..MeasureSettings::default()
        };
        let asked_for = MeasureOption::ALL.iter().filter(|option| option.is_asked_for(&options));
        for option in asked_for {
            if !anyone(&|info| info.options.contains(option)) {
                let option = format!("--{}", option.id());
                return Err(unused(&format!("`{option}`"), &option));
            }
        }
        let offers_background =
            |info: &MeasureInfo| info.options.contains(&MeasureOption::Background);
        if self.background.is_some() && !anyone(&offers_background) {
            return Err(unused("`--background`", "--background"));
        }
        let measures = ids.iter().map(|id| {
            let info = id.info();
            let offers = |option| info.options.contains(&option);
            let settings = MeasureSettings {
                loss: loss.filter(|_| offers_loss(info)),
                permutations: self.permutations.clone(),
                normalise: if offers_normalise(info) { self.normalise } else { Normalise::None },
                association: self.association.filter(|_| *id == conditional),
                seed,
                blocks: if offers(MeasureOption::Blocks) { self.blocks } else { 1 },
                summary: if offers(MeasureOption::Summary) {
                    self.summary
                } else {
                    Summary::default()
                },
                per_class: self.per_class && offers(MeasureOption::PerClass),
                by_degree: self.by_degree && offers(MeasureOption::ByDegree),
                exclude_self: self.exclude_self && offers(MeasureOption::ExcludeSelf),
                background_rows: self
                    .background_rows
                    .filter(|_| offers(MeasureOption::BackgroundRows)),
                precision: self.precision.filter(|_| offers(MeasureOption::Precision)),
                samples: self.samples.filter(|_| offers(MeasureOption::Samples)),
                time_budget: self.time_budget.filter(|_| offers(MeasureOption::TimeBudget)),
                ..MeasureSettings::default()
            };
            Measure::new(*id, settings)
        });
        Ok((measures.collect::<Result<_, _>>()?, left_out))
    }
}

/// Removes from all measures those that take long and were not named.
fn without_long_ones(ids: &mut Vec<MeasureId>) -> Vec<String> {
    let notice = |id: &MeasureId| {
        let info = id.info();
        let why = info.effort.warning()?;
        Some(format!("left out: measure `{}` {why}; name it to have it", info.id))
    };
    let left_out = ids.iter().filter_map(notice).collect();
    ids.retain(|id| id.info().effort.warning().is_none());
    left_out
}

fn unused(what: &str, option: &str) -> Failure {
    Failure::usage(
        format!("none of the measures offers {what}"),
        format!("leave out `{option}`, or see `wald measures` for what each offers"),
    )
}

/// The measures by name, from their own declarations.
fn measure_help() -> String {
    let leading: Vec<&str> = LEADING.iter().map(|id| id.info().id).collect();
    let list: Vec<String> =
        MeasureId::ALL.iter().map(|id| format!("  {}: {}", id.info().id, id.info().name)).collect();
    format!(
        "What to measure, or `all` that apply [default: {}]\n{}\n\
         `wald measures` describes what each one estimates",
        leading.join(","),
        list.join("\n")
    )
}

/// Where one measure is wanted: what for, and all of them.
pub(super) fn help_of_one(what: &str, usual: MeasureId) -> String {
    let ids: Vec<&str> = MeasureId::ALL.iter().map(|id| id.info().id).collect();
    format!("{what} [default: {}]: {}", usual.info().id, ids.join(", "))
}

fn loss_help() -> String {
    let losses: Vec<&str> = Loss::ALL.iter().map(|loss| loss.id()).collect();
    format!("Loss of a prediction: {} [default: that of the measure]", losses.join(", "))
}
