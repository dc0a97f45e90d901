//! The numbers of the authors' program, the definition by plain loops, and what results must not depend on.

use super::paths::q_values;
use super::*;
use crate::data::{Column, Target};
use crate::forest::{ForestConfig, Sampling};
use crate::measure::{Measure, MeasureId};
use crate::run::Threads;
use crate::selection::forest::without_splits;
use crate::simulate::Friedman1;

/// Importances of 7 variables in 6 pairs of halves.
const IMPORTANCES: [[u32; 7]; 12] = [
    [33, 6, 0, 0, 3, 20, 0],
    [28, 8, 7, 1, 3, 1, 0],
    [21, 10, 1, 11, 0, 0, 0],
    [23, 6, 9, 7, 1, 0, 0],
    [32, 8, 2, 5, 64, 12, 0],
    [23, 5, 2, 0, 6, 24, 0],
    [36, 2, 1, 4, 16, 0, 0],
    [40, 5, 16, 11, 5, 3, 0],
    [22, 1, 5, 2, 2, 11, 0],
    [23, 8, 3, 4, 0, 3, 0],
    [24, 11, 4, 5, 4, 1, 0],
    [22, 1, 16, 7, 0, 7, 0],
];

fn importances() -> Vec<Vec<f64>> {
    IMPORTANCES.iter().map(|half| half.iter().map(|&value| f64::from(value)).collect()).collect()
}

/// `postprocess_ipss` of the Python package ipss 1.1.13 with these importances times 2^18 (it adds
/// 0.01 to the largest), delta 1.25 and no cutoff. It ends at the 21st threshold, where paths no
/// longer change.
#[test]
fn scores_without_a_cutoff_are_those_of_the_package() {
    for (power, expected) in [
        (Power::Squared, [0.608_142_83, 4.118_122_02, 7.0, 7.0, 7.0, 7.0, 7.0]),
        (Power::Cubed, [0.303_455_08, 3.783_404_92, 7.0, 7.0, 7.0, 7.0, 7.0]),
    ] {
        let mut paths = Paths::new(importances(), 7);
        paths.thresholds.truncate(21);
        paths.shares.truncate(21);
        let found = paths.integrals_until(f64::INFINITY, power);
        assert_eq!(found.n_thresholds, 20);
        for (found, expected) in found.efp_scores().iter().zip(expected) {
            assert!((found - expected).abs() < 2e-8, "{found} is not {expected}");
        }
        let q_values = q_values(&found.efp_scores());
        assert_eq!(q_values[0], found.efp_scores()[0]);
        assert!(q_values[1..].iter().all(|q| *q == 1.0), "{q_values:?}");
    }
}

/// Counts, sums and ends as the definition reads.
#[test]
fn scores_are_integrals_over_the_thresholds_up_to_the_cutoff() {
    let (n_halves, p, b) = (12.0, 7.0, 6.0);
    let mut negative = importances();
    negative.iter_mut().flatten().for_each(|value| *value -= 9.0);
    for power in [Power::Squared, Power::Cubed] {
        let m = if power == Power::Squared { 2 } else { 3 };
        let threshold = |k: i32| 64.0 * 10.0_f64.powf(-8.0 * f64::from(k) / 99.0);
        let share = |k: i32, j: usize| {
            let is_above = |half: &&[u32; 7]| f64::from(half[j]) > threshold(k);
            IMPORTANCES.iter().filter(is_above).count() as f64 / n_halves
        };
        let (mut mass, mut bound, mut scores, mut n) = (0.0, 0.0, [0.0; 7], 0);
        for k in 0..99 {
            let q: f64 = (0..7).map(|j| share(k, j)).sum();
            let weight = threshold(k + 1).powf(-0.25);
            mass += weight;
            bound += weight
                * if m == 2 {
                    q.powi(2) / (p * b) + (b - 1.0) * q.powi(4) / (b * p.powi(3))
                } else {
                    q.powi(2) / (p * b * b)
                        + 3.0 * (b - 1.0) * q.powi(4) / (p.powi(3) * b * b)
                        + (b - 1.0) * (b - 2.0) * q.powi(6) / (p.powi(5) * b * b)
                };
            if bound / mass > 0.05 {
                break;
            }
            n += 1;
            for (j, score) in scores.iter_mut().enumerate() {
                let x = share(k, j);
                *score += if x > 0.5 { weight * (2.0 * x - 1.0).powi(m) } else { 0.0 };
            }
            // What a smaller set of thresholds has, where the next one ends it.
            for shifted in [&importances(), &negative] {
                let found = Paths::new(shifted.clone(), 7).integrals(power);
                if found.n_thresholds == n {
                    assert!((found.bound / bound - 1.0).abs() < 1e-9 || bound == 0.0);
                    for (found, score) in found.scores.iter().zip(scores) {
                        assert!((found - score).abs() < 1e-9 * score.max(1.0), "{found} {score}");
                    }
                }
            }
        }
        assert!(n > 5, "{n} thresholds");
        for shifted in [importances(), negative.clone()] {
            assert_eq!(Paths::new(shifted, 7).integrals(power).n_thresholds, n);
        }
    }
}

