//! One pass over the trees of a forest, grown or stored, that serves all measures at once.

use std::any::Any;
use std::borrow::Cow;
use std::cell::OnceCell;

use crate::data::{Column, Dataset, Groups, Training};
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
use crate::forest::{Aggregation, Forest, ForestConfig, Impurity, predict};
use crate::importance::Importance;
use crate::measure::{Measure, Subject};
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
    /// What importances are given for.
    pub(crate) groups: &'a Groups,
    /// The out-of-bag rows, by node; empty where the bag is unknown.
    pub(crate) out_of_bag: &'a Placement,
    /// The tree's bag, where it is known.
    pub(crate) bag: Option<&'a Bag>,
    /// Filled when a measure asks for it.
    in_bag: OnceCell<Placement>,
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

    /// The rows in the bag that have a positive weight, by node; none where the bag is unknown.
    pub(crate) fn in_bag(&self) -> &Placement {
        self.in_bag.get_or_init(|| {
            let mut placement = Placement::default();
            let rows = self.bag.iter().flat_map(|bag| bag.in_bag());
            let counted = rows.filter(|&row| self.training.weight(row) > 0.0);
            placement.place(&self.router(), counted);
            placement
        })
    }

    /// The group of a canonical column.
    pub(crate) fn group(&self, column: u32) -> usize {
        self.groups.of_column()[self.training.features().original(column) as usize] as usize
    }

    /// The canonical column that names the random streams of a group.
    pub(crate) fn key_column(&self, group: usize) -> u32 {
        let columns = self.groups.members()[group].iter();
        let canonical = columns.map(|&column| self.training.features().canonical(column));
        canonical.min().unwrap_or_default()
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

    fn finish(&self, total: Self::Total, outcome: Outcome<'_>) -> Importance;
}

/// What is known when all trees were seen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome<'a> {
    pub(crate) training: &'a Training,
    pub(crate) groups: &'a Groups,
    pub(crate) out_of_bag: &'a OutOfBag,
    /// Names of the classes; none for numbers.
    pub(crate) classes: &'a [String],
}

/// A measure that looks at the whole forest at once, or grows others like it.
pub(crate) trait Whole {
    fn measure(&self, subject: Subject<'_>, scene: &Scene<'_>) -> Result<Importance, Error>;
}

/// What a [`Whole`] measure works with besides the forest.
#[derive(Debug)]
pub(crate) struct Scene<'a> {
    pub(crate) threads: Threads,
    pub(crate) monitor: &'a Monitor,
}

/// How a measure is computed.
pub(crate) enum Plan {
    /// In one pass over the trees, which need not be kept.
    Fold(Folder),
    /// From all trees together.
    Whole(Box<dyn Whole>),
}

impl Plan {
    pub(crate) fn fold<F: Fold>(fold: F) -> Self {
        Self::Fold(Folder { total: Box::new(F::Total::default()), fold: Box::new(fold) })
    }

    pub(crate) fn whole<W: Whole + 'static>(whole: W) -> Self {
        Self::Whole(Box::new(whole))
    }
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
    fn finish(&self, total: Box<dyn Any + Send>, outcome: Outcome<'_>) -> Importance;
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

    fn finish(&self, total: Box<dyn Any + Send>, outcome: Outcome<'_>) -> Importance {
        let total = total.downcast().map(|total| *total).unwrap_or_default();
        Fold::finish(self, total, outcome)
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
    /// What the importances are given for, in their order.
    pub groups: Groups,
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

/// A data set that was ranked before, so that several forests can be grown on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) data: &'a Dataset,
    pub(crate) training: &'a Training,
    /// The columns of rows to predict, in the order of the data; may be none.
    pub(crate) new_rows: &'a [Cow<'a, Column>],
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
        // What does not fit the data is refused before they are ranked.
        config.resolve(data)?;
        let training = Training::of(data, threads);
        let ground = Ground { data, training: &training, new_rows: &[] };
        let (grown, _) = ground.grow_and_measure(config, measures, keep, (threads, monitor))?;
        Ok(grown)
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
        let names: Vec<&str> = self.features.iter().map(|feature| feature.name.as_str()).collect();
        let groups = data.groups().aligned(data.features(), &names);
        let n_trees = self.trees.len();
        let subject = Subject { data, forest: self, training: &training, groups: &groups, n_trees };
        let (folds, wholes) = subject.plans(measures)?;
        let together = threads.shared_by(n_trees);
        let (source, new_rows) = (Source::Stored, &[][..]);
        let pass = Pass { subject, source, keep: false, new_rows, monitor, together };
        let mut measured = pass.run(folds, threads)?.measured;
        measured.add(wholes, subject, (threads, monitor))?;
        Ok(measured)
    }
}

