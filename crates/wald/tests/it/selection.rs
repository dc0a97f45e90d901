//! Selection on data whose relevant variables are known.

use wald::data::{Column, Target};
use wald::measure::MeasureSettings;
use wald::selection::{SelectionState, eliminate};
use wald::{Dataset, ForestConfig, Measure, MeasureId, Run, Selection, SelectionConfig, Threads};

use crate::support::Numbers;

fn select(data: &Dataset, id: MeasureId, folds: usize) -> Selection {
    let measure = Measure::new(id, MeasureSettings::default()).expect("offered");
    let forest = ForestConfig { n_trees: 60, ..ForestConfig::default() };
    let config = SelectionConfig { folds, ..SelectionConfig::new(forest, measure) };
    let state = SelectionState::new(data, &config);
    let handles = &Run::on(Threads::new(2).expect("two"));
    let mut stored = Vec::new();
    let selected = wald::select(
        data,
        &config,
        state,
        |state| stored.push(state.to_bytes().expect("bytes")),
        handles,
    );
    let selected = selected.expect("settings that fit");
    assert_eq!(stored.len(), folds + 1, "every elimination is announced");
    // Whatever was done before, the rest gives the same.
    let half = SelectionState::from_bytes(&stored[folds / 2], data, &config).expect("its state");
    let resumed = wald::select(data, &config, half, |_| {}, handles).expect("settings that fit");
    assert_eq!(resumed, selected);
    // In rounds of some eliminations, the same ones are done, each once.
    let mut state = SelectionState::new(data, &config);
    for (at_most, n_done) in [(0, 0), (1, 1), (2, 3), (usize::MAX, folds + 1)] {
        let round = eliminate(data, &config, state, at_most, |_| {}, handles);
        state = round.expect("settings that fit");
        assert_eq!(state.n_done(), n_done);
    }
    assert_eq!(state.to_bytes().ok().as_ref(), stored.last());
    selected
}

fn numeric(columns: Vec<Vec<f64>>, y: Vec<f64>) -> Dataset {
    let named = |(index, values): (usize, Vec<f64>)| {
        Column::numeric(format!("x{}", index + 1), values).expect("finite")
    };
    let columns = columns.into_iter().enumerate().map(named).collect();
    Dataset::new(columns, Target::regression("y", y).expect("finite")).expect("consistent")
}

/// Sum of twelve uniform numbers: nearly normal, variance 1.
fn normal(numbers: &mut Numbers) -> f64 {
    (0..12).map(|_| numbers.unit()).sum::<f64>() - 6.0
}

#[test]
fn the_relevant_variables_of_friedman_1_are_kept() {
    let mut numbers = Numbers(5);
    let columns: Vec<Vec<f64>> =
        (0..10).map(|_| (0..300).map(|_| numbers.unit()).collect()).collect();
    let y = (0..300)
        .map(|row| {
            let x = |column: usize| columns[column][row];
            10.0 * (std::f64::consts::PI * x(0) * x(1)).sin()
                + 20.0 * (x(2) - 0.5).powi(2)
                + 10.0 * x(3)
                + 5.0 * x(4)
                + normal(&mut numbers)
        })
        .collect();
    let data = numeric(columns, y);
    for id in [MeasureId::SobolMda, MeasureId::MdaBreimanCutler, MeasureId::Mdi] {
        let found = select(&data, id, 5);
        let mut dropped = found.order[..5].to_vec();
        dropped.sort_unstable();
        assert_eq!(dropped, [5, 6, 7, 8, 9], "{id:?}");
        assert_eq!(found.kept(5), [0, 1, 2, 3, 4]);
        let at_five = found.at(5).expect("a size that was tried");
        for variable in [0, 1, 3] {
            assert_eq!(at_five.frequencies[variable], 1.0, "{id:?}");
        }
        let (all, few) = (found.at(10).expect("tried"), found.at(2).expect("tried"));
        assert!(at_five.error < all.error && at_five.error < few.error, "{id:?}");
        assert!((4..=6).contains(&found.one_standard_error_size), "{id:?}");
        assert!(at_five.explained_variance > 0.6 && few.explained_variance < 0.6, "{id:?}");
    }
}

/// Bénard, Da Veiga & Scornet 2022, section 3.3: of redundant variables, one is enough.
/// Sobol-MDA drops the others before a weak variable with information of its own; permuting,
/// which looks at each of them while the others stay, keeps them longer.
#[test]
fn what_others_know_leaves_before_what_one_variable_knows() {
    let mut numbers = Numbers(9);
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); 6];
    let mut y = Vec::new();
    for _ in 0..400 {
        let common = normal(&mut numbers);
        for column in &mut columns[..5] {
            column.push(common + 0.1 * normal(&mut numbers));
        }
        columns[5].push(normal(&mut numbers));
        let weak = columns[5].last().copied().unwrap_or_default();
        y.push(2.0 * common + 0.7 * weak + 0.5 * normal(&mut numbers));
    }
    let data = numeric(columns, y);
    let sobol = select(&data, MeasureId::SobolMda, 4);
    assert!(sobol.kept(2).contains(&5), "{:?}", sobol.order);
    assert_eq!(sobol.at(2).expect("tried").frequencies[5], 1.0);
    let best = sobol.at(sobol.best_size).expect("tried").error;
    let two = sobol.at(2).expect("tried").error;
    assert!(two < 1.5 * best, "{two} {best}");
}
