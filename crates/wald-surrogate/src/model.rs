//! A process fitted to runs, and how far it is to be believed.

use wald::data::Response;
use wald::work::ordered;
use wald::{Dataset, Error, Features, Run};
use wald_gp::{
    Design, FitSettings, GaussianProcess, Judgement, Kernel, Parameters, Prediction, fit_on,
};

use crate::inputs::{Inputs, Kind, Rows};

/// Rows that a thread predicts at a time.
const BLOCK: usize = 256;

/// A Gaussian process fitted to the runs of a table.
#[derive(Debug)]
pub struct Model {
    pub(crate) inputs: Inputs,
    pub(crate) rows: Rows,
    pub(crate) outputs: Vec<f64>,
    pub(crate) settings: FitSettings,
    process: GaussianProcess,
}

impl Model {
    /// Fits a process to a table of runs.
    ///
    /// # Errors
    /// [`Error::Data`] when the target is not a number, a value is missing, there are too few or too
    /// many runs, or outputs do not vary; [`Error::Cancelled`].
    pub fn fit(data: &Dataset, settings: &FitSettings, run: &Run) -> Result<Self, Error> {
        Self::of(data, settings, |design| fit_on(design, settings, run))
    }

    /// The process at known parameters, of the same table of runs that they were fitted to.
    ///
    /// # Errors
    /// As [`Model::fit`], and [`Error::Data`] when there is not one length for every input.
    pub fn at_parameters(
        data: &Dataset,
        kernel: Kernel,
        parameters: Parameters,
    ) -> Result<Self, Error> {
        let settings = FitSettings { kernel, ..FitSettings::default() };
        Self::of(data, &settings, |design| {
            if parameters.log_lengths.len() != design.n_inputs() {
                return Err(Error::data(
                    "there is not one length for every input of the process",
                    "give the parameters that were fitted to these runs",
                ));
            }
            GaussianProcess::at(design, kernel, parameters)
        })
    }

    fn of(
        data: &Dataset,
        settings: &FitSettings,
        process: impl FnOnce(&Design) -> Result<GaussianProcess, Error>,
    ) -> Result<Self, Error> {
        let Response::Regression(outputs) = data.target().response() else {
            return Err(Error::data(
                format!("the target \"{}\" is not a number", data.target().name()),
                "give a numeric target, or use the forest directly",
            ));
        };
        let inputs = Inputs::of(data.features());
        let rows = inputs.rows(data.features())?;
        let process = process(&Design::new(&inputs.columns(&rows), outputs)?)?;
        let outputs = outputs.clone();
        Ok(Self { inputs, rows, outputs, settings: settings.clone(), process })
    }

    /// Predictions for rows of a table, which has the inputs among its columns, in any order.
    ///
    /// # Errors
    /// [`Error::Data`] when an input or a level is not known, or a value is missing;
    /// [`Error::Cancelled`].
    pub fn predict(&self, features: &Features, run: &Run) -> Result<Vec<Prediction>, Error> {
        let rows = self.inputs.rows(features)?;
        self.at(&rows, run, |point| self.process.predict(point))
    }

    /// The process.
    pub fn process(&self) -> &GaussianProcess {
        &self.process
    }

    /// Number of runs.
    pub fn n_runs(&self) -> usize {
        self.outputs.len()
    }

    /// The variance of the noise as a share of that of the outputs.
    pub fn noise_share(&self) -> f64 {
        let n = self.n_runs() as f64;
        let mean = self.outputs.iter().sum::<f64>() / n;
        let squares: f64 = self.outputs.iter().map(|output| (output - mean).powi(2)).sum();
        self.process.noise() / (squares / n)
    }

    /// Whether an input is categorical.
    pub(crate) fn has_categories(&self) -> bool {
        self.inputs.kinds().iter().any(|kind| *kind != Kind::Number)
    }

    /// Judges the predictions of every run from the others, in closed form.
    pub fn judgement(&self) -> Judgement {
        Judgement::from(&self.process.leave_one_out())
    }

    /// The values of a function at rows.
    pub(crate) fn at<T: Send>(
        &self,
        rows: &Rows,
        run: &Run,
        value: impl Fn(&[f64]) -> T + Sync,
    ) -> Result<Vec<T>, Error> {
        let mut values = Vec::with_capacity(rows.len());
        let block = |block: usize, point: &mut Vec<f64>| {
            let end = rows.len().min((block + 1) * BLOCK);
            let value = |row: usize| {
                self.inputs.point(rows.row(row), point);
                value(point)
            };
            Ok((block * BLOCK..end).map(value).collect::<Vec<T>>())
        };
        let blocks = rows.len().div_ceil(BLOCK);
        ordered(blocks, run, Vec::new, block, |_, found| values.extend(found))?;
        Ok(values)
    }
}
