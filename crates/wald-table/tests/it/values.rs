//! Cells: missing values, typing errors, infinities, large integers, dates.

use wald::message::Neutral;
use wald_table::{DesignOptions, NoticeKind, ReadOptions, Values};

use crate::support::{
    assert_told, cells, messages, prepare_with, prepare_y, read_bytes, read_with, refusal,
};

#[test]
fn one_typing_error_is_never_a_silent_category() {
    let mut text = String::from("a,y\n");
    for row in 0..3000 {
        text.push_str(if row == 2500 { "1.2.3,1\n" } else { "1.25,2\n" });
    }
    let error = prepare_y(&text).unwrap_err();
    assert_told(
        &error,
        &[
            "column \"a\" holds numbers, but one cell is not a number",
            "line 2502",
            "column a",
            "value 1.2.3",
            "mend the cell",
            "`categorical = \"a\"`",
        ],
    );
    assert!(error.file.is_some());
    let excluded =
        DesignOptions { target: Some("y".into()), exclude: vec!["a".into()], ..Default::default() };
    assert_told(&prepare_with(&text, &excluded).unwrap_err(), &["no input variable"]);
    let categorical = DesignOptions {
        target: Some("y".into()),
        categorical: vec!["a".into()],
        ..Default::default()
    };
    assert_eq!(prepare_with(&text, &categorical).unwrap().dataset.n_features(), 1);
}

#[test]
fn an_excluded_column_does_no_harm() {
    let text = "a,b,y\n1,1,1\nx,2,2\n3,3,3\n4,1e999,4\n";
    let options =
        DesignOptions { target: Some("y".into()), exclude: vec!["a".into()], ..Default::default() };
    let error = prepare_with(text, &options).unwrap_err();
    assert_told(
        &error,
        &["column \"b\" holds a number that is infinite or too large", "line 5", "value 1e999"],
    );
    let formula =
        DesignOptions { formula: Some("y ~ . - a - b + y2".into()), ..Default::default() };
    assert!(prepare_with(text, &formula).is_err());
}

#[test]
fn typing_errors_in_the_first_rows_are_found_too() {
    let table = read_bytes(b"a\nx\n1\n2\n3\n").unwrap();
    assert_told(&refusal(&table, "a"), &["one cell is not a number", "line 2", "value x"]);
    let table = read_bytes(b"a\nx\ny\n1\n2\n").unwrap();
    assert_told(&refusal(&table, "a"), &["2 cells are not numbers", "line 2", "value x"]);
    let table = read_bytes(b"a\nx\ny\nz\n1\n").unwrap();
    assert_eq!(cells(&table, "a"), ["x", "y", "z", "1"]);
}

#[test]
fn text_behind_many_numbers_keeps_its_spelling() {
    let mut text = String::from("a,b\n");
    for _ in 0..1500 {
        text.push_str("007,1\n");
    }
    for _ in 0..2000 {
        text.push_str("bond,1\n");
    }
    let table = read_bytes(text.as_bytes()).unwrap();
    let column = cells(&table, "a");
    assert_eq!((column[0].as_str(), column[3499].as_str()), ("007", "bond"));
}

#[test]
fn missing_spellings_depend_on_the_type() {
    let table = read_bytes(b"n,t\n1,x\nNA,NA\n?,?\n,\nnull,None\nN/A,.\n2.5,x\n").unwrap();
    assert_eq!(cells(&table, "n"), ["1", "-", "-", "-", "-", "-", "2.5"]);
    assert_eq!(cells(&table, "t"), ["x", "-", "?", "-", "None", ".", "x"]);
    let notices = &table.column("n").unwrap().notices;
    let spelt: Vec<String> = notices.iter().map(|notice| notice.message.worded(&Neutral)).collect();
    assert_eq!(
        spelt,
        [
            "column \"n\": cell `?` counts as missing",
            "column \"n\": cell `null` counts as missing",
            "column \"n\": cell `N/A` counts as missing",
        ]
    );
    assert_eq!(table.column("t").unwrap().notices[0].kind, NoticeKind::MissingLikeLevel);
    assert_eq!(table.column("n").unwrap().n_missing(), Some(5));
    let only = read_bytes(b"a,b\n?,\n?,NA\n").unwrap();
    assert_eq!(cells(&only, "a"), ["?", "?"]);
    assert_eq!(cells(&only, "b"), ["-", "-"]);
}

#[test]
fn infinities_are_refused() {
    for cell in ["inf", "-Inf", "Infinity", "1e400", "-1e999"] {
        let table = read_bytes(format!("a,b\n1,2\n{cell},3\n").as_bytes()).unwrap();
        assert_told(
            &refusal(&table, "a"),
            &["infinite or too large", "line 3", "column a", &format!("value {cell}")],
        );
    }
}

