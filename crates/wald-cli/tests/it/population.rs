//! Exact importances of distributions.

use crate::*;

/// X1 is Y, X2 its copy that is wrong with probability 0.05.
const NOISY_COPY: &str = "x1,x2,y,p\na,a,no,0.475\na,b,no,0.025\nb,a,yes,0.025\nb,b,yes,0.475\n";

fn file(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("written");
    path
}

/// Table 1 of Louppe et al. (2013).
fn digits() -> PathBuf {
    data("led7.csv")
}

fn population(path: &Path, words: &[&str]) -> Run {
    on("population", path, words)
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|number| number.as_f64().expect("one")).collect()
}

#[track_caller]
fn assert_near(found: &Value, expected: &[f64]) {
    let found = numbers(found);
    assert_eq!(found.len(), expected.len());
    let near = found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-6);
    assert!(near, "{found:?} {expected:?}");
}

#[test]
fn the_document_has_what_was_asked_for() {
    let words = ["--target", "digit", "--impurity", "entropy", "--format", "json"];
    let json = population(&digits(), &words).json();
    let exact = [0.412_693, 0.581_541, 0.531_156, 0.542_129, 0.656_582, 0.225_816, 0.372_011];
    assert_near(&json["values"], &exact);
    assert_eq!((&json["impurity"], &json["target"]), (&"entropy".into(), &"digit".into()));
    assert_eq!(json["features"][6], "x7");
    assert!((json["total"].as_f64().expect("a number") - 10_f64.log2()).abs() < 1e-12);
    let degrees = json["by_degree"].as_array().expect("lists");
    assert!(degrees.iter().all(|of| of.as_array().is_some_and(|of| of.len() == 7)));
    let relevance =
        serde_json::json!(["strong", "strong", "strong", "strong", "strong", "weak", "weak"]);
    assert_eq!(json["relevance"], relevance);
    assert_eq!(json["marginal"], serde_json::json!([true, true, true, true, true, true, true]));
    for absent in ["local", "by_mtry", "terms", "standard_errors", "depth", "subspace", "samples"] {
        assert!(json[absent].is_null(), "{absent}");
    }
}

#[test]
fn trees_of_all_kinds_can_be_asked_for() {
    let path = digits();
    let json = |words: &[&str]| {
        let common = ["--target", "digit", "--impurity", "entropy", "--format", "json"];
        population(&path, &[&common, words].concat()).json()
    };
    let chosen = [0.327_230, 0.717_187, 0.496_343, 0.484_715, 0.776_174, 0.126_821, 0.393_459];
    assert_near(&json(&["--mtry", "3"])["values"], &chosen);
    let all = json(&["--mtry", "all", "--terms", "2"]);
    assert_near(&all["by_mtry"][2], &chosen);
    assert_near(&all["by_mtry"][0], &numbers(&all["values"]));
    let terms = all["terms"][4].as_array().expect("terms");
    assert_eq!((terms.len(), &terms[0]["known"]), (2, &serde_json::json!([])));
    assert_near(&serde_json::json!([terms[0]["information"]]), &[0.970_951]);
    let pruned = json(&["--depth", "2"]);
    let shallow = [0.188_072, 0.264_276, 0.193_863, 0.240_046, 0.261_787, 0.122_882, 0.223_626];
    assert_near(&pruned["values"], &shallow);
    assert_near(&json(&["--subspace", "2"])["values"], &shallow);
    let levels = json(&["--mtry", "7", "--depth", "1"]);
    assert_near(&levels["values"], &[0.0, 0.485_475, 0.0, 0.0, 0.485_475, 0.0, 0.0]);
}

#[test]
fn probabilities_and_points_are_read_and_written() {
    let folder = folder();
    let path = file(&folder, "copy.csv", NOISY_COPY);
    let words = ["--target", "y", "--probability", "p", "--local", "--format", "json"];
    let json = population(&path, &words).json();
    assert_near(&json["values"], &[0.643_198, 0.356_802]);
    assert_eq!(json["relevance"], serde_json::json!(["strong", "weak"]));
    let local = &json["local"];
    assert_eq!(local["rows"][1], serde_json::json!(["a", "b"]));
    assert_near(&local["probabilities"], &[0.475, 0.025, 0.025, 0.475]);
    assert_near(&local["values"][1], &[0.643_198, 0.356_802]);
    assert_eq!(local["irrelevant"][3], serde_json::json!([false, false]));
    // Counts are probabilities up to a factor.
    let counts = NOISY_COPY.replace("0.475", "19").replace("0.025", "1");
    let counted = population(&file(&folder, "counts.csv", &counts), &words).json();
    assert_near(&counted["values"], &[0.643_198, 0.356_802]);
}

