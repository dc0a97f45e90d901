//! Whatever was dropped, decoded or inferred is in every JSON, also where nothing is printed.

use std::fs;

use crate::*;

#[test]
fn every_json_has_its_notes() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    // Latin-1, a missing response, and a date among the inputs.
    let row = |i: usize| {
        let y = if i == 7 { "NA".to_owned() } else { (i * 31 % 17).to_string() };
        format!("{},2024-01-{:02},{y}", i % 5, 1 + i % 28)
    };
    let text = format!("gr\u{f6}\u{df}e,day,y\n{}", rows(60, row));
    let bytes: Vec<u8> = text.chars().map(|c| c as u32 as u8).collect();
    fs::write(path("t.csv"), &bytes).expect("written");
    let fit = ["fit", &path("t.csv"), "-t", "y", "--trees", "3", "-q", "-o", &path("f.forest")];
    assert_eq!(wald(&fit).code, 0);
    let grown = ["-t", "y", "--trees", "3"];
    let json = ["-q", "--format", "json"];
    let (table, forest, report) = (path("t.csv"), path("f.forest"), path("r.json"));
    let page = path("r.html");
    let parts = ["windows", "dates", "1 row dropped"];
    for (name, words, parts) in [
        ("importance", &grown[..], &parts[..]),
        ("advise", &grown, &parts),
        ("masking", &grown, &parts),
        ("select", &["-t", "y", "--trees", "3", "--folds", "2"], &parts),
        ("uncertainty", &["-t", "y", "--trees", "3", "--subsamples", "3"], &parts),
        ("explain", &["-t", "y", "--trees", "3", "-m", "saabas"], &parts),
        ("explain", &["-t", "y", "--trees", "3", "-m", "pdp", "--rows", &table], &parts),
        ("population", &["-t", "y", "--impurity", "variance"], &parts),
    ] {
        let words = [&["-q", "--format", "json"][..], words].concat();
        let found = on(name, Path::new(&table), &words).json();
        noted(&found, name, parts);
    }
    let predicted = wald(&[&["predict", &forest, &table][..], &json].concat()).json();
    noted(&predicted, "predict", &parts[..2]);
    let words = [&grown[..], &["-q", "--quick", "--json", &report, "--output", &page]].concat();
    assert_eq!(on("report", Path::new(&table), &words).code, 0);
    let text = fs::read_to_string(&report).expect("written");
    noted(&serde_json::from_str(&text).expect("JSON"), "report", &parts);
}

/// Forests whose leaves must be larger than half of the table know nothing of any variable.
#[test]
fn forests_without_splits_are_noted() {
    let folder = folder();
    let table = folder.path().join("t.csv");
    let row = |i: usize| format!("{},{},{}", i * 7 % 31, i * 5 % 23, i * 7 % 31 + i % 3);
    fs::write(&table, format!("a,b,y\n{}", rows(60, row))).expect("written");
    for words in [
        &["importance"][..],
        &["conditional"],
        &["conditional", "--method", "loco"],
        &["masking"],
        &["explain", "-m", "pdp"],
        &["explain", "-m", "tree_shap"],
    ] {
        let of = |size: &str| {
            let grown = ["-t", "y", "--trees", "3", "--format", "json", "--min-leaf-size", size];
            on(words[0], &table, &[&words[1..], &grown].concat()).json().to_string()
        };
        assert!(of("40").contains("no tree has a split"), "{words:?}");
        assert!(!of("5").contains("no tree has a split"), "{words:?}");
    }
}

fn noted(found: &Value, name: &str, parts: &[&str]) {
    let notes = found["notes"].as_array().unwrap_or_else(|| panic!("{name} has no notes"));
    let notes: Vec<&str> = notes.iter().map(|note| note.as_str().expect("text")).collect();
    for part in parts {
        let has = notes.iter().any(|note| note.to_lowercase().contains(part));
        assert!(has, "{name} does not note {part}: {notes:?}");
    }
}
