//! Every command on good input.

use crate::*;

#[test]
fn importance_writes_the_json_that_the_interface_promises() {
    let run = on(
        "importance",
        &cancer(),
        &["--target", "benign", "--trees", "10", "--format", "json", "--measure", "all"],
    );
    let json = run.json();
    assert_eq!(json["wald"], env!("CARGO_PKG_VERSION"));
    assert_eq!(json["task"], "classification");
    assert_eq!(json["target"], "benign");
    assert_eq!(json["n_rows"], 569);
    assert_eq!(json["classes"], serde_json::json!(["0", "1"]));
    let features = json["features"].as_array().expect("names");
    assert_eq!(features.len(), 30);
    assert_eq!(features[0], "mean_radius");
    let forest = &json["forest"];
    assert_eq!(forest["n_trees"], 10);
    assert_eq!(forest["mtry"], 5);
    assert_eq!(forest["min_node_size"], 1);
    assert_eq!(forest["seed"], 0);
    assert_eq!(forest["sampling"], "bootstrap");
    assert_eq!(forest["impurity"], "gini");
    for loss in ["squared", "zero_one", "log"] {
        assert!(forest["oob_error"][loss].is_f64(), "{loss}");
    }
    assert!(forest["explained_variance"].as_f64().is_some_and(|share| share > 0.5));
    assert_eq!((&json["format"], &json["version"]), (&"wald-result".into(), &2.into()));
    let measures = json["measures"].as_array().expect("measures");
    let ids: Vec<&str> =
        measures.iter().filter_map(|measure| measure["measure"].as_str()).collect();
    assert!(ids.starts_with(&["mdi", "mdi_oob"]), "{ids:?}");
    assert!(ids.contains(&"mda_breiman_cutler") && ids.contains(&"sobol_mda"), "{ids:?}");
    for measure in measures {
        let values = measure["values"].as_array().expect("values");
        assert_eq!(values.len(), 30);
        assert!(values.iter().all(|value| value.is_number() || value.is_null()));
        assert!(measure["standard_errors"].is_array() || measure["standard_errors"].is_null());
        assert!(measure["settings"].is_object() && measure["notes"].is_array());
        assert!(measure.get("per_class").is_some());
    }
    assert_eq!(measures[0]["data"], "training");
    assert_eq!(measures[0]["loss"], Value::Null);
    let permuted = measures.iter().find(|measure| measure["measure"] == "mda_breiman_cutler");
    let permuted = permuted.expect("all measures");
    assert_eq!(
        permuted["data"].as_str().zip(permuted["loss"].as_str()),
        Some(("out_of_bag", "squared"))
    );
}

#[test]
fn regression_has_no_classes() {
    let run = on(
        "importance",
        &penguins(),
        &["body_mass_g ~ . - year", "--trees", "5", "--format", "json"],
    );
    let json = run.json();
    assert_eq!(json["task"], "regression");
    assert_eq!(json["classes"], Value::Null);
    assert_eq!(json["n_rows"], 342);
    assert_eq!(json["forest"]["min_node_size"], 5);
    assert!(json["forest"]["oob_error"]["absolute"].is_f64());
    assert!(run.stderr.contains("2 rows dropped because the target \"body_mass_g\" is missing"));
}

#[test]
fn formulas_name_the_variables() {
    let formula = ["species ~ island + sex", "--trees", "3", "--format", "json", "--quiet"];
    let run = on("importance", &penguins(), &formula);
    assert_eq!(run.json()["features"], serde_json::json!(["island", "sex"]));
    assert_eq!(run.stderr, "");
    let minus = ["species ~ . - year", "--trees", "3", "--format", "json"];
    let features = on("importance", &penguins(), &minus).json()["features"].clone();
    assert_eq!(features.as_array().map(Vec::len), Some(6));
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let bytes = |threads: &str| {
        let words = ["-t", "benign", "--trees", "12", "--format", "json", "-m", "all"];
        let words: Vec<&str> = words.into_iter().chain(["--threads", threads]).collect();
        on("importance", &cancer(), &words).stdout
    };
    let one = bytes("1");
    assert!(one.len() > 1000);
    for threads in ["2", "3", "7"] {
        assert_eq!(bytes(threads), one, "{threads} threads");
    }
}

#[test]
fn random_permutations_follow_the_seed() {
    let bytes = |seed: &str| {
        let words = ["-t", "species", "--trees", "5", "--format", "json", "--permutations", "3"];
        let words: Vec<&str> = words.into_iter().chain(["--seed", seed]).collect();
        on("importance", &penguins(), &words).stdout
    };
    assert_eq!(bytes("7"), bytes("7"));
    assert_ne!(bytes("7"), bytes("8"));
}

