//! What `wald explain` found, whatever its shape and format.

use std::io::{self, Write};

use serde::Serialize;
use wald::explain::{ExplanationInfo, Layout};
use wald::{ExplanationId, Forest};

use crate::notes::Notes;

/// Numbers with what describes them.
#[derive(Clone, Copy)]
pub(crate) struct Found<'a> {
    pub(crate) info: &'static ExplanationInfo,
    pub(crate) forest: &'a Forest,
    pub(crate) layout: &'a Layout,
    /// What values are counted from, by output, where they add up to predictions.
    pub(crate) expected_value: Option<&'a [f64]>,
    /// Whether values and what they are counted from add up to predictions.
    pub(crate) adds_up: bool,
    /// The rows of the table of the records, counted from 1.
    pub(crate) places: &'a [u32],
    /// The case weights of these rows, if they have any.
    pub(crate) weights: Option<&'a [f64]>,
    /// Whether what holds at a number of a grid holds down to the one before it.
    pub(crate) are_steps: bool,
    pub(crate) notes: &'a Notes,
}

/// Takes the records of rows, one after the other.
pub(crate) trait Records: Send {
    /// A record of a row of the table, counted from 1.
    fn record(&mut self, row: u32, record: &[f64]) -> io::Result<()>;

    /// All records were there.
    fn finish(&mut self) -> io::Result<()>;
}

#[derive(Serialize)]
struct Document<'a, D, V> {
    #[serde(flatten)]
    description: D,
    /// Before the values, which are written as they are found.
    notes: &'a Notes,
    values: V,
}

impl Found<'_> {
    /// The case weight of a record: the only record of all rows has weight 1.
    pub(crate) fn weight(&self, record: usize) -> f64 {
        self.weights_of_records().map_or(1.0, |weights| weights[record])
    }

    /// The case weights of records, if they are those of rows that have any.
    pub(crate) fn weights_of_records(&self) -> Option<&[f64]> {
        self.weights.filter(|_| !self.layout.is_mean)
    }

    /// What values are in, in words: what they are parts of, or their unit.
    pub(crate) fn measured_in(&self, class: Option<&str>) -> String {
        match class {
            _ if self.info.is_of_predictions() => self.predicted(class),
            Some(class) => format!("{} of {class}", self.info.unit),
            None => self.info.unit.to_owned(),
        }
    }

    /// What is explained, in words.
    pub(crate) fn predicted(&self, class: Option<&str>) -> String {
        match class {
            Some(class) => format!("the probability of {class}"),
            None => format!("the prediction of {}", self.forest.target().name),
        }
    }

    /// Whether curves are predictions, not effects.
    pub(crate) fn are_predictions(&self) -> bool {
        [ExplanationId::Pdp, ExplanationId::Ice].iter().any(|id| id.info().id == self.info.id)
    }

    /// The values in a document with their description.
    pub(crate) fn write_json(
        &self,
        writer: &mut dyn Write,
        values: impl Serialize,
    ) -> io::Result<()> {
        let Found { info, forest, layout, expected_value, places, notes, .. } = *self;
        let description = layout.description(info, forest, expected_value, places);
        serde_json::to_writer(&mut *writer, &Document { description, notes, values })?;
        writer.write_all(b"\n")
    }
}
