//! `masking-and-sobol` and `node-size`, with few small data sets.

use crate::*;

#[test]
fn what_trees_hide_makes_projections_too_large() {
    let found = found("masking-and-sobol --quick --designs 2");
    let rows = found["listings"][1]["rows"].as_array().expect("designs and mtry");
    assert_eq!(rows.len(), 8, "mtry 1, 3, 5, 10 and 1, 2, 3, 6");
    let number = |row: usize, column: usize| -> f64 {
        rows[row][column].as_str().and_then(|text| text.parse().ok()).expect("a number")
    };
    // At mtry = p the projections of both designs are further from the truth than growing again.
    for row in [3, 7] {
        assert!(number(row, 3) > number(row, 5), "{:?}", rows[row]);
    }
}

#[test]
fn larger_nodes_explain_less_of_small_tables() {
    let found = found("node-size --quick --designs 1");
    let rows = found["listings"][1]["rows"].as_array().expect("node sizes");
    assert_eq!(rows.len(), 6);
    let explained = |row: usize| -> f64 {
        rows[row][6].as_str().and_then(|text| text.parse().ok()).expect("a number")
    };
    assert!(explained(5) < explained(1), "{rows:?}");
}
