//! Laws of inputs against what is known of them.

use wald::Measure;
use wald_surrogate::{Correlations, Law, Margin, Source, surrogate};

use crate::worlds::{polynomial, runs, small, table, threads};

fn sobol() -> [Measure; 1] {
    ["sobol_mda".parse().expect("a measure")]
}

/// Total indices of a polynomial of independent inputs follow from the parts of its variance.
#[test]
fn exact_indices_are_those_of_the_closed_form() {
    let law = Law::new(vec![Margin::Uniform { low: -1.0, high: 1.0 }; 3], None);
    let source = Source::Law(law);
    let found = surrogate(&polynomial(40), &source, &sobol(), &small(4000, 10), &threads(2));
    let exact = found.expect("valid settings").exact.expect("a known law");
    let (first, second, both) = (1.0 / 3.0, 4.0 / 45.0, 1.0 / 9.0);
    let variance = first + second + both;
    for (group, part) in [first + both, second + both, 0.0].into_iter().enumerate() {
        let (value, error) = (exact.values[group], exact.standard_errors[group]);
        let expected = part / variance;
        assert!(
            (value - expected).abs() < 4.0 * error + 0.005,
            "{value} ± {error}, not {expected}"
        );
        assert!(error < 0.02);
    }
}

/// Of y = x1 + x2 with standard normal inputs of correlation r, E[Var(y | x2)] is 1 - r², and the
/// variance 2 + 2 r. Together, both inputs explain everything.
#[test]
fn conditional_laws_are_those_of_correlated_normal_inputs() {
    let normal = Margin::Normal { mean: 0.0, standard_deviation: 1.0 };
    for r in [0.6, -0.5] {
        let correlations = Correlations::new(&[vec![1.0, r], vec![r, 1.0]]).expect("correlations");
        let law = Law::new(vec![normal.clone(); 2], Some(correlations));
        let data = runs(20, &[(-4.0, 4.0); 2], |x| x[0] + x[1]);
        let source = Source::Law(law);
        let found = surrogate(&data, &source, &sobol(), &small(4000, 10), &threads(2));
        let exact = found.expect("valid settings").exact.expect("a known law");
        let expected = (1.0 - r * r) / (2.0 + 2.0 * r);
        for (value, error) in exact.values.iter().zip(&exact.standard_errors) {
            assert!((value - expected).abs() < 4.0 * error + 0.003, "{value}, not {expected}");
        }
        let grouped = (*data).clone();
        let both = [("both".to_owned(), vec!["x1".to_owned(), "x2".to_owned()])];
        let data = std::sync::Arc::new(grouped.with_groups(&both).expect("two columns"));
        let found = surrogate(&data, &source, &sobol(), &small(2000, 10), &threads(2));
        let exact = found.expect("valid settings").exact.expect("a known law");
        let (value, error) = (exact.values[0], exact.standard_errors[0]);
        assert!((value - 1.0).abs() < 4.0 * error, "{value} ± {error}, not 1");
        assert!(error < 0.05);
    }
}

/// A copula of 2,000 rows has the correlations that they were made with, and margins within their
/// range; a third input is independent of both.
#[test]
fn copulas_are_estimated_from_rows() {
    let data = runs(2000, &[(0.0, 1.0); 3], |x| x[0]);
    let columns = data.features().columns();
    let values = |at: usize| match columns[at].data() {
        wald::data::ColumnData::Numeric(values) => values.to_vec(),
        wald::data::ColumnData::Categorical(_) => unreachable!("numbers"),
    };
    let (first, noise, third) = (values(0), values(1), values(2));
    let second: Vec<f64> =
        first.iter().zip(&noise).map(|(one, other)| (one + other).exp()).collect();
    let rounded = third.iter().map(|value| (4.0 * value).floor()).collect();
    let data = table(vec![first, second, rounded], values(0));
    let law = Law::copula(data.features()).expect("no value is missing");
    let correlations = law.correlations().expect("a copula");
    // Of 400,000 rows in NumPy, normal scores of one of two uniform terms and of their sum have .692.
    assert!((correlations.get(0, 1) - 0.69).abs() < 0.05, "{}", correlations.get(0, 1));
    assert!(correlations.get(0, 2).abs() < 0.06 && correlations.get(1, 2).abs() < 0.06);
    assert!((correlations.get(1, 1) - 1.0).abs() < 1e-12);
    // Of fewer rows than inputs, all independent, hardly any correlation is more than chance.
    let few = runs(12, &[(0.0, 1.0); 20], |x| x[0]);
    let law = Law::copula(few.features()).expect("no value is missing");
    let correlations = law.correlations().expect("a copula");
    let pairs = (0..20).flat_map(|one| (0..one).map(move |other| (one, other)));
    let n_kept = pairs.filter(|&(one, other)| correlations.get(one, other) != 0.0).count();
    assert!(n_kept <= 8, "{n_kept} of 190 pairs");
    assert!(Correlations::new(&[vec![1.0, 1.0], vec![1.0, 1.0]]).is_err(), "singular");
    assert!(Correlations::new(&[vec![1.0], vec![0.2, 1.0]]).is_err(), "not square");
}
