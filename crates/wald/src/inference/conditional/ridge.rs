//! Linear regression with a ridge penalty on all terms but the first one, which is 1.

use crate::cholesky::Cholesky;
use crate::inference::conditional::truth::{Fit, Model, Truth};

/// Products of the terms, whose first one is 1, with each other and with the outputs.
#[derive(Clone)]
struct Products {
    terms: Vec<f64>,
    outputs: Vec<Vec<f64>>,
}

/// The coefficients of all rows, with the penalty of the least squared error in cross-validation; `None` where numbers
/// are too large. Cost O(rows * terms^2 + penalties * folds * terms^3).
pub(super) fn learn(truth: &Truth<'_>, rows: &[f64], penalties: &[f64]) -> Option<Fit> {
    let width = rows.len() / truth.weights.len();
    let mut of_fold = vec![Products::new(width, truth.n_outputs); truth.n_folds()];
    for (row, terms) in rows.chunks_exact(width).enumerate() {
        of_fold[truth.fold_of[row] as usize].add(truth.weights[row], terms, truth.of(row));
    }
    let mut products = Products::new(width, truth.n_outputs);
    of_fold.iter().for_each(|fold| products.merge(fold, 1.0));
    let model = |coefficients| Model::Linear(coefficients, truth.link);
    let by_penalty = |penalty: f64| -> Option<(f64, f64, Vec<f64>)> {
        let without = |fold: &Products| {
            let mut rest = products.clone();
            rest.merge(fold, -1.0);
            rest.solve(penalty).map(model)
        };
        let by_fold: Vec<Model> = of_fold.iter().map(without).collect::<Option<_>>()?;
        let (error, predictions) =
            truth.predicted(rows, |fold, terms, made| by_fold[fold].predict(terms, made));
        error.is_finite().then_some((error, penalty, predictions))
    };
    let tried = penalties.iter().copied().filter_map(by_penalty);
    let (error, penalty, predictions) = tried.min_by(|one, other| one.0.total_cmp(&other.0))?;
    Some(Fit { model: model(products.solve(penalty)?), predictions, error })
}

impl Products {
    fn new(width: usize, n_outputs: usize) -> Self {
        Self { terms: vec![0.0; width * width], outputs: vec![vec![0.0; width]; n_outputs] }
    }

    fn add(&mut self, weight: f64, terms: &[f64], truth: &[f64]) {
        for (row, term) in self.terms.chunks_exact_mut(terms.len()).zip(terms) {
            row.iter_mut().zip(terms).for_each(|(sum, other)| *sum += weight * term * other);
        }
        for (sums, truth) in self.outputs.iter_mut().zip(truth) {
            sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += weight * term * truth);
        }
    }

    fn merge(&mut self, other: &Self, sign: f64) {
        let add = |sums: &mut [f64], others: &[f64]| {
            sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += sign * other);
        };
        add(&mut self.terms, &other.terms);
        self.outputs.iter_mut().zip(&other.outputs).for_each(|(sums, others)| add(sums, others));
    }

    /// Coefficients by output; `None` where the terms do not determine them.
    fn solve(&self, penalty: f64) -> Option<Vec<Vec<f64>>> {
        let width = self.outputs.first()?.len();
        let mut matrix = self.terms.clone();
        // The first term is 1, so that its square is the weight of all rows; it is not penalised.
        let penalty = penalty * matrix[0];
        (1..width).for_each(|at| matrix[at * width + at] += penalty);
        let factored = Cholesky::new(matrix, width)?;
        let mut outputs = self.outputs.clone();
        outputs.iter_mut().for_each(|output| factored.solve(output));
        Some(outputs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inference::conditional::trend::standardised;
    use crate::inference::conditional::truth::Link;

    /// Predictions of `sklearn.linear_model.Ridge(alpha=0.1 * w.sum())` on columns standardised by weight.
    #[test]
    fn coefficients_are_those_of_ridge_regression() {
        let rows = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [4.0, 1.0], [5.0, 5.0]];
        let truth = [1.0, 3.0, 2.0, 5.0, 9.0];
        let weights = [1.0, 2.0, 1.0, 1.0, 3.0];
        let (scales, terms) = standardised(&rows.concat(), (2, 0), 8.0, |row| weights[row]);
        assert_eq!(scales.iter().map(|scale| scale.0).collect::<Vec<_>>(), [2.875, 2.375]);
        let mut products = Products::new(3, 1);
        for ((terms, truth), weight) in terms.chunks_exact(3).zip(truth).zip(weights) {
            products.add(weight, terms, &[truth]);
        }
        let coefficients = products.solve(0.1).expect("a solution");
        for (found, expected) in coefficients[0].iter().zip([5.125, 1.866_161_89, 1.109_234_39]) {
            assert!((found - expected).abs() < 1e-8, "{found}");
        }
        let expected = [1.673_719_74, 2.099_839_76, 4.097_384_63, 5.473_432_94, 8.518_594_39];
        for (terms, expected) in terms.chunks_exact(3).zip(expected) {
            let mut made = [0.0];
            Model::Linear(coefficients.clone(), Link::Identity).predict(terms, &mut made);
            assert!((made[0] - expected).abs() < 1e-8, "{made:?}");
        }
    }
}
