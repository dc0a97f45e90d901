//! The columns of the regression: stumps, and the variables that the tree splits on.

use std::ops::Range;

use crate::data::{MISSING_CODE, RankedKind, Training};
use crate::forest::{Node, Placement, Router, Split};
use crate::stump_ridge::elimination::{Layout, Matrix};

/// The split of a node as a column: 0 for rows that do not reach it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stump {
    /// Position of the first child; the second one follows it.
    pub(crate) first_child: usize,
    /// The variable, as a position in [`Design::features`].
    pub(crate) place: usize,
    /// The next stump above, and the child of it that this one is in.
    above: Option<(usize, usize)>,
    /// What the rows in the first and in the second child have.
    pub(crate) values: [f64; 2],
    /// Mean over all rows.
    pub(crate) mean: f64,
}

/// A variable as a column: its values, centred, and scaled to the spread of its stumps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Raw {
    /// The variable, as a position in [`Design::features`].
    pub(crate) place: usize,
    /// Mean of the values that are not missing; missing ones count as the mean.
    pub(crate) mean: f64,
    /// What deviations from the mean are multiplied by.
    pub(crate) scale: f64,
}

/// The rows of a leaf.
#[derive(Debug, Clone)]
pub(super) struct Leaf {
    /// The stumps above, from the root down, and the child that the rows go to.
    pub(super) path: Vec<(usize, usize)>,
    /// Positions among the rows of the design.
    pub(super) rows: Range<usize>,
}

/// All columns of one tree, for the rows that weigh something.
#[derive(Debug)]
pub(crate) struct Design {
    /// Variables whose splits divide in-bag rows, as positions in the data set, in canonical order.
    pub(crate) features: Vec<u32>,
    /// Parents before children.
    pub(crate) stumps: Vec<Stump>,
    pub(crate) raw: Vec<Raw>,
    pub(super) leaves: Vec<Leaf>,
    /// By row: values of the raw columns, and 1 for the intercept.
    border: Vec<f64>,
    /// By row, with mean 1.
    pub(crate) weights: Vec<f64>,
    /// The rows of the table, leaf by leaf.
    pub(crate) rows: Vec<u32>,
    pub(super) layout: Layout,
    /// Sums of products of columns, without a penalty.
    pub(super) gram: Matrix,
}

impl Design {
    /// The columns of a tree whose nodes know their in-bag weights, and whose splits have two children;
    /// `None` where no split divides in-bag rows. Cost O(rows variables^2 + nodes depth variables).
    pub(crate) fn new(router: &Router<'_>, training: &Training) -> Option<Self> {
        let mut placement = Placement::default();
        let counted = (0..training.n_rows() as u32).filter(|&row| training.weight(row) > 0.0);
        placement.place(router, counted);
        let rows = placement.all().to_vec();
        let unit = training.weight_scale();
        let weights: Vec<f64> = rows.iter().map(|&row| unit * training.weight(row)).collect();

        let in_bag = router.tree.statistics()?;
        let divides =
            |split: &Split| router.tree.children(split).all(|child| in_bag.weight(child) > 0.0);
        let dividing = router.tree.splits().filter(|(_, split)| divides(split));
        let mut features: Vec<u32> = dividing.map(|(_, split)| split.feature).collect();
        // The order of sums does not depend on that of the columns.
        features.sort_unstable_by_key(|&feature| training.features().canonical(feature));
        features.dedup();
        let (mut stumps, leaves) = columns_of_tree(router, &placement, &features)?;
        let spreads = describe(&mut stumps, &leaves, &weights, features.len());

        let mut raw = Vec::new();
        let mut columns = Vec::new();
        for (place, &feature) in features.iter().enumerate() {
            let Some((mean, deviations)) = deviations(training, feature, &rows, &weights) else {
                continue;
            };
            let scale = spreads[place] / spread(&deviations, &weights);
            if scale.is_finite() {
                raw.push(Raw { place, mean, scale });
                columns.push(deviations);
            }
        }
        let width = raw.len() + 1;
        let mut border = vec![1.0; rows.len() * width];
        for (row, values) in border.chunks_exact_mut(width).enumerate() {
            for ((value, column), raw) in values.iter_mut().zip(&columns).zip(&raw) {
                *value = raw.scale * column[row];
            }
        }
        let layout = Layout::new(stumps.iter().map(|stump| stump.above.map(|(at, _)| at)), width);
        let gram = Matrix::new(&layout);
        let mut design =
            Self { features, stumps, raw, leaves, border, weights, rows, layout, gram };
        design.multiply();
        Some(design)
    }

