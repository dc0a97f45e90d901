//! Growing one tree on rank codes.

mod again;
mod arrangement;
mod branches;
mod building;
mod direct;
mod divide;
mod position;
mod presorted;
mod rule;
mod sequence;
#[cfg(test)]
mod shadow_tests;
mod simd;
mod sort;
mod tree_grower;
mod unsorted;

pub(crate) use again::{Branch, GrowBranches};
pub(crate) use direct::MOST_CELLS;
pub(crate) use position::Position;
#[cfg(test)]
pub(crate) use simd::allowed::MOST_BITS;
pub(crate) use simd::{Wide, wide};

use crate::data::{Column, DrawOrder, Training};
use crate::error::Error;
use crate::forest::grow::arrangement::{Arrangement, Span};
use crate::forest::grow::direct::Direct;
use crate::forest::grow::presorted::Presorted;
use crate::forest::grow::tree_grower::{Nodes, Pending, Smaller, TreeGrower};
use crate::forest::grow::unsorted::Unsorted;
use crate::forest::ranked::RankedTree;
use crate::forest::sample::Bag;
use crate::forest::settings::Settings;
use crate::forest::split::{ClassScorer, Criterion, NumberScorer, TIE, TestScorer};
use crate::forest::tree::Tree;
use crate::forest::ways::{Impurity, Sampling, Splitting};
use crate::monitor::Monitor;
use crate::random::{NodeKey, Purpose, Stream};
use crate::threads::Threads;

/// The columns of a tree are kept sorted unless fewer than one in this many is tried at a node.
pub(crate) const COLUMNS_PER_TRY: usize = 16;

/// The same for a table of few rows, whose nodes are soon sorted.
const COLUMNS_PER_TRY_OF_FEW: usize = 12;

/// So many rows are few.
const FEW_ROWS: usize = 10_000;

/// A tree of fewer rows is not worth the trouble of sharing it between threads.
const LEAST_SHARED: usize = 10_000;

/// Branches per thread that share a tree: some are larger than others.
const BRANCHES_PER_THREAD: usize = 8;

/// What growing reads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Growing<'a> {
    training: &'a Training,
    /// The columns that the codes of `training` stand for, in the user's order.
    columns: &'a [&'a Column],
    settings: &'a Settings,
    monitor: &'a Monitor,
    /// The canonical columns that may be used, where not all of them.
    allowed: Option<&'a [u32]>,
    /// By canonical column: true where a drawn variable is passed over.
    without: Option<&'a [bool]>,
    /// The order in which variables are drawn, where it is not the canonical one.
    order: Option<&'a DrawOrder>,
    /// The weight of the bag of the tree, in units.
    bag_weight: f64,
    plan: Plan,
}

/// How the rows of nodes are arranged; changes no bit of a tree.
#[derive(Debug, Clone, Copy)]
struct Plan {
    /// True when all columns are kept sorted; positions then number the in-bag rows.
    keeps_sorted: bool,
    /// Nodes of at most this many rows are moved to arrangements of their own: where positions
    /// of 16 bits do, and where all that is known of the rows stays in the fastest memory.
    smaller: [usize; 2],
    /// How many threads grow one tree, and the fewest rows for which they do.
    together: (Threads, usize),
}

/// Working memory of one thread; nothing is allocated per node.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    large: Presorted<u32>,
    small: [Presorted<u16>; 2],
    unsorted: Unsorted,
    direct: Direct,
    nodes: Nodes,
}

/// True when all columns of a tree are kept sorted.
pub(super) fn keeps_sorted(settings: &Settings, n_rows: usize) -> bool {
    let per_try = if n_rows <= FEW_ROWS { COLUMNS_PER_TRY_OF_FEW } else { COLUMNS_PER_TRY };
    settings.splitting == Splitting::Best && settings.subspace <= per_try * settings.mtry
}

