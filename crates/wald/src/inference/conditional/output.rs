//! Tests of conditional independence as a long table and as JSON.

use serde::Serialize;

use crate::data::Dataset;
use crate::document::Subject;
use crate::forest::ForestConfig;
use crate::frame::Frame;
use crate::inference::conditional::{ConditionalConfig, ConditionalMethod, ConditionalTest};
use crate::inference::intervals::Interval;

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    subject: Subject<'a>,
    method: &'static str,
    draws: Option<usize>,
    folds: usize,
    confidence: f64,
    adjustment: &'static str,
    forest: &'a ForestConfig,
    explained_variance: f64,
    values: &'a [f64],
    standard_errors: &'a [f64],
    intervals: &'a [Interval<f64>],
    p_values: &'a [f64],
    adjusted_p_values: &'a [f64],
}

impl ConditionalTest {
    /// A long table: a line per variable, with the columns `variable`, `value`, `standard_error`, `low`,
    /// `high`, `p_value` and `adjusted_p_value`.
    pub fn frame(&self) -> Frame {
        let numbers = |values: &[f64]| values.to_vec();
        Frame::default()
            .with_text("variable", self.variables.iter().map(String::as_str))
            .with_numbers("value", numbers(&self.values))
            .with_numbers("standard_error", numbers(&self.standard_errors))
            .with_numbers("low", self.intervals.iter().map(|interval| interval.low))
            .with_numbers("high", self.intervals.iter().map(|interval| interval.high))
            .with_numbers("p_value", numbers(&self.p_values))
            .with_numbers("adjusted_p_value", numbers(&self.adjusted))
    }

    /// The JSON document of the command line, with the data and the settings.
    pub fn document<'a>(
        &'a self,
        data: &'a Dataset,
        config: &'a ConditionalConfig,
    ) -> impl Serialize + use<'a> {
        Document {
            subject: data.into(),
            method: config.method.id(),
            draws: match config.method {
                ConditionalMethod::SobolCpi { draws } => Some(draws),
                ConditionalMethod::Loco => None,
            },
            folds: config.folds,
            confidence: config.confidence.get(),
            adjustment: config.adjustment.id(),
            forest: &config.forest,
            explained_variance: self.explained_variance,
            values: &self.values,
            standard_errors: &self.standard_errors,
            intervals: &self.intervals,
            p_values: &self.p_values,
            adjusted_p_values: &self.adjusted,
        }
    }
}