#[test]
fn tables_of_lines_say_the_same() {
    let folder = folder();
    let path = file(&folder, "copy.csv", NOISY_COPY);
    let csv = |words: &[&str]| {
        let common = ["--target", "y", "--probability", "p", "--format", "csv", "--quiet"];
        let run = population(&path, &[&common, words].concat());
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        run.stdout
    };
    let text = csv(&["--mtry", "2"]);
    let expected = "variable,importance,relevance,marginal,degree_0,degree_1\n\
                    x1,1,strong,1,1,0\nx2,0,weak,1,0,0\n";
    assert_eq!(text, expected);
    let points = csv(&["--local", "--mtry", "2"]);
    let mut lines = points.lines();
    assert_eq!(lines.next(), Some("point,probability,variable,category,importance,irrelevant"));
    assert_eq!(lines.next(), Some("1,0.475,x1,a,1,0"));
    assert_eq!(lines.count(), 7);
    // x1 is y, of one bit: half of it without x2, and half of H(.05), what remains of y, where x2 is known.
    let terms = csv(&["--terms", "1"]);
    let mut lines = terms.lines();
    assert_eq!(lines.next(), Some("variable,importance,degree,known,information,contribution"));
    let first = lines.next().expect("a term of x1");
    let cells: Vec<&str> = first.split(',').collect();
    assert_eq!((cells[0], cells[2], cells[3]), ("x1", "0", ""));
    let of_x1 = [cells[1], cells[4], cells[5]].map(|cell| cell.parse::<f64>().expect("a number"));
    assert_near(&serde_json::json!(of_x1), &[0.643_198, 1.0, 0.5]);
    assert_eq!(lines.count(), 1);
    let both = csv(&["--terms", "5"]);
    assert!(both.lines().any(|line| line.starts_with("x1,") && line.contains(",1,x2,")), "{both}");
    let sampled = csv(&["--samples", "50"]);
    assert!(sampled.starts_with("variable,importance,standard_error,relevance,"), "{sampled}");
}

#[test]
fn the_ranking_is_readable() {
    let words =
        ["--target", "digit", "--impurity", "entropy", "--terms", "1", "--mtry", "all", "--local"];
    let run = population(&digits(), &words);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let first = run.stdout.lines().nth(1).expect("a ranking");
    assert!(
        first.starts_with("1  x5            0.6566  19.8 %  ███") && first.ends_with("█  strong")
    );
    for part in [
        "\nBy degree: ",
        "\nBy mtry: ",
        "\nLargest terms\n",
        "\nAt every point: ",
        "3.3219 bits of 3.3219 bits",
    ] {
        assert!(run.stdout.contains(part), "{part} is not in\n{}", run.stdout);
    }
    assert!(run.stderr.contains("`digit` by 7 variables, 10 combinations of their values"));
    // Notes on rows to learn from would mislead here.
    assert!(!run.stderr.contains("single row"), "{}", run.stderr);
    let run = population(&digits(), &["--target", "digit"]);
    assert!(run.stderr.contains("taken as a number; if its values are classes"), "{}", run.stderr);
}

#[test]
fn pictures_are_complete_files() {
    let folder = folder();
    let path = digits();
    let svg = folder.path().join("picture.svg");
    let words = ["--target", "digit", "--impurity", "entropy", "--mtry", "all", "--svg"];
    let name = svg.to_string_lossy();
    let words = [&words[..], &[&name]].concat();
    let run = population(&path, &words);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("wrote ") && run.stdout.starts_with("   variable"));
    let picture = std::fs::read_to_string(&svg).expect("a picture");
    assert!(picture.starts_with("<svg xmlns=") && picture.ends_with("</svg>\n"));
    // Seven bars of at most seven parts, and seven lines.
    assert_eq!(picture.matches("<g><path").count(), 7);
    assert!((43..=50).contains(&picture.matches("<rect").count()));
    assert!(!picture.contains("NaN") && !picture.contains("href"));
    population(&path, &words).refused(2, &["exists already", "--force"]);
    let same = ["--target", "digit", "--svg", "-"];
    population(&path, &same).refused(2, &["go to the same place"]);
}

#[test]
fn groups_and_missing_values_have_their_place() {
    let folder = folder();
    let path = file(&folder, "holes.csv", "a,b,y\n0,,no\n0,1,yes\n1,,yes\n1,1,no\n");
    let words = ["--target", "y", "--format", "json", "--local", "--group", "both=a,b"];
    let json = population(&path, &words).json();
    assert_eq!(json["features"], serde_json::json!(["both"]));
    assert_near(&json["values"], &[1.0]);
    let rows = serde_json::json!([[[0.0, 1.0]], [[0.0, null]], [[1.0, 1.0]], [[1.0, null]]]);
    assert_eq!(json["local"]["rows"], rows);
    let words = ["--target", "y", "--missing", "omit", "--format", "json"];
    assert_eq!(population(&path, &words).json()["n_points"], 2);
}

