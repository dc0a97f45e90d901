//! Solving for stumps and a border of dense columns, from the leaves up.
//!
//! Two stumps have products only where one is above the other. Eliminating a stump changes the entries
//! of pairs of stumps above it, which have entries anyway: nothing is filled in.

use std::ops::Range;

/// Which entries there are.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    /// The stumps above each stump, from the root down, one list after the other.
    ancestors: Vec<usize>,
    /// Where the list of a stump begins.
    starts: Vec<usize>,
    /// Number of columns of the border.
    width: usize,
}

impl Layout {
    /// Of stumps, each with the one above, which comes before it.
    pub(super) fn new(above: impl Iterator<Item = Option<usize>>, width: usize) -> Self {
        let mut layout = Self { ancestors: Vec::new(), starts: vec![0], width };
        for above in above {
            if let Some(above) = above {
                layout.ancestors.extend_from_within(layout.span(above));
                layout.ancestors.push(above);
            }
            layout.starts.push(layout.ancestors.len());
        }
        layout
    }

    fn n_stumps(&self) -> usize {
        self.starts.len() - 1
    }

    fn span(&self, stump: usize) -> Range<usize> {
        self.starts[stump]..self.starts[stump + 1]
    }

    pub(super) fn ancestors(&self, stump: usize) -> &[usize] {
        &self.ancestors[self.span(stump)]
    }

    /// Where the entries of a stump lie: with those above, then with the border.
    fn entries(&self, stump: usize) -> Range<usize> {
        let Range { start, end } = self.span(stump);
        start + stump * self.width..end + (stump + 1) * self.width
    }
}

/// A symmetric matrix of stumps and the columns of the border; once factored, L and D of its
/// decomposition L D L', where L has ones on its diagonal.
#[derive(Debug, Clone)]
pub(super) struct Matrix {
    rows: Vec<f64>,
    /// Entries of the stumps on the diagonal.
    pub(super) diagonal: Vec<f64>,
    /// Entries of the border, whose lower triangle is read.
    pub(super) border: Vec<f64>,
}

/// A vector with an entry for every stump and every column of the border.
#[derive(Debug, Clone)]
pub(super) struct Vector {
    pub(super) stumps: Vec<f64>,
    pub(super) border: Vec<f64>,
}

impl Matrix {
    pub(super) fn new(layout: &Layout) -> Self {
        let n_stumps = layout.n_stumps();
        Self {
            rows: vec![0.0; layout.ancestors.len() + n_stumps * layout.width],
            diagonal: vec![0.0; n_stumps],
            border: vec![0.0; layout.width * layout.width],
        }
    }

    /// The entries of a stump with those above, and with the border.
    pub(super) fn row(&self, layout: &Layout, stump: usize) -> (&[f64], &[f64]) {
        self.rows[layout.entries(stump)].split_at(layout.span(stump).len())
    }

    pub(super) fn row_mut(&mut self, layout: &Layout, stump: usize) -> (&mut [f64], &mut [f64]) {
        self.rows[layout.entries(stump)].split_at_mut(layout.span(stump).len())
    }

    /// Adds a penalty to all columns but the last one of the border, the intercept, and factors. The
    /// matrix is positive definite. Cost O(stumps (depth + width)^2 + width^3).
    pub(super) fn factor(&mut self, layout: &Layout, penalty: f64) {
        let width = layout.width;
        self.diagonal.iter_mut().for_each(|entry| *entry += penalty);
        (0..width - 1).for_each(|column| self.border[column * width + column] += penalty);
        for stump in (0..layout.n_stumps()).rev() {
            let pivot = self.diagonal[stump];
            let (before, row) = self.rows.split_at_mut(layout.entries(stump).start);
            let row = &mut row[..layout.entries(stump).len()];
            let (ancestors, border) = row.split_at_mut(layout.span(stump).len());
            for (at, &ancestor) in layout.ancestors(stump).iter().enumerate() {
                let share = ancestors[at] / pivot;
                self.diagonal[ancestor] -= share * ancestors[at];
                // The stumps above an ancestor are the first ones above the stump.
                let (above, beside) = before[layout.entries(ancestor)].split_at_mut(at);
                subtract(above, share, &ancestors[..at]);
                subtract(beside, share, border);
            }
            for (at, &entry) in border.iter().enumerate() {
                subtract(&mut self.border[at * width..][..=at], entry / pivot, &border[..=at]);
            }
            row.iter_mut().for_each(|entry| *entry /= pivot);
        }
        self.factor_border(width);
    }

    /// The columns of the border one after the other.
    fn factor_border(&mut self, width: usize) {
        for column in 0..width {
            let pivot = self.border[column * width + column];
            for row in column + 1..width {
                let entry = self.border[row * width + column] / pivot;
                for other in column + 1..=row {
                    self.border[row * width + other] -= entry * self.border[other * width + column];
                }
            }
            for row in column + 1..width {
                self.border[row * width + column] /= pivot;
            }
        }
    }

    /// The pivot of a column of the border.
    pub(super) fn border_pivot(&self, layout: &Layout, column: usize) -> f64 {
        self.border[column * layout.width + column]
    }

    /// L^-1 on the border, once what stumps subtract is subtracted.
    pub(super) fn border_forward(&self, layout: &Layout, border: &mut [f64]) {
        for at in 1..border.len() {
            let (before, rest) = border.split_at_mut(at);
            rest[0] -= dot(&self.border[at * layout.width..][..at], before);
        }
    }

    /// L'^-1 D^-1 on the border.
    pub(super) fn border_back(&self, layout: &Layout, border: &mut [f64]) {
        for at in (0..border.len()).rev() {
            let (before, after) = border.split_at_mut(at + 1);
            let below = after.iter().zip(at + 1..);
            let of_below: f64 =
                below.map(|(value, row)| value * self.border[row * layout.width + at]).sum();
            before[at] = before[at] / self.border_pivot(layout, at) - of_below;
        }
    }

    /// Solves for a whole vector. Cost O(stumps (depth + width) + width^2).
    pub(super) fn solve(&self, layout: &Layout, vector: &mut Vector) {
        let Vector { stumps, border } = vector;
        for stump in (0..layout.n_stumps()).rev() {
            let (ancestors, beside) = self.row(layout, stump);
            let value = stumps[stump];
            for (entry, &ancestor) in ancestors.iter().zip(layout.ancestors(stump)) {
                stumps[ancestor] -= entry * value;
            }
            subtract(border, value, beside);
        }
        self.border_forward(layout, border);
        self.border_back(layout, border);
        for stump in 0..layout.n_stumps() {
            let (ancestors, beside) = self.row(layout, stump);
            let above = layout.ancestors(stump).iter().map(|&ancestor| stumps[ancestor]);
            let of_above: f64 =
                ancestors.iter().zip(above).map(|(entry, value)| entry * value).sum();
            stumps[stump] = stumps[stump] / self.diagonal[stump] - of_above - dot(beside, border);
        }
    }
}

/// Subtracts a multiple.
pub(super) fn subtract(from: &mut [f64], factor: f64, values: &[f64]) {
    from.iter_mut().zip(values).for_each(|(entry, value)| *entry -= factor * value);
}

pub(super) fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}
