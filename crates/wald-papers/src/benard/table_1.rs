//! `benard-table-1`: what the packages compute, as settings of wald.

use std::sync::Arc;

use wald::forest::Keep;
use wald::measure::{MeasureSettings, Normalise, Permutations};
use wald::simulate::BenardExample1;
use wald::{Dataset, Forest, ForestConfig, Measure, MeasureId, Run};

use crate::benard::SOURCE;
use crate::exhibit::{Exhibit, Listing};
use crate::failure::Failure;
use crate::study::Study;

const TEST_ROWS: &str = "test rows";

/// What a package computes.
struct Row {
    package: &'static str,
    call: &'static str,
    definition: &'static str,
    error_of: &'static str,
    data: &'static str,
    measure: MeasureId,
    normalise: Normalise,
    permutations: Permutations,
    /// As options of `wald importance`.
    options: &'static str,
}

const ROWS: [Row; 5] = [
    Row {
        package: "scikit-learn",
        call: "permutation_importance(forest, X_test, y_test, n_repeats=1)",
        definition: "Train-Test",
        error_of: "forest",
        data: TEST_ROWS,
        measure: MeasureId::MdaTrainTest,
        normalise: Normalise::None,
        permutations: Permutations::Random(1),
        options: "--measure mda_train_test --test TEST --permutations 1",
    },
    Row {
        package: "ranger",
        call: "importance = \"permutation\"",
        definition: "Breiman-Cutler",
        error_of: "tree",
        data: "out of bag",
        measure: MeasureId::MdaBreimanCutler,
        normalise: Normalise::None,
        permutations: Permutations::Random(1),
        options: "--measure mda_breiman_cutler --permutations 1",
    },
    Row {
        package: "randomForest",
        call: "importance = TRUE",
        definition: "Breiman-Cutler, normalised",
        error_of: "tree",
        data: "out of bag",
        measure: MeasureId::MdaBreimanCutler,
        normalise: Normalise::StandardError,
        permutations: Permutations::Random(1),
        options: "--measure mda_breiman_cutler --permutations 1 --normalise standard_error",
    },
    Row {
        package: "randomForestSRC",
        call: "importance = \"permute\", block.size = 1",
        definition: "Breiman-Cutler",
        error_of: "tree",
        data: "out of bag",
        measure: MeasureId::MdaBreimanCutler,
        normalise: Normalise::None,
        permutations: Permutations::Random(1),
        options: "--measure mda_breiman_cutler --permutations 1",
    },
    Row {
        package: "randomForestSRC",
        call: "importance = \"permute\", block.size = ntree",
        definition: "Ishwaran-Kogalur",
        error_of: "forest",
        data: "out of bag",
        measure: MeasureId::MdaIshwaranKogalur,
        normalise: Normalise::None,
        permutations: Permutations::Random(1),
        options: "--measure mda_ishwaran_kogalur --permutations 1",
    },
];

pub(crate) fn run(study: &Study) -> Result<Exhibit, Failure> {
    let seed = study.seed_of(0);
    let data = BenardExample1::default().draw(study.n_rows, seed)?;
    let test = Arc::new(BenardExample1::default().draw(study.n_rows, !seed)?);
    let config = ForestConfig { n_trees: study.n_trees, seed, ..ForestConfig::default() };
    let measures: Vec<Measure> =
        ROWS.iter().map(|row| measure(row, &test)).collect::<Result<_, _>>()?;
    let work = &Run::on(study.threads);
    let grown = Forest::grow_and_measure(&data, &config, &measures, Keep::Nothing, work)?;
    let mut settings = study.settings();
    settings.retain(|(name, _)| *name != "repetitions");
    settings.push(("design", "example 1".to_owned()));
    let words = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let definitions = ROWS.iter().map(|row| {
        words(&[row.package, row.call, row.definition, row.error_of, row.data, row.options])
    });
    let values = ROWS.iter().zip(&grown.measured.importances).map(|(row, importance)| {
        let mut cells = words(&[row.package, row.definition]);
        cells.extend(
            importance
                .values
                .iter()
                .map(|value| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.4}"))),
        );
        cells
    });
    Ok(Exhibit {
        title: "Table 1: what the packages compute, as settings of wald".to_owned(),
        source: SOURCE,
        settings,
        listings: vec![
            Listing {
                title: "Definitions".to_owned(),
                head: words(&["package", "call", "MDA", "error of", "data", "wald importance"]),
                rows: definitions.collect(),
            },
            Listing {
                title: "Values of one forest".to_owned(),
                head: words(&["package", "MDA", "X1", "X2", "X3", "X4", "X5"]),
                rows: values.collect(),
            },
        ],
        ..Exhibit::default()
    })
}

fn measure(row: &Row, test: &Arc<Dataset>) -> Result<Measure, wald::Error> {
    let settings = MeasureSettings {
        test: (row.data == TEST_ROWS).then(|| Arc::clone(test)),
        normalise: row.normalise,
        permutations: row.permutations.clone(),
        ..MeasureSettings::default()
    };
    Measure::new(row.measure, settings)
}
