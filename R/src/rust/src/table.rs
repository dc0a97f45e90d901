//! Tables and data sets.

use std::sync::Arc;

use extendr_api::prelude::*;
use wald::data::{Column, ColumnData, MISSING_LEVEL, Response, Target};
use wald::{Dataset, Features};

use crate::failure::{Failure, answer};
use crate::given::{Given, texts};
use crate::pointer::Kept;
use crate::values;

/// What a column is made of.
enum Cells {
    Numbers(Vec<f64>),
    Levels(Vec<String>, Vec<u32>),
}

impl Cells {
    /// Doubles, or a list of levels and codes that begin with 1.
    fn of(value: &Robj) -> Result<Self, Failure> {
        if let Some(numbers) = value.as_real_slice() {
            // R's NA is a NaN, which is the engine's missing value.
            return Ok(Self::Numbers(numbers.to_vec()));
        }
        let given = Given::of(value)?;
        let levels = given.get("levels").and_then(|levels| texts(&levels));
        let codes = given.get("codes");
        let codes = codes.as_ref().and_then(Robj::as_integer_slice);
        let code = |&code: &i32| u32::try_from(code - 1).unwrap_or(MISSING_LEVEL);
        // NA is the smallest integer.
        let code = |given: &i32| if *given < 1 { MISSING_LEVEL } else { code(given) };
        let cells = levels.zip(codes);
        let cells =
            cells.map(|(levels, codes)| Self::Levels(levels, codes.iter().map(code).collect()));
        cells.ok_or_else(|| Failure::internal("a column is neither numbers nor levels"))
    }
}

/// Columns of a list with names.
pub(crate) fn features(columns: &Robj) -> Result<Features, Failure> {
    let column = |(name, value): (&str, Robj)| {
        Ok(match Cells::of(&value)? {
            Cells::Numbers(numbers) => Column::numeric(name, numbers)?,
            Cells::Levels(levels, codes) => Column::categorical(name, levels, codes)?,
        })
    };
    let columns = Given::of(columns)?;
    let columns = columns.entries().into_iter().map(column);
    Ok(Features::new(columns.collect::<Result<_, Failure>>()?)?)
}

fn target(name: &str, value: &Robj) -> Result<Target, Failure> {
    Ok(match Cells::of(value)? {
        Cells::Numbers(numbers) => Target::regression(name, numbers)?,
        Cells::Levels(levels, codes) => Target::classification(name, levels, codes)?,
    })
}

/// The same rows with columns put together, if any are.
pub(crate) fn with_groups(data: &Arc<Dataset>, groups: &Robj) -> Result<Arc<Dataset>, Failure> {
    if groups.is_null() {
        return Ok(Arc::clone(data));
    }
    let names = |(name, columns): (&str, Robj)| {
        let columns = texts(&columns);
        let columns = columns.ok_or_else(|| Failure::internal("a group is no list of names"))?;
        Ok((name.to_owned(), columns))
    };
    let groups = Given::of(groups)?;
    let groups = groups.entries().into_iter().map(names);
    let groups: Vec<(String, Vec<String>)> = groups.collect::<Result<_, Failure>>()?;
    Ok(Arc::new(Dataset::clone(data).with_groups(&groups)?))
}

/// A data set of columns, a list of one target by its name, weights and clusters.
#[extendr]
fn new_data(columns: Robj, target: Robj, weights: Robj, clusters: Robj) -> Robj {
    answer(|| {
        let features = features(&columns)?;
        let target = Given::of(&target)?;
        let [(name, cells)] = &target.entries()[..] else {
            return Err(Failure::internal("one target was expected"));
        };
        let mut data = Dataset::new(features.columns().to_vec(), self::target(name, cells)?)?;
        if let Some(weights) = weights.as_real_slice() {
            data = data.with_weights(weights.to_vec()).map_err(|error| {
                let Failure { what, help, .. } = error.into();
                Failure::argument("weights", what, help)
            })?;
        }
        if let Some(clusters) = clusters.as_integer_slice() {
            data = data.with_clusters(clusters.iter().map(|&cluster| cluster as u32).collect())?;
        }
        Kept::Data(Arc::new(data)).into_robj()
    })
}

/// A column as R has it.
pub(crate) fn cells(column: &ColumnData) -> Result<Robj, Failure> {
    match column {
        ColumnData::Numeric(numbers) => Ok(numbers_of(numbers)),
        ColumnData::Categorical(categories) => levels_of(categories.levels(), categories.codes()),
    }
}

/// The target as R has it.
pub(crate) fn response(response: &Response) -> Result<Robj, Failure> {
    match response {
        Response::Regression(values) => Ok(numbers_of(values)),
        Response::Classification(classes) => levels_of(classes.levels(), classes.codes()),
        // Tables of R have one target.
        Response::Several(outputs) => Ok(numbers_of(outputs.values())),
    }
}

fn numbers_of(numbers: &[f64]) -> Robj {
    Robj::from(numbers.to_vec())
}

fn levels_of(levels: &[String], codes: &[u32]) -> Result<Robj, Failure> {
    let code = |&code: &u32| if code == MISSING_LEVEL { i32::MIN } else { code as i32 + 1 };
    values::named([
        ("levels", Robj::from(levels.to_vec())),
        ("codes", Robj::from(codes.iter().map(code).collect::<Vec<i32>>())),
    ])
}

extendr_module! {
    mod table;
    fn new_data;
}
