//! Quantiles of predictions, and `wald proximities`.

use std::collections::HashMap;
use std::fs;

use crate::*;

/// The lines of a CSV file, as numbers; NaN where a cell is no number.
fn numbers(csv: &str) -> Vec<Vec<f64>> {
    let cell = |cell: &str| cell.parse().unwrap_or(f64::NAN);
    csv.lines().skip(1).map(|line| line.split(',').map(cell).collect()).collect()
}

/// A forest of body masses, of which two rows lack the target.
fn masses(folder: &Path) -> String {
    let forest = folder.join("mass.forest").to_string_lossy().into_owned();
    let words = ["body_mass_g ~ . - year", "--trees", "30", "-q", "-o", &forest];
    assert_eq!(on("fit", &penguins(), &words).code, 0);
    forest
}

#[test]
fn quantiles_stand_beside_predictions() {
    let folder = folder();
    let forest = masses(folder.path());
    let penguins = penguins().to_string_lossy().into_owned();
    let predict = |words: &[&str]| {
        let first = ["predict", &forest, &penguins, "--quantiles", "0.9,0.1", "-q"];
        wald(&[&first[..], words].concat())
    };
    let new = predict(&["--training", &penguins]);
    assert_eq!(new.code, 0, "{}", new.stderr);
    assert!(new.stdout.starts_with("body_mass_g,quantile_0.9,quantile_0.1\n"), "{}", new.stdout);
    let rows = numbers(&new.stdout);
    assert_eq!(rows.len(), 344);
    assert!(rows.iter().all(|row| row[2] <= row[0] && row[0] <= row[1]));
    let plain = numbers(&wald(&["predict", &forest, &penguins, "-q"]).stdout);
    assert!(rows.iter().zip(&plain).all(|(row, plain)| row[0] == plain[0]));

    let out_of_bag = predict(&["--out-of-bag"]);
    assert!(
        out_of_bag.stdout.starts_with("row,body_mass_g,quantile_0.9,"),
        "{}",
        out_of_bag.stdout
    );
    let rows = numbers(&out_of_bag.stdout);
    // The fourth penguin was not weighed.
    assert_eq!((rows.len(), rows[2][0], rows[3][0]), (342, 3.0, 5.0));
    let json = predict(&["--out-of-bag", "--format", "json"]).json();
    assert_eq!(json["quantiles"][3][1].as_f64(), Some(rows[3][3]));
    assert_eq!(json["row_numbers"][3], 5);
    assert!(predict(&["--out-of-bag", "--format", "table"]).stdout.lines().count() == 343);
}

#[test]
fn quantiles_that_cannot_be_made_are_refused() {
    let folder = folder();
    let forest = masses(folder.path());
    let (penguins, cancer) = (penguins(), cancer());
    let (penguins, cancer) = (penguins.to_str().expect("text"), cancer.to_str().expect("text"));
    let predict = |words: &[&str]| wald(&[&["predict", &forest, penguins], words].concat());
    predict(&["--quantiles", "0.5"]).refused(2, &["--training", "--out-of-bag"]);
    predict(&["--quantiles", "1.5", "--out-of-bag"]).refused(2, &["1.5"]);
    predict(&["--quantiles", "half", "--out-of-bag"]).refused(2, &["half"]);
    predict(&["--out-of-bag"]).refused(2, &["--quantiles"]);
    predict(&["--quantiles", "0.5", "--training", cancer]).refused(3, &["body_mass_g"]);
    let species = folder.path().join("species.forest").to_string_lossy().into_owned();
    let fit = ["-t", "species", "--trees", "5", "-q", "-o", &species];
    assert_eq!(on("fit", Path::new(penguins), &fit).code, 0);
    wald(&["predict", &species, penguins, "--quantiles", "0.5", "--out-of-bag"])
        .refused(3, &["classes"]);
}

