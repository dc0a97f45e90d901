//! `wald explain`: curves of rows and their means.

use crate::*;

pub(crate) fn explain(data: &Path, words: &[&str]) -> Run {
    on("explain", data, words)
}

#[test]
fn partial_dependence_has_a_grid_and_a_curve_per_variable() {
    let words = ["-t", "benign", "-m", "pdp", "--trees", "20", "--grid", "5", "--format", "json"];
    let json = explain(&cancer(), &words).json();
    assert_eq!((&json["measure"], &json["rows"]), (&"pdp".into(), &569.into()));
    assert_eq!(json["classes"], serde_json::json!(["0", "1"]));
    let features = json["features"].as_array().expect("names");
    let curves = json["values"].as_array().expect("curves");
    assert_eq!((features.len(), curves.len()), (30, 30));
    for curve in curves {
        let (grid, values) = (curve["grid"].as_array(), curve["values"].as_array());
        let (grid, values) = (grid.expect("a grid"), values.expect("values"));
        assert_eq!((grid.len(), values.len()), (5, 5));
        for shares in values {
            let sum: f64 =
                shares.as_array().expect("shares").iter().filter_map(Value::as_f64).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{sum}");
        }
    }
}

#[test]
fn curves_at_the_own_value_are_predictions() {
    let folder = folder();
    let data = folder.path().join("data.csv");
    let row = |i: usize| format!("{},{},{}", i % 6, ["u", "v", "w"][i * i % 3], i % 6 + i * i % 3);
    std::fs::write(&data, "a,b,y\n".to_owned() + &rows(60, row)).expect("written");
    let forest = folder.path().join("forest").to_string_lossy().into_owned();
    assert_eq!(on("fit", &data, &["-t", "y", "--trees", "9", "--output", &forest]).code, 0);
    let stored = ["--forest", &forest, "-m", "ice", "--format", "json"];
    let json = explain(&data, &stored).json();
    let mut arguments = vec![OsStr::new("predict"), OsStr::new(&forest), data.as_os_str()];
    arguments.extend(["--format", "json"].map(OsStr::new));
    let predictions = wald(&arguments).json();
    for i in 0..60 {
        let expected = predictions["predictions"][i].as_f64().expect("a number");
        let level = json["values"][1]["grid"].as_array().expect("levels");
        let level = level.iter().position(|level| level == ["u", "v", "w"][i * i % 3]);
        for (variable, place) in [(0, i % 6), (1, level.expect("known"))] {
            let found = json["values"][variable]["values"][i][place].as_f64().expect("a number");
            assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
        }
    }
    // Growing the same forest gives the same values.
    let grown = ["-t", "y", "--trees", "9", "-m", "ice", "--format", "json"];
    assert_eq!(explain(&data, &grown).json()["values"], json["values"]);
    let csv = ["-t", "y", "--trees", "9", "-m", "ice", "--format", "csv"];
    let text = explain(&data, &csv).stdout;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines[0], lines.len()), ("row,variable,number,level,class,value", 1 + 60 * 8));
    assert!(lines[1].starts_with("1,a,0,,,"), "{}", lines[1]);
    assert!(lines[7].starts_with("1,b,,"), "{}", lines[7]);
}

