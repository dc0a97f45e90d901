//! Forests that exist: their columns and classes may be in another order than those of the table.

use std::sync::Arc;

use wald::data::{Column, Target};
use wald::interactions::{InteractionConfig, Interactions, interactions};
use wald::{Dataset, Forest, ForestConfig, Origin, Run, Threads};

use crate::support::{Numbers, threads};

/// Class "b" where x1 and x2 are large; the columns and classes in one order, or in another.
fn data(is_reversed: bool) -> Arc<Dataset> {
    let mut numbers = Numbers(9);
    let rows: Vec<[f64; 4]> = (0..150).map(|_| [0; 4].map(|_| numbers.unit())).collect();
    let is_b = |row: &[f64; 4]| row[0] > 0.5 && row[1] > 0.5;
    let column = |at: usize| {
        Column::numeric(format!("x{}", at + 1), rows.iter().map(|row| row[at]).collect())
    };
    let order = if is_reversed { [3, 2, 1, 0] } else { [0, 1, 2, 3] };
    let columns = order.map(|at| column(at).expect("numbers")).into();
    let classes = if is_reversed { ["b", "a"] } else { ["a", "b"] };
    let code = |row: &[f64; 4]| u32::from(is_b(row) != is_reversed);
    let target = Target::classification(
        "class",
        classes.map(str::to_owned).into(),
        rows.iter().map(code).collect(),
    );
    Arc::new(Dataset::new(columns, target.expect("classes")).expect("data"))
}

/// What does not depend on the order of columns, by class and set.
fn sorted(found: &Interactions) -> Vec<(String, Vec<String>, [Option<f64>; 4])> {
    let one = |set: &wald::interactions::Interaction| {
        let mut names: Vec<String> = set.variables.iter().map(ToString::to_string).collect();
        names.sort();
        let shares =
            [Some(set.prevalence), set.prevalence_elsewhere, set.precision, set.precision_without];
        (set.class.clone(), names, shares)
    };
    let mut all: Vec<_> = found.sets.iter().map(one).collect();
    all.sort_by(|one, other| (&one.0, &one.1).cmp(&(&other.0, &other.1)));
    all
}

#[test]
fn columns_and_classes_in_another_order_change_nothing() {
    let run = Run::on(threads());
    let config = ForestConfig { n_trees: 40, mtry: Some(2), ..ForestConfig::default() };
    let forest = Arc::new(Forest::grow(&data(false), &config, &run).expect("a forest"));
    let asked = InteractionConfig { resamples: 6, ..InteractionConfig::default() };
    let [same, reversed] = [false, true].map(|is_reversed| {
        interactions(&data(is_reversed), Origin::Forest(&forest), &asked, &run).expect("sets")
    });
    assert_eq!(sorted(&same), sorted(&reversed));
    for found in [&same, &reversed] {
        let first = found.sets.iter().find(|set| set.class == "b").expect("the class");
        let mut names: Vec<String> = first.variables.iter().map(ToString::to_string).collect();
        names.sort();
        assert_eq!(names, ["x1+", "x2+"]);
        assert!(first.stability >= Some(0.8), "{first:?}");
        assert!(first.precision > Some(0.9), "{first:?}");
    }
    // Variables of a set are in the order of the table.
    let first = reversed.sets.iter().find(|set| set.class == "b").expect("the class");
    assert_eq!(first.text(), "x2+ & x1+");
}

/// The estimate counts what is held: the paths, the forests of bootstrap samples, and their tables.
#[test]
fn more_is_held_for_more_trees_and_bootstrap_samples() {
    let data = data(false);
    let run = Run::on(Threads::ONE);
    let of = |n_trees: usize| ForestConfig { n_trees, ..ForestConfig::default() };
    let [none, some] =
        [0, 5].map(|resamples| InteractionConfig { resamples, ..InteractionConfig::default() });
    let size = |asked: &InteractionConfig, origin: Origin<'_>| {
        asked.size(&data, origin, Threads::ONE).expect("a size").total()
    };
    let (few, many) = (of(10), of(100));
    let growing =
        wald::memory::Size::of_growing(&data, &few, &[], wald::forest::Keep::Trees, Threads::ONE);
    assert!(size(&none, Origin::Settings(&few)) > growing.expect("a size").total());
    assert!(size(&none, Origin::Settings(&few)) < size(&some, Origin::Settings(&few)));
    assert!(size(&none, Origin::Settings(&few)) < size(&none, Origin::Settings(&many)));
    let forest = Arc::new(Forest::grow(&data, &many, &run).expect("a forest"));
    let stored = Origin::Forest(&forest);
    assert!(size(&none, stored) < size(&some, stored));
    assert!(size(&none, stored) < size(&none, Origin::Settings(&many)));
}
