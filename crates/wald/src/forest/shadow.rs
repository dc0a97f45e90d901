//! Forests on columns and their shadows: what the splits on each decrease the impurity by.
//!
//! Shadows stand after all columns in `RankedFeatures` (`data/shadows.rs`). A split names the row
//! of the cell, so that thresholds are found as ever.

use crate::data::{Column, Dataset, Training};
use crate::error::Error;
use crate::forest::config::ForestConfig;
use crate::forest::grow::{Growing, Workspace};
use crate::forest::sample::{Bag, Sampler};
use crate::forest::settings::Settings;
use crate::forest::tree::{Split, Tree};
use crate::random::{Purpose, Stream};
use crate::run::Run;
use crate::setting;
use crate::threads::ordered;

/// The decreases in impurity that the trees of one forest owe to its variables and to their
/// shadows, each weighted by the share of in-bag rows at the split.
///
/// The shadow of a variable shows its values in the rows of a random permutation of those of positive
/// weight, which is common to all variables and trees, so that it can decrease the impurity by chance
/// only. Variables and shadows are drawn alike. Such a forest predicts nothing, so there is no [`Forest`](crate::Forest) to be had.
/// Nembrini, König & Wright 2018.
#[derive(Debug, Clone, PartialEq)]
pub struct Shadowed {
    /// By tree and variable.
    pub columns: Vec<Vec<f64>>,
    /// By tree and variable whose shadow it is.
    pub shadows: Vec<Vec<f64>>,
}

impl Shadowed {
    /// Grows a forest on the variables and their shadows. `config` speaks of the variables
    /// alone: as many candidates are drawn as for a forest without shadows.
    ///
    /// # Errors
    /// [`Error::Setting`] when the settings are out of range, do not fit the data, or name a
    /// subspace; [`Error::Cancelled`].
    pub fn grow(data: &Dataset, config: &ForestConfig, run: &Run) -> Result<Self, Error> {
        data.target().check_one()?;
        let columns = data.features().columns().to_vec();
        let forest = ShadowForest::new(columns, data, &Training::of(data, run.threads), config)?;
        let sampler = Sampler::new(data, &forest.settings);
        let together = Run::new(run.threads.shared_by(config.n_trees), &run.progress);
        let mut found = Self { columns: Vec::new(), shadows: Vec::new() };
        ordered(
            config.n_trees,
            run,
            Workspace::default,
            |index, workspace| {
                let bag = sampler.bag(index);
                forest.decreases(index, &bag, workspace, &together, |_, _, impurity| impurity)
            },
            |_, [columns, shadows]| {
                found.columns.push(columns);
                found.shadows.push(shadows);
            },
        )?;
        Ok(found)
    }
}

/// What is needed to grow trees on columns and their shadows.
#[derive(Debug)]
pub(crate) struct ShadowForest {
    training: Training,
    /// In the order of the forest's variables.
    columns: Vec<Column>,
    settings: Settings,
}

impl ShadowForest {
    /// `training` holds the codes of the same columns, in the same order.
    ///
    /// # Errors
    /// As [`Shadowed::grow`].
    pub(crate) fn new(
        columns: Vec<Column>,
        data: &Dataset,
        training: &Training,
        config: &ForestConfig,
    ) -> Result<Self, Error> {
        let settings = config.resolve_for(data, columns.iter().map(Column::name))?;
        if config.subspace.is_some() {
            return Err(Error::bad_setting(
                setting::SUBSPACE,
                "shadows were requested, but each tree uses a subspace of the variables",
                "leave out the subspace",
            ));
        }
        let donors = data.shuffled_rows(&mut Stream::new(settings.seed, 0, Purpose::Shadows));
        Ok(Self {
            training: training.with_shadows(donors),
            settings: Settings { subspace: 2 * columns.len(), ..settings },
            columns,
        })
    }

    /// What one tree owes to its variables and to their shadows; `impurity` is given the tree, a
    /// node and the impurity stored of it.
    ///
    /// # Errors
    /// [`Error::Cancelled`] only.
    pub(crate) fn decreases(
        &self,
        index: usize,
        bag: &Bag,
        workspace: &mut Workspace,
        run: &Run,
        impurity: impl Fn(&Tree, usize, f64) -> f64,
    ) -> Result<[Vec<f64>; 2], Error> {
        let columns: Vec<&Column> = self.columns.iter().collect();
        let (training, settings) = (&self.training, &self.settings);
        let growing = Growing::new(training, &columns, settings, &run.progress, run.threads);
        let (tree, _) = growing.grow(index, bag, workspace)?;
        let mut decreases =
            tree.decreases(2 * columns.len(), |node, stored| impurity(&tree, node, stored));
        let shadows = decreases.split_off(columns.len());
        Ok([decreases, shadows])
    }
}

impl Tree {
    /// The decrease in impurity by the splits on each feature, weighted by the share of in-bag
    /// rows at the split; `impurity` is given a node and what is stored of it. Nothing where the
    /// bag is unknown or weighs nothing.
    pub(crate) fn decreases(
        &self,
        n_features: usize,
        impurity: impl Fn(usize, f64) -> f64,
    ) -> Vec<f64> {
        let mut decreases = vec![0.0; n_features];
        self.each_decrease(impurity, |_, split, decrease| {
            decreases[split.feature as usize] += decrease;
        });
        decreases
    }

    /// Passes on the node of every split, the split, and its decrease as in [`Tree::decreases`].
    pub(crate) fn each_decrease(
        &self,
        impurity: impl Fn(usize, f64) -> f64,
        mut each: impl FnMut(usize, &Split, f64),
    ) {
        let Some(known) = self.statistics().filter(|known| known.weight(0) > 0.0) else { return };
        let root = known.weight(0);
        let term = |node: usize| known.weight(node) / root * impurity(node, known.impurity(node));
        for (node, split) in self.splits() {
            let children: f64 = self.children(split).map(term).sum();
            each(node, split, term(node) - children);
        }
    }
}