#[test]
fn weights_of_rows_sum_to_one_and_predict() {
    let folder = folder();
    let forest = masses(folder.path());
    let masses: HashMap<usize, f64> = fs::read_to_string(penguins())
        .expect("text")
        .lines()
        .skip(1)
        .enumerate()
        .filter_map(|(at, line)| Some((at + 1, line.split(',').nth(5)?.parse().ok()?)))
        .collect();
    let show = ["--forest", &forest, "--show", "weights", "--format", "csv", "-q"];
    let csv = on("proximities", &penguins(), &show).stdout;
    assert!(csv.starts_with("row,training_row,weight\n"), "{}", &csv[..100]);
    let (mut sums, mut means) = (HashMap::new(), HashMap::new());
    for line in numbers(&csv) {
        let (row, other) = (line[0] as usize, line[1] as usize);
        *sums.entry(row).or_insert(0.0) += line[2];
        *means.entry(row).or_insert(0.0) += line[2] * masses[&other];
    }
    let penguins = penguins().to_string_lossy().into_owned();
    let words = ["predict", &forest, &penguins, "--quantiles", "0.5", "--out-of-bag", "-q"];
    let predicted = numbers(&wald(&words).stdout);
    assert_eq!((sums.len(), predicted.len()), (342, 342));
    for line in predicted {
        let row = line[0] as usize;
        assert!((sums[&row] - 1.0_f64).abs() < 1e-12, "{row}");
        assert!((means[&row] - line[1]).abs() < 1e-12 * line[1], "{row}");
    }
}

#[test]
fn outliers_and_prototypes_are_shown_in_every_format() {
    let show = |words: &[&str]| {
        let first = ["-t", "species", "--trees", "60", "-q"];
        on("proximities", &penguins(), &[&first[..], words].concat())
    };
    let csv = show(&["--format", "csv"]).stdout;
    assert!(csv.starts_with("row,species,outlier\n1,Adelie,"), "{csv}");
    assert_eq!(csv.lines().count(), 345);
    let json = show(&["--format", "json"]).json();
    let first = json["outliers"][0].as_f64().expect("a score");
    assert_eq!(Some(first), numbers(&csv)[0].last().copied());
    let table = show(&[]).stdout;
    let score = |line: &str| line.split_whitespace().last().and_then(|cell| cell.parse().ok());
    let scores: Vec<f64> = table.lines().skip(1).filter_map(score).collect();
    assert!(scores.len() == 20 && scores.is_sorted_by(|a, b| a >= b), "{table}");
    let prototypes = show(&["--show", "prototypes", "--neighbours", "30", "--format", "json"]);
    let prototypes = prototypes.json();
    let classes: Vec<&Value> =
        prototypes["prototypes"].as_array().expect("a list").iter().map(|p| &p["class"]).collect();
    assert_eq!(classes, ["Adelie", "Chinstrap", "Gentoo"]);
    // All Gentoos live on Biscoe.
    assert_eq!(prototypes["prototypes"][2]["centre"]["island"]["level"], "Biscoe");
    let table = show(&["--show", "prototypes", "--neighbours", "30"]).stdout;
    assert!(table.starts_with("class") && table.contains("Biscoe"), "{table}");
}

#[test]
fn options_of_proximities_that_do_not_fit_are_refused() {
    let show = |words: &[&str]| {
        on(
            "proximities",
            &penguins(),
            &[&["-t", "body_mass_g", "--trees", "2", "-q"], words].concat(),
        )
    };
    show(&["--show", "weights"]).refused(2, &["--format csv"]);
    show(&["--neighbours", "3"]).refused(2, &["--show prototypes"]);
    show(&["--show", "prototypes", "--neighbours", "0"]).refused(2, &["0 neighbours"]);
    show(&["--rows", "x.csv"]).refused(2, &["--show weights"]);
    show(&["--show", "prototypes"]).refused(3, &["classes"]);
}

#[test]
fn intervals_that_hold_too_few_rows_have_a_note() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (table, forest) = (at("t.csv"), at("t.forest"));
    let noise =
        |row: u32| (1..4).map(|k| f64::from(row * row * (30 + k) % (193 + 2 * k))).sum::<f64>();
    let lines = (0..200).map(|row| format!("{}.5,{}\n", row * 37 % 200, noise(row)));
    fs::write(&table, format!("x,y\n{}", lines.collect::<String>())).expect("a table");
    let notes = |leaf_size: &str, levels: &str| {
        let words =
            ["-t", "y", "--trees", "100", "--min-leaf-size", leaf_size, "--force", "-qo", &forest];
        assert_eq!(on("fit", Path::new(&table), &words).code, 0);
        let words = ["--quantiles", levels, "--training", &table, "--format", "json"];
        wald(&[&["predict", &forest, &table][..], &words].concat()).json()["notes"].to_string()
    };
    let note = "[\"of 200 training rows, out of bag, 64 % lie between the quantiles 0.05 and 0.95, which \
                should be 90 %: larger leaves (`--min-leaf-size`) make intervals wider\"]";
    assert_eq!(notes("1", "0.05,0.5,0.95"), note);
    assert_eq!(notes("40", "0.05,0.5,0.95"), "[]");
    // One level is no interval.
    assert_eq!(notes("1", "0.95"), "[]");
}
