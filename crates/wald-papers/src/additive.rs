//! An additive model: the sum of one smooth function per variable.
//!
//! Cubic P-splines (Eilers & Marx 1996): B-splines on equal intervals with a penalty on second
//! differences of their coefficients, fitted together by penalised least squares. The penalties
//! are those of the largest restricted likelihood (REML; Wood 2011, equation 4, for normal errors),
//! which overfits less than generalised cross-validation; they are sought on a grid, one variable
//! after the other. Variables of few distinct values have a straight line. It stands in for the
//! "generalized additive model" of Bénard, Da Veiga & Scornet, whose kind the paper does not
//! specify.

/// Intervals of the splines.
const N_INTERVALS: usize = 7;

/// B-splines of degree 3 on them.
const N_SPLINES: usize = N_INTERVALS + 3;

/// Variables of fewer distinct values are straight lines.
const LEAST_DISTINCT: usize = 10;

/// Rounds over the variables when penalties are chosen.
const N_ROUNDS: usize = 4;

/// Penalties are powers of the root of ten.
const SMALLEST_EXPONENT: i32 = -4;
const LARGEST_EXPONENT: i32 = 14;

/// Makes sums of splines, which are constant, harmless.
const RIDGE: f64 = 1e-7;

/// One variable's part of the model.
#[derive(Debug, Clone)]
struct Term {
    low: f64,
    high: f64,
    is_smooth: bool,
    /// Means of the basis over the training rows.
    centre: Vec<f64>,
}

/// A fitted additive model.
#[derive(Debug, Clone)]
pub(crate) struct Additive {
    terms: Vec<Term>,
    mean: f64,
    coefficients: Vec<f64>,
    /// Effective number of parameters.
    pub(crate) degrees_of_freedom: f64,
}

impl Additive {
    /// Fits `columns` (one per variable, equally long) to the target. Cost O(rows * b^2 + b^3),
    /// b being ten times the number of variables, for each penalty tried.
    pub(crate) fn fit(columns: &[Vec<f64>], target: &[f64]) -> Self {
        let n = target.len() as f64;
        let mut terms: Vec<Term> = columns.iter().map(|values| Term::new(values)).collect();
        for (term, values) in terms.iter_mut().zip(columns) {
            let mut centre = vec![0.0; term.n_columns()];
            for &value in values {
                centre.iter_mut().zip(term.basis(value)).for_each(|(sum, basis)| *sum += basis / n);
            }
            term.centre = centre;
        }
        let mean = target.iter().sum::<f64>() / n;
        let problem = Problem::new(&terms, columns, target, mean);
        let mut penalties = vec![10.0; terms.len()];
        let mut best = problem.solve(&terms, &penalties);
        for _ in 0..N_ROUNDS {
            for variable in (0..terms.len()).filter(|&variable| terms[variable].is_smooth) {
                for exponent in SMALLEST_EXPONENT..=LARGEST_EXPONENT {
                    let mut tried = penalties.clone();
                    tried[variable] = 10_f64.powf(0.5 * f64::from(exponent));
                    let solution = problem.solve(&terms, &tried);
                    if solution.score < best.score {
                        (best, penalties) = (solution, tried);
                    }
                }
            }
        }
        Self {
            terms,
            mean,
            coefficients: best.coefficients,
            degrees_of_freedom: best.degrees_of_freedom,
        }
    }

    /// The prediction of a row, one value per variable.
    pub(crate) fn predict(&self, row: &[f64]) -> f64 {
        let basis = self.terms.iter().zip(row).flat_map(|(term, &value)| term.centred(value));
        self.mean + basis.zip(&self.coefficients).map(|(basis, factor)| basis * factor).sum::<f64>()
    }
}

