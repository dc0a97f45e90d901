//! `wald surrogate`.

use statrs::distribution::{ContinuousCDF, Normal};

use crate::*;

const FEW: [&str; 10] =
    ["--target", "y", "--rows", "400", "--trees", "10", "--draws", "2", "--measure", "sobol_mda"];

/// Runs of y = 3 a + b² with inputs that fill the square evenly, and a constant input.
fn runs(folder: &TempDir, n: usize) -> PathBuf {
    let path = folder.path().join("runs.csv");
    let row = |at: usize| {
        let at = at as f64;
        let (a, b) = ((at * 0.754_877).fract(), (at * 0.569_840).fract());
        format!("{a},{b},7,{}", 3.0 * a + b * b)
    };
    let rows: Vec<String> = (1..=n).map(row).collect();
    std::fs::write(&path, format!("a,b,c,y\n{}\n", rows.join("\n"))).expect("written");
    path
}

fn surrogate(data: &Path, words: &[&str]) -> Run {
    on("surrogate", data, &[&FEW[..], words].concat())
}

/// With independent uniform inputs, the parts of the variance are 9/12 of a and 4/45 of b.
#[test]
fn both_ways_and_all_errors_are_reported() {
    let folder = folder();
    let data = runs(&folder, 30);
    let json = surrogate(&data, &["--law", "independent", "--format", "json"]).json();
    assert_eq!(json["verdict"]["believed"], "two_step");
    assert!(json["explained"]["cross_validated"].as_f64().expect("a number") > 0.98);
    assert_eq!(
        (&json["sample"]["inputs"], &json["sample"]["n_rows"]),
        (&"independent".into(), &400.into())
    );
    let expected = 0.75 / (0.75 + 4.0 / 45.0);
    let exact = json["exact"]["values"][0].as_f64().expect("a number");
    assert!((exact - expected).abs() < 0.05, "{exact}, not {expected}");
    let measure = &json["measures"][0];
    assert_eq!(measure["id"], "sobol_mda");
    // Of the constant input, all is known.
    for at in 0..2 {
        let of = |part: &str| measure["errors"][at][part].as_f64().expect("a number");
        let value = measure["values"][at].as_f64().expect("a number");
        let exact = json["exact"]["values"][at].as_f64().expect("a number");
        let end = |name: &str| measure["intervals"][at][name].as_f64().expect("a number");
        let half = end("high") - value;
        assert!((half - (value - end("low"))).abs() < 1e-9, "{value} is in the middle");
        // The law is known, and with it the bias of the forest: the error of rows is that and the Monte-Carlo
        // error of the exact value. Half an interval is the .9 quantile of the absolute normal error.
        let bias = value - exact;
        let variance = of("rows").powi(2) - bias.powi(2) + of("process").powi(2);
        let error = Normal::new(bias, variance.sqrt()).expect("a positive deviation");
        let covered = error.cdf(half) - error.cdf(-half);
        assert!((covered - 0.9).abs() < 1e-6, "input {at}: {covered}");
    }

    let table = surrogate(&data, &["--law", "independent"]);
    assert!(table.stdout.starts_with("Believe the two steps"), "{}", table.stdout);
    let words: Vec<&str> = table.stdout.split_whitespace().collect();
    let verdict = words.join(" ");
    let (verdict, _) = verdict.split_once("sobol_mda:").expect("a table");
    assert!(verdict.contains("leave out the error of the law of inputs"), "{verdict}");
    assert!(table.stdout.contains("law given"), "{}", table.stdout);
    assert!(table.stdout.contains("(doubtful)") && table.stdout.contains("a Gaussian process"));
    let csv = surrogate(&data, &["--law", "independent", "--format", "csv"]).stdout;
    assert!(csv.starts_with("measure,variable,direct,two_step,error_trees,"), "{csv}");
    assert_eq!(csv.lines().count(), 4);
}

