//! Branches of a tree that are grown again without some of its variables.

use crate::error::Error;
use crate::forest::grow::arrangement::Span;
use crate::forest::grow::context::Growing;
use crate::forest::grow::direct::{self, Start};
use crate::forest::grow::tree_grower::{Pending, TreeGrower};
use crate::forest::grow::workspace::Workspace;
use crate::forest::ranked::RankedTree;
use crate::forest::sample::Bag;
use crate::forest::split::{ClassScorer, LossScorer, NumberScorer, SeveralScorer, TestScorer};
use crate::forest::tree::{Rule, Split, Tree};
use crate::forest::trends::Bounds;
use crate::forest::ways::Splitting;
use crate::random::{NodeKey, Purpose};
use crate::setting;

/// What is grown again: the in-bag rows below a node, and where the node stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Branch<'a> {
    /// Increasing.
    pub(crate) rows: &'a [u32],
    pub(crate) depth: u32,
    pub(crate) key: NodeKey,
    /// Of the node.
    pub(crate) bounds: Bounds,
    /// By canonical column: true where it may not be used.
    pub(crate) without: &'a [bool],
}

/// Grows branches of one tree, whatever scores its splits.
pub(crate) trait GrowBranches {
    /// A branch as a tree of its own, with the random numbers that the nodes of the whole tree had:
    /// a variable that is drawn and may not be used leaves the others of the draw as they are.
    ///
    /// # Errors
    /// [`Error::Cancelled`] only.
    fn grow(&mut self, branch: Branch<'_>) -> Result<(Tree, RankedTree), Error>;

    /// The bounds of both children of a node, given its own; `rows_of` fills in the in-bag rows of a
    /// child, and is called only where the variable has a trend.
    fn bounds_below(
        &self,
        bounds: Bounds,
        split: &Split,
        rows_of: &mut dyn FnMut(u32, &mut Vec<u32>),
    ) -> [Bounds; 2];
}

struct Scored<'a, S> {
    growing: Growing<'a>,
    /// Of the tree, in the order of drawing.
    columns: Vec<u32>,
    scorer: S,
    room: &'a mut Workspace,
}

impl<S: TestScorer> GrowBranches for Scored<'_, S> {
    fn grow(&mut self, branch: Branch<'_>) -> Result<(Tree, RankedTree), Error> {
        let Branch { rows, depth, key, bounds, without } = branch;
        let growing = Growing { without: Some(without), ..self.growing };
        if growing.settings.splitting != Splitting::Best {
            let mut columns = self.columns.clone();
            columns.retain(|&column| !without[column as usize]);
            let start = Start { rows, columns: &columns, depth, key, bounds };
            return direct::grow(growing, start, &mut self.scorer, &mut self.room.direct);
        }
        let Workspace { unsorted, binned, nodes, .. } = &mut *self.room;
        let mut grower = TreeGrower::new(growing, &self.columns, nodes);
        let span = Span { start: 0, end: rows.len() as u32 };
        let draws = self.scorer.draws(rows);
        let root = Pending { node: 0, span, depth, draws, key, bounds };
        // Branches are many and most are small: nothing is kept sorted or copied.
        if let Some(most_bins) = growing.settings.max_bins {
            binned.fill(rows, most_bins);
            grower.grow(root, binned, &mut self.scorer, &mut [])?;
        } else {
            unsorted.fill(growing.training.features(), rows);
            grower.grow(root, unsorted, &mut self.scorer, &mut [])?;
        }
        Ok(grower.finish())
    }

    fn bounds_below(
        &self,
        bounds: Bounds,
        split: &Split,
        rows_of: &mut dyn FnMut(u32, &mut Vec<u32>),
    ) -> [Bounds; 2] {
        let column = self.growing.training.features().canonical(split.feature);
        let trend = self.growing.trend(column).filter(|_| split.rule != Rule::Present);
        let mut rows = [Vec::new(), Vec::new()];
        if trend.is_some() {
            (0..).zip(&mut rows).for_each(|(child, rows)| rows_of(child, rows));
            // As they were summed up when the tree grew.
            rows.iter_mut().for_each(|rows| rows.sort_unstable());
        }
        let [left, right] = &rows;
        let below = trend.and_then(|trend| {
            Growing::bounds_below(&self.scorer, bounds, Some(trend), [left, right])
        });
        below.unwrap_or([bounds; 2])
    }
}

impl Growing<'_> {
    /// The key of the root of a tree.
    pub(crate) fn root_key(&self, index: usize) -> NodeKey {
        NodeKey::root(&mut self.settings.stream(index, Purpose::Splits))
    }

    /// Lets branches of a tree be grown again. Cost of the preparation O(rows).
    ///
    /// # Errors
    /// Those of the work.
    pub(crate) fn again<R>(
        mut self,
        index: usize,
        bag: &Bag,
        room: &mut Workspace,
        work: impl FnOnce(&mut dyn GrowBranches) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let drawn = self.drawn(bag);
        self.bag_weight = drawn.total();
        let all: Vec<u32> = (0..self.training.n_rows() as u32).collect();
        let columns = self.columns_of(index);
        if let Some(scorer) = SeveralScorer::new(&drawn, &all) {
            return work(&mut Scored { growing: self, columns, scorer, room });
        }
        if let Some(scorer) = self.by_number(|| NumberScorer::new(&drawn, &all)) {
            return work(&mut Scored { growing: self, columns, scorer, room });
        }
        let (impurity, criterion) = (self.settings.impurity, self.criterion());
        if let Some(scorer) = LossScorer::new(&drawn, &all, impurity) {
            return work(&mut Scored { growing: self, columns, scorer, room });
        }
        match ClassScorer::new(&drawn, &all, impurity, criterion) {
            Some(scorer) => work(&mut Scored { growing: self, columns, scorer, room }),
            None => Err(Error::bad_setting(
                setting::IMPURITY,
                "the impurity does not fit the target",
                "use variance",
            )),
        }
    }
}
