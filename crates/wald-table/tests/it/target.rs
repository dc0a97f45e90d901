//! The target: which task it asks for, and which targets cannot be learnt.

use wald::data::{Response, Task};
use wald_table::{DesignOptions, Missing, NoticeKind, Prepared, TableError, likely_targets};

use crate::support::{assert_told, messages, prepare_with, prepare_y, read_bytes};

fn column(cells: impl IntoIterator<Item = String>) -> String {
    let rows = cells.into_iter().enumerate();
    let lines: String =
        rows.map(|(row, y)| format!("{},{y}\n", (row * 37 % 100) as f64 / 8.0)).collect();
    format!("x,y\n{lines}")
}

fn asked(text: &str, task: Task) -> Result<Prepared, TableError> {
    let options =
        DesignOptions { target: Some("y".into()), task: Some(task), ..Default::default() };
    prepare_with(text, &options)
}

fn classes(prepared: &Prepared) -> Vec<String> {
    prepared.dataset.target().classes().unwrap().to_vec()
}

#[test]
fn text_and_truth_values_are_classified() {
    let text = column(["b", "a", "b", "a"].map(str::to_owned));
    assert_eq!(classes(&prepare_y(&text).unwrap()), ["a", "b"]);
    let text = column(["TRUE", "FALSE", "TRUE", "FALSE"].map(str::to_owned));
    assert_eq!(classes(&prepare_y(&text).unwrap()), ["FALSE", "TRUE"]);
    let error = asked(&text, Task::Regression).unwrap_err();
    assert_told(
        &error,
        &["regression needs numbers", "holds text", "column y", "`task = classification`"],
    );
}

#[test]
fn two_numbers_are_classes_and_more_are_not() {
    let two = prepare_y(&column([1, 0, 0, 1].map(|i| i.to_string()))).unwrap();
    assert_eq!(classes(&two), ["0", "1"]);
    assert!(
        messages(&two)[0]
            .contains("classification was chosen because the target \"y\" has two values, 0 and 1")
    );
    let three = column((0..30).map(|i| (i % 3).to_string()));
    let regression = prepare_y(&three).unwrap();
    assert_eq!(regression.dataset.target().task(), Task::Regression);
    assert!(messages(&regression)[0].contains("regression was chosen"));
    assert!(messages(&regression)[0].contains("`task = classification`"));
    let classification = asked(&three, Task::Classification).unwrap();
    assert_eq!(classes(&classification), ["0", "1", "2"]);
    assert!(classification.notices.is_empty(), "{:?}", classification.notices);
}

#[test]
fn numeric_classes_are_sorted_as_numbers() {
    let text = column(["10", "9", "-1", "2.5", "10", "9", "-1", "2.5"].map(str::to_owned));
    assert_eq!(classes(&asked(&text, Task::Classification).unwrap()), ["-1", "2.5", "9", "10"]);
    let forced = DesignOptions {
        target: Some("y".into()),
        categorical: vec!["y".into()],
        ..Default::default()
    };
    assert_eq!(classes(&prepare_with(&text, &forced).unwrap()), ["-1", "2.5", "9", "10"]);
}

#[test]
fn continuous_targets_are_not_classified() {
    let text = column((0..200).map(|i| format!("{}.5", i % 60)));
    let error = asked(&text, Task::Classification).unwrap_err();
    assert_told(&error, &["\"y\" has 60 different numbers", "value 0.5", "`task = regression`"]);
    let names = column((0..200).map(|i| format!("name {i}")));
    assert_told(&prepare_y(&names).unwrap_err(), &["200 different texts in 200 rows"]);
    let many = column((0..300).map(|i| (i % 60).to_string()));
    assert_eq!(classes(&asked(&many, Task::Classification).unwrap()).len(), 60);
}

#[test]
fn constant_targets_and_small_classes_are_remarked() {
    let constant = prepare_y(&column((0..5).map(|_| "3".to_owned()))).unwrap();
    assert_eq!(constant.notices[0].kind, NoticeKind::ConstantTarget);
    let one = prepare_y(&column((0..5).map(|_| "only".to_owned()))).unwrap();
    assert_eq!(one.notices[0].kind, NoticeKind::ConstantTarget);
    let single = prepare_y(&column(["a", "a", "b", "b", "c"].map(str::to_owned))).unwrap();
    assert_eq!(
        messages(&single),
        ["1 class has a single row, which is too few to learn from: \"c\""]
    );
}

