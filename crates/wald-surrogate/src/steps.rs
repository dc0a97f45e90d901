//! The forests of a surrogate: of the sample, its parts, and other functions.

use std::sync::Arc;

use wald::data::{Groups, Target};
use wald::forest::{ConstantDraws, Keep};
use wald::pass::Measured;
use wald::work::{Purpose, Stream};
use wald::{Dataset, Error, Features, ForestConfig, Measure, Run};

use crate::folds::Fold;
use crate::inputs::Rows;
use crate::model::Model;
use crate::purpose::Draws;
use crate::settings::Settings;

/// Parts of the sample that show the error of its rows.
pub(crate) const PARTS: usize = 4;

/// Rows and trees of the forests of functions that show the error of the process.
const ROWS_OF_A_FUNCTION: usize = 3000;
const TREES_OF_A_FUNCTION: usize = 100;

/// Draws in the smallest node that is divided, in the forest of the sample.
const NODE_SIZE: usize = 20;

/// Settings of the forest of the sample, where they were not set. Half of the variables compete for a split:
/// of more, some stand in for those that they depend on; of fewer, trees fit the sample, which has no
/// noise, less well. Inputs that do not vary do not count, and others are drawn in their place. Nodes are
/// larger than usual: projections of deep trees have few rows in a cell, and find too much where inputs
/// interact.
pub fn forest_of_sample(
    config: &ForestConfig,
    n_varying: usize,
    n_features: usize,
) -> ForestConfig {
    ForestConfig {
        mtry: config.mtry.or(Some(n_varying.div_ceil(2).max(1))),
        min_node_size: config.min_node_size.or(Some(NODE_SIZE)),
        ..searching(config, n_varying < n_features)
    }
}

/// Where some inputs do not vary, trees draw further ones in their place.
pub(crate) fn searching(config: &ForestConfig, has_constants: bool) -> ForestConfig {
    let constant_draws = if has_constants { ConstantDraws::Search } else { config.constant_draws };
    ForestConfig { constant_draws, ..config.clone() }
}

/// What all forests have in common.
#[derive(Clone, Copy)]
pub(crate) struct Steps<'a> {
    pub(crate) run: &'a Run,
    pub(crate) config: &'a ForestConfig,
    pub(crate) measures: &'a [Measure],
    pub(crate) groups: &'a Groups,
    pub(crate) target: &'a str,
}

/// Values of a function by measure and group.
pub(crate) type Values = Vec<Vec<Option<f64>>>;

/// Importances of functions besides the mean of the process.
pub(crate) struct Varied {
    pub(crate) base: Measured,
    pub(crate) paths: Vec<Values>,
    pub(crate) folds: Vec<Values>,
}

impl Steps<'_> {
    /// The inputs of every group.
    pub(crate) fn positions(self) -> Vec<Vec<usize>> {
        let positions = |group: &Vec<u32>| group.iter().map(|&input| input as usize).collect();
        self.groups.members().iter().map(positions).collect()
    }

    pub(crate) fn measure(
        self,
        data: &Arc<Dataset>,
        config: &ForestConfig,
    ) -> Result<Measured, Error> {
        let origin = wald::Origin::Settings(config);
        let (measured, _) = origin.measure(data, self.measures, Keep::Nothing, &self.run.part())?;
        self.run.progress.advance_by(1);
        Ok(measured)
    }

    /// A table of these rows, with a function as its target.
    pub(crate) fn sample(
        self,
        model: &Model,
        rows: &Rows,
        target: Vec<f64>,
    ) -> Result<Arc<Dataset>, Error> {
        let features: Features = model.inputs.features(rows)?;
        let target = Target::regression(self.target, target)?;
        let data = Dataset::new(features.columns().to_vec(), target)?;
        let columns = |group: &Vec<u32>| {
            group.iter().map(|&column| model.inputs.names()[column as usize].clone()).collect()
        };
        let groups = self.groups.names().iter().cloned();
        let groups: Vec<(String, Vec<String>)> =
            groups.zip(self.groups.members().iter().map(columns)).collect();
        let data = if self.groups.are_single() { data } else { data.with_groups(&groups)? };
        Ok(Arc::new(data))
    }

    fn values(
        self,
        model: &Model,
        rows: &Rows,
        target: Vec<f64>,
        config: &ForestConfig,
    ) -> Result<Values, Error> {
        let measured = self.measure(&self.sample(model, rows, target)?, config)?;
        Ok(measured.importances.into_iter().map(|importance| importance.values).collect())
    }

    /// Forests of parts of the sample, whose nodes are smaller by as much.
    pub(crate) fn parts(
        self,
        model: &Model,
        rows: &Rows,
        means: &[f64],
        config: &ForestConfig,
    ) -> Result<Vec<Values>, Error> {
        let n = rows.len();
        let min_node_size = config.min_node_size.map(|size| (size / PARTS).max(1));
        let config = &ForestConfig { min_node_size, ..config.clone() };
        let part = |part: usize| {
            let range = part * n / PARTS..(part + 1) * n / PARTS;
            let target = means[range.clone()].to_vec();
            self.values(model, &rows.select(range), target, config)
        };
        (0..PARTS).map(part).collect()
    }

    /// Forests of functions drawn from the process, and of processes without a part of the runs.
    pub(crate) fn functions(
        self,
        model: &Model,
        rows: &Rows,
        folds: &[Fold],
        settings: &Settings,
        config: &ForestConfig,
    ) -> Result<Varied, Error> {
        let rows = &rows.select(0..rows.len().min(ROWS_OF_A_FUNCTION));
        let n_trees = config.n_trees.min(TREES_OF_A_FUNCTION);
        let config = &ForestConfig { n_trees, ..config.clone() };
        let around = &self.run.part();
        let process = model.process();
        let mean = model.at(rows, around, |point| process.mean(point))?;
        let base = self.measure(&self.sample(model, rows, mean)?, config)?;
        let mut paths = Vec::new();
        for draw in 0..settings.n_draws {
            let path = process.path(path_seed(self.config.seed, draw));
            let target = model.at(rows, around, |point| path.value(point))?;
            paths.push(self.values(model, rows, target, config)?);
        }
        let mut without = Vec::new();
        for process in folds.iter().filter_map(|fold| fold.process.as_ref()) {
            let target = model.at(rows, around, |point| process.mean(point))?;
            without.push(self.values(model, rows, target, config)?);
        }
        Ok(Varied { base, paths, folds: without })
    }
}

/// The seed of a function of the process.
fn path_seed(seed: u64, draw: usize) -> u64 {
    Stream::new(seed, draw, Purpose::from(Draws::Paths)).word()
}
