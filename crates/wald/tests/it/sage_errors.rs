//! Standard errors of SAGE, against the spread of its values over seeds.

use wald::measure::{Loss, MeasureSettings};
use wald::{ForestConfig, Importance};

use crate::sage::{errors, exactly, measure, values};
use crate::support::{Shape, dataset, grow};

/// Over 60 seeds values vary as much as their standard errors: where few of the rows are drawn,
/// where half of them are, and where all are drawn several times.
#[test]
fn standard_errors_tell_the_spread_over_seeds() {
    for (n_rows, samples) in [(1000, 128), (300, 300), (60, 600)] {
        for (n_classes, loss) in [(0, Loss::Squared), (3, Loss::Log)] {
            let shape = Shape { n_rows, n_classes, missing: true, weights: false, seed: 2 };
            let data = dataset(shape);
            let forest = grow(&data, &ForestConfig { n_trees: 5, ..ForestConfig::default() });
            let of_seed = |seed| {
                // The same background for all.
                let background_rows = Some(n_rows);
                let settings = MeasureSettings { seed, background_rows, ..exactly(samples, loss) };
                measure(&forest, &data, settings, 2)
            };
            let runs: Vec<Importance> = (0..60).map(of_seed).collect();
            for column in [0, 1, 2, 4, 5] {
                let found: Vec<f64> = runs.iter().map(|run| values(run)[column]).collect();
                let mean = found.iter().sum::<f64>() / 60.0;
                let spread = found.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 59.0;
                let stated = runs.iter().map(|run| errors(run)[column]).sum::<f64>() / 60.0;
                let ratio = spread.sqrt() / stated;
                let what = format!("{n_rows} rows, {samples} samples, {loss:?}, column {column}");
                assert!((0.75..1.3).contains(&ratio), "{what}: {ratio}");
            }
        }
    }
}

/// A few rows out of many, of which some lose much more than others: errors are no smaller than the
/// spread over seeds, and of fewer than four rows none are given, but the reason is.
#[test]
fn errors_of_few_samples_are_no_smaller_than_the_spread() {
    let seeds = 250_u32;
    for (n_classes, loss) in [(0, Loss::Squared), (3, Loss::Log)] {
        let shape = Shape { n_rows: 200, n_classes, missing: true, weights: false, seed: 2 };
        let data = dataset(shape);
        let forest = grow(&data, &ForestConfig { n_trees: 5, ..ForestConfig::default() });
        let of_seed = |samples: usize, seed: u32| {
            let settings = MeasureSettings {
                seed: u64::from(seed),
                // The same background for all.
                background_rows: Some(200),
                ..exactly(samples, loss)
            };
            measure(&forest, &data, settings, 1)
        };
        for samples in [7, 20] {
            let runs: Vec<Importance> = (0..seeds).map(|seed| of_seed(samples, seed)).collect();
            let (mut ratios, mut shares) = (0.0, 0.0);
            for column in [0, 1, 2, 4, 5] {
                let found: Vec<f64> = runs.iter().map(|run| values(run)[column]).collect();
                let mean = found.iter().sum::<f64>() / f64::from(seeds);
                let squares: f64 = found.iter().map(|value| (value - mean).powi(2)).sum();
                let stated: Vec<f64> = runs.iter().map(|run| errors(run)[column]).collect();
                let of_stated: f64 = stated.iter().map(|error| error * error).sum();
                let is_near =
                    |(found, stated): &(&f64, &f64)| (*found - mean).abs() < 1.645 * *stated;
                let n_near = found.iter().zip(&stated).filter(is_near).count();
                ratios += (of_stated / squares).sqrt() / 5.0;
                shares += n_near as f64 / f64::from(seeds) / 5.0;
            }
            // Of a few rows, the root of the mean square is that of the largest errors.
            let most = if samples < 10 { 4.0 } else { 1.6 };
            let what = format!("{samples} samples, {loss:?}: {ratios}, {shares}");
            assert!(ratios > 0.97 && ratios < most, "stated / true of {what}");
            assert!((0.82..0.98).contains(&shares), "1.645 errors cover in nine of ten: {what}");
        }
        let found = of_seed(4, 0);
        assert_eq!(found.standard_errors, None);
        let note = "no standard errors: 4 samples are too few";
        assert!(found.notes.iter().any(|found| found.starts_with(note)), "{:?}", found.notes);
    }
}
