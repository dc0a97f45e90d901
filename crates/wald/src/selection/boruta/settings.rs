//! How variables are confirmed and rejected.

use crate::data::Dataset;
use crate::error::Error;
use crate::forest::{ForestConfig, Keep};
use crate::inference::refuse_clusters;
use crate::measure::{Measure, MeasureId, MeasureSettings, Normalise};
use crate::memory::Size;
use crate::run::Threads;
use crate::selection::boruta::decisions::Correction;
use crate::selection::forest::check_measure;
use crate::{message, setting};

/// More runs than this are a mistake.
const MOST_RUNS: usize = 100_000;

/// How variables are confirmed and rejected.
#[derive(Debug, Clone, PartialEq)]
pub struct BorutaConfig {
    /// How forests are grown. A given `mtry` (and subspace) is used as long as there are so many
    /// columns, shadows included; without one, it is floor(sqrt(columns and shadows)).
    pub forest: ForestConfig,
    /// What variables and shadows are compared by.
    pub measure: Measure,
    /// The level of the two tests, of too many and of too few hits.
    pub level: f64,
    /// How tests are corrected for their number.
    pub correction: Correction,
    /// A hit exceeds this percentile of the shadows' importances: 100 is the best shadow.
    pub percentile: f64,
    /// At most so many forests.
    pub max_runs: usize,
    /// Whether to decide on tentative variables by the medians of all runs.
    pub rough_fix: bool,
}

impl BorutaConfig {
    /// As the R package: the mean decrease in accuracy over its standard error, level 0.01 with
    /// Bonferroni's correction, the best shadow, and 100 runs.
    ///
    /// # Errors
    /// None: the measure offers what it is asked.
    pub fn new(forest: ForestConfig) -> Result<Self, Error> {
        let measure = Self::usual_measure(forest.seed)?;
        let correction = Correction::Bonferroni;
        Ok(Self {
            forest,
            measure,
            level: correction.usual_level(),
            correction,
            percentile: 100.0,
            max_runs: 100,
            rough_fix: false,
        })
    }

    /// The mean decrease in accuracy over its standard error.
    ///
    /// # Errors
    /// None: the measure offers what it is asked.
    pub fn usual_measure(seed: u64) -> Result<Measure, Error> {
        let normalise = Normalise::StandardError;
        let settings = MeasureSettings { normalise, seed, ..MeasureSettings::default() };
        Measure::new(MeasureId::MdaBreimanCutler, settings)
    }

    /// Checks the ranges that do not depend on the data.
    ///
    /// # Errors
    /// [`Error::Setting`] for a value outside its range, and [`Error::Measure`] for a measure that
    /// needs more than the rows to grow on.
    pub fn validate(&self) -> Result<(), Error> {
        self.forest.validate()?;
        if !(self.level > 0.0 && self.level < 1.0) {
            return Err(Error::bad_setting(
                setting::LEVEL,
                message!(setting::LEVEL.name(), " is ", self.level),
                "give a number above 0 and below 1; 0.01 is usual",
            ));
        }
        if !(self.percentile > 0.0 && self.percentile <= 100.0) {
            return Err(Error::bad_setting(
                setting::PERCENTILE,
                message!(setting::PERCENTILE.name(), " is ", self.percentile),
                "give a number above 0, and at most 100, which is the best shadow",
            ));
        }
        if !(1..=MOST_RUNS).contains(&self.max_runs) {
            return Err(Error::bad_setting(
                setting::MAX_RUNS,
                message!(setting::MAX_RUNS.name(), " is ", self.max_runs),
                format!("give at least 1, and at most {MOST_RUNS}; 100 are usual"),
            ));
        }
        check_measure(&self.measure, "every forest here has training rows only")
    }

    /// Checks that the settings fit the data.
    ///
    /// # Errors
    /// [`Error::Setting`] and [`Error::Data`] when they do not.
    pub fn check(&self, data: &Dataset) -> Result<(), Error> {
        self.validate()?;
        self.forest.resolve(data)?;
        refuse_clusters(data)?;
        let needed = self.runs_needed(data.groups().n_groups());
        if self.max_runs < needed {
            return Err(Error::bad_setting(
                setting::MAX_RUNS,
                format!("{} runs decide nothing: a hit in each would not be enough", self.max_runs),
                format!("give at least {needed} for so many variables and such a level"),
            ));
        }
        Ok(())
    }

    /// The smallest number of runs in which hits in all of them are significant.
    fn runs_needed(&self, n_variables: usize) -> usize {
        let n_tests =
            if self.correction == Correction::Bonferroni { n_variables as f64 } else { 1.0 };
        let is_enough = |n: &usize| 0.5_f64.powi(*n as i32) * n_tests < self.level;
        (1..MOST_RUNS).find(is_enough).unwrap_or(MOST_RUNS)
    }

    /// What a forest on variables and shadows holds in memory, with the importances of all runs.
    ///
    /// # Errors
    /// As [`super::boruta`] for settings that do not fit the data.
    pub fn size(&self, data: &Dataset, threads: Threads) -> Result<Size, Error> {
        self.check(data)?;
        let n_groups = data.groups().n_groups();
        let both = data.with_common_shadows(&(0..data.n_rows() as u32).collect::<Vec<_>>())?;
        let forest = self.forest.on_shadows(data, &both, self.forest.seed);
        let measures = std::slice::from_ref(&self.measure);
        let size = Size::of_growing(&both, &forest, measures, Keep::Nothing, threads)?;
        // The shadows of numbers are a copy of the table; a run keeps 16 bytes of a variable.
        let cells = 8 * (data.n_rows() as u64).saturating_mul(data.n_features() as u64);
        let kept = 16 * (self.max_runs as u64).saturating_mul(n_groups as u64);
        Ok(Size {
            ranks: size.ranks.saturating_add(cells),
            per_tree: size.per_tree.saturating_add(kept),
            ..size
        })
    }
}
