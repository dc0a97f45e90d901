//! Groups of columns: offered where they look like one variable, applied only when asked for.

use crate::*;

/// A table with one variable in one-hot form and two that depend on each other.
fn table(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("table.csv");
    let row = |row: usize| {
        let colour = row * 7 % 3;
        let one_hot = |level| u8::from(colour == level);
        let x = (row * 37 % 101) as f64;
        let y = x / 20.0 + colour as f64;
        let (red, blue, green) = (one_hot(0), one_hot(1), one_hot(2));
        format!("{red},{x},{blue},{},{green},{y}", x * x + 1.0)
    };
    let text = format!("colour_red,x,colour_blue,square,colour_green,y\n{}", rows(120, row));
    std::fs::write(&path, text).expect("written");
    path
}

const WORDS: [&str; 5] = ["-t", "y", "--trees", "10", "--format=json"];

fn run(path: &Path, more: &[&str]) -> (Vec<String>, String) {
    let words: Vec<&str> = WORDS.iter().chain(more).copied().collect();
    let run = on("importance", path, &words);
    let json = run.json();
    let names = json["features"].as_array().expect("names").iter();
    (names.filter_map(|name| name.as_str().map(str::to_owned)).collect(), run.stderr)
}

#[test]
fn one_hot_columns_are_noticed_and_left_alone() {
    let folder = folder();
    let (names, notes) = run(&table(&folder), &[]);
    assert_eq!(names, ["colour_red", "x", "colour_blue", "square", "colour_green"]);
    let note =
        "columns \"colour_red\", \"colour_blue\" and \"colour_green\" look like one variable";
    assert!(notes.contains(note) && notes.contains("`--group-by names`"), "{notes}");
}

#[test]
fn groups_are_made_when_asked_for() {
    let folder = folder();
    let path = table(&folder);
    let (names, notes) = run(&path, &["--group-by", "names"]);
    assert_eq!(names, ["colour", "x", "square"]);
    assert!(notes.contains("were measured together as \"colour\""), "{notes}");
    let (names, notes) = run(&path, &["--group-by", "dependence=0.9"]);
    assert_eq!(names, ["colour_red", "x+square", "colour_blue", "colour_green"]);
    assert!(notes.contains("\"x\" and \"square\" were measured together"), "{notes}");
    // The user's groups take precedence.
    let (names, notes) =
        run(&path, &["--group-by", "names", "--group", "rb=colour_red,colour_blue"]);
    assert_eq!(names, ["rb", "x", "square", "colour_green"]);
    assert!(notes.contains("found no columns"), "{notes}");
    let (_, notes) = run(&path, &["--group", "c=colour_red,colour_blue,colour_green"]);
    assert!(!notes.contains("look like"), "{notes}");
}

#[test]
fn groups_that_are_none() {
    for (group, what) in
        [("a,b", "is not a group"), ("g=", "has an empty name"), ("=a", "has an empty")]
    {
        let words = ["importance", "none.csv", "--target", "y", "--group", group];
        wald(&words).refused(2, &[&format!("the value of `--group` {what}")]);
    }
}

#[test]
fn rules_that_are_none() {
    let refused = |rule: &str, parts: &[&str]| {
        let words = ["importance", "none.csv", "--target", "y", "--group-by", rule];
        wald(&words).refused(2, parts);
    };
    refused("name", &["did you mean `names`?"]);
    refused("dependence=x", &["is not a number"]);
    refused("a=b", &["`--group NAME=A,B,...`"]);
    let folder = folder();
    let words = ["-t", "y", "--group-by", "dependence=2"];
    on("importance", &table(&folder), &words).refused(2, &["the threshold of dependence is 2"]);
}

#[test]
fn measures_that_grow_again_are_named_or_left_out() {
    let folder = folder();
    let path = table(&folder);
    let ids = |more: &[&str]| -> (Vec<String>, String) {
        let words: Vec<&str> = WORDS.iter().chain(more).copied().collect();
        let run = on("importance", &path, &words);
        let json = run.json();
        let measures = json["measures"].as_array().expect("measures").iter();
        let ids = measures.filter_map(|measure| measure["measure"].as_str().map(str::to_owned));
        (ids.collect(), run.stderr)
    };
    let (all, notes) = ids(&["-m", "all"]);
    assert!(all.contains(&"conditional_permutation".to_owned()));
    assert!(!all.contains(&"total_sobol_retrain".to_owned()));
    assert!(notes.contains("left out: measure `total_sobol_retrain` grows"), "{notes}");
    let (named, notes) = ids(&["-m", "total-sobol-retrain", "--quiet"]);
    assert_eq!(named, ["total_sobol_retrain"]);
    assert_eq!(notes, "");
}