#[test]
fn rows_of_another_table_need_no_target() {
    let folder = folder();
    let other = folder.path().join("new.csv");
    std::fs::write(&other, "island,sex,extra\nBiscoe,male,1\nnowhere,,2\n").expect("written");
    let other = other.to_string_lossy();
    let words = ["species ~ island + sex", "-m", "ice", "--trees", "5", "--rows", &other];
    let parquet = folder.path().join("curves.parquet").to_string_lossy().into_owned();
    let run =
        explain(&penguins(), &[&words[..], &["--format", "parquet", "-o", &parquet]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let table = wald_table::read(parquet.as_ref(), &wald_table::ReadOptions::default());
    let table = table.expect("a Parquet file");
    let names: Vec<&str> = table.names().collect();
    assert_eq!(names, ["row", "variable", "number", "level", "class", "value"]);
    // Three islands, two sexes and a missing one; three classes; two rows.
    assert_eq!(table.n_rows(), (3 + 3) * 3 * 2);
    let table = explain(&penguins(), &words);
    assert!(table.stdout.contains("2 levels, missing"), "{}", table.stdout);
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    for measure in ["ice", "pdp"] {
        let bytes = |threads: &str| {
            let words = ["-t", "species", "--trees", "7", "-m", measure, "--format", "csv"];
            let words: Vec<&str> = words.into_iter().chain(["--threads", threads]).collect();
            explain(&penguins(), &words).stdout
        };
        let one = bytes("1");
        assert!(one.len() > 1000);
        assert_eq!((bytes("2"), bytes("5")), (one.clone(), one));
    }
}

#[test]
fn the_table_draws_the_widest_curves_first() {
    let words = ["-t", "body_mass_g", "--trees", "20", "-m", "pdp"];
    let run = explain(&penguins(), &words);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(lines[0].starts_with("variable") && lines[0].ends_with("curve"), "{}", lines[0]);
    assert!(lines[1..4].iter().any(|line| line.starts_with("species")), "{}", run.stdout);
    assert!(run.stdout.contains("pdp: Partial dependence, mean of 342 rows"));
    let mut command = command(&[OsStr::new("explain"), penguins().as_os_str()]);
    let ascii = finish(command.args(words).env("LC_ALL", "C"));
    assert!(ascii.code == 0 && ascii.stdout.is_ascii(), "{}", ascii.stdout);
}

#[test]
fn what_cannot_be_explained_is_refused() {
    let refused = |words: &[&str], code: i32, parts: &[&str]| {
        explain(&cancer(), &[&["-t", "benign", "--trees", "3"], words].concat())
            .refused(code, parts);
    };
    refused(&[], 2, &["`--measure <ID>` is missing"]);
    refused(&["-m", "mdi"], 2, &["did you mean `mdi_oob`, `mdi_plus` or `local_mdi`?"]);
    refused(&["-m", "zzz"], 2, &["use one of: ice, pdp, "]);
    refused(&["-m", "ice", "--variables", "nowhere"], 2, &["\"nowhere\" is not an input variable"]);
    refused(&["-m", "ice", "--grid", "0"], 2, &["a grid of 0 values"]);
    refused(
        &["-m", "ale", "--grid", "exact"],
        2,
        &["`ale` has a grid of quantiles", "`--grid 41`"],
    );
    refused(&["-m", "ice", "--grid", "x"], 2, &["neither `exact` nor a whole number", "\"x\""]);
    refused(&["-m", "ice", "--rows", "nowhere.csv"], 5, &["no such file"]);
    refused(&["-m", "ice", "--rows", "x.csv", "--out-of-bag"], 2, &["exclude each other"]);
    let penguins = penguins().to_string_lossy().into_owned();
    refused(&["-m", "ice", "--rows", &penguins], 3, &["\"mean_radius\"", "grown with"]);
    refused(&["-m", "ice", "--out-of-bag", "--sampling", "all"], 2, &["out-of-bag"]);
    refused(
        &["-m", "ice", "--background-rows", "5"],
        2,
        &["does not offer `--background-rows`", "such as `tree_shap_interventional`"],
    );
    let loss = ["-m", "tree_shap_loss", "--rows"];
    refused(&[&loss[..], &[&penguins]].concat(), 3, &["\"benign\""]);
    refused(&["-m", "tree_shap_loss", "--loss", "absolute"], 2, &["`absolute`", "squared, log"]);
    refused(
        &["-m", "tree_shap", "--loss", "log"],
        2,
        &["does not offer `--loss`", "such as `tree_shap_loss`"],
    );
    let against = ["-m", "tree_shap_interventional"];
    refused(&[&against[..], &["--background-rows", "0"]].concat(), 2, &["0 background rows"]);
    refused(
        &[&against[..], &["--out-of-bag"]].concat(),
        2,
        &["does not offer `--out-of-bag`", "leave out `--out-of-bag`"],
    );
    let background = ["--background", "x.csv", "--background-rows", "5"];
    refused(&[&against[..], &background].concat(), 2, &["exclude each other"]);
    let both = ["explain", "-", "-t", "y", "-m", "ice", "--rows", "-"];
    wald(&both).refused(2, &["two tables are to be read from the standard input"]);
}
