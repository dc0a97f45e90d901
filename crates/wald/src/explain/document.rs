//! Records as JSON.

use std::ops::Range;

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::data::Task;
use crate::document::Header;
use crate::explain::grid::{Grid, GridValues};
use crate::explain::info::ExplanationInfo;
use crate::explain::layout::{Layout, Shape};
use crate::forest::Forest;

#[derive(Serialize)]
struct Description<'a> {
    #[serde(flatten)]
    header: Header,
    measure: &'static str,
    task: Task,
    target: &'a str,
    features: &'a [String],
    classes: Option<&'a [String]>,
    /// A number, or one per class.
    expected_value: Option<Value>,
    rows: usize,
    /// The rows of the table that the values belong to, where they have one each.
    row_numbers: Option<&'a [u32]>,
}

/// Numbers as a list, in lists of `outer` numbers, in lists of `inner` numbers.
struct Nested<'a> {
    numbers: &'a [f64],
    outer: Option<usize>,
    inner: Option<usize>,
}

#[derive(Serialize)]
struct Curve<'a> {
    grid: Vec<Value>,
    values: CurveValues<'a>,
}

/// The curves of one variable: by row, place and class.
struct CurveValues<'a> {
    layout: &'a Layout,
    records: &'a [f64],
    /// Where the variable's numbers are in each record.
    span: Range<usize>,
}

impl Layout {
    /// What a JSON document has before the values, with the rows of the table that records are of.
    pub fn description<'a>(
        &'a self,
        info: &ExplanationInfo,
        forest: &'a Forest,
        expected: Option<&[f64]>,
        row_numbers: &'a [u32],
    ) -> impl Serialize + use<'a> {
        let expected_value = |values: &[f64]| match (&self.classes, values) {
            (None, [value]) => (*value).into(),
            _ => values.into(),
        };
        Description {
            header: Header::default(),
            measure: info.id,
            task: forest.task(),
            target: &forest.target().name,
            features: &self.variables,
            classes: self.classes.as_deref(),
            expected_value: expected.map(expected_value),
            rows: self.n_rows,
            row_numbers: (!self.is_mean).then_some(row_numbers),
        }
    }

    /// A record as JSON: `[variable]` or `[variable][class]`; of pairs with another `[variable]`.
    pub fn record<'a>(&self, record: &'a [f64]) -> impl Serialize + use<'a> {
        let outer = match self.shape {
            Shape::Pairs(n) => Some(n * self.n_outputs()),
            _ => None,
        };
        Nested { numbers: record, outer, inner: self.classes.as_ref().map(Vec::len) }
    }

    /// The records of curves, one after the other, as JSON: for each variable an object with its
    /// `grid`, null standing for a missing value, and the `values` as `[row][place of the grid]` or
    /// `[row][place of the grid][class]`, without the first index where one record is for all rows.
    pub fn curves_of<'a>(&'a self, records: &'a [f64]) -> impl Serialize + use<'a> {
        let curve = |(grid, span): (&Grid, Range<usize>)| Curve {
            grid: grid.places(),
            values: CurveValues { layout: self, records, span },
        };
        self.curves().into_iter().map(curve).collect::<Vec<_>>()
    }
}

impl Grid {
    fn places(&self) -> Vec<Value> {
        let mut places: Vec<Value> = match &self.values {
            GridValues::Numbers(numbers) => numbers.iter().copied().map(Value::from).collect(),
            GridValues::Levels(levels) => {
                levels.iter().map(String::as_str).map(Value::from).collect()
            }
        };
        places.extend(self.has_missing.then_some(Value::Null));
        places
    }
}

impl Serialize for Nested<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.outer, self.inner) {
            (None, None) => self.numbers.serialize(serializer),
            (None, Some(size)) => serializer.collect_seq(self.numbers.chunks_exact(size)),
            (Some(size), inner) => {
                let parts = self.numbers.chunks_exact(size);
                serializer.collect_seq(parts.map(|numbers| Self { numbers, outer: None, inner }))
            }
        }
    }
}

impl<'a> Serialize for CurveValues<'a> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let curve = |record: &'a [f64]| self.layout.record(&record[self.span.clone()]);
        if self.layout.is_mean {
            return curve(self.records).serialize(serializer);
        }
        serializer.collect_seq(self.records.chunks_exact(self.layout.n_values()).map(curve))
    }
}