impl<'a> Growing<'a> {
    pub(crate) fn new(
        (training, columns): (&'a Training, &'a [&'a Column]),
        settings: &'a Settings,
        monitor: &'a Monitor,
        together: Threads,
    ) -> Self {
        let plan = Plan {
            keeps_sorted: keeps_sorted(settings, training.n_rows()),
            smaller: [usize::from(u16::MAX), 2048],
            together: (together, LEAST_SHARED),
        };
        // Bags that are drawn depend on where rows stand, and so may the rest.
        let by_content = settings.sampling == Sampling::All;
        let order = by_content.then(|| training.draw_order(together));
        Self {
            training,
            columns,
            settings,
            monitor,
            allowed: None,
            without: None,
            order,
            bag_weight: 0.0,
            plan,
        }
    }

    /// Lets trees use some columns only (canonical positions, increasing), as if the table had no
    /// others. The settings must fit them.
    pub(crate) fn using(self, columns: &'a [u32]) -> Self {
        Self { allowed: Some(columns), ..self }
    }

    /// Grows the tree with the given index on its bag.
    ///
    /// # Errors
    /// [`Error::Cancelled`] only.
    pub(crate) fn grow(
        mut self,
        index: usize,
        bag: &Bag,
        workspace: &mut Workspace,
    ) -> Result<(Tree, RankedTree), Error> {
        // Rows of weight zero say nothing about any node.
        let rows: Vec<u32> = bag.in_bag().filter(|&row| self.training.weight(row) > 0.0).collect();
        self.bag_weight = self.weight_of(bag);
        let all: Vec<u32>;
        let positions = if self.plan.keeps_sorted {
            &rows
        } else {
            all = (0..self.training.n_rows() as u32).collect();
            &all
        };
        if let Some(scorer) = self.by_number(|| NumberScorer::new(self.training, bag, positions)) {
            return self.grow_scored(index, &rows, scorer, workspace);
        }
        match ClassScorer::new(self.training, bag, positions, self.kind_of_classes()) {
            Some(scorer) => self.grow_scored(index, &rows, scorer, workspace),
            None => Err(Error::setting("the impurity does not fit the target", "use variance")),
        }
    }

    /// The weight of a bag, in units.
    fn weight_of(&self, bag: &Bag) -> f64 {
        let weight = |row| f64::from(bag.counts()[row as usize]) * self.training.weight(row);
        bag.in_bag().map(weight).sum()
    }

    /// What the scorer of numbers makes of the target, where the impurity is its.
    fn by_number(&self, scorer: impl FnOnce() -> Option<NumberScorer>) -> Option<NumberScorer> {
        match self.settings.impurity {
            Impurity::Variance | Impurity::Gini => scorer(),
            Impurity::Entropy => None,
        }
    }

    /// How the scorer of classes measures them.
    fn kind_of_classes(&self) -> (Impurity, Criterion) {
        let Settings { splitting, impurity, .. } = *self.settings;
        let criterion = match splitting {
            Splitting::Conditional => Criterion::ChiSquare,
            Splitting::Best | Splitting::RandomThreshold | Splitting::Multiway => {
                Criterion::of(impurity)
            }
        };
        (impurity, criterion)
    }

    /// The least weight of a child, in units.
    fn least_weight(&self) -> f64 {
        // Weights of the same rows summed in another order must not decide what is allowed.
        (1.0 - TIE) * self.settings.min_weight_fraction_leaf * self.bag_weight
    }

    /// Whether a node may be divided, given its weight times the decrease of its impurity.
    fn is_enough(&self, decrease: impl FnOnce() -> f64) -> bool {
        let least = self.settings.min_impurity_decrease;
        // As scikit-learn does, which compares up to rounding.
        least <= 0.0 || decrease() / self.bag_weight + f64::EPSILON >= least
    }

    /// The columns of a tree: all that may be used, or a random subspace of them (Ho 1998).
    fn columns_of(self, index: usize) -> Vec<u32> {
        let all = || (0..self.training.features().n_columns() as u32).collect();
        let mut columns: Vec<u32> = self.allowed.map_or_else(all, <[u32]>::to_vec);
        columns.sort_by_key(|&column| self.place(column));
        if self.settings.subspace < columns.len() {
            Stream::new(self.settings.seed, index, Purpose::Subspace).shuffle(&mut columns);
            columns.truncate(self.settings.subspace);
            columns.sort_by_key(|&column| self.place(column));
        }
        columns
    }

    /// The place of a canonical column in the order of drawing, which names its random numbers.
    fn place(&self, column: u32) -> u32 {
        self.order.map_or(column, |order| order.place(column))
    }

    fn grow_scored<S: TestScorer>(
        self,
        index: usize,
        rows: &[u32],
        mut scorer: S,
        workspace: &mut Workspace,
    ) -> Result<(Tree, RankedTree), Error> {
        let features = self.training.features();
        let Workspace { large, small, unsorted, direct, nodes } = workspace;
        let mut stream = Stream::new(self.settings.seed, index, Purpose::Splits);
        let columns = self.columns_of(index);
        let mut grower = TreeGrower::new(self, &columns, nodes);
        if rows.is_empty() {
            // A bag of weightless rows: the tree predicts what all rows say together.
            grower.tree.values = self.training.response_mean();
            return Ok(grower.finish());
        }
        let span = Span { start: 0, end: rows.len() as u32 };
        let key = NodeKey::root(&mut stream);
        if self.settings.splitting != Splitting::Best {
            return direct::grow(self, (rows, &columns), (0, key), &mut scorer, direct);
        }
        let mut root = Pending { node: 0, span, depth: 0, draws: 0.0, key };
        if !self.plan.keeps_sorted {
            unsorted.fill(features, rows);
            root.draws = scorer.draws(unsorted.members(span));
            grower.grow(root, unsorted, &mut scorer, &mut [])?;
            return Ok(grower.finish());
        }
        let mut smaller = small.each_mut().map(|arrangement| Smaller {
            most_rows: 0,
            arrangement,
            scorer: scorer.empty(),
        });
        for (smaller, most_rows) in smaller.iter_mut().zip(self.plan.smaller) {
            smaller.most_rows = most_rows;
        }
        let [first, rest @ ..] = &mut smaller;
        if rows.len() <= first.most_rows {
            let first = (&mut *first.arrangement, &mut scorer);
            self.grow_sorted((rows, &columns), root, first, rest, grower)
        } else {
            let first = (large, &mut scorer);
            self.grow_sorted((rows, &columns), root, first, &mut smaller, grower)
        }
    }

    fn grow_sorted<S: TestScorer, P: Position>(
        self,
        (rows, columns): (&[u32], &[u32]),
        mut root: Pending,
        (arrangement, scorer): (&mut Presorted<P>, &mut S),
        smaller: &mut [Smaller<'_, S>],
        mut grower: TreeGrower<'_>,
    ) -> Result<(Tree, RankedTree), Error> {
        let mut increasing = columns.to_vec();
        increasing.sort_unstable();
        arrangement.fill(self.training.features(), rows, &increasing);
        root.draws = scorer.draws(arrangement.members(root.span));
        let (threads, least_shared) = self.plan.together;
        if threads.get() == 1 || rows.len() < least_shared {
            grower.grow(root, arrangement, scorer, smaller)?;
            return Ok(grower.finish());
        }
        let most_rows = rows.len() / (BRANCHES_PER_THREAD * threads.get());
        grower.put_off_up_to = most_rows.min(self.plan.smaller[0]);
        grower.grow(root, arrangement, scorer, &mut [])?;
        branches::grow_branches(&mut grower, arrangement, scorer, threads)?;
        let (tree, ranked) = grower.finish();
        Ok(branches::in_order(tree, &ranked))
    }
}

#[cfg(test)]
mod tests;
