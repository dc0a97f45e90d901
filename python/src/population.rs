//! Exact importances of a joint distribution.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;
use wald_population::{Categories, Limits, Population, Request};

use crate::arguments::{argument, no_value, optional, refuse, required};
use crate::data::Dataset;
use crate::settings;
use crate::watch::Work;

/// The most samples.
const MOST_SAMPLES: usize = u32::MAX as usize;

/// Which trees, and what to compute.
struct Asked {
    mtry: Vec<usize>,
    depth: Option<usize>,
    subspace: Option<usize>,
    local: bool,
    samples: Option<usize>,
    seed: u64,
    seconds: Option<f64>,
}

impl Asked {
    fn of(given: &Bound<'_, PyDict>, n_variables: usize) -> PyResult<Self> {
        let asked = Self {
            mtry: sizes(&given.as_any().get_item("mtry")?, n_variables)?,
            depth: within(given, "depth", n_variables)?,
            subspace: within(given, "subspace", n_variables)?,
            local: required(given, "local")?,
            samples: within(given, "samples", MOST_SAMPLES)?,
            seed: required(given, "seed")?,
            seconds: optional(given, "limit")?,
        };
        let refusal = |[name, what, help]: [_; 3]| Err(refuse(given.py(), name, what, help));
        asked.check().map_or(Ok(asked), refusal)
    }

    /// What excludes each other: the argument to leave out, why, and how to mend it.
    fn check(&self) -> Option<[&'static str; 3]> {
        let (has_depth, has_subspace) = (self.depth.is_some(), self.subspace.is_some());
        let (samples, has_sizes) = (self.samples.is_some(), self.mtry != [1]);
        let clashes = [
            (has_depth && has_subspace, "depth", "depth and subspace are two kinds of trees"),
            (
                self.local && (has_depth || has_subspace),
                "local",
                "local importances are those of fully developed trees",
            ),
            (has_subspace && has_sizes, "subspace", "subspace is for totally randomized trees"),
            (
                samples && (self.local || has_subspace),
                "samples",
                "samples give neither local importances nor those of subspaces",
            ),
            (
                samples && self.mtry.len() > 1,
                "samples",
                "samples estimate trees of one mtry at a time",
            ),
        ];
        let clash = clashes.iter().find(|(is_wrong, ..)| *is_wrong);
        if self.seconds.is_some_and(|seconds| seconds.is_nan() || seconds <= 0.0) {
            return Some(["limit", "the limit leaves no time", "give a number of seconds"]);
        }
        clash.map(|(_, name, why)| [*name, *why, "leave one of them out"])
    }
}

/// What was found, as `wald population --format json` writes it, the points, and all mtry.
#[derive(Serialize)]
struct Described<'a, D> {
    #[serde(flatten)]
    document: D,
    points: Vec<Vec<Categories<'a>>>,
    probabilities: &'a [f64],
    sizes: &'a [usize],
}

/// A whole number from 1 to the most, if one is given.
fn within(given: &Bound<'_, PyDict>, name: &str, most: usize) -> PyResult<Option<usize>> {
    let number: Option<usize> = optional(given, name)?;
    let wrong = number.filter(|number| !(1..=most).contains(number));
    let help = || format!("give a whole number between 1 and {most}");
    let refusal = |wrong| Err(refuse(given.py(), name, &format!("{name} is {wrong}"), &help()));
    wrong.map_or(Ok(number), refusal)
}

/// The values of mtry: one, several, or all.
fn sizes(given: &Bound<'_, PyAny>, n_variables: usize) -> PyResult<Vec<usize>> {
    if given.extract().is_ok_and(|word: String| word == "all") {
        return Ok((1..=n_variables).collect());
    }
    let listed = given.try_iter().and_then(Iterator::collect).unwrap_or(vec![given.clone()]);
    let size = |one| argument("mtry", one).ok().filter(|size| (1..=n_variables).contains(size));
    let sizes = listed.iter().map(size).collect::<Option<Vec<usize>>>();
    let help = format!("give numbers from 1 to {n_variables}, or \"all\"");
    sizes.filter(|sizes| !sizes.is_empty()).ok_or_else(|| no_value("mtry", given, &help))
}

/// The importances of infinitely many trees on infinitely many rows, as JSON. The rows of `data`
/// have probabilities proportional to their weights.
#[pyfunction]
#[pyo3(signature = (data, asked, *, work))]
pub(crate) fn population(
    data: &Dataset,
    asked: &Bound<'_, PyDict>,
    work: Work<'_>,
) -> PyResult<String> {
    let py = work.py;
    let impurity: Option<String> = optional(asked, "impurity")?;
    let impurity = impurity.map(|word| settings::impurity(py, &word)).transpose()?;
    let asked = Asked::of(asked, data.0.groups().n_groups())?;
    let Asked { mtry, depth, subspace, local, samples, seed, seconds } = asked;
    let request = Request { mtry, depth, subspace, local, terms: None, samples, seed };
    let usual = Limits::default();
    let limits = Limits { seconds: seconds.unwrap_or(usual.seconds), ..usual };
    let (population, found) = work.watched(|run| {
        let population = Population::new(&data.0, impurity)?;
        let found = population.find(&request, &limits, run)?;
        Ok((population, found))
    })?;
    let (document, points) = (found.document(&population, &request), population.all_categories());
    let (probabilities, sizes) = (population.probabilities(), request.mtry.as_slice());
    settings::json(py, &Described { document, points, probabilities, sizes })
}
