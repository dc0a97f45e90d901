//! `wald interactions`.

use crate::*;

const FEW: [&str; 8] =
    ["--target", "species", "--trees", "20", "--resamples", "3", "--intersection-trees", "50"];

fn interactions(words: &[&str]) -> Run {
    on("interactions", &penguins(), &[&FEW[..], words].concat())
}

#[test]
fn json_csv_and_table_have_the_same_sets() {
    let json = interactions(&["--format", "json"]).json();
    let sets = json["interactions"].as_array().expect("sets");
    assert!(!sets.is_empty() && json["out_of_bag"] == true && json["cut"].is_null());
    assert_eq!(
        (&json["settings"]["depth"], &json["settings"]["resamples"]),
        (&5.into(), &3.into())
    );
    let text = |set: &serde_json::Value| -> String {
        let variables = set["variables"].as_array().expect("variables").iter();
        let texts: Vec<String> = variables
            .map(|one| ["variable", "sign"].map(|key| one[key].as_str().expect("text")).concat())
            .collect();
        texts.join(" & ")
    };
    let csv = interactions(&["--format", "csv"]).stdout;
    let mut lines = csv.lines();
    let header = "class,interaction,size,prevalence,prevalence_elsewhere,precision,\
                  precision_without,stability";
    assert_eq!(lines.next(), Some(header));
    assert_eq!(lines.clone().count(), sets.len());
    for (line, set) in lines.zip(sets) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!((cells[0], cells[1]), (set["class"].as_str().expect("a class"), &*text(set)));
        let size = set["variables"].as_array().map(Vec::len).expect("variables");
        assert_eq!(cells[2], size.to_string());
        for (cell, key) in cells[3..].iter().zip(header.split(',').skip(3)) {
            assert_eq!(cell.parse().ok(), set[key].as_f64(), "{line}");
        }
    }
    let table = interactions(&[]).stdout;
    let first = table.lines().nth(1).expect("a first line");
    assert!(first.starts_with(&text(&sets[0])), "{table}");
    assert!(table.contains("3 bootstrap samples") && table.contains("out-of-bag"), "{table}");
    // Where sets have no room beside their numbers, each variable has a line.
    let table = penguins();
    let words = [&["interactions", table.to_str().expect("text")][..], &FEW].concat();
    let narrow = finish(command(&words).env("COLUMNS", "84")).stdout;
    let mut lines = narrow.lines().skip(1);
    for set in &sets[..sets.len().min(20)] {
        let names = text(set).replace(" & ", "\n& ");
        for (at, name) in names.lines().enumerate() {
            let mut cells = lines.next().unwrap_or_default().split("  ");
            assert_eq!(cells.next(), Some(name), "{narrow}");
            let class = cells.find(|cell| !cell.is_empty()).map(str::trim);
            assert_eq!(class, set["class"].as_str().filter(|_| at == 0), "{narrow}");
        }
    }
    assert!(!narrow.contains('…') && narrow.contains("stability"), "{narrow}");
}

#[test]
fn a_stored_forest_is_searched_as_the_grown_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("one.forest").to_string_lossy().into_owned();
    let fit = ["--target", "species", "--trees", "20", "--output", &path];
    assert_eq!(on("fit", &penguins(), &fit).code, 0);
    let words = ["--resamples", "3", "--intersection-trees", "50", "--format", "csv"];
    let stored = on("interactions", &penguins(), &[&["--forest", &path][..], &words].concat());
    assert_eq!(stored.code, 0, "{}", stored.stderr);
    assert_eq!(stored.stdout, interactions(&["--format", "csv"]).stdout);
}

#[test]
fn a_numeric_target_is_divided_at_the_cut() {
    let words = ["--target", "body_mass_g", "--trees", "10", "--resamples", "0"];
    let run = on("interactions", &penguins(), &[&words[..], &["--cut", "5000"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("> 5000") && !run.stdout.contains("bootstrap"), "{}", run.stdout);
}

#[test]
fn sets_have_a_note_that_effects_may_add_up() {
    let note = "sets of variables that each have an effect of their own come first, also where effects add \
                up; whether effects interact is shown by `wald explain --measure friedman_h` and by `wald \
                advise`, which tests additivity";
    let notes = |words: &[&str]| {
        let json = interactions(&[words, &["--format", "json"]].concat()).json();
        let notes = json["notes"].as_array().expect("notes").iter();
        notes.filter(|one| one.as_str() == Some(note)).count()
    };
    assert_eq!(notes(&[]), 1);
    assert!(interactions(&[]).stderr.contains("sets of variables that each have an effect"));
    assert_eq!(notes(&["--min-prevalence", "1", "--depth", "20"]), 0);
}
