//! What integrated path stability selection found, as a long table and as JSON.

use serde::Serialize;

use crate::data::Dataset;
use crate::document::Subject;
use crate::forest::ForestConfig;
use crate::frame::Frame;
use crate::selection::forest::without_splits;
use crate::selection::ipss::paths::{Paths, q_values};
use crate::selection::ipss::settings::{IpssConfig, Power};

/// Of fewer variables, the bound is large wherever halves select several of them.
const FEW_VARIABLES: usize = 10;

/// What that does to the scores.
const OF_FEW: &str = "the bound takes most variables to be irrelevant: of fewer than ten, relevant ones may \
                      have large scores, and a single one is never selected; boruta and tests of importances \
                      have no such limit";

/// What integrated path stability selection found, by variable in the order of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Ipss {
    /// Variables, or groups where there are any.
    pub variables: Vec<String>,
    /// The bound on the expected number of false positives when this variable and all with smaller
    /// scores are selected; at most the number of variables.
    pub efp_scores: Vec<f64>,
    /// The smallest rate of false discoveries at which the variable is selected, by that bound.
    pub q_values: Vec<f64>,
    /// The thresholds that were integrated over, decreasing.
    pub thresholds: Vec<f64>,
    /// By threshold and variable, the share of halves that select it.
    pub shares: Vec<Vec<f64>>,
    /// The halves of the rows.
    pub n_halves: usize,
    /// In how many halves no tree has a split.
    pub n_without_splits: usize,
    pub(super) of_table: Option<String>,
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    subject: Subject<'a>,
    classes: Option<&'a [String]>,
    settings: SettingsObject<'a>,
    efp_scores: &'a [f64],
    q_values: &'a [f64],
    thresholds: &'a [f64],
    shares: &'a [Vec<f64>],
    note: Option<String>,
}

#[derive(Serialize)]
struct SettingsObject<'a> {
    method: &'static str,
    measure: &'static str,
    pairs: usize,
    power: i32,
    subsample_trees: usize,
    /// `None` for all variables.
    preselect: Option<usize>,
    forest: &'a ForestConfig,
}

impl Ipss {
    pub(super) fn of(names: &[String], paths: &Paths, power: Power) -> Self {
        let integrals = paths.integrals(power);
        let efp_scores = integrals.efp_scores();
        let n_thresholds = integrals.n_thresholds;
        Self {
            variables: names.to_vec(),
            q_values: q_values(&efp_scores),
            efp_scores,
            thresholds: paths.thresholds[..n_thresholds].to_vec(),
            shares: paths.shares[..n_thresholds].to_vec(),
            n_halves: 0,
            n_without_splits: 0,
            of_table: None,
        }
    }

    /// The places of the variables with at most so large a q-value.
    pub fn at_rate(&self, rate: f64) -> Vec<usize> {
        (0..self.q_values.len()).filter(|&at| self.q_values[at] <= rate).collect()
    }

    /// The places of the variables with at most so large an efp score.
    pub fn at_number(&self, number: f64) -> Vec<usize> {
        (0..self.efp_scores.len()).filter(|&at| self.efp_scores[at] <= number).collect()
    }

    /// Why relevant variables may not be selected; `None` where trees have splits, case weights do no harm
    /// and there are enough variables.
    pub fn note(&self) -> Option<String> {
        let of_splits = without_splits(
            self.n_without_splits,
            self.n_halves,
            &format!("{} halves", self.n_halves),
        );
        let of_few = || (self.variables.len() < FEW_VARIABLES).then(|| OF_FEW.to_owned());
        of_splits.or_else(|| self.of_table.clone()).or_else(of_few)
    }

    /// A long table: a line per variable, with the columns `variable`, `efp_score` and `q_value`.
    pub fn frame(&self) -> Frame {
        Frame::default()
            .with_text("variable", self.variables.iter().map(String::as_str))
            .with_numbers("efp_score", self.efp_scores.iter().copied())
            .with_numbers("q_value", self.q_values.iter().copied())
    }

    /// The JSON document of the command line, with the data and the settings.
    pub fn document<'a>(
        &'a self,
        data: &'a Dataset,
        config: &'a IpssConfig,
    ) -> impl Serialize + 'a {
        Document {
            subject: data.into(),
            classes: data.target().classes(),
            settings: SettingsObject {
                method: "ipss",
                measure: config.measure.id().info().id,
                pairs: config.pairs,
                power: config.power.exponent(),
                subsample_trees: config.n_trees(),
                preselect: config.preselect,
                forest: &config.forest,
            },
            efp_scores: &self.efp_scores,
            q_values: &self.q_values,
            thresholds: &self.thresholds,
            shares: &self.shares,
            note: self.note(),
        }
    }
}
