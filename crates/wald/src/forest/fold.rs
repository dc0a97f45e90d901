//! One pass over the trees of a forest, grown or stored, that serves all measures at once.

use std::any::Any;

use crate::data::{Column, Dataset, Training};
use crate::error::Error;
use crate::forest::agree;
use crate::forest::config::Settings;
use crate::forest::grow::{Growing, Workspace};
use crate::forest::info::{FeatureInfo, TargetInfo};
use crate::forest::out_of_bag::{Errors, OutOfBag, OutOfBagPart};
use crate::forest::placement::Placement;
use crate::forest::ranked::{RankedNode, RankedTree, Router};
use crate::forest::sample::{Bag, Sampler};
use crate::forest::tree::Tree;
use crate::forest::{Aggregation, Forest, ForestConfig, Impurity};
use crate::importance::Importance;
use crate::measure::Measure;
use crate::monitor::Monitor;
use crate::threads::{Threads, ordered};

/// Convergence is noted at about this many numbers of trees.
const CONVERGENCE_POINTS: usize = 60;

/// What a fold sees of one tree.
#[derive(Debug)]
pub(crate) struct TreeView<'a> {
    /// Position of the tree in the forest.
    pub(crate) index: usize,
    pub(crate) tree: &'a Tree,
    pub(crate) ranked: &'a RankedTree,
    pub(crate) training: &'a Training,
    /// The out-of-bag rows, by node; empty where the bag is unknown.
    pub(crate) out_of_bag: &'a Placement,
    /// The criterion of the nodes' impurities.
    pub(crate) impurity: Impurity,
    pub(crate) monitor: &'a Monitor,
}

impl<'a> TreeView<'a> {
    /// Routes codes of the training rows.
    pub(crate) fn router(&self) -> Router<'a> {
        Router {
            tree: self.tree,
            ranked: self.ranked,
            features: self.training.features(),
            known_levels: self.training.known_levels(),
        }
    }

    /// Positions of the leaves.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = usize> + 'a {
        let nodes = self.ranked.nodes.iter().enumerate();
        nodes.filter(|(_, node)| **node == RankedNode::Leaf).map(|(index, _)| index)
    }
}

/// A measure as a fold over trees: a part per tree, merged in the order of the trees.
pub(crate) trait Fold: Sync + 'static {
    /// What one tree contributes.
    type Part: Send + 'static;
    /// What the trees so far add up to.
    type Total: Default + Send + 'static;

    fn tree(&self, view: &TreeView<'_>) -> Self::Part;

    fn merge(&self, total: &mut Self::Total, part: Self::Part);

    fn finish(&self, total: Self::Total) -> Importance;
}

/// A [`Fold`] of any kind, with its total.
pub(crate) struct Folder {
    total: Box<dyn Any + Send>,
    fold: Box<dyn ErasedFold>,
}

type ErasedPart = Box<dyn Any + Send>;

trait ErasedFold: Sync {
    fn tree(&self, view: &TreeView<'_>) -> ErasedPart;
    fn merge(&self, total: &mut dyn Any, part: ErasedPart);
    fn finish(&self, total: Box<dyn Any + Send>) -> Importance;
}

// A folder pairs every fold with parts and totals of its own type, so that the casts hold.
impl<F: Fold> ErasedFold for F {
    fn tree(&self, view: &TreeView<'_>) -> ErasedPart {
        Box::new(Fold::tree(self, view))
    }

    fn merge(&self, total: &mut dyn Any, part: ErasedPart) {
        if let (Some(total), Ok(part)) = (total.downcast_mut(), part.downcast()) {
            Fold::merge(self, total, *part);
        }
    }

    fn finish(&self, total: Box<dyn Any + Send>) -> Importance {
        Fold::finish(self, total.downcast().map(|total| *total).unwrap_or_default())
    }
}

impl Folder {
    pub(crate) fn new<F: Fold>(fold: F) -> Self {
        Self { total: Box::new(F::Total::default()), fold: Box::new(fold) }
    }
}

/// Whether a forest keeps its trees once they were measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// All trees and bags.
    Trees,
    /// Nothing: one tree per thread is in memory at a time.
    Nothing,
}

/// What one pass over the trees found.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// One entry per measure asked for, in that order.
    pub importances: Vec<Importance>,
    /// Out-of-bag predictions.
    pub out_of_bag: OutOfBag,
    /// Losses of the out-of-bag predictions; `None` if no row was out of bag.
    pub errors: Option<Errors>,
    /// Number of trees.
    pub n_trees: usize,
    /// Mean number of leaves of a tree.
    pub mean_leaves: f64,
    /// Mean depth of a tree's deepest leaf, the root having depth 0.
    pub mean_depth: f64,
}

