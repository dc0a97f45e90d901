//! Data of which the truth is known.

use wald::simulate::Design;
use wald_table::{DesignOptions, ReadOptions};

use crate::*;

/// A quiet run that must succeed; its standard output.
fn simulated(words: &[&str]) -> String {
    let words = [&["simulate"], words, &["--quiet"]].concat();
    let run = wald(&words);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    run.stdout
}

#[test]
fn what_is_written_reads_back_as_what_was_drawn() {
    let folder = folder();
    for &design in Design::ALL {
        let drawn = design.draw(60, 12).expect("a valid design");
        for format in ["csv", "parquet"] {
            let path = folder.path().join(format!("{}.{format}", design.id()));
            let output = path.to_string_lossy();
            let words = ["--rows", "60", "--seed", "12", "--format", format, "--output", &output];
            assert_eq!(simulated(&[&[design.id()], words.as_slice()].concat()), "");
            let table = wald_table::read(&path, &ReadOptions::default()).expect("a table");
            let options = DesignOptions { target: Some("y".to_owned()), ..Default::default() };
            let read = wald_table::prepare(table, &options).expect("a data set").dataset;
            assert_eq!(*read, drawn, "{} as {format}", design.id());
        }
    }
}

#[test]
fn importance_finds_what_matters() {
    let rows = simulated(&["li-leaf-size", "--rows", "2000"]);
    let words =
        ["importance", "-", "--target", "y", "--trees", "100", "-m", "mdi_oob", "--format", "json"];
    let output = command(&words).write_stdin(rows).output().expect("wald starts");
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&json["task"], &json["n_rows"]), (&"classification".into(), &2000.into()));
    let values = json["measures"][0]["values"].as_array().expect("values");
    let values: Vec<f64> = values.iter().filter_map(Value::as_f64).collect();
    let truth = simulated(&["li_leaf_size", "--truth"]);
    assert_eq!(truth, "variable,relevant\nx1,0\nx2,1\nx3,0\nx4,0\nx5,0\n");
    assert!([0, 2, 3, 4].into_iter().all(|other| values[1] > 2.0 * values[other]), "{values:?}");
}

#[test]
fn seeds_decide_rows_and_what_matters() {
    for &design in Design::ALL {
        let of = |rows: &str, seed: &str| simulated(&[design.id(), "--rows", rows, "--seed", seed]);
        let (few, more) = (of("20", "3"), of("40", "3"));
        assert_eq!((few.lines().count(), more.lines().count()), (21, 41));
        assert!(more.starts_with(&few), "a smaller table is the beginning of a larger one");
        assert_eq!(few, of("20", "3"));
        assert_ne!(few, of("20", "4"));
        let truth = simulated(&[design.id(), "--seed", "3", "--truth"]);
        let matter = (1..).zip(truth.lines().skip(1)).filter(|(_, line)| line.ends_with(",1"));
        let relevant = design.relevant(3).into_iter().map(|at| at + 1);
        assert!(matter.map(|(number, _)| number).eq(relevant), "{truth}");
    }
    let truth = |seed| simulated(&["li_regression", "--truth", "--seed", seed]);
    assert_ne!(truth("3"), truth("4"));
}

#[test]
fn what_was_drawn_is_said_on_the_standard_error() {
    let run = wald(&["simulate", "benard_example_2", "--rows", "5"]);
    assert_eq!(run.code, 0);
    assert_eq!(
        run.stderr,
        "benard_example_2, seed 0: `y` by 200 variables, 5 rows; \
         what matters: x1, x41, x81, x121, x161\n"
    );
    let header = run.stdout.lines().next().expect("a header");
    assert!(header.starts_with("x1,x2,") && header.ends_with(",x200,y"), "{header}");
}

#[test]
fn designs_are_listed_where_none_is_named() {
    let run = wald(&["simulate"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    for design in Design::ALL {
        let info = design.info();
        assert!(run.stdout.contains(&format!("{}  {}\n", info.id, info.name)), "{}", run.stdout);
    }
    assert!(run.stdout.contains("\n  matter     the first of each group: x1, x41"));
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let refused = |words: &[&str], code: i32, parts: &[&str]| {
        wald(&[&["simulate"], words].concat()).refused(code, parts);
    };
    refused(&["friedman"], 2, &["is not known", "\"friedman\"", "did you mean `friedman_1`?"]);
    refused(&["zzz"], 2, &["the value of `DESIGN`", "use one of: benard_example_1, "]);
    refused(&["--rows", "10"], 2, &["DESIGN", "is missing"]);
    refused(&["friedman_1", "--rows", "-1"], 2, &["`--rows` is not a whole number"]);
    refused(&["friedman_1", "--rows", "0"], 2, &["0 rows", "`--rows`"]);
    refused(&["friedman_1", "--truth", "--rows", "5"], 2, &["exclude each other"]);
    refused(&["benard_example_2", "--rows", "1e18"], 6, &["201 columns", "draw fewer rows"]);
}

#[test]
fn files_are_replaced_only_where_asked_for() {
    let folder = folder();
    let path = folder.path().join("rows.csv");
    std::fs::write(&path, "mine").expect("written");
    let output = path.to_string_lossy();
    let words = ["simulate", "friedman_1", "--rows", "5", "--output", &output];
    wald(&words).refused(2, &["the output file exists already", "rows.csv", "--force"]);
    let kept = std::fs::read_to_string(&path).expect("a file");
    assert_eq!(kept, "mine");
    let run = wald(&[words.as_slice(), &["--force"]].concat());
    assert_eq!((run.code, run.stdout.as_str()), (0, ""));
    assert!(run.stderr.ends_with("rows.csv\n"), "{}", run.stderr);
    let written = std::fs::read_to_string(&path).expect("a file");
    assert_eq!(written, simulated(&["friedman_1", "--rows", "5"]));
}