impl Ground<'_> {
    /// As [`Forest::grow_and_measure`]; also predicts the new rows, as [`Forest::predict`].
    pub(crate) fn grow_and_measure(
        self,
        config: &ForestConfig,
        measures: &[Measure],
        keep: Keep,
        (threads, monitor): (Threads, &Monitor),
    ) -> Result<(Grown, Vec<f64>), Error> {
        let Self { data, training, new_rows } = self;
        let settings = config.resolve(data)?;
        let columns: Vec<&Column> = data.features().columns().iter().collect();
        let forest = Forest {
            features: data.features().columns().iter().map(FeatureInfo::of).collect(),
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
        let subject = Subject {
            data,
            forest: &forest,
            training,
            groups: data.groups(),
            n_trees: config.n_trees,
        };
        let (folds, wholes) = subject.plans(measures)?;
        let needs_trees = keep == Keep::Trees || !wholes.is_empty();
        let pass = Pass { subject, source, keep: needs_trees, new_rows, monitor, together };
        let Passed { mut measured, trees, bags, predictions } = pass.run(folds, threads)?;
        let forest = needs_trees.then(|| Forest { trees, bags: Some(bags), ..forest.clone() });
        if let Some(forest) = &forest {
            measured.add(wholes, Subject { forest, ..subject }, (threads, monitor))?;
        }
        let forest = forest.filter(|_| keep == Keep::Trees);
        Ok((Grown { forest, measured }, predictions))
    }
}

/// Folds with the positions of their measures.
type Folders = Vec<(usize, Folder)>;
type Wholes = Vec<(usize, Box<dyn Whole>)>;

impl Subject<'_> {
    fn plans(self, measures: &[Measure]) -> Result<(Folders, Wholes), Error> {
        let (mut folds, mut wholes) = (Vec::new(), Vec::new());
        for (position, measure) in measures.iter().enumerate() {
            match measure.plan(self)? {
                Plan::Fold(folder) => folds.push((position, folder)),
                Plan::Whole(whole) => wholes.push((position, whole)),
            }
        }
        Ok((folds, wholes))
    }
}

impl Measured {
    /// Adds the measures of whole forests; every measure goes to its position.
    fn add(
        &mut self,
        wholes: Wholes,
        subject: Subject<'_>,
        (threads, monitor): (Threads, &Monitor),
    ) -> Result<(), Error> {
        for (position, whole) in wholes {
            let scene = Scene { threads, monitor };
            let importance = whole.measure(subject, &scene)?;
            self.importances.insert(position.min(self.importances.len()), importance);
        }
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum Source<'a> {
    Grow { settings: &'a Settings, sampler: &'a Sampler, columns: &'a [&'a Column] },
    Stored,
}

struct Pass<'a> {
    subject: Subject<'a>,
    source: Source<'a>,
    /// Whether trees and bags are kept.
    keep: bool,
    /// Columns of rows that every tree predicts; may be none.
    new_rows: &'a [Cow<'a, Column>],
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
    /// What the tree says of new rows.
    new_rows: Vec<f64>,
}

#[derive(Default)]
struct WorkerState {
    workspace: Workspace,
    out_of_bag: Placement,
}

/// What all trees leave behind.
struct Passed {
    measured: Measured,
    trees: Vec<Tree>,
    bags: Vec<Bag>,
    predictions: Vec<f64>,
}

