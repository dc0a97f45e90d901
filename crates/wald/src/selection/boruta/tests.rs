//! Decisions of other programs on their own examples, and what results must not depend on.

use super::*;
use crate::data::{Column, Target};
use crate::forest::ForestConfig;
use crate::measure::{Measure, MeasureId};
use crate::run::Threads;
use crate::selection::boruta::tally::Found;
use crate::simulate::Friedman1;

fn config(n_trees: usize) -> BorutaConfig {
    let forest = ForestConfig { n_trees, seed: 11, ..ForestConfig::default() };
    BorutaConfig::new(forest).expect("offered")
}

fn run(data: &Dataset, config: &BorutaConfig, threads: usize) -> Boruta {
    let run = Run::on(Threads::new(threads).expect("few"));
    boruta(data, config, &run).expect("settings that fit")
}

/// Importances as the mock source of the R package's tests has them: three variables always above
/// the shadows, four always below, and two that are above in every other run.
#[test]
fn clear_variables_are_decided_as_soon_as_tests_allow() {
    for (correction, level, decided_at) in [
        // 0.5^n 9 < 0.01 from n = 10 on.
        (Correction::Bonferroni, 0.01, 10),
        (Correction::None, 0.01, 7),
        // BorutaPy 0.4.3 with these importances: 0.5^n <= 0.05 / n from n = 8 on.
        (Correction::TwoStep, 0.05, 8),
    ] {
        let mut tally = Tally::new(9);
        for index in 0..99 {
            let odd = if index % 2 == 0 { 1.0 } else { -1.0 };
            let all = [7.0, 7.0, 7.0, -7.0, -7.0, -7.0, -7.0, odd, -odd];
            let value =
                |(at, value): (usize, &f64)| Some(*value).filter(|_| !tally.is_rejected(at));
            let variables = all.iter().enumerate().map(value).collect();
            tally.add(Found { variables, shadows: vec![-3.0, 0.0, -1.0] }, 100.0);
            tally.decide(correction, level).expect("a distribution");
        }
        let expected = |at: usize| match at {
            0..3 => Decision::Confirmed,
            3..7 => Decision::Rejected,
            _ => Decision::Tentative,
        };
        for at in 0..9 {
            assert_eq!(tally.decisions[at], expected(at), "{at}");
            assert_eq!(tally.decided_at[at], (at < 7).then_some(decided_at), "{at}");
        }
        assert_eq!(tally.ranking(), [1, 1, 1, 3, 3, 3, 3, 2, 2]);
        // Medians of 50 ones among 99, and of 49.
        tally.fix_roughly();
        assert_eq!(tally.decisions[7..], [Decision::Confirmed, Decision::Rejected]);
        assert_eq!(tally.is_rough[6..], [false, true, true]);
        assert_eq!(tally.ranking(), [1, 1, 1, 3, 3, 3, 3, 1, 2]);
    }
}

/// numpy.percentile([1, 2, 4, 8], 80) is 5.6.
#[test]
fn a_hit_is_above_the_percentile_of_shadows() {
    let found =
        || Found { variables: vec![Some(5.5), Some(5.7), None], shadows: vec![8.0, 1.0, 2.0, 4.0] };
    let mut tally = Tally::new(3);
    tally.add(found(), 80.0);
    assert_eq!(tally.hits, [0, 1, 0]);
    assert!(tally.thresholds[0].is_some_and(|at| (at - 5.6).abs() < 1e-12));
    tally.add(found(), 100.0);
    assert_eq!((tally.hits, tally.thresholds[1]), (vec![0, 1, 0], Some(8.0)));
}

#[test]
fn neither_threads_nor_the_order_of_columns_matter() {
    let data = Friedman1::default().draw(80, 3).expect("rows");
    let config = BorutaConfig { max_runs: 15, ..config(15) };
    let found = run(&data, &config, 1);
    for threads in [2, 5] {
        assert_eq!(run(&data, &config, threads), found, "{threads} threads");
    }
    let columns = data.features().columns().iter().rev().cloned().collect();
    let reversed = Dataset::new(columns, data.target().clone()).expect("a data set");
    let mut again = run(&reversed, &config, 2);
    again.variables.reverse();
    assert_eq!(again.variables, found.variables);
    assert_eq!(again.thresholds, found.thresholds);
}

