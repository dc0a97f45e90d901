//! Growing one tree on rank codes.
//!
//! Trees grow depth first, with an explicit stack (`tree_grower.rs`). A scorer sums up the rows of
//! a node, mtry columns are searched in the order drawn, and the rows are divided stably. Children
//! that cannot be divided are finished at once, and nothing is divided for them.
//!
//! `arrangement.rs` defines how the rows of nodes are kept: sorted by every column from the root
//! downwards (`presorted.rs`) or sorted when a node needs it (`unsorted.rs`), which is faster where
//! few of many columns are tried (`context.rs`). The choice changes no bit. `direct/` grows trees
//! that need no order of rows.
//!
//! Trees are grown in parallel. Where there are more threads than trees, `branches.rs` grows the
//! top of a tree first and then its branches at the same time.
//!
//! Trees that are limited as a whole, by their leaves or by the cost of them, are grown to the end and
//! pruned (`prune.rs`): no split depends on the others.
//!
//! Random numbers of a node come from a stream of its own, which is keyed by the path from the
//! root.

mod again;
mod arrangement;
mod binned;
mod branches;
mod building;
mod context;
mod cuts;
mod direct;
mod divide;
mod order;
mod parts;
mod presorted;
mod prune;
mod sequence;
#[cfg(test)]
mod shadow_tests;
mod simd;
mod sort;
mod tree_grower;
mod unsorted;
mod workspace;

pub(crate) use again::{Branch, GrowBranches};

use context::Plan;
pub(crate) use context::{Growing, keeps_sorted};
pub(crate) use workspace::Workspace;

use crate::error::Error;
use crate::forest::grow::arrangement::{Arrangement, HandOver, Span};
use crate::forest::grow::tree_grower::{Pending, Smaller, TreeGrower};
use crate::forest::ranked::RankedTree;
use crate::forest::sample::Bag;
use crate::forest::split::{
    ClassScorer, LossScorer, NumberScorer, Scorer, SeveralScorer, TestScorer,
};
use crate::forest::tree::Tree;
use crate::forest::trends::Bounds;
use crate::forest::ways::Splitting;
use crate::random::{NodeKey, Purpose};
use crate::setting;

/// Branches per thread that share a tree: some are larger than others.
const BRANCHES_PER_THREAD: usize = 8;

