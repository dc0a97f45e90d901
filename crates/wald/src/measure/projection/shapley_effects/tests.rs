use super::*;
use crate::data::Dataset;
use crate::forest::{Forest, ForestConfig, aligned_training};
use crate::measure::definition::Part;
use crate::run::Threads;
use crate::simulate::Friedman1;

fn standard_errors(
    data: &Dataset,
    forest: &Forest,
    part: Option<Part>,
    most_lines: usize,
) -> Vec<f64> {
    let run = Run::on(Threads::ONE);
    let training = aligned_training(forest, data, run.threads).expect("the training data");
    let measured = forest.measure(data, &[], &run).expect("no measure");
    let (groups, n_trees) = (data.groups(), forest.trees().len());
    let subject = Subject { data, forest, training: &training, groups, n_trees };
    let settings = MeasureSettings { part, ..MeasureSettings::default() };
    let measure = ShapleyEffects { settings, most_lines };
    let found = measure.measure(subject, &measured.out_of_bag, &run).expect("applies");
    found.standard_errors.expect("errors").into_iter().map(|of| of.expect("defined")).collect()
}

/// Of many rows, some stand for all, for the errors of trees and of rows: on average, errors are the same.
#[test]
fn some_rows_show_the_standard_errors_of_all() {
    let data = Friedman1 { n_columns: 6, noise: 1.0 }.draw(1200, 1).expect("a design");
    let config = ForestConfig { n_trees: 100, ..ForestConfig::default() };
    let forest = Forest::grow(&data, &config, &Run::on(Threads::ONE)).expect("valid settings");
    for part in [None, Some(Part { n_trees: 100, n_rows: 600 })] {
        let all = standard_errors(&data, &forest, part, MOST_LINES);
        for stride in [3, 8] {
            let some = standard_errors(&data, &forest, part, 1200 * 6 / stride);
            let ratios = some.iter().zip(&all).map(|(some, all)| (some / all).ln());
            let mean = ratios.sum::<f64>() / 6.0;
            assert_ne!(all, some);
            assert!(mean.abs() < 0.12, "{stride}: {all:?} by all rows, {some:?} by some");
        }
    }
    // So few trees do not show what is too large: errors are rather too large than too small.
    let config = ForestConfig { n_trees: 10, ..config };
    let forest = Forest::grow(&data, &config, &Run::on(Threads::ONE)).expect("valid settings");
    let all = standard_errors(&data, &forest, None, MOST_LINES);
    let some = standard_errors(&data, &forest, None, 1200 * 6 / 20);
    assert!(some.iter().zip(&all).all(|(some, all)| some > all), "{all:?}, {some:?}");
}
