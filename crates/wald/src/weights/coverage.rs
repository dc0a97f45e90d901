//! Whether intervals of quantiles hold as many training rows as their levels state.

use crate::data::Response;
use crate::error::Error;
use crate::message;
use crate::message::Message;
use crate::random::scattered_rows;
use crate::run::Run;
use crate::setting;
use crate::weights::quantiles::{Quantiles, quantiles_of};
use crate::words::{percent, shortest};

/// Of so many rows a share has a standard error of .02 at most, and they cost little beside the rows that
/// are predicted.
const MOST_ROWS: usize = 500;

/// Smaller differences are of no consequence, however certain they are.
const LEAST_SHORTFALL: f64 = 0.03;

impl Quantiles {
    /// The note on intervals that hold fewer rows than their levels state: where leaves are small and
    /// variables few, the quantiles of a row are made of few targets. The training rows are counted that lie
    /// between the smallest and the largest quantile, each by the trees that did not see it; 500 of
    /// more rows.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn note_on_coverage(&self, levels: &[f64], run: &Run) -> Result<Option<Message>, Error> {
        let low = levels.iter().copied().fold(f64::INFINITY, f64::min);
        let high = levels.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let data = self.weigher.data();
        let Response::Regression(values) = data.target().response() else { return Ok(None) };
        if low >= high {
            return Ok(None);
        }
        let rows = scattered_rows(data.n_rows(), MOST_ROWS);
        let weight = |row: u32| data.weights().map_or(1.0, |weights| weights[row as usize]);
        let (mut inside, mut total, mut squares, mut n_counted) = (0.0, 0.0, 0.0, 0);
        let of_row = |_, sums: &mut _| {
            let mut ends = [f64::NAN; 2];
            quantiles_of(sums, &self.responses, &[low, high], |at, value| ends[at] = value);
            ends
        };
        self.weigher.each_out_of_bag(&rows, run, of_row, |at, [first, last]| {
            let (row, value) = (rows[at], values[rows[at] as usize]);
            // A row in the bags of all trees has no quantiles.
            if !first.is_nan() && weight(row) > 0.0 {
                inside += if (first..=last).contains(&value) { weight(row) } else { 0.0 };
                total += weight(row);
                squares += weight(row) * weight(row);
                n_counted += 1;
            }
        })?;
        let (share, expected, n_independent) =
            (inside / total, high - low, total * total / squares);
        let error = (expected * (1.0 - expected) / n_independent).sqrt();
        let is_short =
            n_counted > 0 && expected - share >= LEAST_SHORTFALL && expected - share > 2.0 * error;
        Ok(is_short.then(|| {
            message!(
                "of ",
                n_counted,
                " training rows, out of bag, ",
                percent(share),
                " lie between the quantiles ",
                shortest(low),
                " and ",
                shortest(high),
                ", which should be ",
                percent(expected),
                ": larger leaves",
                setting::MIN_LEAF_SIZE.hint(),
                " make intervals wider"
            )
        }))
    }
}
