//! Forests that are given more trees.

use wald::forest::{Sampling, Splitting};
use wald::{Error, Forest, ForestConfig, Run, Threads};

use crate::support::{Shape, dataset, grow};

const SHAPE: Shape = Shape { n_rows: 80, n_classes: 3, missing: true, weights: true, seed: 5 };

fn more(
    forest: &Forest,
    data: &wald::Dataset,
    config: &ForestConfig,
) -> Result<wald::pass::Grown, Error> {
    forest.grow_more(data, config, &Run::on(Threads::new(2).expect("two")))
}

#[test]
fn more_trees_are_those_of_a_larger_forest() {
    for n_classes in [0, 3] {
        let data = dataset(Shape { n_classes, ..SHAPE });
        for splitting in [Splitting::Best, Splitting::RandomThreshold, Splitting::Conditional] {
            for sampling in [Sampling::Bootstrap, Sampling::All] {
                let first = ForestConfig { n_trees: 4, sampling, splitting, ..Default::default() };
                let all = ForestConfig { n_trees: 9, ..first.clone() };
                let grown = more(&grow(&data, &first), &data, &all).expect("the same settings");
                let handles = &Run::on(Threads::all());
                let keep = wald::forest::Keep::Trees;
                let at_once = Forest::grow_and_measure(&data, &all, &[], keep, handles);
                assert_eq!(grown, at_once.expect("a forest"));
            }
        }
    }
}

#[test]
fn other_settings_and_rows_are_no_continuation() {
    let data = dataset(SHAPE);
    let config = ForestConfig { n_trees: 5, ..Default::default() };
    let forest = grow(&data, &config);
    let deeper = ForestConfig { n_trees: 9, max_depth: Some(2), ..config.clone() };
    let fewer = ForestConfig { n_trees: 4, ..config.clone() };
    for other in [deeper, fewer] {
        let refusal = more(&forest, &data, &other);
        assert!(matches!(refusal, Err(Error::Setting { .. })), "{refusal:?}");
    }
    let others = dataset(Shape { seed: 6, ..SHAPE });
    let larger = ForestConfig { n_trees: 9, ..config };
    let refusal = more(&forest, &others, &larger);
    assert!(matches!(refusal, Err(Error::ForestFile { .. })), "{refusal:?}");
    assert!(data.is_same(&data.clone()), "missing cells, too");
    assert!(!data.is_same(&others));
}
