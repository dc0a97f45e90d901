//! `wald explain`: curves of rows and their means.

use crate::*;

fn explain(data: &Path, words: &[&str]) -> Run {
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
    // Growing the same forest gives the same bytes.
    let grown = ["-t", "y", "--trees", "9", "-m", "ice", "--format", "json"];
    assert_eq!(explain(&data, &grown).json(), json);
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
    refused(&["-m", "mdi"], 2, &["did you mean `mdi_oob`?"]);
    refused(&["-m", "zzz"], 2, &["use one of: ice, pdp, "]);
    refused(&["-m", "ice", "--variables", "nowhere"], 2, &["\"nowhere\" is no input variable"]);
    refused(&["-m", "ice", "--grid", "0"], 2, &["a grid of 0 values"]);
    refused(&["-m", "ice", "--grid", "x"], 2, &["is not a number of values", "\"x\""]);
    refused(&["-m", "ice", "--rows", "nowhere.csv"], 5, &["no such file"]);
    refused(&["-m", "ice", "--rows", "x.csv", "--out-of-bag"], 2, &["exclude each other"]);
    let penguins = penguins().to_string_lossy().into_owned();
    refused(&["-m", "ice", "--rows", &penguins], 3, &["\"mean_radius\"", "grown with"]);
    refused(&["-m", "ice", "--out-of-bag", "--sampling", "all"], 2, &["out-of-bag"]);
    refused(&["-m", "ice", "--background-rows", "5"], 2, &["averages over no background rows"]);
    let loss = ["-m", "tree_shap_loss", "--rows"];
    refused(&[&loss[..], &[&penguins]].concat(), 3, &["\"benign\""]);
    refused(&["-m", "tree_shap_loss", "--loss", "absolute"], 2, &["`absolute`", "squared, log"]);
    refused(&["-m", "tree_shap", "--loss", "log"], 2, &["tells of predictions, not of losses"]);
    let against = ["-m", "tree_shap_interventional"];
    refused(&[&against[..], &["--background-rows", "0"]].concat(), 2, &["0 background rows"]);
    refused(&[&against[..], &["--out-of-bag"]].concat(), 2, &["explains by all trees"]);
    let background = ["--background", "x.csv", "--background-rows", "5"];
    refused(&[&against[..], &background].concat(), 2, &["exclude each other"]);
    let both = ["explain", "-", "-t", "y", "-m", "ice", "--rows", "-"];
    wald(&both).refused(2, &["two tables are to be read from the standard input"]);
}

#[test]
fn terms_of_rows_have_the_mean_of_the_measure() {
    let grown = ["-t", "benign", "--trees", "20", "--format", "json", "-m", "mdi_oob"];
    let local = explain(&cancer(), &grown).json();
    let global = on("importance", &cancer(), &grown).json();
    let rows = local["values"].as_array().expect("rows");
    assert_eq!((rows.len(), &local["classes"]), (569, &serde_json::json!(["0", "1"])));
    for variable in 0..30 {
        // Two classes; rows that every tree saw have no terms.
        let terms = rows.iter().flat_map(|row| row[variable].as_array().expect("classes"));
        let mean = terms.filter_map(Value::as_f64).sum::<f64>() / 569.0;
        let expected = global["measures"][0]["values"][variable].as_f64().expect("a number");
        assert!((mean - expected).abs() < 1e-12, "{mean} is not {expected}");
    }
    let words = ["-t", "benign", "-m", "mdi-oob", "--trees", "20", "--variables", "mean_area"];
    let table = explain(&cancer(), &words);
    assert!(table.stdout.contains("mean_area") && table.stdout.contains("absolute"));
    let lines = explain(&cancer(), &[&words[..], &["--format", "csv"]].concat());
    assert!(lines.stdout.starts_with("row,variable,class,value\n1,mean_area,0,"));
    explain(&cancer(), &[&words[..], &["--grid", "5"]].concat()).refused(2, &["has no curves"]);
}

