//! The Sobol-MDA of the figures' tables beside the authors' own program.

use wald::forest::Keep;
use wald::measure::MeasureSettings;
use wald::{Dataset, Forest, ForestConfig, Measure, MeasureId, Run};

use crate::benard::elimination::EliminationStudy;
use crate::estimate::Estimate;
use crate::exhibit::{Comparison, Comparisons, Published};
use crate::failure::Failure;

/// Seeds, as many as the reference has.
const N_SEEDS: u64 = 5;

/// Sobol-MDA by the authors' program (500 trees, ranger's defaults, mean of 5 seeds), as table,
/// variable, value and decimals.
const REFERENCES: [(&str, &str, f64, usize); 12] = [
    ("Ozone", "humidity", 0.0167, 4),
    ("Ozone", "pressure_gradient", 0.0153, 4),
    ("Ozone", "temp_elmonte", 0.0126, 4),
    ("Ozone", "temp_sandburg", -0.0115, 4),
    ("Breast Cancer Wisconsin Diagnostic", "worst_texture", 0.0134, 4),
    ("Galaxy", "north.south", 0.0255, 4),
    ("Galaxy", "angle", 0.0055, 4),
    ("Galaxy", "east.west", 0.0052, 4),
    ("Galaxy", "radial.position", -0.0005, 4),
    ("Prostate", "lcavol", 0.126, 3),
    ("Prostate", "lweight", 0.028, 3),
    ("Prostate", "svi", 0.027, 3),
];

/// The Sobol-MDA on all rows, for the variables whose values by the authors' program are known.
pub(crate) fn compare(
    table: &str,
    data: &Dataset,
    study: &EliminationStudy<'_>,
) -> Result<Comparisons, Failure> {
    let measure = Measure::new(MeasureId::SobolMda, MeasureSettings::default())?;
    let mut values = Vec::new();
    for seed in 0..N_SEEDS {
        let config = ForestConfig {
            n_trees: study.n_trees,
            mtry: study.mtry,
            seed: u64::from(study.seed) << 32 | seed,
            ..ForestConfig::default()
        };
        let work = &Run::on(study.threads);
        let measures = std::slice::from_ref(&measure);
        let mut grown = Forest::grow_and_measure(data, &config, measures, Keep::Nothing, work)?;
        values.push(grown.measured.importances.remove(0).values);
    }
    let names = data.features().names();
    let of_table = REFERENCES.iter().filter(|(of, ..)| *of == table);
    let rows = of_table.filter_map(|&(_, variable, value, decimals)| {
        let position = names.iter().position(|name| name == variable)?;
        let found: Vec<f64> = values.iter().filter_map(|values| values[position]).collect();
        let estimate = Estimate::of(&found);
        // As many seeds, so as large an error.
        let published = Published { value, decimals, standard_error: estimate.standard_error() };
        Some(Comparison::of_mean("Sobol-MDA", variable, published, &estimate))
    });
    Ok(Comparisons {
        title: format!("{table}: Sobol-MDA on all rows, mean of {N_SEEDS} forests"),
        reference: "authors' program",
        rows: rows.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exhibit::Verdict;
    use crate::tables::BREAST_CANCER;
    use wald::Threads;

    #[test]
    fn breast_cancer_agrees_with_the_authors_program() {
        let data = BREAST_CANCER.load(None).expect("the repository holds it");
        let study = EliminationStudy {
            repeats: 2,
            folds: 2,
            n_trees: 500,
            mtry: None,
            seed: 0,
            threads: Threads::all(),
            folder: None,
        };
        let found = compare(BREAST_CANCER.name, &data, &study).expect("a comparison");
        assert_eq!(found.rows.len(), 1);
        assert!(matches!(found.rows[0].verdict, Verdict::Agrees { .. }), "{:?}", found.rows);
    }
}