#[test]
fn integers_beyond_2_to_the_53_are_refused() {
    let text = b"id,y\n9007199254740992,1\n9007199254740993,2\n";
    let error = refusal(&read_bytes(text).unwrap(), "id");
    assert_told(
        &error,
        &[
            "integers above 2^53",
            "line 3",
            "value 9007199254740993",
            "`categorical = \"id\"` or `exclude = \"id\"`",
        ],
    );
    let options = ReadOptions { categorical: vec!["id".into()], ..Default::default() };
    let table = read_with(text, &options).unwrap();
    assert_eq!(cells(&table, "id"), ["9007199254740992", "9007199254740993"]);
}

#[test]
fn close_and_extreme_numbers_keep_all_bits() {
    let numbers: Vec<f64> = (0..40)
        .map(|i| 1.0 + f64::from(i) * 1e-9)
        .chain([5e-324, 2.2e-308, 1e308, -1e308, f64::MAX, 0.1 + 0.2, 1.0 / 3.0])
        .collect();
    let text: String = numbers.iter().map(|number| format!("{number:?},1\n")).collect();
    let table = read_bytes(format!("a,b\n{text}").as_bytes()).unwrap();
    let Values::Numeric { values, integers } = table.column("a").unwrap().values.clone().unwrap()
    else {
        panic!("not numeric")
    };
    assert!(!integers);
    let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&values), bits(&numbers));
    let zero = prepare_y("a,y\n-0.0,1\n0,2\n1,5\n").unwrap();
    let wald::data::ColumnData::Numeric(values) = zero.dataset.features().columns()[0].data()
    else {
        panic!("not numeric")
    };
    assert_eq!(values[0].to_bits(), 0.0_f64.to_bits());
}

#[test]
fn numbers_in_disguise_are_refused() {
    let refused = |cells: [&str; 3], help: &str| {
        let text = format!("a,b\n\"{}\",1\n\"{}\",2\n\"{}\",3\n", cells[0], cells[1], cells[2]);
        let table = read_bytes(text.as_bytes()).unwrap();
        assert_told(&refusal(&table, "a"), &[help, "`categorical = \"a\"`"]);
    };
    refused(["1,234", "5,678", "999"], "remove the thousands separators");
    refused(["1,5", "2,5", "3"], "one decimal mark");
    refused(["12%", "13%", "14.5"], "remove the percent signs");
    refused(["$1", "$2.50", "3"], "remove the currency signs");
    refused(["0", "1", "3+"], "mend the cell");
    refused(["0.5", "1", "<1"], "mend the cell");
}

#[test]
fn codes_dates_and_times_have_decided_types() {
    let table = read_bytes(
        b"id,zip,date,stamp,time,hex,bool\nA1,02139,2020-01-01,2020-01-01 00:00:30,12:30,0x1F,TRUE\nA2,10001,1970-01-01,1970-01-01T00:00:01Z,12:45,0x20,FALSE\n",
    )
    .unwrap();
    assert_eq!(cells(&table, "id"), ["A1", "A2"]);
    assert_eq!(cells(&table, "zip"), ["2139", "10001"]);
    assert_eq!(table.column("zip").unwrap().notices[0].kind, NoticeKind::PaddedNumbers);
    assert_eq!(cells(&table, "date"), ["18262", "0"]);
    assert_eq!(table.column("date").unwrap().notices[0].kind, NoticeKind::Dates);
    assert_eq!(cells(&table, "stamp"), ["1577836830", "1"]);
    assert_eq!(cells(&table, "time"), ["12:30", "12:45"]);
    assert_eq!(cells(&table, "hex"), ["0x1F", "0x20"]);
    assert_eq!(cells(&table, "bool"), ["TRUE", "FALSE"]);
}

#[test]
fn columns_without_information_are_remarked() {
    let mut text = String::from("constant,empty,id,few,y\n");
    for row in 0..30 {
        text.push_str(&format!("7,,{},{},{}\n", row + 1, row % 4, f64::from(row * 13 % 30).sqrt()));
    }
    let prepared = prepare_y(&text).unwrap();
    let notes = messages(&prepared);
    assert_eq!(notes[0], "column \"constant\" is constant (`7`): its importance is 0");
    assert_eq!(notes[1], "column \"empty\" has no value at all: its importance is 0");
    assert!(notes[2].starts_with("column \"id\" has a different value in every row"), "{notes:?}");
    assert!(notes[3].contains("treated as numbers: \"few\""), "{notes:?}");
    assert_eq!(prepared.dataset.n_features(), 4);
}

#[test]
fn leaks_are_remarked() {
    let mut text = String::from("copy,scaled,noise,y\n");
    for row in 0..30 {
        let y = row * 13 % 30;
        text.push_str(&format!("{y}.5,{},{},{y}.5\n", 100 - 2 * y, row * 7 % 11));
    }
    let prepared = prepare_y(&text).unwrap();
    let leaks: Vec<_> = prepared
        .notices
        .iter()
        .filter(|notice| notice.kind == NoticeKind::Leak)
        .filter_map(|notice| notice.column.as_deref())
        .collect();
    assert_eq!(leaks, ["copy", "scaled"]);
}
