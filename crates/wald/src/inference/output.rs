//! Uncertainty as a long table and as JSON.

use serde::Serialize;

use crate::data::Dataset;
use crate::document::Subject;
use crate::frame::Frame;
use crate::importance::DataUsed;
use crate::inference::intervals::Interval;
use crate::inference::test::Test;
use crate::inference::uncertainty::{Uncertainty, UncertaintyConfig};

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    subject: Subject<'a>,
    confidence: f64,
    /// Where sampling errors come from.
    errors: &'static str,
    /// Share of the rows, or clusters, of each subsample.
    subsample_fraction: Option<f64>,
    /// What p-values rest on.
    null: Option<&'static str>,
    adjustment: Option<&'static str>,
    measures: Vec<MeasureObject<'a>>,
}

#[derive(Serialize)]
struct MeasureObject<'a> {
    id: &'static str,
    data: DataUsed,
    loss: Option<&'static str>,
    unit: &'a str,
    n_subsamples: Option<usize>,
    values: &'a [Option<f64>],
    monte_carlo_errors: Option<&'a [Option<f64>]>,
    sampling_errors: &'a [Option<f64>],
    standard_errors: &'a [Option<f64>],
    intervals: &'a [Option<Interval<f64>>],
    simultaneous_intervals: &'a [Option<Interval<f64>>],
    rank_intervals: Option<&'a [Option<Interval<usize>>]>,
    p_values: Option<&'a [Option<f64>]>,
    adjusted_p_values: Option<&'a [Option<f64>]>,
    /// The number of importances of irrelevant variables with which each variable was compared.
    null_sizes: Option<&'a [u32]>,
    /// Of neighbours in the ranking; null trees where they are equal.
    trees_to_separate: Vec<Separated<'a>>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct Separated<'a> {
    first: &'a str,
    second: &'a str,
    n_trees: Option<u64>,
}

impl Uncertainty {
    /// Several measures as a long table: a line per measure and variable, with the columns
    /// `measure`, `variable`, `value`, `monte_carlo_error`, `sampling_error`, `standard_error`, `low`,
    /// `high`, `simultaneous_low`, `simultaneous_high`, `lowest_rank` and `highest_rank`, and where
    /// variables were tested `p_value` and `adjusted_p_value`.
    pub fn frame(several: &[Self]) -> Frame {
        type Number = fn(&Uncertainty, usize) -> Option<f64>;
        let numbers: [(&str, Number); 10] = [
            ("value", |one, at| one.importance.values[at]),
            ("monte_carlo_error", |one, at| one.importance.monte_carlo_error(at)),
            ("sampling_error", |one, at| one.sampled.standard_errors[at]),
            ("standard_error", |one, at| one.intervals.standard_errors[at]),
            ("low", |one, at| Some(one.intervals.each[at]?.low)),
            ("high", |one, at| Some(one.intervals.each[at]?.high)),
            ("simultaneous_low", |one, at| Some(one.intervals.together[at]?.low)),
            ("simultaneous_high", |one, at| Some(one.intervals.together[at]?.high)),
            ("lowest_rank", |one, at| Some(one.intervals.ranks.as_ref()?[at]?.low as f64)),
            ("highest_rank", |one, at| Some(one.intervals.ranks.as_ref()?[at]?.high as f64)),
        ];
        let p_values: [(&str, Number); 2] = [
            ("p_value", |one, at| one.tested.as_ref()?.p_values[at]),
            ("adjusted_p_value", |one, at| one.adjusted.as_ref()?[at]),
        ];
        let is_tested = several.iter().any(|one| one.tested.is_some());
        let columns = numbers.into_iter().chain(p_values.into_iter().filter(|_| is_tested));
        Frame::of_variables(
            several,
            |one| {
                let names = (0..one.importance.values.len()).map(|at| one.importance.name(at));
                (one.importance.id, names.collect())
            },
            columns,
        )
    }

    /// Several measures as the JSON document of the command line, with the data and what was asked.
    pub fn document<'a>(
        several: &'a [Self],
        data: &'a Dataset,
        asked: &UncertaintyConfig,
    ) -> impl Serialize + use<'a> {
        let subsampling = asked.errors.subsampling();
        Document {
            subject: data.into(),
            confidence: asked.confidence.get(),
            errors: asked.errors.id(),
            subsample_fraction: subsampling.map(|settings| settings.fraction),
            null: asked.test.map(Test::id),
            adjustment: asked.test.map(|_| asked.adjustment.id()),
            measures: several.iter().map(Self::object).collect(),
        }
    }

    fn object(&self) -> MeasureObject<'_> {
        let (importance, intervals, tested) =
            (&self.importance, &self.intervals, self.tested.as_ref());
        let separated = self.separations.iter().map(|pair| Separated {
            first: importance.name(pair.first),
            second: importance.name(pair.second),
            n_trees: pair.n_trees,
        });
        let notes = self.notes().chain(self.note_on_ranks());
        MeasureObject {
            id: importance.id,
            data: importance.data,
            loss: importance.loss,
            unit: &importance.unit,
            n_subsamples: self.sampled.n_subsamples,
            values: &importance.values,
            monte_carlo_errors: importance.monte_carlo_errors(),
            sampling_errors: &self.sampled.standard_errors,
            standard_errors: &intervals.standard_errors,
            intervals: &intervals.each,
            simultaneous_intervals: &intervals.together,
            rank_intervals: intervals.ranks.as_deref(),
            p_values: tested.map(|tested| tested.p_values.as_slice()),
            adjusted_p_values: self.adjusted.as_deref(),
            null_sizes: tested.map(|tested| tested.null_sizes.as_slice()),
            trees_to_separate: separated.collect(),
            notes: notes.map(|note| format!("{}: {note}", importance.id)).collect(),
        }
    }
}
