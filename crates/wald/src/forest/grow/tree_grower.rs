//! The nodes of one tree: which may split, which variables are drawn, where rows go.

use crate::data::RankedKind;
use crate::error::Error;
use crate::forest::grow::arrangement::{Arrangement, HandOver, Span};
use crate::forest::grow::context::Growing;
use crate::forest::grow::cuts::{CutOf, Cuts};
use crate::forest::position::Position;
use crate::forest::ranked::{RankedNode, RankedTree};
use crate::forest::split::{Best, Cut, Limits, Scorer};
use crate::forest::tree::{LevelSet, Node, NodeStatistics, Rule, Side, Split, Tree};
use crate::forest::trends::Bounds;
use crate::forest::ways::ConstantDraws;
use crate::random::{NodeKey, NodeStream};

/// A variable is prepared while the one drawn so many times before it is searched, and announced while
/// the one drawn twice as many times before it is.
const AHEAD: usize = 2;

/// Working memory that all arrangements need.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    best: Best,
    candidates: Vec<u32>,
    exchanged: Vec<(u32, u32)>,
    pending: Vec<Pending>,
    value: Vec<f64>,
    cuts: Cuts,
    /// Nodes of the tree that was grown last, about as many as the next one will have.
    n_expected: usize,
}

impl Nodes {
    /// Draws one of the variables that are not drawn yet.
    fn draw(&mut self, drawn: u32, stream: &mut NodeStream) {
        let other = drawn + stream.below(self.candidates.len() as u32 - drawn);
        self.candidates.swap(drawn as usize, other as usize);
        self.exchanged.push((drawn, other));
    }
}

/// A node that waits for its split.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pending {
    pub(super) node: u32,
    pub(super) span: Span,
    pub(super) depth: u32,
    pub(super) draws: f64,
    pub(super) key: NodeKey,
    pub(super) bounds: Bounds,
}

/// An arrangement of few rows, and their scorer.
pub(super) struct Smaller<'a, S, A> {
    pub(super) most_rows: usize,
    pub(super) arrangement: &'a mut A,
    pub(super) scorer: S,
}

/// A tree while it grows.
pub(super) struct TreeGrower<'a> {
    pub(super) growing: Growing<'a>,
    nodes: &'a mut Nodes,
    pub(super) tree: Tree,
    pub(super) ranked: RankedTree,
    pub(super) statistics: NodeStatistics,
    /// Splits whose variable had no missing value at the node.
    unlearned: Vec<u32>,
    /// Nodes of at most this many rows are put off.
    pub(super) put_off_up_to: usize,
    pub(super) put_off: Vec<Pending>,
}

impl<'a> TreeGrower<'a> {
    /// A tree that splits on the given columns only.
    pub(super) fn new(growing: Growing<'a>, columns: &[u32], nodes: &'a mut Nodes) -> Self {
        let training = growing.training;
        nodes.candidates.clear();
        nodes.candidates.extend_from_slice(columns);
        nodes.pending.clear();
        nodes.cuts.clear();
        let room = nodes.n_expected + nodes.n_expected / 16;
        let n_outputs = training.n_outputs();
        let mut tree = Tree {
            nodes: with_room(Node::Leaf, room),
            values: Vec::with_capacity(room * n_outputs),
            statistics: None,
            level_sets: Vec::new(),
            branches: Vec::new(),
            met: None,
        };
        tree.values.resize(n_outputs, 0.0);
        let ranked = RankedTree { nodes: with_room(RankedNode::Leaf, room) };
        let statistics =
            NodeStatistics { weights: with_room(0.0, room), impurities: with_room(0.0, room) };
        let (unlearned, put_off) = (Vec::new(), Vec::new());
        let put_off_up_to = 0;
        Self { growing, nodes, tree, ranked, statistics, unlearned, put_off_up_to, put_off }
    }

    /// The columns of the tree, in the order of drawing.
    pub(super) fn columns(&self) -> &[u32] {
        &self.nodes.candidates
    }

