//! Theorems of Louppe et al. 2013 and Sutera et al. 2021 on importances, in forests of
//! multiway trees on tables that list distributions: efficiency, null player, symmetry, and what
//! happens when variables are added, doubled or exchanged.

use wald::data::Target;
use wald::explain::Rows;
use wald::forest::{Impurity, Sampling, Splitting};
use wald::{ExplanationId, ExplanationSettings, ForestConfig, Importance};

use crate::multiway_limits::{Distribution, digits, exclusive_or};
use crate::support::{explained, grow};

fn config(mtry: usize, n_trees: usize) -> ForestConfig {
    ForestConfig {
        splitting: Splitting::Multiway,
        sampling: Sampling::All,
        mtry: Some(mtry),
        n_trees,
        ..ForestConfig::default()
    }
}

fn value(found: &Importance, variable: usize) -> f64 {
    found.values[variable].expect("defined")
}

/// Up to four standard errors: many numbers are looked at.
#[track_caller]
fn assert_near(found: &Importance, expected: &[f64]) {
    let errors = found.standard_errors.as_ref().expect("many trees");
    for (variable, expected) in expected.iter().enumerate() {
        let error = errors[variable].expect("defined");
        let gap = (value(found, variable) - expected).abs();
        assert!(gap <= 4.0 * error + 1e-9, "x{}: {gap} {error}", variable + 1);
    }
}

/// Every row `n` times, with one more column, which is irrelevant.
fn with_irrelevant(distribution: &Distribution, n: u32) -> Distribution {
    let repeated = |row: &Vec<u32>| {
        (0..n).map(|level| [row.as_slice(), &[level]].concat()).collect::<Vec<_>>()
    };
    let rows = distribution.rows.iter().flat_map(repeated).collect();
    let target = match distribution.target.response() {
        wald::data::Response::Regression(y) => {
            let y = y.iter().flat_map(|&y| (0..n).map(move |_| y)).collect();
            Target::regression("y", y)
        }
        wald::data::Response::Classification(classes) => {
            let codes = classes.codes().iter().flat_map(|&code| (0..n).map(move |_| code));
            Target::classification("y", classes.levels().to_vec(), codes.collect())
        }
        wald::data::Response::Several(_) => panic!("one target"),
    };
    Distribution { rows, target: target.expect("valid"), impurity: distribution.impurity }
}

fn with_copy(distribution: &Distribution, of: usize) -> Distribution {
    let rows = distribution.rows.iter().map(|row| [row.as_slice(), &[row[of]]].concat()).collect();
    Distribution { rows, target: distribution.target.clone(), impurity: distribution.impurity }
}

fn all() -> [Distribution; 3] {
    [digits(), exclusive_or(Impurity::Gini), exclusive_or(Impurity::Variance)]
}

#[test]
fn an_irrelevant_variable_gets_nothing_and_changes_nothing_for_k_1() {
    for distribution in all() {
        let larger = with_irrelevant(&distribution, 3);
        let p = distribution.n_columns();
        // Louppe et al., Theorem 3: importances do not depend on irrelevant variables.
        let found = larger.grown(&config(1, 1500));
        assert_near(&found, &distribution.exact(p));
        for mtry in [1, 2, p + 1] {
            // Null player, for any K.
            let found = larger.grown(&config(mtry, 200));
            assert!(value(&found, p).abs() < 1e-12, "{}", value(&found, p));
        }
        // In every row, too (Theorem 4).
        let data = larger.data();
        let impurity = Some(larger.impurity);
        let forest = grow(&data, &ForestConfig { impurity, ..config(1, 200) });
        let settings = ExplanationSettings::default();
        for id in [ExplanationId::LocalMdi, ExplanationId::LocalRelevance] {
            let found = explained((&data, &forest), Rows::Training, (id, &settings), 2);
            assert!(found.iter().all(|record| record[p].abs() < 1e-12), "{id:?}");
        }
    }
}

#[test]
fn a_variable_and_its_copy_are_worth_the_same_and_the_sum_stays() {
    for distribution in all() {
        let p = distribution.n_columns();
        let before: f64 = distribution.exact(p).iter().sum();
        for copied in [0, p - 1] {
            let doubled = with_copy(&distribution, copied);
            let exact = doubled.exact(p + 1);
            assert!((exact[copied] - exact[p]).abs() < 1e-12);
            let found = doubled.grown(&config(1, 1500));
            assert_near(&found, &exact);
            // Efficiency, in every forest of fully grown trees, for any K (Eq. 5).
            for mtry in [1, 3, p + 1] {
                let found = doubled.grown(&config(mtry, 50));
                let sum: f64 = (0..=p).map(|variable| value(&found, variable)).sum();
                assert!((sum - before).abs() < 1e-9, "K {mtry}: {sum} {before}");
            }
        }
    }
}

#[test]
fn exchanged_variables_exchange_importances() {
    for distribution in all() {
        let p = distribution.n_columns();
        let swap = |row: &Vec<u32>| {
            let mut row = row.clone();
            row.swap(0, p - 1);
            row
        };
        let exchanged = Distribution {
            rows: distribution.rows.iter().map(swap).collect(),
            target: distribution.target.clone(),
            impurity: distribution.impurity,
        };
        for mtry in [1, 2, p] {
            let (one, other) =
                (distribution.grown(&config(mtry, 100)), exchanged.grown(&config(mtry, 100)));
            for variable in 0..p {
                let place = [p - 1, variable, 0]
                    [usize::from(variable > 0) + usize::from(variable == p - 1)];
                assert_eq!(value(&one, variable).to_bits(), value(&other, place).to_bits());
            }
        }
        if distribution.impurity != Impurity::Entropy {
            // The two columns of the exclusive or are symmetric: equal in the limit.
            let exact = distribution.exact(p);
            assert!((exact[0] - exact[1]).abs() < 1e-12);
            assert_near(&distribution.grown(&config(1, 1500)), &exact);
        }
    }
}

/// Sutera et al., strong monotonicity: a target about which a variable is more informative in all
/// contexts gives it more importance.
#[test]
fn more_information_in_all_contexts_is_more_importance() {
    // The exclusive or of two columns; in the second target a quarter of the answers is a coin's.
    let mut rows = Vec::new();
    let (mut clear, mut noisy) = (Vec::new(), Vec::new());
    for (a, b, coin) in
        (0..2_u32).flat_map(|a| (0..2_u32).flat_map(move |b| (0..8_u32).map(move |c| (a, b, c))))
    {
        rows.push(vec![a, b]);
        clear.push(a ^ b);
        noisy.push(if coin == 0 { 1 - (a ^ b) } else { a ^ b });
    }
    let names = vec!["no".to_owned(), "yes".to_owned()];
    let [clear, noisy] = [clear, noisy].map(|y| Distribution {
        rows: rows.clone(),
        target: Target::classification("y", names.clone(), y).expect("classes"),
        impurity: Impurity::Entropy,
    });
    let (clear_found, noisy_found) = (clear.grown(&config(1, 400)), noisy.grown(&config(1, 400)));
    assert_near(&clear_found, &clear.exact(2));
    assert_near(&noisy_found, &noisy.exact(2));
    for variable in 0..2 {
        assert!(clear.exact(2)[variable] > noisy.exact(2)[variable] + 0.1);
        assert!(value(&clear_found, variable) > value(&noisy_found, variable));
    }
}