#[test]
fn values_of_rows_add_up_to_predictions() {
    let words = ["-t", "species", "--trees", "20", "--variables", "body_mass_g,island"];
    for measure in ["saabas", "tree-shap"] {
        let all = ["-t", "species", "--trees", "20", "--format", "json", "-m", measure];
        let found = explain(&penguins(), &all).json();
        let expected = found["expected_value"].as_array().expect("one per class");
        let number = |value: &Value| value.as_f64().expect("a number");
        assert!((expected.iter().map(number).sum::<f64>() - 1.0).abs() < 1e-12);
        for row in found["values"].as_array().expect("rows") {
            let variables = row.as_array().expect("variables");
            let sum = |class: usize| variables.iter().map(|of| number(&of[class])).sum::<f64>();
            let shares = (0..3).map(|class| number(&expected[class]) + sum(class));
            assert!(shares.clone().all(|share| (-1e-12..1.0 + 1e-12).contains(&share)));
            assert!((shares.sum::<f64>() - 1.0).abs() < 1e-9);
        }
        let table = explain(&penguins(), &[&words[..], &["-m", measure]].concat());
        assert!(table.stdout.contains("body_mass_g  Adelie"), "{}", table.stdout);
        let named = [&words[..], &["-m", measure, "--out-of-bag", "--format", "json"]].concat();
        assert!(explain(&penguins(), &named).json()["expected_value"].is_null());
    }
}

/// Means over a part of the rows only say so, and of how many rows they are not.
#[test]
fn tables_count_rows_that_no_tree_explains() {
    let words = ["-t", "species", "--trees", "2", "-m", "tree_shap", "--out-of-bag"];
    let json = explain(&penguins(), &[&words[..], &["--format", "json"]].concat()).json();
    let rows = json["values"].as_array().expect("rows");
    let n_without = rows.iter().filter(|row| row[0][0].is_null()).count();
    assert!(0 < n_without && n_without < rows.len(), "{n_without}");
    let said = |words: &[&str]| {
        let words: Vec<String> =
            explain(&penguins(), words).stdout.split_whitespace().map(str::to_owned).collect();
        words.join(" ")
    };
    let table = said(&words);
    let note = format!("; rows never out of bag, which were left out: {n_without} all numbers");
    assert!(table.contains(&note), "{table}");
    let of_all = said(&words[..words.len() - 1]);
    assert!(!of_all.contains("left out"), "{of_all}");
}

#[test]
fn interactions_add_up_to_values() {
    let asked = |measure, format| {
        let words = ["-t", "species", "--trees", "5", "-m", measure, "--format", format];
        explain(&penguins(), &words)
    };
    let pairs = asked("tree_shap_interactions", "json").json();
    let values = asked("tree_shap", "json").json();
    let rows = |found: &Value| found["values"].as_array().expect("rows").clone();
    let n_variables = pairs["features"].as_array().expect("names").len();
    for (pairs, values) in rows(&pairs).iter().zip(rows(&values)).step_by(30) {
        for variable in 0..n_variables {
            for class in 0..3 {
                let one = |other: usize| pairs[variable][other][class].as_f64().expect("a number");
                let sum: f64 = (0..n_variables).map(one).sum();
                let value = values[variable][class].as_f64().expect("a number");
                assert!((sum - value).abs() < 1e-12, "{sum} is not {value}");
            }
        }
    }
    let lines = asked("tree_shap_interactions", "csv").stdout;
    assert!(
        lines.starts_with("row,variable,with,class,value\n1,island,island,Adelie,"),
        "{lines:.80}"
    );
    let table = asked("tree_shap_interactions", "table").stdout;
    assert!(table.starts_with("variable"), "{table}");
    // One line for both orders of a pair, by class.
    let n_lines = table.lines().take_while(|line| !line.is_empty()).count();
    assert_eq!(n_lines, 1 + 3 * n_variables * (n_variables + 1) / 2);
}

