//! Arguments of `wald select`.

mod boruta;
mod elimination;
mod ipss;

use clap::Args;
use wald::measure::MeasureSettings;
use wald::selection::{BorutaConfig, IpssConfig};
use wald::{Measure, MeasureId, SelectionConfig};

use super::groups::{DataArguments, OutputArguments, RunArguments};
use super::growing::GrowingArguments;
use super::known::by_id;
use super::measures::{MeasureArguments, help_of_one};
use super::picture::PictureArguments;
use crate::failure::Failure;
use boruta::BorutaArguments;
use elimination::EliminationArguments;
use ipss::IpssArguments;
pub(crate) use ipss::Target;

/// What variables are dropped by unless a measure is named.
const USUAL: MeasureId = MeasureId::SobolMda;

/// What a measure is for.
const MEASURE: &str = "Measure that determines the least important variable; boruta: what \
                       variables and shadows are compared by [default: mda_breiman_cutler with \
                       --normalise standard_error]; ipss: what halves select by [default: mdi_oob; \
                       with --sampling all, air]; elimination";

/// How variables are selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    Elimination,
    Boruta,
    Ipss,
}

/// A method with its settings.
#[derive(Debug)]
pub(crate) enum Asked {
    Elimination(SelectionConfig),
    Boruta(BorutaConfig),
    Ipss(IpssConfig, Target),
}

/// Select variables: the few that predict best, all relevant ones, or with few false discoveries
///
/// Three methods for three questions. `elimination`: which few variables are enough to predict
/// (recursive feature elimination with cross-validation). `boruta`: which variables are relevant at
/// all, redundant ones included (more important than permuted copies). `ipss`: which variables are
/// selected with at most such a rate or number of false discoveries (integrated path stability
/// selection, with q-values).
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  wald select trees.csv --target height
  wald select trees.csv --target height --folds 10 --repeats 40 --resume height.state
  wald select trees.csv --target species --error zero-one --step 0.2 --format json
  wald select trees.csv --target height --method boruta
  wald select genes.csv --target disease --method ipss --target-fdr 0.2")]
#[command(mut_arg("forest", |forest| forest.hide(true)))]
#[command(mut_arg("test", |test| test.hide(true)))]
#[command(mut_arg("background", |background| background.hide(true)))]
#[command(mut_arg("measure", |measure| measure.value_name("ID").help(help_of_one(MEASURE, USUAL))))]
#[command(mut_arg("format", |format| format.help("Output format: table, json, csv or parquet (errors by number of variables, or a line per variable), md or latex")))]
#[command(mut_arg("svg", |svg| svg.help("\
Write a picture of the error against the number of variables kept to this file, as SVG; elimination only")))]
#[command(mut_arg("picture_variables", |variables| variables.hide(true)))]
pub(crate) struct SelectArguments {
    #[command(flatten)]
    pub(crate) data: DataArguments,
    /// How variables are selected: elimination, boruta or ipss
    #[arg(long, value_name = "HOW", default_value = "elimination")]
    #[arg(value_parser = by_id(Method::ALL, Method::id))]
    method: Method,
    #[command(flatten)]
    pub(crate) elimination: EliminationArguments,
    #[command(flatten)]
    boruta: BorutaArguments,
    #[command(flatten)]
    ipss: IpssArguments,
    #[command(flatten)]
    pub(crate) measures: MeasureArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) picture: PictureArguments,
    #[command(flatten)]
    pub(crate) growing: GrowingArguments,
    #[command(flatten)]
    pub(crate) run: RunArguments,
}

impl Method {
    const ALL: &'static [Self] = &[Self::Elimination, Self::Boruta, Self::Ipss];

    fn id(self) -> &'static str {
        match self {
            Self::Elimination => "elimination",
            Self::Boruta => "boruta",
            Self::Ipss => "ipss",
        }
    }
}

impl Asked {
    /// Trees of the largest forest.
    pub(crate) fn n_trees(&self) -> usize {
        match self {
            Self::Elimination(config) => config.forest.n_trees,
            Self::Boruta(config) => config.forest.n_trees,
            Self::Ipss(config, _) => config.n_trees(),
        }
    }
}

impl SelectArguments {
    /// The settings, checked as far as that can be done without the data.
    pub(crate) fn asked(&self) -> Result<Asked, Failure> {
        self.measures.refuse_forest("a selection")?;
        self.refuse_options_of_others()?;
        self.picture.refuse_variables("the curve of a selection")?;
        let seed = self.run.seed;
        let forest = self.growing.config(seed)?;
        Ok(match self.method {
            Method::Elimination => {
                let measure = self.measures.single(USUAL, seed)?;
                Asked::Elimination(self.elimination.config(forest, measure)?)
            }
            Method::Boruta => {
                let measure = self.measure_or(&BorutaConfig::usual_measure(seed)?)?;
                Asked::Boruta(self.boruta.config(forest, measure)?)
            }
            Method::Ipss => {
                let measure = self.measure_or(&IpssConfig::usual_measure(&forest)?)?;
                let (config, target) = self.ipss.config(forest, measure)?;
                Asked::Ipss(config, target)
            }
        })
    }

    /// Refuses what cannot be shared by several machines.
    pub(super) fn refuse_undivided(&self) -> Result<(), Failure> {
        if self.elimination.resume.is_some() {
            let help = "leave it out: a part that was stopped is run again alone";
            return Err(Failure::usage("`--resume` is not for parts", help));
        }
        if self.method != Method::Elimination {
            let what = format!("`--method {}` is not divided into parts", self.method.id());
            return Err(Failure::usage(what, "run it on one machine"));
        }
        Ok(())
    }

    /// The measure that is named, or the usual one, scaled as usual unless another scale is given.
    fn measure_or(&self, usual: &Measure) -> Result<Measure, Failure> {
        let measure = self.measures.single(usual.id(), self.run.seed)?;
        if !self.measures.leaves_scale_open() {
            return Ok(measure);
        }
        let normalise = usual.settings().normalise;
        let settings = MeasureSettings { normalise, ..measure.settings().clone() };
        Ok(Measure::new(usual.id(), settings)?)
    }

    fn refuse_options_of_others(&self) -> Result<(), Failure> {
        let given = [
            (Method::Elimination, self.elimination.given().or(self.picture.given())),
            (Method::Boruta, self.boruta.given()),
            (Method::Ipss, self.ipss.given()),
        ];
        let mut of_others = given.into_iter().filter(|(method, _)| *method != self.method);
        match of_others.find_map(|(method, option)| Some((method, option?))) {
            None => Ok(()),
            Some((method, option)) => Err(Failure::usage(
                format!("`{option}` is an option of `--method {}`", method.id()),
                format!("leave it out, or use `--method {}`", method.id()),
            )),
        }
    }
}
