//! `wald advise`.

use std::fs;

use crate::*;

fn advise(words: &[&str]) -> Run {
    on("advise", &penguins(), &[&["--target", "species", "--trees", "60"], words].concat())
}

#[test]
fn json_has_the_summary_the_findings_and_both_objectives() {
    let json = advise(&["--format", "json"]).json();
    assert_eq!(json["format"], "wald-result");
    assert_eq!((&json["target"], &json["n_rows"]), (&"species".into(), &344.into()));
    let summary = json["summary"].as_array().expect("sentences");
    assert!((1..=3).contains(&summary.len()));
    let findings = json["findings"].as_array().expect("findings");
    let ids: Vec<&str> = findings.iter().filter_map(|one| one["id"].as_str()).collect();
    let expected = [
        "dependence",
        "interactions",
        "support",
        "weak_forest",
        "masking",
        "too_few_trees",
        "node_size",
        "cardinality",
        "leakage",
        "repeated_rows",
        "missingness",
        "imbalance",
        "small_and_smooth",
        "dependent_rows",
    ];
    assert_eq!(ids, expected);
    // Sizes of penguins go together; two of them have not been measured.
    assert_eq!(findings[0]["concern"], "serious");
    assert_eq!(findings[10]["evidence"][0]["value"], 5.0);
    let objectives = json["objectives"].as_array().expect("objectives");
    assert_eq!(objectives[0]["recommended"], "sobol_mda");
    let command = objectives[0]["command"].as_str().expect("a command");
    assert!(command.starts_with("wald select ") && command.contains("--target species"));
    assert_eq!(
        advise(&["--format", "json", "--threads", "1"]).json(),
        json,
        "any number of threads"
    );
}

#[test]
fn the_table_tells_what_to_use_and_why() {
    let run = advise(&["--quiet"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    for part in ["use        sobol_mda", "Findings", "dependence  Dependence", "caution "] {
        assert!(run.stdout.contains(part), "{part} is not in\n{}", run.stdout);
    }
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 100), "{}", run.stdout);
}

/// The commands of the further questions, typed on.
#[test]
fn further_questions_are_answered_by_their_commands() {
    let folder = folder();
    let table = folder.path().join("t.csv");
    let rows = (0..90).map(|row| {
        let (a, b) = (row * 37 % 90, row * 53 % 90);
        format!("{a},{b},{},{}\n", a + row % 3, 2 * a + b * b / 40)
    });
    fs::write(&table, format!("a,b,copy,y\n{}", rows.collect::<String>())).expect("writes");
    let words = ["--target", "y", "--trees", "10", "--seed", "4"];
    let json = on("advise", &table, &[&words[..], &["--format", "json"]].concat()).json();
    let further = json["further"].as_array().expect("questions");
    let ids: Vec<&str> = further.iter().filter_map(|one| one["id"].as_str()).collect();
    for id in ["test", "relevance", "false_discoveries", "effect", "stability", "interval", "rows"]
    {
        assert!(ids.contains(&id), "{id} is not among {ids:?}");
    }
    let forest = folder.path().join("t.forest");
    let [path, table_path] = [&forest, &table].map(|path| path.to_str().expect("text"));
    assert_eq!(on("fit", &table, &[&words[..], &["-o", path]].concat()).code, 0);
    for one in further {
        let command = one["command"].as_str().expect("a command");
        let named = |word| match word {
            "FOREST" => path,
            "NEW" | "OTHER" => table_path,
            word => word,
        };
        let mut typed = command.split(' ').skip(1).map(named).chain(["--quiet"]);
        let name = typed.next().expect("a command");
        let run = wald(&[&[name][..], &typed.collect::<Vec<_>>()].concat());
        assert_eq!(run.code, 0, "{command}\n{}", run.stderr);
        let is_grown = command.contains("--trees 10 --seed 4");
        assert!(is_grown || command.contains("wald predict FOREST NEW"), "{command}");
    }
    let text = on("advise", &table, &[&words[..], &["--quiet"]].concat()).stdout;
    assert!(text.contains("Further questions") && text.contains("--method boruta"), "{text}");
}

#[test]
fn a_stored_forest_is_advised_on() {
    let folder = folder();
    let forest = folder.path().join("species.forest");
    let path = forest.to_string_lossy().into_owned();
    let run = on("fit", &penguins(), &["--target", "species", "--trees", "60", "-o", &path]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let mut stored = on("advise", &penguins(), &["--forest", &path, "--format", "json"]).json();
    let mut grown = advise(&["--format", "json"]).json();
    // The commands differ in the forest that they read or grow, and in nothing else.
    let read = format!(" --forest {path}");
    for (found, option, n) in [(&mut stored, &*read, 1), (&mut grown, " --trees 60", 2)] {
        let mut n_commands = 0;
        for objective in found["objectives"].as_array_mut().expect("objectives") {
            let command = objective["command"].as_str().expect("a command");
            n_commands += command.matches(option).count();
            objective["command"] = command.replace(option, "").into();
        }
        assert_eq!(n_commands, n, "{found}");
        for further in found["further"].as_array_mut().expect("questions") {
            let command = further["command"].as_str().expect("a command");
            further["command"] = command.replace(option, "").into();
        }
    }
    assert_eq!(stored, grown, "grown or stored");
}

#[test]
fn what_cannot_be_is_refused_before_data_are_read() {
    let refused = |words: &[&str], parts: &[&str]| {
        let all = [&["advise", "none.csv", "--target", "y"], words].concat();
        wald(&all).refused(2, parts);
    };
    refused(&["--level", "0"], &["the level of the tests is 0", "0.05"]);
    refused(&["--level", "much"], &["much"]);
    refused(&["--format", "xml"], &["xml", "json"]);
    refused(&["--forest", "f", "--trees", "10"], &["--trees"]);
    wald(&["advise", "none.csv"]).refused(5, &["there is no such file"]);
}
