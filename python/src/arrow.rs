//! Tables of Arrow's, whichever package made them: pyarrow, polars, or any other with the Arrow
//! `PyCapsule` interface.

use crate::errors::About;
use std::collections::HashMap;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3_arrow::input::AnyRecordBatch;
use wald::data::MISSING_LEVEL;

use crate::errors;

/// Whole numbers up to here are exact as floats.
const LARGEST_INTEGER: u64 = 1 << 53;

/// Why a column cannot be used.
enum Refusal {
    /// It is neither numbers nor texts.
    Kind(String),
    /// Its integers lose digits as floats.
    Large,
    /// Its cells cannot be read.
    Unreadable(ArrowError),
}

impl From<ArrowError> for Refusal {
    fn from(error: ArrowError) -> Self {
        Self::Unreadable(error)
    }
}

/// Names and cells of the columns; the table is read once, so that a stream of batches will do.
#[pyfunction]
pub(crate) fn arrow_columns<'py>(
    py: Python<'py>,
    table: &Bound<'py, PyAny>,
) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
    let refuse = |error: PyErr| {
        let what = format!("the table cannot be read through Arrow: {error}");
        let help = "give a data frame of named columns";
        errors::make(py, "DataTypeError", [&what, help], About::default())
    };
    let batches = table.extract::<AnyRecordBatch>().map_err(refuse)?;
    let batches = batches.into_table().map_err(|error| refuse(error.into()))?;
    let (batches, schema) = batches.into_inner();
    let columns = schema.fields().iter().enumerate().map(|(at, field)| {
        let chunks: Vec<ArrayRef> =
            batches.iter().map(|batch| ArrayRef::clone(batch.column(at))).collect();
        let name = field.name();
        let cells = column(py, field.data_type(), &chunks)?;
        cells.map(|cells| (name.clone(), cells)).map_err(|refusal| exception(py, name, &refusal))
    });
    columns.collect()
}

fn exception(py: Python<'_>, name: &str, refusal: &Refusal) -> PyErr {
    let (class, what, help) = match refusal {
        Refusal::Kind(kind) => (
            "DataTypeError",
            format!("is of type {kind}"),
            "make it numbers (for a date for example the days since a first one) or texts",
        ),
        Refusal::Large => (
            "DataError",
            "holds integers above 2^53, which are not distinct as floats".to_owned(),
            "make it a column of texts or categories",
        ),
        Refusal::Unreadable(error) => {
            ("DataTypeError", format!("cannot be read: {error}"), "make it numbers or texts")
        }
    };
    let about = About { column: Some(name), ..About::default() };
    errors::make(py, class, [&format!("column {name:?} {what}"), help], about)
}

/// The cells of a column as `Table` takes them.
fn column<'py>(
    py: Python<'py>,
    kind: &DataType,
    chunks: &[ArrayRef],
) -> PyResult<Result<Bound<'py, PyAny>, Refusal>> {
    let found = match kind {
        DataType::Null => Ok(Cells::Numbers(
            chunks.iter().flat_map(|chunk| vec![f64::NAN; chunk.len()]).collect(),
        )),
        DataType::Boolean => Ok(booleans(chunks)),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => texts(chunks),
        // What has a dictionary is a category, also where its levels are written as numbers.
        DataType::Dictionary(_, levels) if levels.is_string() || levels.is_integer() => {
            texts(chunks)
        }
        DataType::Dictionary(_, levels) if **levels == DataType::Boolean => {
            cast_all(chunks, levels).map(|chunks| booleans(&chunks))
        }
        DataType::Dictionary(_, levels) if levels.is_numeric() => numbers(chunks),
        kind if kind.is_integer() => check_integers(kind, chunks).and_then(|()| numbers(chunks)),
        kind if is_whole_decimal(kind) => numbers(chunks).and_then(without_large),
        kind if kind.is_numeric() => numbers(chunks),
        kind => Err(Refusal::Kind(kind.to_string())),
    };
    match found {
        Ok(Cells::Numbers(numbers)) => Ok(Ok(numbers.into_pyarray(py).into_any())),
        Ok(Cells::Levels(levels, codes)) => {
            Ok(Ok((levels, codes.into_pyarray(py)).into_pyobject(py)?.into_any()))
        }
        Err(refusal) => Ok(Err(refusal)),
    }
}

enum Cells {
    Numbers(Vec<f64>),
    Levels(Vec<String>, Vec<u32>),
}

fn cast_all(chunks: &[ArrayRef], kind: &DataType) -> Result<Vec<ArrayRef>, Refusal> {
    chunks.iter().map(|chunk| cast(chunk, kind).map_err(Refusal::from)).collect()
}

fn numbers(chunks: &[ArrayRef]) -> Result<Cells, Refusal> {
    let mut numbers = Vec::with_capacity(chunks.iter().map(Array::len).sum());
    for chunk in cast_all(chunks, &DataType::Float64)? {
        let values = chunk.as_primitive::<Float64Type>();
        if values.null_count() == 0 {
            numbers.extend_from_slice(values.values());
        } else {
            numbers.extend(values.iter().map(|value| value.unwrap_or(f64::NAN)));
        }
    }
    Ok(Cells::Numbers(numbers))
}

fn check_integers(kind: &DataType, chunks: &[ArrayRef]) -> Result<(), Refusal> {
    let is_large = |chunk: &ArrayRef| match kind {
        DataType::Int64 => {
            let values = chunk.as_primitive::<Int64Type>();
            values.iter().flatten().any(|value| value.unsigned_abs() > LARGEST_INTEGER)
        }
        DataType::UInt64 => {
            let values = chunk.as_primitive::<UInt64Type>();
            values.iter().flatten().any(|value| value > LARGEST_INTEGER)
        }
        _ => false,
    };
    if chunks.iter().any(is_large) { Err(Refusal::Large) } else { Ok(()) }
}

/// Whether numbers are decimals without a fraction, which are integers.
fn is_whole_decimal(kind: &DataType) -> bool {
    match kind {
        DataType::Decimal32(_, scale)
        | DataType::Decimal64(_, scale)
        | DataType::Decimal128(_, scale)
        | DataType::Decimal256(_, scale) => *scale <= 0,
        _ => false,
    }
}

fn without_large(cells: Cells) -> Result<Cells, Refusal> {
    let is_large = |number: &f64| number.abs() > LARGEST_INTEGER as f64;
    match &cells {
        Cells::Numbers(numbers) if numbers.iter().any(is_large) => Err(Refusal::Large),
        _ => Ok(cells),
    }
}

fn booleans(chunks: &[ArrayRef]) -> Cells {
    let cells = chunks.iter().flat_map(|chunk| chunk.as_boolean().iter());
    let codes = cells.map(|cell| cell.map_or(MISSING_LEVEL, u32::from)).collect();
    Cells::Levels(vec!["false".to_owned(), "true".to_owned()], codes)
}

fn texts(chunks: &[ArrayRef]) -> Result<Cells, Refusal> {
    let chunks = cast_all(chunks, &DataType::LargeUtf8)?;
    let mut of_text: HashMap<&str, u32> = HashMap::new();
    let mut levels = Vec::new();
    let mut codes = Vec::with_capacity(chunks.iter().map(Array::len).sum());
    for cell in chunks.iter().flat_map(|chunk| chunk.as_string::<i64>().iter()) {
        let Some(text) = cell else {
            codes.push(MISSING_LEVEL);
            continue;
        };
        codes.push(*of_text.entry(text).or_insert_with(|| {
            levels.push(text.to_owned());
            levels.len() as u32 - 1
        }));
    }
    Ok(Cells::Levels(levels, codes))
}
