//! All that is known of how sure the importances of one measure are.

use crate::data::Dataset;
use crate::error::Error;
use crate::forest::{Forest, ForestConfig, Keep};
use crate::importance::Importance;
use crate::inference::{
    Adjustment, Confidence, Intervals, PermutedResponse, Sampled, Separation, Subsampling, Tested,
    permuted_response, separations, subsampling,
};
use crate::measure::Measure;
use crate::monitor::Monitor;
use crate::threads::Threads;

/// What is asked about importances.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UncertaintyConfig {
    /// The probability with which intervals cover.
    pub confidence: Confidence,
    /// How sampling errors are estimated.
    pub subsampling: Subsampling,
    /// How p-values are found; `None` for none.
    pub test: Option<PermutedResponse>,
    /// How p-values are corrected for the number of variables.
    pub adjustment: Adjustment,
}

/// Importances, their intervals, ranks and p-values.
#[derive(Debug, Clone, PartialEq)]
pub struct Uncertainty {
    /// The importances, with Monte-Carlo errors.
    pub importance: Importance,
    /// Sampling errors.
    pub sampled: Sampled,
    /// Intervals for both together.
    pub intervals: Intervals,
    /// p-values, where asked for.
    pub tested: Option<Tested>,
    /// The same, corrected for the number of variables.
    pub adjusted: Option<Vec<Option<f64>>>,
    /// Trees that would tell neighbours of the ranking apart; empty where a measure is not a mean
    /// over trees.
    pub separations: Vec<Separation>,
}

/// Grows a forest and measures it, then as many more as the questions take. Cost: 1 + subsamples *
/// fraction * share of trees + permutations times that of growing and measuring the forest.
///
/// # Errors
/// As [`subsampling`] and [`permuted_response`].
pub fn uncertainty(
    data: &Dataset,
    config: &ForestConfig,
    measure: &Measure,
    asked: &UncertaintyConfig,
    (threads, monitor): (Threads, &Monitor),
) -> Result<Uncertainty, Error> {
    let measures = std::slice::from_ref(measure);
    let run = (threads, monitor);
    asked.subsampling.validate()?;
    asked.test.map_or(Ok(()), PermutedResponse::validate)?;
    let grown = Forest::grow_and_measure(data, config, measures, Keep::Nothing, run)?;
    let mut importances = grown.measured.importances;
    let mut sampled = subsampling(data, config, measures, &asked.subsampling, run)?;
    let tested = match asked.test {
        Some(settings) => {
            permuted_response(data, config, (measures, &importances), settings, run)?.pop()
        }
        None => None,
    };
    // One measure gives one of each.
    let (Some(importance), Some(sampled)) = (importances.pop(), sampled.pop()) else {
        return Err(Error::Inconsistent { what: "a measure gave no importances".to_owned() });
    };
    Ok(Uncertainty {
        intervals: sampled.intervals(&importance, asked.confidence),
        adjusted: tested.as_ref().map(|tested| asked.adjustment.adjust(&tested.p_values)),
        separations: separations(
            &importance,
            measure.id().info().small_is_important,
            asked.confidence,
        ),
        importance,
        sampled,
        tested,
    })
}