impl Term {
    fn new(values: &[f64]) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted.dedup();
        let (low, high) = (sorted[0], sorted[sorted.len() - 1]);
        Self { low, high, is_smooth: sorted.len() >= LEAST_DISTINCT, centre: Vec::new() }
    }

    fn n_columns(&self) -> usize {
        if self.is_smooth { N_SPLINES } else { 1 }
    }

    /// Values of the basis; beyond the training rows those of the nearest one.
    fn basis(&self, value: f64) -> Vec<f64> {
        if !self.is_smooth {
            return vec![value];
        }
        let place = (value.clamp(self.low, self.high) - self.low) / (self.high - self.low);
        let place = place * N_INTERVALS as f64;
        let interval = (place.floor() as usize).min(N_INTERVALS - 1);
        let t = place - interval as f64;
        let s = 1.0 - t;
        let four = [
            s * s * s,
            3.0 * t * t * t - 6.0 * t * t + 4.0,
            3.0 * s * s * s - 6.0 * s * s + 4.0,
            t * t * t,
        ];
        let mut basis = vec![0.0; N_SPLINES];
        for (offset, value) in four.into_iter().enumerate() {
            basis[interval + offset] = value / 6.0;
        }
        basis
    }

    fn centred(&self, value: f64) -> Vec<f64> {
        let basis = self.basis(value);
        basis.iter().zip(&self.centre).map(|(basis, centre)| basis - centre).collect()
    }
}

/// Cross products of the basis and the target.
struct Problem {
    n_rows: f64,
    n_columns: usize,
    /// Row after row.
    products: Vec<f64>,
    with_target: Vec<f64>,
    target_square: f64,
}

struct Solution {
    coefficients: Vec<f64>,
    degrees_of_freedom: f64,
    /// -2 times the logarithm of the restricted likelihood, up to a constant.
    score: f64,
}

impl Problem {
    fn new(terms: &[Term], columns: &[Vec<f64>], target: &[f64], mean: f64) -> Self {
        let n_columns = terms.iter().map(Term::n_columns).sum();
        let mut problem = Self {
            n_rows: target.len() as f64,
            n_columns,
            products: vec![0.0; n_columns * n_columns],
            with_target: vec![0.0; n_columns],
            target_square: 0.0,
        };
        for (row, value) in target.iter().enumerate() {
            let centred = value - mean;
            let basis: Vec<f64> = terms
                .iter()
                .zip(columns)
                .flat_map(|(term, values)| term.centred(values[row]))
                .collect();
            for (i, a) in basis.iter().enumerate() {
                problem.with_target[i] += a * centred;
                for (j, b) in basis.iter().enumerate() {
                    problem.products[i * n_columns + j] += a * b;
                }
            }
            problem.target_square += centred * centred;
        }
        problem
    }

