//! A column that plays two parts at once is used for both, or refused with the name of the column and
//! the two parts.

use std::fs;

use crate::*;

/// What a column can be named for, each with the words for column `a`.
const PARTS: [(&str, &[&str]); 9] = [
    ("--target", &["--target", "a"]),
    ("--weights", &["--weights", "a"]),
    ("--cluster", &["--cluster", "a"]),
    ("--exclude", &["--exclude", "a"]),
    ("--categorical", &["--categorical", "a"]),
    ("--numeric", &["--numeric", "a"]),
    ("--group", &["--group", "G=a,b"]),
    ("formula with", &["y ~ a + b"]),
    ("formula without", &["y ~ . - a"]),
];

/// Pairs that contradict each other.
const REFUSED: [[&str; 2]; 15] = [
    ["--categorical", "--numeric"],
    ["--weights", "--categorical"],
    ["--target", "--weights"],
    ["--target", "--cluster"],
    ["--target", "--exclude"],
    ["--target", "--group"],
    ["--target", "formula with"],
    ["--target", "formula without"],
    ["--weights", "--cluster"],
    ["--weights", "--group"],
    ["--cluster", "--group"],
    ["--exclude", "--group"],
    ["--group", "formula without"],
    ["--weights", "formula with"],
    ["--cluster", "formula with"],
];

#[test]
fn no_pair_of_parts_is_a_panic_or_a_riddle() {
    let folder = folder();
    let data = folder.path().join("t.csv");
    let row = |i: usize| format!("{},{},{},{}", 1 + i % 4, i % 5, i % 3, i * 31 % 17);
    fs::write(&data, format!("a,b,c,y\n{}", rows(60, row))).expect("written");
    for (at, (one, words)) in PARTS.iter().enumerate() {
        for (other, more) in &PARTS[at + 1..] {
            let has_target = |name: &str| name == "--target" || name.starts_with("formula");
            let target: &[&str] =
                if has_target(one) || has_target(other) { &[] } else { &["--target", "y"] };
            let is_formula = |words: &&&[&str]| words.len() == 1;
            let all = [words, more, &target];
            // The formula stands before all options.
            let first = all.into_iter().filter(|words| is_formula(words)).copied();
            let rest = all.into_iter().filter(|words| !is_formula(words)).copied();
            let words = first.chain(rest).flatten().copied();
            let words: Vec<&str> = words.chain(["--trees", "3", "--quiet"]).collect();
            let formulas = words.iter().filter(|word| word.contains('~')).count();
            let run = on("importance", &data, &words);
            let is_refused = formulas > 1 || REFUSED.contains(&[*one, *other]);
            let expected = if is_refused { 2 } else { 0 };
            assert_eq!(run.code, expected, "{one} and {other}: {}", run.stderr);
            if is_refused {
                assert!(run.stderr.contains("\"a\"") || formulas > 1, "{}", run.stderr);
            }
        }
        // With draws that are balanced by class, and as a target of classes.
        let is_target = *one == "--target";
        let target: &[&str] = if is_target || words.len() == 1 { &[] } else { &["--target", "y"] };
        let words = [*words, target, &["--task", "classification", "--stratify", "--trees", "3"]];
        let run = on("importance", &data, &words.concat());
        let expected = if *one == "--cluster" { 2 } else { 0 };
        assert_eq!(run.code, expected, "{one} and --stratify: {}", run.stderr);
    }
}

/// With columns `b` and `c`, the list `b,c` could be either these or a column of that name.
#[test]
fn columns_with_commas_are_named_in_lists_or_refused() {
    let folder = folder();
    let data = folder.path().join("t.csv");
    let row = |i: usize| format!("{},{},{},{}", 1 + i % 4, i % 5, i % 3, i * 31 % 17);
    let found = |header: &str, words: &[&str]| {
        fs::write(&data, format!("{header},y\n{}", rows(60, row))).expect("written");
        let words = [words, &["-t", "y", "--trees", "3", "--quiet", "--format", "csv"]].concat();
        on(if words.contains(&"pdp") { "explain" } else { "importance" }, &data, &words)
    };
    let list = |words: &[&str]| found("a,\"b,c\",d", words).stdout;
    let excluded = list(&["--exclude", "b,c,d"]);
    assert!(!excluded.contains("b,c") && excluded.contains(",a,"), "{excluded}");
    let grouped = list(&["--group", "G=b,c,d"]);
    assert!(!grouped.contains("b,c") && grouped.contains(",G,"), "{grouped}");
    let shown = list(&["--measure", "pdp", "--variables", "b,c"]);
    assert!(shown.contains("\"b,c\"") && !shown.contains(",a,"), "{shown}");
    let parts = ["value: \"b,c\"", "several columns separated by commas", "- `a,b`"];
    for words in [
        &["--exclude", "b,c"][..],
        &["--group", "G=b,c"],
        &["--measure", "pdp", "--variables", "b,c"],
    ] {
        found("b,\"b,c\",c", words).refused(2, &parts);
    }
    let in_formula = found("b,\"b,c\",c", &["--exclude", "b"]);
    assert_eq!(in_formula.code, 0, "{}", in_formula.stderr);
    // In double quotes, as in CSV, one column is meant, also by options that are read before the table.
    let quoted = "\"b,c\"";
    for words in [
        &["--exclude", quoted][..],
        &["--group", "G=\"b,c\",c"],
        &["--measure", "pdp", "--variables", quoted],
        &["--categorical", quoted, "--categorical", "b"],
        &["--numeric", "\"b,c\",b"],
        &["--increasing", "b,\"b,c\"", "--decreasing", "c"],
    ] {
        let found = found("b,\"b,c\",c", words);
        assert_eq!(found.code, 0, "{words:?} {}", found.stderr);
    }
    let both = ["--categorical", quoted, "--increasing", "\"b,c\",a"];
    found("a,\"b,c\",d", &both).refused(2, &["names \"b,c\", whose levels have no order"]);
    let both = ["--categorical", quoted, "--numeric", "a,\"b,c\""];
    found("a,\"b,c\",d", &both).refused(2, &["\"b,c\" cannot be numeric and categorical"]);
    found("a,b,c", &["--numeric", "a,\"b"])
        .refused(2, &["double quotes with no end", "'\"a,b\",c'"]);
}

#[test]
fn weights_that_are_clusters_too_are_named() {
    let folder = folder();
    let data = folder.path().join("t.csv");
    fs::write(&data, "x,w,y\n1,1,2\n2,1,3\n3,2,5\n").expect("written");
    let parts = ["column \"w\" cannot be the weights and the cluster at once", "different columns"];
    let words = ["-t", "y", "--weights", "w", "--cluster", "w"];
    for command in ["importance", "report", "fit", "select", "uncertainty", "masking", "advise"] {
        let output = folder.path().join("out");
        let words = [&words[..], &["--output", output.to_str().expect("text")]].concat();
        on(command, &data, &words).refused(2, &parts);
    }
}
