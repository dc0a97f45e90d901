//! Single random permutations, and their mean.

use std::sync::Arc;

use wald::data::{Column, Target};
use wald::measure::{MeasureSettings, Normalise, Permutations};
use wald::{Dataset, Forest, ForestConfig, Importance, Measure, MeasureId, Run};

use crate::support::{Shape, assert_close, dataset, grow, threads};

/// All measures, with random permutations where they offer them and every normalisation.
fn random(data: &Dataset, forest: &Forest) -> Vec<Importance> {
    let of_id = |id: &MeasureId| {
        let offered = std::iter::once(Normalise::None).chain(id.info().normalisations.to_vec());
        let settings = offered.map(|normalise| MeasureSettings {
            permutations: Permutations::Random(3),
            normalise,
            test: Some(Arc::new(data.clone())),
            ..MeasureSettings::default()
        });
        let measure = |settings: MeasureSettings| Measure::new(*id, settings.offered_by(id.info()));
        settings.map(|settings| measure(settings).expect("offered")).collect::<Vec<_>>()
    };
    let measures: Vec<Measure> = MeasureId::ALL.iter().flat_map(of_id).collect();
    let measured = forest.measure(data, &measures, &Run::on(threads()));
    measured.expect("applies").importances
}

#[test]
fn values_are_the_means_of_the_repeats() {
    for n_classes in [0, 3] {
        let shape = Shape { n_rows: 80, n_classes, missing: true, weights: true, seed: 71 };
        let data = dataset(shape);
        let forest = grow(&data, &ForestConfig { n_trees: 8, ..ForestConfig::default() });
        let mut n_of_trees = 0;
        let mut with_repeats = Vec::new();
        for found in random(&data, &forest).iter().filter(|found| !found.repeats.is_empty()) {
            assert_eq!(found.repeats.len(), 3);
            let what = format!("{} by {}", found.id, found.settings["normalise"]);
            for (column, value) in found.values.iter().enumerate() {
                let mean = found.repeats.iter().map(|repeat| repeat[column]).sum::<f64>() / 3.0;
                assert_close(value.expect("defined"), mean, &what);
            }
            // Trees have the unit of their mean, too.
            for (column, value) in found.values.iter().enumerate() {
                let of_trees = found.per_tree.iter().map(|tree| tree[column]);
                let mean = of_trees.sum::<f64>() / found.per_tree.len() as f64;
                if !found.per_tree.is_empty() {
                    assert_close(value.expect("defined"), mean, &what);
                    n_of_trees += 1;
                }
            }
            with_repeats.push(what);
        }
        assert!(n_of_trees > 0);
        assert_eq!(
            with_repeats,
            [
                "mda_breiman_cutler by none",
                "mda_breiman_cutler by variance",
                "mda_breiman_cutler by standard_error",
                "mda_ishwaran_kogalur by none",
                "mda_ishwaran_kogalur by variance",
                "mda_train_test by none",
                "mda_train_test by variance",
                "conditional_permutation by none",
                "conditional_permutation by variance",
                "conditional_permutation by standard_error",
                "total_sobol_full by variance",
            ]
        );
    }
}

/// A share of no variance is undefined, and so are its repeats.
#[test]
fn undefined_values_have_no_repeats() {
    let x = Column::numeric("x", (0..30).map(f64::from).collect()).expect("finite");
    let target = Target::regression("y", vec![2.0; 30]).expect("finite");
    let data = Dataset::new(vec![x], target).expect("consistent");
    let forest = grow(&data, &ForestConfig { n_trees: 4, ..ForestConfig::default() });
    for found in random(&data, &forest) {
        assert!(found.values[0].is_some() || found.repeats.is_empty(), "{found:?}");
    }
}
