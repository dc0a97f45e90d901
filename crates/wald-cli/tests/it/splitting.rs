//! Every command on forests grown in other ways than by the best split.

use std::fs;

use crate::*;

/// Options that choose a way of growing penguins, and the settings that result.
const WAYS: [(&[&str], &str); 5] = [
    (&["--splitting", "random-threshold", "--sampling", "all", "--mtry", "3"], "random-threshold"),
    (&["--splitting", "best", "--subspace", "3"], "best"),
    (&["--min-weight-fraction-leaf", "0.05", "--min-impurity-decrease", "0.001"], "best"),
    (
        &[
            "--splitting",
            "multiway",
            "--split-pure",
            "--subspace",
            "2",
            "--exclude",
            "bill_length_mm,bill_depth_mm,flipper_length_mm,body_mass_g",
            "--categorical",
            "year",
        ],
        "multiway",
    ),
    (
        &["--splitting", "conditional", "--p-values", "bonferroni", "--min-criterion", "0.9"],
        "conditional",
    ),
];

#[test]
fn forests_are_fitted_converted_measured_and_predict() {
    for (words, splitting) in WAYS {
        let folder = folder();
        let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
        let growing: Vec<&str> =
            ["-t", "species", "--trees", "7", "--seed", "5"].iter().chain(words).copied().collect();
        let with = |more: &[&str]| -> Vec<String> {
            growing.iter().chain(more).map(|word| (*word).to_owned()).collect()
        };
        let run = |name: &str, words: &[String]| {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let run = on(name, &penguins(), &words);
            assert_eq!(run.code, 0, "{splitting} {}", run.stderr);
            run
        };
        let direct = run("importance", &with(&["-m", "all", "--format", "json"]));
        assert_eq!(direct.json()["forest"]["splitting"], splitting);
        let (forest, json) = (path("p.forest"), path("p.json"));
        run("fit", &with(&["-o", &forest]));
        assert_eq!(wald(&["convert", &forest, &json]).code, 0);
        assert_eq!(wald(&["convert", &json, &path("back.forest")]).code, 0);
        let bytes = |name: &str| fs::read(folder.path().join(name)).expect("written");
        assert_eq!(bytes("back.forest"), bytes("p.forest"));
        for stored in [&forest, &json] {
            let mut words = vec!["--forest", stored, "--seed", "5", "-m", "all"];
            words.extend(["--format", "json"]);
            if splitting == "multiway" {
                words.extend(["--categorical", "year"]);
            }
            assert_eq!(on("importance", &penguins(), &words).stdout, direct.stdout, "{splitting}");
        }
        let table = penguins();
        let predicted = wald(&["predict", &forest, table.to_str().expect("text")]);
        assert_eq!(predicted.code, 0, "{}", predicted.stderr);
        assert_eq!(predicted.stdout.lines().count(), 345);
        let page = path("page.html");
        run("report", &with(&["-o", &page]));
        let page = fs::read_to_string(page).expect("a page");
        assert!(page.contains(splitting), "the page names the way of growing");
    }
}

#[test]
fn what_does_not_fit_is_refused_before_growing() {
    let refused = |words: &[&str], parts: &[&str]| {
        let words: Vec<&str> = ["-t", "species"].iter().chain(words).copied().collect();
        on("importance", &penguins(), &words).refused(2, parts);
    };
    refused(
        &["--splitting", "multiway"],
        &["\"bill_length_mm\", \"bill_depth_mm\"", "--categorical", "help: "],
    );
    refused(&["--split-pure"], &["only multiway trees split pure nodes"]);
    refused(
        &["--min-criterion", "0.95"],
        &["`--min-criterion` was given, but only conditional splitting tests variables", "help: "],
    );
    refused(&["--splitting", "conditional", "--min-criterion", "1"], &["`--min-criterion` is 1"]);
    refused(
        &["--splitting", "conditional", "--p-values", "holm"],
        &["use one of: univariate, bonferroni"],
    );
    refused(&["--splitting", "conditional", "--split-pure"], &["only multiway trees"]);
    refused(&["--subspace", "0"], &["`--subspace` is 0"]);
    refused(&["--subspace", "9"], &["`--subspace` is 9, but there are 7 input variables"]);
    refused(&["--subspace", "2", "--mtry", "3"], &["each tree uses 2 variables"]);
    refused(&["--splitting", "random"], &["did you mean `random_threshold`?"]);
}
