//! Standard errors against the spread of values over forests of different seeds, grown on the same
//! data.

use wald::data::{Column, Target};
use wald::measure::MeasureSettings;
use wald::{Dataset, Forest, ForestConfig, Measure, MeasureId, Run, Threads};

use crate::support::Numbers;

const N_SEEDS: usize = 30;

fn data(n_classes: u32) -> Dataset {
    let mut numbers = Numbers(31);
    let mut uniform = |n: usize| (0..n).map(|_| numbers.unit()).collect::<Vec<f64>>();
    let columns: Vec<Vec<f64>> = (0..4).map(|_| uniform(150)).collect();
    let noise = uniform(150);
    let signal: Vec<f64> = (0..150)
        .map(|row| 3.0 * columns[0][row] + columns[1][row] * columns[2][row] + noise[row])
        .collect();
    let target = if n_classes == 0 {
        Target::regression("y", signal)
    } else {
        let names = (0..n_classes).map(|class| format!("class {class}")).collect();
        let codes = signal.iter().map(|y| ((y / 1.6) as u32).min(n_classes - 1)).collect();
        Target::classification("y", names, codes)
    };
    let names = ["one", "two", "three", "noise"];
    let columns = names.into_iter().zip(columns);
    let columns = columns.map(|(name, values)| Column::numeric(name, values).expect("finite"));
    Dataset::new(columns.collect(), target.expect("valid")).expect("consistent")
}

/// The spread over 30 seeds has a relative error of 1 / sqrt(2 * 29) = 13 %, so that four columns
/// together are off by less than a fifth, unless errors are wrong.
#[test]
fn standard_errors_are_the_spread_over_seeds() {
    let measures = [
        (MeasureId::SobolMda, 1),
        (MeasureId::MdaIshwaranKogalur, 1),
        (MeasureId::MdaIshwaranKogalur, 3),
        (MeasureId::MdaIshwaranKogalur, 20),
        (MeasureId::TotalSobolFull, 1),
        (MeasureId::ShapleyEffects, 1),
    ];
    for n_classes in [0, 3] {
        let data = data(n_classes);
        let asked: Vec<Measure> = measures
            .iter()
            .map(|&(id, blocks)| {
                let settings = MeasureSettings { blocks, ..MeasureSettings::default() };
                Measure::new(id, settings).expect("valid")
            })
            .collect();
        let run = &Run::on(Threads::new(2).expect("two threads"));
        let found: Vec<_> = (0..N_SEEDS as u64)
            .map(|seed| {
                let config = ForestConfig { n_trees: 100, seed, ..ForestConfig::default() };
                let keep = wald::forest::Keep::Nothing;
                let grown = Forest::grow_and_measure(&data, &config, &asked, keep, run);
                grown.expect("valid").measured.importances
            })
            .collect();
        for (index, measure) in measures.iter().enumerate() {
            let mut logarithms = 0.0;
            for column in 0..4 {
                let values: Vec<f64> =
                    found.iter().map(|all| all[index].values[column].expect("defined")).collect();
                let n = N_SEEDS as f64;
                let mean = values.iter().sum::<f64>() / n;
                let spread =
                    (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
                let errors = found.iter().map(|all| {
                    let errors = all[index].standard_errors.as_ref().expect("100 trees");
                    errors[column].expect("defined").powi(2)
                });
                let error = (errors.sum::<f64>() / n).sqrt();
                let ratio = error / spread;
                assert!((0.6..1.6).contains(&ratio), "{measure:?} column {column}: {ratio}");
                logarithms += ratio.ln() / 4.0;
            }
            let ratio = logarithms.exp();
            assert!((0.8..1.25).contains(&ratio), "{measure:?}: {ratio}");
        }
    }
}
