//! Dependence of all pairs of variables, with their clusters.

use wald::{Error, Run};
use wald_html::chart::{Columns, Medium, Sheet, heat_map, most_mapped};
use wald_report::{DependenceMap, Study};

use crate::failure::Failure;

/// The map of the variables that are most important, as many as there is room for.
pub(crate) fn of_dependence(
    study: &Study,
    columns: Columns,
    most_variables: usize,
    run: &Run,
) -> Result<Sheet, Error> {
    let most = most_variables.min(most_mapped(columns));
    let map = DependenceMap::of_study(study, most, run)?;
    Ok(Sheet::of(&[heat_map(&map, Medium::Paper(columns))], columns))
}

/// Refuses a map of a single variable.
pub(crate) fn refuse_single(n_variables: usize, most: usize) -> Result<(), Failure> {
    if n_variables.min(most) > 1 {
        return Ok(());
    }
    let what = "a picture of the dependence of variables needs two of them";
    let help = if n_variables > 1 {
        "give `--picture-variables` of at least 2".to_owned()
    } else {
        "leave out the picture, or give a table of more variables".to_owned()
    };
    Err(Failure::usage(what, help))
}
