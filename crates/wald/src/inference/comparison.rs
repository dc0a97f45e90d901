//! Differences between the importances of two forests, or on two tables.
//!
//! Sampling errors are those of [`subsampling`] on each side. Two tables are independent samples, whose
//! variances add up. Where both sides have the same rows, parts of them are drawn alike on both, and the
//! variance is that of the differences over parts: what a sample of rows does to both sides cancels. So does
//! what equal seeds do to their trees, so that this needs measures whose errors over trees are known.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use crate::data::{Column, Dataset};
use crate::document::Subject;
use crate::error::Error;
use crate::forest::{ForestConfig, Keep};
use crate::frame::Frame;
use crate::importance::Importance;
use crate::inference::adjustment::Adjustment;
use crate::inference::clusters::refuse_lost_clusters;
use crate::inference::comparison_notes::{
    notes, of_growing, of_other_kinds, of_other_scales, unequal, unknown_trees,
};
use crate::inference::error_law::ErrorLaw;
use crate::inference::intervals::{Confidence, Interval};
use crate::inference::observed::Observed;
use crate::inference::subsampling::{Sampled, Subsampling, subsampling};
use crate::inference::uncertainty::first_importances;
use crate::measure::Measure;
use crate::origin::Origin;
use crate::run::Run;
use crate::words::listed;

/// How two sides are compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ComparisonConfig {
    /// The probability with which each interval covers.
    pub confidence: Confidence,
    /// How sampling errors are estimated, on both sides.
    pub subsampling: Subsampling,
    /// How p-values are corrected for the number of variables.
    pub adjustment: Adjustment,
}

/// A table, and the forest on it or the settings of one.
#[derive(Debug, Clone, Copy)]
pub struct ComparedSide<'a> {
    /// The table.
    pub data: &'a Dataset,
    /// The forest, whose settings are known, or settings.
    pub origin: Origin<'a>,
}

/// Differences of one measure between two sides, by variable of the first one.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Identifier of the measure.
    pub id: &'static str,
    /// Unit of the values.
    pub unit: String,
    /// True when small values mean important.
    pub small_is_important: bool,
    /// The variables.
    pub variables: Vec<String>,
    /// Values on the first side.
    pub first: Vec<Option<f64>>,
    /// Values on the second side.
    pub second: Vec<Option<f64>>,
    /// The second values minus the first ones.
    pub differences: Vec<Option<f64>>,
    /// Standard errors of the differences, over samples of rows and over trees.
    pub standard_errors: Vec<Option<f64>>,
    /// Intervals of single differences.
    pub intervals: Vec<Option<Interval<f64>>>,
    /// Two-sided p-values of the hypothesis that both sides have the same importance.
    pub p_values: Vec<Option<f64>>,
    /// The same, corrected for the number of variables.
    pub adjusted: Vec<Option<f64>>,
    /// True when errors are those of differences: both sides have the same rows in the same order, whatever
    /// their target and weights, and the error of the trees is known.
    pub is_paired: bool,
    /// What users should know about the values of one side.
    pub notes: Vec<String>,
}

/// What one side has found, in the order of the variables of the first side.
struct Found {
    importances: Vec<Importance>,
    sampled: Vec<Sampled>,
    /// By variable of the first side, its place on this one.
    places: Vec<usize>,
}

