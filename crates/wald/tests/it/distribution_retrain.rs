//! Importances for the distribution, against scores by definition of forests on tables that lack the
//! variable.

use wald::data::Response;
use wald::forest::Keep;
use wald::measure::MeasureSettings;
use wald::weights::Rows;
use wald::{Dataset, Error, Forest, ForestConfig, Importance, Measure, MeasureId, Run, Threads};

use crate::retrain::narrowed;
use crate::support::{Numbers, Shape, assert_close, dataset, n_that_count, weight};

fn measured(
    data: &Dataset,
    config: &ForestConfig,
    quantile: Option<f64>,
    threads: usize,
) -> Importance {
    let settings = MeasureSettings { quantile, ..MeasureSettings::default() };
    let measure = Measure::new(MeasureId::DistributionRetrain, settings).expect("valid");
    let run = &Run::on(Threads::new(threads).expect("threads"));
    let grown = Forest::grow_and_measure(data, config, &[measure], Keep::Nothing, run);
    grown.expect("applies").measured.importances.remove(0)
}

fn numbers(data: &Dataset) -> &[f64] {
    let Response::Regression(values) = data.target().response() else { panic!("numbers") };
    values
}

/// Errors over rows are no Monte-Carlo errors, which are taken from what scatters over rows.
#[test]
fn errors_are_those_of_the_rows() {
    let shape = Shape { n_rows: 60, n_classes: 0, missing: false, weights: false, seed: 3 };
    let found = measured(
        &dataset(shape),
        &ForestConfig { n_trees: 10, ..ForestConfig::default() },
        None,
        1,
    );
    assert_eq!(found.errors_over, "rows of the table");
    assert!(found.standard_errors.is_some() && found.monte_carlo_errors().is_none());
}

/// A score of a distribution, the values of which have weights that sum to 1.
fn score(distribution: &[(f64, f64)], y: f64, quantile: Option<f64>) -> f64 {
    let Some(level) = quantile else {
        // Gneiting & Raftery 2007, Equation 21.
        let from_y: f64 = distribution.iter().map(|(value, w)| w * (value - y).abs()).sum();
        let pairs =
            distribution.iter().flat_map(|one| distribution.iter().map(move |two| (one, two)));
        let apart: f64 = pairs.map(|((a, v), (b, w))| v * w * (a - b).abs()).sum();
        return from_y - apart / 2.0;
    };
    let mut sorted = distribution.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut below = 0.0;
    let reached = sorted.iter().find(|(_, weight)| {
        below += weight;
        below >= level - 1e-12
    });
    let error = y - reached.or(sorted.last()).expect("a value").0;
    (level * error).max((level - 1.0) * error)
}

/// Scores of out-of-bag rows; `None` in all bags.
fn scores(data: &Dataset, config: &ForestConfig, quantile: Option<f64>) -> Vec<Option<f64>> {
    let y = numbers(data);
    let fitted = wald::fit(data.clone(), config, &Run::all()).expect("grows");
    let mut scores = Vec::new();
    let weights = fitted.weights(&Run::all()).expect("has bags");
    let each = |row: usize, others: &[u32], weights: &[f64]| {
        let of = others.iter().zip(weights).map(|(&other, &weight)| (y[other as usize], weight));
        let distribution: Vec<(f64, f64)> = of.collect();
        scores.push((!others.is_empty()).then(|| score(&distribution, y[row], quantile)));
    };
    weights.each(Rows::OutOfBag, &Run::all(), each).expect("out of bag");
    scores
}

/// The weighted mean over rows that are out of any bag.
fn mean(data: &Dataset, scores: &[f64], counted: &[Option<f64>]) -> f64 {
    let rows = (0..scores.len()).filter(|&row| counted[row].is_some());
    let (sum, whole) = rows.fold((0.0, 0.0), |(sum, whole), row| {
        (sum + weight(data, row) * scores[row], whole + weight(data, row))
    });
    sum / whole
}

#[test]
fn values_are_increases_of_scores_without_the_variable() {
    for (missing, weights) in [(false, false), (true, true)] {
        let plain = dataset(Shape { n_rows: 90, n_classes: 0, missing, weights, seed: 4 });
        let members = ["two", "few"].map(str::to_owned).to_vec();
        let grouped = plain.clone().with_groups(&[("both".to_owned(), members)]);
        for data in [plain, grouped.expect("columns of the table")] {
            for quantile in [None, Some(0.8)] {
                // With eight trees, some rows are in all bags.
                let config =
                    ForestConfig { n_trees: 8, mtry: Some(3), seed: 3, ..ForestConfig::default() };
                let found = measured(&data, &config, quantile, 2);
                let ordinary = scores(&data, &config, quantile);
                assert!(ordinary.iter().any(Option::is_some));
                let y = numbers(&data);
                let whole: f64 = (0..y.len()).map(|row| weight(&data, row)).sum();
                let all: Vec<(f64, f64)> =
                    (0..y.len()).map(|row| (y[row], weight(&data, row) / whole)).collect();
                let of_all: Vec<f64> = y.iter().map(|&y| score(&all, y, quantile)).collect();
                // As in the variance of a sample.
                let n = n_that_count(&data);
                let scale = mean(&data, &of_all, &ordinary) * n / (n - 1.0);
                for (group, members) in data.groups().members().iter().enumerate() {
                    let kept: Vec<usize> = (0..data.n_features())
                        .filter(|&column| !members.contains(&(column as u32)))
                        .collect();
                    let config = ForestConfig { mtry: Some(kept.len().min(3)), ..config.clone() };
                    let without = scores(&narrowed(&data, &kept), &config, quantile);
                    let increases: Vec<f64> = without
                        .iter()
                        .zip(&ordinary)
                        .map(|(a, b)| a.unwrap_or(0.0) - b.unwrap_or(0.0))
                        .collect();
                    let value = mean(&data, &increases, &ordinary);
                    let what = format!("{missing} {quantile:?} {group}");
                    assert_close(found.values[group].expect("defined"), value / scale, &what);
                    // The standard error of a weighted mean of independent rows, by the jackknife.
                    let counted: f64 = (0..y.len())
                        .filter(|&row| ordinary[row].is_some())
                        .map(|row| weight(&data, row))
                        .sum();
                    let square = |&row: &usize| {
                        let share = weight(&data, row) / counted;
                        (share * (increases[row] - value) / (1.0 - share)).powi(2)
                    };
                    let is_counted =
                        |&row: &usize| ordinary[row].is_some() && weight(&data, row) > 0.0;
                    let rows: Vec<usize> = (0..y.len()).filter(is_counted).collect();
                    let m = rows.len() as f64;
                    let squares: f64 = rows.iter().map(square).sum();
                    let error = (squares * (m - 1.0) / m).sqrt() / scale;
                    let errors = found.standard_errors.as_ref().expect("errors over rows");
                    assert_close(errors[group].expect("defined"), error, &what);
                }
                assert_eq!(found, measured(&data, &config, quantile, 3), "any number of threads");
            }
        }
    }
}