/// A forest that was grown and measured in one pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Grown {
    /// The forest; `None` if its trees were not to be kept.
    pub forest: Option<Forest>,
    /// What was measured.
    pub measured: Measured,
}

impl Forest {
    /// Grows a forest. Cost O(trees * mtry * n log n).
    ///
    /// # Errors
    /// [`Error::Setting`] when the settings are out of range or do not fit the data, and
    /// [`Error::Cancelled`].
    pub fn grow(
        data: &Dataset,
        config: &ForestConfig,
        threads: Threads,
        monitor: &Monitor,
    ) -> Result<Self, Error> {
        let grown = Self::grow_and_measure(data, config, &[], Keep::Trees, (threads, monitor))?;
        grown.forest.ok_or(Error::Cancelled)
    }

    /// Grows a forest and measures its variables in the same pass. The measures asked for
    /// never change the forest.
    ///
    /// # Errors
    /// As [`Forest::grow`], and [`Error::Measure`] when a measure does not apply.
    pub fn grow_and_measure(
        data: &Dataset,
        config: &ForestConfig,
        measures: &[Measure],
        keep: Keep,
        (threads, monitor): (Threads, &Monitor),
    ) -> Result<Grown, Error> {
        let settings = config.resolve(data)?;
        let features: Vec<FeatureInfo> =
            data.features().columns().iter().map(FeatureInfo::of).collect();
        let known_levels: Vec<u32> = features.iter().map(FeatureInfo::n_levels).collect();
        let columns: Vec<&Column> = data.features().columns().iter().collect();
        let training =
            Training::new(&columns, &known_levels, data.target(), data.weights(), threads);
        let forest = Self {
            features,
            target: TargetInfo::of(data.target()),
            trees: Vec::new(),
            bags: Some(Vec::new()),
            aggregation: Aggregation::Mean,
            float32_inputs: false,
            impurity: settings.impurity,
            config: Some(config.clone()),
        };
        let sampler = &Sampler::new(data, &settings);
        sampler.expected()?;
        let source = Source::Grow { settings: &settings, sampler, columns: &columns };
        let together = threads.shared_by(config.n_trees);
        let pass = Pass { forest: &forest, training: &training, source, keep, monitor, together };
        let (measured, trees, bags) = pass.run(config.n_trees, measures, threads)?;
        let forest = (keep == Keep::Trees).then_some(Self { trees, bags: Some(bags), ..forest });
        Ok(Grown { forest, measured })
    }

    /// Measures the variables of this forest on its training data.
    ///
    /// # Errors
    /// [`Error::Data`] when the data is not the training data, [`Error::Measure`] when a
    /// measure does not apply, and [`Error::Cancelled`].
    pub fn measure(
        &self,
        data: &Dataset,
        measures: &[Measure],
        (threads, monitor): (Threads, &Monitor),
    ) -> Result<Measured, Error> {
        let training = agree::training(self, data, threads)?;
        // One tree tells another table from the training data.
        agree::check_trees(self, &training, 1, threads, monitor)?;
        let (source, keep) = (Source::Stored, Keep::Nothing);
        let together = threads.shared_by(self.trees.len());
        let pass = Pass { forest: self, training: &training, source, keep, monitor, together };
        Ok(pass.run(self.trees.len(), measures, threads)?.0)
    }
}

#[derive(Clone, Copy)]
enum Source<'a> {
    Grow { settings: &'a Settings, sampler: &'a Sampler, columns: &'a [&'a Column] },
    Stored,
}

struct Pass<'a> {
    forest: &'a Forest,
    training: &'a Training,
    source: Source<'a>,
    keep: Keep,
    monitor: &'a Monitor,
    /// Threads that grow one tree, where there are more of them than trees.
    together: Threads,
}

/// What one tree leaves behind.
struct TreeResult {
    kept: Option<(Tree, Bag)>,
    n_leaves: usize,
    depth: u32,
    out_of_bag: OutOfBagPart,
    parts: Vec<ErasedPart>,
}

#[derive(Default)]
struct WorkerState {
    workspace: Workspace,
    out_of_bag: Placement,
}

type Kept = (Measured, Vec<Tree>, Vec<Bag>);

