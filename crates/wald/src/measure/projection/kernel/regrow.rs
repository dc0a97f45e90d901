//! Trees that are grown again without a group of columns, below the first splits on it only.
//!
//! At a node of a branch another variable is drawn for each that is left out, so that as many compete
//! as in the forest: with fewer, trees without a large group would be those of a smaller mtry. Above
//! those splits trees stay as they are. A variable that was drawn there and not chosen would be replaced,
//! too, if whole trees were grown; where all variables compete, that changes nothing. The cost does not
//! rise with the number of variables: a row meets few of them on its path.

use crate::data::{Column, Dataset};
use crate::error::Error;
use crate::forest::{
    Aggregation, Bounds, Branch, Forest, ForestConfig, GrowBranches, Growing, Node, Placement,
    Router, Settings, Workspace, align,
};
use crate::measure::kernel::changes::Changes;
use crate::measure::kernel::node_predictions::NodePredictions;
use crate::pass::TreeView;
use crate::random::NodeKey;
use crate::run::Threads;

/// How trees are grown again.
#[derive(Debug)]
pub(crate) struct Regrowing {
    /// Those of the forest.
    settings: Settings,
    /// In the order of the forest's variables.
    columns: Vec<Column>,
    mtry: Mtry,
}

/// Where the number of variables that are tried at a node is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mtry {
    /// All settings of the forest are known.
    OfSettings,
    /// The file of a foreign forest has it, and nothing else of how it was grown.
    OfFile,
    /// It is estimated from the splits at the roots of a foreign forest.
    Estimated,
}

impl Regrowing {
    /// `None` where it is not known how the forest was grown.
    ///
    /// # Errors
    /// As [`align`], and where the settings do not fit the data.
    pub(crate) fn of(data: &Dataset, forest: &Forest) -> Result<Option<Self>, Error> {
        let Some(config) = forest.config() else { return Ok(None) };
        let columns = align(data.features(), forest.features())?;
        let columns: Vec<Column> = columns.into_iter().map(std::borrow::Cow::into_owned).collect();
        let names = columns.iter().map(Column::name);
        let settings = config.resolve_for(data, names)?;
        Ok(Some(Self { settings, columns, mtry: Mtry::OfSettings }))
    }

    /// The same of any forest; what a forest of another program does not store is taken from its
    /// trees. `None` as well where trees were pruned.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub(crate) fn seen(data: &Dataset, forest: &Forest) -> Result<Option<Self>, Error> {
        if forest.config().is_some_and(ForestConfig::prunes) {
            return Ok(None);
        }
        if forest.config().is_some() || forest.bags().is_none() {
            return Self::of(data, forest);
        }
        let columns = align(data.features(), forest.features())?;
        let columns: Vec<Column> = columns.into_iter().map(std::borrow::Cow::into_owned).collect();
        let Some(sizes) = Sizes::seen(forest) else { return Ok(None) };
        let config = ForestConfig {
            mtry: Some(forest.mtry().unwrap_or_else(|| mtry_seen(forest, columns.len()))),
            min_node_size: Some(sizes.split.saturating_sub(1).max(1)),
            min_leaf_size: sizes.leaf,
            max_depth: Some(sizes.depth),
            ..ForestConfig::default()
        };
        let names = columns.iter().map(Column::name);
        let settings = config.resolve_for(data, names)?;
        let mtry = if forest.mtry().is_some() { Mtry::OfFile } else { Mtry::Estimated };
        Ok(Some(Self { settings, columns, mtry }))
    }

    /// Variables that are tried at a node.
    pub(crate) fn mtry(&self) -> usize {
        self.settings.mtry.min(self.settings.subspace)
    }

    /// Where [`Self::mtry`] is from.
    pub(crate) fn source_of_mtry(&self) -> Mtry {
        self.mtry
    }

    /// The variables of the forest.
    pub(crate) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The changes of a tree's out-of-bag predictions when it is grown again without each of the
    /// groups for which `is_wanted` holds; `None` when cancelled. Cost: that of growing about half the
    /// tree for every such group that a row meets on its path, in the mean over rows.
    pub(crate) fn changes(
        &self,
        view: &TreeView<'_>,
        is_wanted: &dyn Fn(usize) -> bool,
    ) -> Option<Changes> {
        let columns: Vec<&Column> = self.columns.iter().collect();
        // Trees are grown side by side already.
        let (settings, alone) = (&self.settings, Threads::ONE);
        let growing = Growing::new(view.training, &columns, settings, view.progress, alone);
        let root = growing.root_key(view.index);
        let mut again = Again::new(view);
        let work = |branches: &mut dyn GrowBranches| again.visit_all(root, is_wanted, branches);
        growing.again(view.index, view.bag?, &mut Workspace::default(), work).ok()?;
        Some(again.changes)
    }
}

/// The largest depth of the leaves of a forest, and the smallest weights of leaves and splits.
struct Sizes {
    depth: usize,
    leaf: usize,
    split: usize,
}