/// Compares the importances of two forests, or of forests on two tables, by the same measures. Cost: that
/// of [`subsampling`] on both sides.
///
/// ```
/// use wald::inference::{
///     Adjustment, ComparedSide, ComparisonConfig, Confidence, Subsampling, compare,
/// };
/// use wald::simulate::Friedman1;
/// use wald::{ForestConfig, MeasureId, Origin, Run};
///
/// let (before, after) = (Friedman1::default().draw(60, 1)?, Friedman1::default().draw(60, 2)?);
/// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
/// let side = |data| ComparedSide { data, origin: Origin::Settings(&config) };
/// let asked = ComparisonConfig {
///     confidence: Confidence::new(0.9)?,
///     subsampling: Subsampling { n_subsamples: 10, ..Subsampling::default() },
///     adjustment: Adjustment::Holm,
/// };
/// let measures = [MeasureId::Mdi.into()];
/// let found = compare(side(&before), side(&after), &measures, &asked, &Run::all())?;
/// assert_eq!(found[0].differences.len(), 10);
/// assert!(!found[0].is_paired);
/// # Ok::<(), wald::Error>(())
/// ```
///
/// # Errors
/// [`Error::Data`] where the sides have other variables, or the trees of a forest drew rows by clusters that
/// its table lacks, [`Error::Setting`] for a forest whose settings are not known, and those of [`subsampling`].
pub fn compare(
    first: ComparedSide<'_>,
    second: ComparedSide<'_>,
    measures: &[Measure],
    asked: &ComparisonConfig,
    run: &Run,
) -> Result<Vec<Comparison>, Error> {
    asked.subsampling.validate()?;
    measures.iter().try_for_each(Measure::refuse_apart)?;
    [first, second].iter().try_for_each(|side| refuse_lost_clusters(side.data, side.origin))?;
    let (settings, other) = (known(first)?, known(second)?);
    let places = places(first.data, second.data)?;
    let is_paired = has_same_rows(first.data, second.data);
    // The same parts of the same table.
    let seed = if is_paired { settings.seed } else { other.seed };
    let other = ForestConfig { seed, ..other.clone() };
    let work = |config: &ForestConfig| config.n_trees as u64 + asked.subsampling.work(config);
    run.progress.stages(work(settings) + work(&other));
    let n_variables = first.data.groups().n_groups();
    let sizes = [first.data, second.data].map(Dataset::n_rows);
    let n_trees = [settings, &other].map(|config| config.n_trees);
    let of_kinds = of_other_kinds(first.data, second.data);
    let of_scales: Vec<Option<String>> =
        measures.iter().map(|measure| of_other_scales(measure, first.data, second.data)).collect();
    let first = found(first, settings, measures, asked, run)?;
    let second = Found { places, ..found(second, &other, measures, asked, run)? };
    run.progress.stage(0);
    let first = Found { places: (0..n_variables).collect(), ..first };
    let one = |at: usize| {
        let mut found = Comparison::new(at, &first, &second, asked, is_paired);
        let of_sizes = of_growing(&measures[at], sizes, n_trees).or_else(|| unequal(sizes));
        let of_tables = of_sizes.into_iter().chain(of_kinds.iter().cloned());
        found.notes.extend(of_tables.chain(of_scales[at].clone()));
        found
    };
    Ok((0..measures.len()).map(one).collect())
}

/// The settings of a side.
fn known(side: ComparedSide<'_>) -> Result<&ForestConfig, Error> {
    side.origin.config().ok_or_else(|| {
        Error::bad_setting(
            None,
            "forests like this one cannot be grown: its settings are not known",
            "give a forest that wald grew",
        )
    })
}

/// Whether two tables have the same rows in the same order: equal cells in columns of equal names. The
/// targets and the case weights may differ.
fn has_same_rows(first: &Dataset, second: &Dataset) -> bool {
    let others = second.features().by_name();
    let is_same =
        |column: &Column| others.get(column.name()).is_some_and(|other| column.is_same(other));
    first.n_rows() == second.n_rows()
        && first.clusters() == second.clusters()
        && first.features().columns().iter().all(is_same)
}

/// By variable of the first table, its place in the second one.
fn places(first: &Dataset, second: &Dataset) -> Result<Vec<usize>, Error> {
    let (names, others) = (first.groups().names(), second.groups().names());
    let missing = |names: &[String], others: &[String]| -> Vec<String> {
        let others: HashSet<&String> = others.iter().collect();
        names.iter().filter(|name| !others.contains(name)).cloned().collect()
    };
    for (missing, which) in [(missing(names, others), "second"), (missing(others, names), "first")]
    {
        if !missing.is_empty() {
            return Err(Error::data(
                format!("the {which} table has no variable {}", listed(&missing, "and")),
                "give tables with the same variables, or leave the others out",
            ));
        }
    }
    if first.target().classes() != second.target().classes() {
        return Err(Error::data(
            "the targets of the two tables are of different kinds, or have other classes",
            "give tables with the same target",
        ));
    }
    let places: HashMap<&String, usize> = others.iter().zip(0..).collect();
    Ok(names.iter().filter_map(|name| places.get(name).copied()).collect())
}

