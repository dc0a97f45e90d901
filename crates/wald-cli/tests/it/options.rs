//! Bad options are refused before data is read: the data named here does not exist.

use crate::*;

/// Exit code and message of options that need no data to be refused.
#[track_caller]
fn refused(words: &[&str], code: i32, parts: &[&str]) {
    let mut arguments = vec!["importance", "there-is-no-such-table.csv", "--target", "y"];
    arguments.extend(words);
    wald(&arguments).refused(code, parts);
}

#[test]
fn numbers_out_of_range() {
    refused(&["--trees", "0"], 2, &["`--trees` is 0"]);
    refused(&["--trees", "-5"], 2, &["`--trees` is not a whole number", "value: \"-5\""]);
    refused(&["--trees", "1e18"], 6, &["1000000000000000000 trees"]);
    refused(&["--trees", "five"], 2, &["value: \"five\""]);
    refused(&["--trees"], 2, &["`--trees` needs a value"]);
    refused(&["--mtry", "0"], 2, &["`--mtry` is 0"]);
    refused(&["--max-depth", "0"], 2, &["`--max-depth` is 0"]);
    for bins in ["0", "1", "256"] {
        let named = format!("`--max-bins` is {bins}");
        refused(&["--max-bins", bins], 2, &[&named, "between 2 and 255"]);
    }
    let only = ["only best splitting has bins"];
    refused(&["--max-bins", "255", "--splitting", "random-threshold"], 2, &only);
    refused(&["--min-node-size", "0"], 2, &["`--min-node-size` is 0"]);
    refused(&["--sample-fraction", "0"], 2, &["`--sample-fraction` is 0"]);
    refused(&["--sample-fraction", "1001"], 2, &["`--sample-fraction` is 1001"]);
    refused(&["--sample-fraction", "nan"], 2, &["is not a number"]);
    refused(&["--threads", "0"], 2, &["between 1 and 1024"]);
    refused(&["--threads", "1e6"], 2, &["between 1 and 1024"]);
    refused(&["--seed", "-1"], 2, &["is not a seed", "18446744073709551615"]);
    refused(&["--seed", "text"], 2, &["is not a seed", "value: \"text\""]);
    refused(&["--permutations", "0"], 2, &["0 random permutations"]);
    for many in ["100001", "4294967296", "1e15"] {
        let range = ["more than 100000 random permutations", "between 1 and 100000"];
        refused(&["--measure", "mda_breiman_cutler", "--permutations", many], 2, &range);
    }
    refused(&["--min-child-fraction", "0.5"], 2, &["below 0.5"]);
    refused(&["--mtry-one-probability", "1.1"], 2, &["between 0 and 1"]);
}

#[test]
fn unknown_words_are_mended() {
    refused(&["--measure", "mda"], 2, &["did you mean `mda_breiman_cutler`, "]);
    refused(&["--measure", "mdi,zzz"], 2, &["use one of: mdi, mdi_oob", "\"zzz\""]);
    refused(&["--loss", "squard"], 2, &["did you mean `squared`?"]);
    refused(&["--task", "regresion"], 2, &["did you mean `regression`?"]);
    refused(&["--impurity", "ginni"], 2, &["did you mean `gini`?"]);
    refused(&["--formt", "json"], 2, &["no option `--formt`", "did you mean `--format`?"]);
    refused(&["--format", "xml"], 2, &["use one of: table, json, csv"]);
    wald(&["impotance"]).refused(2, &["did you mean `importance`?"]);
    wald(&["impor\u{1b}[31mtance"]).refused(2, &["\\u{1b}"]);
}

