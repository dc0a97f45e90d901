//! What Boruta found, as a long table and as JSON.

use serde::Serialize;

use crate::data::Dataset;
use crate::document::Subject;
use crate::forest::ForestConfig;
use crate::frame::Frame;
use crate::selection::boruta::decisions::Decision;
use crate::selection::boruta::run::Seen;
use crate::selection::boruta::settings::BorutaConfig;
use crate::selection::boruta::tally::Tally;
use crate::selection::forest::without_splits;
use crate::words::counted;

/// What Boruta found.
#[derive(Debug, Clone, PartialEq)]
pub struct Boruta {
    /// In the order of the table; groups where there are any.
    pub variables: Vec<BorutaVariable>,
    /// How many forests were grown.
    pub n_runs: usize,
    /// By run, what a hit exceeds; nothing where no shadow had an importance.
    pub thresholds: Vec<Option<f64>>,
    /// By run, the importances of variables that were not rejected before.
    pub history: Vec<Vec<Option<f64>>>,
    /// Whether small importances are those of important variables, so that a hit is below the threshold.
    pub small_is_important: bool,
    /// The unit of importances.
    pub unit: String,
    /// In how many runs no tree had a split.
    pub n_without_splits: usize,
    of_table: Option<String>,
}

/// What became of one variable.
#[derive(Debug, Clone, PartialEq)]
pub struct BorutaVariable {
    /// Its name.
    pub name: String,
    /// What became of it.
    pub decision: Decision,
    /// How often it was more important than the best shadow.
    pub hits: usize,
    /// The run after which it was decided, counted from 1; nothing for tentative variables.
    pub decided_at: Option<usize>,
    /// Whether the decision rests on the medians of all runs instead of a test.
    pub is_rough: bool,
    /// The median of its importances, over the runs that it took part in.
    pub median_importance: Option<f64>,
    /// 1 for confirmed variables, then the tentative ones, then the rejected, the later the smaller.
    pub rank: usize,
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    subject: Subject<'a>,
    classes: Option<&'a [String]>,
    settings: SettingsObject<'a>,
    n_runs: usize,
    confirmed: Vec<&'a str>,
    tentative: Vec<&'a str>,
    rejected: Vec<&'a str>,
    variables: Vec<VariableObject<'a>>,
    small_is_important: bool,
    unit: &'a str,
    thresholds: &'a [Option<f64>],
    history: &'a [Vec<Option<f64>>],
    note: Option<String>,
}

#[derive(Serialize)]
struct SettingsObject<'a> {
    method: &'static str,
    measure: &'static str,
    level: f64,
    multiple_testing: &'static str,
    percentile: f64,
    max_runs: usize,
    rough_fix: bool,
    forest: &'a ForestConfig,
}

#[derive(Serialize)]
struct VariableObject<'a> {
    name: &'a str,
    decision: &'static str,
    rank: usize,
    hits: usize,
    decided_at: Option<usize>,
    is_rough: bool,
    median_importance: Option<f64>,
}

impl Boruta {
    pub(super) fn of(
        data: &Dataset,
        config: &BorutaConfig,
        tally: Tally,
        seen: Seen,
        of_table: Option<String>,
    ) -> Self {
        let measure = config.measure.id();
        let ranks = tally.ranking();
        let small_is_important = measure.info().small_is_important;
        // The tally compares numbers of which large ones are important.
        let as_measured = |value: Option<f64>| {
            value.map(|value| if small_is_important { 0.0 - value } else { value })
        };
        let variable = |(at, name): (usize, &String)| BorutaVariable {
            name: name.clone(),
            decision: tally.decisions[at],
            hits: tally.hits[at],
            decided_at: tally.decided_at[at],
            is_rough: tally.is_rough[at],
            median_importance: as_measured(tally.median(at)),
            rank: ranks[at],
        };
        Self {
            variables: data.groups().names().iter().enumerate().map(variable).collect(),
            n_runs: tally.n_runs(),
            thresholds: tally.thresholds.into_iter().map(as_measured).collect(),
            history: tally
                .history
                .into_iter()
                .map(|run| run.into_iter().map(as_measured).collect())
                .collect(),
            small_is_important,
            unit: seen.unit,
            n_without_splits: seen.n_without_splits,
            of_table,
        }
    }

    /// Why nothing is known of the variables, where no tree of some runs had a split, or why decisions may
    /// be wrong, where case weights and small leaves make them.
    pub fn note(&self) -> Option<String> {
        without_splits(self.n_without_splits, self.n_runs, &counted(self.n_runs, "run"))
            .or_else(|| self.of_table.clone())
    }

    /// The names of the variables of a decision, in the order of the table.
    pub fn names(&self, decision: Decision) -> Vec<&str> {
        let of = self.variables.iter().filter(|variable| variable.decision == decision);
        of.map(|variable| variable.name.as_str()).collect()
    }

    /// A long table: a line per variable, with the columns `variable`, `decision`, `rank`, `hits`,
    /// `decided_at` and `median_importance`.
    pub fn frame(&self) -> Frame {
        let variables = || self.variables.iter();
        Frame::default()
            .with_text("variable", variables().map(|of| of.name.as_str()))
            .with_text("decision", variables().map(|of| of.decision.id()))
            .with_numbers("rank", variables().map(|of| of.rank as f64))
            .with_numbers("hits", variables().map(|of| of.hits as f64))
            .with_numbers("decided_at", variables().map(|of| of.decided_at.map(|at| at as f64)))
            .with_numbers("median_importance", variables().map(|of| of.median_importance))
    }

    /// The JSON document of the command line, with the data and the settings.
    pub fn document<'a>(
        &'a self,
        data: &'a Dataset,
        config: &'a BorutaConfig,
    ) -> impl Serialize + 'a {
        let object = |of: &'a BorutaVariable| VariableObject {
            name: &of.name,
            decision: of.decision.id(),
            rank: of.rank,
            hits: of.hits,
            decided_at: of.decided_at,
            is_rough: of.is_rough,
            median_importance: of.median_importance,
        };
        Document {
            subject: data.into(),
            classes: data.target().classes(),
            settings: SettingsObject {
                method: "boruta",
                measure: config.measure.id().info().id,
                level: config.level,
                multiple_testing: config.correction.id(),
                percentile: config.percentile,
                max_runs: config.max_runs,
                rough_fix: config.rough_fix,
                forest: &config.forest,
            },
            n_runs: self.n_runs,
            confirmed: self.names(Decision::Confirmed),
            tentative: self.names(Decision::Tentative),
            rejected: self.names(Decision::Rejected),
            variables: self.variables.iter().map(object).collect(),
            small_is_important: self.small_is_important,
            unit: &self.unit,
            thresholds: &self.thresholds,
            history: &self.history,
            note: self.note(),
        }
    }
}
