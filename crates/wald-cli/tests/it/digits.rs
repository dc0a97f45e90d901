//! Degrees of interaction, masking and local importances, on the digits of a display.

use crate::*;

const LED: &str = "x1,x2,x3,x4,x5,x6,x7,digit
1,1,1,0,1,1,1,0\n0,0,1,0,0,1,0,1\n1,0,1,1,1,0,1,2\n1,0,1,1,0,1,1,3\n0,1,1,1,0,1,0,4
1,1,0,1,0,1,1,5\n1,1,0,1,1,1,1,6\n1,0,1,0,0,1,0,7\n1,1,1,1,1,1,1,8\n1,1,1,1,0,1,1,9\n";

/// Totally randomized multiway trees by entropy, unless more variables compete.
const FOREST: [&str; 14] = [
    "-t",
    "digit",
    "--task",
    "classification",
    "--categorical",
    "x1,x2,x3,x4,x5,x6,x7",
    "--splitting",
    "multiway",
    "--sampling",
    "all",
    "--impurity",
    "entropy",
    "--trees",
    "300",
];

/// Runs a command on the digits.
fn led(command: &str, words: &[&str]) -> Run {
    let folder = folder();
    let data = folder.path().join("led.csv");
    std::fs::write(&data, LED).expect("written");
    on(command, &data, &[&FOREST[..], words].concat())
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|n| n.as_f64().expect("a number")).collect()
}

#[test]
fn degrees_sum_to_the_values() {
    let words = ["--mtry", "1", "-m", "mdi", "--by-degree"];
    let json = led("importance", &[&words[..], &["--format", "json"]].concat()).json();
    let measure = &json["measures"][0];
    let values = numbers(&measure["values"]);
    for (index, value) in values.iter().enumerate() {
        let of_degrees = numbers(&measure["by_degree"]["values"][index]);
        assert!((of_degrees.iter().sum::<f64>() - value).abs() < 1e-12);
        let errors = numbers(&measure["by_degree"]["standard_errors"][index]);
        assert_eq!(errors.len(), of_degrees.len());
    }
    assert!((values.iter().sum::<f64>() - 10_f64.log2()).abs() < 1e-9);
    let n_degrees = measure["by_degree"]["values"][0].as_array().expect("degrees").len();
    let csv = led("importance", &[&words[..], &["--format", "csv"]].concat()).stdout;
    let lines: Vec<&str> = csv.lines().collect();
    let head = "measure,data,loss,class,variable,degree,value,standard_error";
    assert_eq!((lines[0], lines.len()), (head, 1 + 7 * (1 + n_degrees)));
    assert!(lines[1].starts_with("mdi,training,,,x1,,0."), "{}", lines[1]);
    assert!(lines[8].starts_with("mdi,training,,,x1,0,0."), "{}", lines[8]);
    let text = led("importance", &words).stdout;
    assert!(text.contains("mdi by degree of interaction: the number of other"), "{text}");
    led("importance", &["-m", "split-count", "--by-degree"])
        .refused(2, &["does not offer `--by-degree`"]);
}

#[test]
fn masking_is_a_table_and_a_picture() {
    let json = led("masking", &["--values", "7,1", "--format", "json"]).json();
    assert_eq!(json["mtry"], serde_json::json!([1, 7]));
    let of = |index: usize| numbers(&json["values"][index]);
    // Table 2 of Louppe et al.: X2 and X5 gain, X1 and X6 lose.
    assert!(of(1)[1] > of(1)[0] + 0.1 && of(4)[1] > of(4)[0] + 0.1);
    assert!(of(0)[1] < of(0)[0] - 0.05 && of(5)[1] < of(5)[0] - 0.05);
    // The forest of one mtry is that of `wald importance`.
    let alone = led("importance", &["--mtry", "7", "-m", "mdi", "--format", "json"]).json();
    let values = numbers(&alone["measures"][0]["values"]);
    assert_eq!(values, (0..7).map(|index| of(index)[1]).collect::<Vec<_>>());
    let csv = led("masking", &["--format", "csv"]).stdout;
    assert_eq!(csv.lines().next(), Some("mtry,variable,value,standard_error"));
    assert_eq!(csv.lines().count(), 1 + 7 * 7);
    let folder = folder();
    let picture = folder.path().join("masking.svg");
    let run = led("masking", &["--svg", &picture.to_string_lossy()]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("masked by them"), "{}", run.stdout);
    let svg = std::fs::read_to_string(&picture).expect("written");
    assert!(svg.contains("mdi against mtry") && svg.matches("<g><path").count() == 7, "{svg}");
}

#[test]
fn masking_refuses_what_it_cannot_do() {
    led("masking", &["--values", "8"])
        .refused(2, &["`--values` has 8, but there are 7 input variables"]);
    led("masking", &["--mtry", "2"]).refused(2, &["masking varies mtry", "`--values`"]);
    led("masking", &["--values", "two"]).refused(2, &["is not a whole number"]);
    wald(&["masking", "none.csv", "-t", "y", "--forest", "f"]).refused(2, &["`--forest`"]);
}

#[test]
fn local_importances_add_up_and_irrelevant_variables_are_counted() {
    let words = ["--mtry", "1", "-m", "local-mdi", "--format", "json"];
    let json = led("explain", &words).json();
    assert_eq!((&json["measure"], &json["classes"]), (&"local_mdi".into(), &Value::Null));
    for row in json["values"].as_array().expect("rows") {
        // Every leaf is pure.
        assert!((numbers(row).iter().sum::<f64>() - 10_f64.log2()).abs() < 1e-9);
    }
    let text = led("explain", &["--mtry", "7", "-m", "local-relevance"]).stdout;
    assert!(text.starts_with("variable        mean    absolute   rows at 0\n"), "{text}");
}
