//! `--test`: rows that the forest never saw.

use crate::*;

/// A table of a number, levels, and a target of numbers; levels repeat.
fn table(folder: &TempDir, name: &str, n: usize) -> PathBuf {
    let path = folder.path().join(name);
    let row = |i: usize| format!("{},{},{}", i * 7 % 11, ["u", "v"][i % 2], i * 7 % 11 + i % 3);
    std::fs::write(&path, "a,b,y\n".to_owned() + &rows(n, row)).expect("written");
    path
}

fn with_test(data: &Path, test: &Path, words: &[&str]) -> Run {
    let test = test.to_string_lossy();
    let all = [&["-t", "y", "--trees", "20", "--test", &test], words].concat();
    on("importance", data, &all)
}

#[test]
fn test_rows_are_measured_besides_the_leading_measures() {
    let folder = folder();
    let (data, test) = (table(&folder, "data.csv", 60), table(&folder, "test.csv", 25));
    let run = with_test(&data, &test, &["--format", "json"]);
    let json = run.json();
    let measure = &json["measures"][3];
    assert_eq!((&measure["measure"], &measure["data"]), (&"mda_train_test".into(), &"test".into()));
    assert_eq!(measure["settings"]["test_rows"], "25");
    assert_eq!(measure["standard_errors"], Value::Null);
    assert!(measure["values"][0].as_f64() > measure["values"][1].as_f64());
    assert!(run.stderr.contains("test.csv: 25 test rows"), "{}", run.stderr);
    let repeats = with_test(
        &data,
        &test,
        &["--format", "json", "-m", "mda-train-test", "--permutations", "4"],
    );
    assert_eq!(repeats.json()["measures"][0]["repeats"].as_array().map(Vec::len), Some(4));
    let same = with_test(&data, &data, &[]);
    assert!(same.stderr.contains("the test rows are the training rows"), "{}", same.stderr);
}

#[test]
fn a_stored_forest_without_bags_is_measured_on_test_rows() {
    let folder = folder();
    let (data, test) = (table(&folder, "data.csv", 60), table(&folder, "test.csv", 25));
    let forest = folder.path().join("forest.json").to_string_lossy().into_owned();
    let words = ["-t", "y", "--trees", "20", "--output", &forest];
    assert_eq!(on("fit", &data, &words).code, 0);
    let text = std::fs::read_to_string(&forest).expect("a forest");
    let mut document: Value = serde_json::from_str(&text).expect("JSON");
    for tree in document["trees"].as_array_mut().expect("trees") {
        tree.as_object_mut().expect("a tree").remove("in_bag");
    }
    std::fs::write(&forest, document.to_string()).expect("written");
    let test = test.to_string_lossy();
    let stored = |words: &[&str]| {
        on("importance", &data, &[&["--forest", &forest, "--test", &test], words].concat())
    };
    let json = stored(&["-m", "mda_train_test", "--format", "json"]).json();
    let grown = with_test(&data, test.as_ref().as_ref(), &["--format", "json"]).json();
    assert_eq!(json["measures"][0]["values"], grown["measures"][3]["values"]);
    let all = stored(&["-m", "all", "--format", "json"]);
    let ids: Vec<Value> = all.json()["measures"].as_array().expect("measures").clone();
    assert!(ids.iter().any(|measure| measure["measure"] == "mda_train_test"));
    assert!(!ids.iter().any(|measure| measure["measure"] == "mda_breiman_cutler"));
}

#[test]
fn without_test_rows_the_measure_is_refused_or_left_out() {
    let folder = folder();
    let data = table(&folder, "data.csv", 40);
    let words = ["-t", "y", "--trees", "5", "-m"];
    let run = on("importance", &data, &[&words[..], &["mda-train-test"]].concat());
    run.refused(2, &["`mda_train_test` needs rows that the forest never saw", "--test"]);
    let run = on("importance", &data, &[&words[..], &["all"]].concat());
    assert!(run.code == 0 && !run.stdout.contains("mda_train_test"));
    assert!(run.stderr.contains("needs rows that the forest never saw"), "{}", run.stderr);
}

