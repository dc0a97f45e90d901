//! Whether the size of out-of-bag errors depends on variables, as it does where they change the spread of
//! the target.

use wald::association::compared::{MATERIAL, compared, ready};
use wald::data::{Column, Response};
use wald::work::scattered_rows;
use wald::{Error, Run};

use crate::advice::advise::AdviceSettings;
use crate::advice::dependence::{LEAST_ROWS, MOST_COLUMNS, MOST_ROWS};
use crate::advice::independent::independent_rows;
use crate::study::Study;

/// The columns on which the absolute out-of-bag errors depend by .2 or more, beyond chance (Holm over
/// the columns), the most dependent first. `None` where that is not known: of classes, of very many
/// columns, of few rows out of bag, and where all errors are equal. Rows are scattered over the table, one of
/// each cluster where there are any, and count once. Cost O(columns * rows).
///
/// # Errors
/// [`Error::Cancelled`].
pub(super) fn spread(
    study: &Study,
    AdviceSettings { level, seed }: AdviceSettings,
    run: &Run,
) -> Result<Option<Vec<usize>>, Error> {
    let Response::Regression(values) = study.data.target().response() else { return Ok(None) };
    if study.data.n_features() > MOST_COLUMNS {
        return Ok(None);
    }
    let weight = |row: usize| study.data.weights().map_or(1.0, |weights| weights[row]);
    let looked_at: Vec<usize> = if study.data.clusters().is_some() {
        independent_rows(&study.data, seed).into_iter().map(|row| row as usize).collect()
    } else {
        (0..values.len()).collect()
    };
    let places = scattered_rows(looked_at.len(), MOST_ROWS);
    let (rows, errors): (Vec<u32>, Vec<f64>) = places
        .into_iter()
        .map(|place| looked_at[place as usize])
        .filter(|&row| weight(row) > 0.0)
        .filter_map(|row| {
            let prediction = study.measured.out_of_bag.prediction(row)?;
            Some((row as u32, (values[row] - prediction[0]).abs()))
        })
        .unzip();
    // Differences of very large numbers may overflow.
    let is_known = |errors: &[f64]| {
        errors.iter().all(|error| error.is_finite()) && errors.iter().any(|one| *one != errors[0])
    };
    if rows.len() < LEAST_ROWS || !is_known(&errors) {
        return Ok(None);
    }
    let all: Vec<u32> = (0..rows.len() as u32).collect();
    let errors = ready(&[Column::numeric("error", errors)?], &all, run)?;
    let columns = ready(study.data.features().columns(), &rows, run)?;
    let tested = columns.iter().enumerate();
    let mut tested: Vec<_> =
        tested.filter_map(|(index, column)| Some((index, compared(column, &errors[0])?))).collect();
    tested.sort_by(|a, b| a.1.log_p.total_cmp(&b.1.log_p));
    let n_left = (1..=tested.len()).rev();
    let mut found: Vec<(usize, f64)> = tested
        .into_iter()
        .zip(n_left)
        .take_while(|((_, test), n_left)| test.log_p + (*n_left as f64).ln() <= level.ln())
        .map(|((index, test), _)| (index, test.size))
        .filter(|(_, size)| *size >= MATERIAL)
        .collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    Ok(Some(found.into_iter().map(|(index, _)| index).collect()))
}
