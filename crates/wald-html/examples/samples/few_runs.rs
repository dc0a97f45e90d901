//! Importances from few runs, by a Gaussian process.

use wald::inference::Interval;
use wald_report::{Judgement, LeftOut, ReportNotice, SurrogateReport, TwoWays, Value};
use wald_surrogate::{Errors, Explained, Outside, Way};

/// With these names of variables; the last one is undefined.
pub(crate) fn few_runs(names: &[&str]) -> SurrogateReport {
    let value = |(place, name): (usize, &&str)| {
        let number = 0.8 / (place as f64 + 1.0);
        let number = (place + 1 < names.len()).then_some(number);
        let around =
            |half: f64| number.map(|number| Interval { low: number - half, high: number + half });
        Value {
            name: (*name).to_owned(),
            two_step: number,
            errors: number.map(|_| Errors { trees: Some(0.01), rows: 0.02, process: 0.03 }),
            interval: around(0.06),
            direct: number.map(|number| number / 2.0),
            direct_interval: None,
            exact: Some(0.05),
        }
    };
    let judgement = |name: &str, value: Option<f64>| Judgement {
        name: name.to_owned(),
        value,
        reading: "1 is perfect.".to_owned(),
    };
    let name = names.first().copied().unwrap_or_default();
    SurrogateReport {
        title: format!("What matters for {name}"),
        version: "0.1.0".to_owned(),
        date: "2026-11-23".to_owned(),
        command: "wald surrogate runs.csv --target y".to_owned(),
        seed: 0,
        target: name.to_owned(),
        source: "runs.csv".to_owned(),
        n_runs: 60,
        n_inputs: names.len(),
        explained: Explained { leave_one_out: 0.98, cross_validated: 0.97, forest: Some(0.6) },
        believed: Way::TwoStep,
        verdict: "Believe the two steps, not the forest of the runs.".to_owned(),
        reason: "The process explains 97 % of the variance, the forest of the runs 60 %."
            .to_owned(),
        notices: vec![ReportNotice {
            kind: "note".to_owned(),
            column: Some(name.to_owned()),
            message: "the sample leaves the range of the runs".to_owned(),
        }],
        measures: vec![TwoWays {
            id: "sobol_mda".to_owned(),
            name: "Sobol-MDA".to_owned(),
            estimand: "The share of the target's variance that is lost without the variable"
                .to_owned(),
            unit: "share of the variance".to_owned(),
            values: names.iter().enumerate().map(value).collect(),
            notes: vec!["a `note`".to_owned()],
        }],
        about: vec!["Two steps: a process, and a forest of its sample.".to_owned()],
        confidence: "90 %".to_owned(),
        judgements: vec![
            judgement("Explained by the process", Some(0.97)),
            judgement("Explained by the forest of the runs", None),
        ],
        left_out: (0..60)
            .map(|run| LeftOut {
                output: f64::from(run),
                predicted: f64::from(run) + f64::from(run * 37 % 11) / 5.0,
            })
            .collect(),
        n_rows: 10_000,
        inputs: "Inputs of 10000 rows were drawn from the law that was given.".to_owned(),
        outside: vec![Outside { input: name.to_owned(), share: 0.02 }],
        methods: "A Gaussian process was fitted to 60 runs.".to_owned(),
        citations: Vec::new(),
    }
}
