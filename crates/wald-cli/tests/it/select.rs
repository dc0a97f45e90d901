//! `wald select`: choices, files that it goes on with, and refusals.

use std::fs;
use std::process::{Child, Command as Process, Stdio};
use std::time::{Duration, Instant};

use crate::*;

/// Five columns of numbers, two of which the target depends on.
fn table(n_rows: usize) -> String {
    let value = |i: usize, column: usize| (i * (7919 + 31 * column * column) + column) % 101;
    let row = |i: usize| {
        let cells: Vec<usize> = (0..5).map(|column| value(i, column)).collect();
        let y = 3 * cells[1] + cells[3] + cells[0] % 7;
        format!("{},{},{},{},{},{y}", cells[0], cells[1], cells[2], cells[3], cells[4])
    };
    format!("a,b,c,d,e,y\n{}", rows(n_rows, row))
}

fn written(folder: &TempDir, text: &str) -> PathBuf {
    let path = folder.path().join("table.csv");
    fs::write(&path, text).expect("written");
    path
}

const QUICK: [&str; 6] = ["-t", "y", "--trees", "20", "--folds", "4"];

fn quick(data: &Path, words: &[&str]) -> Run {
    on("select", data, &[&QUICK, words].concat())
}

#[test]
fn the_json_tells_all() {
    let folder = folder();
    let data = written(&folder, &table(120));
    let json = quick(&data, &["--repeats", "2", "--format", "json"]).json();
    assert_eq!(json["wald"], env!("CARGO_PKG_VERSION"));
    assert_eq!(json["task"], "regression");
    assert_eq!(json["features"], serde_json::json!(["a", "b", "c", "d", "e"]));
    let settings = &json["settings"];
    assert_eq!(settings["measure"], "sobol_mda");
    assert_eq!(settings["error"], "squared");
    assert_eq!(settings["standard_errors_over"], "repeats");
    assert_eq!(settings["forest"]["n_trees"], 20);
    let curve = json["curve"].as_array().expect("points");
    let sizes: Vec<u64> = curve.iter().filter_map(|point| point["n_variables"].as_u64()).collect();
    assert_eq!(sizes, [5, 4, 3, 2, 1]);
    for point in curve {
        assert_eq!(point["errors"].as_array().expect("one per repetition").len(), 2);
        assert_eq!(point["frequencies"].as_array().expect("one per variable").len(), 5);
        assert!(point["error"].is_f64() && point["sd"].is_f64());
    }
    assert_eq!(curve[0]["leaving"][0], json["order"][0]);
    assert_eq!(json["folds"].as_array().expect("orders").len(), 8);
    let best = json["best"]["variables"].as_array().expect("names");
    assert!(best.contains(&"b".into()) && best.contains(&"d".into()), "{best:?}");
    assert_eq!(json["order"][4], "b");
}

