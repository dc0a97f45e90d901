//! Irrelevant columns, of six types: which measures detect them, and which do not.

use wald::data::{Column, Target};
use wald::measure::MeasureSettings;
use wald::{Dataset, Forest, ForestConfig, Measure, MeasureId, Run, Threads};

use crate::support::Numbers;

const N_TABLES: u64 = 150;

/// Gaussian, binary, and columns of 4, 10, 20 and 100 values, ten values at random.
pub fn noise(n_rows: usize, n_classes: u32, seed: u64) -> Dataset {
    let mut numbers = Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x7);
    // The sum of twelve uniform numbers is close enough to a normal one.
    let mut normal =
        || (0..n_rows).map(|_| (0..12).map(|_| numbers.unit()).sum()).collect::<Vec<f64>>();
    let (gaussian, y) = (normal(), normal());
    let mut columns = vec![Column::numeric("gaussian", gaussian).expect("finite")];
    for n_values in [2, 4, 10, 20, 100] {
        let values = (0..n_rows).map(|_| f64::from(numbers.below(n_values))).collect();
        columns.push(Column::numeric(format!("{n_values}"), values).expect("finite"));
    }
    let target = if n_classes == 0 {
        Target::regression("y", y)
    } else {
        let names = (0..n_classes).map(|class| format!("class {class}")).collect();
        Target::classification("y", names, (0..n_rows).map(|_| numbers.below(n_classes)).collect())
    };
    Dataset::new(columns, target.expect("valid")).expect("consistent")
}

/// Mean over tables and its standard error, per column.
fn means(tables: &[Vec<f64>]) -> Vec<(f64, f64)> {
    let n = tables.len() as f64;
    (0..tables[0].len())
        .map(|column| {
            let mean = tables.iter().map(|values| values[column]).sum::<f64>() / n;
            let squares: f64 = tables.iter().map(|values| (values[column] - mean).powi(2)).sum();
            (mean, (squares / (n - 1.0) / n).sqrt())
        })
        .collect()
}

#[test]
fn corrected_importances_of_noise_are_zero_on_average_whatever_its_type() {
    for n_classes in [0, 2, 3] {
        let corrected = [MeasureId::MdiOob, MeasureId::Ufi, MeasureId::Air];
        let ids: Vec<MeasureId> =
            [MeasureId::Mdi, MeasureId::MdiOobNaive].into_iter().chain(corrected).collect();
        let measure = |id: &MeasureId| Measure::new(*id, MeasureSettings::default());
        let measures: Vec<Measure> = ids.iter().map(|id| measure(id).expect("defaults")).collect();
        let mut found = vec![Vec::new(); ids.len()];
        for seed in 0..N_TABLES {
            let data = noise(100, n_classes, seed);
            let config = ForestConfig { n_trees: 20, seed, ..ForestConfig::default() };
            let run = &Run::on(Threads::new(2).expect("two threads"));
            let grown = Forest::grow_and_measure(
                &data,
                &config,
                &measures,
                wald::forest::Keep::Nothing,
                run,
            );
            let importances = grown.expect("valid").measured.importances;
            for (found, importance) in found.iter_mut().zip(importances) {
                found.push(importance.values.into_iter().flatten().collect::<Vec<f64>>());
            }
        }
        for (id, tables) in ids.into_iter().zip(&found) {
            let means = means(tables);
            let what = format!("{id:?}, {n_classes} classes: {means:?}");
            match id {
                MeasureId::MdiOob | MeasureId::Ufi | MeasureId::Air => {
                    assert!(means.iter().all(|(mean, error)| mean.abs() < 3.0 * error), "{what}");
                }
                // Columns of more values gain more, far beyond what chance explains.
                _ => {
                    let ((binary, error), (gaussian, _)) = (means[1], means[0]);
                    assert!(binary > 10.0 * error && gaussian > 2.0 * binary, "{what}");
                    let counted = &means[1..];
                    assert!(counted.is_sorted_by(|one, other| one.0 < other.0), "{what}");
                }
            }
        }
    }
}

/// What definitions state of irrelevant variables of many values is what they do: of noise, a normal
/// variable is more important than a binary one, by far.
#[test]
fn measures_that_favour_many_values_state_it() {
    let favour = [
        MeasureId::Mdi,
        MeasureId::MdiOobNaive,
        MeasureId::MdiOobNaiveInBagAdded,
        MeasureId::SplitCount,
        MeasureId::MinimalDepth,
        MeasureId::TreeShap,
        MeasureId::TreeShapInterventional,
    ];
    let others = [
        MeasureId::MdiOob,
        MeasureId::Ufi,
        MeasureId::MdaBreimanCutler,
        MeasureId::SobolMda,
        MeasureId::TreeShapOobCovariance,
    ];
    let ids = [&favour[..], &others].concat();
    let measures: Vec<Measure> = ids.iter().map(|&id| id.into()).collect();
    let mut differences = vec![Vec::new(); ids.len()];
    for seed in 0..40 {
        let data = noise(100, 0, seed);
        let config = ForestConfig { n_trees: 20, seed, ..ForestConfig::default() };
        let run = &Run::on(Threads::new(2).expect("two threads"));
        let keep = wald::forest::Keep::Nothing;
        let grown = Forest::grow_and_measure(&data, &config, &measures, keep, run);
        for (differences, found) in
            differences.iter_mut().zip(grown.expect("valid").measured.importances)
        {
            let sign = if found.small_is_important { -1.0 } else { 1.0 };
            let [gaussian, binary] = [0, 1].map(|at: usize| found.values[at].expect("defined"));
            differences.push(vec![sign * (gaussian - binary)]);
        }
    }
    for (id, differences) in ids.iter().zip(&differences) {
        let (mean, error) = means(differences)[0];
        let is_favoured = mean > 6.0 * error;
        assert_eq!(is_favoured, favour.contains(id), "{id:?}: {mean} ± {error}");
        assert_eq!(is_favoured, id.info().facts.favours_many_values, "{id:?}");
    }
}
