//! Importances against K, beside forests that are grown one by one.

use wald::measure::MeasureSettings;
use wald::{Error, Forest, ForestConfig, Measure, MeasureId, Run, Threads, masking};

use crate::support::{Shape, dataset};

#[test]
fn every_k_has_the_forest_of_its_own() {
    let shape = Shape { n_rows: 80, n_classes: 2, missing: true, weights: false, seed: 96 };
    let data = dataset(shape);
    let config = ForestConfig { n_trees: 10, seed: 5, ..ForestConfig::default() };
    for id in [MeasureId::Mdi, MeasureId::MdaBreimanCutler] {
        let measure = Measure::new(id, MeasureSettings::default()).expect("defaults");
        let run = &Run::on(Threads::new(2).expect("two"));
        let found = masking::masking(&data, &config, &measure, &[6, 1, 2, 1], run).expect("valid");
        assert_eq!(found.mtry, [1, 2, 6]);
        for (&mtry, importance) in found.mtry.iter().zip(&found.importances) {
            let config = ForestConfig { mtry: Some(mtry), ..config.clone() };
            let forest = Forest::grow(&data, &config, run).expect("valid");
            let alone =
                forest.measure(&data, std::slice::from_ref(&measure), run).expect("applies");
            assert_eq!(alone.importances[0], *importance, "{id:?} {mtry}");
        }
    }
}

#[test]
fn values_out_of_range_are_refused_before_anything_is_grown() {
    let shape = Shape { n_rows: 40, n_classes: 0, missing: false, weights: false, seed: 97 };
    let data = dataset(shape);
    let measure = Measure::new(MeasureId::Mdi, MeasureSettings::default()).expect("defaults");
    let run = &Run::on(Threads::new(1).expect("one"));
    let config = ForestConfig::default();
    for mtry in [&[1, 7][..], &[0, 1], &[]] {
        let refused = masking::masking(&data, &config, &measure, mtry, run);
        assert!(matches!(refused, Err(Error::Setting { .. })), "{refused:?}");
    }
    assert_eq!(run.progress.counts().0, 0);
}