impl Pass<'_> {
    fn run(&self, n_trees: usize, measures: &[Measure], threads: Threads) -> Result<Kept, Error> {
        let mut folders = Vec::with_capacity(measures.len());
        for measure in measures {
            folders.push(measure.folder(self.forest, self.training)?);
        }
        let (folds, mut totals): (Vec<_>, Vec<_>) =
            folders.into_iter().map(|folder| (folder.fold, folder.total)).unzip();
        let mut out_of_bag = OutOfBag::new(self.training, self.forest.aggregation);
        let (mut trees, mut bags) = (Vec::new(), Vec::new());
        let (mut leaves, mut depths) = (0.0, 0.0);
        ordered(
            n_trees,
            threads,
            self.monitor,
            WorkerState::default,
            |index, state| self.tree(index, &folds, state),
            |index, result: TreeResult| {
                for ((fold, total), part) in folds.iter().zip(&mut totals).zip(result.parts) {
                    fold.merge(total.as_mut(), part);
                }
                out_of_bag.merge(&result.out_of_bag);
                if is_convergence_point(index + 1, n_trees) {
                    out_of_bag.note_convergence(index + 1, self.training);
                }
                leaves += result.n_leaves as f64;
                depths += f64::from(result.depth);
                if let Some((tree, bag)) = result.kept {
                    trees.push(tree);
                    bags.push(bag);
                }
            },
        )?;
        let importances =
            folds.iter().zip(totals).map(|(fold, total)| fold.finish(total)).collect();
        let measured = Measured {
            importances,
            errors: out_of_bag.errors(self.training),
            out_of_bag,
            n_trees,
            mean_leaves: leaves / n_trees as f64,
            mean_depth: depths / n_trees as f64,
        };
        Ok((measured, trees, bags))
    }

    fn tree(
        &self,
        index: usize,
        folds: &[Box<dyn ErasedFold>],
        state: &mut WorkerState,
    ) -> Result<TreeResult, Error> {
        match self.source {
            Source::Grow { settings, sampler, columns } => {
                let data = (self.training, columns);
                let growing = Growing::new(data, settings, self.monitor, self.together);
                let bag = sampler.bag(index);
                let (tree, ranked) = growing.grow(index, &bag, &mut state.workspace)?;
                let mut result = self.look(index, &tree, &ranked, Some(&bag), folds, state)?;
                result.kept = (self.keep == Keep::Trees).then_some((tree, bag));
                Ok(result)
            }
            Source::Stored => {
                let tree = &self.forest.trees[index];
                let ranked =
                    RankedTree::bind(tree, self.training.features(), self.forest.float32_inputs);
                // Some of the trees of a sum predict nothing: no row is out of bag.
                let bags = self.forest.bags.as_ref();
                let bag = bags.filter(|_| self.forest.aggregation != Aggregation::Sum);
                let bag = bag.map(|bags| &bags[index]);
                self.look(index, tree, &ranked, bag, folds, state)
            }
        }
    }

    /// Drops the out-of-bag rows through the tree once and shows it to all folds.
    fn look(
        &self,
        index: usize,
        tree: &Tree,
        ranked: &RankedTree,
        bag: Option<&Bag>,
        folds: &[Box<dyn ErasedFold>],
        state: &mut WorkerState,
    ) -> Result<TreeResult, Error> {
        let router = Router {
            tree,
            ranked,
            features: self.training.features(),
            known_levels: self.training.known_levels(),
        };
        state.out_of_bag.place(&router, bag.iter().flat_map(|bag| bag.out_of_bag()));
        let view = TreeView {
            index,
            tree,
            ranked,
            training: self.training,
            out_of_bag: &state.out_of_bag,
            impurity: self.forest.impurity,
            monitor: self.monitor,
        };
        let parts = folds.iter().map(|fold| fold.tree(&view)).collect();
        // Folds stop early when cancelled; their parts are then worth nothing.
        self.monitor.check()?;
        Ok(TreeResult {
            kept: None,
            n_leaves: tree.n_leaves(),
            depth: tree.depths().into_iter().max().unwrap_or(0),
            out_of_bag: OutOfBag::part(&view, self.forest.aggregation),
            parts,
        })
    }
}

/// Dense at the beginning, where the error falls, then evenly spaced.
fn is_convergence_point(n_trees: usize, total: usize) -> bool {
    n_trees <= 10 || n_trees == total || n_trees.is_multiple_of(total.div_ceil(CONVERGENCE_POINTS))
}
