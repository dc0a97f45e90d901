//! The study of example 1 that Tables 3 and 4 report.

use wald::simulate::BenardExample1;
use wald::{ForestConfig, MeasureId};

use crate::failure::Failure;
use crate::measures;
use crate::study::{Found, Study};

/// The variables in the order of the tables: number, and position.
pub(crate) const VARIABLES: [(&str, usize); 5] =
    [("X3", 2), ("X4", 3), ("X5", 4), ("X1", 0), ("X2", 1)];

/// A column of Tables 3 and 4.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) measure: MeasureId,
    /// Table 3, in the order of [`VARIABLES`].
    pub(crate) means: [f64; 5],
    /// Table 4: over 10 repetitions.
    pub(crate) deviations: [f64; 5],
}

/// The estimates of the tables.
pub(crate) const COLUMNS: [Column; 4] = [
    Column {
        name: "BC-MDA",
        measure: MeasureId::MdaBreimanCutler,
        means: [0.37, 0.10, 0.09, 0.24, 0.24],
        deviations: [0.03, 0.02, 0.01, 0.02, 0.02],
    },
    Column {
        name: "IK-MDA",
        measure: MeasureId::MdaIshwaranKogalur,
        means: [0.43, 0.14, 0.13, 0.29, 0.28],
        deviations: [0.02, 0.01, 0.01, 0.02, 0.02],
    },
    Column {
        name: "S-MDA",
        measure: MeasureId::SobolMda,
        means: [0.45, 0.08, 0.08, 0.05, 0.05],
        deviations: [0.03, 0.01, 0.01, 0.01, 0.01],
    },
    Column {
        name: "S-MDA_Ldg",
        measure: MeasureId::SobolMdaLundberg,
        means: [0.43, 0.13, 0.13, 0.22, 0.23],
        deviations: [0.03, 0.01, 0.01, 0.02, 0.01],
    },
];

/// Repetitions behind Table 4.
pub(crate) const PUBLISHED_REPETITIONS: usize = 10;

/// What was measured, by the places of [`COLUMNS`].
pub(crate) struct Example1 {
    pub(crate) found: Found,
}

pub(crate) fn run(study: &Study) -> Result<Example1, Failure> {
    let ids = COLUMNS.map(|column| column.measure);
    let measures = measures::shares_of_variance(&ids)?;
    let design = BenardExample1::default();
    let draw = |n_rows, seed| design.draw(n_rows, seed);
    Ok(Example1 { found: study.run(draw, &ForestConfig::default(), &measures)? })
}

/// What was set beyond the size of the study.
pub(crate) fn settings(study: &Study) -> Vec<(&'static str, String)> {
    let mut settings = study.settings();
    settings.push(("mtry", "2".to_owned()));
    settings.push(("min_node_size", "5".to_owned()));
    settings.push(("sampling", "bootstrap".to_owned()));
    settings.push(("permutations", "exact expectation".to_owned()));
    settings
}
