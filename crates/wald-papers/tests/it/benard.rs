//! Quick versions of the tables of Bénard, Da Veiga & Scornet: few repetitions, small forests.

use crate::{cell, found, holds};

/// True when a mean of few repetitions is as near to a value as its standard error and a
/// tolerance for the smaller sample require.
fn is_near(found: (f64, f64), expected: f64, tolerance: f64) -> bool {
    (found.0 - expected).abs() <= tolerance + 4.0 * found.1
}

#[test]
fn the_limits_of_other_settings_hold() {
    let found = found(
        "benard-limits --alpha 2 --beta -1 --rho-12 -0.4 --rho-45 0.8 \
                       --sigma 1,2,1,0.5,3 --draws 50000",
    );
    assert!(holds(&found, "MDA3*"));
    assert!(holds(&found, "ST4 < ST1 < ST3"));
    // a = 4, rho = -.4: MDA1* = 8 (1 - .16), MDA3* = 24 * .16.
    let rows = found["comparisons"][0]["rows"].as_array().expect("rows");
    let reference = |quantity: &str| {
        let row = rows.iter().find(|row| row["quantity"] == quantity && row["item"] == "X2");
        row.and_then(|row| row["reference"].as_f64()).expect("a closed form")
    };
    assert!((reference("MDA1*") - 6.72).abs() < 1e-12);
    assert!((reference("MDA3*") - 3.84).abs() < 1e-12);
}

#[test]
fn table_1_runs() {
    let found = found("benard-table-1 --rows 200 --trees 20");
    let rows = found["listings"][1]["rows"].as_array().expect("rows");
    assert!(rows.iter().any(|row| row[0] == "randomForest"));
    for row in rows {
        // X3 alone decides which pair counts, and no definition fails to see it.
        assert!(row[4].as_str().and_then(|text| text.parse().ok()).is_some_and(|x3: f64| x3 > 0.0));
    }
}

#[test]
fn a_small_table_3_is_near_the_published_one() {
    let found = found("benard-table-3 --repetitions 4 --rows 1500 --trees 60");
    for (item, sobol, breiman) in
        [("X3", 0.45, 0.37), ("X4", 0.08, 0.10), ("X1", 0.05, 0.24), ("X2", 0.05, 0.24)]
    {
        let found_sobol = cell(&found, "S-MDA", item);
        assert!(is_near(found_sobol, sobol, 0.03), "{item}: {found_sobol:?}");
        let found_breiman = cell(&found, "BC-MDA", item);
        assert!(is_near(found_breiman, breiman, 0.04), "{item}: {found_breiman:?}");
    }
    assert!(holds(&found, "BC-MDA does not rank"));
    let errata = found["comparisons"][0]["rows"].as_array().expect("rows");
    let errata = errata.iter().filter(|row| row["verdict"]["verdict"] == "erratum");
    assert_eq!(errata.count(), 4);
}

#[test]
fn a_small_table_4_has_deviations() {
    let found = found("benard-table-4 --repetitions 4 --rows 800 --trees 30");
    let (deviation, _) = cell(&found, "S-MDA", "X3");
    assert!(deviation > 0.002 && deviation < 0.15, "{deviation}");
}

#[test]
fn a_small_table_5_puts_x1_first() {
    let found = found("benard-table-5 --repetitions 3 --rows 500 --trees 60");
    for quantity in ["S-MDA", "BC-MDA/2V[Y]"] {
        let (first, _) = cell(&found, quantity, "X1");
        let (second, _) = cell(&found, quantity, "rank 2");
        assert!(first > 2.0 * second, "{quantity}: {first} {second}");
    }
}

#[test]
fn noise_has_a_negative_sobol_mda_that_shrinks() {
    let found = found("benard-noise --repetitions 6 --rows 150 --trees 60");
    assert!(holds(&found, "negative"));
    assert!(holds(&found, "shrinks"));
    assert!(holds(&found, "above 3 standard errors"));
}

#[test]
fn measures_approach_their_limits() {
    let folder = tempfile::tempdir().expect("a folder");
    let picture = folder.path().join("theorems.svg");
    let found = found(&format!(
        "benard-theorems --repetitions 4 --rows 200 --trees 40 --sizes 3 --svg {}",
        picture.display()
    ));
    assert!(holds(&found, "example 1: the distance of Sobol-MDA"));
    assert!(holds(&found, "independent inputs: the distance of BC-MDA"));
    let svg = std::fs::read_to_string(&picture).expect("a picture");
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && !svg.contains("NaN"));
    // An existing file stays as it is.
    let refused = format!("benard-theorems --svg {}", picture.display());
    crate::program().args(refused.split_whitespace()).assert().code(2);
    assert_eq!(std::fs::read_to_string(&picture).expect("the picture"), svg);
}