#[test]
fn bad_test_tables_are_refused() {
    let folder = folder();
    let data = table(&folder, "data.csv", 40);
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path
    };
    let refused = |name: &str, text: &str, code: i32, parts: &[&str]| {
        with_test(&data, &write(name, text), &[]).refused(code, parts);
    };
    refused("no_y.csv", "a,b\n1,u\n", 3, &["no column \"y\"", "no_y.csv"]);
    refused("no_a.csv", "b,y\nu,1\n", 3, &["no column \"a\"", "grown with"]);
    refused("text.csv", "a,b,y\nx,u,1\n", 3, &["holds text", "text.csv:2", "\"x\""]);
    refused("word.csv", "a,b,y\n1,u,x\n", 3, &["word.csv:2", "column \"y\""]);
    refused("none.csv", "a,b,y\n1,u,\n", 3, &["no row has the target \"y\""]);
    refused("empty.csv", "", 3, &["empty.csv"]);
    let nothing = with_test(&data, Path::new("nowhere.csv"), &[]);
    nothing.refused(5, &["no such file", "nowhere.csv"]);
    let unused = with_test(&data, &data, &["-m", "mdi"]);
    unused.refused(2, &["does not offer `--test`", "such as `mda_train_test`"]);
    let both = on("importance", Path::new("-"), &["-t", "y", "--test", "-"]);
    both.refused(2, &["two tables are to be read from the standard input"]);
    let output = data.with_file_name("test.csv");
    std::fs::copy(&data, &output).expect("copied");
    let same = ["--output", &output.to_string_lossy(), "--force"];
    with_test(&data, &output, &same).refused(2, &["would overwrite an input"]);
}

#[test]
fn new_levels_and_rows_without_a_target_are_told() {
    let folder = folder();
    let data = table(&folder, "data.csv", 40);
    let test = folder.path().join("test.csv");
    std::fs::write(&test, "y,extra,b,a\n1,x,u,1\n,x,u,2\n3,x,w,3\n4,x,w,\n").expect("written");
    let run = with_test(&data, &test, &["-m", "mda_train_test"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for part in ["3 test rows", "1 row dropped", "levels in 2 rows", "\"w\""] {
        assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
    }
}

#[test]
fn the_legend_says_over_what_every_standard_error_is_taken() {
    let folder = folder();
    let data = table(&folder, "data.csv", 40);
    let words = ["-t", "y", "--trees", "10", "-m", "mda-breiman-cutler", "-m", "sage"];
    let run = on("importance", &data, &[&words[..], &["--samples", "20"]].concat());
    let line = |of: &str| {
        let found = run.stdout.split("\n\n").find(|part| part.contains(of));
        found.unwrap_or_else(|| panic!("{of}: {}", run.stdout)).replace("\n  ", " ")
    };
    let (over_trees, over_samples) = (line("± of mda_breiman_cutler"), line("± of sage"));
    assert!(over_trees.contains("standard error over trees"), "{over_trees}");
    assert!(over_samples.contains("over samples of rows and orders"), "{over_samples}");
}

/// Where time is over before the precision asked for, SAGE stops after the first look, reports it,
/// and reports the errors reached.
#[test]
fn sampling_stops_when_the_time_is_over() {
    let folder = folder();
    let data = folder.path().join("data.csv");
    // Three variables act together, so that orders matter; of six variables not all are taken.
    let row = |i: usize| {
        let (a, b, c, d) = (i % 3, i * 7 % 5, i * 11 % 7, i * 13 % 4);
        format!("{a},{b},{c},{d},{},{},{}", i * 17 % 5, i * 19 % 6, a * b * c + d)
    };
    std::fs::write(&data, "a,b,c,d,e,f,y\n".to_owned() + &rows(60, row)).expect("written");
    let words = ["-t", "y", "--trees", "10", "-m", "sage", "--precision", "1e-6"];
    let hurried =
        |words: &[&str]| on("importance", &data, &[words, &["--time-budget", "0"][..]].concat());
    let run = hurried(&[&words[..], &["--format", "json"]].concat());
    let json = run.json();
    let found = &json["measures"][0];
    // Four visits of all rows, with two orders each.
    assert_eq!(found["settings"]["samples"], "480");
    let errors = found["standard_errors"].as_array().expect("errors");
    assert!(errors.iter().all(|error| error.as_f64().is_some_and(f64::is_finite)), "{errors:?}");
    let notes = found["notes"].to_string();
    assert!(notes.contains("sampling ended when its time was over"), "{notes}");
    let again = hurried(&[&words[..], &["--format", "json"]].concat()).json();
    assert_eq!(json["measures"], again["measures"]);
    let shown = hurried(&words);
    assert!(shown.stdout.contains("±"), "{}", shown.stdout);
    let text = (shown.stdout + &shown.stderr).replace("\n  ", " ");
    assert!(text.contains("sampling ended when its time was over"), "{text}");
    // Without a budget there is no such note.
    let words = ["-t", "y", "--trees", "10", "-m", "sage", "--format", "json"];
    let notes = on("importance", &data, &words).json()["measures"][0]["notes"].to_string();
    assert!(!notes.contains("time was over"), "{notes}");
}
