//! Weights and clusters.

use wald_table::{DesignOptions, Prepared, TableError};

use crate::support::{assert_told, prepare_with};

fn weighted(cells: [&str; 3]) -> Result<Prepared, TableError> {
    let text = format!("w,x,y\n{},1,1\n{},2,2\n{},3,4\n", cells[0], cells[1], cells[2]);
    let options =
        DesignOptions { target: Some("y".into()), weights: Some("w".into()), ..Default::default() };
    prepare_with(&text, &options)
}

#[test]
fn weights_are_no_input_variable() {
    let prepared = weighted(["1", "0.5", "0"]).unwrap();
    assert_eq!(prepared.dataset.weights(), Some(&[1.0, 0.5, 0.0][..]));
    assert_eq!(prepared.dataset.features().names(), ["x"]);
}

#[test]
fn bad_weights_name_the_row() {
    let refused = |cells, parts: &[&str]| assert_told(&weighted(cells).unwrap_err(), parts);
    refused(["1", "-2", "1"], &["a weight is negative", "line 3", "column w", "value -2"]);
    refused(["1", "1", ""], &["a weight is missing", "line 4", "column w"]);
    refused(["1", "1", "NaN"], &["a weight is missing", "line 4"]);
    refused(["1", "inf", "1"], &["infinite", "line 3", "value inf"]);
    refused(["0", "0", "0.0"], &["all weights in column \"w\" are zero", "column w"]);
    refused(["1", "much", "1"], &["one cell is not a number", "line 3", "value much"]);
    refused(["a", "b", "c"], &["it holds text", "line 2", "value a"]);
}

#[test]
fn weights_follow_dropped_rows() {
    let text = "w,x,y\n1,1,1\n-5,2,\n3,3,4\n2,1,3\n";
    let options =
        DesignOptions { target: Some("y".into()), weights: Some("w".into()), ..Default::default() };
    let prepared = prepare_with(text, &options).unwrap();
    assert_eq!(prepared.dataset.weights(), Some(&[1.0, 3.0, 2.0][..]));
}

#[test]
fn clusters_may_be_of_any_type() {
    let clustered = |cells: [&str; 3]| {
        let text = format!("c,x,y\n{},1,1\n{},2,2\n{},3,4\n", cells[0], cells[1], cells[2]);
        let options = DesignOptions {
            target: Some("y".into()),
            cluster: Some("c".into()),
            ..Default::default()
        };
        prepare_with(&text, &options)
    };
    assert_eq!(clustered(["b", "a", "b"]).unwrap().dataset.clusters(), Some(&[1, 0, 1][..]));
    assert_eq!(clustered(["7", "7.5", "7"]).unwrap().dataset.clusters(), Some(&[0, 1, 0][..]));
    assert_eq!(clustered(["7", "7.5", "7"]).unwrap().dataset.features().names(), ["x"]);
    assert_told(
        &clustered(["a", "", "b"]).unwrap_err(),
        &["a row has no cluster", "line 3", "column c"],
    );
}