#[test]
fn inputs_come_from_a_file_and_the_sample_goes_to_one() {
    let folder = folder();
    let data = runs(&folder, 25);
    let inputs = folder.path().join("inputs.csv");
    let row = |at: usize| {
        format!("{},{},7", (at as f64 * 0.618).fract(), 2.0 * (at as f64 * 0.414).fract())
    };
    std::fs::write(&inputs, format!("b,a,c\n{}", rows(300, row))).expect("written");
    let sample = folder.path().join("sample.csv");
    let (given, written) = (inputs.to_string_lossy(), sample.to_string_lossy());
    let run = surrogate(&data, &["--inputs", &given, "--write", &written]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        run.stderr.contains("the sample leaves the range of the runs: a in "),
        "{}",
        run.stderr
    );
    assert!(!run.stdout.contains("without forest"), "no law is known: {}", run.stdout);
    assert!(!run.stdout.contains("the law of inputs"), "it is given: {}", run.stdout);
    assert!(run.stdout.contains(" interval"), "{}", run.stdout);
    let gaps = folder.path().join("gaps.csv");
    std::fs::write(&gaps, format!("b,a,c\n,1,7\n{}", rows(300, row))).expect("written");
    let with_gaps = ["--inputs", &gaps.to_string_lossy()];
    surrogate(&data, &with_gaps).refused(3, &["1 missing value", "--missing omit"]);
    let omitted = surrogate(&data, &[&with_gaps[..], &["--missing", "omit"]].concat());
    assert_eq!(omitted.stdout, run.stdout);
    let note = "1 row of inputs with missing values left out";
    assert!(omitted.stderr.contains(note), "{}", omitted.stderr);
    let rows_written = std::fs::read_to_string(&sample).expect("a file");
    assert_eq!(rows_written.lines().next(), Some("a,b,c,y"));
    assert_eq!(rows_written.lines().count(), 301);
    let first: Vec<f64> =
        rows_written.lines().nth(1).expect("a row").split(',').flat_map(str::parse).collect();
    assert!((first[3] - 3.0 * first[0] - first[1].powi(2)).abs() < 0.3, "{first:?}");
    let (picture, page) = (folder.path().join("both.svg"), folder.path().join("both.html"));
    let (svg, html) = (picture.to_string_lossy(), page.to_string_lossy());
    let run = surrogate(&data, &["--svg", &svg, "--html", &html]);
    assert!(run.stderr.contains("both.svg") && run.stderr.contains("both.html"), "{}", run.stderr);
    let read = |path: &Path| std::fs::read_to_string(path).expect("a file");
    assert!(read(&picture).starts_with("<svg") && read(&picture).contains(">a<"));
    assert!(
        read(&page).contains("Believe the two steps")
            && !read(&page).contains("http-equiv=\"refresh")
    );
    surrogate(&data, &["--svg", &html, "--html", &html, "--force"]).refused(2, &["same place"]);
    surrogate(&data, &["--inputs", &given, "--law", "copula"]).refused(2, &["exclude each other"]);
    surrogate(&data, &["--write", &written]).refused(2, &["exists already", "--force"]);
    surrogate(&data, &["--write", "sample.csv.gz"]).refused(2, &[".gz", "--write"]);
    surrogate(&data, &["--inputs", "missing.csv"]).refused(5, &["missing.csv"]);
}

#[test]
fn runs_that_allow_no_process_are_refused() {
    let folder = folder();
    let path = folder.path().join("table.csv");
    let refused = |text: &str, code: i32, parts: &[&str]| {
        std::fs::write(&path, text).expect("written");
        surrogate(&path, &[]).refused(code, parts);
    };
    let line = |at: usize| format!("{at},{}", at * at);
    refused(&format!("a,y\n{}", rows(2001, line)), 3, &["2001 runs", "2000"]);
    let gap = format!("a,y\n,1\n{}", rows(20, line));
    refused(&gap, 3, &["1 missing value", "--missing omit"]);
    refused("a,y\n1,3\n2,4\n", 3, &["3 runs"]);
    let weighted = format!("a,w,y\n{}", rows(20, |at| format!("{at},1,{}", at * at)));
    std::fs::write(&path, weighted).expect("written");
    surrogate(&path, &["--weights", "w"]).refused(3, &["weights"]);
    let three = on("surrogate", &path, &["--target", "y", "--rows", "3"]);
    three.refused(2, &["--rows", "3 rows"]);
    surrogate(&path, &["--kernel", "rbf"]).refused(2, &["--kernel", "matern_52"]);
    surrogate(&path, &["--forest", "some.forest"]).refused(2, &["--forest"]);
}
