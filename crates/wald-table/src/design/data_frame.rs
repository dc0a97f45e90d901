//! Remarks on a data set that was no file: columns of a data frame of Python's.

use wald::Dataset;
use wald::data::{Categories, Column, ColumnData, Response};

use crate::design::quality::inspect;
use crate::design::rows::distinct_numbers;
use crate::design::target::{constant, inspect_classes};
use crate::notice::Notice;
use crate::remarks::level_notices;
use crate::table::{Values, numeral};

/// What deserves a second look in data that were no file: levels
/// that may be one or missing, columns that are constant, identify the rows or determine the
/// target, classes of a single row. Cost: a pass over the cells, and sorting columns that run with
/// the target.
pub fn remarks_on(data: &Dataset) -> Vec<Notice> {
    let mut notices = Vec::new();
    let target = data.target();
    if let Response::Classification(classes) = target.response() {
        notices.extend(level_notices(target.name(), classes.levels()));
    }
    let columns = data.features().columns();
    for column in columns {
        if let ColumnData::Categorical(categories) = column.data() {
            notices.extend(level_notices(column.name(), categories.levels()));
        }
    }
    match target.response() {
        Response::Classification(classes) => {
            inspect_classes(target.name(), classes.levels(), classes.codes(), &mut notices);
        }
        Response::Regression(values) => {
            if let [only] = distinct_numbers(values).as_slice() {
                notices.push(constant(target.name(), &numeral(*only)));
            }
        }
        Response::Several(_) => {}
    }
    let features: Vec<_> =
        columns.iter().map(|column| (column.name().to_owned(), values(column))).collect();
    inspect(&features, target, &mut notices);
    notices
}

fn values(column: &Column) -> Values {
    match column.data() {
        ColumnData::Numeric(values) => Values::Numeric {
            integers: values.iter().all(|value| value.is_nan() || value.fract() == 0.0),
            values: values.to_vec(),
        },
        ColumnData::Categorical(categories) => texts(categories),
    }
}

fn texts(categories: &Categories) -> Values {
    let (levels, codes) = (categories.levels().to_vec(), categories.codes().to_vec());
    Values::Text { levels, codes }
}