/// Over all sets {efp <= t} that contain a variable, the smallest bound per variable.
#[test]
fn q_values_are_the_smallest_rates() {
    let efp = [0.5, 3.0, 0.5, 9.0, 2.0, 2.1, 9.0];
    let found = q_values(&efp);
    for (score, q) in efp.iter().zip(&found) {
        let rate = |t: &f64| t / efp.iter().filter(|other| *other <= t).count() as f64;
        let sets = efp.iter().filter(|t| *t >= score);
        let expected = sets.map(rate).fold(f64::INFINITY, f64::min);
        assert_eq!(*q, expected, "of {score}");
    }
    assert!(q_values(&[]).is_empty());
}

#[test]
fn without_importance_nothing_is_selected() {
    let paths = Paths::new(vec![vec![0.0; 3]; 10], 3);
    let found = Ipss::of(&["a", "b", "c"].map(str::to_owned), &paths, Power::Cubed);
    assert_eq!(found.efp_scores, [3.0; 3]);
    assert_eq!(found.q_values, [1.0; 3]);
    assert!(found.at_rate(0.5).is_empty() && found.at_number(2.9).is_empty());
}

#[test]
fn threads_change_nothing_and_the_relevant_come_first() {
    let data = Friedman1::default().draw(120, 3).expect("rows");
    let forest = ForestConfig { n_trees: 20, seed: 4, ..ForestConfig::default() };
    let config = IpssConfig { pairs: 12, ..IpssConfig::new(forest).expect("offered") };
    let run = |threads| {
        let threads = Threads::new(threads).expect("few");
        ipss(&data, &config, &Run::on(threads)).expect("settings that fit")
    };
    let found = run(1);
    for threads in [2, 5] {
        assert_eq!(run(threads), found, "{threads} threads");
    }
    let worst = found.efp_scores[..2].iter().chain(&found.efp_scores[3..4]);
    let best = found.efp_scores[5..].iter().copied().fold(f64::INFINITY, f64::min);
    assert!(worst.copied().fold(0.0, f64::max) < best, "{:?}", found.efp_scores);
}

/// With as many as there are, nothing changes.
#[test]
fn forests_are_grown_of_the_variables_preselected_in_their_half() {
    let data = Friedman1::default().draw(120, 3).expect("rows");
    let forest = ForestConfig { n_trees: 20, seed: 4, ..ForestConfig::default() };
    let config = |preselect: Option<usize>| {
        let config = IpssConfig::new(forest.clone()).expect("offered");
        IpssConfig { pairs: 12, preselect, measure: Measure::from(MeasureId::Mdi), ..config }
    };
    let found = |preselect: Option<usize>, data: &Dataset| {
        ipss(data, &config(preselect), &Run::all()).expect("settings that fit")
    };
    let all = found(None, &data);
    assert_eq!(found(Some(10), &data), all);
    for most in [5, 8] {
        let halves = halves::importances(&data, &config(Some(most)), &Run::all());
        for half in halves.expect("settings that fit").importances {
            let n_important = half.iter().filter(|value| **value > 0.0).count();
            assert_eq!(n_important, most, "{half:?}");
        }
    }
    // Bounds allow for fewer variables.
    let few = found(Some(5), &data);
    assert!(few.efp_scores.iter().zip(&all.efp_scores).all(|(few, all)| few >= all), "{few:?}");
    // The order of the columns has no effect.
    let columns = data.features().columns().iter().rev().cloned().collect();
    let reversed = Dataset::new(columns, data.target().clone()).expect("a table");
    let other = found(Some(5), &reversed).efp_scores;
    for (score, other) in few.efp_scores.iter().zip(other.iter().rev()) {
        assert!((score - other).abs() < 1e-12 * score, "{score} {other}");
    }
}

