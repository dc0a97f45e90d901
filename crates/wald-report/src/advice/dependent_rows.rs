//! Whether rows that stand next to each other depend on each other.

use crate::advice::{Concern, Evidence, Finding};
use crate::study::Study;
use wald::forest::align_target;
use wald::message::Wording;
use wald::work::{RowDependence, row_dependence, slow_variables};
use wald::{Error, message, setting};

/// What out-of-bag residuals of neighbouring rows have in common; `None` of tables whose rows are in clusters.
///
/// # Errors
/// As [`align_target`], where the forest is foreign.
pub(crate) fn dependence_of_rows(study: &Study) -> Result<Option<RowDependence>, Error> {
    let data = &*study.data;
    let target = match study.target() {
        Some(info) => align_target(data, info)?,
        None => data.target().clone(),
    };
    let prediction = |row: usize| study.measured.out_of_bag.prediction(row);
    Ok(row_dependence(data, &target, prediction))
}

/// The variables that change little from row to row.
pub(crate) fn slow_names(study: &Study) -> Vec<String> {
    let names = study.data.groups().names();
    slow_variables(&study.data).into_iter().map(|at| names[at].clone()).collect()
}

/// What makes errors those of dependent rows.
pub(crate) fn remedy(wording: &dyn Wording) -> String {
    message!(
        "name the column of persons as clusters",
        setting::CLUSTER.hint(),
        ", or of a series a column that numbers blocks of 25 to 50 consecutive rows"
    )
    .worded(wording)
}

/// Similar residuals of neighbouring rows. `None` of tables whose rows are in clusters.
///
/// # Errors
/// As [`align_target`], where the forest is foreign.
pub(super) fn dependent_rows(
    study: &Study,
    wording: &dyn Wording,
) -> Result<Option<Finding>, Error> {
    let Some(found) = dependence_of_rows(study)? else { return Ok(None) };
    let (concern, sentence) = match found.correlation {
        Some(correlation) if found.is_found => (
            Concern::Serious,
            format!(
                "Neighbouring rows of the table have similar residuals (rank correlation {correlation:.2}), as \
                 repeated measurements of persons or a time series have."
            ),
        ),
        Some(correlation) => (
            Concern::None,
            format!(
                "Residuals of neighbouring rows are not seen to be similar (rank correlation {correlation:.2})."
            ),
        ),
        None if found.is_sorted => (
            Concern::Unknown,
            "The table is sorted by its target, so that its order does not show whether rows depend on each \
             other."
                .to_owned(),
        ),
        None => (
            Concern::Unknown,
            "Too few rows are out of bag to show whether neighbouring rows depend on each other."
                .to_owned(),
        ),
    };
    let (consequence, slow) = if found.is_found {
        let consequence = format!(
            "Errors, intervals and p-values, which take rows to be independent, are too small, and variables that \
             are constant in persons or change slowly are found though irrelevant: {}.",
            remedy(wording)
        );
        (consequence, slow_names(study))
    } else {
        (String::new(), Vec::new())
    };
    Ok(Some(Finding {
        id: "dependent_rows".to_owned(),
        name: "Dependence between rows".to_owned(),
        concern,
        sentence,
        consequence,
        evidence: vec![Evidence::new(
            "rank correlation of residuals of neighbouring rows",
            found.correlation,
        )],
        variables: slow,
        source: "Wald & Wolfowitz 1943 (serial correlation in random orders); simulation (wald's documentation, \
                 advice: dependent rows)"
            .to_owned(),
    }))
}
