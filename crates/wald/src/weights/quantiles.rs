//! Quantiles of the response of a row: quantile regression forests.

use std::sync::Arc;

use crate::data::{Dataset, Response, Training};
use crate::error::Error;
use crate::forest::Forest;
use crate::run::Run;
use crate::setting;
use crate::weights::sums::Sums;
use crate::weights::weigher::{Rows, Summed, TOGETHER, Weigher};

/// Conditional quantiles by a regression forest.
///
/// The distribution function of the response at x, F(y | x), is the sum of the weights of the training
/// rows whose response is at most y, and its quantile of level a is the smallest y with F(y | x) >= a
/// (Meinshausen 2006, eq. 6). The weights are those by which the forest predicts: rows count as often as
/// they were drawn, where Meinshausen counts every training row of a leaf once.
///
/// ```
/// use wald::simulate::Friedman1;
/// use wald::weights::Rows;
/// use wald::{ForestConfig, Run};
///
/// let data = Friedman1::default().draw(100, 1)?;
/// let new = Friedman1::default().draw(5, 2)?;
/// let config = ForestConfig { n_trees: 50, ..ForestConfig::default() };
/// let fitted = wald::fit(data, &config, &Run::all())?;
/// let quantiles = fitted.quantiles(&Run::all())?;
/// let found = quantiles.predict(Rows::Of(new.features()), &[0.05, 0.95], &Run::all())?;
/// assert_eq!(found.len(), 5 * 2); // an interval of each row
/// assert!(found[0] < found[1]);
/// # Ok::<(), wald::Error>(())
/// ```
#[derive(Debug)]
pub struct Quantiles {
    /// Its labels are the ranks of the responses.
    pub(super) weigher: Weigher,
    /// The responses, increasing.
    pub(super) responses: Vec<f64>,
}

impl Quantiles {
    pub(crate) fn new(
        forest: &Arc<Forest>,
        data: &Arc<Dataset>,
        training: &Training,
        run: &Run,
    ) -> Result<Self, Error> {
        data.target().check_one()?;
        let Response::Regression(values) = data.target().response() else {
            return Err(Error::data(
                "quantiles are those of a number, but the forest predicts classes",
                "use the probabilities of the classes, which every prediction has",
            ));
        };
        let (ranks, responses) = ranked(values);
        Ok(Self { weigher: Weigher::new(forest, data, training, &ranks, run)?, responses })
    }

    /// The quantiles of these levels, rows after one another. They are NaN for a training row that is
    /// in all bags. Cost as of [`Weights::each`](crate::weights::Weights::each).
    ///
    /// # Errors
    /// [`Error::Setting`] when a level is not between 0 and 1, [`Error::Data`] when the rows do not
    /// fit the forest, and [`Error::Cancelled`].
    pub fn predict(&self, rows: Rows<'_>, levels: &[f64], run: &Run) -> Result<Vec<f64>, Error> {
        check_levels(levels)?;
        let mut places: Vec<usize> = (0..levels.len()).collect();
        places.sort_by(|&a, &b| levels[a].total_cmp(&levels[b]));
        let increasing: Vec<f64> = places.iter().map(|&place| levels[place]).collect();
        let of_row = |_, sums: &mut Sums| {
            let mut found = vec![f64::NAN; levels.len()];
            let each = |at: usize, value| found[places[at]] = value;
            quantiles_of(sums, &self.responses, &increasing, each);
            found
        };
        let mut quantiles = Vec::new();
        self.weigher.each((rows, Summed::Weights, TOGETHER), run, of_row, |_, found| {
            quantiles.extend(found);
        })?;
        Ok(quantiles)
    }
}

/// Calls `each` with the places of increasing levels and the quantiles of the distribution of `sums`,
/// whose labels are ranks of `responses`. Begins the sums anew.
pub(super) fn quantiles_of(
    sums: &mut Sums,
    responses: &[f64],
    levels: &[f64],
    mut each: impl FnMut(usize, f64),
) {
    sums.take_quantiles(levels, |at, rank| {
        each(at, rank.map_or(f64::NAN, |rank| responses[rank as usize]));
    });
}

/// The rank of every response, and the responses in increasing order.
pub(crate) fn ranked(values: &[f64]) -> (Vec<u32>, Vec<f64>) {
    let mut rows: Vec<u32> = (0..values.len() as u32).collect();
    rows.sort_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]));
    let mut ranks = vec![0; rows.len()];
    (0_u32..).zip(&rows).for_each(|(rank, &row)| ranks[row as usize] = rank);
    (ranks, rows.iter().map(|&row| values[row as usize]).collect())
}

/// Refuses levels that are none.
///
/// # Errors
/// [`Error::Setting`].
fn check_levels(levels: &[f64]) -> Result<(), Error> {
    let help = "give numbers from 0 to 1, for example 0.05, 0.5 and 0.95";
    if levels.is_empty() {
        return Err(Error::bad_setting(
            setting::QUANTILES,
            "no level of a quantile is given",
            help,
        ));
    }
    match levels.iter().find(|level| !(0.0..=1.0).contains(*level)) {
        None => Ok(()),
        Some(level) => {
            let what = format!("{level} is no level of a quantile");
            Err(Error::bad_setting(setting::QUANTILES, what, help))
        }
    }
}