impl Growing<'_> {
    /// Grows the tree with the given index on its bag, and prunes it.
    ///
    /// # Errors
    /// [`Error::Cancelled`] only.
    pub(crate) fn grow(
        self,
        index: usize,
        bag: &Bag,
        workspace: &mut Workspace,
    ) -> Result<(Tree, RankedTree), Error> {
        let (tree, ranked) = self.grow_to_the_end(index, bag, workspace)?;
        Ok(prune::prune(self.settings, tree, ranked))
    }

    fn grow_to_the_end(
        mut self,
        index: usize,
        bag: &Bag,
        workspace: &mut Workspace,
    ) -> Result<(Tree, RankedTree), Error> {
        // Rows of weight zero have no effect on any node.
        let rows: Vec<u32> = bag.in_bag().filter(|&row| self.training.weight(row) > 0.0).collect();
        let drawn = self.drawn(bag);
        self.bag_weight = drawn.total();
        let all: Vec<u32>;
        let positions = if self.plan.keeps_sorted {
            &rows
        } else {
            all = (0..self.training.n_rows() as u32).collect();
            &all
        };
        if let Some(scorer) = SeveralScorer::new(&drawn, positions) {
            return self.grow_scored(index, &rows, scorer, workspace);
        }
        if let Some(scorer) = self.by_number(|| NumberScorer::new(&drawn, positions)) {
            return self.grow_scored(index, &rows, scorer, workspace);
        }
        let (impurity, criterion) = (self.settings.impurity, self.criterion());
        if let Some(scorer) = LossScorer::new(&drawn, positions, impurity) {
            return self.grow_scored(index, &rows, scorer, workspace);
        }
        match ClassScorer::new(&drawn, positions, impurity, criterion) {
            Some(scorer) => self.grow_scored(index, &rows, scorer, workspace),
            None => Err(Error::bad_setting(
                setting::IMPURITY,
                "the impurity does not fit the target",
                "use variance",
            )),
        }
    }

    fn grow_scored<S: TestScorer>(
        self,
        index: usize,
        rows: &[u32],
        mut scorer: S,
        workspace: &mut Workspace,
    ) -> Result<(Tree, RankedTree), Error> {
        let features = self.training.features();
        let Workspace { large, small, unsorted, binned, binned_rows, direct, nodes } = workspace;
        let mut stream = self.settings.stream(index, Purpose::Splits);
        let columns = self.columns_of(index);
        let mut grower = TreeGrower::new(self, &columns, nodes);
        if rows.is_empty() {
            // A bag of weightless rows: the tree predicts the mean of all rows.
            grower.tree.values = self.training.response_mean();
            return Ok(grower.finish());
        }
        let span = Span { start: 0, end: rows.len() as u32 };
        let key = NodeKey::root(&mut stream);
        if self.settings.splitting != Splitting::Best {
            let bounds = Bounds::NONE;
            let start = direct::Start { rows, columns: &columns, depth: 0, key, bounds };
            return direct::grow(self, start, &mut scorer, direct);
        }
        let mut root = Pending { node: 0, span, depth: 0, draws: 0.0, key, bounds: Bounds::NONE };
        if let Some(most_bins) = self.settings.max_bins {
            if self.plan.keeps_sorted {
                binned_rows.fill(features, rows, most_bins, &columns);
                root.draws = scorer.draws(binned_rows.members(span));
                return grower.grow_shared(root, binned_rows, &mut scorer, &mut []);
            }
            binned.fill(rows, most_bins);
            root.draws = scorer.draws(binned.members(span));
            grower.grow(root, binned, &mut scorer, &mut [])?;
            return Ok(grower.finish());
        }
        if !self.plan.keeps_sorted {
            unsorted.fill(features, rows);
            root.draws = scorer.draws(unsorted.members(span));
            grower.grow(root, unsorted, &mut scorer, &mut [])?;
            return Ok(grower.finish());
        }
        let mut smaller = self.smaller(small, &scorer);
        let mut increasing = columns;
        increasing.sort_unstable();
        let fitting = smaller.iter().rposition(|of| rows.len() <= of.most_rows);
        if let Some([first, rest @ ..]) = fitting.map(|place| &mut smaller[place..]) {
            first.arrangement.fill(features, rows, &increasing);
            root.draws = scorer.draws(first.arrangement.members(span));
            grower.grow_shared(root, first.arrangement, &mut scorer, rest)
        } else {
            large.fill(features, rows, &increasing);
            root.draws = scorer.draws(large.members(span));
            grower.grow_shared(root, large, &mut scorer, &mut smaller)
        }
    }

    /// The arrangements of fewer rows, with scorers of none.
    fn smaller<'a, S: Scorer, A>(
        &self,
        arrangements: &'a mut [A; 2],
        scorer: &S,
    ) -> [Smaller<'a, S, A>; 2] {
        let [one, other] = arrangements;
        let [most_rows, fewer] = self.plan.smaller;
        [
            Smaller { most_rows, arrangement: one, scorer: scorer.empty() },
            Smaller { most_rows: fewer, arrangement: other, scorer: scorer.empty() },
        ]
    }
}

impl TreeGrower<'_> {
    /// Grows the tree from its root, on several threads where that pays.
    fn grow_shared<S: TestScorer, A: HandOver + Sync>(
        mut self,
        root: Pending,
        arrangement: &mut A,
        scorer: &mut S,
        smaller: &mut [Smaller<'_, S, A::Smaller>],
    ) -> Result<(Tree, RankedTree), Error> {
        let n_rows = root.span.len();
        let Plan { together: (threads, least_shared), smaller: [most_rows, _], .. } =
            self.growing.plan;
        if threads.get() == 1 || n_rows < least_shared {
            self.grow(root, arrangement, scorer, smaller)?;
            return Ok(self.finish());
        }
        self.put_off_up_to = most_rows.min(n_rows / (BRANCHES_PER_THREAD * threads.get()));
        self.grow(root, arrangement, scorer, &mut [])?;
        branches::grow_branches(&mut self, arrangement, scorer, threads)?;
        let (tree, ranked) = self.finish();
        Ok(order::in_order(tree, &ranked))
    }
}

#[cfg(test)]
mod tests;
