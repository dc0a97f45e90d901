//! `wald select --method boruta` and `ipss`: what is printed, and refusals.

use std::fs;

use crate::*;

/// Two of six columns matter.
fn written(folder: &TempDir) -> PathBuf {
    let value = |i: usize, column: usize| {
        let mixed = (i * 7919 + column * 104_729 + 17) % 65_537;
        mixed * mixed % 65_537 % 101
    };
    let row = |i: usize| {
        let cells: Vec<usize> = (0..6).map(|column| value(i, column)).collect();
        let y = 3 * cells[1] + 2 * cells[3];
        format!("{},{},{},{},{},{},{y}", cells[0], cells[1], cells[2], cells[3], cells[4], cells[5])
    };
    let path = folder.path().join("table.csv");
    fs::write(&path, format!("a,b,c,d,e,f,y\n{}", rows(120, row))).expect("written");
    path
}

fn quick(data: &Path, method: &str, words: &[&str]) -> Run {
    on("select", data, &[&["-t", "y", "--trees", "30", "--method", method], words].concat())
}

#[test]
fn boruta_names_what_it_confirmed() {
    let folder = folder();
    let data = written(&folder);
    let json = quick(&data, "boruta", &["--format", "json"]).json();
    assert_eq!(json["confirmed"], serde_json::json!(["b", "d"]));
    let settings = &json["settings"];
    assert_eq!(settings["method"], "boruta");
    assert_eq!(settings["measure"], "mda_breiman_cutler");
    assert_eq!(settings["level"], 0.01);
    assert_eq!(settings["multiple_testing"], "bonferroni");
    let n_runs = json["n_runs"].as_u64().expect("a number") as usize;
    assert_eq!(json["history"].as_array().map(Vec::len), Some(n_runs));
    assert_eq!(json["thresholds"].as_array().map(Vec::len), Some(n_runs));
    let two_step = ["--multiple-testing", "two-step", "--format", "json", "--measure", "mdi"];
    assert_eq!(quick(&data, "boruta", &two_step).json()["settings"]["level"], 0.05);
    let few = ["--max-runs", "10"];
    let table = quick(&data, "boruta", &few).stdout;
    let first: Vec<&str> = table.lines().filter(|line| line.contains("confirmed")).collect();
    assert!(first[0].trim_start().starts_with('b'), "{table}");
    assert!(table.contains("2 confirmed") && table.contains("best shadow"), "{table}");
    let csv =
        quick(&data, "boruta", &[&few[..], &["--rough-fix", "--format", "csv"]].concat()).stdout;
    assert!(csv.starts_with("variable,decision,rank,hits,decided_at,median_importance\n"), "{csv}");
    assert!(!csv.contains("tentative"), "{csv}");
}

#[test]
fn boruta_shows_depths_as_they_are() {
    let folder = folder();
    let data = written(&folder);
    let words = ["--measure", "minimal_depth", "--max-runs", "20"];
    let table = quick(&data, "boruta", &words).stdout;
    assert!(table.contains("(`minimal_depth`) below the"), "{table}");
    assert!(
        table.contains("median importance: levels below the root (small is important)"),
        "{table}"
    );
    let csv = quick(&data, "boruta", &[&words[..], &["--format", "csv"]].concat()).stdout;
    let median = |name: &str| -> f64 {
        let line = csv.lines().find(|line| line.starts_with(name)).expect("a line");
        line.rsplit(',').next().and_then(|cell| cell.parse().ok()).expect("a number")
    };
    assert!(0.0 <= median("b,") && median("b,") < median("a,"), "{csv}");
}

#[test]
fn selections_without_any_split_are_noted() {
    let folder = folder();
    let data = written(&folder);
    for (method, more) in [("boruta", "--max-runs"), ("ipss", "--pairs")] {
        let words = ["--min-node-size", "1000", more, "10"];
        let table = quick(&data, method, &words).stdout;
        assert!(table.contains("note: no tree has a split, so that nothing is known"), "{table}");
        let json = quick(&data, method, &[&words[..], &["--format", "json"]].concat()).json();
        assert!(json["note"].as_str().is_some_and(|note| note.starts_with("no tree has a split")));
    }
}

