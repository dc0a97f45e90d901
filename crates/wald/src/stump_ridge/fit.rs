//! The regression: its penalty by leaving out one row after the other, and what the columns of each
//! variable predict.

use crate::stump_ridge::design::{Design, Leaf};
use crate::stump_ridge::elimination::{Matrix, Vector, dot, subtract};

/// Number of penalties tried, and the powers of ten that they lie between: the grid of the authors'
/// program.
const N_PENALTIES: u32 = 100;
const LEAST_POWER: f64 = -5.0;
const LARGEST_POWER: f64 = 5.0;

/// The least that the prediction of a row without it counts as differing from the one with it: a row
/// that outweighs all others is predicted by nothing else.
const LEAST_REST: f64 = 1e-10;

/// The regression of one response.
#[derive(Debug, Clone)]
pub(crate) struct Fit {
    /// The penalty of squared coefficients.
    pub(crate) penalty: f64,
    /// Coefficients of the stumps.
    pub(crate) stumps: Vec<f64>,
    /// Coefficients of the raw columns, then the intercept.
    pub(crate) border: Vec<f64>,
}

/// What one row is to a factored matrix: numbers of the stumps on its path, and of the border.
#[derive(Debug, Default)]
struct OfRow {
    path: Vec<f64>,
    border: Vec<f64>,
}

/// Fits responses, given by row of the design and with mean 0, by ridge regression; the penalty of each
/// is the first of those with the least squared error where rows are left out one by one. Cost, for
/// every penalty: O(nodes (depth + variables)^2 + rows variables^2).
pub(crate) fn fit(design: &Design, responses: &[Vec<f64>]) -> Vec<Fit> {
    let products: Vec<_> = responses.iter().map(|response| design.products(response)).collect();
    let mut best: Vec<Option<(f64, Fit)>> = vec![None; responses.len()];
    let mut factored = design.gram.clone();
    let mut working = OfRow::default();
    let mut leverages = vec![0.0; design.rows.len()];
    for at in 0..N_PENALTIES {
        let share = f64::from(at) / f64::from(N_PENALTIES - 1);
        let penalty = 10_f64.powf(LEAST_POWER + (LARGEST_POWER - LEAST_POWER) * share);
        factored.clone_from(&design.gram);
        factored.factor(&design.layout, penalty);
        find_leverages(design, &factored, &mut working, &mut leverages);
        for ((response, (stumps, border)), best) in responses.iter().zip(&products).zip(&mut best) {
            let mut found = Vector { stumps: stumps.clone(), border: border.clone() };
            factored.solve(&design.layout, &mut found);
            let fit = Fit { penalty, stumps: found.stumps, border: found.border };
            let mut error = 0.0;
            fit.residuals(design, response, |row, residual| {
                error += design.weights[row] * (residual / rest(leverages[row])).powi(2);
            });
            if best.as_ref().is_none_or(|(least, _)| error < *least) {
                *best = Some((error, fit));
            }
        }
    }
    best.into_iter().flatten().map(|(_, fit)| fit).collect()
}

/// What is left of a residual when the row is left in.
fn rest(leverage: f64) -> f64 {
    (1.0 - leverage).max(LEAST_REST)
}

/// By how much the prediction of each row changes with its own response.
fn find_leverages(design: &Design, factored: &Matrix, working: &mut OfRow, leverages: &mut [f64]) {
    for leaf in &design.leaves {
        let of_path = working.forward_path(design, factored, leaf);
        let shift = working.border.clone();
        for row in leaf.rows.clone() {
            let of_border = working.forward_border(design, factored, &shift, row);
            leverages[row] = design.weights[row] * (of_path + of_border);
        }
    }
}

impl OfRow {
    /// L^-1 of the rows of a leaf, on their path; the border holds what the path adds to it. Returns
    /// what they add to the leverage.
    fn forward_path(&mut self, design: &Design, factored: &Matrix, leaf: &Leaf) -> f64 {
        let value = |&(stump, side): &(usize, usize)| design.stumps[stump].values[side];
        self.path.clear();
        self.path.extend(leaf.path.iter().map(value));
        self.border.clear();
        self.border.resize(design.width(), 0.0);
        let mut leverage = 0.0;
        for (at, &(stump, _)) in leaf.path.iter().enumerate().rev() {
            let (ancestors, beside) = factored.row(&design.layout, stump);
            let (above, rest) = self.path.split_at_mut(at);
            let value = rest[0];
            subtract(above, value, ancestors);
            subtract(&mut self.border, value, beside);
            leverage += value * value / factored.diagonal[stump];
        }
        leverage
    }

    /// L^-1 of a row, on the border. Returns what it adds to the leverage.
    fn forward_border(
        &mut self,
        design: &Design,
        factored: &Matrix,
        shift: &[f64],
        row: usize,
    ) -> f64 {
        let values = design.border(row).iter().zip(shift);
        self.border.clear();
        self.border.extend(values.map(|(value, shift)| value + shift));
        factored.border_forward(&design.layout, &mut self.border);
        let squares = self.border.iter().enumerate();
        squares.map(|(at, value)| value * value / factored.border_pivot(&design.layout, at)).sum()
    }