#[test]
fn rejected_variables_leave_and_few_variables_have_many_shadows() {
    let noise: Vec<f64> = (0..60_u32).map(|row| f64::from(row * 37 % 60)).collect();
    let x: Vec<f64> = (0..60).map(f64::from).collect();
    let y = Target::regression("y", x.clone()).expect("numbers");
    let column = |name: &str, values| Column::numeric(name, values).expect("finite");
    let data = Dataset::new(vec![column("x", x), column("noise", noise)], y).expect("a data set");
    for id in [MeasureId::Mdi, MeasureId::MinimalDepth] {
        let config = BorutaConfig { measure: Measure::from(id), ..config(10) };
        let found = run(&data, &config, 2);
        assert_eq!(found.names(Decision::Confirmed), ["x"], "{id:?}");
        assert_eq!(found.names(Decision::Rejected), ["noise"]);
        let rejected_at = found.variables[1].decided_at.expect("decided");
        assert!(found.history[..rejected_at].iter().all(|run| run[1].is_some()));
        assert!(found.history[rejected_at..].iter().all(|run| run[1].is_none()));
        assert_eq!(
            found.n_runs,
            found.variables[0].decided_at.max(Some(rejected_at)).expect("all")
        );
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let data = Friedman1::default().draw(30, 3).expect("rows");
    let refused = |config: BorutaConfig, data: &Dataset, what: &str| {
        let refusal = boruta(data, &config, &Run::all()).expect_err("a refusal").to_string();
        assert!(refusal.contains(what), "{refusal}");
    };
    refused(BorutaConfig { level: 0.0, ..config(3) }, &data, "level");
    refused(BorutaConfig { percentile: 101.0, ..config(3) }, &data, "percentile");
    refused(BorutaConfig { max_runs: 0, ..config(3) }, &data, "max_runs");
    // Ten variables: 0.5^10 * 10 < 0.01 <= 0.5^9 * 10.
    refused(BorutaConfig { max_runs: 9, ..config(3) }, &data, "9 runs decide nothing");
    assert!(BorutaConfig { max_runs: 10, ..config(3) }.check(&data).is_ok());
    let clusters = data.clone().with_clusters((0..30).collect()).expect("clusters");
    refused(config(3), &clusters, "not exchangeable");
    let measure = Measure::from(MeasureId::MdaTrainTest);
    refused(BorutaConfig { measure, ..config(3) }, &data, "test rows");
}

/// Depths are not negative, and those of relevant variables are the smaller.
#[test]
fn small_importances_are_shown_as_they_are() {
    let data = Friedman1::default().draw(100, 3).expect("rows");
    let config = BorutaConfig { measure: Measure::from(MeasureId::MinimalDepth), ..config(20) };
    let found = run(&data, &config, 2);
    assert!(found.small_is_important && found.unit.starts_with("levels below the root"));
    let [x4, x9] = [&found.variables[3], &found.variables[8]];
    assert_eq!([x4.decision, x9.decision], [Decision::Confirmed, Decision::Rejected]);
    let [relevant, noise] = [x4, x9].map(|of| of.median_importance.expect("an importance"));
    assert!(0.0 <= relevant && relevant < noise, "{relevant} {noise}");
    let is_depth = |value: &f64| *value >= 0.0;
    assert!(found.thresholds.iter().chain(found.history.iter().flatten()).flatten().all(is_depth));
    // A hit is a depth below that of the best shadow.
    let runs = found.history.iter().zip(&found.thresholds);
    let hits =
        runs.filter(|(depths, threshold)| depths[3].is_some_and(|depth| Some(depth) < **threshold));
    assert_eq!(hits.count(), x4.hits);
}

#[test]
fn forests_without_splits_are_noted() {
    let data = Friedman1::default().draw(30, 3).expect("rows");
    let mut config = config(10);
    assert_eq!(run(&data, &config, 2).note(), None);
    config.forest.min_node_size = Some(1000);
    let found = run(&data, &config, 2);
    assert!(found.variables.iter().all(|of| of.decision == Decision::Rejected), "{found:?}");
    let note = found.note().expect("nothing is known");
    assert!(note.starts_with("no tree has a split, so that nothing is known"), "{note}");
}
