//! Weights of training rows, and what follows from them.

use extendr_api::prelude::*;
use wald::weights::{Placed, Rows};

use crate::failure::answer;
use crate::given::whole;
use crate::pointer;
use crate::table::features;
use crate::values;
use crate::watch::Work;

/// The weights of training rows in predictions, as a long table: of the rows of `columns`, or, where
/// that is NULL, of the rows of training by the trees that did not see them.
#[extendr]
fn weigh_rows(forest: Robj, data: Robj, columns: Robj, work: Robj) -> Robj {
    answer(|| {
        let (forest, data, work) =
            (pointer::forest(&forest)?, pointer::data(&data)?, Work::of(&work)?);
        let table = if columns.is_null() { None } else { Some(features(&columns)?) };
        let rows = table.as_ref().map_or(Rows::OutOfBag, Rows::Of);
        let (mut places, mut training_rows, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        work.watched(|run| {
            forest.fitted(&data, run)?.weights(run)?.each(rows, run, |row, others, weights| {
                places.extend(std::iter::repeat_n(row as i32 + 1, others.len()));
                training_rows.extend(others.iter().map(|&other| other as i32 + 1));
                numbers.extend_from_slice(weights);
            })
        })?;
        values::named([
            ("row", Robj::from(places)),
            ("training_row", Robj::from(training_rows)),
            ("weight", Robj::from(numbers)),
        ])
    })
}

/// Scores of outlying rows of training; NA for rows without one.
#[extendr]
fn score_outliers(forest: Robj, data: Robj, work: Robj) -> Robj {
    answer(|| {
        let (forest, data, work) =
            (pointer::forest(&forest)?, pointer::data(&data)?, Work::of(&work)?);
        let found = work.watched(|run| forest.fitted(&data, run)?.weights(run)?.outliers(run))?;
        let scores = found.iter().map(|score| Some(*score).filter(|score| !score.is_nan()));
        Ok(values::optional(&scores.collect::<Vec<_>>()))
    })
}

/// The prototype of every class, as a long table.
#[extendr]
fn find_prototypes(forest: Robj, data: Robj, neighbours: Robj, work: Robj) -> Robj {
    answer(|| {
        let (forest, data, work) =
            (pointer::forest(&forest)?, pointer::data(&data)?, Work::of(&work)?);
        let neighbours = whole(&neighbours).and_then(|n| usize::try_from(n).ok());
        let found = work
            .watched(|run| forest.fitted(&data, run)?.weights(run)?.prototypes(neighbours, run))?;
        let rows: Vec<u32> = (1..=data.n_rows() as u32).collect();
        values::frame(Placed { data: &data, rows: &rows }.prototypes(&found))
    })
}

extendr_module! {
    mod weights;
    fn weigh_rows;
    fn score_outliers;
    fn find_prototypes;
}
