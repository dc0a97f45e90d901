//! Notes on what case weights, clusters and levels of few rows do to importances.

use std::fs;

use crate::*;

/// A number between 0 and 1 that looks random.
fn unit(seed: usize) -> f64 {
    ((seed as f64 + 1.0) * 12.9898).sin().mul_add(43758.5453, 0.0).rem_euclid(1.0)
}

/// Cases and controls, of which cases have larger x, with a weight for each of both.
fn cases(folder: &TempDir, name: &str, weight: usize) -> PathBuf {
    let row = |row: usize| {
        let is_case = row % 2 == 1;
        let x = unit(2 * row) + if is_case { 0.3 } else { 0.0 };
        let (class, weight) = if is_case { ("case", weight) } else { ("control", 1) };
        format!("{x},{},{class},{weight}", unit(2 * row + 1))
    };
    let path = folder.path().join(name);
    fs::write(&path, format!("x,noise,k,w\n{}", rows(200, row))).expect("written");
    path
}

/// A column that is constant within six clusters, and one that is not.
fn clusters(folder: &TempDir, name: &str, seed: usize) -> PathBuf {
    let row = |row: usize| {
        let (x, z) = (unit(seed + row % 6), unit(seed + 100 + row));
        format!("{x},{z},{},g{}", x + z, row % 6)
    };
    let path = folder.path().join(name);
    fs::write(&path, format!("x,z,y,g\n{}", rows(90, row))).expect("written");
    path
}

#[test]
fn levels_of_few_rows_are_noted_by_all_that_show_a_forest() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let table = |name: &str, rows_per_level: usize| {
        let row =
            |row: usize| format!("l{},{},{}", row / rows_per_level, unit(row), unit(row + 60));
        fs::write(path(name), format!("name,x,y\n{}", rows(60, row))).expect("written");
        path(name)
    };
    let (rare, common) = (table("2.csv", 2), table("4.csv", 4));
    let forest = path("a.forest").to_string_lossy().into_owned();
    for (name, more) in [
        ("importance", &["-m", "sobol_mda,mdi"][..]),
        ("explain", &["-m", "saabas"]),
        ("fit", &["--force", "-o", &forest]),
    ] {
        let has_note = |table: &Path| {
            let run = on(name, table, &[&["-t", "y", "--trees", "3"], more].concat());
            assert_eq!(run.code, 0, "{}", run.stderr);
            let words = "levels of fewer than 3 rows of \"name\" (100 % of the rows)";
            let shown = format!("{}{}", run.stdout, run.stderr);
            // Lines are broken where the terminal ends.
            shown.split_whitespace().collect::<Vec<_>>().join(" ").contains(words)
        };
        assert!(has_note(&rare) && !has_note(&common), "{name}");
    }
    let at_random = ["-t", "y", "--trees", "3", "--splitting", "random-threshold", "-m", "mdi"];
    let run = on("importance", &rare, &at_random);
    assert!(!run.stdout.contains("levels of fewer"), "{}", run.stdout);
}

const WEIGHTS: &str = "case weights depend on the target \"k\", and the leaves are small";

#[test]
fn weights_that_depend_on_the_target_are_noted_where_leaves_are_small() {
    let folder = folder();
    let [equal, unequal] = [cases(&folder, "1.csv", 1), cases(&folder, "5.csv", 5)];
    let words = ["-t", "k", "--weights", "w", "--trees", "20", "--format", "json"];
    let has_note = |name: &str, table: &Path, more: &[&str]| {
        let run = on(name, table, &[&words[..], more].concat());
        run.json();
        run.stdout.contains(&WEIGHTS.replace('"', "\\\""))
    };
    for (name, more) in [
        ("importance", &["-m", "sobol_mda,mdi"][..]),
        ("uncertainty", &["-m", "mdi", "--subsamples", "3"]),
        ("select", &["--folds", "2", "-m", "mdi"]),
        ("select", &["--method", "boruta", "--max-runs", "12"]),
    ] {
        assert!(has_note(name, &unequal, more), "{name}");
        assert!(!has_note(name, &equal, more), "{name}");
    }
    assert!(!has_note("importance", &unequal, &["-m", "mdi", "--min-leaf-size", "50"]));
    // A measure repeats no note of another one on the terminal.
    let table = on("importance", &unequal, &[&words[..6], &["-m", "sobol_mda,mdi"]].concat());
    assert_eq!(table.stdout.matches("case weights depend on").count(), 1, "{}", table.stdout);
    let finding = |table: &Path| {
        let advice = on("advise", table, &words).json();
        let findings = advice["findings"].as_array().expect("a list").clone();
        findings.into_iter().find(|one| one["id"] == "case_weights").expect("looked for")
    };
    let found = finding(&unequal);
    assert_eq!(found["concern"], "serious");
    let consequence = found["consequence"].as_str().expect("text");
    assert!(consequence.contains("`--min-leaf-size 50`"), "{consequence}");
    assert_eq!(finding(&equal)["concern"], "none");
}

