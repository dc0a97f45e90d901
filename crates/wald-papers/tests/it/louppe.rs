//! Quick versions of the table and figures of Louppe et al.: fewer trees, rows and samples.

use tempfile::tempdir;

use crate::{cell, found, holds, program};

#[test]
fn a_small_table_2_agrees_with_the_paper_and_the_limits() {
    let found = found("louppe-table-2 --trees 1000");
    let tables = found["comparisons"].as_array().expect("tables");
    let verdicts = |table: usize| {
        let rows = tables[table]["rows"].as_array().expect("rows").iter();
        rows.map(|row| row["verdict"]["verdict"].as_str().expect("a verdict").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(verdicts(0), ["equal"; 7]);
    // 49 cells against numbers of independent errors, at 3 standard errors.
    for table in [1, 2] {
        let differing = verdicts(table).iter().filter(|verdict| *verdict == "differs").count();
        assert!(verdicts(table).len() == 49 && differing <= 3, "{differing}");
    }
    assert!(holds(&found, "add up to I(X1, ..., X7; Y)") && holds(&found, "within .005"));
    let (value, error) = cell(&found, "Equation 3", "X5");
    assert!((value - 0.656_581_630_302).abs() < 1e-12 && error == 0.0);
}

#[test]
fn figure_2_is_exact_and_drawn() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("figure.svg");
    let words = ["louppe-figure-2", "--svg", &path.to_string_lossy(), "--json"].map(str::to_owned);
    let output = program().args(&words).assert().success();
    let found: serde_json::Value =
        serde_json::from_slice(&output.get_output().stdout).expect("JSON");
    let claims = found["claims"].as_array().expect("claims");
    assert!(claims.len() == 6 && claims.iter().all(|claim| claim["holds"] == true), "{claims:?}");
    assert_eq!(found["listings"].as_array().expect("listings").len(), 7);
    let svg = std::fs::read_to_string(&path).expect("a picture");
    assert!(svg.contains("K = 7") && svg.matches("<polyline").count() == 7);
}

#[test]
fn a_noisy_copy_is_masked() {
    let found = found("louppe-noisy-copy --trees 500");
    let claims = found["claims"].as_array().expect("claims");
    assert!(claims.len() == 4 && claims.iter().all(|claim| claim["holds"] == true), "{claims:?}");
    let rows = found["comparisons"][0]["rows"].as_array().expect("rows");
    assert!(rows.len() == 10 && rows.iter().all(|row| row["verdict"]["verdict"] == "equal"));
}

#[test]
fn small_samples_find_too_much() {
    let found = found("louppe-finite-samples --repetitions 12 --rows 20 --trees 30");
    assert!(holds(&found, "irrelevant variables are found important"));
    assert!(holds(&found, "the sum of all importances is too large"));
    assert_eq!(found["listings"][0]["rows"].as_array().expect("rows").len(), 8);
}
