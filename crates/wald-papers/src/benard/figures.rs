//! `benard-figure-3` and `benard-figure-4`: forest error over the number of variables that
//! recursive feature elimination left.

use crate::benard::elimination::{EliminationStudy, Eliminations};
use crate::benard::{SOURCE, real_data};
use crate::exhibit::{Exhibit, Listing};
use crate::failure::Failure;
use crate::tables::{BREAST_CANCER, GALAXY, OZONE, PROSTATE, Table};
use wald_html::chart::Chart;

/// A figure and its tables.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Figure {
    number: u32,
    tables: [Table; 2],
}

pub(crate) const FIGURE_3: Figure = Figure { number: 3, tables: [OZONE, BREAST_CANCER] };
pub(crate) const FIGURE_4: Figure = Figure { number: 4, tables: [GALAXY, PROSTATE] };

pub(crate) fn run(figure: &Figure, study: &EliminationStudy<'_>) -> Result<Exhibit, Failure> {
    // A missing table is reported before anything is grown.
    let tables: Vec<_> = figure
        .tables
        .iter()
        .map(|table| Ok((table.name, table.load(study.folder)?)))
        .collect::<Result<_, Failure>>()?;
    let found: Vec<_> =
        tables.iter().map(|(name, data)| study.run(name, data)).collect::<Result<_, _>>()?;
    let comparisons = tables
        .iter()
        .map(|(name, data)| real_data::compare(name, data, study))
        .collect::<Result<_, _>>()?;
    let listings = found.iter().map(|eliminations| Listing {
        title: format!(
            "{}: unexplained variance of held-out rows, mean over repetitions of the \
             cross-validation",
            eliminations.table
        ),
        head: eliminations.head(),
        rows: eliminations.rows(),
    });
    let claims = found.iter().filter(|eliminations| eliminations.table != PROSTATE.name);
    let claims = claims.flat_map(|eliminations| {
        ["BC-MDA", "IK-MDA"].into_iter().filter_map(|other| eliminations.claim(other))
    });
    let panels = found.iter().map(Eliminations::panel).collect();
    Ok(Exhibit {
        title: format!(
            "Figure {}: forest error over the number of variables in recursive feature elimination",
            figure.number
        ),
        source: SOURCE,
        settings: study.settings(),
        comparisons,
        listings: listings.collect(),
        claims: claims.collect(),
        notes: vec![
            "The paper shows curves without numbers. \"Selects better\" compares the mean of the \
             curve over all sizes below the full one."
                .to_owned(),
            "Breast cancer is a regression of 0 and 1, as in the authors' program.".to_owned(),
        ],
        figure: Some(Chart { panels, panels_per_row: 2 }.svg()),
    })
}