/// y = x1 + x2 e, where x2 changes the spread alone: no measure of the mean finds it.
#[test]
fn a_variable_that_changes_the_spread_alone_is_found() {
    let mut numbers = Numbers(7);
    let n = 800;
    let mut uniform = || -> Vec<f64> {
        (0..n).map(|_| f64::from(numbers.below(1 << 20)) / f64::from(1 << 20)).collect()
    };
    let (x1, x2, x3, u, v) = (uniform(), uniform(), uniform(), uniform(), uniform());
    // Box & Muller.
    let noise =
        |row: usize| (-2.0 * (1.0 - u[row]).ln()).sqrt() * (std::f64::consts::TAU * v[row]).cos();
    let y =
        (0..n).map(|row| x1[row] + if x2[row] > 0.5 { 2.0 } else { 0.1 } * noise(row)).collect();
    let columns = [("x1", x1), ("x2", x2.clone()), ("x3", x3)];
    let columns = columns.map(|(name, values)| wald::data::Column::numeric(name, values));
    let columns = columns.into_iter().collect::<Result<Vec<_>, _>>().expect("finite");
    let target = wald::data::Target::regression("y", y).expect("finite");
    let data = Dataset::new(columns, target).expect("consistent");
    let config =
        ForestConfig { n_trees: 100, mtry: Some(3), min_leaf_size: 10, ..ForestConfig::default() };
    let found = measured(&data, &config, None, 2);
    let errors = found.standard_errors.as_ref().expect("errors over rows");
    let z = |at: usize| found.values[at].expect("defined") / errors[at].expect("defined");
    assert!(z(1) > 4.0 && z(2) < 2.0, "{found:?}");
    let run = &Run::on(Threads::ONE);
    let sobol = Measure::from(MeasureId::SobolMda);
    let grown = Forest::grow_and_measure(&data, &config, &[sobol], Keep::Nothing, run);
    let of_mean = grown.expect("applies").measured.importances.remove(0);
    assert!(of_mean.values[1].expect("defined") < found.values[1].expect("defined"), "{of_mean:?}");
}

/// The Brier score of classes is the squared error of their indicators.
#[test]
fn of_classes_it_is_the_total_sobol_index_by_retraining() {
    let data = dataset(Shape { n_rows: 90, n_classes: 3, missing: true, weights: true, seed: 6 });
    // So many trees that every row is out of a bag.
    let config = ForestConfig { n_trees: 40, ..ForestConfig::default() };
    let found = measured(&data, &config, None, 2);
    let sobol = Measure::from(MeasureId::TotalSobolRetrain);
    let run = &Run::on(Threads::ONE);
    let grown = Forest::grow_and_measure(&data, &config, &[sobol], Keep::Nothing, run);
    let expected = grown.expect("applies").measured.importances.remove(0);
    for (found, expected) in found.values.iter().zip(&expected.values) {
        assert_close(found.expect("defined"), expected.expect("defined"), "of classes");
    }
}

#[test]
fn quantiles_of_classes_and_levels_out_of_range_are_refused() {
    let classes =
        dataset(Shape { n_rows: 40, n_classes: 2, missing: false, weights: false, seed: 1 });
    let config = ForestConfig { n_trees: 3, ..ForestConfig::default() };
    let refusal = |data: &Dataset, quantile| {
        let settings = MeasureSettings { quantile, ..MeasureSettings::default() };
        let measure = Measure::new(MeasureId::DistributionRetrain, settings)?;
        Forest::grow_and_measure(data, &config, &[measure], Keep::Nothing, &Run::all()).map(|_| ())
    };
    let error = refusal(&classes, Some(0.5)).expect_err("no number");
    assert!(error.to_string().contains("classes"), "{error}");
    let data = dataset(Shape { n_rows: 40, n_classes: 0, missing: false, weights: false, seed: 1 });
    for level in [0.0, 1.0, f64::NAN] {
        let error = refusal(&data, Some(level)).expect_err("no level");
        assert!(matches!(error, Error::Setting { .. }), "{error}");
    }
}
