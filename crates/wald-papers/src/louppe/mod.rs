//! Louppe, Wehenkel, Sutera & Geurts (2013): what the mean decrease in impurity means.

mod digits;
pub(crate) mod figure_2;
pub(crate) mod finite_samples;
pub(crate) mod noisy_copy;
pub(crate) mod table_2;

use wald::forest::{Impurity, Keep, Sampling, Splitting};
use wald::measure::MeasureSettings;
use wald::{Dataset, Forest, ForestConfig, Importance, Measure, MeasureId, Run, Threads};
use wald_population::{BestOf, Limits, Population, TreeSettings};

use crate::failure::Failure;

pub(crate) const SOURCE: &str =
    "Louppe, Wehenkel, Sutera & Geurts 2013, Advances in Neural Information Processing Systems 26";

/// Forests that are to come near infinitely many trees.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ManyTrees {
    pub(crate) n_trees: usize,
    pub(crate) seed: u32,
    pub(crate) threads: Threads,
}

impl ManyTrees {
    /// The seed of one forest; those of two seeds share none.
    fn seed_of(&self, forest: usize) -> u64 {
        u64::from(self.seed) << 32 | forest as u64
    }
}

/// Trees of the paper: a child per value, all rows, entropy, the best of K variables.
fn trees(mtry: usize, n_trees: usize, seed: u64) -> ForestConfig {
    ForestConfig {
        n_trees,
        mtry: Some(mtry),
        sampling: Sampling::All,
        impurity: Some(Impurity::Entropy),
        seed,
        ..ForestConfig::for_splitting(Splitting::Multiway)
    }
}

/// The mean decrease in impurity of a forest, which is not kept.
fn mdi(data: &Dataset, config: &ForestConfig, threads: Threads) -> Result<Importance, Failure> {
    let mdi = Measure::new(MeasureId::Mdi, MeasureSettings::default())?;
    let work = &Run::on(threads);
    let grown = Forest::grow_and_measure(data, config, &[mdi], Keep::Nothing, work)?;
    let mut importances = grown.measured.importances;
    Ok(importances.swap_remove(0))
}

/// The values and standard errors of all variables.
fn numbers(importance: &Importance) -> Vec<(f64, f64)> {
    let undefined = |value: Option<f64>| value.unwrap_or(f64::NAN);
    let values = importance.values.iter().map(|value| undefined(*value));
    let errors = importance.standard_errors.iter().flatten().map(|error| undefined(*error));
    values.zip(errors.chain(std::iter::repeat(0.0))).collect()
}

/// Exact importances by trees that take the best of K variables, for every K.
fn all_mtry(population: &Population, threads: Threads) -> Result<Vec<BestOf>, Failure> {
    let mtry = (1..=population.n_variables()).collect();
    let settings = TreeSettings { mtry, local: false };
    let work = &Run::on(threads);
    Ok(population.best_of(&settings, &Limits::default(), work)?)
}
