//! Processes fitted without a part of the runs.

use wald::work::{Purpose, Stream, ordered};
use wald::{Error, Run};
use wald_gp::{Design, FitSettings, GaussianProcess};

use crate::model::Model;
use crate::points::Points;
use crate::purpose::Draws;
use crate::verdict::Judged;

/// Parts of the runs.
const FOLDS: usize = 10;

/// With more runs than this, time matters more than the last local maximum.
const MANY_RUNS: usize = 300;
const FEW_STARTS: usize = 4;

/// A process that was fitted without some runs.
#[derive(Debug)]
pub(crate) struct Fold {
    /// The runs that it was not fitted to.
    left_out: Vec<usize>,
    /// `None` where the other runs do not allow a process.
    pub(crate) process: Option<GaussianProcess>,
}

impl Model {
    /// How far the process is to be believed, beside the share of variance that the forest of the runs
    /// explains out of bag. Cost: ten fits.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn judge(&self, forest: Option<f64>, run: &Run) -> Result<Judged, Error> {
        Ok(self.judged(&self.folds(&self.points(), run)?, forest))
    }

    pub(crate) fn points(&self) -> Points {
        Points::of(&self.inputs, &self.rows)
    }

    pub(crate) fn judged(&self, folds: &[Fold], forest: Option<f64>) -> Judged {
        Judged::new(&self.judgement(), explained(self, folds), forest)
    }

    /// Processes fitted anew, lengths and noise included, each without one of ten parts of the runs.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(crate) fn folds(&self, points: &Points, run: &Run) -> Result<Vec<Fold>, Error> {
        fit(self, points, &self.settings, run)
    }
}

/// Fits a process without each of the parts, which are random.
fn fit(
    model: &Model,
    points: &Points,
    settings: &FitSettings,
    run: &Run,
) -> Result<Vec<Fold>, Error> {
    let n = model.n_runs();
    let &Points { ref of_run, n_points } = points;
    let mut order: Vec<u32> = (0..n_points as u32).collect();
    Stream::new(settings.seed, 0, Purpose::from(Draws::Folds)).shuffle(&mut order);
    let columns = model.inputs.columns(&model.rows);
    let n_folds = FOLDS.min(n_points);
    let n_starts =
        if n > MANY_RUNS { settings.n_starts.min(FEW_STARTS) } else { settings.n_starts };
    let settings = &FitSettings { n_starts, ..settings.clone() };
    let fold = |fold: usize, (): &mut ()| {
        let part = |is_left: bool| {
            let order = &order;
            let part = |row: usize| order[of_run[row] as usize] as usize % n_folds;
            (0..n).filter(move |&row| (part(row) == fold) == is_left)
        };
        let pick = |column: &Vec<f64>| part(false).map(|row| column[row]).collect::<Vec<f64>>();
        let inputs: Vec<Vec<f64>> = columns.iter().map(pick).collect();
        let design = Design::new(&inputs, &pick(&model.outputs));
        let fitted = design.and_then(|design| wald_gp::fit_on(&design, settings, &run.alone()));
        let process = match fitted {
            Err(Error::Cancelled) => return Err(Error::Cancelled),
            fitted => fitted.ok(),
        };
        Ok(Fold { left_out: part(true).collect(), process })
    };
    let mut folds = Vec::with_capacity(n_folds);
    ordered(n_folds, run, || (), fold, |_, fold| folds.push(fold))?;
    Ok(folds)
}

/// The share of the variance of outputs that processes explain among the runs that they were not
/// fitted to. Without a process, runs are predicted by the mean of all.
fn explained(model: &Model, folds: &[Fold]) -> f64 {
    let mean = model.outputs.iter().sum::<f64>() / model.n_runs() as f64;
    let total: f64 = model.outputs.iter().map(|output| (output - mean).powi(2)).sum();
    let mut point = Vec::new();
    let mut squares = 0.0;
    for fold in folds {
        for &row in &fold.left_out {
            model.inputs.point(model.rows.row(row), &mut point);
            let predicted = fold.process.as_ref().map_or(mean, |process| process.mean(&point));
            squares += (model.outputs[row] - predicted).powi(2);
        }
    }
    1.0 - squares / total
}