#[test]
fn ipss_scores_every_variable() {
    let folder = folder();
    let data = written(&folder);
    let words = ["--pairs", "20", "--subsample-trees", "20"];
    let run = |more: &[&str]| quick(&data, "ipss", &[&words[..], more].concat());
    let json = run(&["--format", "json"]).json();
    let settings = &json["settings"];
    assert_eq!(settings["measure"], "mdi_oob");
    assert_eq!(settings["subsample_trees"], 20);
    assert_eq!(settings["preselect"], 200);
    let scores: Vec<f64> = serde_json::from_value(json["efp_scores"].clone()).expect("numbers");
    assert!([0, 2, 4, 5].iter().all(|&at| scores[at] > scores[1].max(scores[3])), "{scores:?}");
    let table = run(&["--target-fp", "5.9"]).stdout;
    assert!(table.contains("expected number of false positives of 5.9"), "{table}");
    assert!(
        table.lines().any(|line| line.starts_with("b ") && line.ends_with("selected")),
        "{table}"
    );
    assert!(!table.contains("depend most"), "{table}");
    assert!(table.contains("note: the bound takes most variables to be irrelevant"), "{table}");
    let few = run(&["--preselect", "5"]).stdout;
    let few = few.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(few.contains("grown of the 5 variables that depend most on the target"), "{few}");
    let json = run(&["--format", "json", "--preselect", "all"]).json();
    assert_eq!(json["settings"]["preselect"], Value::Null);
    let all = run(&["--format", "json", "--sampling", "all"]).json();
    assert_eq!(all["settings"]["measure"], "air");
    let csv = run(&["--format", "csv", "--power", "2"]).stdout;
    assert!(csv.starts_with("variable,efp_score,q_value\n") && csv.lines().count() == 7, "{csv}");
}

#[test]
fn options_of_other_methods_and_out_of_range() {
    let refused = |method: &str, words: &[&str], parts: &[&str]| {
        let words = [&["-t", "y", "--method", method][..], words].concat();
        on("select", Path::new("none.csv"), &words).refused(2, parts);
    };
    refused("boruta", &["--folds", "3"], &["`--folds` is an option of `--method elimination`"]);
    refused("elimination", &["--pairs", "9"], &["`--pairs` is an option of `--method ipss`"]);
    refused("ipss", &["--rough-fix"], &["`--rough-fix` is an option of `--method boruta`"]);
    refused("stepwise", &[], &["elimination, boruta, ipss"]);
    refused("boruta", &["--level", "1"], &["`--level` is 1"]);
    refused("boruta", &["--percentile", "0"], &["`--percentile` is 0"]);
    refused("boruta", &["--max-runs", "0"], &["`--max-runs` is 0"]);
    refused("boruta", &["--measure", "mda-train-test"], &["needs test rows"]);
    refused("ipss", &["--pairs", "2"], &["`--pairs` is 2", "at least 5"]);
    refused("ipss", &["--preselect", "4"], &["`--preselect` is 4", "at least 5"]);
    refused("ipss", &["--preselect", "few"], &["neither `all` nor a whole number"]);
    refused("ipss", &["--power", "4"], &["2, 3"]);
    refused("ipss", &["--target-fdr", "2"], &["`--target-fdr` is 2"]);
    refused("ipss", &["--target-fp", "0"], &["`--target-fp` is 0"]);
    refused("ipss", &["--target-fp", "1", "--target-fdr", "0.1"], &["--target-fp", "--target-fdr"]);
    let folder = folder();
    let data = written(&folder);
    quick(&data, "boruta", &["--max-runs", "5"])
        .refused(2, &["5 runs decide nothing", "at least 10"]);
    quick(&data, "boruta", &["--cluster", "a"]).refused(3, &["not exchangeable", "table.csv"]);
    let table = data.to_str().expect("text");
    let output = folder.path().join("part");
    let part = [
        "1/2",
        "-o",
        output.to_str().expect("text"),
        "select",
        table,
        "-t",
        "y",
        "--method",
        "ipss",
    ];
    wald(&[&["part"][..], &part].concat()).refused(2, &["`--method ipss` is not divided"]);
}