    /// From L^-1 of a row to the solution for it, on its path and on the border.
    fn back(&mut self, design: &Design, factored: &Matrix, leaf: &Leaf) {
        factored.border_back(&design.layout, &mut self.border);
        for (at, &(stump, _)) in leaf.path.iter().enumerate() {
            let (ancestors, beside) = factored.row(&design.layout, stump);
            let (above, rest) = self.path.split_at_mut(at);
            rest[0] = rest[0] / factored.diagonal[stump]
                - dot(ancestors, above)
                - dot(beside, &self.border);
        }
    }
}

impl Fit {
    fn of_leaf(&self, design: &Design, leaf: &Leaf) -> f64 {
        let term = |&(stump, side): &(usize, usize)| {
            self.stumps[stump] * design.stumps[stump].values[side]
        };
        leaf.path.iter().map(term).sum()
    }

    fn residuals(&self, design: &Design, response: &[f64], mut each: impl FnMut(usize, f64)) {
        for leaf in &design.leaves {
            let of_leaf = self.of_leaf(design, leaf);
            for row in leaf.rows.clone() {
                each(row, response[row] - of_leaf - dot(&self.border, design.border(row)));
            }
        }
    }

    /// By variable, what its columns predict for a row at their means.
    pub(crate) fn at_means(&self, design: &Design) -> Vec<f64> {
        let mut sums = vec![0.0; design.features.len()];
        for (stump, coefficient) in design.stumps.iter().zip(&self.stumps) {
            sums[stump.place] += coefficient * stump.mean;
        }
        sums
    }

    /// For every row, what the intercept and the columns of each variable predict for it by the
    /// regression without that row, all other columns being at their means (Agarwal et al. 2023, Steps 3
    /// and 4): `each` is given the row of the design, the intercept, and a number by variable. Cost
    /// O(nodes (depth + variables)^2 + rows variables (depth + variables)).
    pub(crate) fn without_each_row(
        &self,
        design: &Design,
        response: &[f64],
        mut each: impl FnMut(usize, f64, &[f64]),
    ) {
        let mut factored = design.gram.clone();
        factored.factor(&design.layout, self.penalty);
        let at_means = self.at_means(design);
        let of_means = solved_means(design, &factored);
        let width = design.width();
        let intercept = self.border[width - 1] + at_means.iter().sum::<f64>();
        let mut working = OfRow::default();
        let n_places = design.features.len();
        let (mut parts, mut changes) = (vec![0.0; n_places], vec![0.0; n_places]);
        for leaf in &design.leaves {
            let of_leaf = self.of_leaf(design, leaf);
            let of_path = working.forward_path(design, &factored, leaf);
            let (path, shift) = (working.path.clone(), working.border.clone());
            let means_of_path: Vec<f64> =
                of_means.iter().map(|of_mean| along(design, leaf, &of_mean.stumps)).collect();
            for row in leaf.rows.clone() {
                let border = design.border(row);
                working.path.clone_from(&path);
                let of_border = working.forward_border(design, &factored, &shift, row);
                working.back(design, &factored, leaf);
                let residual = response[row] - of_leaf - dot(&self.border, border);
                let leverage = design.weights[row] * (of_path + of_border);
                let step = design.weights[row] * residual / rest(leverage);

                let mut intercept_change = working.border[width - 1];
                for (place, of_mean) in of_means.iter().enumerate() {
                    let of_mean = means_of_path[place] + dot(&of_mean.border, border);
                    intercept_change += of_mean;
                    parts[place] = -at_means[place];
                    changes[place] = -of_mean;
                }
                for (&(stump, side), solved) in leaf.path.iter().zip(&working.path) {
                    let of = &design.stumps[stump];
                    parts[of.place] += of.values[side] * self.stumps[stump];
                    changes[of.place] += of.values[side] * solved;
                }
                for (at, raw) in design.raw.iter().enumerate() {
                    parts[raw.place] += border[at] * self.border[at];
                    changes[raw.place] += border[at] * working.border[at];
                }
                subtract(&mut parts, step, &changes);
                each(row, intercept - step * intercept_change, &parts);
            }
        }
    }
}

/// By variable, the solution for the means of its columns; those of raw columns are 0.
fn solved_means(design: &Design, factored: &Matrix) -> Vec<Vector> {
    let solved = |place: usize| {
        let mean =
            design.stumps.iter().map(|stump| if stump.place == place { stump.mean } else { 0.0 });
        let mut vector = Vector { stumps: mean.collect(), border: vec![0.0; design.width()] };
        factored.solve(&design.layout, &mut vector);
        vector
    };
    (0..design.features.len()).map(solved).collect()
}

/// The product of the stumps of a leaf with numbers by stump.
fn along(design: &Design, leaf: &Leaf, numbers: &[f64]) -> f64 {
    let term = |&(stump, side): &(usize, usize)| design.stumps[stump].values[side] * numbers[stump];
    leaf.path.iter().map(term).sum()
}