fn found(
    side: ComparedSide<'_>,
    settings: &ForestConfig,
    measures: &[Measure],
    asked: &ComparisonConfig,
    run: &Run,
) -> Result<Found, Error> {
    run.progress.stage(settings.n_trees as u64);
    let ComparedSide { data, origin } = side;
    let (importances, _) = first_importances(data, origin, measures, Keep::Nothing, run)?;
    run.progress.stage(asked.subsampling.work(settings));
    let observed = Observed::new(measures, &importances);
    let sampled = subsampling(data, settings, observed, &asked.subsampling, run)?;
    Ok(Found { importances, sampled, places: Vec::new() })
}

impl Found {
    fn value(&self, measure: usize, variable: usize) -> Option<f64> {
        self.importances[measure].values[self.places[variable]]
    }

    /// Notes on the values and their errors.
    fn notes(&self, measure: usize) -> Vec<String> {
        let of_values = self.importances[measure].notes_on_values().cloned();
        of_values.chain(self.sampled[measure].note()).collect()
    }

    /// Variance over what was drawn at random beside the rows, as far as it is known.
    fn over_draws(&self, measure: usize, variable: usize) -> f64 {
        let error = self.importances[measure].monte_carlo_error(self.places[variable]);
        error.map_or(0.0, |error| error * error)
    }

    /// Variance over samples of rows.
    fn over_rows(&self, measure: usize, variable: usize) -> Option<f64> {
        self.sampled[measure].standard_errors[self.places[variable]].map(|error| error * error)
    }
}

/// The variance over samples of rows of a difference, where the parts of both sides are the same.
fn paired(first: &Found, second: &Found, measure: usize, variable: usize) -> Option<f64> {
    let places = [first.places[variable], second.places[variable]];
    let [of_first, of_second] = [first, second].map(|found| &found.sampled[measure]);
    of_first.standard_errors[places[0]]?;
    of_second.standard_errors[places[1]]?;
    let count = of_first.n_subsamples? as f64;
    let both = of_first.deviations(places[0]).zip(of_second.deviations(places[1]));
    let squares: f64 = both.map(|(first, second)| (second - first).powi(2)).sum();
    Some(squares / (count - 1.0))
}

impl Comparison {
    fn new(
        at: usize,
        first: &Found,
        second: &Found,
        asked: &ComparisonConfig,
        has_same_rows: bool,
    ) -> Self {
        let importance = &first.importances[at];
        // Forests on a part are alike by their seeds, too, and do not show what other trees do to a difference.
        let knows_trees = |side: &Found| side.importances[at].errors_of_trees().is_some();
        let is_known = knows_trees(first) && knows_trees(second);
        let is_paired =
            has_same_rows && is_known && first.sampled[at].has_same_parts(&second.sampled[at]);
        let variables = 0..first.places.len();
        let difference = |variable| Some(second.value(at, variable)? - first.value(at, variable)?);
        let error = |variable| {
            let clusters = [first, second].map(|found| found.sampled[at].n_clusters);
            let over_rows = if is_paired {
                vec![(paired(first, second, at, variable)?, clusters[0])]
            } else {
                let variances = [first.over_rows(at, variable)?, second.over_rows(at, variable)?];
                variances.into_iter().zip(clusters).collect()
            };
            let over_draws = first.over_draws(at, variable) + second.over_draws(at, variable);
            let variance = over_rows.iter().map(|(variance, _)| variance).sum::<f64>() + over_draws;
            Some((variance.sqrt(), ErrorLaw::of_sum(&over_rows, over_draws)))
        };
        let of_trees = (has_same_rows && !is_known).then(|| unknown_trees(importance.id));
        let differences: Vec<Option<f64>> = variables.clone().map(difference).collect();
        let errors: Vec<Option<(f64, ErrorLaw)>> = variables.clone().map(error).collect();
        let both = || differences.iter().zip(&errors).map(|(d, e)| Some(((*d)?, (*e)?)));
        let interval = |(difference, (error, law)): (f64, (f64, ErrorLaw))| {
            let reach = law.reach(asked.confidence.get());
            Interval { low: difference - reach * error, high: difference + reach * error }
        };
        let standard_errors = errors.iter().map(|error| error.map(|(error, _)| error)).collect();
        let p_values: Vec<Option<f64>> = both().map(|found| found.map(two_sided)).collect();
        Self {
            id: importance.id,
            unit: importance.unit.clone(),
            small_is_important: importance.small_is_important,
            variables: variables.clone().map(|at| importance.name(at).to_owned()).collect(),
            first: variables.clone().map(|variable| first.value(at, variable)).collect(),
            second: variables.map(|variable| second.value(at, variable)).collect(),
            intervals: both().map(|found| found.map(interval)).collect(),
            adjusted: asked.adjustment.adjust(&p_values),
            p_values,
            differences,
            standard_errors,
            is_paired,
            notes: notes(&first.notes(at), &second.notes(at)).into_iter().chain(of_trees).collect(),
        }
    }

