//! The Shapley values of one tree.

use crate::error::Error;
use crate::forest::{Router, Tree};
use crate::run::Progress;
use crate::tree_shap::any_width::{MOST_PLACES, WalksOfAnyWidth};
use crate::tree_shap::factors::Records;
use crate::tree_shap::outline::{Edge, Outline, OutlinedTree, PieceNode};
use crate::tree_shap::pairs::n_pairs;
use crate::tree_shap::quadrature::Rule;
use crate::tree_shap::regions::BlockCodes;
use crate::tree_shap::row_walk::{Sketch, SketchedTree};
use crate::tree_shap::shares::{expected, shares};

/// Rows of a block. In many rows, the states of pieces repeat.
pub(super) const MOST_ROWS: usize = 2048;

/// Numbers of the levels of a walk that are held at a time.
const MOST_NUMBERS: usize = 1 << 18;

/// Classes whose proportions add up to one number, this precisely, have values that add up to zero.
const SAME_SUM: f64 = 1e-12;

/// A tree that is ready to be explained: its edges and the predictions of its leaves.
#[derive(Debug, Clone)]
pub(crate) struct PreparedTree {
    shares: Vec<f64>,
    /// The prediction of the root, and how far what the tree predicts where nothing is known of a
    /// row is above that; one number per output.
    roots: Vec<f64>,
    above: Vec<f64>,
    /// Whether the leaf predictions add up to the same everywhere.
    is_share: bool,
    /// The size of the numbers that are added up (see [`Predictions::values`]): the largest prediction of a leaf
    /// where they add up to the same, else the largest distance of one from what is expected.
    pub(crate) spread: f64,
}

impl PreparedTree {
    /// `node_values` holds `n_outputs` numbers per node. `None` where the weights of nodes are not known.
    pub(crate) fn new(tree: &Tree, node_values: &[f64], n_outputs: usize) -> Option<Self> {
        let shares = shares(tree)?;
        let above = expected(tree, &shares, node_values, n_outputs);
        Some(Self::expecting(tree, node_values, above, shares))
    }

    /// A tree of which something else is expected, by output and relative to the prediction of its
    /// root. It has no shares where nothing is weighted by them.
    pub(super) fn expecting(
        tree: &Tree,
        node_values: &[f64],
        above: Vec<f64>,
        shares: Vec<f64>,
    ) -> Self {
        let n_outputs = above.len();
        let roots = node_values[..n_outputs].to_vec();
        let sum: f64 = roots.iter().sum();
        let mut known = Self { shares, roots, above, is_share: n_outputs > 1, spread: 0.0 };
        let mut largest = 0.0_f64;
        for (node, node_values) in tree.nodes().iter().zip(node_values.chunks_exact(n_outputs)) {
            if *node == crate::forest::Node::Leaf {
                known.is_share &=
                    (node_values.iter().sum::<f64>() - sum).abs() <= SAME_SUM * sum.abs();
                let distances = (0..n_outputs).map(|at| known.deviation(at, node_values[at]).abs());
                known.spread = distances.fold(known.spread, f64::max);
                largest =
                    node_values.iter().fold(largest, |largest, value| largest.max(value.abs()));
            }
        }
        if known.is_share {
            known.spread = largest;
        }
        known
    }

    /// What the tree predicts where nothing is known of a row.
    pub(crate) fn expected(&self) -> impl Iterator<Item = f64> {
        self.roots.iter().zip(&self.above).map(|(root, above)| root + above)
    }

    /// How far the prediction of a node is above the expectation.
    pub(crate) fn deviation(&self, output: usize, value: f64) -> f64 {
        (value - self.roots[output]) - self.above[output]
    }
}

/// A tree, and the predictions of its nodes, by node and output.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Predictions<'a> {
    pub(crate) known: &'a PreparedTree,
    pub(crate) node_values: &'a [f64],
}

impl Predictions<'_> {
    pub(crate) fn n_outputs(&self) -> usize {
        self.known.roots.len()
    }

    /// How far the prediction of a node is above the expectation.
    pub(crate) fn deviation(&self, node: usize, output: usize) -> f64 {
        self.known.deviation(output, self.node_values[node * self.n_outputs() + output])
    }

    /// The values of all nodes for an output, from which Shapley values are computed. From where they
    /// are counted does not matter but for rounding: as deviations, what is small is summed up with
    /// more digits; proportions of classes are small, and most are zero.
    fn values(&self, output: usize, found: &mut Vec<f64>) {
        let of_output = self.node_values.iter().skip(output).step_by(self.n_outputs());
        found.clear();
        if self.known.is_share {
            found.extend(of_output);
        } else {
            found.extend(of_output.map(|value| self.known.deviation(output, *value)));
        }
    }
}

/// Rows of the table that are explained.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowsToExplain<'a> {
    pub(crate) rows: &'a [u32],
    /// Whether by pairs of columns.
    pub(crate) pairs: bool,
}

/// Memory of a thread.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    outline: Outline,
    sketch: Sketch,
    block: BlockCodes,
    codes: Vec<u32>,
    walks: WalksOfAnyWidth,
    /// By number of places.
    rules: Vec<Option<Rule>>,
    node_values: Vec<f64>,
    values: Vec<f64>,
    /// What the values of all classes but the last leave for it.
    left: Vec<f64>,
}

/// Memory of a thread that explains a tree with so many nodes, where rows have `width` values.
pub(crate) fn tree_bytes(nodes: f64, width: f64) -> f64 {
    // Edges, steps and nodes of pieces, splits and pieces of some of them; lists have room to
    // grow. Levels and tables of a block, its codes and values.
    let outline = nodes * (size_of::<Edge>() + size_of::<PieceNode>() + 64) as f64;
    2.0 * outline + (4 * 8 * MOST_NUMBERS) as f64 + 16.0 * width * MOST_ROWS as f64
}

