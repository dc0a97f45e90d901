//! What other rows of the same population would change.

use std::collections::HashMap;
use wald::message;
use wald::message::{Message, Procedure};

use crate::making::budget::Budget;
use crate::making::input::Making;
use crate::making::left_out::LeftOut;
use crate::report::SampledVariable;
use wald::data::Dataset;
use wald::forest::ForestConfig;
use wald::importance::{DataUsed, Importance};
use wald::inference::{Confidence, Intervals, Observed, Subsampling, subsampling};
use wald::measure::Measure;
use wald::words::thousands;
use wald::{Error, Origin, Run};

/// The probability with which intervals cover.
pub(super) const CONFIDENCE: f64 = 0.9;

/// Share of the rows that every forest is grown on; less of large tables, because errors over samples of
/// rows are brought from any number of rows to that of the table. Of fewer rows, those of columns whose
/// values are rare are too small.
const FRACTION: f64 = 0.5;
const MOST_ROWS: f64 = 5000.0;

/// So many forests give standard errors to within 13 % and 24 % of them.
const MOST_FORESTS: usize = 30;
const FEWEST_FORESTS: usize = 10;
const MOST_TREES: usize = 50;

/// What forests on parts of the rows take: about as much as growing and measuring 100 trees on 10,000
/// rows with 7 of 50 variables tried; and what the fewest may take before they are left out.
const WORK: f64 = 1.5e7;
const MOST_WORK: f64 = 7.5e7;

/// How sure one measure is of every variable, in the order of the importance.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SampledMeasure {
    pub(crate) words: String,
    pub(super) intervals: Intervals,
    /// Of samples of rows alone.
    pub(super) sampling: Vec<Option<f64>>,
}

impl SampledMeasure {
    /// One variable of the page.
    pub(crate) fn variable(&self, at: usize) -> Option<SampledVariable> {
        let interval = self.intervals.each[at].as_ref()?;
        let rank = self.intervals.ranks.as_ref().and_then(|ranks| ranks[at]);
        Some(SampledVariable {
            standard_error: self.sampling[at]?,
            low: interval.low,
            high: interval.high,
            lowest_rank: rank.map(|rank| rank.low),
            highest_rank: rank.map(|rank| rank.high),
        })
    }
}

/// Whether a measure can be found again on parts of the rows, unasked.
pub(super) fn can_be_sampled(measure: &Measure, config: &ForestConfig, data: &Dataset) -> bool {
    let info = measure.id().info();
    info.data != DataUsed::Test
        && info.effort.warning().is_none()
        && !measure.needs_trees()
        && Origin::Settings(config).check(measure, data).is_ok()
}

/// How forests are grown on parts of the rows, where that takes no longer than growing did.
pub(super) fn settings(data: &Dataset, config: &ForestConfig) -> Result<Subsampling, LeftOut> {
    let n_trees = config.n_trees.min(MOST_TREES);
    let fraction = FRACTION.min(MOST_ROWS / data.n_rows() as f64);
    let mtry = config.resolve(data)?.mtry;
    let of_forest = Budget::of_tree(data.n_rows(), mtry) * fraction * n_trees as f64;
    if of_forest * FEWEST_FORESTS as f64 > MOST_WORK {
        return Err(LeftOut::because(message!(
            "they would take longer than growing the forest; ",
            Procedure::new("uncertainty"),
            " finds them"
        )));
    }
    let n_subsamples = ((WORK / of_forest) as usize).clamp(FEWEST_FORESTS, MOST_FORESTS);
    Ok(Subsampling { n_subsamples, fraction, n_trees: Some(n_trees) })
}

/// Intervals of importances that were measured, one per measure, in the order of the variables measured. Cost: that of
/// the forests.
pub(super) fn sampled(
    input: &Making<'_>,
    config: &ForestConfig,
    measures: &[(&Measure, &Importance)],
    settings: &Subsampling,
    run: &Run,
) -> Result<Vec<SampledMeasure>, Error> {
    let (data, names) = (input.data(), input.study.names());
    let asked: Vec<Measure> = measures.iter().map(|(measure, _)| (*measure).clone()).collect();
    let confidence = Confidence::new(CONFIDENCE)?;
    // A stored forest may name its variables in another order than the table does.
    let place: HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
    let order: Vec<Option<usize>> =
        data.groups().names().iter().map(|name| place.get(name.as_str()).copied()).collect();
    let mut back = vec![None; names.len()];
    for (of_data, of_names) in order.iter().enumerate() {
        if let Some(at) = of_names {
            back[*at] = Some(of_data);
        }
    }
    let in_data = |values: &[Option<f64>]| -> Vec<Option<f64>> {
        order.iter().map(|at| at.and_then(|at| values[at])).collect()
    };
    let observed = measures.iter().map(|(_, importance)| Importance {
        values: in_data(&importance.values),
        standard_errors: importance.standard_errors.as_deref().map(in_data),
        ..(*importance).clone()
    });
    let observed: Vec<Importance> = observed.collect();
    let found = subsampling(data, config, Observed::new(&asked, &observed), settings, run)?;
    let of_measure = |(sampled, importance): (wald::inference::Sampled, &Importance)| {
        let all = sampled.intervals(importance, confidence);
        SampledMeasure {
            words: words(
                sampled.n_subsamples.unwrap_or(settings.n_subsamples),
                settings,
                data.n_rows(),
            )
            .worded(input.wording()),
            sampling: reordered(&sampled.standard_errors, &back),
            intervals: Intervals {
                confidence: all.confidence,
                standard_errors: reordered(&all.standard_errors, &back),
                each: reordered(&all.each, &back),
                together: reordered(&all.together, &back),
                ranks: all.ranks.as_deref().map(|ranks| reordered(ranks, &back)),
            },
        }
    };
    Ok(found.into_iter().zip(&observed).map(of_measure).collect())
}

fn reordered<T: Clone>(values: &[Option<T>], back: &[Option<usize>]) -> Vec<Option<T>> {
    back.iter().map(|at| at.and_then(|at| values[at].clone())).collect()
}

fn words(n_forests: usize, settings: &Subsampling, n_rows: usize) -> Message {
    let n_trees = settings.n_trees.unwrap_or_default();
    let drawn = (settings.fraction * n_rows as f64).round() as usize;
    let words = format!(
        "{:.0} % intervals for the error of a finite number of trees and that of the rows in the \
         table together, for each variable alone; ranks hold for all variables at once. From {n_forests} \
         forests of {n_trees} trees, each on {} of the {} rows (Ishwaran & Lu 2019), which \
         estimates these errors roughly; ",
        100.0 * CONFIDENCE,
        thousands(drawn),
        thousands(n_rows)
    );
    message!(words, Procedure::new("uncertainty"), " takes more")
}
