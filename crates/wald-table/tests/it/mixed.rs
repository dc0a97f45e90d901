//! Columns of numbers and other cells: errors of typing, levels, and numbers with missing values.

use wald::message::Neutral;
use wald_table::{DesignOptions, Infinite, NoticeKind, ReadOptions, Table, Values};

use crate::support::{assert_told, cells, prepare_with, read_bytes, read_with, refusal};

/// A table whose column `a` has these cells, and `b` numbers the rows.
fn column(cells: &[&str], options: &ReadOptions) -> Table {
    let mut text = String::from("a,b\n");
    for (row, cell) in cells.iter().enumerate() {
        text.push_str(&format!("\"{}\",{row}\n", cell.replace('"', "\"\"")));
    }
    read_with(text.as_bytes(), options).unwrap()
}

/// So many cells of each text, one after the other.
fn repeated(parts: &[(&'static str, usize)]) -> Vec<&'static str> {
    parts.iter().flat_map(|&(text, count)| std::iter::repeat_n(text, count)).collect()
}

/// The first remark about the column.
fn remark(table: &Table) -> (NoticeKind, String) {
    let notice = &table.column("a").unwrap().notices[0];
    (notice.kind, notice.message.worded(&Neutral))
}

fn levels(table: &Table) -> Vec<String> {
    match table.column("a").unwrap().values.clone().unwrap() {
        Values::Text { levels, .. } => levels,
        Values::Numeric { .. } => panic!("numbers"),
    }
}

fn assert_levels(given: &[&str], expected: &[&str], words: &str) {
    let table = column(given, &ReadOptions::default());
    assert_eq!(levels(&table), expected);
    let (kind, message) = remark(&table);
    assert_eq!(kind, NoticeKind::MixedCells);
    let words = format!(
        "column \"a\" holds numbers and {words}: it is treated as categories; `numeric = \"a\"` reads the \
         numbers and counts the other cells as missing"
    );
    assert_eq!(message, words);
    // The option reads it otherwise.
    let numeric = ReadOptions { numeric: vec!["a".into()], ..Default::default() };
    let values = column(given, &numeric).column("a").unwrap().values.clone().unwrap();
    let Values::Numeric { values, .. } = values else { panic!("levels") };
    let is_number = |cell: &&str| cell.parse::<f64>().is_ok();
    let n_numbers = given.iter().filter(|cell| is_number(cell)).count();
    assert_eq!(values.iter().filter(|value| !value.is_nan()).count(), n_numbers);
}

#[test]
fn numbers_that_repeat_are_levels_beside_cells_that_are_meant() {
    // Grades of school, children, cards, hours, quarters of a game, ranges of counts.
    let grades = repeated(&[("1", 70), ("2", 68), ("3", 67), ("K", 63)]);
    assert_levels(&grades, &["1", "2", "3", "K"], "63 other cells (`K`)");
    let children = repeated(&[("0", 53), ("1", 35), ("2", 31), ("3+", 74)]);
    assert_levels(&children, &["0", "1", "2", "3+"], "74 other cells (`3+`)");
    let cards = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"].repeat(4);
    let sorted = ["10", "2", "3", "4", "5", "6", "7", "8", "9", "J", "K", "Q"];
    assert_levels(&cards, &sorted, "12 other cells (`J`, `Q`, `K`)");
    let hours = repeated(&[("0", 9), ("1", 8), ("2", 7), ("5+", 2)]);
    assert_levels(&hours, &["0", "1", "2", "5+"], "2 other cells (`5+`)");
    let struck = repeated(&[("1", 140), ("2-10", 38), ("11-100", 2), ("Over 100", 2)]);
    let words = "42 other cells (`2-10`, `11-100`, `Over 100`)";
    assert_levels(&struck, &["1", "11-100", "2-10", "Over 100"], words);
}

#[test]
fn codes_are_levels_however_many_they_are() {
    // Subjects of several rows, some of whom are two people.
    let mut subjects: Vec<String> = (0..300).map(|row| (100 + row / 4).to_string()).collect();
    subjects.extend(["207a", "207a", "207b", "229b", "229b"].map(str::to_owned));
    let given: Vec<&str> = subjects.iter().map(String::as_str).collect();
    let table = column(&given, &ReadOptions::default());
    assert_eq!(levels(&table).len(), 75 + 3);
    assert!(remark(&table).1.contains("5 other cells (`207a`, `229b`, `207b`)"));
    // Zip codes, a few of which have four more digits, each its own.
    let mut zips: Vec<String> = (0..900).map(|row| (98101 + row % 90).to_string()).collect();
    zips.extend(["98115-4820", "98126-2920", "98146-1067"].map(str::to_owned));
    let given: Vec<&str> = zips.iter().map(String::as_str).collect();
    let table = column(&given, &ReadOptions::default());
    assert_eq!(levels(&table).len(), 90 + 3);
    assert_eq!(remark(&table).0, NoticeKind::MixedCells);
}

#[test]
fn measurements_stay_numbers() {
    // Rain in inches, where T is a trace; heights in two units; ages of which some are unknown.
    let rain: Vec<String> = (0..200).map(|row| format!("{}", f64::from(row) / 100.0)).collect();
    let heights: Vec<String> =
        (0..90).map(|row| format!("{}", 55.0 + f64::from(row) / 4.0)).collect();
    let ages: Vec<String> = (0..180).map(|row| (row % 90).to_string()).collect();
    let feet = ["5' 4\"", "5'10''", "6'", "5'7\"", "5,8"];
    let cases: [(&[String], &[&str], &str); 3] = [
        (&rain, &["T", "T", "T"], "3 cells that are no number (`T`) count"),
        (
            &heights,
            &feet,
            "5 cells that are no number (`5' 4\"`, `5'10''`, `6'`, `5'7\"` and 1 other text) count",
        ),
        (
            &ages,
            &["unknown", "90+", "90+", "unknown"],
            "4 cells that are no number (`unknown`, `90+`) count",
        ),
    ];
    for (numbers, others, words) in cases {
        let given: Vec<&str> =
            numbers.iter().map(String::as_str).chain(others.iter().copied()).collect();
        let table = column(&given, &ReadOptions::default());
        let read = cells(&table, "a");
        assert_eq!(read[..numbers.len()], *numbers);
        assert!(read[numbers.len()..].iter().all(|cell| cell == "-"));
        assert_eq!(
            remark(&table),
            (
                NoticeKind::MixedCells,
                format!(
                    "column \"a\" holds numbers; {words} as missing; `categorical = \"a\"` treats all \
                     cells as categories"
                )
            )
        );
        let categorical = ReadOptions { categorical: vec!["a".into()], ..Default::default() };
        assert_eq!(cells(&column(&given, &categorical), "a"), given);
    }
}

#[test]
fn errors_of_typing_are_refused() {
    let mut measured: Vec<String> = (0..200).map(|row| format!("{row}.5")).collect();
    measured.extend(["1.2.3".to_owned(), "12x".to_owned()]);
    let whole = repeated(&[("4", 49), ("6", 31), ("8", 12), ("rotary", 1)]);
    let measured: Vec<&str> = measured.iter().map(String::as_str).collect();
    // Two errors of one kind are errors among measurements.
    let decimal = repeated(&[("4.5", 40), ("5.5", 30), ("6.25", 20), ("4,5", 20)]);
    for (given, words, value) in [
        (measured, "2 cells are not numbers", "value 1.2.3"),
        (whole, "one cell is not a number", "value rotary"),
        (decimal, "20 cells are not numbers", "value 4,5"),
    ] {
        let error = refusal(&column(&given, &ReadOptions::default()), "a");
        assert_told(&error, &[words, value, "`categorical = \"a\"`", "`numeric = \"a\"`"]);
    }
    // What is a number in disguise is never missing.
    let numeric = ReadOptions { numeric: vec!["a".into()], ..Default::default() };
    let error = refusal(&column(&["1,234", "K", "3"], &numeric), "a");
    assert_told(&error, &["value 1,234", "thousands"]);
    assert_told(&refusal(&column(&["K", "Q"], &numeric), "a"), &["value K"]);
}

#[test]
fn percentages_are_numbers_where_all_have_their_sign() {
    let table = column(&["5.00%", "10.00%", "", "15 %", "?"], &ReadOptions::default());
    assert_eq!(cells(&table, "a"), ["5", "10", "-", "15", "-"]);
    let notices = &table.column("a").unwrap().notices;
    let words = notices.iter().find(|notice| notice.kind == NoticeKind::Percent).unwrap();
    assert_eq!(
        words.message,
        "column \"a\" holds percentages, read as numbers without their sign (`5.00%`)"
    );
    let error = refusal(&column(&["5%", "10%", "15"], &ReadOptions::default()), "a");
    assert_told(&error, &["value 5%", "remove the percent signs"]);
}

#[test]
fn a_column_is_not_numeric_and_categorical() {
    let both = vec!["x".to_owned()];
    let options = DesignOptions {
        target: Some("y".into()),
        categorical: both.clone(),
        numeric: both,
        ..Default::default()
    };
    let error = prepare_with("x,y\n1,2\n2,3\n", &options).unwrap_err();
    assert_eq!(error.class.exit_code(), 2);
    assert_told(&error, &["\"x\" cannot be numeric and categorical"]);
}

#[test]
fn the_end_of_file_sign_of_dos_is_dropped() {
    let note = "the end-of-file sign of DOS (U+001A) behind the last cell is dropped";
    for end in ["\u{1a}", "\n\u{1a}", "\u{1a}\n", "\r\n\u{1a}\r\n"] {
        let table = read_bytes(format!("a,b\n1,2\n3,6.2{end}").as_bytes()).unwrap();
        assert_eq!(cells(&table, "b"), ["2", "6.2"], "{end:?}");
        assert!(table.notes().iter().any(|words| words == note), "{:?}", table.notes());
    }
    // Behind so many rows that the end is read long after the beginning.
    let long = format!("a,b\n{}3,x\u{1a}", "1,x\n".repeat(700_000));
    assert_eq!(cells(&read_bytes(long.as_bytes()).unwrap(), "b").last().unwrap(), "x");
    let table = read_bytes("a,b\n1,x\u{1a}\n3,y\n".as_bytes()).unwrap();
    assert_eq!(cells(&table, "b"), ["x\u{1a}", "y"]);
    assert!(!table.notes().iter().any(|words| words == note));
}

#[test]
fn infinite_numbers_are_kept_where_the_user_says_so() {
    let text = "x,w,y\n1,1,1\ninf,2,2\n-Inf,inf,3\n1e999,1,4\n2,1,inf\n";
    let keep = |target: &str, weights: Option<&str>| DesignOptions {
        target: Some(target.into()),
        exclude: if target == "y" { Vec::new() } else { vec!["y".into()] },
        weights: weights.map(str::to_owned),
        infinite: Infinite::Keep,
        ..Default::default()
    };
    let error =
        prepare_with(text, &DesignOptions { infinite: Infinite::Refuse, ..keep("w", None) });
    assert_told(&error.unwrap_err(), &["infinite or too large", "`infinite = keep`"]);
    let table = read_with(text.as_bytes(), &keep("w", None).read_options()).unwrap();
    let Values::Numeric { values, .. } = table.column("x").unwrap().values.clone().unwrap() else {
        panic!("levels")
    };
    assert_eq!(values, [1.0, f64::MAX, -f64::MAX, f64::MAX, 2.0]);
    let notices = &table.column("x").unwrap().notices;
    assert_eq!(
        notices[0].message,
        "column \"x\": 3 cells with an infinite number count as the largest number there is"
    );
    // Neither a target nor a weight can be infinite.
    assert_told(
        &prepare_with(text, &keep("y", None)).unwrap_err(),
        &["the target \"y\" holds an infinite number"],
    );
    let text = text.replace("2,1,inf", "2,1,5");
    let error = prepare_with(&text, &keep("y", Some("w"))).unwrap_err();
    assert_told(&error, &["a weight is infinite", "line 4"]);
}