#[test]
fn the_table_ranks_by_the_first_measure() {
    let words = ["-t", "species", "--trees", "20", "-m", "mda-breiman-cutler,mdi"];
    let run = on("importance", &penguins(), &words);
    assert_eq!(run.code, 0);
    let first = run.stdout.lines().find(|line| line.trim_start().starts_with("1  "));
    assert!(first.is_some_and(|line| line.contains("bill_length_mm") && line.contains('█')));
    let columns = run.stdout.lines().next().unwrap_or_default();
    assert!(columns.contains("mda_breiman_cutler") && columns.ends_with("mdi"), "{columns}");
    assert!(run.stdout.contains("mda_breiman_cutler: Permutation importance"));
    assert!(!run.stdout.contains('\u{1b}'), "no colours away from a terminal");
}

#[test]
fn outside_utf8_and_on_dumb_terminals_the_table_is_ascii() {
    let words = ["importance", "DATA", "-t", "species", "--trees", "3", "-m", "split_count"];
    let mut arguments: Vec<std::ffi::OsString> = words.iter().map(Into::into).collect();
    arguments[1] = penguins().into();
    for (name, value) in [("LC_ALL", "C"), ("TERM", "dumb")] {
        let run = finish(command(&arguments).env(name, value));
        assert!(run.stdout.is_ascii() && run.stdout.contains("####"), "{}", run.stdout);
    }
    let run = finish(command(&arguments).env("NO_COLOR", "1").env_remove("HOME"));
    assert!(run.code == 0 && !run.stdout.contains('\u{1b}'));
}

#[test]
fn csv_has_one_row_per_measure_and_variable() {
    let folder = folder();
    let table = folder.path().join("odd.csv");
    let rows = rows(30, |i| format!("{i},{},{}", i * i % 7, i % 5));
    std::fs::write(&table, format!("=cmd(),\"a,b\",y\n{rows}")).expect("written");
    let run = on("importance", &table, &["-t", "y", "--trees", "5", "--format", "csv"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[0], "measure,data,loss,class,variable,value,standard_error");
    assert_eq!(lines.len(), 7);
    assert!(lines[1].starts_with("mdi,training,,,\"'=cmd()\","), "{}", lines[1]);
    assert!(lines[4].starts_with("mda_breiman_cutler,out_of_bag,squared,,\"a,b\","));
    assert!(lines[6].starts_with("sobol_mda,out_of_bag,squared,,\"a,b\","));
}

#[test]
fn report_writes_a_page_and_prints_the_ranking() {
    let folder = folder();
    let data = penguins();
    let words = ["--target", "species", "--trees", "10"];
    let mut command = command(&[OsStr::new("report"), data.as_os_str()]);
    let run = finish(command.args(words).current_dir(folder.path()));
    assert_eq!(run.code, 0, "{}", run.stderr);
    let first = "Of the variance of the classes of species, bill_length_mm accounts for";
    assert!(run.stdout.starts_with(first), "{}", run.stdout);
    assert!(run.stdout.contains("\nOut of bag: misclassified share 0."), "{}", run.stdout);
    assert!(run.stdout.contains("mda_breiman_cutler") && run.stdout.contains("bill_length_mm"));
    assert!(run.stderr.contains("classification into 3 classes"), "{}", run.stderr);
    assert!(run.stderr.ends_with("wrote report.html\n"), "{}", run.stderr);
    let page = std::fs::read_to_string(folder.path().join("report.html")).expect("a page");
    assert!(page.to_lowercase().starts_with("<!doctype html>") && page.contains("bill_length_mm"));
    // What is advised for selecting variables comes first.
    let names = ["Sobol-MDA", "<h3>Mean decrease in impurity", "<h3>Permutation importance"];
    let places = names.map(|name| page.find(name));
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}");
    assert!(page.contains("penguins.csv"));
    let again = finish(&mut command);
    again.refused(2, &["the output file exists already", "report.html", "--force"]);
    let forced = finish(command.arg("--force"));
    assert_eq!(forced.code, 0);
}

