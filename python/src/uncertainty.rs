//! Uncertainty of importances.

use std::sync::Arc;

use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use wald::Origin;
use wald::inference::{
    Adjustment, Confidence, Interval, SamplingErrors, Subsampling, Test, Uncertainty,
    UncertaintyConfig, uncertainty as find,
};

use crate::arguments::{one_of, optional, refuse, required};
use crate::data::Dataset;
use crate::errors;
use crate::forest::Forest;
use crate::results::grid;
use crate::settings;
use crate::watch::Work;

/// What is asked.
struct Asked {
    confidence: f64,
    variance: String,
    subsamples: Option<usize>,
    subsample_fraction: Option<f64>,
    subsample_trees: Option<usize>,
    null_distribution: Option<String>,
    null_forests: Option<usize>,
    multiple_testing: String,
}

/// Importances by several measures, each with errors, intervals, ranks and p-values.
#[pyfunction]
#[pyo3(signature = (forest, data, measures, asked, *, work))]
pub(crate) fn uncertainty<'py>(
    forest: &Forest,
    data: &Dataset,
    measures: settings::NamedMeasures<'py>,
    asked: Bound<'py, PyDict>,
    work: Work<'py>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let py = work.py;
    let measures = measures.measures()?;
    let asked = Asked::of(&asked)?;
    let config = asked.config(py)?;
    let (own, data) = (forest, Arc::clone(&data.0));
    work.check_room(&data, own.0.trees().len(), || {
        let more =
            own.0.config().map(|grown| config.size_of_more(&data, grown, &measures, work.threads));
        Ok(more.transpose()?.flatten().unwrap_or_default())
    })?;
    let found = work.watched(|run| {
        let fitted = own.fitted(&data, run)?;
        find(&data, Origin::Fitted(&fitted), &measures, &config, run)
    })?;
    found.iter().map(|found| fields(py, found, &asked)).collect()
}

impl Asked {
    fn of(given: &Bound<'_, PyDict>) -> PyResult<Self> {
        Ok(Self {
            confidence: required(given, "confidence")?,
            variance: required(given, "variance")?,
            subsamples: optional(given, "subsamples")?,
            subsample_fraction: optional(given, "subsample_fraction")?,
            subsample_trees: optional(given, "subsample_trees")?,
            null_distribution: optional(given, "null_distribution")?,
            null_forests: optional(given, "null_forests")?,
            multiple_testing: required(given, "multiple_testing")?,
        })
    }

    fn config(&self, py: Python<'_>) -> PyResult<UncertaintyConfig> {
        let exception = |error: wald::Error| errors::exception(py, &error);
        let adjustment = Adjustment::named(&self.multiple_testing).map_err(exception)?;
        let usual = Subsampling::default();
        let parts = [self.subsamples, self.subsample_trees];
        let errors = match self.variance.as_str() {
            "subsampling" => SamplingErrors::Subsampling(Subsampling {
                n_subsamples: self.subsamples.unwrap_or(usual.n_subsamples),
                fraction: self.subsample_fraction.unwrap_or(usual.fraction),
                n_trees: self.subsample_trees,
            }),
            "jackknife"
                if parts.iter().any(Option::is_some) || self.subsample_fraction.is_some() =>
            {
                let what = "the jackknife grows no forests on parts of the rows";
                let help = "leave out subsamples, subsample_fraction and subsample_trees";
                return Err(refuse(py, "variance", what, help));
            }
            "jackknife" => SamplingErrors::Jackknife,
            other => {
                let known = one_of(&["subsampling", "jackknife"]);
                return Err(refuse(py, "variance", &format!("variance is {other:?}"), &known));
            }
        };
        let test = match (&self.null_distribution, self.null_forests) {
            (None, None) => None,
            (null, tests) => {
                let null = null.as_deref().unwrap_or("permuted");
                Some(Test::named(null, tests).map_err(exception)?)
            }
        };
        let confidence = Confidence::new(self.confidence).map_err(exception)?;
        Ok(UncertaintyConfig { confidence, errors, test, adjustment })
    }
}

/// The fields of the result.
fn fields<'py>(
    py: Python<'py>,
    found: &Uncertainty,
    asked: &Asked,
) -> PyResult<Bound<'py, PyDict>> {
    let of = &found.importance;
    let result = PyDict::new(py);
    let numbers = |values: &[Option<f64>]| -> Vec<f64> {
        values.iter().map(|value| value.unwrap_or(f64::NAN)).collect()
    };
    let pairs = |ends: &mut dyn Iterator<Item = Option<[f64; 2]>>| {
        grid(py, ends.flat_map(|ends| ends.unwrap_or([f64::NAN; 2])).collect(), 2)
    };
    let intervals = |of: &[Option<Interval<f64>>]| {
        pairs(&mut of.iter().map(|found| found.map(|found| [found.low, found.high])))
    };
    result.set_item("measure", of.id)?;
    result.set_item("feature_names", &of.names)?;
    result.set_item("unit", &of.unit)?;
    result.set_item("lower_is_more_important", of.small_is_important)?;
    result.set_item("values", numbers(&of.values).into_pyarray(py))?;
    let errors = of.monte_carlo_errors().map(|errors| numbers(errors).into_pyarray(py));
    result.set_item("monte_carlo_errors", errors)?;
    result.set_item("confidence", asked.confidence)?;
    result.set_item("errors", &asked.variance)?;
    let sampling = numbers(&found.sampled.standard_errors).into_pyarray(py);
    result.set_item("sampling_errors", sampling)?;
    let both = numbers(&found.intervals.standard_errors).into_pyarray(py);
    result.set_item("standard_errors", both)?;
    result.set_item("intervals", intervals(&found.intervals.each)?)?;
    result.set_item("simultaneous_intervals", intervals(&found.intervals.together)?)?;
    let ranks = found.intervals.ranks.as_ref().map(|ranks| {
        let ends = |found: &Option<Interval<usize>>| {
            found.map(|found| [found.low as f64, found.high as f64])
        };
        pairs(&mut ranks.iter().map(ends))
    });
    result.set_item("rank_intervals", ranks.transpose()?)?;
    let tested = found.tested.as_ref();
    let p_values = tested.map(|tested| numbers(&tested.p_values).into_pyarray(py));
    result.set_item("p_values", p_values)?;
    let adjusted = found.adjusted.as_deref().map(|values| numbers(values).into_pyarray(py));
    result.set_item("adjusted_p_values", adjusted)?;
    let null = tested.map(|_| asked.null_distribution.as_deref().unwrap_or("permuted"));
    result.set_item("null", null)?;
    result.set_item("adjustment", tested.map(|_| &asked.multiple_testing))?;
    let pairs = found.separations.iter();
    let pairs = pairs.map(|pair| (&of.names[pair.first], &of.names[pair.second], pair.n_trees));
    result.set_item("trees_to_separate", pairs.collect::<Vec<_>>())?;
    let mut notes: Vec<String> = found.notes().collect();
    notes.extend(found.note_on_ranks());
    result.set_item("notes", notes)?;
    Ok(result)
}