/// Means of small leaves are predictions, too, and what intervals are made of.
#[test]
fn weights_that_depend_on_the_target_are_noted_where_rows_are_predicted() {
    let folder = folder();
    let stored = folder.path().join("f.forest").to_string_lossy().into_owned();
    let written = folder.path().join("written.csv").to_string_lossy().into_owned();
    for (name, weight) in [("1.csv", 1), ("5.csv", 5)] {
        let table = cases(&folder, name, weight);
        let words = ["-t", "x", "--weights", "w", "--exclude", "k"];
        let grown = [&words[..], &["--trees", "20"]].concat();
        let notes = |run: Run| {
            assert_eq!(run.code, 0, "{}", run.stderr);
            let text = run.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
            text.contains("case weights depend on the target")
                && text.contains("predictions and intervals")
        };
        let to = ["--force", "-o", &stored];
        let fit = |more: &[&str]| notes(on("fit", &table, &[&grown[..], &to, more].concat()));
        assert!(!fit(&["--min-leaf-size", "50"]), "{name}");
        assert_eq!(fit(&[]), weight == 5);
        let to = ["--force", "-o", &written];
        for measure in ["pdp", "tree_shap"] {
            let explained = on("explain", &table, &[&grown[..], &["-m", measure], &to].concat());
            assert_eq!(notes(explained), weight == 5, "{measure}");
        }
        let path = table.to_string_lossy();
        let of_rows = ["--training", &path, "--weights", "w", "--quantiles", "0.1"];
        let predicted = wald(&[&["predict", &stored, &path][..], &of_rows, &to].concat());
        assert_eq!(notes(predicted), weight == 5, "{name}");
    }
}

#[test]
fn few_clusters_are_noted() {
    let folder = folder();
    let [first, second] = [clusters(&folder, "1.csv", 0), clusters(&folder, "2.csv", 500)];
    let words = ["-t", "y", "--cluster", "g", "--trees", "10", "-m", "mdi", "--subsamples", "8"];
    let json = [&words[..], &["--format", "json"]].concat();
    let uncertain = on("uncertainty", &first, &json);
    assert!(uncertain.stdout.contains("sampling errors of 6 clusters are too small"));
    let second = second.to_string_lossy();
    let compared = on("compare", &first, &[&json[..], &["--second", &*second]].concat());
    assert!(compared.stdout.contains("sampling errors of 6 clusters are too small"));
    let permuted = on("importance", &first, &["-t", "y", "--cluster", "g", "-m", "permutation"]);
    let text = permuted.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("\"x\" is constant within clusters, of which there are 6"), "{text}");
}

#[test]
fn rows_that_repeat_others_are_noted() {
    let folder = folder();
    let table = |name: &str, n_distinct: usize| {
        let row = |row: usize| {
            let at = row % n_distinct;
            format!(
                "{},{},{}",
                unit(2 * at),
                unit(2 * at + 1),
                unit(2 * at) + 0.3 * unit(1000 + at)
            )
        };
        let path = folder.path().join(name);
        fs::write(&path, format!("x,z,y\n{}", rows(100, row))).expect("written");
        path
    };
    let [alone, copies] = [table("alone.csv", 100), table("copies.csv", 50)];
    for (name, more) in [
        ("importance", &["-m", "sobol_mda"][..]),
        ("uncertainty", &["-m", "sobol_mda", "--subsamples", "3"]),
        ("conditional", &["--folds", "2"]),
        ("select", &["--folds", "2"]),
        ("select", &["--method", "boruta", "--max-runs", "12"]),
    ] {
        let has_note = |path: &Path| {
            let words = ["-t", "y", "--trees", "10", "--format", "json"];
            let run = on(name, path, &[&words[..], more].concat());
            run.json();
            run.stdout.contains("copies of the same observations")
        };
        assert!(has_note(&copies) && !has_note(&alone), "{name} {more:?}");
    }
}
