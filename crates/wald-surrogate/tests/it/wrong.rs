//! Runs and settings that cannot be used.

use wald::data::{Column, Target};
use wald::forest::Impurity;
use wald::measure::MeasureSettings;
use wald::{Dataset, Error, Features, ForestConfig, Measure, MeasureId};
use wald_surrogate::{Settings, Source, surrogate};

use crate::worlds::{polynomial, runs, small, threads};

fn refused(data: &std::sync::Arc<Dataset>, source: &Source<'_>, settings: &Settings) -> Error {
    let measures: [Measure; 1] = ["mdi".parse().expect("a measure")];
    surrogate(data, source, &measures, settings, &threads(1)).expect_err("not to be used")
}

#[test]
fn what_cannot_be_used_is_refused_with_what_to_do() {
    let data = polynomial(30);
    let forest = ForestConfig { n_trees: 5, ..ForestConfig::default() };
    let settings = small(200, 5);
    let few = Settings { n_rows: 5, ..settings.clone() };
    assert!(refused(&data, &Source::Copula, &few).to_string().contains("5 rows"));
    let undrawn = Settings { n_draws: 0, forest: forest.clone(), ..settings.clone() };
    assert!(refused(&data, &Source::Copula, &undrawn).to_string().contains("0 functions"));

    let of_counts = ForestConfig { impurity: Some(Impurity::Poisson), ..forest };
    let counted = Settings { forest: of_counts, ..settings.clone() };
    assert!(refused(&data, &Source::Copula, &counted).to_string().contains("may be negative"));
    let by_degree = MeasureSettings { by_degree: true, ..MeasureSettings::default() };
    let measure = Measure::new(MeasureId::Mdi, by_degree).expect("offered");
    let found = surrogate(&data, &Source::Copula, &[measure], &settings, &threads(1));
    assert!(found.expect_err("not in two steps").to_string().contains("without parts"));

    let constant = runs(30, &[(0.0, 1.0)], |_| 2.5);
    assert!(refused(&constant, &Source::Copula, &settings).to_string().contains("no variance"));

    let column = |values: Vec<f64>| Column::numeric("x1", values).expect("numbers");
    let rows = Features::new(vec![column(vec![0.5; 200])]).expect("a column");
    let error = refused(&data, &Source::Rows(&rows), &settings);
    assert!(error.to_string().contains("no column \"x2\""), "{error}");

    let missing =
        column((0..30).map(|row| if row == 3 { f64::NAN } else { f64::from(row) }).collect());
    let target = Target::regression("y", (0..30).map(f64::from).collect()).expect("numbers");
    let data = std::sync::Arc::new(Dataset::new(vec![missing], target).expect("equal lengths"));
    let error = refused(&data, &Source::Independent, &settings);
    assert!(error.to_string().contains("1 missing value"), "{error}");
    assert!(!error.help().is_empty());

    let column = Column::numeric("x1", (0..30).map(f64::from).collect()).expect("numbers");
    let classes = vec!["a".to_owned(), "b".to_owned()];
    let codes = (0..30).map(|row| row % 2).collect();
    let target = Target::classification("y", classes, codes).expect("known classes");
    let data = std::sync::Arc::new(Dataset::new(vec![column], target).expect("equal lengths"));
    assert!(refused(&data, &Source::Independent, &settings).to_string().contains("not a number"));
}