    /// Columns of the border, which are the raw ones and the intercept.
    pub(super) fn width(&self) -> usize {
        self.raw.len() + 1
    }

    /// The columns of the border in a row.
    pub(super) fn border(&self, row: usize) -> &[f64] {
        &self.border[row * self.width()..][..self.width()]
    }

    /// Sums over the rows of a leaf of the columns of the border, each row times a factor.
    fn leaf_sums(&self, leaf: &Leaf, factor: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut sums = vec![0.0; self.width()];
        for row in leaf.rows.clone() {
            let factor = factor(row);
            sums.iter_mut().zip(self.border(row)).for_each(|(sum, value)| *sum += factor * value);
        }
        sums
    }

    /// Fills the matrix of products in.
    fn multiply(&mut self) {
        let width = self.width();
        let mut sides = vec![[vec![0.0; width], vec![0.0; width]]; self.stumps.len()];
        for leaf in &self.leaves {
            let of_leaf = self.leaf_sums(leaf, |row| self.weights[row]);
            for &(stump, side) in &leaf.path {
                let sums = &mut sides[stump][side];
                sums.iter_mut().zip(&of_leaf).for_each(|(sum, value)| *sum += value);
            }
        }
        for (at, [left, right]) in sides.iter().enumerate() {
            let Stump { values, above, .. } = self.stumps[at];
            let (weight_left, weight_right) = (left[width - 1], right[width - 1]);
            let sum = values[0] * weight_left + values[1] * weight_right;
            self.gram.diagonal[at] =
                values[0].powi(2) * weight_left + values[1].powi(2) * weight_right;
            let (ancestors, border) = self.gram.row_mut(&self.layout, at);
            // All rows of a stump have the same value in each stump above.
            let mut next = above;
            for entry in ancestors.iter_mut().rev() {
                let Some((stump, side)) = next else { break };
                *entry = self.stumps[stump].values[side] * sum;
                next = self.stumps[stump].above;
            }
            for ((entry, left), right) in border.iter_mut().zip(left).zip(right) {
                *entry = values[0] * left + values[1] * right;
            }
        }
        for (row, values) in self.border.chunks_exact(width).enumerate() {
            for (at, value) in values.iter().enumerate() {
                let weighted = self.weights[row] * value;
                let entries = &mut self.gram.border[at * width..][..=at];
                entries
                    .iter_mut()
                    .zip(values)
                    .for_each(|(entry, other)| *entry += weighted * other);
            }
        }
    }

    /// Products of all columns with a response: of the stumps, and of the border.
    pub(super) fn products(&self, response: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut stumps = vec![0.0; self.stumps.len()];
        let mut border = vec![0.0; self.width()];
        for leaf in &self.leaves {
            let sums = self.leaf_sums(leaf, |row| self.weights[row] * response[row]);
            border.iter_mut().zip(&sums).for_each(|(entry, sum)| *entry += sum);
            for &(stump, side) in &leaf.path {
                stumps[stump] += self.stumps[stump].values[side] * sums[self.width() - 1];
            }
        }
        (stumps, border)
    }
}

