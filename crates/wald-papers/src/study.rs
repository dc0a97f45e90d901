//! Repetitions: draw data, grow a forest, measure its variables, again and again.

use std::sync::Arc;

use wald::forest::Keep;
use wald::pass::Errors;
use wald::{Dataset, Forest, ForestConfig, Measure, Run, Threads};

use crate::estimate::Estimate;
use crate::failure::Failure;

/// How often, how large, and from which seed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Study {
    pub(crate) repetitions: usize,
    pub(crate) n_rows: usize,
    pub(crate) n_trees: usize,
    pub(crate) seed: u32,
    pub(crate) threads: Threads,
}

/// What the repetitions found.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// `[repetition][measure][variable]`.
    pub(crate) values: Vec<Vec<Vec<f64>>>,
    /// Out of bag, by repetition.
    pub(crate) explained_variance: Vec<f64>,
}

impl Study {
    /// The seed of one repetition; studies of two seeds share none.
    pub(crate) fn seed_of(&self, repetition: usize) -> u64 {
        u64::from(self.seed) << 32 | repetition as u64
    }

    /// Measures new data in every repetition, by forests with the given settings.
    pub(crate) fn run(
        &self,
        draw: impl Fn(usize, u64) -> Result<Dataset, wald::Error>,
        config: &ForestConfig,
        measures: &[Measure],
    ) -> Result<Found, Failure> {
        self.run_with(draw, config, |_| Ok(measures.to_vec()))
    }

    /// The same with measures that depend on test rows, as many as there are training rows, which
    /// are drawn anew in every repetition.
    pub(crate) fn run_with(
        &self,
        draw: impl Fn(usize, u64) -> Result<Dataset, wald::Error>,
        config: &ForestConfig,
        measures: impl Fn(Arc<Dataset>) -> Result<Vec<Measure>, Failure>,
    ) -> Result<Found, Failure> {
        let mut found = Found { values: Vec::new(), explained_variance: Vec::new() };
        for repetition in 0..self.repetitions {
            let seed = self.seed_of(repetition);
            let data = draw(self.n_rows, seed)?;
            let config = ForestConfig { n_trees: self.n_trees, seed, ..config.clone() };
            let work = &Run::on(self.threads);
            // No repetition of any study has this seed.
            let measures = measures(Arc::new(draw(self.n_rows, !seed)?))?;
            let grown = Forest::grow_and_measure(&data, &config, &measures, Keep::Nothing, work)?;
            let values = grown.measured.importances.iter().map(|importance| {
                importance.values.iter().map(|value| value.unwrap_or(f64::NAN)).collect()
            });
            found.values.push(values.collect());
            found.explained_variance.push(explained(grown.measured.errors.as_ref()));
        }
        Ok(found)
    }

    /// For the list of settings.
    pub(crate) fn settings(&self) -> Vec<(&'static str, String)> {
        vec![
            ("repetitions", self.repetitions.to_string()),
            ("rows", self.n_rows.to_string()),
            ("trees", self.n_trees.to_string()),
            ("seed", self.seed.to_string()),
        ]
    }
}

/// Share of the variance that out-of-bag predictions explain.
pub(crate) fn explained(errors: Option<&Errors>) -> f64 {
    match errors {
        Some(
            Errors::Regression { explained_variance, .. }
            | Errors::Classification { explained_variance, .. },
        ) => explained_variance.unwrap_or(f64::NAN),
        _ => f64::NAN,
    }
}

impl Found {
    /// Values of one variable by one measure, over repetitions.
    pub(crate) fn estimate(&self, measure: usize, variable: usize) -> Estimate {
        let values: Vec<f64> = self.values.iter().map(|all| all[measure][variable]).collect();
        Estimate::of(&values)
    }

    /// In how many repetitions the values of a measure have a property.
    pub(crate) fn count(&self, measure: usize, has: impl Fn(&[f64]) -> bool) -> usize {
        self.values.iter().filter(|all| has(&all[measure])).count()
    }
}