    /// Grows what lies below a node.
    pub(super) fn grow<S: Scorer, A: HandOver>(
        &mut self,
        root: Pending,
        arrangement: &mut A,
        scorer: &mut S,
        smaller: &mut [Smaller<'_, S, A::Smaller>],
    ) -> Result<(), Error> {
        let waiting = self.nodes.pending.len();
        self.settle(root, arrangement, scorer);
        while self.nodes.pending.len() > waiting
            && let Some(pending) = self.nodes.pending.pop()
        {
            self.growing.progress.check()?;
            if pending.span.len() <= self.put_off_up_to {
                self.put_off.push(pending);
                continue;
            }
            if let Some((next, rest)) = smaller.split_first_mut()
                && pending.span.len() <= next.most_rows
                && arrangement.hand_over(
                    self.growing.training.features(),
                    pending.span,
                    next.arrangement,
                )
            {
                next.scorer.select(scorer, arrangement.members(pending.span));
                let span = Span { start: 0, end: pending.span.len() as u32 };
                let root = Pending { span, ..pending };
                self.grow(root, next.arrangement, &mut next.scorer, rest)?;
                continue;
            }
            let weight = self.summarise(&pending, arrangement, scorer);
            if weight < 2.0 * self.growing.least_weight() {
                continue;
            }
            self.find_split(&pending, arrangement, scorer)?;
            let best = &self.nodes.best;
            if best.cut != Cut::None && self.growing.is_enough(|| scorer.decrease(best.score)) {
                self.split(&pending, arrangement, scorer);
            }
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> (Tree, RankedTree) {
        self.nodes.n_expected = self.tree.nodes.len();
        self.statistics.weights.shrink_to_fit();
        self.statistics.impurities.shrink_to_fit();
        self.tree.statistics = Some(std::mem::take(&mut self.statistics));
        self.tree.nodes.shrink_to_fit();
        self.tree.values.shrink_to_fit();
        let features = self.growing.training.features();
        let most_bins = self.growing.settings.max_bins;
        self.nodes.cuts.resolve(features, most_bins, &mut self.tree, &mut self.ranked);
        self.settle_unlearned_sides();
        (self.tree, self.ranked)
    }

    /// Lets a node wait for its split, or finishes it as a leaf. Returns whether it waits.
    fn settle<S: Scorer, A: Arrangement>(
        &mut self,
        pending: Pending,
        arrangement: &A,
        scorer: &mut S,
    ) -> bool {
        let settings = self.growing.settings;
        let may_split = pending.draws > settings.min_node_size as f64
            && pending.draws >= 2.0 * settings.least_draws(pending.draws)
            && (pending.depth as usize) < settings.max_depth
            && !scorer.is_pure(arrangement.members(pending.span));
        if may_split {
            self.nodes.pending.push(pending);
        } else {
            self.summarise(&pending, arrangement, scorer);
        }
        may_split
    }

    /// Stores the statistics of a node's rows, and makes it the scorer's current node. Returns its
    /// weight.
    fn summarise<S: Scorer, A: Arrangement>(
        &mut self,
        pending: &Pending,
        arrangement: &A,
        scorer: &mut S,
    ) -> f64 {
        let value = &mut self.nodes.value;
        value.clear();
        let summary = scorer.summarise(arrangement.members(pending.span), value);
        let node = pending.node as usize;
        self.tree.values[node * value.len()..(node + 1) * value.len()].copy_from_slice(value);
        self.statistics.weights[node] = summary.weight * self.growing.training.weight_unit();
        self.statistics.impurities[node] = summary.impurity;
        summary.weight
    }

    /// Draws mtry variables and searches them in the order drawn; where all of them are constant,
    /// variables are drawn on until one is not, if the settings want that. For one that is left out another one
    /// is drawn.
    fn find_split<S: Scorer, A: Arrangement>(
        &mut self,
        pending: &Pending,
        arrangement: &mut A,
        scorer: &mut S,
    ) -> Result<(), Error> {
        let Growing { training, settings, progress, .. } = self.growing;
        let nodes = &mut *self.nodes;
        let mut stream = pending.key.stream();
        let mut mtry = settings.mtry;
        if settings.mtry_one_probability > 0.0 && stream.unit() < settings.mtry_one_probability {
            mtry = 1;
        }
        let (least, total) = (settings.least_draws(pending.draws), pending.draws);
        nodes.best.start(Limits::new(least, total, self.growing.least_weight()));
        nodes.exchanged.clear();
        let (n_columns, span) = (nodes.candidates.len() as u32, pending.span);
        let features = training.features();
        let is_left_out =
            |column: u32| self.growing.without.is_some_and(|without| without[column as usize]);
        let n_first = n_columns.min(mtry as u32);
        (0..n_first).for_each(|drawn| nodes.draw(drawn, &mut stream));
        let (mut n_tried, mut is_further) = (0, false);
        for drawn in 0..n_columns {
            if n_tried >= mtry {
                if nodes.best.cut != Cut::None {
                    break;
                }
                if !is_further {
                    is_further = true;
                    // Many levels of which no division is worth anything are as good as constant,
                    // and always made up for.
                    let n_in_vain = nodes.best.n_in_vain as usize;
                    let varies = |&&column: &&u32| {
                        !is_left_out(column) && !arrangement.is_constant(features, column, span)
                    };
                    let drawn = &nodes.candidates[..drawn as usize];
                    if n_in_vain == 0 && settings.constant_draws == ConstantDraws::Leaf
                        || drawn.iter().filter(varies).count() > n_in_vain
                    {
                        break;
                    }
                }
            }
            progress.check()?;
            if drawn >= n_first {
                nodes.draw(drawn, &mut stream);
            }
            let first = &nodes.candidates[..n_first as usize];
            if let Some(&next) = first.get(drawn as usize + AHEAD) {
                arrangement.prepare(features, next, span);
            }
            if let Some(&later) = first.get(drawn as usize + 2 * AHEAD) {
                arrangement.announce(features, later);
            }
            let column = nodes.candidates[drawn as usize];
            if is_left_out(column) || is_further && arrangement.is_constant(features, column, span)
            {
                continue;
            }
            n_tried += 1;
            let n_in_vain = nodes.best.n_in_vain;
            nodes.best.candidate = column;
            if self.growing.keeps_trends() {
                scorer.constrain(pending.bounds, self.growing.trend(column));
            }
            arrangement.search(scorer, features, span, &mut nodes.best);
            if is_further && nodes.best.n_in_vain == n_in_vain {
                break;
            }
        }
        // Undoing the draws makes the next node's draws independent of this one's.
        for &(one, other) in nodes.exchanged.iter().rev() {
            nodes.candidates.swap(one as usize, other as usize);
        }
        Ok(())
    }

    /// Stores the best split and sends the rows to the children. A node whose children would break bounds by
    /// rounding stays a leaf.
    fn split<S: Scorer, A: Arrangement>(
        &mut self,
        pending: &Pending,
        arrangement: &mut A,
        scorer: &mut S,
    ) {
        let training = self.growing.training;
        let features = training.features();
        let first_child = self.tree.nodes.len() as u32;
        let span = pending.span;
        let cut = arrangement.divide(scorer, features, span, &self.nodes.best);
        let best = &self.nodes.best;
        let trend = self.growing.trend(best.column).filter(|_| best.cut != Cut::Present);
        let children = [(span.start, cut), (cut, span.end)];
        let children = children.map(|(start, end)| arrangement.members(Span { start, end }));
        let below = Growing::bounds_below(scorer, pending.bounds, trend, children);
        let Some(bounds) = below else { return };
        let weigh = |start: u32, end: u32| -> f64 {
            let members = arrangement.members(Span { start, end });
            members.iter().map(|position| scorer.weight(position.index())).sum()
        };
        let left_is_lighter = || weigh(span.start, cut) < weigh(cut, span.end);
        let (rule, ranked) = self.rule(pending.node, first_child, left_is_lighter);
        let node = pending.node as usize;
        let feature = features.original(self.nodes.best.column);
        self.tree.nodes[node] = Node::Split(Split { feature, first_child, rule });
        self.ranked.nodes[node] = ranked;
        if self.nodes.best.missing.is_none() {
            self.unlearned.push(pending.node);
        }
        for _ in 0..2 {
            self.tree.nodes.push(Node::Leaf);
            self.ranked.nodes.push(RankedNode::Leaf);
            self.statistics.weights.push(0.0);
            self.statistics.impurities.push(0.0);
        }
        self.tree.values.resize(self.tree.nodes.len() * training.n_outputs(), 0.0);
        let child = |offset: u32, start: u32, end: u32, draws: f64| Pending {
            node: first_child + offset,
            span: Span { start, end },
            depth: pending.depth + 1,
            draws,
            key: pending.key.child(offset),
            bounds: bounds[offset as usize],
        };
        let draws_left = self.nodes.best.draws_left;
        let right =
            self.settle(child(1, cut, span.end, pending.draws - draws_left), arrangement, scorer);
        let left = self.settle(child(0, span.start, cut, draws_left), arrangement, scorer);
        if left || right {
            arrangement.deepen(span, &self.nodes.best);
        }
    }

    /// The rule of the best split of a node, and how it routes codes; thresholds follow later.
    /// `left_is_lighter` is which child levels absent from the node follow: the heavier one, unless
    /// rare levels were kept together, which they follow then.
    fn rule(
        &mut self,
        node: u32,
        first_child: u32,
        left_is_lighter: impl FnOnce() -> bool,
    ) -> (Rule, RankedNode) {
        let best = &self.nodes.best;
        let column = best.column;
        let missing = best.missing.unwrap_or(Side::Right);
        let kind = self.growing.training.features().column(column).kind();
        match (best.cut, kind) {
            (Cut::Between { low, high, .. }, _) => {
                self.nodes.cuts.push(CutOf { node, column, low, high });
                let ranked = RankedNode::Below { column, below: 0, first_child, missing };
                (Rule::AtMost { threshold: 0.0, missing }, ranked)
            }
            (Cut::Levels, RankedKind::Unordered { n_levels }) => {
                let others_right =
                    best.others.map_or_else(left_is_lighter, |side| side == Side::Right);
                let listed = if others_right { &best.levels_left } else { &best.levels_right };
                let set = self.tree.level_sets.len() as u32;
                self.tree.level_sets.push(LevelSet::new(listed, others_right, *n_levels));
                (Rule::Levels { set, missing }, RankedNode::Other { column, first_child })
            }
            _ => (Rule::Present, RankedNode::Other { column, first_child }),
        }
    }

    /// Where no missing value taught a side, missing values follow the heavier child.
    fn settle_unlearned_sides(&mut self) {
        for &node in &self.unlearned {
            let heavier = self.tree.send_missing_to_heaviest(node as usize);
            if let Some(heavier) = heavier
                && let RankedNode::Below { missing, .. } = &mut self.ranked.nodes[node as usize]
            {
                *missing = Side::from_index(heavier);
            }
        }
    }
}

/// One item, and room for more.
fn with_room<T>(item: T, room: usize) -> Vec<T> {
    let mut items = Vec::with_capacity(room.max(1));
    items.push(item);
    items
}
