//! Text fits 80 columns, whatever variables and classes are called.

use std::fs;

use crate::*;

/// Every command with text on the standard output, and enough words for all kinds of it.
const TEXTS: [&str; 29] = [
    "importance t.csv -t kind --trees 5",
    "importance t.csv -t kind --trees 5 -m mdi --by-degree",
    "importance t.csv -t size --trees 5 -m mdi,mdi_oob,mda_breiman_cutler,sobol_mda,split_count",
    "importance t.csv -t size --trees 5 -m air",
    "importance t.csv -t size --trees 5 -m sobol_first --second-order",
    "report t.csv -t kind --trees 5 --quick",
    "advise t.csv -t kind --trees 5",
    "compare t.csv --second u.csv -t size --trees 5 --subsamples 3",
    "conditional t.csv -t size --trees 5",
    "interactions t.csv -t kind --trees 5 --resamples 2",
    "interactions t.csv -t size --trees 5 --resamples 0",
    "masking t.csv -t kind --trees 5",
    "select t.csv -t size --trees 5 --folds 2",
    "select t.csv -t size --trees 5 --method boruta --max-runs 10",
    "select t.csv -t size --trees 5 --method ipss --pairs 5",
    "explain t.csv -t kind --trees 5 -m tree_shap",
    "explain t.csv -t kind --trees 5 -m tree_shap_interactions",
    "explain t.csv -t kind --trees 5 -m pdp",
    "explain t.csv -t size --trees 5 -m ice --grid 5",
    "explain t.csv -t size --trees 5 -m friedman_h",
    "predict f.forest t.csv --format table",
    "proximities t.csv -t kind --trees 5",
    "proximities t.csv -t kind --trees 5 --show prototypes",
    "measures",
    "measures sobol_mda",
    "population p.csv -t kind --local --terms 3 --impurity entropy",
    "simulate",
    "surrogate t.csv -t size --trees 20 --rows 200 --starts 1 --draws 2",
    "uncertainty t.csv -t size --trees 5 --subsamples 3 --null-distribution mirrored",
];

/// Those that print no text of their own, or what a shell reads.
const WITHOUT: [&str; 7] = ["completions", "convert", "demo", "fit", "man", "merge", "part"];

/// Columns with long names that begin and end alike.
fn table(rows_from: usize) -> String {
    let name = |k: usize| format!("a_name_that_is_long_{k}_and_ends_like_all_the_others_do");
    let names: Vec<String> = (0..5).map(name).collect();
    let row = |i: usize| {
        let i = i + rows_from;
        let (a, b) = (i * 37 % 41, i * 23 % 29);
        let kind = ["a_class_with_a_rather_long_name", "another_class_with_a_long_name"][a % 2];
        format!("{a},{b},{},{},{},{kind},{}", i * 7 % 11, i * 5 % 13, i % 3, a + b * b % 7)
    };
    format!("{},kind,size\n{}", names.join(","), rows(60, row))
}

/// Few combinations of values.
fn distribution() -> String {
    let name = |k: usize| format!("a_name_that_is_long_{k}_and_ends_like_all_the_others_do");
    let names: Vec<String> = (0..3).map(name).collect();
    let row = |i: usize| format!("{},{},{},{}", i & 1, i >> 1 & 1, i >> 2, (i & 1) ^ (i >> 1 & 1));
    format!("{},kind\n{}", names.join(","), rows(8, row))
}

#[test]
fn every_text_fits_80_columns() {
    let folder = folder();
    for (name, text) in [("t.csv", table(0)), ("u.csv", table(60)), ("p.csv", distribution())] {
        fs::write(folder.path().join(name), text).expect("written");
    }
    let in_folder = |words: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        finish(command(&words).env("COLUMNS", "80").current_dir(folder.path()))
    };
    let fit = in_folder("fit t.csv -t kind --trees 5 -o f.forest");
    assert_eq!(fit.code, 0, "{}", fit.stderr);
    for words in TEXTS {
        let run = in_folder(words);
        assert_eq!(run.code, 0, "{words}: {}", run.stderr);
        assert!(run.stdout.lines().count() > 2, "{words}: {}", run.stdout);
        for line in run.stdout.lines() {
            assert!(line.chars().count() <= 80, "{words}: {line}");
        }
    }
}

#[test]
fn every_command_is_looked_at() {
    let help = wald(&["--help"]).stdout;
    let listed = help.split_once("Commands:\n").expect("a list").1.split("\n\n").next();
    let listed = listed.unwrap_or_default().lines().filter(|line| !line.starts_with("   "));
    for name in listed.filter_map(|line| line.split_whitespace().next()) {
        let is_run = TEXTS.iter().any(|words| words.split(' ').next() == Some(name));
        assert!(is_run != WITHOUT.contains(&name), "{name}");
    }
}