/// The stumps of a tree and the paths to its leaves; `None` without stumps.
fn columns_of_tree(
    router: &Router<'_>,
    placement: &Placement,
    features: &[u32],
) -> Option<(Vec<Stump>, Vec<Leaf>)> {
    let in_bag = router.tree.statistics()?;
    let (mut stumps, mut leaves) = (Vec::<Stump>::new(), Vec::new());
    let mut above: Vec<Option<(usize, usize)>> = vec![None; router.tree.n_nodes()];
    // Parents come before their children.
    for (node, kind) in router.tree.nodes().iter().enumerate() {
        match kind {
            Node::Leaf => {
                let rows = placement.span(node);
                let up = std::iter::successors(above[node], |&(stump, _)| stumps[stump].above);
                let mut path: Vec<(usize, usize)> = up.collect();
                path.reverse();
                leaves.push(Leaf { path, rows });
            }
            Node::Split(split) => {
                let children = router.tree.children(split);
                let mut weights = children.clone().map(|child| in_bag.weight(child));
                let (left, right) = (weights.next()?, weights.next()?);
                // Where no in-bag row went to a child, nothing was divided.
                let is_stump = left > 0.0 && right > 0.0;
                for (side, child) in children.enumerate() {
                    above[child] = if is_stump { Some((stumps.len(), side)) } else { above[node] };
                }
                if is_stump {
                    stumps.push(Stump {
                        first_child: split.first_child as usize,
                        place: features.iter().position(|&known| known == split.feature)?,
                        above: above[node],
                        values: [-(right / left).sqrt(), (left / right).sqrt()],
                        mean: 0.0,
                    });
                }
            }
        }
    }
    (!stumps.is_empty()).then_some((stumps, leaves))
}

/// Gives stumps their means; returns the largest standard deviation of the stumps of every variable.
fn describe(stumps: &mut [Stump], leaves: &[Leaf], weights: &[f64], n_places: usize) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    let mut sides = vec![[0.0; 2]; stumps.len()];
    for leaf in leaves {
        let weight: f64 = weights[leaf.rows.clone()].iter().sum();
        leaf.path.iter().for_each(|&(stump, side)| sides[stump][side] += weight);
    }
    let mut spreads = vec![0.0; n_places];
    for (stump, [left, right]) in stumps.iter_mut().zip(sides) {
        let [low, high] = stump.values;
        stump.mean = (low * left + high * right) / total;
        let outside = total - left - right;
        let squares = left * (low - stump.mean).powi(2)
            + right * (high - stump.mean).powi(2)
            + outside * stump.mean.powi(2);
        spreads[stump.place] = f64::max(spreads[stump.place], (squares / total).sqrt());
    }
    spreads
}

/// The mean of a variable that is a number, and the deviations from it of these rows, 0 where missing;
/// `None` for levels and where all are missing.
fn deviations(
    training: &Training,
    feature: u32,
    rows: &[u32],
    weights: &[f64],
) -> Option<(f64, Vec<f64>)> {
    let features = training.features();
    let position = features.canonical(feature);
    let column = features.column(position);
    if matches!(column.kind(), RankedKind::Unordered { .. }) {
        return None;
    }
    let shadow = features.shadow(position);
    let value = |row: u32| {
        let row = shadow.map_or(row, |shadows| shadows.donor(row));
        (column.codes()[row as usize] != MISSING_CODE).then(|| column.value_of_row(row))
    };
    // Deviations from one of the values, so that equal values have none and large ones lose no digits.
    let origin = rows.iter().find_map(|&row| value(row))?;
    let (mut sum, mut total) = (0.0, 0.0);
    for (&row, weight) in rows.iter().zip(weights) {
        if let Some(value) = value(row) {
            sum += weight * (value - origin);
            total += weight;
        }
    }
    let shift = sum / total;
    let deviation = |&row: &u32| value(row).map_or(0.0, |value| value - origin - shift);
    let mean = origin + shift;
    mean.is_finite().then(|| (mean, rows.iter().map(deviation).collect()))
}

/// The standard deviation of values whose mean is 0.
fn spread(deviations: &[f64], weights: &[f64]) -> f64 {
    let squares = deviations.iter().zip(weights).map(|(value, weight)| weight * value * value);
    (squares.sum::<f64>() / weights.iter().sum::<f64>()).sqrt()
}
