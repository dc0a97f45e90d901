//! Which measures are wanted, and how they compute.

use std::path::{Path, PathBuf};

use clap::Args;
use wald::measure::{Loss, MeasureOption, MeasureSettings, Normalise};
use wald::options::{OptionValue, Options};
use wald::{Measure, MeasureId};
use wald_report::{Choice, LEADING, WantedMeasures, leading_measures};

use super::groups::GroupingArguments;
use super::options::OptionArguments;
use super::values::{self, Wanted};
use crate::failure::Failure;
use crate::wording::long;

/// More measures than this are counted in a refusal, not named.
const MOST_NAMED: usize = 4;

/// Options of the measures.
#[derive(Debug, Args)]
#[command(next_help_heading = "Measures")]
pub(crate) struct MeasureArguments {
    #[arg(long, short, value_name = "ID[,ID...]|all", value_delimiter = ',', help = measure_help())]
    #[arg(value_parser = values::measures())]
    measure: Vec<Wanted>,
    #[command(flatten)]
    options: OptionArguments<MeasureOption>,
    #[command(flatten)]
    pub(crate) grouping: GroupingArguments,
    /// Measure this forest instead of growing one: wald model file or wald-forest JSON
    #[arg(long, value_name = "FOREST", conflicts_with = "GrowingArguments")]
    pub(crate) forest: Option<PathBuf>,
}

impl MeasureArguments {
    /// Refuses more blocks than trees, before data are read.
    pub(crate) fn check_blocks(&self, n_trees: usize) -> Result<(), Failure> {
        let n_blocks = self.options.settings()?.blocks;
        if n_blocks <= n_trees {
            return Ok(());
        }
        let what = format!("{n_blocks} blocks of {n_trees} trees");
        Err(Failure::usage(what, "give at most as many blocks (`--blocks`) as trees (`--trees`)"))
    }

    /// The table of an option that takes one.
    pub(crate) fn table(&self, option: MeasureOption) -> Option<&Path> {
        self.options.table(option)
    }

    /// Refuses a stored forest where `who` grows others.
    pub(super) fn refuse_forest(&self, who: &str) -> Result<(), Failure> {
        if self.forest.is_none() {
            return Ok(());
        }
        let what = format!("{who} grows forests of its own, but `--forest` is given");
        Err(Failure::usage(what, "leave out `--forest`"))
    }

    /// Refuses what takes values apart where `what` has one value for every variable.
    pub(crate) fn refuse_apart(&self, what: &str) -> Result<(), Failure> {
        let Some(setting) = self.options.settings()?.taken_apart_by() else { return Ok(()) };
        let long = long(setting.id());
        Err(Failure::usage(
            format!("{what} has one value for every variable, but `--{long}` is given"),
            format!("leave out `--{long}`; `wald importance` shows what it adds"),
        ))
    }

    /// The measures with their settings. A setting goes to the measures that offer it; one that
    /// no measure offers is a mistake.
    pub(crate) fn wanted(&self, seed: u64) -> Result<WantedMeasures, Failure> {
        let wants_all = self.measure.contains(&Wanted::All);
        let has_test = self.table(MeasureOption::TestRows).is_some();
        let (measures, left_out) = self.measures(&leading_measures(has_test), seed)?;
        let choice = match self.measure.as_slice() {
            [] => Choice::Leading,
            _ if wants_all => Choice::All,
            _ => Choice::Named,
        };
        Ok(WantedMeasures { measures, choice, left_out })
    }

