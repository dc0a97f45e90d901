//! `wald uncertainty`.

use crate::*;

const FEW: [&str; 10] = [
    "--target",
    "species",
    "--trees",
    "30",
    "--subsamples",
    "12",
    "--subsample-trees",
    "20",
    "--measure",
    "mdi",
];

fn uncertainty(words: &[&str]) -> Run {
    on("uncertainty", &penguins(), &[&FEW[..], words].concat())
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

#[test]
fn json_has_both_parts_of_the_error_and_what_follows_from_them() {
    let json = uncertainty(&["--tests", "9", "--format", "json"]).json();
    assert_eq!((&json["measure"], &json["confidence"]), (&"mdi".into(), &0.9.into()));
    assert_eq!((&json["n_subsamples"], &json["adjustment"]), (&12.into(), &"holm".into()));
    let features = json["features"].as_array().expect("names");
    for index in 0..features.len() {
        let of = |name: &str| number(&json[name][index]);
        let both = of("monte_carlo_errors").hypot(of("sampling_errors"));
        assert!((of("standard_errors") - both).abs() < 1e-12);
        let ends = |name: &str| {
            let interval = &json[name][index];
            (number(&interval["low"]), number(&interval["high"]))
        };
        let (low, high) = ends("intervals");
        // The normal quantile of .95.
        assert!((high - low - 2.0 * 1.644_853_627 * both).abs() < 1e-9);
        assert!((f64::midpoint(low, high) - of("values")).abs() < 1e-12);
        let (all_low, all_high) = ends("simultaneous_intervals");
        assert!(all_low <= low && high <= all_high);
        let (first, last) = ends("rank_intervals");
        assert!(1.0 <= first && first <= last && last <= features.len() as f64);
        assert!(of("adjusted_p_values") >= of("p_values") && of("p_values") >= 0.1);
    }
    assert_eq!(json["trees_to_separate"].as_array().expect("pairs").len(), features.len() - 1);
    // The importances are those of `wald importance`.
    let words = ["--target", "species", "--trees", "30", "-m", "mdi", "--format", "json"];
    let alone = on("importance", &penguins(), &words).json();
    assert_eq!(alone["measures"][0]["values"], json["values"]);
    assert_eq!(alone["measures"][0]["standard_errors"], json["monte_carlo_errors"]);
}

#[test]
fn tables_and_csv_agree() {
    let table = uncertainty(&[]).stdout;
    assert!(table.contains("interval") && table.contains("± rows"), "{table}");
    assert!(!table.contains("adjusted"), "no tests were asked for:\n{table}");
    let csv = uncertainty(&["--tests", "3", "--format", "csv"]).stdout;
    let head = "variable,value,monte_carlo_error,sampling_error,standard_error,low,high,\
                simultaneous_low,simultaneous_high,lowest_rank,highest_rank,p_value,\
                adjusted_p_value";
    assert_eq!(csv.lines().next(), Some(head));
    let table = uncertainty(&["--tests", "3", "--adjust", "benjamini-hochberg"]).stdout;
    assert!(table.contains("adjusted by Benjamini & Hochberg"), "{table}");
    let names: Vec<&str> = csv.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert!(names.iter().all(|name| table.contains(name)), "{table}");
}

#[test]
fn what_cannot_be_is_refused_before_data_are_read() {
    let refused = |words: &[&str], parts: &[&str]| {
        let all = [&["uncertainty", "none.csv", "--target", "y"], words].concat();
        wald(&all).refused(2, parts);
    };
    refused(&["--confidence", "1"], &["the confidence is 1", "0.9"]);
    refused(&["--subsamples", "1"], &["the number of subsamples is 1"]);
    refused(&["--subsample-fraction", "1.5"], &["the fraction of a subsample is 1.5"]);
    refused(&["--tests", "0"], &["the number of permutations is 0"]);
    refused(&["--adjust", "bonferroni", "--tests", "9"], &["bonferroni", "holm"]);
    refused(&["--measure", "mdi,ufi"], &["one measure"]);
    refused(&["--forest", "f"], &["`--forest`"]);
    uncertainty(&["--subsample-fraction", "0.001"]).refused(3, &["independent rows"]);
}
