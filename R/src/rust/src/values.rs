//! Results as R's own types.

use extendr_api::ToVectorValue;
use extendr_api::prelude::*;
use serde::Serialize;
use serde_json::Value;
use wald::Frame;
use wald::frame::FrameColumn;

use crate::failure::Failure;

/// A list with names.
pub(crate) fn named<const N: usize>(fields: [(&str, Robj); N]) -> Result<Robj, Failure> {
    let (names, values): (Vec<&str>, Vec<Robj>) = fields.into_iter().unzip();
    list(names, values)
}

fn list<S: AsRef<str> + ToVectorValue>(names: Vec<S>, values: Vec<Robj>) -> Result<Robj, Failure> {
    let list = List::from_names_and_values(names, values);
    list.map(Robj::from).map_err(|error| Failure::internal(error.to_string()))
}

/// Whatever the engine writes as JSON, as lists and vectors. Numbers keep their bits.
pub(crate) fn document(value: &impl Serialize) -> Result<Robj, Failure> {
    let value = serde_json::to_value(value);
    of_json(&value.map_err(|error| Failure::internal(error.to_string()))?)
}

/// A list of numbers, or of texts, or of truth values is a vector; null among them is NA.
fn of_json(value: &Value) -> Result<Robj, Failure> {
    Ok(match value {
        Value::Null => ().into(),
        Value::Bool(flag) => Robj::from(*flag),
        Value::Number(number) => Robj::from(number.as_f64()),
        Value::String(text) => Robj::from(text.as_str()),
        Value::Array(values) => return of_array(values),
        Value::Object(fields) => {
            let values = fields.values().map(of_json).collect::<Result<_, _>>()?;
            list(fields.keys().map(String::as_str).collect(), values)?
        }
    })
}

fn of_array(values: &[Value]) -> Result<Robj, Failure> {
    let all = |is: fn(&Value) -> bool| {
        values.iter().any(is) && { values.iter().all(|value| value.is_null() || is(value)) }
    };
    Ok(if all(Value::is_number) {
        Robj::from(values.iter().map(Value::as_f64).map(or_na).collect::<Vec<f64>>())
    } else if all(Value::is_string) {
        Robj::from(values.iter().map(Value::as_str).collect::<Vec<Option<&str>>>())
    } else if all(Value::is_boolean) {
        Robj::from(values.iter().map(Value::as_bool).collect::<Vec<Option<bool>>>())
    } else {
        let values = values.iter().map(of_json).collect::<Result<Vec<_>, _>>()?;
        List::from_values(values).into()
    })
}

fn or_na(number: Option<f64>) -> f64 {
    number.unwrap_or(f64::na())
}

/// Numbers; NA where there is none.
pub(crate) fn optional(values: &[Option<f64>]) -> Robj {
    Robj::from(values.iter().copied().map(or_na).collect::<Vec<f64>>())
}

/// A long table as a list of columns; what is missing is NA, and a class or a level may be an empty text.
pub(crate) fn frame(frame: Frame) -> Result<Robj, Failure> {
    let column = |(_, column): &(String, FrameColumn)| match column {
        FrameColumn::Numbers(numbers) => optional(numbers),
        FrameColumn::Text(texts) => {
            Robj::from(texts.iter().map(Option::as_deref).collect::<Vec<Option<&str>>>())
        }
    };
    let values = frame.columns.iter().map(column).collect();
    list(frame.columns.iter().map(|(name, _)| name.as_str()).collect(), values)
}

/// What a procedure has found: a long table, and all of it.
pub(crate) fn found(table: Frame, document: &impl Serialize) -> Result<Robj, Failure> {
    named([("frame", frame(table)?), ("document", self::document(document)?)])
}

/// Rows of equal length as a matrix of R, which has columns one after the other.
pub(crate) fn matrix(numbers: &[f64], width: usize) -> Result<Robj, Failure> {
    let n_rows = numbers.len() / width.max(1);
    let cells = (0..width).flat_map(|column| (0..n_rows).map(move |row| row * width + column));
    // Written in place, since numbers of many rows may take much of the memory.
    let mut matrix = Doubles::new(n_rows * width);
    for (place, cell) in matrix.iter_mut().zip(cells) {
        *place = numbers[cell].into();
    }
    let shape = [n_rows as i32, width as i32];
    matrix.set_attrib("dim", shape).map_err(|error| Failure::internal(error.to_string()))?;
    Ok(matrix.into())
}
