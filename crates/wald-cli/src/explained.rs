//! What `wald explain` found, whatever its shape.

use std::io::{self, Write};

use serde::Serialize;
use wald::Forest;
use wald::data::Task;
use wald::explain::{ExplanationInfo, Layout};

use crate::failure::wald_version;
use crate::notes::Notes;
use crate::terminal::{Terminal, hanging};

const WIDEST_NAME: usize = 40;

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

/// What stands below a table on the terminal.
pub(crate) fn legend(first: String, terminal: Terminal) -> String {
    let lines = [first, "all numbers: --format json, csv or parquet".to_owned()];
    format!("\n{}", lines.map(|line| hanging(&line, terminal.text_width())).concat())
}

/// A name that leaves room for the rest.
pub(crate) fn shortened(name: &str) -> String {
    let name = wald_table::escape_controls(name);
    if name.chars().count() <= WIDEST_NAME {
        return name;
    }
    name.chars().take(WIDEST_NAME - 3).chain("...".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut() {
        assert_eq!(shortened("short"), "short");
        assert_eq!(shortened(&"x".repeat(50)), "x".repeat(37) + "...");
    }
}