#[test]
fn reports_tell_how_long_parts_took_and_write_what_they_show() {
    let folder = folder();
    let data = penguins();
    let report = |words: &[&str]| {
        let mut command = command(&[OsStr::new("report"), data.as_os_str()]);
        command.args(["-t", "species", "--trees", "8", "--force", "--json", "report.json"]);
        let run = finish(command.args(words).current_dir(folder.path()));
        assert_eq!(run.code, 0, "{}", run.stderr);
        let text = std::fs::read_to_string(folder.path().join("report.json")).expect("written");
        let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        (json, run.stderr)
    };
    let (full, messages) = report(&[]);
    let line = messages.lines().find(|line| line.contains("parts of the report took: "));
    let line = line.expect("a line of seconds");
    for part in ["advice", "dependence", "intervals", "disagreement", "selection", "single rows"] {
        assert!(line.contains(&format!("{part} ")), "{line}");
        assert!(!full.to_string().contains(line));
    }
    for part in ["advice", "disagreement", "dependence", "selection", "explanations"] {
        assert!(full[part].is_object(), "{part}");
    }
    assert_eq!(
        full["variables"].as_array().map(Vec::len),
        full["data"]["n_features"].as_u64().map(|n| n as usize)
    );
    assert!(full["measures"][0]["ranking"][0]["sampling"]["lowest_rank"].is_u64());
    let (quick, _) = report(&["--quick", "--no-explanations"]);
    for part in ["advice", "selection", "explanations"] {
        assert!(quick[part].is_null(), "{part}");
    }
    assert!(quick["disagreement"].is_object() && quick["dependence"].is_object());
    assert!(quick["measures"][0]["sampling"].is_null());
    // Numbers that do not depend on other forests are the same.
    let heights = |report: &serde_json::Value| {
        let merges = report["dependence"]["merges"].as_array().expect("a list").clone();
        let height = |merge: &serde_json::Value| merge["dependence"].as_f64().expect("a number");
        merges.iter().map(|merge| format!("{:.9}", height(merge))).collect::<Vec<_>>()
    };
    assert_eq!(heights(&full), heights(&quick));
    let values = |report: &serde_json::Value| {
        let measures = report["measures"].as_array().expect("a list").clone();
        let mut measures: Vec<String> = measures
            .iter()
            .map(|measure| format!("{} {}", measure["id"], measure["ranking"][0]["value"]))
            .collect();
        measures.sort();
        measures
    };
    // The full report also has what it recommends.
    let (mut all, quick) = (values(&full), values(&quick));
    all.retain(|value| !value.starts_with("\"shapley_effects\""));
    assert_eq!((all, quick.len()), (quick.clone(), 3));
    assert_eq!(full["measures"].as_array().map(Vec::len), Some(4));
}

#[test]
fn equal_reports_are_equal_bytes() {
    let data = penguins();
    let page = || {
        let words = ["-t", "species", "--trees", "3", "--output", "-", "--quiet"];
        let mut command = command(&[OsStr::new("report"), data.as_os_str()]);
        finish(command.args(words).env("SOURCE_DATE_EPOCH", "1795219200"))
    };
    let first = page();
    assert_eq!((first.code, first.stderr.as_str()), (0, ""));
    assert!(first.stdout.contains("2026-11-21"));
    assert_eq!(first.stdout, page().stdout);
}

#[test]
fn measures_are_listed() {
    let run = wald(&["measures"]);
    assert_eq!(run.code, 0);
    for word in ["mdi  Mean decrease in impurity", "estimates", "caveat", "source"] {
        assert!(run.stdout.contains(word), "{word}");
    }
    let json = wald(&["measures", "--format", "json"]).json();
    for key in ["id", "name", "estimand", "caveat", "source", "cost", "needs"] {
        assert!(!json[0][key].is_null(), "{key}");
    }
}

#[test]
fn help_starts_with_examples() {
    for arguments in [vec!["--help"], vec!["report", "--help"], vec!["measures", "-h"]] {
        let run = wald(&arguments);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        assert!(run.stdout.starts_with("Examples:\n  wald "), "{arguments:?}");
    }
    assert!(wald(&["importance", "--help"]).stdout.contains("minimal_depth: Minimal depth"));
    let version = wald(&["--version"]);
    assert_eq!(version.stdout, format!("wald {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn parquet_output_reads_back_as_a_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ranking.parquet").to_string_lossy().into_owned();
    let words = ["-t", "species", "--trees", "5", "--format", "parquet", "--output", &path];
    assert_eq!(on("importance", &penguins(), &words).code, 0);
    // One row per measure and variable, and the values of the CSV output.
    let table = wald_table::read(path.as_ref(), &wald_table::ReadOptions::default());
    let table = table.expect("a Parquet file");
    let names: Vec<&str> = table.names().collect();
    let expected = ["measure", "data", "loss", "class", "variable", "value", "standard_error"];
    assert_eq!((names.as_slice(), table.n_rows()), (expected.as_slice(), 21));
    let csv = on("importance", &penguins(), &["-t", "species", "--trees", "5", "--format", "csv"]);
    let first = csv.stdout.lines().nth(1).and_then(|line| line.split(',').nth(5));
    let first: f64 = first.and_then(|cell| cell.parse().ok()).expect("a number");
    let value = table.column("value").expect("named above");
    let Ok(wald_table::Values::Numeric { values, .. }) = &value.values else {
        panic!("values are numbers")
    };
    assert_eq!(values[0], first);
}

#[test]
fn values_of_every_tree_are_given_when_asked_for() {
    let words = ["-t", "species", "--trees", "5", "--format", "json", "-m", "mdi"];
    let with = [words.as_slice(), &["--per-tree"]].concat();
    let (plain, with) =
        (on("importance", &penguins(), &words), on("importance", &penguins(), &with));
    let object = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
    assert!(object(&plain.stdout)["measures"][0]["per_tree"].is_null());
    let measure = &object(&with.stdout)["measures"][0];
    let trees = measure["per_tree"].as_array().expect("one row per tree");
    assert_eq!(trees.len(), 5);
    for feature in 0..7 {
        let sum: f64 = trees.iter().filter_map(|tree| tree[feature].as_f64()).sum();
        let mean = measure["values"][feature].as_f64().expect("defined");
        assert!((sum / 5.0 - mean).abs() < 1e-12);
    }
}
