//! What was found as a long table and as JSON.

use serde::Serialize;
use wald::document::Subject;
use wald::inference::Interval;
use wald::{Dataset, Frame};

use crate::errors::Errors;
use crate::exact::Exact;
use crate::settings::Settings;
use crate::source::SourceKind;
use crate::surrogate::{Estimate, Outside, Surrogate};
use crate::verdict::Judged;

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    subject: Subject<'a>,
    process: ProcessObject<'a>,
    #[serde(flatten)]
    judged: &'a Judged,
    sample: SampleObject<'a>,
    confidence: f64,
    measures: Vec<MeasureObject<'a>>,
    /// Total Sobol indices of the mean of the process by conditional laws.
    exact: Option<&'a Exact>,
}

#[derive(Serialize)]
struct ProcessObject<'a> {
    kernel: &'static str,
    inputs: &'a [String],
    /// By input, as multiples of its range in the runs; several for the levels of an input.
    lengths: Vec<f64>,
    /// Variance of the noise, as a multiple of that of the process.
    noise: f64,
    /// The same, as a share of that of the outputs.
    noise_share: f64,
}

#[derive(Serialize)]
struct SampleObject<'a> {
    inputs: SourceKind,
    n_rows: usize,
    outside: &'a [Outside],
    explained_by_forest: Option<f64>,
}

#[derive(Serialize)]
struct MeasureObject<'a> {
    id: &'static str,
    unit: &'a str,
    direct: &'a [Option<f64>],
    values: &'a [Option<f64>],
    errors: &'a [Option<Errors>],
    standard_errors: Vec<Option<f64>>,
    intervals: &'a [Option<Interval<f64>>],
    notes: Vec<&'a String>,
}

impl Surrogate {
    /// A long table: a line per measure and group of inputs, with the columns `measure`, `variable`,
    /// `direct`, `two_step`, `error_trees`, `error_rows`, `error_process`, `low` and `high`, and `exact`
    /// where conditional laws are known.
    pub fn frame(&self) -> Frame {
        type Number = fn(&Surrogate, usize, usize) -> Option<f64>;
        let numbers: [(&str, Number); 7] = [
            ("direct", |all, one, at| all.direct[one].values[at]),
            ("two_step", |all, one, at| all.two_step[one].importance.values[at]),
            ("error_trees", |all, one, at| all.two_step[one].errors[at]?.trees),
            ("error_rows", |all, one, at| Some(all.two_step[one].errors[at]?.rows)),
            ("error_process", |all, one, at| Some(all.two_step[one].errors[at]?.process)),
            ("low", |all, one, at| Some(all.two_step[one].intervals[at]?.low)),
            ("high", |all, one, at| Some(all.two_step[one].intervals[at]?.high)),
        ];
        let exact: (&str, Number) = ("exact", |all, one, at| Some(all.exact_of(one)?.values[at]));
        let groups = |(one, estimate): (usize, &Estimate)| {
            (0..estimate.importance.values.len()).map(move |at| (one, at)).collect::<Vec<_>>()
        };
        let lines: Vec<_> = self.two_step.iter().enumerate().flat_map(groups).collect();
        let importance = |one: usize| &self.two_step[one].importance;
        let frame = Frame::default()
            .with_text("measure", lines.iter().map(|&(one, _)| importance(one).id))
            .with_text("variable", lines.iter().map(|&(one, at)| &importance(one).names[at]));
        let columns = numbers.into_iter().chain(self.exact.is_some().then_some(exact));
        columns.fold(frame, |frame, (name, number)| {
            frame.with_numbers(name, lines.iter().map(|&(one, at)| number(self, one, at)))
        })
    }

    /// The JSON document of the command line.
    pub fn document<'a>(
        &'a self,
        runs: &'a Dataset,
        settings: &Settings,
    ) -> impl Serialize + use<'a> {
        let parameters = self.model.process().parameters();
        Document {
            subject: runs.into(),
            process: ProcessObject {
                kernel: settings.kernel.id(),
                inputs: self.model.inputs.names(),
                lengths: parameters.log_lengths.iter().map(|length| length.exp()).collect(),
                noise: parameters.log_noise.exp(),
                noise_share: self.model.noise_share(),
            },
            judged: &self.judged,
            sample: SampleObject {
                inputs: self.source,
                n_rows: self.sample.n_rows(),
                outside: &self.outside,
                explained_by_forest: self.explained_by_forest,
            },
            confidence: settings.confidence.get(),
            measures: self
                .two_step
                .iter()
                .enumerate()
                .map(|(at, one)| self.object(at, one))
                .collect(),
            exact: self.exact.as_ref(),
        }
    }

    fn object<'a>(&'a self, at: usize, estimate: &'a Estimate) -> MeasureObject<'a> {
        let total = |errors: &Option<Errors>| errors.map(|errors| errors.total());
        MeasureObject {
            id: estimate.importance.id,
            unit: &estimate.importance.unit,
            direct: &self.direct[at].values,
            values: &estimate.importance.values,
            errors: &estimate.errors,
            standard_errors: estimate.errors.iter().map(total).collect(),
            intervals: &estimate.intervals,
            notes: estimate.importance.notes_on_values().collect(),
        }
    }
}
