//! The page on a surrogate holds what was found, and predictions that others can repeat.

use std::sync::Arc;

use wald::data::{Column, ColumnData, Response};
use wald::message::Neutral;
use wald::simulate::Friedman1;
use wald::{ForestConfig, Run};
use wald_gp::{Design, GaussianProcess, Kernel};
use wald_report::{Page, SurrogateReport};
use wald_surrogate::{Settings, Source, Way, surrogate};

#[test]
fn a_page_on_few_runs_holds_both_ways() {
    let runs = Friedman1 { n_columns: 5, noise: 0.0 }.draw(40, 2).expect("a design");
    let runs = Arc::new(runs);
    let settings = Settings {
        n_rows: 200,
        n_draws: 2,
        n_starts: 1,
        forest: ForestConfig { n_trees: 20, ..ForestConfig::default() },
        ..Settings::default()
    };
    let measures = ["mda_breiman_cutler", "sobol_mda"].map(|id| id.parse().expect("a measure"));
    let found = surrogate(&runs, &Source::Independent, &measures, &settings, &Run::all())
        .expect("measures");
    let page = Page { source: "runs.csv".to_owned(), ..Page::default() };
    let report = SurrogateReport::build(&found, &runs, &settings, page, &Neutral);
    assert_eq!(report.believed, Way::TwoStep, "{}", report.reason);
    assert!(report.verdict.starts_with("Believe the two steps"));
    assert!(report.reason.starts_with("The process explains"), "{}", report.reason);
    assert_eq!((report.n_runs, report.n_inputs, report.n_rows), (40, 5, 200));
    assert_eq!(report.confidence, "90 %");
    let [permutation, sobol] = report.measures.as_slice() else { panic!("two measures") };
    assert!(permutation.values.iter().all(|value| value.exact.is_none()));
    let first = found.two_step[1].importance.order()[0];
    assert_eq!(sobol.values[0].name, found.direct[1].names[first]);
    for value in &sobol.values {
        let at = place_of(&found.direct[1].names, &value.name);
        assert_eq!(value.direct, found.direct[1].values[at]);
        assert_eq!(value.interval, found.two_step[1].intervals[at]);
        assert_eq!(value.exact, found.exact.as_ref().map(|exact| exact.values[at]));
        let (own, interval) = (value.direct, value.direct_interval.expect("has an error"));
        assert!(own.is_some_and(|own| interval.low < own && own < interval.high));
    }
    assert!(report.methods.contains("drawn independently of each other"), "{}", report.methods);
    assert!(report.citations.iter().any(|citation| citation.text.contains("Sobol-MDA")));
    // Each prediction is that of a process of all other runs with the same lengths and noise.
    let Response::Regression(outputs) = runs.target().response() else { panic!("a number") };
    let numbers = |column: &Column| match column.data() {
        ColumnData::Numeric(values) => values.to_vec(),
        ColumnData::Categorical(_) => panic!("numbers"),
    };
    let columns: Vec<Vec<f64>> = runs.features().columns().iter().map(numbers).collect();
    let design = Design::new(&columns, outputs).expect("runs");
    let parameters = found.model.process().parameters();
    let process = GaussianProcess::at(&design, Kernel::default(), parameters.clone());
    let errors = process.expect("regular").leave_one_out().errors;
    for ((run, error), output) in report.left_out.iter().zip(errors).zip(outputs) {
        assert_eq!(run.output, *output);
        assert!((run.predicted - (output - error)).abs() < 1e-9);
    }
}

fn place_of(names: &[String], name: &str) -> usize {
    names.iter().position(|other| other == name).expect("a variable")
}