#[test]
fn what_is_wrong_is_said() {
    let folder = folder();
    let path = file(&folder, "copy.csv", NOISY_COPY);
    let refused = |words: &[&str], code: i32, parts: &[&str]| {
        population(&path, words).refused(code, parts);
    };
    refused(&[], 2, &["`--target <COLUMN>` is missing"]);
    refused(&["--target", "z"], 3, &["there is no column \"z\"", "copy.csv"]);
    let y = ["--target", "y"];
    let with = |words: &[&'static str]| [&y, words].concat();
    refused(&with(&["--probability", "q"]), 3, &["there is no column \"q\""]);
    refused(
        &with(&["--probability", "x1"]),
        3,
        &["cannot be used as probabilities: it holds text"],
    );
    refused(&with(&["--mtry", "0"]), 2, &["the best of 0 variables", "between 1 and 3"]);
    refused(&with(&["--mtry", "4"]), 2, &["the best of 4 variables", "there are 3"]);
    refused(&with(&["--mtry", "some"]), 2, &["`--mtry` is not a number of variables", "`all`"]);
    refused(&with(&["--depth", "0"]), 2, &["at least one split", "--depth"]);
    refused(&with(&["--depth", "4"]), 2, &["trees of 4 levels", "between 1 and 3"]);
    refused(&with(&["--subspace", "4"]), 2, &["a subspace of 4 variables"]);
    refused(&with(&["--subspace", "2", "--mtry", "2"]), 2, &["totally randomized trees"]);
    refused(&with(&["--subspace", "2", "--depth", "2"]), 2, &["exclude each other"]);
    refused(&with(&["--samples", "10", "--local"]), 2, &["exclude each other"]);
    refused(&with(&["--samples", "1"]), 2, &["1 samples", "at least two"]);
    refused(&with(&["--samples", "10", "--mtry", "all"]), 2, &["one kind at a time"]);
    refused(&with(&["--impurity", "variance"]), 3, &["regression needs numbers"]);
    refused(&with(&["--impurity", "entrop"]), 2, &["did you mean `entropy`?"]);
    refused(&with(&["--limit", "0"]), 2, &["leaves no time"]);
    let negative =
        file(&folder, "negative.csv", &NOISY_COPY.replace("b,a,yes,0.025", "b,a,yes,-0.025"));
    population(&negative, &with(&["--probability", "p"]))
        .refused(3, &["a probability is negative", "negative.csv:4, column \"p\"", "\"-0.025\""]);
    let none = file(&folder, "none.csv", "x,y,p\na,0,0\nb,1,0\n");
    population(&none, &with(&["--probability", "p"]))
        .refused(3, &["all probabilities", "are zero"]);
}

#[test]
fn continuous_inputs_are_refused() {
    let text = "x,y\n".to_owned() + &rows(60, |row| format!("{}.5,{}", row * row, row % 3));
    let folder = folder();
    let path = file(&folder, "continuous.csv", &text);
    let words = ["--target", "y", "--impurity", "gini"];
    let refusal =
        ["60 different numbers in 60 rows", "continuous.csv, column \"x\"", "a few classes"];
    population(&path, &words).refused(3, &refusal);
    // Numbers that are names can be anything.
    let run = population(&path, &[&words[..], &["--categorical", "x"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("60 rows are 60 different combinations"), "{}", run.stderr);
}

#[test]
fn what_is_too_large_is_refused_with_the_estimate_or_sampled() {
    let folder = folder();
    let names: Vec<String> = (0..34).map(|v| format!("x{v}")).collect();
    let cell = |row: usize, v: usize| (row * 7919 + v * v * 31 + row * row * v) >> 3 & 1;
    let line = |row: usize| {
        let cells: Vec<String> = (0..34).map(|v| cell(row, v).to_string()).collect();
        format!("{},{}", cells.join(","), cell(row, 0) + 2 * cell(row, 1))
    };
    let path = file(&folder, "wide.csv", &format!("{},y\n{}", names.join(","), rows(100, line)));
    let words = ["--target", "y", "--impurity", "entropy"];
    let parts =
        ["34 variables with", "GB of memory; the limits are 60 seconds", "`--samples 1000`"];
    population(&path, &words).refused(6, &parts);
    let sampled = [&words[..], &["--samples", "40", "--format", "json", "--seed", "2"]].concat();
    let json = population(&path, &sampled).json();
    assert_eq!((json["samples"].as_u64(), numbers(&json["standard_errors"]).len()), (Some(40), 34));
    let sum: f64 = numbers(&json["values"]).iter().sum();
    assert!((sum - json["total"].as_f64().expect("a number")).abs() < 1e-9);
    assert_eq!(json, population(&path, &[&sampled[..], &["--threads", "1"]].concat()).json());
}