#[test]
fn the_table_names_the_choices() {
    let folder = folder();
    let data = written(&folder, &table(120));
    let run = quick(&data, &[]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(
        lines[1].starts_with("variables") && lines[1].ends_with("dropped next"),
        "{}",
        lines[1]
    );
    assert!(lines[2..7].iter().any(|line| line.contains("best")), "{}", run.stdout);
    for part in ["best: the smallest error", "b (100%)", "its standard error over folds"] {
        assert!(run.stdout.contains(part), "{part} is not in\n{}", run.stdout);
    }
    let csv = quick(&data, &["--format", "csv", "--step", "0.5", "--smallest", "2"]).stdout;
    let sizes: Vec<&str> = csv.lines().filter_map(|line| line.split(',').next()).collect();
    assert_eq!(sizes, ["n_variables", "5", "2"]);
}

#[test]
fn classes_groups_clusters_and_weights_are_selected_by() {
    let words = [
        "-t",
        "species",
        "--exclude",
        "year",
        "--cluster",
        "island",
        "--trees",
        "10",
        "--folds",
        "3",
        "--error",
        "zero-one",
        "--group",
        "bill=bill_length_mm,bill_depth_mm",
        "--weights",
        "body_mass_g",
        "--missing",
        "omit",
        "--measure",
        "mda-breiman-cutler",
        "--format",
        "json",
    ];
    let json = on("select", &penguins(), &words).json();
    let features = json["features"].as_array().expect("names");
    assert!(features.contains(&"bill".into()) && !features.contains(&"bill_depth_mm".into()));
    let errors = json["curve"].as_array().expect("points");
    let share = |point: &Value| point["error"].as_f64().is_some_and(|e| (0.0..=1.0).contains(&e));
    assert!(errors.iter().all(share));
}

#[test]
fn threads_do_not_show() {
    let folder = folder();
    let data = written(&folder, &table(100));
    let run = |threads| quick(&data, &["--format", "json", "--threads", threads]).stdout;
    let one = run("1");
    assert_eq!(one, run("2"));
    assert_eq!(one, run("3"));
}

/// A selection that takes a while.
fn slow(data: &Path, words: &[&str]) -> Child {
    Process::new(env!("CARGO_BIN_EXE_wald"))
        .arg("select")
        .arg(data)
        .args(QUICK)
        .args(["--repeats", "10", "--format", "json", "--threads", "1"])
        .args(words)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("wald starts")
}

/// Waits until some folds are stored, and not all.
fn wait_for(state: &Path, child: &mut Child) {
    let start = Instant::now();
    while !state.exists() {
        assert!(child.try_wait().expect("a child").is_none(), "it ended before it was stopped");
        assert!(start.elapsed() < Duration::from_mins(5), "nothing is stored");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[cfg(unix)]
#[test]
fn a_stopped_selection_goes_on_with_the_same_bits() {
    let folder = folder();
    let data = written(&folder, &table(200));
    let repeats = ["--repeats", "10", "--format", "json"];
    let expected = quick(&data, &repeats);
    assert_eq!(expected.code, 0, "{}", expected.stderr);
    for signal in ["-KILL", "-INT"] {
        let state = folder.path().join(format!("folds{signal}"));
        let resume = ["--resume", state.to_str().expect("text")];
        let mut child = slow(&data, &resume);
        wait_for(&state, &mut child);
        let pid = child.id().to_string();
        let sent = Process::new("kill").args([signal, &pid]).status().expect("kill starts");
        assert!(sent.success());
        let status = child.wait().expect("wald ends");
        assert!(!status.success(), "it was not stopped in time");
        let resumed = quick(&data, &[&repeats[..], &resume].concat());
        assert_eq!(resumed.stdout, expected.stdout, "after {signal}");
        let done = resumed.stderr.lines().find_map(|line| line.split_once(" of 41 eliminations"));
        let done = done.and_then(|(start, _)| start.rsplit(' ').next()).map(str::parse::<usize>);
        assert!(matches!(done, Some(Ok(1..=40))), "{}", resumed.stderr);
        // Once more, nothing is left to do.
        let again = quick(&data, &[&repeats[..], &resume].concat());
        assert_eq!(again.stdout, expected.stdout);
        assert!(again.stderr.contains("41 of 41 eliminations are done"), "{}", again.stderr);
    }
}

#[test]
fn a_state_of_other_work_is_refused() {
    let folder = folder();
    let data = written(&folder, &table(80));
    let state = folder.path().join("state");
    let name = state.to_str().expect("text");
    let run = |words: &[&str]| quick(&data, &[words, &["--resume", name]].concat());
    assert_eq!(run(&[]).code, 0);
    let before = fs::read(&state).expect("bytes");
    run(&["--seed", "1"]).refused(4, &["other settings", "seed was 0 and is now 1", "state"]);
    run(&["--measure", "mdi"]).refused(4, &["`sobol_mda`, not of `mdi`"]);
    run(&["--min-node-size", "9"]).refused(4, &["min_node_size was null and is now 9"]);
    run(&["--repeats", "2"]).refused(4, &["the number of repetitions was 1 and is now 2"]);
    run(&["--exclude", "e"]).refused(4, &["the state is of other data"]);
    assert_eq!(fs::read(&state).expect("bytes"), before, "a refusal changes nothing");
    for place in [9, 20, before.len() / 2, before.len() - 1] {
        let mut bytes = before.clone();
        bytes[place] ^= 1;
        fs::write(&state, bytes).expect("written");
        run(&[]).refused(4, &["state"]);
    }
    for length in [0, 7, 30, before.len() - 1] {
        fs::write(&state, &before[..length]).expect("written");
        run(&[]).refused(4, &["state"]);
    }
    quick(&data, &["--resume", data.to_str().expect("text")]).refused(2, &["--resume"]);
    quick(&data, &["--resume", name, "--output", name, "--force"])
        .refused(2, &["the finished folds", "go to the same place"]);
    quick(&data, &["--resume", "-"]).refused(2, &["a file of their own"]);
    quick(&data, &["--resume", "/none/there/state"]).refused(5, &["cannot write"]);
}

#[test]
fn options_out_of_range() {
    let refused = |words: &[&str], parts: &[&str]| {
        let words = [&["-t", "y"][..], words].concat();
        on("select", Path::new("none.csv"), &words).refused(2, parts);
    };
    refused(&["--folds", "1"], &["the number of folds is 1", "2 folds or more"]);
    refused(&["--folds", "x"], &["`--folds` is not a whole number"]);
    refused(&["--repeats", "0"], &["the number of repetitions is 0"]);
    refused(&["--step", "0"], &["no variable would be dropped"]);
    refused(&["--step", "1.5"], &["a share of 1.5", "0.2"]);
    refused(&["--step", "-1"], &["a share of -1"]);
    refused(&["--step", "many"], &["`--step` is not a number"]);
    refused(&["--smallest", "0"], &["the smallest number of variables is 0"]);
    refused(&["--measure", "mdi,sobol-mda"], &["several are named"]);
    refused(&["--forest", "f"], &["`--forest` is given"]);
    refused(&["--error", "brier"], &["use one of: squared"]);
}

#[test]
fn settings_that_do_not_fit_the_data() {
    let folder = folder();
    let data = written(&folder, &table(30));
    let on_data = |words: &[&str], code: i32, parts: &[&str]| {
        let words = [&["-t", "y", "--trees", "3"][..], words].concat();
        on("select", &data, &words).refused(code, parts);
    };
    on_data(&["--folds", "31"], 2, &["`--folds` is 31, but there are 30 rows", "from 2 to 30"]);
    on_data(&["--cluster", "a", "--folds", "31"], 2, &["is 31, but there are 30 clusters"]);
    on_data(&["--smallest", "5"], 2, &["is 5, but there are 5", "between 1 and 4"]);
    on_data(&["--error", "zero-one"], 2, &["`zero_one`", "squared, absolute"]);
    on_data(&["--sampling", "all"], 2, &["needs out-of-bag rows"]);
    on_data(&["--mtry", "9"], 2, &["`--mtry` is 9"]);
    on_data(&["--exclude", "a,b,c,d"], 3, &["one variable only", "table.csv"]);
    on_data(&["--group", "all=a,b,c,d,e"], 3, &["one variable only"]);
    fs::write(&data, format!("a,b,y\n{}", rows(30, |i| format!("{i},{},5", i * i)))).expect("ok");
    on_data(&[], 3, &["is constant"]);
}
