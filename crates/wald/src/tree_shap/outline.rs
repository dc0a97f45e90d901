//! A tree as Shapley values meet it: a top that is walked edge by edge, and pieces below it whose
//! rows fall into few states.

use std::ops::Range;

use crate::data::MISSING_CODE;
use crate::forest::{RankedNode, Router, Side};
use crate::tree_shap::small_subtrees::small_subtrees;
use crate::tree_shap::tree_columns::TreeColumns;

/// An edge of the tree. A row *satisfies* a column down to a node if it takes all edges on that
/// column above the node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    /// The node above.
    pub(super) node: u32,
    /// The child below, counted from 0.
    pub(super) child: u32,
    /// Place of the column among those that the tree splits on.
    pub(super) place: u32,
    /// Share of the in-bag weight of the node that the child has.
    pub(super) share: f64,
    /// Product of the shares of the edges on the column above.
    pub(super) before: f64,
    /// The same with this edge.
    pub(super) after: f64,
}

/// Splits on one column, taken together, and the rows that satisfy it above.
#[derive(Debug, Clone)]
pub(super) struct ColumnSplits {
    pub(super) place: u32,
    /// The nodes, in [`Outline::split_nodes`].
    pub(super) nodes: Range<u32>,
    pub(super) reach: Reach,
    /// Whether the column is split on above.
    pub(super) is_above: bool,
}

/// The values that satisfy a column down to a node.
#[derive(Debug, Clone)]
pub(super) enum Reach {
    /// Codes of numbers, and whether missing values do.
    Codes { codes: Range<u32>, missing: bool },
    /// Those that take these edges, in [`Outline::edges_above`].
    Edges(Range<u32>),
}

/// What is done at a level of the top, in this order.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    /// A node has a split.
    Split { splits: u32 },
    /// To a child, one level down.
    Down { edge: u32 },
    /// Back from a child.
    Up { edge: u32 },
    /// A piece below this level; the whole tree may be one, without an edge above.
    Piece { edge: Option<u32>, piece: u32 },
}

/// A subtree whose rows fall into few states.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    /// In [`Outline::column_splits`], one per column.
    pub(super) column_splits: Range<u32>,
    /// In [`Outline::nodes`], parents before their children.
    pub(super) nodes: Range<u32>,
}

/// A node of a piece.
#[derive(Debug, Clone, Copy)]
pub(super) struct PieceNode {
    pub(super) node: u32,
    /// Position in the piece.
    pub(super) parent: u32,
    /// The edge from the parent; unused for the first node.
    pub(super) edge: u32,
    /// The column that it splits on, counted within the piece; [`LEAF`] if none.
    pub(super) column: u32,
}

/// The column of leaves.
pub(super) const LEAF: u32 = u32::MAX;

/// A tree, outlined for one table.
#[derive(Debug, Default)]
pub(super) struct Outline {
    pub(super) columns: TreeColumns,
    pub(super) edges: Vec<Edge>,
    pub(super) column_splits: Vec<ColumnSplits>,
    pub(super) split_nodes: Vec<u32>,
    pub(super) edges_above: Vec<(u32, u32)>,
    pub(super) steps: Vec<Step>,
    pub(super) pieces: Vec<Piece>,
    pub(super) nodes: Vec<PieceNode>,
    /// Levels of the top.
    pub(super) n_levels: usize,
    /// Most columns on a path.
    pub(super) most_columns: usize,
    /// By node: whether it has a leaf below whose value is not zero.
    counts: Vec<bool>,
}

/// A tree with its outline, and one number per node: the predictions of an output.
#[derive(Debug, Clone, Copy)]
pub(super) struct OutlinedTree<'a> {
    pub(super) router: &'a Router<'a>,
    pub(super) outline: &'a Outline,
    pub(super) node_values: &'a [f64],
}

/// The conditions of the edges on a column above a node.
#[derive(Debug, Clone)]
pub(super) struct Path {
    share: f64,
    codes: Range<u32>,
    missing: bool,
    n_above: u32,
}

const EVERYTHING: Path = Path { share: 1.0, codes: 0..MISSING_CODE, missing: true, n_above: 0 };

/// What is still to be done.
enum Task {
    Enter { node: u32, child: u32 },
    Leave { place: u32, saved: Path, is_top: Option<u32> },
}

impl Outline {
    /// Forgets the tree before, and finds the columns of this one.
    pub(super) fn begin(&mut self, router: &Router<'_>) {
        self.columns.fill(router);
    }