#[test]
fn few_runs_are_enough_for_a_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let picture = folder.path().join("two-step.svg");
    let found = found(&format!(
        "benard-two-step --functions otl --runs 50 --repetitions 2 --rows 1500 --trees 40 --svg {}",
        picture.display()
    ));
    let of = |quantity: &str| cell(&found, quantity, "OTL circuit, 50 runs").0;
    // The prototype found .48, with 500 trees on 50 runs, too.
    assert!((of("direct, largest") - 0.48).abs() < 0.12, "{}", of("direct, largest"));
    assert!(of("process") > 0.99, "{}", of("process"));
    for way in ["two-step", "copula", "GP+law"] {
        assert!(of(way) < of("direct") / 3.0, "{way}: {}", of(way));
    }
    let rows = found["listings"][0]["rows"].as_array().expect("cells");
    assert_eq!(rows[0][7], "2 of 2", "the process is believed");
    let svg = std::fs::read_to_string(&picture).expect("a picture");
    assert!(svg.starts_with("<svg") && svg.contains("OTL circuit") && !svg.contains("NaN"));
}

#[test]
fn settings_of_the_second_step_change_its_error() {
    let found = found(
        "benard-two-step-forests --functions ishigami --repetitions 2 --rows 2000 --trees 50",
    );
    let rows = found["listings"][0]["rows"].as_array().expect("settings");
    let error = |name: &str| -> f64 {
        let row = rows.iter().find(|row| row[0] == name).expect("these settings");
        let text = row[1].as_str().and_then(|text| text.split(' ').next());
        text.and_then(|text| text.parse().ok()).expect("a number")
    };
    // The largest true index is .49. 2,000 rows in nodes of 40 are too few for a sine.
    assert_eq!(rows.len(), 8);
    assert!(error("half, 5") < 0.05 && error("half, 40") > 1.5 * error("half, 5"), "{rows:?}");
}

#[test]
fn intervals_of_few_runs_are_counted() {
    let found = found(
        "benard-two-step-coverage --functions piston --runs 50 --repetitions 2 --rows 400 --trees 20",
    );
    let row = &found["listings"][0]["rows"][0];
    let number = |column: usize| -> f64 {
        let text = row[column].as_str().and_then(|text| text.split(' ').next());
        text.and_then(|text| text.parse().ok()).expect("a number")
    };
    assert!((0.5..=1.0).contains(&number(1)), "{row}");
    // So small a sample has errors of several hundredths, which intervals are to show.
    assert!(number(2) > 0.02 && number(3) > 0.01, "{row}");
}

/// A table of the names and the shape of Galaxy.
fn write_galaxy(folder: &std::path::Path) {
    let mut text = "east.west,north.south,angle,radial.position,velocity\n".to_owned();
    for row in 0..40 {
        text.push_str(&format!("{row},{},1,{},{}\n", row % 7, row * row % 11, 1500 + row));
    }
    std::fs::write(folder.join("galaxy.csv"), text).expect("a file");
}

#[test]
fn a_missing_table_is_told_with_its_checksum_and_origin() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = |arguments: &str| {
        let output = crate::program().args(arguments.split_whitespace()).assert().code(5);
        assert!(output.get_output().stdout.is_empty());
        String::from_utf8_lossy(&output.get_output().stderr).into_owned()
    };
    let sha = "8fdb0956c18f5fd38e3717804e064105ee1ae9ada5be9fee81f0022f7f1e33f7";
    let without = refused("benard-figure-4");
    assert!(
        without.contains("--data") && without.contains(sha) && without.contains("ElemStatLearn")
    );
    let empty = refused(&format!("benard-figure-4 --data {}", folder.path().display()));
    assert!(empty.contains("galaxy.csv") && empty.contains(sha));
    write_galaxy(folder.path());
    let other = refused(&format!("benard-figure-4 --data {}", folder.path().display()));
    assert!(other.contains("its SHA-256 is") && other.contains(sha));
}
