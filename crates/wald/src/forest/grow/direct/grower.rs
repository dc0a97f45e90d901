//! The nodes of one tree: which may split, how they are divided, where rows go.

use crate::data::RankedKind;
use crate::error::Error;
use crate::forest::grow::arrangement::Span;
use crate::forest::grow::building::Building;
use crate::forest::grow::context::Growing;
use crate::forest::grow::direct::candidates::Known;
use crate::forest::grow::direct::memory::{Best, Memory, Pending, Place};
use crate::forest::grow::direct::random_division::DrawnKind;
use crate::forest::grow::direct::search::Search;
use crate::forest::split::TestScorer;
use crate::forest::tree::{Branches, LevelSet, Rule, Side, Split, Tree};
use crate::forest::trends::Bounds;
use crate::forest::ways::{Impurity, Splitting};

/// A tree while it grows.
pub(super) struct Grower<'a> {
    growing: Growing<'a>,
    memory: &'a mut Memory,
    building: Building,
    /// What makes the mean weight of the table's rows 1.
    weight_scale: f64,
}

impl<'a> Grower<'a> {
    /// A tree that splits on the given columns only.
    pub(super) fn new(growing: Growing<'a>, columns: &[u32], memory: &'a mut Memory) -> Self {
        let training = growing.training;
        memory.candidates.start(training.features().n_columns(), columns.iter().copied());
        memory.pending.clear();
        let weight_scale = match growing.settings.splitting {
            Splitting::Conditional => training.weight_scale(),
            Splitting::Best | Splitting::RandomThreshold | Splitting::Multiway => 1.0,
        };
        Self { growing, memory, building: Building::new(training), weight_scale }
    }

    pub(super) fn finish(self) -> Tree {
        self.building.finish()
    }

    /// Grows the whole tree.
    pub(super) fn grow<S: TestScorer>(
        &mut self,
        root: Pending,
        mut place: Place<'_, S>,
    ) -> Result<(), Error> {
        self.settle(root, &mut place);
        while let Some(node) = self.memory.pending.pop() {
            self.growing.progress.check()?;
            let weight = self.summarise(&node, &mut place);
            if weight < 2.0 * self.growing.least_weight() {
                continue;
            }
            self.memory.candidates.enter(node.depth);
            self.search(&node, &mut place)?;
            self.memory.candidates.put_back();
            let Best { column, score, .. } = self.memory.best;
            let decrease = || place.scorer.decrease_of_division(score);
            if let Some(column) = column
                && self.growing.is_enough(decrease)
            {
                self.split(&node, column, &mut place);
            }
        }
        Ok(())
    }

    /// Lets a node wait for its split, or finishes it as a leaf.
    fn settle<S: TestScorer>(&mut self, node: Pending, place: &mut Place<'_, S>) {
        let settings = self.growing.settings;
        let may_split = node.draws > settings.min_node_size as f64
            && node.draws >= 2.0 * settings.least_draws(node.draws)
            && (node.depth as usize) < settings.max_depth
            && (settings.split_pure || !place.scorer.is_pure(place.rows.members(node.span)));
        if may_split {
            self.memory.pending.push(node);
        } else {
            self.summarise(&node, place);
        }
    }

    /// Stores the statistics of a node's rows, and makes it the scorer's current node. Returns its
    /// weight.
    fn summarise<S: TestScorer>(&mut self, node: &Pending, place: &mut Place<'_, S>) -> f64 {
        let value = &mut self.memory.value;
        value.clear();
        let summary = place.scorer.summarise(place.rows.members(node.span), value);
        self.building.describe(node.node, value, summary);
        summary.weight
    }

    /// Draws variables and keeps the best of their divisions.
    fn search<S: TestScorer>(
        &mut self,
        node: &Pending,
        place: &mut Place<'_, S>,
    ) -> Result<(), Error> {
        let settings = self.growing.settings;
        let mut stream = node.key.stream();
        let mut mtry = settings.mtry;
        if settings.mtry_one_probability > 0.0 && stream.unit() < settings.mtry_one_probability {
            mtry = 1;
        }
        self.memory.best.column = None;
        self.memory.best.score = f64::NEG_INFINITY;
        // One division that leaves no child without a draw needs no score.
        let is_scored = mtry > 1
            || settings.least_draws(node.draws) > 1.0
            || settings.min_weight_fraction_leaf > 0.0
            || settings.min_impurity_decrease > 0.0
            || settings.splitting == Splitting::Conditional
            || self.growing.keeps_trends()
            // It may leave a child without a count.
            || settings.impurity == Impurity::Poisson;
        if is_scored {
            place.scorer.read(place.rows.members(node.span));
        }
        let mut search = Search {
            growing: self.growing,
            memory: self.memory,
            node,
            place,
            is_scored,
            stream: &mut stream,
        };
        match settings.splitting {
            Splitting::Multiway => search.branch(mtry),
            Splitting::Conditional => search.divide_by_test(mtry, self.weight_scale),
            Splitting::RandomThreshold | Splitting::Best => search.divide_at_random(mtry),
        }
    }