    /// Outlines the tree whose columns were found; `shares` are those of its nodes. What lies below a
    /// node whose leaves all have the value zero adds nothing and is left out: of fully grown trees,
    /// most leaves for any class. Cost O(nodes).
    pub(super) fn draw(&mut self, router: &Router<'_>, shares: &[f64], node_values: &[f64]) {
        self.edges.clear();
        self.column_splits.clear();
        self.split_nodes.clear();
        self.edges_above.clear();
        self.steps.clear();
        self.pieces.clear();
        self.nodes.clear();
        (self.n_levels, self.most_columns) = (0, 0);
        self.find_what_counts(router, node_values);
        if !self.counts[0] {
            return;
        }
        let is_small = small_subtrees(router, &self.columns, &self.counts);
        let mut drawing = Drawing {
            outline: self,
            router,
            shares,
            paths: Vec::new(),
            edges_above: Vec::new(),
            n_columns: 0,
        };
        drawing.paths = vec![EVERYTHING; drawing.outline.columns.used.len()];
        drawing.draw(&is_small);
    }

    /// Which nodes have a leaf below whose value is not zero.
    fn find_what_counts(&mut self, router: &Router<'_>, node_values: &[f64]) {
        self.counts.clear();
        self.counts.extend(node_values.iter().map(|value| *value != 0.0));
        // Children come after their parents.
        for node in (0..node_values.len()).rev() {
            if let Some(split) = router.split(node) {
                self.counts[node] = router.tree.children(split).any(|child| self.counts[child]);
            }
        }
    }
}

struct Drawing<'a> {
    outline: &'a mut Outline,
    router: &'a Router<'a>,
    shares: &'a [f64],
    /// By place, above the node at hand.
    paths: Vec<Path>,
    /// Place, node and child of the edges above on places that are not plain.
    edges_above: Vec<(u32, u32, u32)>,
    /// Columns split on above.
    n_columns: usize,
}

