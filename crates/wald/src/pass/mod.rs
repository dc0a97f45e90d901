//! One pass over the trees of a forest, grown or stored, that serves all measures at once.
//!
//! Trees are seen as they are grown or as they are stored, with equal bits. Each tree drops its
//! out-of-bag rows once (`Placement`), so that those which reach any node are one contiguous slice;
//! all folds read that arrangement. Results are merged in the order of the trees, so that sums do
//! not depend on the number of threads, and with `Keep::Nothing` one tree per thread is in memory.
//!
//! A measure that needs all trees at once, or rows besides the training rows, is a `Whole`; trees
//! are then kept while it works.

mod fold;
mod measured;
mod out_of_bag;
mod out_of_bag_tally;
mod stored;
mod subject;
mod tree_view;

pub(crate) use fold::{Fold, Folder, Outcome, Plan, Whole};
pub use measured::{Grown, Measured};
pub use out_of_bag::{Errors, OutOfBag};
pub(crate) use out_of_bag::{OutOfBagPart, area_under_curve};
pub(crate) use out_of_bag_tally::OutOfBagTally;
pub(crate) use subject::Subject;
pub(crate) use tree_view::TreeView;

use std::borrow::Cow;

use crate::data::{Column, Groups};
use crate::error::Error;
use crate::forest::{
    Aggregation, Bag, Forest, Growing, Placement, RankedTree, Router, Sampler, Settings, Tree,
    Workspace, predictions_of_tree,
};
use crate::importance::Importance;
use crate::parts::{Written, distributed};
use crate::pass::fold::{ErasedFold, ErasedPart};
use crate::pass::stored::StoredTree;
use crate::pass::tree_view::AskedFor;
use crate::run::{Run, Threads};

/// Convergence is noted at about this many numbers of trees.
const CONVERGENCE_POINTS: usize = 60;

/// Folds with the positions of their measures.
pub(crate) type Folders = Vec<(usize, Folder)>;

/// Where trees come from.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    Grow {
        settings: &'a Settings,
        sampler: &'a Sampler,
        columns: &'a [&'a Column],
        /// The first trees, where they were grown before.
        before: Option<&'a Forest>,
    },
    Stored,
}

pub(crate) struct Pass<'a> {
    pub(crate) subject: Subject<'a>,
    pub(crate) source: Source<'a>,
    /// Whether trees and bags are kept.
    pub(crate) keep: bool,
    /// Columns of rows that every tree predicts; may be none.
    pub(crate) new_rows: &'a [Cow<'a, Column>],
    /// What an earlier pass over a stored forest found, so that rows go down its trees for the folds
    /// alone.
    pub(crate) known: Option<&'a Measured>,
    /// Whether the folds look at rows.
    pub(crate) reads_rows: bool,
    pub(crate) run: &'a Run,
    /// Threads that grow one tree, where there are more of them than trees.
    pub(crate) together: Threads,
}

/// What one tree leaves behind.
struct TreeResult {
    kept: Option<(Tree, Bag)>,
    n_leaves: usize,
    depth: u32,
    out_of_bag: OutOfBagPart,
    parts: Vec<ErasedPart>,
    /// The tree's predictions for new rows.
    new_rows: Vec<f64>,
}

#[derive(Default)]
struct WorkerState {
    workspace: Workspace,
    out_of_bag: Placement,
}

/// What all trees leave behind.
pub(crate) struct Passed {
    pub(crate) measured: Measured,
    pub(crate) trees: Vec<Tree>,
    pub(crate) bags: Vec<Bag>,
    pub(crate) predictions: Vec<f64>,
}

