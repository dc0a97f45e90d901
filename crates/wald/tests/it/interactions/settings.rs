//! Settings that cannot be meant are refused, with what to do instead.

use std::sync::Arc;

use wald::interactions::{InteractionConfig, interactions};
use wald::simulate::Friedman1;
use wald::{Forest, ForestConfig, Origin, Run, Threads};

#[test]
fn bad_settings_are_refused_with_a_remedy() {
    let data = Arc::new(Friedman1 { n_columns: 5, noise: 0.5 }.draw(40, 2).expect("rows"));
    let forest = ForestConfig { n_trees: 3, ..ForestConfig::default() };
    let usual = InteractionConfig { resamples: 0, ..InteractionConfig::default() };
    for (asked, what, help) in [
        (InteractionConfig { trees: 0, ..usual }, "`intersection_trees` is 0", "at least 1"),
        (InteractionConfig { depth: 0, ..usual }, "`depth` is 0", "5 is usual"),
        (InteractionConfig { depth: 40, ..usual }, "5e11 leaves", "smaller depth"),
        (InteractionConfig { children: 0, ..usual }, "`children` is 0", "2 are usual"),
        (InteractionConfig { min_size: 0, ..usual }, "`min_size` is 0", "at least 1"),
        (InteractionConfig { min_size: 6, ..usual }, "variables is 5", "at most 5"),
        (InteractionConfig { min_prevalence: 1.5, ..usual }, "is 1.5", "between 0 and 1"),
        (InteractionConfig { min_prevalence: f64::NAN, ..usual }, "is NaN", "between 0 and 1"),
        (InteractionConfig { cut: Some(f64::NAN), ..usual }, "is NaN", "the target"),
        (InteractionConfig { cut: Some(1e9), ..usual }, "on one side", "above it"),
        (InteractionConfig { resamples: 1_000_000, ..usual }, "is 1000000", "30 are usual"),
    ] {
        let run = Run::on(Threads::ONE);
        let refused = interactions(&data, Origin::Settings(&forest), &asked, &run);
        let error = refused.expect_err("a refusal");
        assert!(error.to_string().contains(what), "{error}");
        assert!(error.help().contains(help), "{}", error.help());
    }
}

/// A forest of another program has no settings to grow others by.
#[test]
fn forests_of_unknown_settings_are_searched_but_not_grown_again() {
    let data = Arc::new(Friedman1 { n_columns: 5, noise: 0.5 }.draw(40, 2).expect("rows"));
    let config = ForestConfig { n_trees: 8, ..ForestConfig::default() };
    let run = Run::on(Threads::ONE);
    let grown = Forest::grow(&data, &config, &run).expect("a forest");
    let mut json = Vec::new();
    grown.to_json(&mut json).expect("JSON");
    let mut json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
    json.as_object_mut().expect("an object").remove("config");
    let json = json.to_string();
    let foreign = Forest::from_json(json.as_bytes(), Some(&data), &run).expect("a forest");
    let foreign = Arc::new(foreign);
    assert!(foreign.config().is_none());
    let usual = InteractionConfig::default();
    let refused = interactions(&data, Origin::Forest(&foreign), &usual, &run);
    assert!(refused.expect_err("a refusal").help().contains("0 resamples"));
    let once = InteractionConfig { resamples: 0, ..usual };
    let found = interactions(&data, Origin::Forest(&foreign), &once, &run).expect("sets");
    let grown = interactions(&data, Origin::Forest(&Arc::new(grown)), &once, &run).expect("sets");
    assert_eq!(found, grown);
}
