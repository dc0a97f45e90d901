//! Stored forests: fit, predict, convert, and measuring a forest that exists.

use std::fs;

use crate::*;

/// A forest of the penguins' species, written to `name`.
fn fitted(folder: &Path, name: &str) -> PathBuf {
    let forest = folder.join(name);
    let words = ["species ~ .", "--trees", "8", "--seed", "3", "--output"];
    let words: Vec<&str> = words.into_iter().chain([forest.to_str().expect("text")]).collect();
    let run = on("fit", &penguins(), &words);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    assert!(run.stderr.contains("wrote "));
    forest
}

fn converted(from: &Path, to: PathBuf) -> PathBuf {
    let run = wald(&[OsStr::new("convert"), from.as_os_str(), to.as_os_str()]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    to
}

fn importances_of(forest: &Path) -> String {
    let forest = forest.to_str().expect("text");
    let words =
        ["--forest", forest, "--seed", "3", "-m", "all", "--format", "json", "--permutations", "2"];
    let run = on("importance", &penguins(), &words);
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.stdout
}

#[test]
fn a_stored_forest_is_measured_as_when_it_grew() {
    let folder = folder();
    let forest = fitted(folder.path(), "p.forest");
    let words = ["-t", "species", "--trees", "8", "--seed", "3", "-m", "all", "--format", "json"];
    let words: Vec<&str> = words.into_iter().chain(["--permutations", "2"]).collect();
    let direct = on("importance", &penguins(), &words).stdout;
    assert_eq!(importances_of(&forest), direct);
    let json = converted(&forest, folder.path().join("p.json"));
    assert!(fs::read_to_string(&json).expect("text").contains("\"wald-forest\""));
    assert_eq!(importances_of(&json), direct);
    let back = converted(&json, folder.path().join("back.forest"));
    assert_eq!(fs::read(&back).expect("bytes"), fs::read(&forest).expect("bytes"));
}

/// Of all measures, those that a forest has what they need for.
#[test]
fn measures_that_a_forest_does_not_meet_are_left_out_and_named() {
    let folder = folder();
    let json = converted(&fitted(folder.path(), "p.forest"), folder.path().join("p.json"));
    let text = fs::read_to_string(&json).expect("text");
    let all = |change: &dyn Fn(&mut Value)| {
        let mut document: Value = serde_json::from_str(&text).expect("JSON");
        change(&mut document);
        fs::write(&json, document.to_string()).expect("written");
        let words = ["--forest", json.to_str().expect("text"), "-m"];
        let run =
            on("importance", &penguins(), &[&words[..], &["all", "--format", "json"]].concat());
        let found = run.json();
        let measures = found["measures"].as_array().expect("measures").iter();
        let ids = measures.map(|measure| measure["measure"].as_str().expect("a name").to_owned());
        let left_out = run.stderr.lines().filter_map(|line| line.split_once("left out: measure `"));
        let left_out = left_out.map(|(_, why)| why.replacen('`', "", 1)).collect::<Vec<_>>();
        (ids.collect::<Vec<_>>(), left_out)
    };
    // Not grown by wald, and leaves count by their rows, as those of party do.
    let foreign = |document: &mut Value| {
        document["aggregation"] = "leaf_weighted".into();
        document.as_object_mut().expect("an object").remove("config");
    };
    let (ids, left_out) = all(&foreign);
    let kept = [
        "mdi",
        "mdi_oob",
        "mdi_oob_uncentred",
        "mdi_oob_naive",
        "mdi_oob_naive_in_bag_added",
        "ufi",
        "mda_breiman_cutler",
        "mda_random_split",
        "conditional_permutation",
        "split_count",
        "minimal_depth",
        "depth_weighted_splits",
    ];
    assert_eq!(ids, kept);
    let why = "needs a forest whose trees count equally, but here leaves are weighted; use \
               mda_breiman_cutler";
    let expected = [
        "air grows forests again; name it to have it".to_owned(),
        "mdi_plus fits a regression to every tree; name it to have it".to_owned(),
        "total_sobol_regrow grows forests again; name it to have it".to_owned(),
        "total_sobol_retrain grows forests again; name it to have it".to_owned(),
        "distribution_retrain grows forests again; name it to have it".to_owned(),
        "shapley_effects projects the forest onto many sets of variables; name it to have it"
            .to_owned(),
        "tree_shap sends all rows to all leaves; name it to have it".to_owned(),
        "tree_shap_interventional sends all rows to all leaves; name it to have it".to_owned(),
        "tree_shap_loss sends all rows to all leaves; name it to have it".to_owned(),
        "tree_shap_oob sends all rows to all leaves; name it to have it".to_owned(),
        "tree_shap_oob_covariance sends all rows to all leaves; name it to have it".to_owned(),
        "sage samples until its values are precise; name it to have it".to_owned(),
        format!("mda_ishwaran_kogalur {why}"),
        "mda_train_test needs rows that the forest never saw; give a table of them (`--test`), \
         or use mda_breiman_cutler, which uses out-of-bag rows"
            .to_owned(),
        format!("total_sobol_full {why}"),
        // Only so many notes are shown.
    ];
    assert_eq!(left_out, expected);
    let without_bags = |document: &mut Value| {
        foreign(document);
        for tree in document["trees"].as_array_mut().expect("trees") {
            let tree = tree.as_object_mut().expect("a tree");
            tree.retain(|field, _| !["in_bag", "weight", "impurity"].contains(&field.as_str()));
        }
    };
    let (ids, left_out) = all(&without_bags);
    assert_eq!(ids, ["split_count", "minimal_depth", "depth_weighted_splits"]);
    // All others; only so many notes are shown.
    assert!(left_out.len() >= 10, "{left_out:?}");
    // What is named is not left out but refused.
    let words = ["--forest", json.to_str().expect("text"), "-m", "mdi,sobol-mda"];
    on("importance", &penguins(), &words).refused(2, &["needs the in-bag weight of every node"]);
}

#[test]
fn columns_may_stand_in_any_order_and_others_are_ignored() {
    let folder = folder();
    let forest = fitted(folder.path(), "p.json");
    let table = fs::read_to_string(penguins()).expect("text");
    let lines: Vec<&str> = table.lines().collect();
    let turned = rows(lines.len(), |row| {
        let mut cells: Vec<&str> = lines[row].split(',').collect();
        cells.reverse();
        format!("{},{}", cells.join(","), if row == 0 { "broken" } else { "1.2.3" })
    });
    let path = folder.path().join("turned.csv");
    fs::write(&path, turned).expect("written");
    let forest = forest.to_str().expect("text");
    let words = ["--forest", forest, "--format", "json"];
    let straight = on("importance", &penguins(), &words);
    let turned = on("importance", &path, &words);
    // The notes name the other column.
    let measured = |run: &Run| {
        let mut json = run.json();
        json["notes"].take();
        json
    };
    assert_eq!(measured(&turned), measured(&straight));
    let report = folder.path().join("r.html");
    let words = ["--forest", forest, "--output", report.to_str().expect("text")];
    assert_eq!(on("report", &path, &words).code, 0);
    assert!(fs::read_to_string(report).expect("a page").contains("flipper_length_mm"));
}

#[test]
fn predictions_of_classes_have_probabilities() {
    let folder = folder();
    let forest = fitted(folder.path(), "p.forest");
    let data = penguins();
    let predict = |words: &[&str]| {
        let mut command = command(&[OsStr::new("predict"), forest.as_os_str(), data.as_os_str()]);
        finish(command.args(words))
    };
    let csv = predict(&[]).stdout;
    let mut lines = csv.lines();
    let header = "species,probability_Adelie,probability_Chinstrap,probability_Gentoo";
    assert_eq!(lines.next(), Some(header));
    assert_eq!(lines.clone().count(), 344);
    let right = lines
        .zip(fs::read_to_string(&data).expect("text").lines().skip(1))
        .filter(|(predicted, truth)| predicted.split(',').next() == truth.split(',').next())
        .count();
    assert!(right > 330, "{right}");
    let json = predict(&["--format", "json"]).json();
    assert_eq!(json["n_rows"], 344);
    assert_eq!(json["probabilities"][0].as_array().map(Vec::len), Some(3));
    assert_eq!(json["predictions"].as_array().map(Vec::len), Some(344));
    let table = predict(&["--format", "table"]).stdout;
    assert!(table.starts_with("species") && table.lines().count() == 345);
}

#[test]
fn predictions_of_numbers_have_one_column() {
    let folder = folder();
    let forest = folder.path().join("mass.forest");
    let words = ["-t", "body_mass_g", "--trees", "5", "-q", "-o", forest.to_str().expect("text")];
    assert_eq!(on("fit", &penguins(), &words).code, 0);
    let output = folder.path().join("mass.csv");
    let data = penguins();
    let mut command = command(&[OsStr::new("predict"), forest.as_os_str(), data.as_os_str()]);
    let run = finish(command.arg("--output").arg(&output));
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    let csv = fs::read_to_string(&output).expect("predictions");
    assert_eq!(csv.lines().next(), Some("body_mass_g"));
    assert!(csv.lines().skip(1).all(|line| line.parse::<f64>().is_ok_and(|mass| mass > 2000.0)));
}

#[test]
fn damaged_and_foreign_files_are_refused() {
    let folder = folder();
    let forest = fitted(folder.path(), "p.forest");
    let mut bytes = fs::read(&forest).expect("bytes");
    let cut = folder.path().join("cut.forest");
    fs::write(&cut, &bytes[..bytes.len() / 2]).expect("written");
    on("predict", &cut, &[penguins().to_str().expect("text")]).refused(4, &["cut.forest"]);
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&cut, &bytes).expect("written");
    on("predict", &cut, &[penguins().to_str().expect("text")]).refused(4, &["cut.forest"]);
    on("convert", &penguins(), &["out.json"]).refused(4, &["neither a wald model file"]);
    on("predict", Path::new("none.forest"), &["x.csv"]).refused(5, &["none.forest"]);
    let path = forest.to_str().expect("text");
    on("importance", &cancer(), &["--forest", path]).refused(3, &["breast_cancer.csv"]);
}
