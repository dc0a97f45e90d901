//! Eigenvalues and eigenvectors of small symmetric matrices.

/// Sweeps end once what is off the diagonal is this share of the whole, in squares, or after so many.
const NOTHING: f64 = 1e-24;
const MOST_SWEEPS: usize = 30;

/// The eigenvalues of a symmetric n * n matrix, and their eigenvectors in rows, in no order, by the cyclic Jacobi
/// method (Golub & Van Loan 2013, section 8.5). Numbers that are not finite lead to such results. Cost O(n^3) a sweep, of
/// which about eight are made.
pub(super) fn eigen(mut matrix: Vec<f64>, n: usize) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut vectors: Vec<Vec<f64>> =
        (0..n).map(|row| (0..n).map(|at| f64::from(u8::from(row == at))).collect()).collect();
    for _ in 0..MOST_SWEEPS {
        let squares = |of: &dyn Fn(usize) -> bool| -> f64 {
            (0..n * n).filter(|at| of(*at)).map(|at| matrix[at] * matrix[at]).sum()
        };
        if squares(&|at| at / n != at % n) <= NOTHING * squares(&|_| true) {
            break;
        }
        for one in 0..n {
            for other in one + 1..n {
                let both = matrix[one * n + other];
                if both == 0.0 {
                    continue;
                }
                let ratio = (matrix[other * n + other] - matrix[one * n + one]) / (2.0 * both);
                let tangent = ratio.signum() / (ratio.abs() + ratio.hypot(1.0));
                let cosine = 1.0 / tangent.hypot(1.0);
                let sine = tangent * cosine;
                let turn = |x: f64, y: f64| (cosine * x - sine * y, sine * x + cosine * y);
                for row in matrix.chunks_exact_mut(n) {
                    (row[one], row[other]) = turn(row[one], row[other]);
                }
                for at in 0..n {
                    let (x, y) = turn(matrix[one * n + at], matrix[other * n + at]);
                    (matrix[one * n + at], matrix[other * n + at]) = (x, y);
                    let (x, y) = turn(vectors[one][at], vectors[other][at]);
                    (vectors[one][at], vectors[other][at]) = (x, y);
                }
            }
        }
    }
    ((0..n).map(|at| matrix[at * n + at]).collect(), vectors)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eigenvalues of `numpy.linalg.eigh`; each vector has length 1 and is only stretched by the matrix.
    #[test]
    fn vectors_are_stretched_by_their_values() {
        let matrix = [
            [4.0, 1.0, -2.0, 0.5],
            [1.0, 3.0, 0.0, 0.25],
            [-2.0, 0.0, 5.0, -1.0],
            [0.5, 0.25, -1.0, 1.0],
        ];
        let (values, vectors) = eigen(matrix.concat(), 4);
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        for (found, expected) in
            sorted.iter().zip([0.734_634_28, 1.904_282_07, 3.480_101_42, 6.880_982_22])
        {
            assert!((found - expected).abs() < 1e-8, "{sorted:?}");
        }
        for (value, vector) in values.iter().zip(&vectors) {
            assert!((vector.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-12);
            for (row, own) in matrix.iter().zip(vector) {
                let stretched: f64 = row.iter().zip(vector).map(|(a, x)| a * x).sum();
                assert!((stretched - value * own).abs() < 1e-12, "{value}: {vector:?}");
            }
        }
    }
}
