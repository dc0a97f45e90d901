//! What populations refuse, and how.

use wald::data::{Column, Target};
use wald::forest::Impurity;
use wald::{Dataset, Error, Progress, Run, Threads};
use wald_population::{Limits, Population, TreeSettings};

use crate::joint::Joint;
use crate::support::Numbers;
use crate::worked_cases::exact;

#[test]
fn what_cannot_be_done_is_refused() {
    let around = &Run::on(Threads::new(2).expect("two"));
    let population = Joint::random(&[2, 2, 2], 1).population(Impurity::Entropy);
    for mtry in [0, 4] {
        let settings = TreeSettings { mtry: vec![mtry], local: false };
        let refusal = population.best_of(&settings, &Limits::default(), around);
        assert!(
            matches!(refusal, Err(Error::Setting { what, .. }) if what.contains("there are 3"))
        );
    }
    let none = TreeSettings { mtry: Vec::new(), local: false };
    let refusal = population.best_of(&none, &Limits::default(), around);
    assert!(matches!(refusal, Err(Error::Setting { .. })));
    assert!(exact(&population).subspace(0).is_err() && exact(&population).subspace(4).is_err());
    let data = Joint::random(&[2, 2], 1).data();
    assert!(matches!(
        Population::new(&data, Some(Impurity::Variance)),
        Err(Error::Setting { what, .. }) if what.contains("does not fit")
    ));
    let limits = Limits { seconds: 60.0, bytes: 100.0 };
    let refusal = population.exact(&limits, around).expect_err("no room").to_string();
    assert!(refusal.contains("3 variables with 8 combinations"), "{refusal}");
    let progress = Progress::new();
    progress.cancel();
    let cancelled = population.exact(&Limits::default(), &Run::new(around.threads, &progress));
    assert_eq!(cancelled.err(), Some(Error::Cancelled));
}

#[test]
fn numbers_that_tell_rows_apart_are_refused() {
    let y = || Target::regression("y", (0..100).map(|row| f64::from(row % 7)).collect());
    let x = |divisor: f64| (0..100).map(|row| (f64::from(row) / divisor).floor()).collect();
    let data = |values| {
        let column = Column::numeric("age", values).expect("finite");
        Dataset::new(vec![column], y().expect("finite")).expect("consistent")
    };
    let refusal = Population::new(&data(x(1.0)), None).expect_err("continuous");
    assert_eq!(refusal.column(), Some("age"));
    assert!(refusal.to_string().contains("100 different numbers in 100 rows"), "{refusal}");
    assert!(Population::new(&data(x(2.0)), None).is_ok());
}

#[test]
fn more_variables_than_can_be_listed_are_refused_with_the_estimate() {
    let mut numbers = Numbers(1);
    let column = |v: usize| {
        let values = (0..50).map(|_| f64::from(numbers.below(2))).collect();
        Column::numeric(format!("x{v}"), values).expect("finite")
    };
    let columns = (0..40).map(column).collect();
    let y = Target::regression("y", (0..50).map(f64::from).collect()).expect("finite");
    let data = Dataset::new(columns, y).expect("consistent");
    let population = Population::new(&data, None).expect("categories");
    let around = &Run::on(Threads::new(2).expect("two"));
    match population.exact(&Limits::default(), around) {
        Err(Error::TooLarge { what, help }) => {
            assert!(what.contains("exact importances of 40 variables with 50 "), "{what:?}");
            assert!(
                what.contains("8.8 TB of memory; the limits are 60 seconds and 8.6 GB"),
                "{what:?}"
            );
            assert!(help.contains("`samples = 1000`"));
        }
        other => panic!("{other:?}"),
    }
}