    /// Stores the best division and sends the rows to the children. A node whose children would break bounds
    /// by rounding stays a leaf.
    fn split<S: TestScorer>(&mut self, node: &Pending, column: u32, place: &mut Place<'_, S>) {
        let is_multiway = self.growing.settings.splitting == Splitting::Multiway;
        let n_children = if is_multiway { self.memory.best.found.n_children() } else { 2 };
        let (start, end) = (node.span.start, node.span.end);
        if is_multiway {
            self.memory.by_child.sort(&self.memory.best.found.children, n_children);
            place.rows.distribute(node.span, &self.memory.by_child);
            self.memory.candidates.note(node.depth, column, Known::Used);
        } else {
            let cut = place.rows.divide(node.span, &self.memory.best.drawn.left);
            let by_child = &mut self.memory.by_child.starts;
            by_child.clear();
            by_child.extend([0, cut - start, end - start]);
        }
        let Some(bounds) = self.bounds_below(node, column, place) else { return };
        let first_child = self.building.add_leaves(n_children);
        if is_multiway {
            self.ask_branches(node, column, first_child);
        } else {
            let cut = start + self.memory.by_child.starts[1];
            let is_left_lighter = || {
                let weigh = |start: u32, end: u32| -> f64 {
                    let members = place.rows.members(Span { start, end });
                    members.iter().map(|&row| place.scorer.weight(row as usize)).sum()
                };
                weigh(start, cut) < weigh(cut, end)
            };
            self.ask_sides(node, column, first_child, is_left_lighter);
        }
        for child in (0..n_children as u32).rev() {
            let starts = &self.memory.by_child.starts;
            let span = Span {
                start: start + starts[child as usize],
                end: start + starts[child as usize + 1],
            };
            let draws = place.scorer.draws(place.rows.members(span));
            let key = node.key.child(child);
            let depth = node.depth + 1;
            // More than two children have no bounds.
            let bounds = bounds[child.min(1) as usize];
            let node = first_child + child;
            self.settle(Pending { node, span, depth, draws, key, bounds }, place);
        }
    }

    /// The bounds of both children of a node whose rows were divided.
    fn bounds_below<S: TestScorer>(
        &self,
        node: &Pending,
        column: u32,
        place: &Place<'_, S>,
    ) -> Option<[Bounds; 2]> {
        let is_ordered = self.memory.best.drawn.kind != DrawnKind::Present;
        let trend = self.growing.trend(column).filter(|_| is_ordered);
        let n_left = self.memory.by_child.starts[1] as usize;
        let children = place.rows.members(node.span).split_at(n_left);
        Growing::bounds_below(&*place.scorer, node.bounds, trend, children.into())
    }

    fn ask_branches(&mut self, node: &Pending, column: u32, first_child: u32) {
        let found = &self.memory.best.found;
        let branches = &mut self.building.tree_mut().branches;
        let n_levels = found.levels.len() as u32;
        // Others, and missing values where there were none, will follow the heaviest child.
        branches.push(Branches {
            levels: found.levels.as_slice().into(),
            children: (0..n_levels).collect(),
            others: 0,
            missing: if found.has_missing { n_levels } else { 0 },
            n_children: found.n_children() as u32,
        });
        let rule = Rule::Multiway { table: branches.len() as u32 - 1 };
        let feature = self.growing.training.features().original(column);
        let split = Split { feature, first_child, rule };
        self.building.split(node.node, split, found.has_missing);
    }

    fn ask_sides(
        &mut self,
        node: &Pending,
        column: u32,
        first_child: u32,
        is_left_lighter: impl FnOnce() -> bool,
    ) {
        let features = self.growing.training.features();
        let drawn = &self.memory.best.drawn;
        let missing = drawn.missing.unwrap_or(Side::Right);
        let rule = match (drawn.kind, features.column(column).kind()) {
            (DrawnKind::Threshold(threshold), _) => Rule::AtMost { threshold, missing },
            (DrawnKind::Levels, RankedKind::Unordered { n_levels }) => {
                // Levels absent from the node follow the heavier child.
                let is_left_listed = is_left_lighter();
                let [left, right] = &drawn.levels;
                let listed = if is_left_listed { left } else { right };
                let level_sets = &mut self.building.tree_mut().level_sets;
                level_sets.push(LevelSet::new(listed, is_left_listed, *n_levels));
                Rule::Levels { set: level_sets.len() as u32 - 1, missing }
            }
            _ => Rule::Present,
        };
        let split = Split { feature: features.original(column), first_child, rule };
        self.building.split(node.node, split, drawn.missing.is_some());
    }
}