/// Values are written while rows are explained: the same in every format, whatever the number of
/// threads.
#[test]
fn values_are_written_row_by_row() {
    let words = ["species ~ .", "-m", "tree-shap", "--trees", "5"];
    let with = |more: &[&str]| explain(&penguins(), &[&words[..], more].concat());
    let csv = with(&["--format", "csv"]).stdout;
    assert_eq!(csv, with(&["--format", "csv", "--threads", "2"]).stdout);
    let lines: Vec<&str> = csv.lines().collect();
    let json = with(&["--format", "json"]).json();
    let rows = json["values"].as_array().expect("rows");
    let (n_rows, n_variables) = (rows.len(), json["features"].as_array().map_or(0, Vec::len));
    assert_eq!(lines.len(), 1 + n_rows * n_variables * 3);
    assert_eq!(lines[0], "row,variable,class,value");
    for (line, text) in lines[1..].iter().enumerate() {
        let (row, place) = (line / (n_variables * 3), line % (n_variables * 3));
        let expected = rows[row][place / 3][place % 3].as_f64().expect("a number");
        let value = text.rsplit(',').next().and_then(|value| value.parse().ok());
        assert_eq!(value, Some(expected), "{text}");
        let number = json["row_numbers"][row].to_string();
        assert_eq!(text.split(',').next(), Some(number.as_str()));
    }
    let folder = folder();
    let path = folder.path().join("values.parquet").to_string_lossy().into_owned();
    assert_eq!(with(&["--format", "parquet", "-o", &path]).code, 0);
    let table = wald_table::read(path.as_ref(), &wald_table::ReadOptions::default());
    assert_eq!(table.expect("a Parquet file").n_rows(), lines.len() - 1);
}

#[test]
fn values_are_drawn() {
    let folder = folder();
    let path = folder.path().join("swarm.svg").to_string_lossy().into_owned();
    let words = ["-t", "species", "-m", "tree_shap", "--trees", "9", "--svg", &path];
    let run = explain(&penguins(), &words);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("swarm.svg"), "{}", run.stderr);
    let svg = std::fs::read_to_string(&path).expect("written");
    assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n") && !svg.contains("NaN"));
    // A panel per class, in each of them a mark for every row of the seven variables.
    assert_eq!(svg.matches(">tree_shap of 344 rows<").count(), 3);
    assert!(svg.contains("added to the probability of Gentoo"));
    let dots = svg.matches("h0").count() + svg.matches("m0 -").count();
    assert!((3 * 7 * 344..3 * 7 * 344 + 60).contains(&dots), "{dots}");
    // The same bytes again, and no file is replaced without being told to.
    assert_ne!(explain(&penguins(), &words).code, 0);
    let again = explain(&penguins(), &[&words[..], &["--force", "--threads", "1"]].concat());
    assert_eq!(again.code, 0);
    assert_eq!(std::fs::read_to_string(&path).expect("written"), svg);
}

#[test]
fn a_single_row_is_drawn_as_a_sum() {
    let folder = folder();
    let row = folder.path().join("row.csv");
    let text = std::fs::read_to_string(penguins()).expect("a table");
    let lines: Vec<&str> = text.lines().take(2).collect();
    std::fs::write(&row, lines.join("\n") + "\n").expect("written");
    let (row, path) = (row.to_string_lossy(), folder.path().join("sum.svg"));
    let name = path.to_string_lossy();
    let base = ["body_mass_g ~ .", "-m", "saabas", "--trees", "9", "--rows", &row];
    let json = explain(&penguins(), &[&base[..], &["--format", "json"]].concat()).json();
    assert_eq!(explain(&penguins(), &[&base[..], &["--svg", &name]].concat()).code, 0);
    let svg = std::fs::read_to_string(&path).expect("written");
    let values = json["values"][0].as_array().expect("a row");
    assert_eq!(svg.matches("class=\"bar\"").count(), values.len());
    let sum: f64 = values.iter().filter_map(Value::as_f64).sum();
    let prediction = json["expected_value"].as_f64().expect("a number") + sum;
    assert!(svg.contains(&format!(">prediction: {prediction:.0}<")), "{prediction} {svg}");
}

#[test]
fn what_has_not_one_value_per_variable_is_not_drawn() {
    for measure in ["pdp", "tree_shap_interactions"] {
        let run = explain(&penguins(), &["-t", "species", "-m", measure, "--svg", "p.svg"]);
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains("has not one value per variable"), "{}", run.stderr);
    }
}