impl Pass<'_> {
    pub(crate) fn run(&self, folders: Folders) -> Result<Passed, Error> {
        let Subject { forest, training, groups, n_trees, .. } = self.subject;
        let (folds, mut totals): (Vec<_>, Vec<_>) =
            folders.into_iter().map(|(_, folder)| (folder.fold, folder.total)).unzip();
        let mut out_of_bag = OutOfBag::new(training, forest.aggregation);
        let (mut trees, mut bags) = (Vec::new(), Vec::new());
        let (mut leaves, mut depths) = (0.0, 0.0);
        let n_new_rows = self.new_rows.first().map_or(0, |column| column.len());
        let mut predictions = vec![0.0; n_new_rows * training.n_outputs()];
        let written = Written {
            write: &|result| StoredTree::write(result, &folds),
            read: &|tree, bytes| StoredTree::read(tree, bytes, &folds, self),
        };
        let tree = |index: usize, state: &mut WorkerState| self.tree(index, &folds, state);
        distributed(
            n_trees,
            &written,
            self.run,
            (WorkerState::default, tree),
            |index, result: TreeResult| {
                for ((fold, total), part) in folds.iter().zip(&mut totals).zip(result.parts) {
                    fold.merge(total.as_mut(), part);
                }
                out_of_bag.merge(&result.out_of_bag);
                if self.known.is_none() && is_convergence_point(index + 1, n_trees) {
                    out_of_bag.note_convergence(index + 1, training);
                }
                leaves += result.n_leaves as f64;
                depths += f64::from(result.depth);
                predictions
                    .iter_mut()
                    .zip(&result.new_rows)
                    .for_each(|(sum, prediction)| *sum += prediction);
                if let Some((tree, bag)) = result.kept {
                    trees.push(tree);
                    bags.push(bag);
                }
            },
        )?;
        let classes = forest.target.classes.as_deref().unwrap_or_default();
        let measured = self.known.map_or_else(
            || Measured {
                importances: Vec::new(),
                groups: groups.clone(),
                errors: out_of_bag.errors(training),
                out_of_bag,
                n_trees,
                mean_leaves: leaves / n_trees as f64,
                mean_depth: depths / n_trees as f64,
            },
            Measured::clone,
        );
        let outcome = Outcome {
            training,
            groups,
            out_of_bag: &measured.out_of_bag,
            classes,
            threads: self.run.threads,
        };
        let finished = folds.iter().zip(totals).map(|(fold, total)| fold.finish(total, outcome));
        let has_splits = measured.has_splits();
        let importances = finished.map(|found| noted(found, has_splits, groups)).collect();
        let measured = Measured { importances, ..measured };
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
            Source::Grow { before: Some(before), .. } if index < before.trees.len() => {
                let (tree, bags) = (before.trees[index].unpacked(), before.bags.as_deref());
                let tree = &*tree;
                let ranked = RankedTree::bind(tree, self.subject.training.features(), false);
                let bag = bags.map(|bags| &bags[index]);
                let mut result = self.look(index, self.router(tree, &ranked), bag, folds, state)?;
                result.new_rows = predictions_of_tree(tree, before, self.new_rows);
                result.kept =
                    bag.filter(|_| self.keep).map(|bag| (before.trees[index].clone(), bag.clone()));
                Ok(result)
            }
            Source::Grow { settings, sampler, columns, .. } => {
                let Subject { training, forest, .. } = self.subject;
                let progress = &self.run.progress;
                let growing = Growing::new(training, columns, settings, progress, self.together);
                let bag = sampler.bag(index);
                let (tree, ranked) = growing.grow(index, &bag, &mut state.workspace)?;
                let mut result =
                    self.look(index, self.router(&tree, &ranked), Some(&bag), folds, state)?;
                result.new_rows = predictions_of_tree(&tree, forest, self.new_rows);
                result.kept = self.keep.then(|| (tree.packed(), bag));
                Ok(result)
            }
            Source::Stored => {
                let tree = self.subject.forest.trees[index].unpacked();
                let ranked = if self.known.is_some() && !self.reads_rows {
                    RankedTree::unbound()
                } else {
                    let float32_inputs = self.subject.forest.float32_inputs;
                    RankedTree::bind(&tree, self.subject.training.features(), float32_inputs)
                };
                // Some of the trees of a sum predict nothing: no row is out of bag.
                let bags = self.subject.forest.bags.as_ref();
                let bag = bags.filter(|_| self.subject.forest.aggregation != Aggregation::Sum);
                let bag = bag.map(|bags| &bags[index]);
                self.look(index, self.router(&tree, &ranked), bag, folds, state)
            }
        }
    }

    fn router<'a>(&'a self, tree: &'a Tree, ranked: &'a RankedTree) -> Router<'a> {
        Router::new(tree, ranked, self.subject.training)
    }

    /// Drops the out-of-bag rows through the tree once and shows it to all folds.
    fn look(
        &self,
        index: usize,
        router: Router<'_>,
        bag: Option<&Bag>,
        folds: &[Box<dyn ErasedFold>],
        state: &mut WorkerState,
    ) -> Result<TreeResult, Error> {
        let Router { tree, ranked, .. } = router;
        let is_known = self.known.is_some();
        if !is_known || self.reads_rows {
            let out_of_bag = bag.iter().flat_map(|bag| bag.out_of_bag());
            state.out_of_bag.place(&router, out_of_bag);
        }
        let view = TreeView {
            index,
            tree,
            ranked,
            training: self.subject.training,
            groups: self.subject.groups,
            out_of_bag: &state.out_of_bag,
            bag,
            asked_for: AskedFor::default(),
            impurity: self.subject.forest.impurity,
            progress: &self.run.progress,
        };
        let parts = folds.iter().map(|fold| fold.tree(&view)).collect();
        // Folds stop early when cancelled; their parts are then worth nothing.
        self.run.progress.check()?;
        let (n_leaves, depth, out_of_bag) = if is_known {
            (0, 0, OutOfBagPart::default())
        } else {
            let depth = tree.depths().into_iter().max().unwrap_or(0);
            let out_of_bag = OutOfBag::part(&view, self.subject.forest.aggregation);
            (tree.n_leaves(), depth, out_of_bag)
        };
        Ok(TreeResult { kept: None, n_leaves, depth, out_of_bag, parts, new_rows: Vec::new() })
    }
}

