//! Whether rows avoid each other, as those of a low-discrepancy sequence do.

use crate::inputs::Rows;

/// Pairs of inputs that are looked at.
const MOST_PAIRS: usize = 100;

/// Rows of a cell, on average.
const ROWS_OF_A_CELL: f64 = 8.0;

/// So many standard deviations below its mean, the spread of counts is not due to chance.
const TOO_EVEN: f64 = -5.0;

/// Whether the numbers of rows in cells, formed by the ranks of two inputs, vary much less than those of
/// independent rows: a sum of squares with about a chi-squared distribution. In-bag rows are then too far
/// from out-of-bag rows, and errors of forests are too large.
pub(crate) fn are_too_even(rows: &Rows, n_inputs: usize) -> bool {
    let side = (rows.len() as f64 / ROWS_OF_A_CELL).sqrt() as usize;
    if side < 4 {
        return false;
    }
    let cells: Vec<Option<Vec<usize>>> =
        (0..n_inputs).map(|input| cells(rows, input, side)).collect();
    let pairs = (0..n_inputs).flat_map(|one| (0..one).map(move |other| (one, other)));
    pairs.take(MOST_PAIRS).any(|(one, other)| {
        let (Some(one), Some(other)) = (&cells[one], &cells[other]) else { return false };
        let mut counts = vec![0.0; side * side];
        one.iter().zip(other).for_each(|(row, column)| counts[row * side + column] += 1.0);
        let expected = rows.len() as f64 / counts.len() as f64;
        let squares: f64 = counts.iter().map(|count: &f64| (count - expected).powi(2)).sum();
        let freedom = ((side - 1) * (side - 1)) as f64;
        (squares / expected - freedom) / (2.0 * freedom).sqrt() < TOO_EVEN
    })
}

/// The part of the ranks of an input that each row is in; `None` where values repeat.
fn cells(rows: &Rows, input: usize, side: usize) -> Option<Vec<usize>> {
    let values: Vec<f64> = rows.column(input).collect();
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&one, &other| values[one].total_cmp(&values[other]));
    let n_distinct = order.chunk_by(|&one, &other| values[one] == values[other]).count();
    let mut cells = vec![0; values.len()];
    order.iter().enumerate().for_each(|(rank, &row)| cells[row] = rank * side / values.len());
    (2 * n_distinct > values.len()).then_some(cells)
}

#[cfg(test)]
mod tests {
    use wald::work::{Purpose, Stream};

    use super::*;

    #[test]
    fn sequences_that_fill_space_evenly_are_recognized() {
        let n = 1000;
        // The additive recurrence of the plastic number.
        let even = (1..=n).flat_map(|at| {
            let at = f64::from(at);
            [(at * 0.754_877_666).fract(), (at * 0.569_840_290).fract()]
        });
        assert!(are_too_even(&Rows::new(2, even.collect()), 2));
        for seed in 0..20 {
            let mut stream = Stream::new(seed, 0, Purpose::Simulation { part: 3 });
            let random = (0..3 * n).map(|_| stream.unit()).collect();
            assert!(!are_too_even(&Rows::new(3, random), 3), "seed {seed}");
        }
    }
}