    /// Whether neither a measure is named nor what its values are divided by.
    pub(super) fn leaves_scale_open(&self) -> bool {
        self.measure.is_empty() && self.options.value(MeasureOption::Normalise).is_none()
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
        if self.table(MeasureOption::TestRows).is_some() {
            return Err(Failure::usage(
                "this takes a measure of the training rows, not of test rows",
                "leave out `--test`, and name another measure with `--measure`",
            ));
        }
        let mut named = self.measure.iter().filter_map(|wanted| wanted.id());
        if let Some(id) = named.find(|id| id.info().needs_test_rows()) {
            let what = format!(
                "measure `{}` needs test rows; this command takes measures of training or \
                 out-of-bag rows",
                id.info().id
            );
            return Err(Failure::usage(what, "use another measure, for example sobol_mda"));
        }
        if self.table(MeasureOption::Background).is_some() {
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
        let has_test = self.table(MeasureOption::TestRows).is_some();
        let mut ids: Vec<MeasureId> = match self.measure.as_slice() {
            [] => default.to_vec(),
            _ if wants_all => MeasureId::ALL.to_vec(),
            named => named.iter().copied().filter_map(Wanted::id).collect(),
        };
        let left_out = if wants_all { self.without_long_ones(&mut ids) } else { Vec::new() };
        let mut seen = Vec::new();
        ids.retain(|id| !seen.contains(id) && (seen.push(*id), true).1);
        let needing = ids.iter().find(|id| id.info().needs_test_rows());
        if let Some(id) = needing.filter(|_| !wants_all && !has_test) {
            return Err(Failure::usage(
                format!("measure `{}` needs rows that the forest never saw", id.info().id),
                "give a table of them with `--test`",
            ));
        }
        let settings = MeasureSettings { seed, ..self.options.settings()? };
        let offered: Vec<MeasureSettings> =
            ids.iter().map(|id| settings.offered_by(id.info())).collect();
        for option in self.options.given() {
            let is_taken = if option.is_set(&settings) {
                offered.iter().any(|settings| option.is_set(settings))
            } else {
                ids.iter().any(|id| id.info().takes(option))
            };
            if !is_taken {
                return Err(self.unused(option, &ids));
            }
        }
        let measures = ids.iter().zip(offered).map(|(id, settings)| Measure::new(*id, settings));
        Ok((measures.collect::<Result<_, _>>()?, left_out))
    }

    /// Removes from all measures those that take long and were not named.
    fn without_long_ones(&self, ids: &mut Vec<MeasureId>) -> Vec<String> {
        let warning = |id: &MeasureId| {
            let is_named = self.measure.contains(&Wanted::One(*id));
            id.info().effort.warning().filter(|_| !is_named)
        };
        let notice = |id: &MeasureId| {
            let why = warning(id)?;
            Some(format!("left out: measure `{}` {why}; name it to have it", id.info().id))
        };
        let left_out = ids.iter().filter_map(notice).collect();
        ids.retain(|id| warning(id).is_none());
        left_out
    }

    /// The refusal of an option that none of the measures takes, or not with this value.
    fn unused(&self, option: MeasureOption, ids: &[MeasureId]) -> Failure {
        let long = long(option.id());
        let takes_others = ids.iter().any(|id| id.info().takes(option));
        let given = match self.options.value(option) {
            Some(OptionValue::Word(word)) if takes_others => format!("--{long} {word}"),
            _ => format!("--{long}"),
        };
        let names: Vec<&str> = ids.iter().map(|id| id.info().id).collect();
        let what = match names.as_slice() {
            [one] => format!("measure `{one}` does not offer `{given}`"),
            many if many.len() > MOST_NAMED => {
                format!("none of the {} measures offers `{given}`", many.len())
            }
            several => format!("none of the measures {} offers `{given}`", several.join(", ")),
        };
        if takes_others {
            return Failure::usage(
                what,
                format!("use one of: {}", offered(option, ids).join(", ")),
            );
        }
        let other = MeasureId::ALL.iter().map(|id| id.info()).find(|info| info.takes(option));
        let other = other.map_or("another", |info| info.id);
        let help =
            format!("leave out `--{long}`, or add a measure that offers it, such as `{other}`");
        Failure::usage(what, help)
    }
}

/// The values of an option, of which measures take some, that any of these takes.
fn offered(option: MeasureOption, ids: &[MeasureId]) -> Vec<&'static str> {
    let infos = || ids.iter().map(|id| id.info());
    if option == MeasureOption::Loss {
        let is_offered = |loss: &&Loss| {
            infos().any(|info| {
                info.regression_losses.contains(loss) || info.classification_losses.contains(loss)
            })
        };
        Loss::ALL.iter().filter(is_offered).map(|loss| loss.id()).collect()
    } else {
        let is_offered = |normalise: &&Normalise| {
            **normalise == Normalise::None
                || infos().any(|info| info.normalisations.contains(normalise))
        };
        Normalise::ALL.iter().filter(is_offered).map(|normalise| normalise.id()).collect()
    }
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

/// Where one measure of the rows of the forest is wanted: what for, and all of them.
pub(super) fn help_of_one(what: &str, usual: MeasureId) -> String {
    let infos = MeasureId::ALL.iter().map(|id| id.info());
    let ids: Vec<&str> = infos.filter(|info| !info.needs_test_rows()).map(|info| info.id).collect();
    format!("{what} [default: {}]: {}", usual.info().id, ids.join(", "))
}
