//! `wald uncertainty`.

use crate::*;

const FEW: [&str; 10] = [
    "--target",
    "species",
    "--trees",
    "30",
    "--subsamples",
    "12",
    "--subsample-trees",
    "20",
    "--measure",
    "mdi",
];

fn uncertainty(words: &[&str]) -> Run {
    on("uncertainty", &penguins(), &[&FEW[..], words].concat())
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

#[test]
fn json_has_both_parts_of_the_error_and_what_follows_from_them() {
    let json = uncertainty(&["--null-forests", "9", "--format", "json"]).json();
    assert_eq!((&json["errors"], &json["confidence"]), (&"subsampling".into(), &0.9.into()));
    assert_eq!((&json["null"], &json["adjustment"]), (&"permuted".into(), &"holm".into()));
    let features = json["features"].as_array().expect("names");
    let json = &json["measures"][0];
    assert_eq!((&json["id"], &json["n_subsamples"]), (&"mdi".into(), &12.into()));
    for index in 0..features.len() {
        let of = |name: &str| number(&json[name][index]);
        let both = of("monte_carlo_errors").hypot(of("sampling_errors"));
        assert!((of("standard_errors") - both).abs() < 1e-12);
        let ends = |name: &str| {
            let interval = &json[name][index];
            (number(&interval["low"]), number(&interval["high"]))
        };
        let (low, high) = ends("intervals");
        // The normal quantile of .95; further up, for errors grow with the importance.
        let (value, reach) = (of("values"), 1.644_853_627 * both);
        assert!((value - reach - low).abs() < 1e-9);
        let further = (reach * reach / (2.0 * value.max(1e-12))).min(2.0 * value.max(0.0));
        assert!((value + reach + further - high).abs() < 1e-9);
        let (all_low, all_high) = ends("simultaneous_intervals");
        assert!(all_low <= low && high <= all_high);
        let (first, last) = ends("rank_intervals");
        assert!(1.0 <= first && first <= last && last <= features.len() as f64);
        assert!(of("adjusted_p_values") >= of("p_values") && of("p_values") >= 0.1);
    }
    assert_eq!(json["trees_to_separate"].as_array().expect("pairs").len(), features.len() - 1);
    // The importances are those of `wald importance`.
    let words = ["--target", "species", "--trees", "30", "-m", "mdi", "--format", "json"];
    let alone = on("importance", &penguins(), &words).json();
    assert_eq!(alone["measures"][0]["values"], json["values"]);
    assert_eq!(alone["measures"][0]["standard_errors"], json["monte_carlo_errors"]);
}

#[test]
fn tables_and_csv_agree() {
    let table = uncertainty(&[]).stdout;
    assert!(table.contains("interval") && table.contains("± rows"), "{table}");
    assert!(!table.contains("adjusted"), "no tests were requested:\n{table}");
    let csv = uncertainty(&["--null-forests", "3", "--format", "csv"]).stdout;
    let head = "measure,variable,value,monte_carlo_error,sampling_error,standard_error,low,high,\
                simultaneous_low,simultaneous_high,lowest_rank,highest_rank,p_value,\
                adjusted_p_value";
    assert_eq!(csv.lines().next(), Some(head));
    let table =
        uncertainty(&["--null-forests", "3", "--multiple-testing", "benjamini-hochberg"]).stdout;
    assert!(table.contains("adjusted by Benjamini & Hochberg"), "{table}");
    let names: Vec<&str> = csv.lines().skip(1).filter_map(|line| line.split(',').nth(1)).collect();
    assert!(names.iter().all(|name| table.contains(name)), "{table}");
}

#[test]
fn what_cannot_be_is_refused_before_data_are_read() {
    let refused = |words: &[&str], parts: &[&str]| {
        let all = [&["uncertainty", "none.csv", "--target", "y"], words].concat();
        wald(&all).refused(2, parts);
    };
    refused(&["--confidence", "1"], &["the confidence is 1", "0.9"]);
    refused(&["--subsamples", "1"], &["`--subsamples` is 1"]);
    refused(&["--subsample-fraction", "1.5"], &["`--subsample-fraction` is 1.5"]);
    refused(&["--subsample-trees", "0"], &["`--subsample-trees` is 0"]);
    refused(&["--null-forests", "0"], &["`--null-forests` is 0"]);
    refused(&["--multiple-testing", "bonferroni", "--null-forests", "9"], &["bonferroni", "holm"]);
    refused(&["--multiple-testing", "holm"], &["no p-values are requested", "--null-distribution"]);
    refused(&["--null-distribution", "guessed"], &["guessed", "permuted"]);
    refused(
        &["--null-distribution", "mirrored", "--null-forests", "9"],
        &["`--null-forests` does not apply to mirrored p-values"],
    );
    refused(&["--null-distribution", "shadow", "--null-forests", "2"], &["`--null-forests` is 2"]);
    refused(
        &["--variance", "jackknife"],
        &["sobol_mda", "mdi, split_count and minimal_depth", "`--variance jackknife`"],
    );
    let jackknife = ["--variance", "jackknife", "--measure", "mdi", "--subsamples", "9"];
    refused(&jackknife, &["grows no forests on subsamples", "--subsamples"]);
    refused(&["--measure", "all"], &["by name"]);
    refused(&["--measure", "mda_train_test"], &["measures of training or out-of-bag rows"]);
    refused(&["--forest", "f", "--trees", "9"], &["--forest"]);
    uncertainty(&["--subsample-fraction", "0.001"]).refused(3, &["independent rows"]);
}

/// Several measures share the forests: each has the numbers that it has alone.
#[test]
fn several_measures_at_once() {
    let words = ["--null-distribution", "shadow", "--null-forests", "6", "--format", "json"];
    let with = |measures: &str| {
        let few = FEW[..FEW.len() - 1].iter().copied().chain([measures]).chain(words);
        on("uncertainty", &penguins(), &few.collect::<Vec<_>>()).json()
    };
    let both = with("mdi_oob,mdi");
    let alone = with("mdi");
    assert_eq!(both["measures"].as_array().expect("two").len(), 2);
    assert_eq!(both["measures"][1], alone["measures"][0]);
    assert_eq!(both["null"], "shadow");
    let table = uncertainty(&["--null-distribution", "shadow", "--null-forests", "6"]).stdout;
    assert!(table.contains("shadows of variables of its type"), "{table}");
}

/// A stored forest gives what the forest that is grown gives; the jackknife grows nothing.
#[test]
fn forests_that_exist() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("penguins.forest");
    let path = path.to_str().expect("text");
    let words = ["--target", "species", "--trees", "300", "--output", path];
    assert_eq!(on("fit", &penguins(), &words).code, 0);
    let jackknife = ["--measure", "mdi", "--variance", "jackknife", "--format", "json"];
    let stored = [&jackknife[..], &["--forest", path]].concat();
    let stored = on("uncertainty", &penguins(), &stored).json();
    let grown = [&jackknife[..], &["--target", "species", "--trees", "300"]].concat();
    let grown = on("uncertainty", &penguins(), &grown).json();
    assert_eq!(stored, grown);
    assert_eq!(
        (&stored["errors"], &stored["subsample_fraction"]),
        (&"jackknife".into(), &Value::Null)
    );
    let errors = stored["measures"][0]["sampling_errors"].as_array().expect("errors");
    assert!(
        errors.iter().all(|error| error.as_f64().is_some_and(|error| error > 0.0)),
        "{errors:?}"
    );
    // A tree per row is too few to distinguish all errors from zero.
    let table = ["--measure", "mdi", "--variance", "jackknife", "--forest", path];
    let text = on("uncertainty", &penguins(), &table).stderr;
    assert!(
        text.contains("with so few trees the jackknife cannot distinguish it from zero"),
        "{text}"
    );
    let few =
        ["--subsamples", "5", "--subsample-trees", "9", "--measure", "mdi", "--format", "json"];
    let stored = [&few[..], &["--forest", path]].concat();
    let grown = [&few[..], &["--target", "species", "--trees", "300"]].concat();
    let stored = on("uncertainty", &penguins(), &stored).json();
    assert_eq!(stored, on("uncertainty", &penguins(), &grown).json());
}

