//! What `wald explain` found, whatever its shape and format.

use std::io::{self, Write};

use serde::Serialize;
use wald::Forest;
use wald::data::Task;
use wald::explain::{ExplanationInfo, Layout};

use crate::failure::wald_version;
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
struct Document<'a, V> {
    wald: &'static str,
    measure: &'static str,
    task: Task,
    target: &'a str,
    features: &'a [String],
    classes: Option<&'a [String]>,
    /// A number, or one per class.
    expected_value: Option<serde_json::Value>,
    rows: usize,
    /// The rows of the table that the values belong to, where they have one each.
    row_numbers: Option<&'a [u32]>,
    /// Before the values, which are written as they are found.
    notes: &'a Notes,
    values: V,
}

impl Found<'_> {
    /// The values in a document with their description.
    pub(crate) fn write_json(
        &self,
        writer: &mut dyn Write,
        values: impl Serialize,
    ) -> io::Result<()> {
        let document = Document {
            wald: wald_version(),
            measure: self.info.id,
            task: self.forest.task(),
            target: &self.forest.target().name,
            features: &self.layout.variables,
            classes: self.layout.classes.as_deref(),
            expected_value: self.expected_value.map(|values| {
                match (&self.layout.classes, values) {
                    (None, [value]) => (*value).into(),
                    _ => values.into(),
                }
            }),
            rows: self.layout.n_rows,
            row_numbers: (!self.layout.is_mean).then_some(self.places),
            notes: self.notes,
            values,
        };
        serde_json::to_writer(&mut *writer, &document)?;
        writer.write_all(b"\n")
    }
}
