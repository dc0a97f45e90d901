//! Drawn functions against the exact posterior distribution.

use wald_gp::{Design, GaussianProcess, Kernel, Parameters};

use crate::known::{columns, friedman};

#[test]
fn paths_have_the_posterior_mean_and_variance() {
    let runs = columns(20, 3, 1);
    let design = Design::new(&runs, &friedman(&runs)).expect("a design");
    let at = Parameters { log_lengths: vec![-0.7, -0.4, 0.1], log_noise: -4.0 };
    for &kernel in Kernel::ALL {
        let process = GaussianProcess::at(&design, kernel, at.clone()).expect("regular");
        let n_paths = 400;
        let paths: Vec<_> = (0..n_paths).map(|seed| process.path(seed)).collect();
        for point in [[0.5, 0.5, 0.5], [0.05, 0.9, 0.3], [1.2, -0.2, 0.5]] {
            let values: Vec<f64> = paths.iter().map(|path| path.value(&point)).collect();
            let n = n_paths as f64;
            let mean = values.iter().sum::<f64>() / n;
            let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n;
            let exact = process.predict(&point);
            // Four standard errors of a mean, and of a variance, of so many draws.
            let off = (mean - exact.mean).abs() / (exact.variance / n).sqrt();
            assert!(off < 4.0, "{kernel:?} {point:?}: mean {mean}, exact {exact:?}");
            let ratio = variance / exact.variance;
            assert!((ratio - 1.0).abs() < 4.0 * (2.0 / n).sqrt(), "{kernel:?} {point:?}: {ratio}");
        }
    }
}
