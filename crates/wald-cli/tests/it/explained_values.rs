//! `wald explain`: values of rows and variables.

use crate::explain::explain;
use crate::*;

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
    explain(&cancer(), &[&words[..], &["--grid", "5"]].concat())
        .refused(2, &["does not offer `--grid`", "such as `ice`"]);
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

/// Rows count by their case weights, in tables, curves and pictures as in measures.
#[test]
fn means_of_rows_are_weighted() {
    let folder = folder();
    let path = folder.path().join("weighted.csv");
    let line = |at: usize| {
        let (x, s) = (at as f64 / 60.0, (at * 7 % 11) as f64);
        let (weight, y) = if at < 30 { (10.0, 4.0 * x) } else { (0.1, 2.0 - s) };
        format!("{x},{s},{weight},{y}")
    };
    std::fs::write(&path, format!("x,s,w,y\n{}", rows(60, line))).expect("written");
    let grown = ["-t", "y", "--weights", "w", "--trees", "20", "-q"];
    let measured = [&grown[..], &["-m", "tree_shap", "--format", "json"]].concat();
    let measured = on("importance", &path, &measured).json();
    let table = explain(&path, &[&grown[..], &["-m", "tree_shap"]].concat()).stdout;
    assert!(table.contains("weighted mean and mean absolute value"), "{table}");
    for (at, name) in ["x", "s"].iter().enumerate() {
        let line = table.lines().find(|line| line.starts_with(name)).expect("a line");
        let shown: f64 =
            line.split_whitespace().nth(2).expect("a column").parse().expect("a number");
        let value = measured["measures"][0]["values"][at].as_f64().expect("a number");
        assert!((shown - value).abs() < 0.001, "{shown} is not {value}");
    }
}

/// Means over a part of the rows are marked as such, with the number of rows.
#[test]
fn tables_count_rows_that_no_tree_explains() {
    let words = ["-t", "species", "--trees", "2", "-m", "tree_shap", "--out-of-bag"];
    let json = explain(&penguins(), &[&words[..], &["--format", "json"]].concat()).json();
    let rows = json["values"].as_array().expect("rows");
    let n_without = rows.iter().filter(|row| row[0][0].is_null()).count();
    assert!(0 < n_without && n_without < rows.len(), "{n_without}");
    let output = |words: &[&str]| {
        let words: Vec<String> =
            explain(&penguins(), words).stdout.split_whitespace().map(str::to_owned).collect();
        words.join(" ")
    };
    let table = output(&words);
    let note = format!("; rows never out of bag, which were left out: {n_without} all numbers");
    assert!(table.contains(&note), "{table}");
    let of_all = output(&words[..words.len() - 1]);
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
    for class in ["Adelie", "Chinstrap", "Gentoo"] {
        assert!(svg.contains(&format!(">added to the probability of {class}<")), "{class}");
    }
    // Hollow dots are white above.
    let full = || svg.lines().filter(|line| !line.contains("stroke=\"#ffffff\""));
    let marks = |line: &str| line.matches("h0").count() + line.matches("m0 -").count();
    let dots: usize = full().map(marks).sum();
    assert!((3 * 7 * 344..3 * 7 * 344 + 60).contains(&dots), "{dots}");
    // The same bytes again, and no file is replaced without `--force`.
    assert_ne!(explain(&penguins(), &words).code, 0);
    let again = explain(&penguins(), &[&words[..], &["--force", "--threads", "1"]].concat());
    assert_eq!(again.code, 0);
    assert_eq!(std::fs::read_to_string(&path).expect("written"), svg);
}