/// Irrelevant columns with many levels do not pass for relevant ones, as they would by the decrease in
/// impurity of training rows; without rows left out, permuted copies correct it.
#[test]
fn irrelevant_levels_are_not_selected() {
    let n_rows = 120;
    let mixed = |row: usize, column: usize| (row * 7919 + column * 104_729 + 17) % 65_537;
    let cell = |row, column| (mixed(row, column).pow(2) % 65_537 % 12) as u32;
    let names = || (0..12).map(|level| format!("L{level}")).collect::<Vec<_>>();
    let levels = |column: usize| {
        let codes = (0..n_rows).map(|row| cell(row, column)).collect();
        Column::categorical(format!("levels{column}"), names(), codes).expect("a column")
    };
    let flag = |column: usize| {
        let flags = (0..n_rows).map(|row| f64::from(cell(row, column) % 2)).collect();
        Column::numeric(format!("flag{column}"), flags).expect("a column")
    };
    let columns = (0..8).map(levels).chain((8..24).map(flag)).collect();
    let y = (0..n_rows).map(|row| f64::from(cell(row, 8) % 2 + cell(row, 40))).collect();
    let target = Target::regression("y", y).expect("numbers");
    let data = Dataset::new(columns, target).expect("a table");
    let selected = |measure: Option<Measure>, sampling| {
        let forest = ForestConfig { n_trees: 50, seed: 1, sampling, ..ForestConfig::default() };
        let usual = IpssConfig::new(forest).expect("offered");
        let measure = measure.unwrap_or_else(|| usual.measure.clone());
        let config = IpssConfig { pairs: 20, measure, ..usual };
        let found = ipss(&data, &config, &Run::all()).expect("settings that fit");
        found.at_number(1.0).into_iter().filter(|&at| at < 8).count()
    };
    assert!(selected(Some(Measure::from(MeasureId::Mdi)), Sampling::Bootstrap) > 4);
    assert_eq!(selected(None, Sampling::Bootstrap), 0);
    assert_eq!(selected(None, Sampling::All), 0);
}

#[test]
fn a_single_variable_is_never_selected_which_a_note_states() {
    let mut data = Friedman1::default().draw(100, 3).expect("rows");
    let config = IpssConfig::new(ForestConfig::default()).expect("offered");
    let found = |data: &Dataset| ipss(data, &config, &Run::all()).expect("settings that fit");
    assert_eq!(found(&data).note(), None);
    data.keep_groups(&(0..10).map(|at| at == 3).collect::<Vec<bool>>());
    let of_x4 = found(&data);
    assert_eq!((of_x4.efp_scores[0], of_x4.q_values[0]), (1.0, 1.0));
    assert!(of_x4.note().is_some_and(|note| note.contains("a single one is never selected")));
}

#[test]
fn halves_without_splits_are_noted() {
    let data = Friedman1::default().draw(60, 3).expect("rows");
    let mut config =
        IpssConfig { pairs: 5, ..IpssConfig::new(ForestConfig::default()).expect("offered") };
    let note =
        |config: &IpssConfig| ipss(&data, config, &Run::all()).expect("settings that fit").note();
    assert_eq!(note(&config), None);
    config.forest.min_node_size = Some(1000);
    let found = note(&config).expect("nothing is known");
    assert!(found.starts_with("no tree has a split, so that nothing is known"), "{found}");
    assert_eq!(
        without_splits(2, 10, "10 halves").expect("some"),
        "no tree has a split in 2 of 10 halves, so that these know nothing about any variable: more rows \
         or smaller leaves would let trees divide them"
    );
}

#[test]
fn what_does_not_fit_is_refused() {
    let data = Friedman1::default().draw(20, 3).expect("rows");
    let config = IpssConfig::new(ForestConfig::default()).expect("offered");
    let refusal = |config: &IpssConfig, data: &Dataset| {
        ipss(data, config, &Run::all()).err().map(|error| error.to_string())
    };
    let refused = |config: &IpssConfig, data: &Dataset, what: &str| {
        let refusal = refusal(config, data).expect("a refusal");
        assert!(refusal.contains(what), "{refusal}");
    };
    refused(&IpssConfig { pairs: 4, ..config.clone() }, &data, "pairs");
    refused(&IpssConfig { preselect: Some(4), ..config.clone() }, &data, "preselect");
    refused(&IpssConfig { subsample_trees: Some(0), ..config.clone() }, &data, "trees");
    let few = data.clone().with_clusters((0..20).map(|row| row % 3).collect()).expect("clusters");
    refused(&config, &few, "3 clusters, too few");
}