impl Sizes {
    /// `None` where the weights of nodes are not known, or nothing is split.
    fn seen(forest: &Forest) -> Option<Self> {
        let (mut deepest, mut leaf, mut split) = (0, f64::INFINITY, f64::INFINITY);
        for tree in forest.trees() {
            let weights = &tree.statistics()?.weights;
            let mut depths = vec![0_usize; tree.nodes().len()];
            // Children come after their parents.
            for (node, kind) in tree.nodes().iter().enumerate() {
                match kind {
                    Node::Leaf => {
                        deepest = deepest.max(depths[node]);
                        leaf = leaf.min(weights[node]);
                    }
                    Node::Split(at) => {
                        split = split.min(weights[node]);
                        for child in tree.children(at) {
                            depths[child] = depths[node] + 1;
                        }
                    }
                }
            }
        }
        let whole = |weight: f64| (weight as usize).max(1);
        let is_known = deepest > 0 && leaf.is_finite() && split.is_finite();
        is_known.then(|| Self { depth: deepest, leaf: whole(leaf), split: whole(split) })
    }
}

/// About how many variables of p compete at a node: neither of the two variables that most roots
/// split on was drawn at the others, which happens with probability (1 - mtry / p)^2.
fn mtry_seen(forest: &Forest, p: usize) -> usize {
    let mut counts = vec![0_usize; p];
    let mut n_roots = 0;
    for tree in forest.trees() {
        if let Some(Node::Split(split)) = tree.nodes().first() {
            counts[split.feature as usize] += 1;
            n_roots += 1;
        }
    }
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let leading: usize = counts.iter().take(2).sum();
    let others = 1.0 - leading as f64 / f64::from(n_roots.max(1));
    let mtry = (p as f64 * (1.0 - others.sqrt())).round() as usize;
    mtry.clamp(1, p.max(1))
}

/// One tree.
struct Again<'a> {
    view: &'a TreeView<'a>,
    predictions: NodePredictions,
    /// The canonical columns of each group.
    members: Vec<Vec<u32>>,
    /// By canonical column: true while it may not be used.
    without: Vec<bool>,
    rows: Vec<u32>,
    placement: Placement,
    changes: Changes,
}

enum Visit {
    Node(Place),
    Leave(usize),
}

/// A node, and where it stands.
#[derive(Clone, Copy)]
struct Place {
    node: usize,
    depth: u32,
    key: NodeKey,
    bounds: Bounds,
}

impl<'a> Again<'a> {
    fn new(view: &'a TreeView<'a>) -> Self {
        let n_columns = view.training.features().n_columns();
        let mut members = vec![Vec::new(); view.groups.n_groups()];
        for column in 0..n_columns as u32 {
            members[view.group(column)].push(column);
        }
        Self {
            view,
            predictions: NodePredictions::new(view, Aggregation::Mean),
            members,
            without: vec![false; n_columns],
            rows: Vec::new(),
            placement: Placement::default(),
            changes: Changes::default(),
        }
    }

    /// Goes through the tree and grows again what is below the first split on every wanted group.
    fn visit_all(
        &mut self,
        root: NodeKey,
        is_wanted: &dyn Fn(usize) -> bool,
        branches: &mut dyn GrowBranches,
    ) -> Result<(), Error> {
        let view = self.view;
        let router = view.router();
        let mut used = vec![false; self.members.len()];
        let place = Place { node: 0, depth: 0, key: root, bounds: Bounds::NONE };
        let mut pending = vec![Visit::Node(place)];
        while let Some(visit) = pending.pop() {
            let place = match visit {
                Visit::Leave(group) => {
                    used[group] = false;
                    continue;
                }
                Visit::Node(place) => place,
            };
            let Some(split) = router.split(place.node) else { continue };
            if view.out_of_bag.rows(place.node).is_empty() {
                continue;
            }
            let group = view.groups.of_column()[split.feature as usize] as usize;
            if !used[group] && is_wanted(group) {
                used[group] = true;
                pending.push(Visit::Leave(group));
                self.grow_again(place, group, branches)?;
            }
            let bounds = branches.bounds_below(place.bounds, split, &mut |side, rows| {
                rows.extend_from_slice(view.in_bag().rows((split.first_child + side) as usize));
            });
            for (offset, child) in (0..).zip(view.tree.children(split)) {
                pending.push(Visit::Node(Place {
                    node: child,
                    depth: place.depth + 1,
                    key: place.key.child(offset),
                    // More than two children have no bounds.
                    bounds: bounds[offset.min(1) as usize],
                }));
            }
        }
        Ok(())
    }

    fn grow_again(
        &mut self,
        place: Place,
        group: usize,
        branches: &mut dyn GrowBranches,
    ) -> Result<(), Error> {
        let view = self.view;
        let Place { node, depth, key, bounds } = place;
        self.rows.clear();
        self.rows.extend_from_slice(view.in_bag().rows(node));
        self.rows.sort_unstable();
        self.allow(group, false);
        let branch = Branch { rows: &self.rows, depth, key, bounds, without: &self.without };
        let (tree, ranked) = branches.grow(branch)?;
        self.allow(group, true);
        let router = Router::new(&tree, &ranked, view.training);
        let mut placement = std::mem::take(&mut self.placement);
        placement.place(&router, view.out_of_bag.rows(node).iter().copied());
        for (leaf, rows) in placement.leaves(&tree) {
            for &row in rows {
                self.note(row, group, &tree.value(leaf));
            }
        }
        self.placement = placement;
        Ok(())
    }

    fn allow(&mut self, group: usize, is_allowed: bool) {
        for &column in &self.members[group] {
            self.without[column as usize] = !is_allowed;
        }
    }

    /// Notes the change from the ordinary prediction of an out-of-bag row.
    fn note(&mut self, row: u32, group: usize, value: &[f64]) {
        let ordinary = self.predictions.by(self.predictions.leaf_of(row));
        self.changes.note(row, group, value, ordinary);
    }
}