#[test]
fn reports_explain_rows_where_they_can() {
    let folder = folder();
    let page = folder.path().join("page.html").to_string_lossy().into_owned();
    let report = |more: &[&str]| {
        let words = ["-t", "species", "--trees", "9", "--force", "-o", &page];
        let run = on("report", &penguins(), &[&words[..], more].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        (std::fs::read_to_string(&page).expect("written"), run.stderr)
    };
    let (with, _) = report(&[]);
    assert!(with.contains("<section id=\"rows\">") && with.contains("A random sample of 100 of"));
    let section = |page: &str| {
        let section = page.split("<section id=\"rows\">").nth(1).expect("a section").to_owned();
        section.split("</section>").next().expect("its end").to_owned()
    };
    assert_eq!(section(&report(&["--threads", "1"]).0), section(&with));
    let (without, messages) = report(&["--no-explanations"]);
    assert!(!without.contains("<section id=\"rows\">"));
    assert!(!messages.contains("not explained"), "{messages}");
    // Predictions of forests that weigh leaves cannot be shared out.
    let forest = folder.path().join("forest.json");
    let name = forest.to_string_lossy();
    let fit = ["-t", "species", "--trees", "9", "--output", &name];
    assert_eq!(on("fit", &penguins(), &fit).code, 0);
    let text = std::fs::read_to_string(&forest).expect("written");
    let mut document: Value = serde_json::from_str(&text).expect("JSON");
    document["aggregation"] = "leaf_weighted".into();
    document.as_object_mut().expect("an object").remove("config");
    std::fs::write(&forest, document.to_string()).expect("written");
    let words = ["--forest", &name, "-m", "mdi", "--force", "-o", &page];
    let run = on("report", &penguins(), &words);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("single rows are not explained: `tree_shap`"), "{}", run.stderr);
    let refused = std::fs::read_to_string(&page).expect("written");
    assert!(!refused.contains("<section id=\"rows\">"));
    assert!(refused.contains("single rows are not explained"));
}

#[test]
fn background_rows_are_given_or_drawn() {
    let words = ["-t", "species", "--trees", "5", "--format", "json", "-m"];
    let measure = "tree_shap_interventional";
    let asked =
        |more: &[&str]| explain(&penguins(), &[&words[..], &[measure], more].concat()).json();
    let table = penguins().to_string_lossy().into_owned();
    // All training rows are drawn, those without a target left out as in growing.
    let drawn = asked(&["--background-rows", "1000"]);
    let given = asked(&["--background", &table]);
    let expected = |found: &Value| found["expected_value"].as_array().expect("classes").clone();
    assert_eq!(expected(&drawn).len(), 3);
    assert_eq!(expected(&given).len(), 3);
    assert_ne!(drawn["values"], asked(&["--background-rows", "5"])["values"]);
    let folder = folder();
    let path = folder.path().join("values").to_string_lossy().into_owned();
    for format in ["table", "csv", "parquet"] {
        let few = ["-t", "species", "--trees", "2", "-m", measure];
        let written = ["--format", format, "-o", &path, "--force"];
        let run = explain(&penguins(), &[&few[..], &written].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
    }
    let global = ["-t", "species", "--trees", "5", "--format", "json", "--background", &table];
    let measures = "tree_shap_interventional,sage,tree_shap_loss";
    let more = ["-m", measures, "--samples", "50"];
    let found = on("importance", &penguins(), &[&global[..], &more].concat()).json();
    for measure in found["measures"].as_array().expect("measures") {
        assert_eq!(measure["settings"]["background_rows"], "344", "{measure}");
    }
    on("importance", &penguins(), &[&global[..], &["-m", "mdi"]].concat())
        .refused(2, &["none of the measures offers `--background`"]);
}

/// Rows with their target are explained as training rows are, and without it they are refused.
#[test]
fn losses_of_other_rows_need_their_target() {
    let words = ["-t", "benign", "--trees", "3", "-m", "tree_shap_loss", "--background-rows", "4"];
    let words = [&words[..], &["--loss", "log", "--format", "csv"]].concat();
    let training = explain(&cancer(), &words);
    assert!(training.stdout.starts_with("row,variable,class,value\n1,mean_radius,,"));
    let file = cancer().to_string_lossy().into_owned();
    let other = explain(&cancer(), &[&words[..], &["--rows", &file]].concat());
    assert_eq!(other.stdout, training.stdout);
    let folder = tempfile::tempdir().expect("a folder");
    let without = folder.path().join("without.csv");
    let table = std::fs::read_to_string(cancer()).expect("readable");
    std::fs::write(&without, table.replacen("benign", "kind", 1)).expect("writable");
    let without = without.to_string_lossy().into_owned();
    explain(&cancer(), &[&words[..], &["--rows", &without]].concat()).refused(3, &["\"benign\""]);
}
