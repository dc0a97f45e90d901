//! Tables of new rows and of held-out rows.

use wald::data::{ColumnData, MISSING_LEVEL, Response};
use wald::message::Neutral;
use wald_table::{
    DesignOptions, ExpectedColumn, ExpectedKind, expected_columns, prepare_new, prepare_test,
    read_options_for, read_options_for_test,
};

use crate::support::{assert_told, prepare_with, prepare_y, read_with};

const TRAINING: &str = "size,colour,zip,y\n1.5,red,01,a\n2.5,blue,02,b\n3.5,red,1,a\n";

fn expected() -> Vec<ExpectedColumn> {
    let options = DesignOptions {
        target: Some("y".into()),
        categorical: vec!["zip".into()],
        ..Default::default()
    };
    expected_columns(prepare_with(TRAINING, &options).unwrap().dataset.features())
}

fn features(text: &str) -> Result<wald::Features, wald_table::TableError> {
    let expected = expected();
    let table = read_with(text.as_bytes(), &read_options_for(&expected))?;
    prepare_new(table, &expected).map(|rows| rows.features)
}

fn codes(features: &wald::Features, name: &str) -> (Vec<String>, Vec<u32>) {
    match features.column(name).unwrap().data() {
        ColumnData::Categorical(categories) => {
            (categories.levels().to_vec(), categories.codes().to_vec())
        }
        ColumnData::Numeric(_) => panic!("not categorical"),
    }
}

#[test]
fn expected_columns_know_levels() {
    let kinds: Vec<ExpectedKind> = expected().into_iter().map(|column| column.kind).collect();
    let levels = |names: &[&str]| {
        ExpectedKind::Categorical(names.iter().map(|name| (*name).to_owned()).collect())
    };
    assert_eq!(
        kinds,
        [ExpectedKind::Numeric, levels(&["blue", "red"]), levels(&["01", "1", "02"])]
    );
}

#[test]
fn columns_are_matched_by_name() {
    let new = features("zip,extra,colour,size\n02,typo,red,1\n1,2,green,2\n01,3,,x3\n");
    assert_told(&new.unwrap_err(), &["column \"size\" holds numbers", "line 4", "value x3"]);
    let new = features("zip,extra,colour,size\n02,9,red,1\n1,2,green,2\n01,3,,?\n").unwrap();
    assert_eq!(new.names(), ["size", "colour", "zip"]);
    let known = ["blue", "red", "green"].map(str::to_owned).to_vec();
    assert_eq!(codes(&new, "colour"), (known, vec![1, 2, MISSING_LEVEL]));
    assert_eq!(codes(&new, "zip").1, [2, 1, 0]);
}

#[test]
fn levels_are_found_as_other_programs_write_them() {
    let options = DesignOptions {
        target: Some("y".into()),
        categorical: vec!["code".into()],
        ..Default::default()
    };
    let training = "b,code,y\nTrue,0,1\nFalse,1,2\nTrue,2,3\n";
    let expected = expected_columns(prepare_with(training, &options).unwrap().dataset.features());
    let read = read_options_for(&expected);
    let table = read_with(b"b,code\nfalse,0.0\ntrue,2.0\n,1.0\nmaybe,3.0\n", &read).unwrap();
    let new = prepare_new(table, &expected).unwrap();
    assert_eq!(codes(&new.features, "b").1, [0, 1, MISSING_LEVEL, 2]);
    assert_eq!(codes(&new.features, "code").1, [0, 2, 1, 3]);
    assert_eq!(new.notices.len(), 2);
}

#[test]
fn missing_columns_and_wrong_types_are_told() {
    assert_told(
        &features("zip,Colour,size\n1,red,1\n").unwrap_err(),
        &["no column \"colour\", which the forest was grown with", "is it called \"Colour\"?"],
    );
    assert_told(
        &features("zip,colour,size\n1,red,\n1,red,large\n").unwrap_err(),
        &[
            "holds text, but the forest was grown with numbers",
            "line 3",
            "column size",
            "value large",
        ],
    );
}

#[test]
fn held_out_rows_keep_the_classes() {
    let training = prepare_y("x,g,y\n1,a,no\n2,b,yes\n3,a,perhaps\n4,b,no\n").unwrap().dataset;
    let options = DesignOptions::default();
    let read = |text: &str| read_with(text.as_bytes(), &options.read_options()).unwrap();
    let test =
        prepare_test(read("y,g,x,z\nyes,b,1,0\nno,c,2,0\n,a,3,0\n"), &training, &options).unwrap();
    assert_eq!(test.dataset.target().classes(), training.target().classes());
    assert_eq!((test.n_without_target, test.rows.as_slice()), (1, &[0, 1][..]));
    assert_eq!(
        codes(test.dataset.features(), "g"),
        (["a", "b", "c"].map(str::to_owned).to_vec(), vec![1, 2])
    );
    let notices: Vec<String> =
        test.notices.iter().map(|notice| notice.message.worded(&Neutral)).collect();
    assert!(notices[0].contains("1 row dropped"), "{notices:?}");
    assert!(notices[1].contains("levels in 1 row that the training data do not have: \"c\""));
    let unknown = prepare_test(read("y,g,x\nmaybe,b,1\n"), &training, &options).unwrap_err();
    assert_told(
        &unknown,
        &[
            "a class that the training data do not have",
            "line 2",
            "value maybe",
            "\"no\", \"perhaps\", \"yes\"",
        ],
    );
}

#[test]
fn numeric_classes_are_found_again() {
    let training = prepare_y("x,y\n1,0\n2,1\n3,0\n").unwrap().dataset;
    let options = DesignOptions::default();
    let codes = |training: &wald::Dataset, text: &str| {
        let table = read_with(text.as_bytes(), &read_options_for_test(training)).unwrap();
        match prepare_test(table, training, &options).unwrap().dataset.target().response() {
            Response::Classification(categories) => categories.codes().to_vec(),
            Response::Regression(_) | Response::Several(_) => panic!("not classified"),
        }
    };
    assert_eq!(codes(&training, "x,y\n5,1\n6,1.0\n"), [1, 1]);
    let padded = prepare_y("x,y\n1,01\n2,A\n3,B\n4,C\n").unwrap().dataset;
    assert_eq!(codes(&padded, "x,y\n5,01\n6,01\n"), [0, 0]);
}