    /// Several measures as a long table: a line per measure and variable, with the columns `measure`,
    /// `variable`, `first`, `second`, `difference`, `standard_error`, `low`, `high`, `p_value` and
    /// `adjusted_p_value`.
    pub fn frame(several: &[Self]) -> Frame {
        type Number = fn(&Comparison, usize) -> Option<f64>;
        let numbers: [(&str, Number); 8] = [
            ("first", |one, at| one.first[at]),
            ("second", |one, at| one.second[at]),
            ("difference", |one, at| one.differences[at]),
            ("standard_error", |one, at| one.standard_errors[at]),
            ("low", |one, at| Some(one.intervals[at]?.low)),
            ("high", |one, at| Some(one.intervals[at]?.high)),
            ("p_value", |one, at| one.p_values[at]),
            ("adjusted_p_value", |one, at| one.adjusted[at]),
        ];
        Frame::of_variables(
            several,
            |one| (one.id, one.variables.iter().map(String::as_str).collect()),
            numbers,
        )
    }

    /// Several measures as the JSON document of the command line, with the first table.
    pub fn document<'a>(
        several: &'a [Self],
        data: &'a Dataset,
        asked: &ComparisonConfig,
    ) -> impl Serialize + use<'a> {
        let object = |one: &'a Self| MeasureObject {
            id: one.id,
            unit: &one.unit,
            small_is_important: one.small_is_important,
            is_paired: one.is_paired,
            first: &one.first,
            second: &one.second,
            differences: &one.differences,
            standard_errors: &one.standard_errors,
            intervals: &one.intervals,
            p_values: &one.p_values,
            adjusted_p_values: &one.adjusted,
            notes: &one.notes,
        };
        Document {
            subject: data.into(),
            confidence: asked.confidence.get(),
            adjustment: asked.adjustment.id(),
            n_subsamples: asked.subsampling.n_subsamples,
            measures: several.iter().map(object).collect(),
        }
    }
}

/// The probability that a value with this standard error is as far from zero; 1 where there is neither a
/// difference nor an error.
fn two_sided((difference, (error, law)): (f64, (f64, ErrorLaw))) -> f64 {
    if difference == 0.0 { 1.0 } else { law.two_sided(difference / error) }
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    subject: Subject<'a>,
    confidence: f64,
    adjustment: &'static str,
    n_subsamples: usize,
    measures: Vec<MeasureObject<'a>>,
}

#[derive(Serialize)]
struct MeasureObject<'a> {
    id: &'static str,
    unit: &'a str,
    small_is_important: bool,
    /// Whether errors are those of differences on the same rows.
    is_paired: bool,
    first: &'a [Option<f64>],
    second: &'a [Option<f64>],
    differences: &'a [Option<f64>],
    standard_errors: &'a [Option<f64>],
    intervals: &'a [Option<Interval<f64>>],
    p_values: &'a [Option<f64>],
    adjusted_p_values: &'a [Option<f64>],
    notes: &'a [String],
}
