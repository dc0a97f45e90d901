//! Scores of rows that lie apart from the rows of their class.

use crate::data::{Dataset, Response};
use crate::error::Error;
use crate::quantile::quantile_of;
use crate::run::Run;
use crate::weights::of_rows::Weights;
use crate::weights::sums::{Sums, TIE};
use crate::weights::weigher::{Rows, Summed, TOGETHER};

/// What makes the median absolute deviation of normal numbers their standard deviation, with the digits
/// of R's `mad`.
const MAD: f64 = 1.4826;

impl Weights {
    /// How far each training row lies apart from the others of its class (Breiman & Cutler; `outlier` of
    /// the R package randomForest). The proximity of another row is the share, of the trees that did not
    /// see the row, in which the other was drawn and ends in the same leaf. The inverse of the sum of
    /// squared proximities of rows of the class, minus the median of the class, is divided by 1.4826 times
    /// the median absolute deviation from it, which estimates a standard deviation. Of a number, all rows
    /// are one class. Scores above 10 deserve a look.
    ///
    /// Weights, which sum to 1, are no such proximities: where a class is dense, leaves are large and each
    /// of many rows has a small weight, so that rows in the middle of a class would have the highest scores.
    ///
    /// A row that no tree puts together with rows of its class has the largest score of its class. A
    /// row that is in all bags has none (NaN), nor has a class whose rows do not differ.
    ///
    /// ```
    /// use wald::simulate::Friedman1;
    /// use wald::{ForestConfig, Run};
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let config = ForestConfig { n_trees: 50, ..ForestConfig::default() };
    /// let fitted = wald::fit(data, &config, &Run::all())?;
    /// let scores = fitted.weights(&Run::all())?.outliers(&Run::all())?;
    /// assert_eq!(scores.len(), 60);
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Data`] where every tree has drawn all rows, and [`Error::Cancelled`].
    pub fn outliers(&self, run: &Run) -> Result<Vec<f64>, Error> {
        self.weigher.check_out_of_bag()?;
        let (class, n_classes) = classes(self.weigher.data());
        let of_row = |row: usize, sums: &mut Sums| {
            let (mut squares, mut any) = (0.0, false);
            sums.take(|other, share| {
                any = true;
                if class(other as usize) == class(row) {
                    squares += share * share;
                }
            });
            if any { squares } else { f64::NAN }
        };
        let mut squares = Vec::with_capacity(self.weigher.data().n_rows());
        let asked = (Rows::OutOfBag, Summed::Meetings, TOGETHER);
        self.weigher.each(asked, run, of_row, |_, found| squares.push(found))?;
        let mut rows = vec![Vec::new(); n_classes];
        for (row, of_row) in squares.iter().enumerate() {
            if !of_row.is_nan() {
                rows[class(row)].push(row);
            }
        }
        let mut scores = vec![f64::NAN; squares.len()];
        for rows in rows {
            let squares: Vec<f64> = rows.iter().map(|&row| squares[row]).collect();
            let of_class = scores_of_class(&squares);
            rows.into_iter().zip(of_class).for_each(|(row, score)| scores[row] = score);
        }
        Ok(scores)
    }
}

/// The class of every row, and their number: one for numbers.
fn classes(data: &Dataset) -> (impl Fn(usize) -> usize + Sync + '_, usize) {
    let codes = match data.target().response() {
        Response::Regression(_) | Response::Several(_) => None,
        Response::Classification(classes) => Some(classes.codes()),
    };
    let class = move |row: usize| codes.map_or(0, |codes: &[u32]| codes[row] as usize);
    (class, data.target().n_outputs())
}

/// The scores of rows of one class, by the sums of their squared weights.
fn scores_of_class(squares: &[f64]) -> Vec<f64> {
    let smallest = squares.iter().copied().filter(|sum| *sum > 0.0).fold(f64::INFINITY, f64::min);
    let raw: Vec<f64> = squares.iter().map(|sum| 1.0 / sum.max(smallest)).collect();
    let median = |values| quantile_of(values, 0.5).unwrap_or(f64::NAN);
    let middle = median(raw.clone());
    let deviation = MAD * median(raw.iter().map(|raw| (raw - middle).abs()).collect());
    let differs = deviation > TIE * middle;
    let score = |raw: f64| if differs { (raw - middle) / deviation } else { f64::NAN };
    raw.into_iter().map(score).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_differ_by_rounding_have_no_scores() {
        let equal = 0.1_f64 + 0.2;
        let found = scores_of_class(&[0.3, equal, 0.3, equal, equal, 0.05]);
        assert!(found.iter().all(|score| score.is_nan()), "{found:?}");
        let found = scores_of_class(&[0.3, 0.31, 0.29, 0.3, 0.05]);
        assert!(found[4] > 10.0 && found[..4].iter().all(|score| score.abs() < 3.0), "{found:?}");
    }
}
