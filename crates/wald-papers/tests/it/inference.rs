//! Intervals, p-values and Monte-Carlo errors.

use crate::{found, holds};

/// Few tables, so that bands are wide; what holds of many is in the documentation.
#[test]
fn p_values_keep_their_level_for_every_type_of_column() {
    let found = found("p-values --repetitions 24 --trees 20 --rows 80");
    for null in ["permuted, no effects", "shadow", "mirrored"] {
        assert!(holds(&found, &format!("{null}: no level")), "{found}");
    }
    let rows = found["listings"][0]["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 5 + 5 + 5 + 6, "a row for every null and measure");
    // What matters is found more often than what does not.
    for row in found["listings"][1]["rows"].as_array().expect("rows") {
        let share: f64 = row[2].as_str().and_then(|text| text.parse().ok()).expect("a share");
        assert!(share > 0.3, "{row}");
    }
}

/// Sixteen data sets: shares of the variables that matter are known to about .05.
#[test]
fn intervals_cover_within_their_bands() {
    let found = found("coverage --repetitions 16 --trees 50 --rows 100");
    let claims = found["claims"].as_array().expect("claims");
    assert!(claims.len() >= 11, "a claim for each way and measure: {found}");
    for claim in claims {
        assert!(claim["holds"].as_bool().expect("a verdict"), "{claim}");
    }
    // Intervals of trees alone do not include the sampling of rows.
    let rows = found["listings"][0]["rows"].as_array().expect("rows");
    for row in rows.iter().filter(|row| row[1] == "mdi" || row[1] == "mda_breiman_cutler") {
        let share = |at: usize| -> f64 {
            let text = row[at].as_str().expect("a cell");
            text.split(' ').next().and_then(|text| text.parse().ok()).expect("a share")
        };
        assert!(share(2) > 0.75 && share(6) < 0.7, "{row}");
    }
}

#[test]
fn monte_carlo_errors_are_honest() {
    let found = found("monte-carlo-errors --repetitions 20 --trees 20 --rows 50");
    let claims = found["claims"].as_array().expect("claims");
    assert!(claims.len() >= 15, "{found}");
    for claim in claims {
        assert!(claim["holds"].as_bool().expect("a verdict"), "{claim}");
    }
}

/// One command for all of it.
#[test]
fn all_promises_are_printed_at_once() {
    let found = found("uncertainty --repetitions 7 --trees 10 --rows 40");
    let listings = found["listings"].as_array().expect("tables");
    let titles: Vec<&str> = listings.iter().filter_map(|one| one["title"].as_str()).collect();
    for part in ["Coverage of 90 %", "p-values of at most", "irrelevant variables", "Monte-Carlo"] {
        assert!(titles.iter().any(|title| title.contains(part)), "{part} in {titles:?}");
    }
    let coverage = listings[0]["rows"].as_array().expect("rows");
    let has_jackknife = coverage.iter().any(|row| row[0] == "jackknife" && row[1] == "mdi");
    assert!(has_jackknife, "{coverage:?}");
}