impl Pass<'_> {
    fn run(&self, folders: Folders, threads: Threads) -> Result<Passed, Error> {
        let Subject { forest, training, groups, n_trees, .. } = self.subject;
        let (folds, mut totals): (Vec<_>, Vec<_>) =
            folders.into_iter().map(|(_, folder)| (folder.fold, folder.total)).unzip();
        let mut out_of_bag = OutOfBag::new(training, forest.aggregation);
        let (mut trees, mut bags) = (Vec::new(), Vec::new());
        let (mut leaves, mut depths) = (0.0, 0.0);
        let n_new_rows = self.new_rows.first().map_or(0, |column| column.len());
        let mut predictions = vec![0.0; n_new_rows * training.n_outputs()];
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
                    out_of_bag.note_convergence(index + 1, training);
                }
                leaves += result.n_leaves as f64;
                depths += f64::from(result.depth);
                predictions.iter_mut().zip(&result.new_rows).for_each(|(sum, said)| *sum += said);
                if let Some((tree, bag)) = result.kept {
                    trees.push(tree);
                    bags.push(bag);
                }
            },
        )?;
        let classes = forest.target.classes.as_deref().unwrap_or_default();
        let outcome = Outcome { training, groups, out_of_bag: &out_of_bag, classes };
        let importances =
            folds.iter().zip(totals).map(|(fold, total)| fold.finish(total, outcome)).collect();
        let measured = Measured {
            importances,
            groups: groups.clone(),
            errors: out_of_bag.errors(training),
            out_of_bag,
            n_trees,
            mean_leaves: leaves / n_trees as f64,
            mean_depth: depths / n_trees as f64,
        };
        predictions.iter_mut().for_each(|sum| *sum /= n_trees as f64);
        Ok(Passed { measured, trees, bags, predictions })
    }

    fn tree(
        &self,
        index: usize,
        folds: &[Box<dyn ErasedFold>],
        state: &mut WorkerState,
    ) -> Result<TreeResult, Error> {
        match self.source {
            Source::Grow { settings, sampler, columns } => {
                let Subject { training, forest, .. } = self.subject;
                let data = (training, columns);
                let growing = Growing::new(data, settings, self.monitor, self.together);
                let bag = sampler.bag(index);
                let (tree, ranked) = growing.grow(index, &bag, &mut state.workspace)?;
                let mut result = self.look(index, &tree, &ranked, Some(&bag), folds, state)?;
                result.new_rows = predict::of_one_tree(&tree, forest, self.new_rows);
                result.kept = self.keep.then_some((tree, bag));
                Ok(result)
            }
            Source::Stored => {
                let tree = &self.subject.forest.trees[index];
                let ranked = RankedTree::bind(
                    tree,
                    self.subject.training.features(),
                    self.subject.forest.float32_inputs,
                );
                // Some of the trees of a sum predict nothing: no row is out of bag.
                let bags = self.subject.forest.bags.as_ref();
                let bag = bags.filter(|_| self.subject.forest.aggregation != Aggregation::Sum);
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
            features: self.subject.training.features(),
            known_levels: self.subject.training.known_levels(),
        };
        state.out_of_bag.place(&router, bag.iter().flat_map(|bag| bag.out_of_bag()));
        let view = TreeView {
            index,
            tree,
            ranked,
            training: self.subject.training,
            groups: self.subject.groups,
            out_of_bag: &state.out_of_bag,
            bag,
            in_bag: OnceCell::new(),
            impurity: self.subject.forest.impurity,
            monitor: self.monitor,
        };
        let parts = folds.iter().map(|fold| fold.tree(&view)).collect();
        // Folds stop early when cancelled; their parts are then worth nothing.
        self.monitor.check()?;
        Ok(TreeResult {
            kept: None,
            n_leaves: tree.n_leaves(),
            depth: tree.depths().into_iter().max().unwrap_or(0),
            out_of_bag: OutOfBag::part(&view, self.subject.forest.aggregation),
            parts,
            new_rows: Vec::new(),
        })
    }
}

/// Dense at the beginning, where the error falls, then evenly spaced.
fn is_convergence_point(n_trees: usize, total: usize) -> bool {
    n_trees <= 10 || n_trees == total || n_trees.is_multiple_of(total.div_ceil(CONVERGENCE_POINTS))
}