#[test]
fn options_that_contradict_each_other() {
    refused(&["--sampling", "all", "--stratify"], 2, &["all rows are used"]);
    refused(&["--forest", "f", "--trees", "5"], 2, &["`--forest` and `--trees` exclude"]);
    refused(&["--trees", "5", "--trees", "6"], 2, &["`--trees` is given twice"]);
    refused(&["-m", "mdi", "--loss", "squared"], 2, &["measure `mdi` does not offer `--loss`"]);
    refused(
        &["-m", "mdi", "--normalise", "variance"],
        2,
        &["measure `mdi` does not offer `--normalise variance`", "none, sum"],
    );
    refused(
        &["-m", "mdi", "--conditioning-threshold", "0.5"],
        2,
        &["measure `mdi` does not offer"],
    );
    refused(
        &["-m", "conditional-permutation", "--conditioning-threshold", "2"],
        2,
        &["between 0 and 1"],
    );
    refused(&["-m", "mdi", "--blocks", "2"], 2, &["measure `mdi` does not offer `--blocks`"]);
    refused(&["-m", "mdi", "--per-class"], 2, &["measure `mdi` does not offer `--per-class`"]);
    let ours = ["-m", "mda-ishwaran-kogalur"];
    let with = |words: &[&'static str]| [&ours[..], words].concat();
    refused(&with(&["--blocks", "0"]), 2, &["0 blocks of trees", "1 for the whole forest"]);
    refused(&with(&["--blocks", "-1"]), 2, &["`--blocks` is not a whole number"]);
    refused(&with(&["--blocks", "9", "--trees", "8"]), 2, &["9 blocks of 8 trees"]);
    refused(&with(&["--per-class", "--loss", "auc"]), 2, &["because it compares two"]);
    refused(&with(&["--exclude-self"]), 2, &["does not offer `--exclude-self`"]);
    let both = ["--exclude-self", "--permutations", "3"];
    refused(
        &[&["-m", "mda-breiman-cutler"][..], &both].concat(),
        2,
        &["require the exact expectation"],
    );
}

#[test]
fn the_target_is_needed() {
    on("importance", &penguins(), &[]).refused(2, &["no target is named", "`", "--target"]);
    wald(&["importance", "none.csv"]).refused(5, &["there is no such file", "none.csv"]);
    wald(&["importance", "none.csv", "y"]).refused(2, &["not a formula", "value: \"y\""]);
    wald(&["importance"]).refused(2, &["`<DATA>` is missing"]);
    wald(&["importance", "a.csv", "y ~ .", "z"]).refused(2, &["one word too many"]);
}

#[test]
fn options_that_do_not_fit_the_data() {
    let cancer = cancer();
    let refused = |words: &[&str], code: i32, parts: &[&str]| {
        let words: Vec<&str> = ["--trees", "2"].iter().chain(words).copied().collect();
        on("importance", &cancer, &words).refused(code, parts);
    };
    refused(&["-t", "benign", "--mtry", "31"], 2, &["`--mtry` is 31", "between 1 and 30"]);
    refused(&["-t", "benign", "--impurity", "variance"], 2, &["impurity does not fit"]);
    refused(&["-t", "benign", "--loss", "absolute"], 2, &["does not offer the loss `absolute`"]);
    let all = ["-t", "benign", "--sampling", "all", "-m", "mda_breiman_cutler"];
    refused(&all, 2, &["needs out-of-bag rows"]);
    refused(&["-t", "Benign"], 3, &["breast_cancer.csv", "did you mean \"benign\"?"]);
    refused(&["benign ~ meen_radius"], 3, &["did you mean \"mean_radius\"?"]);
    refused(&["benign ~ log(mean_radius)"], 2, &["formula"]);
    refused(&["-t", "benign", "--weights", "nope"], 3, &["no column \"nope\""]);
    refused(&["-t", "benign", "--exclude", "benign"], 2, &["is excluded"]);
    refused(&["-t", "mean_radius", "--task", "classification"], 3, &["456 different numbers"]);
}

#[test]
fn measures_that_do_not_apply_go_unless_they_were_named() {
    let words = ["-t", "benign", "--trees", "2", "--sampling", "all", "--format", "csv"];
    let run = on("importance", &cancer(), &words);
    assert_eq!(run.code, 0);
    assert!(!run.stdout.contains("mda_breiman_cutler"));
    assert!(
        run.stderr.contains("note: left out: measure `mda_breiman_cutler` needs out-of-bag rows")
    );
}

#[test]
fn values_are_taken_apart_where_they_are_shown() {
    let species = |command: &str, words: &[&str]| {
        let given = [&["-t", "species", "--trees", "2", "--exclude", "sex"][..], words].concat();
        on(command, &penguins(), &given)
    };
    let per_class = ["-m", "mda_breiman_cutler", "--per-class"];
    let one_value = [
        "`mda_breiman_cutler` is given `--per-class`",
        "leave out `--per-class`; `wald importance`",
    ];
    species("uncertainty", &per_class).refused(2, &one_value);
    let second = penguins();
    let second = second.to_str().expect("a text");
    species("compare", &[&per_class[..], &["--second", second]].concat()).refused(2, &one_value);
    for method in ["boruta", "ipss"] {
        species("select", &[&per_class[..], &["--method", method]].concat()).refused(2, &one_value);
    }
    for command in ["masking", "select"] {
        species(command, &["-m", "mdi", "--by-degree"])
            .refused(2, &["`mdi` is given `--by-degree`"]);
    }
    let page = ["`--second-order` is given", "the page has one value"];
    species("report", &["-m", "sobol_first", "--second-order"]).refused(2, &page);
    // Nor do measures that were not named leave out what was given for them alone.
    for words in [&["--per-class"][..], &["-m", "all", "--per-class"]] {
        let number = [&["-t", "body_mass_g", "--trees", "2"][..], words].concat();
        let of_classes = ["values per class where the target has classes, but it is a number"];
        on("importance", &penguins(), &number).refused(2, &of_classes);
    }
}

#[test]
fn a_bad_cell_is_named_with_its_place() {
    let folder = folder();
    let table = folder.path().join("bad.csv");
    let rows = rows(40, |i| format!("{i},{}", i % 3));
    std::fs::write(&table, format!("a,y\n{rows}1.2.3,1\n{rows}")).expect("written");
    let run = on("importance", &table, &["-t", "y", "--trees", "2"]);
    run.refused(3, &["bad.csv:42, column \"a\"", "value: \"1.2.3\"", "help: "]);
}

#[test]
fn ways_to_sum_up_are_those_of_local_values() {
    on("importance", &penguins(), &["species ~ .", "-m", "mdi", "--aggregate", "mean"])
        .refused(2, &["does not offer `--aggregate`"]);
    let words = ["body_mass_g ~ .", "-m", "tree_shap", "--trees", "9", "--aggregate", "covariance"];
    let json = on("importance", &penguins(), &[&words[..], &["--format", "json"]].concat()).json();
    assert_eq!(json["measures"][0]["settings"]["aggregate"], "covariance");
    let text = on("importance", &penguins(), &words).stdout;
    assert!(text.contains("covariance with the response"), "{text}");
}