/// What regressions on classes add, which is 0 over all classes.
#[test]
fn classes_of_regressions_stand_apart_in_tables() {
    let run = explain(&penguins(), &["-t", "species", "-m", "mdi_plus", "--trees", "9"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let first = run.stdout.lines().nth(1).expect("a line").split_whitespace().collect::<Vec<_>>();
    assert!(["Adelie", "Chinstrap", "Gentoo"].contains(&first[1]), "{}", run.stdout);
    assert!(first[3].parse::<f64>().expect("a number") > 0.05, "{}", run.stdout);
}

/// Sums of decreases in loss are no predictions, with which an observation may be compared.
#[test]
fn pictures_name_what_values_are_in() {
    let folder = folder();
    let path = folder.path().join("row.svg");
    let row = folder.path().join("row.csv");
    let text = std::fs::read_to_string(penguins()).expect("a table");
    let lines: Vec<&str> = text.lines().take(2).collect();
    std::fs::write(&row, lines.join("\n") + "\n").expect("written");
    let (row, name) = (row.to_string_lossy(), path.to_string_lossy());
    let drawn = |measure: &str| {
        let words = ["body_mass_g ~ .", "-m", measure, "--trees", "9", "--rows", &row, "--force"];
        let run = explain(&penguins(), &[&words[..], &["--svg", &name]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        std::fs::read_to_string(&path).expect("written")
    };
    let units = [
        ("saabas", "prediction of body_mass_g"),
        ("tree_shap_loss", "units of the loss"),
        ("local_mdi", "impurity of the target"),
        ("local_relevance", "share of the trees"),
    ];
    for (measure, unit) in units {
        let svg = drawn(measure);
        assert!(svg.contains(&format!(">{unit}<")), "{measure}");
        assert_eq!(svg.contains("prediction of"), measure == "saabas", "{measure}");
        assert!(!svg.contains("observed") || measure == "saabas", "{measure}");
    }
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

/// The value of two irrelevant variables may be large; their share of the variance of predictions is not.
#[test]
fn interactions_are_sorted_by_their_share_of_the_variance() {
    let folder = folder();
    let path = folder.path().join("noise.csv");
    let line = |at: usize| {
        // Numbers that look random.
        let unit = |k: usize| (((5 * at + k) as f64 * 12.9898).sin() * 43758.5453).rem_euclid(1.0);
        let [a, b, p, q, noise] = [0, 1, 2, 3, 4].map(unit);
        format!("{a},{b},{p},{q},{}", 10.0 * a + 5.0 * b + 9.0 * noise)
    };
    std::fs::write(&path, format!("a,b,p,q,y\n{}", rows(200, line))).expect("written");
    let words = ["-t", "y", "--trees", "20", "-m", "friedman_h", "--format"];
    let asked = |format| explain(&path, &[&words[..], &[format]].concat());
    let json = asked("json").json();
    let number =
        |of: &Value, one: usize, other: usize| of[0][one][other].as_f64().expect("a number");
    let (values, shares) = (&json["values"], &json["shares_of_variance"]);
    assert!(number(values, 2, 3) > number(values, 0, 1), "noise");
    assert!(number(shares, 2, 3) < number(shares, 0, 1), "{json}");
    assert!((0..4).all(|at| number(values, at, at) == number(shares, at, at)), "{json}");
    let csv = asked("csv").stdout;
    assert!(csv.starts_with("variable,with,class,value,share_of_variance\na,a,,"), "{csv}");
    let of_line = |line: &str| line.rsplit(',').next().and_then(|share| share.parse::<f64>().ok());
    let last = csv.lines().nth(2).and_then(of_line);
    assert_eq!(last, Some(number(shares, 0, 1)), "a with b: {csv}");
    let table = asked("table").stdout;
    let pairs: Vec<[&str; 2]> = table
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|cells| cells.len() == 4 && cells[0].len() == 1)
        .map(|cells| [cells[0], cells[1]])
        .collect();
    assert_eq!((pairs[0], pairs.len()), (["a", "b"], 6), "{table}");
    assert!(table.contains("share of variance: the variance of the interaction"), "{table}");
}

#[test]
fn pairs_of_variables_are_not_drawn() {
    for measure in ["friedman_h", "tree_shap_interactions"] {
        let run = explain(&penguins(), &["-t", "species", "-m", measure, "--svg", "p.svg"]);
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains("which measures pairs"), "{}", run.stderr);
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
        .refused(2, &["does not offer `--background`"]);
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
    let is_noted = |run: &Run| run.stderr.contains("rows that the forest was grown on");
    assert!(is_noted(&training) && !is_noted(&other), "{} {}", training.stderr, other.stderr);
    let folder = tempfile::tempdir().expect("a folder");
    let without = folder.path().join("without.csv");
    let table = std::fs::read_to_string(cancer()).expect("readable");
    std::fs::write(&without, table.replacen("benign", "kind", 1)).expect("writable");
    let without = without.to_string_lossy().into_owned();
    explain(&cancer(), &[&words[..], &["--rows", &without]].concat()).refused(3, &["\"benign\""]);
}
