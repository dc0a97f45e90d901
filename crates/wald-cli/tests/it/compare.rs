//! `wald compare`.

use crate::*;

const FEW: [&str; 8] =
    ["--target", "species", "--trees", "20", "--subsamples", "10", "--measure", "mdi_oob"];

fn compare(words: &[&str]) -> Run {
    on("compare", &penguins(), &[&FEW[..], words].concat())
}

/// The table without every third row.
fn other_table(folder: &tempfile::TempDir) -> String {
    let path = folder.path().join("other.csv");
    let text = std::fs::read_to_string(penguins()).expect("the table");
    let kept = text.lines().enumerate().filter(|(line, _)| *line == 0 || line % 3 > 0);
    let lines: Vec<&str> = kept.map(|(_, line)| line).collect();
    std::fs::write(&path, lines.join("\n")).expect("written");
    path.to_string_lossy().into_owned()
}

#[test]
fn json_csv_and_table_have_the_same_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    let second = other_table(&folder);
    let json = compare(&["--second", &second, "--format", "json"]).json();
    let measure = &json["measures"][0];
    assert_eq!((&measure["id"], &measure["is_paired"]), (&"mdi_oob".into(), &false.into()));
    let numbers = |name: &str| -> Vec<f64> {
        let values = measure[name].as_array().expect("numbers").iter();
        values.map(|value| value.as_f64().expect("a number")).collect()
    };
    let (first, second_values) = (numbers("first"), numbers("second"));
    let differences = numbers("differences");
    for (at, difference) in differences.iter().enumerate() {
        assert!((second_values[at] - first[at] - difference).abs() < 1e-12);
        let interval = &measure["intervals"][at];
        let [low, high] = ["low", "high"].map(|end| interval[end].as_f64().expect("an end"));
        assert!(low <= *difference && *difference <= high);
        assert!((0.0..=1.0).contains(&numbers("p_values")[at]));
    }
    let csv = compare(&["--second", &second, "--format", "csv"]).stdout;
    let mut lines = csv.lines();
    let header = "measure,variable,first,second,difference,standard_error,low,high,p_value,\
                  adjusted_p_value";
    assert_eq!(lines.next(), Some(header));
    for (line, difference) in lines.zip(&differences) {
        assert_eq!(line.split(',').nth(4).and_then(|cell| cell.parse().ok()), Some(*difference));
    }
    let table = compare(&["--second", &second]).stdout;
    assert!(table.contains("second value minus the first"), "{table}");
    assert!(table.contains("independent samples") && table.contains("other.csv"), "{table}");
}

#[test]
fn two_forests_are_compared_on_one_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let stored = |name: &str, mtry: &str| {
        let path = folder.path().join(name).to_string_lossy().into_owned();
        let run = on(
            "fit",
            &penguins(),
            &["--target", "species", "--trees", "20", "--mtry", mtry, "--output", &path],
        );
        assert_eq!(run.code, 0, "{}", run.stderr);
        path
    };
    let (one, other) = (stored("one.forest", "1"), stored("other.forest", "7"));
    let words = ["--forest", &one, "--second-forest", &other, "--subsamples", "10"];
    let run = on("compare", &penguins(), &[&words[..], &["--measure", "mdi_oob"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("the same on both sides"), "{}", run.stdout);
    assert_eq!(run.stderr.matches("344 rows, 20 trees").count(), 2, "{}", run.stderr);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let refused = |words: &[&str]| {
        let run = compare(words);
        assert_ne!(run.code, 0);
        assert_eq!(run.stdout, "");
        run.stderr
    };
    assert!(refused(&[]).contains("`--second`"));
    assert!(refused(&["--second", "none.csv", "--confidence", "2"]).contains("confidence"));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("few.csv").to_string_lossy().into_owned();
    std::fs::write(&path, "species,year\nAdelie,2007\nGentoo,2008\nChinstrap,2009\n")
        .expect("written");
    assert!(refused(&["--second", &path]).contains("no variable"));
}
