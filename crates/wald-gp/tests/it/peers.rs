//! Against scikit-learn at equal parameters and at the optimum; `fixtures/make_sklearn.py` wrote its
//! numbers.

use serde_json::Value;
use wald_gp::{Design, FitSettings, GaussianProcess, Kernel, Parameters, fit};

fn fixture() -> Value {
    serde_json::from_str(include_str!("../fixtures/sklearn.json")).expect("JSON")
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("an array").iter().map(number).collect()
}

fn table(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().expect("an array").iter().map(numbers).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn design(fixture: &Value) -> Design {
    Design::new(&table(&fixture["columns"]), &numbers(&fixture["outputs"])).expect("a design")
}

/// What scikit-learn computes at some parameters.
struct Case {
    kernel: Kernel,
    parameters: Parameters,
    log_likelihood: f64,
    means: Vec<f64>,
    covariances: Vec<Vec<f64>>,
}

fn cases(fixture: &Value) -> Vec<Case> {
    let case = |case: &Value| Case {
        kernel: *Kernel::ALL.iter().find(|kernel| case["kernel"] == kernel.id()).expect("known"),
        parameters: Parameters {
            log_lengths: numbers(&case["log_lengths"]),
            log_noise: number(&case["log_noise"]),
        },
        log_likelihood: number(&case["log_likelihood"]),
        means: numbers(&case["means"]),
        covariances: table(&case["covariances"]),
    };
    let cases: Vec<Case> =
        fixture["cases"].as_array().expect("an array").iter().map(case).collect();
    assert_eq!(cases.len(), 6);
    cases
}

#[test]
fn likelihoods_are_those_of_scikit_learn() {
    let fixture = fixture();
    let design = design(&fixture);
    for case in cases(&fixture) {
        let found = case.parameters.likelihood(case.kernel, &design).expect("regular").value;
        assert!((found - case.log_likelihood).abs() < 1e-8, "{:?}: {found}", case.kernel);
    }
}

#[test]
fn predictions_are_those_of_scikit_learn() {
    let fixture = fixture();
    let design = design(&fixture);
    let points = table(&fixture["points"]);
    for case in cases(&fixture) {
        let process = GaussianProcess::at(&design, case.kernel, case.parameters).expect("regular");
        for (at, point) in points.iter().enumerate() {
            let found = process.predict(point);
            let (mean, variance) = (case.means[at], case.covariances[at][at]);
            let off = (found.mean - mean).abs() / variance.sqrt();
            assert!(off < 1e-6, "{:?} {at}: {found:?}, {mean}", case.kernel);
            let off = (found.variance / variance - 1.0).abs();
            assert!(off < 1e-6, "{:?} {at}: {found:?}, {variance}", case.kernel);
        }
    }
}

#[test]
fn the_optimum_is_that_of_scikit_learn() {
    let fixture = fixture();
    let design = design(&fixture);
    let kernel = Kernel::SquaredExponential;
    let settings = FitSettings { kernel, ..FitSettings::default() };
    let process = fit(&design, &settings).expect("a fit");
    let found = process.parameters().likelihood(kernel, &design).expect("regular");
    let off = found.value - number(&fixture["optimum"]);
    assert!(off.abs() < 0.01, "{off}");
    assert!(found.gradient.iter().all(|one| one.abs() < 0.05), "{:?}", found.gradient);
}

#[test]
fn paths_have_the_posterior_means_and_covariances_of_scikit_learn() {
    let fixture = fixture();
    let design = design(&fixture);
    let points = table(&fixture["points"]);
    let n_paths = 500;
    let n = n_paths as f64;
    // One case of each kernel; the other has less noise.
    for case in cases(&fixture).into_iter().step_by(2) {
        let process = GaussianProcess::at(&design, case.kernel, case.parameters).expect("regular");
        let mut sums = [[0.0; 5]; 5];
        let mut totals = [0.0; 5];
        for seed in 0..n_paths {
            let path = process.path(seed);
            let values = points.iter().zip(&case.means).map(|(at, mean)| path.value(at) - mean);
            let values: Vec<f64> = values.collect();
            for (at, one) in values.iter().enumerate() {
                totals[at] += one;
                values.iter().zip(&mut sums[at]).for_each(|(other, sum)| *sum += one * other);
            }
        }
        for at in 0..5 {
            let variance = case.covariances[at][at];
            let off = totals[at] / n / (variance / n).sqrt();
            assert!(off.abs() < 4.0, "{:?} {at}: {off} standard errors", case.kernel);
            for (other, sum) in sums[at].iter().enumerate() {
                let exact = case.covariances[at][other];
                let error = (variance * case.covariances[other][other] + exact * exact) / n;
                let off = (sum / n - exact) / error.sqrt();
                assert!(off.abs() < 4.0, "{:?} {at} {other}: {off} errors", case.kernel);
            }
        }
    }
}
