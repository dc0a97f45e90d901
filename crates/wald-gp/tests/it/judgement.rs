//! Judgements of errors whose distribution is known.

use wald_gp::{Judgement, LeaveOneOut};

/// Errors that are evenly spread quantiles of the Laplace distribution, whose variance is 2.
fn errors(variance: f64) -> LeaveOneOut {
    let quantile = |run: u32| {
        let share = (f64::from(run) + 0.5) / 10_000.0 - 0.5;
        -share.signum() * (1.0 - 2.0 * share.abs()).ln()
    };
    let errors: Vec<f64> = (0..10_000).map(quantile).collect();
    LeaveOneOut { variances: vec![variance; errors.len()], errors, q2: 0.5 }
}

#[test]
fn variances_are_compared_with_squared_errors() {
    assert!(Judgement::from(&errors(2.0)).pva < 1e-3);
    assert!((Judgement::from(&errors(0.5)).pva - 4.0_f64.ln()).abs() < 1e-3);
    assert!((Judgement::from(&errors(8.0)).pva - 4.0_f64.ln()).abs() < 1e-3);
}

#[test]
fn coverage_is_compared_at_all_levels() {
    // Over 99 levels: intervals of a normal distribution of the same variance cover a share
    // 1 - exp(-√2 z) of Laplace errors, where they should cover 2 Φ(z) - 1.
    let found = Judgement::from(&errors(2.0)).iae_alpha;
    assert!((found - 0.0752).abs() < 1e-4, "{found}");
    // Intervals of no width cover nothing: the mean level is missed.
    let narrow = Judgement::from(&errors(1e-12)).iae_alpha;
    assert!((narrow - 0.5).abs() < 1e-3, "{narrow}");
}