/// One more pass over the trees of a forest that is there, for measures whose sets follow from
/// all trees.
pub(crate) fn fold_again<F: Fold>(
    subject: Subject<'_>,
    fold: F,
    run: &Run,
) -> Result<Importance, Error> {
    let folder = Folder { total: Box::new(F::Total::default()), fold: Box::new(fold) };
    let together = run.threads.shared_by(subject.n_trees);
    let (source, new_rows) = (Source::Stored, &[][..]);
    let (known, reads_rows) = (None, true);
    let pass = Pass { subject, source, keep: false, new_rows, known, reads_rows, run, together };
    let mut importances = pass.run(vec![(0, folder)])?.measured.importances;
    importances.pop().ok_or(Error::Cancelled)
}

pub(crate) const NO_SPLIT: &str = "no tree has a split";

/// The note on forests none of whose trees has one.
pub(crate) fn note_on_no_split() -> String {
    format!(
        "{NO_SPLIT}, so that nothing is known about any variable: more rows or smaller leaves \
         would let trees divide them"
    )
}

/// The note on a forest, where it is one of these.
pub(crate) fn note_on_splits(forest: &Forest) -> Option<String> {
    (!forest.has_splits()).then(note_on_no_split)
}

/// Names what values are of, groups unless the measure has named others, and notes that they are those
/// of trees without splits.
pub(crate) fn noted(mut found: Importance, has_splits: bool, groups: &Groups) -> Importance {
    if found.names.is_empty() {
        found.names = groups.names().to_vec();
    }
    assert_eq!(found.names.len(), found.values.len(), "every value has a name");
    if !has_splits {
        found.notes.push(note_on_no_split());
    }
    found
}

/// Dense at the beginning, where the error falls, then evenly spaced.
fn is_convergence_point(n_trees: usize, total: usize) -> bool {
    n_trees <= 10 || n_trees == total || n_trees.is_multiple_of(total.div_ceil(CONVERGENCE_POINTS))
}
