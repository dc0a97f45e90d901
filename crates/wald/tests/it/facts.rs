//! What results state of themselves: what their errors are over, their units, what values are of.

use std::sync::Arc;

use wald::measure::{MeasureSettings, Normalise};
use wald::memory::Size;
use wald::simulate::Friedman1;
use wald::{Fitted, ForestConfig, Importance, Measure, MeasureId, Run, Threads};

use crate::support::{Shape, dataset};

fn fitted() -> Fitted {
    let data = Friedman1 { n_columns: 5, noise: 1.0 }.draw(60, 1).expect("rows");
    let config = ForestConfig { n_trees: 5, ..ForestConfig::default() };
    wald::fit(data, &config, &Run::on(Threads::ONE)).expect("valid settings")
}

fn importance(fitted: &Fitted, id: MeasureId, settings: MeasureSettings) -> Importance {
    let measure = Measure::new(id, settings).expect("offered");
    fitted.importance(measure, &Run::on(Threads::ONE)).expect("applies")
}

#[test]
fn errors_of_sampled_shapley_values_are_over_rows() {
    let fitted = fitted();
    for id in [MeasureId::TreeShap, MeasureId::TreeShapOob, MeasureId::TreeShapInterventional] {
        let settings = MeasureSettings { samples: Some(30), ..MeasureSettings::default() };
        let found = importance(&fitted, id, settings);
        assert!(found.standard_errors.is_some());
        assert_eq!((found.errors_over, id.info().errors_over()), ("rows", "rows"), "{id:?}");
    }
    let mdi = importance(&fitted, MeasureId::Mdi, MeasureSettings::default());
    assert_eq!(mdi.errors_over, "trees");
}

/// A forest that was measured before routes rows for its measures alone.
#[test]
fn later_measurements_are_those_of_the_first() {
    for n_classes in [0, 3] {
        let data = dataset(Shape { n_rows: 60, n_classes, missing: true, weights: true, seed: 4 });
        let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
        let run = &Run::on(Threads::ONE);
        let fitted = wald::fit(data.clone(), &config, run).expect("valid");
        let forest = Arc::clone(fitted.forest());
        let read = Fitted::new(Arc::clone(&forest), data.clone(), run).expect("its data");
        let mut n_measured = 0;
        let usual = MeasureSettings::default();
        let by_degree = MeasureSettings { by_degree: true, ..usual.clone() };
        let shares = MeasureSettings { normalise: Normalise::Sum, ..usual };
        let of_splits = [by_degree, shares]
            .map(|settings| Measure::new(MeasureId::Mdi, settings).expect("offered"));
        let usual = MeasureId::ALL.iter().map(|&id| Measure::from(id));
        for measure in usual.chain(of_splits) {
            let (id, measures) = (measure.id(), [measure]);
            let Ok(expected) = forest.measure(&data, &measures, run) else { continue };
            n_measured += 1;
            assert_eq!(fitted.measure(&measures, run).expect("applies"), expected, "{id:?}");
            assert_eq!(read.measure(&measures, run).expect("applies"), expected, "{id:?}");
        }
        assert!(n_measured > 20, "{n_measured}");
    }
}

#[test]
fn units_are_those_of_the_task() {
    let id = MeasureId::TreeShapOobCovariance;
    assert_eq!(
        importance(&fitted(), id, MeasureSettings::default()).unit,
        "variance of the target"
    );
    let mean = importance(&fitted(), MeasureId::TreeShapOob, MeasureSettings::default());
    assert_eq!(mean.unit, "mean absolute value, in units of the prediction");
}

#[test]
fn sets_of_variables_have_names_of_their_own() {
    let fitted = fitted();
    let sets = [vec![0, 1], vec![2], vec![0, 3, 4]];
    let (settings, run) = (MeasureSettings::default(), Run::on(Threads::ONE));
    let found = wald::work::jointly(fitted.forest(), fitted.data(), &sets, &settings, &run);
    let found = found.expect("applies");
    assert_eq!(found.names, ["x1, x2", "x3", "x1, x4, x5"]);
    assert_eq!(found.values.len(), 3);
    let alone = importance(&fitted, MeasureId::SobolMda, MeasureSettings::default());
    assert_eq!(found.values[1], alone.values[2]);
}

#[test]
fn background_rows_count_for_memory() {
    let fitted = fitted();
    let of = |id, background_rows| {
        let settings = MeasureSettings { background_rows, ..MeasureSettings::default() };
        let measures = [Measure::new(id, settings).expect("offered")];
        let size = Size::of_measuring(fitted.forest(), fitted.data(), &measures, Threads::ONE);
        size.working
    };
    for id in [MeasureId::TreeShapInterventional, MeasureId::TreeShapLoss] {
        assert!(of(id, Some(10)) < of(id, Some(50)), "{id:?}");
        // No more than there are.
        assert_eq!(of(id, Some(60)), of(id, None), "{id:?}");
    }
}