    fn solve(&self, terms: &[Term], penalties: &[f64]) -> Solution {
        let n = self.n_columns;
        let mut matrix = self.products.clone();
        let mut first = 0;
        for (term, penalty) in terms.iter().zip(penalties) {
            for column in first..first + term.n_columns() {
                matrix[column * n + column] += RIDGE * self.n_rows;
            }
            // Second differences (1, -2, 1) of neighbouring coefficients.
            for start in first..(first + term.n_columns()).saturating_sub(2) {
                let difference = [1.0, -2.0, 1.0];
                for (i, a) in difference.into_iter().enumerate() {
                    for (j, b) in difference.into_iter().enumerate() {
                        matrix[(start + i) * n + start + j] += penalty * a * b;
                    }
                }
            }
            first += term.n_columns();
        }
        let (inverse, log_determinant) = inverse(matrix, n);
        let row = |i: usize| &inverse[i * n..(i + 1) * n];
        let coefficients: Vec<f64> = (0..n).map(|i| dot(row(i), &self.with_target)).collect();
        // The trace of the hat matrix, with one for the mean.
        let degrees_of_freedom = 1.0 + dot(&inverse, &self.products);
        // Residual sum of squares plus penalty, at the coefficients that minimise it.
        let deviance = self.target_square - dot(&coefficients, &self.with_target);
        // What no penalty shrinks: the mean, and a straight line per variable.
        let n_free = 1.0 + terms.len() as f64;
        let smooth = terms.iter().zip(penalties).filter(|(term, _)| term.is_smooth);
        let log_penalties: f64 =
            smooth.map(|(_, penalty)| (N_SPLINES as f64 - 2.0) * penalty.ln()).sum();
        let score = (self.n_rows - n_free) * deviance.ln() + log_determinant - log_penalties;
        Solution { coefficients, degrees_of_freedom, score }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The inverse of a symmetric positive definite matrix and the logarithm of its determinant, by
/// Gauss-Jordan elimination.
fn inverse(mut matrix: Vec<f64>, n: usize) -> (Vec<f64>, f64) {
    let mut log_determinant = 0.0;
    for pivot in 0..n {
        let divisor = matrix[pivot * n + pivot];
        log_determinant += divisor.ln();
        matrix[pivot * n + pivot] = 1.0;
        for column in 0..n {
            matrix[pivot * n + column] /= divisor;
        }
        let pivot_row = matrix[pivot * n..(pivot + 1) * n].to_vec();
        for row in (0..n).filter(|&row| row != pivot) {
            let factor = matrix[row * n + pivot];
            if factor == 0.0 {
                continue;
            }
            matrix[row * n + pivot] = 0.0;
            for (cell, pivot) in matrix[row * n..(row + 1) * n].iter_mut().zip(&pivot_row) {
                *cell -= factor * pivot;
            }
        }
    }
    (matrix, log_determinant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wald::simulate::Numbers;

    #[test]
    fn an_inverse_times_its_matrix_is_the_identity() {
        let matrix = vec![4.0, 1.0, 0.5, 1.0, 3.0, -1.0, 0.5, -1.0, 2.0];
        let (found, log_determinant) = inverse(matrix.clone(), 3);
        // 4 * (6 - 1) - 1 * (2 + .5) + .5 * (-1 - 1.5) = 16.25.
        assert!((log_determinant - 16.25_f64.ln()).abs() < 1e-12);
        for i in 0..3 {
            for j in 0..3 {
                let product: f64 = (0..3).map(|k| matrix[i * 3 + k] * found[k * 3 + j]).sum();
                assert!((product - f64::from(u8::from(i == j))).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn splines_sum_to_one_and_straight_lines_are_free() {
        let values: Vec<f64> = (0..50).map(|i| f64::from(i) * 0.3).collect();
        let term = Term::new(&values);
        for &value in &values {
            assert!((term.basis(value).iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
        let target: Vec<f64> = values.iter().map(|x| 3.0 - 2.0 * x).collect();
        let model = Additive::fit(std::slice::from_ref(&values), &target);
        for (x, y) in values.iter().zip(&target) {
            assert!((model.predict(&[*x]) - y).abs() < 1e-3);
        }
    }

    #[test]
    fn smooth_functions_are_found_and_noise_is_not() {
        let mut numbers = Numbers::new(3, 1);
        let n = 300;
        let columns: Vec<Vec<f64>> =
            (0..4).map(|_| (0..n).map(|_| numbers.uniform()).collect()).collect();
        let signal = |row: usize| 3.0 * (6.0 * columns[0][row]).sin() + 4.0 * columns[1][row];
        let target: Vec<f64> = (0..n).map(|row| signal(row) + 0.5 * numbers.normal()).collect();
        let model = Additive::fit(&columns, &target);
        let errors = (0..n).map(|row| {
            let values: Vec<f64> = columns.iter().map(|column| column[row]).collect();
            (model.predict(&values) - signal(row)).powi(2)
        });
        let error = errors.sum::<f64>() / n as f64;
        // The mean squared error of the fit is about degrees of freedom * .25 / n = .012.
        assert!(error < 0.025, "{error}");
        assert!(model.degrees_of_freedom < 25.0, "{}", model.degrees_of_freedom);
    }
}