/// The values of one row and output: the columns (canonical) that the tree splits on, and a value
/// for each or, with pairs, for each pair (see [`pair`](super::pairs::pair)): on the diagonal the
/// values of the columns, elsewhere both orders of the pair together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found<'a> {
    /// Position among the rows given.
    pub(crate) position: usize,
    pub(crate) output: usize,
    pub(crate) columns: &'a [u32],
    pub(crate) values: &'a [f64],
}

impl Workspace {
    /// Explains rows of the table that the router knows, and calls `each` with every row and
    /// output, once, but for outputs whose values are all zero. Cost O(rows * nodes * columns on a
    /// path) for every output, of which only nodes with leaves of it count, and the larger part is
    /// paid once per state of a row in a piece of the tree; with pairs, O(rows * nodes * columns on a
    /// path squared).
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(crate) fn explain(
        &mut self,
        router: &Router<'_>,
        predictions: Predictions<'_>,
        to_explain: RowsToExplain<'_>,
        progress: &Progress,
        mut each: impl FnMut(Found<'_>),
    ) -> Result<(), Error> {
        let (known, RowsToExplain { rows, pairs }) = (predictions.known, to_explain);
        self.outline.begin(router);
        let n_columns = self.outline.columns.used.len();
        if n_columns == 0 {
            return Ok(());
        }
        let n_values = if pairs { n_pairs(n_columns) } else { n_columns };
        // The last of several classes is what is left of the others.
        let n_found = known.roots.len() - usize::from(known.is_share);
        for (block, rows) in rows.chunks(MOST_ROWS).enumerate() {
            let first = block * MOST_ROWS;
            self.block.fill(router, &self.outline.columns, rows);
            self.left.clear();
            self.left.resize(if known.is_share { rows.len() * n_values } else { 0 }, 0.0);
            for output in 0..n_found {
                predictions.values(output, &mut self.node_values);
                self.outline.draw(router, &known.shares, &self.node_values);
                if self.outline.steps.is_empty() {
                    continue;
                }
                let n_places = self.outline.most_columns.div_ceil(2).max(1);
                let n_together = n_places.div_ceil(n_places.div_ceil(MOST_PLACES));
                let held = 2 * self.outline.n_levels.max(1) * n_together + n_values;
                let n_rows = (MOST_NUMBERS / held).clamp(1, MOST_ROWS);
                for start in (0..rows.len()).step_by(n_rows) {
                    let at_hand = start..rows.len().min(start + n_rows);
                    self.values.clear();
                    self.values.resize(at_hand.len() * n_values, 0.0);
                    self.block.choose(at_hand.clone());
                    let (outline, node_values) = (&self.outline, self.node_values.as_slice());
                    let tree = OutlinedTree { router, outline, node_values };
                    let records = &mut Records { values: &mut self.values, pairs };
                    for part in rule(&mut self.rules, n_places).parts(n_together) {
                        self.walks.walk(tree, &self.block, part, records, progress)?;
                    }
                    if known.is_share {
                        let left = self.left[start * n_values..].iter_mut();
                        left.zip(&self.values).for_each(|(left, value)| *left -= *value);
                    }
                    let columns = self.outline.columns.used.as_slice();
                    for (at, values) in at_hand.zip(self.values.chunks_exact(n_values)) {
                        each(Found { position: first + at, output, columns, values });
                    }
                }
            }
            let columns = self.outline.columns.used.as_slice();
            for (position, values) in (first..).zip(self.left.chunks_exact(n_values)) {
                each(Found { position, output: n_found, columns, values });
            }
        }
        Ok(())
    }

    /// The same for few rows, each of which goes by itself. Cost O(nodes), and for every row
    /// O(nodes * columns on a path).
    pub(crate) fn explain_few(
        &mut self,
        router: &Router<'_>,
        predictions: Predictions<'_>,
        to_explain: RowsToExplain<'_>,
        mut each: impl FnMut(Found<'_>),
    ) {
        let (known, RowsToExplain { rows, pairs }) = (predictions.known, to_explain);
        self.outline.begin(router);
        let n_columns = self.outline.columns.used.len();
        if n_columns == 0 || rows.is_empty() {
            return;
        }
        let n_places = self.sketch.fill(router, &self.outline.columns).div_ceil(2).max(1);
        let n_together = n_places.div_ceil(n_places.div_ceil(MOST_PLACES));
        let rule = rule(&mut self.rules, n_places);
        let n_values = if pairs { n_pairs(n_columns) } else { n_columns };
        for output in 0..known.roots.len() {
            predictions.values(output, &mut self.node_values);
            self.sketch.load(router, &known.shares, &self.node_values);
            for (position, &row) in rows.iter().enumerate() {
                let columns = self.outline.columns.used.as_slice();
                let code = |&column: &u32| router.features.column(column).codes()[row as usize];
                self.codes.clear();
                self.codes.extend(columns.iter().map(code));
                self.values.clear();
                self.values.resize(n_values, 0.0);
                let (sketch, shares) = (&self.sketch, known.shares.as_slice());
                let tree = SketchedTree { router, columns: &self.outline.columns, shares, sketch };
                let record = &mut Records { values: &mut self.values, pairs };
                for part in rule.parts(n_together) {
                    self.walks.one_row(tree, part, &self.codes, record);
                }
                each(Found { position, output, columns, values: &self.values });
            }
        }
    }
}

fn rule(rules: &mut Vec<Option<Rule>>, n: usize) -> &Rule {
    if rules.len() <= n {
        rules.resize(n + 1, None);
    }
    rules[n].get_or_insert_with(|| Rule::new(n))
}