impl Drawing<'_> {
    fn draw(&mut self, is_small: &[bool]) {
        if is_small[0] {
            self.piece(None, 0);
            return;
        }
        let mut tasks = Vec::new();
        let mut level = 1;
        self.outline.n_levels = 1;
        self.split(0, &mut tasks);
        while let Some(task) = tasks.pop() {
            match task {
                Task::Enter { node, child } => {
                    let (edge, place, saved) = self.descend(node, child);
                    let below = self.below(node, child);
                    if is_small[below as usize] {
                        self.piece(Some(edge), below);
                        self.ascend(place, saved);
                        continue;
                    }
                    level += 1;
                    self.outline.n_levels = self.outline.n_levels.max(level);
                    self.outline.steps.push(Step::Down { edge });
                    tasks.push(Task::Leave { place, saved, is_top: Some(edge) });
                    self.split(below, &mut tasks);
                }
                Task::Leave { place, saved, is_top } => {
                    if let Some(edge) = is_top {
                        level -= 1;
                        self.outline.steps.push(Step::Up { edge });
                    }
                    self.ascend(place, saved);
                }
            }
        }
    }

    /// The split of a node of the top, and its children as tasks.
    fn split(&mut self, node: u32, tasks: &mut Vec<Task>) {
        if let Some(place) = self.outline.columns.place(&self.router.ranked.nodes[node as usize]) {
            let splits = self.add_splits(place, &[node]);
            self.outline.steps.push(Step::Split { splits });
            self.children(node, tasks);
        }
    }

    fn children(&self, node: u32, tasks: &mut Vec<Task>) {
        if let Some(split) = self.router.split(node as usize) {
            let n_children = self.router.tree.n_children(split);
            let counts = |child: &u32| self.outline.counts[(split.first_child + child) as usize];
            let children = (0..n_children).rev().filter(counts);
            tasks.extend(children.map(|child| Task::Enter { node, child }));
        }
    }

    fn below(&self, node: u32, child: u32) -> u32 {
        self.router.split(node as usize).map_or(node, |split| split.first_child + child)
    }

    fn add_splits(&mut self, place: u32, nodes: &[u32]) -> u32 {
        let path = &self.paths[place as usize];
        let outline = &mut *self.outline;
        let start = outline.split_nodes.len() as u32;
        outline.split_nodes.extend_from_slice(nodes);
        let reach = if outline.columns.is_plain[place as usize] {
            Reach::Codes { codes: path.codes.clone(), missing: path.missing }
        } else {
            let start = outline.edges_above.len() as u32;
            let edges = self.edges_above.iter().filter(|(of, ..)| *of == place);
            outline.edges_above.extend(edges.map(|&(_, node, child)| (node, child)));
            Reach::Edges(start..outline.edges_above.len() as u32)
        };
        outline.column_splits.push(ColumnSplits {
            place,
            nodes: start..start + nodes.len() as u32,
            reach,
            is_above: path.n_above > 0,
        });
        outline.column_splits.len() as u32 - 1
    }

    /// Goes to a child: the edge, its place, and what the path of the place was.
    fn descend(&mut self, node: u32, child: u32) -> (u32, u32, Path) {
        let below = self.below(node, child);
        let ranked = self.router.ranked.nodes[node as usize];
        let place = self.outline.columns.place(&ranked).unwrap_or_default();
        let path = &mut self.paths[place as usize];
        let saved = path.clone();
        let share = self.shares[below as usize];
        path.share *= share;
        path.n_above += 1;
        self.n_columns += usize::from(path.n_above == 1);
        self.outline.most_columns = self.outline.most_columns.max(self.n_columns);
        if let RankedNode::Below { below, missing, .. } = ranked {
            let codes = &mut path.codes;
            if child == 0 {
                codes.end = codes.end.min(below).max(codes.start);
                path.missing &= missing == Side::Left;
            } else {
                codes.start = codes.start.max(below).min(codes.end);
                path.missing &= missing == Side::Right;
            }
        }
        if !self.outline.columns.is_plain[place as usize] {
            self.edges_above.push((place, node, child));
        }
        let (before, after) = (saved.share, path.share);
        self.outline.edges.push(Edge { node, child, place, share, before, after });
        (self.outline.edges.len() as u32 - 1, place, saved)
    }

    fn ascend(&mut self, place: u32, saved: Path) {
        if !self.outline.columns.is_plain[place as usize] {
            self.edges_above.pop();
        }
        self.n_columns -= usize::from(saved.n_above == 0);
        self.paths[place as usize] = saved;
    }

    /// The piece below an edge.
    fn piece(&mut self, edge: Option<u32>, root: u32) {
        let (column_splits, place_of) = self.splits_of_piece(root);
        let first = self.outline.nodes.len() as u32;
        let column_of = |drawing: &Self, node: u32| {
            let place = drawing.outline.columns.place(&drawing.router.ranked.nodes[node as usize]);
            let position = place.and_then(|place| place_of.iter().position(|of| *of == place));
            position.map_or(LEAF, |position| position as u32)
        };
        let node = PieceNode { node: root, parent: 0, edge: 0, column: column_of(self, root) };
        self.outline.nodes.push(node);
        let (mut tasks, mut parents) = (Vec::new(), vec![0]);
        self.children(root, &mut tasks);
        while let Some(task) = tasks.pop() {
            match task {
                Task::Enter { node, child } => {
                    let (edge, place, saved) = self.descend(node, child);
                    let below = self.below(node, child);
                    let parent = parents.last().copied().unwrap_or_default();
                    let column = column_of(self, below);
                    parents.push(self.outline.nodes.len() as u32 - first);
                    self.outline.nodes.push(PieceNode { node: below, parent, edge, column });
                    tasks.push(Task::Leave { place, saved, is_top: None });
                    self.children(below, &mut tasks);
                }
                Task::Leave { place, saved, .. } => {
                    parents.pop();
                    self.ascend(place, saved);
                }
            }
        }
        let nodes = first..self.outline.nodes.len() as u32;
        self.outline.pieces.push(Piece { column_splits, nodes });
        let piece = self.outline.pieces.len() as u32 - 1;
        self.outline.steps.push(Step::Piece { edge, piece });
    }

    /// One split per column of a piece, and their places.
    fn splits_of_piece(&mut self, root: u32) -> (Range<u32>, Vec<u32>) {
        let mut by_place: Vec<(u32, Vec<u32>)> = Vec::new();
        let mut pending = vec![root];
        while let Some(node) = pending.pop() {
            let Some(split) = self.router.split(node as usize) else { continue };
            let place = self.outline.columns.place(&self.router.ranked.nodes[node as usize]);
            let place = place.unwrap_or_default();
            match by_place.iter_mut().find(|(of, _)| *of == place) {
                Some((_, nodes)) => nodes.push(node),
                None => by_place.push((place, vec![node])),
            }
            let first = split.first_child;
            let children = (first..first + self.router.tree.n_children(split)).rev();
            pending.extend(children.filter(|&child| self.outline.counts[child as usize]));
        }
        let start = self.outline.column_splits.len() as u32;
        for (place, nodes) in &by_place {
            self.add_splits(*place, nodes);
        }
        let column_splits = start..self.outline.column_splits.len() as u32;
        (column_splits, by_place.into_iter().map(|(place, _)| place).collect())
    }
}