/// Without the option of the growing command, single rows would be halved.
#[test]
fn the_clusters_of_a_stored_forest_are_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    let (table, forest) = (at("t.csv"), at("t.forest"));
    let line = |row: usize| format!("{},{},{}", row / 4, row * 7 % 40, row * 5 % 11);
    std::fs::write(&table, format!("g,x,y\n{}", rows(120, line))).expect("a table");
    let path = Path::new(&table);
    let fit = ["--target", "y", "--cluster", "g", "--trees", "60", "--output", &forest];
    assert_eq!(on("fit", path, &fit).code, 0);
    let few =
        ["--forest", &forest, "--measure", "mdi", "--subsamples", "4", "--subsample-trees", "5"];
    let words = ["drew rows by 30 clusters, but the table names none", "(`--cluster`)"];
    on("uncertainty", path, &few).refused(3, &words);
    let given = on("uncertainty", path, &[&few[..], &["--cluster", "g"]].concat());
    assert_eq!(given.code, 0, "{}", given.stderr);
}

/// Errors of sage are those of what it draws, and those of `depth_weighted_splits` are not known.
#[test]
fn errors_of_trees_are_named_where_they_are_known() {
    let table = |measure: &str| {
        let words =
            ["-t", "species", "--trees", "20", "--subsamples", "5", "--subsample-trees", "10"];
        on("uncertainty", &penguins(), &[&words[..], &["-m", measure]].concat()).stdout
    };
    let of_trees =
        "± trees: standard error of the finite number of trees; ± rows: that of the rows in";
    assert!(table("mdi").contains(of_trees));
    let sage = table("sage").replace("\n  ", " ");
    let of_draws = "± draws: standard error of samples of rows and orders; ± rows: that of the rows in \
                    the table and of the trees, by 5 forests";
    assert!(sage.contains(of_draws), "{sage}");
    let splits = table("depth_weighted_splits").replace("\n  ", " ");
    let unknown =
        "± trees: not known; ± rows: standard error of the rows in the table and of the trees";
    assert!(splits.contains(unknown), "{splits}");
}