#[test]
fn rows_without_a_target_are_dropped_and_counted() {
    let text = "x,g,y\n1,a,1.5\n2,b,\n3,a,NA\n4,c,2.5\n,a,3.5\n";
    let prepared = prepare_y(text).unwrap();
    assert_eq!((prepared.n_rows_read, prepared.n_without_target, prepared.n_incomplete), (5, 2, 0));
    assert_eq!(prepared.rows, [0, 3, 4]);
    assert_eq!(messages(&prepared)[0], "2 rows dropped because the target \"y\" is missing");
    let Response::Regression(values) = prepared.dataset.target().response() else {
        panic!("classes")
    };
    assert_eq!(values, &[1.5, 2.5, 3.5]);
    let omit =
        DesignOptions { target: Some("y".into()), missing: Missing::Omit, ..Default::default() };
    let prepared = prepare_with(text, &omit).unwrap();
    assert_eq!((prepared.n_without_target, prepared.n_incomplete), (2, 1));
    assert_eq!(prepared.rows, [0, 3]);
    let wald::data::ColumnData::Categorical(groups) =
        prepared.dataset.features().columns()[1].data()
    else {
        panic!("not categorical")
    };
    assert_eq!(
        (groups.levels(), groups.codes()),
        (&["a".to_owned(), "c".to_owned()][..], &[0, 1][..])
    );
}

#[test]
fn without_any_target_there_is_nothing_to_learn() {
    assert_told(
        &prepare_y("x,y\n1,\n2,\n").unwrap_err(),
        &["the target \"y\" is missing in all rows", "column y"],
    );
    let omit =
        DesignOptions { target: Some("y".into()), missing: Missing::Omit, ..Default::default() };
    assert_told(&prepare_with("x,y\n,1\n2,\n", &omit).unwrap_err(), &["every row lacks"]);
}

#[test]
fn shifted_and_huge_targets_are_kept_or_told() {
    let shifted = prepare_y(&column((0..20).map(|i| format!("{}.25", 100_000_000 + i)))).unwrap();
    let Response::Regression(values) = shifted.dataset.target().response() else {
        panic!("classes")
    };
    assert_eq!(values[19], 100_000_019.25);
    let error = prepare_y(&column((0..20).map(|i| format!("{i}.5e200")))).unwrap_err();
    assert_told(&error, &["column y", "standard errors would overflow"]);
    assert!(error.file.is_some());
}

/// The names that are proposed for a table with this header.
fn proposed(header: &str, row: impl Fn(usize) -> String) -> Vec<String> {
    let rows: String = (0..30).map(|i| row(i) + "\n").collect();
    let table = read_bytes(format!("{header}\n{rows}").as_bytes()).unwrap();
    likely_targets(&table).into_iter().map(|one| one.name).collect()
}

#[test]
fn likely_targets_have_their_names_or_places() {
    let three = |i: usize| format!("{},{},{}", i % 7, i % 5, i % 3);
    assert_eq!(proposed("a,Outcome,b", three), ["Outcome", "b", "a"]);
    assert_eq!(proposed("heart_class,y,b", three), ["y", "heart_class", "b"]);
    assert_eq!(proposed("a,b,c", three), ["c", "a"]);
    // A letter, or a part of a word, is no name of its own.
    assert_eq!(proposed("subclass,b,position_y", three), ["position_y", "subclass"]);
    assert_eq!(proposed("b,a b,TARGET", three), ["TARGET", "b"]);
}

#[test]
fn what_cannot_be_a_target_is_not_proposed() {
    // Numbers of rows, a constant, a different text in every row, and cells that are no numbers.
    let row = |i: usize| {
        format!("{},{},same,name {i},{}", i + 1, i % 4, if i == 9 { "1.2.3" } else { "7" })
    };
    assert_eq!(proposed("a,b,c,d,e", row), ["b"]);
    let row = |i: usize| format!("{},{},{}", i % 4, i % 3, i % 5);
    assert_eq!(proposed("a,patient_id,ID", row), ["a"]);
    assert!(proposed("id,index,rownames", row).is_empty());
}
