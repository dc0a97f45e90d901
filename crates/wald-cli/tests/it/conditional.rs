//! `wald conditional`.

use crate::*;

const FEW: [&str; 6] = ["--target", "species", "--trees", "30", "--folds", "2"];

fn conditional(words: &[&str]) -> Run {
    on("conditional", &penguins(), &[&FEW[..], words].concat())
}

#[test]
fn json_csv_and_table_have_the_same_numbers() {
    let json = conditional(&["--format", "json", "--confidence", "0.95"]).json();
    assert_eq!((&json["method"], &json["draws"]), (&"sobol_cpi".into(), &10.into()));
    assert_eq!((&json["adjustment"], &json["confidence"]), (&"holm".into(), &0.95.into()));
    let names = json["features"].as_array().expect("names");
    let numbers = |name: &str| -> Vec<f64> {
        let values = json[name].as_array().expect("numbers").iter();
        values.map(|value| value.as_f64().expect("a number")).collect()
    };
    let (values, p_values) = (numbers("values"), numbers("p_values"));
    for (at, value) in values.iter().enumerate() {
        let interval = &json["intervals"][at];
        let [low, high] = ["low", "high"].map(|end| interval[end].as_f64().expect("an end"));
        assert!((f64::midpoint(low, high) - value).abs() < 1e-12 && low <= high);
        assert!((0.0..=1.0).contains(&p_values[at]));
        assert!(numbers("adjusted_p_values")[at] >= p_values[at]);
    }
    assert!((0.9..1.0).contains(&json["explained_variance"].as_f64().expect("a share")));
    let best = (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b]));
    assert_eq!(best.map(|best| &names[best]), Some(&"bill_length_mm".into()));
    let csv = conditional(&["--format", "csv", "--confidence", "0.95"]);
    let mut lines = csv.stdout.lines();
    let header = "variable,value,standard_error,low,high,p_value,adjusted_p_value";
    assert_eq!(lines.next(), Some(header));
    for ((line, name), value) in lines.zip(names).zip(values) {
        let mut cells = line.split(',');
        assert_eq!(cells.next(), name.as_str());
        assert_eq!(cells.next().and_then(|cell| cell.parse().ok()), Some(value));
    }
    let table = conditional(&["--method", "loco", "--multiple-testing", "none"]).stdout;
    assert!(table.contains("loco") && table.contains("judged on other rows"), "{table}");
    assert!(!table.contains("adjusted"), "{table}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let refused = |words: &[&str]| {
        let run = conditional(words);
        assert_ne!(run.code, 0);
        assert_eq!(run.stdout, "");
        run.stderr
    };
    assert!(refused(&["--method", "loco", "--draws", "3"]).contains("`--draws`"));
    assert!(refused(&["--method", "vimp"]).contains("sobol_cpi, loco"));
    assert!(refused(&["--draws", "0"]).contains("`--draws` is 0"));
    let on_few = on("conditional", &penguins(), &["--target", "species", "--folds", "345"]);
    assert!(on_few.stderr.contains("344 rows"), "{}", on_few.stderr);
}
