//! Forests whose trees were grown in several places, against growing them at once.

use wald::data::{Response, Target};
use wald::forest::{ForestPart, Sampling, Splitting};
use wald::measure::MeasureSettings;
use wald::{Dataset, Error, Forest, ForestConfig, Measure, MeasureId, Run, Threads};

use crate::support::{Shape, dataset, grow};

const SHAPE: Shape = Shape { n_rows: 90, n_classes: 3, missing: true, weights: true, seed: 8 };

/// So many trees of a forest, from one on.
fn part(data: &Dataset, config: &ForestConfig, first_tree: usize, n_trees: usize) -> ForestPart {
    let config = ForestConfig { n_trees, first_tree, ..config.clone() };
    ForestPart { name: format!("trees from {first_tree}"), forest: grow(data, &config) }
}

/// The same as a file of earlier versions holds it, without a hash of the table.
fn of_earlier_version(part: ForestPart) -> ForestPart {
    let mut json = Vec::new();
    part.forest.to_json(&mut json).expect("memory does not fail");
    let mut json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
    let table = json.as_object_mut().expect("an object").remove("table");
    assert!(table.is_some_and(|table| table.as_str().is_some_and(|hash| hash.len() == 64)));
    let run = &Run::on(Threads::new(1).expect("one thread"));
    let forest = Forest::from_json(json.to_string().as_bytes(), None, run).expect("a forest");
    assert_eq!(forest, part.forest);
    ForestPart { forest, ..part }
}

/// The same values of the target in another order have the same means.
#[test]
fn tables_whose_rows_are_in_another_order_are_refused() {
    for n_classes in [0, 3] {
        let data = dataset(Shape { n_classes, ..SHAPE });
        let config = ForestConfig { seed: 3, ..ForestConfig::default() };
        let backwards = data.select(&(0..90).rev().collect::<Vec<u32>>()).expect("all rows");
        let parts = || vec![part(&data, &config, 0, 30), part(&backwards, &config, 30, 30)];
        let refusal = Forest::merged(parts()).expect_err("another order");
        assert_eq!(
            refusal.to_string(),
            "trees from 0 and trees from 30 have different values in their tables, or rows in another \
             order"
        );
        // Files of earlier versions do not show it, nor does one of them.
        let [first, rest] = <[ForestPart; 2]>::try_from(parts()).expect("two");
        let older = of_earlier_version(rest.clone());
        let mixed = Forest::merged(vec![first.clone(), older.clone()]).expect("not known");
        assert!(Forest::merged(vec![of_earlier_version(first), older]).is_ok());
        // What is not known of a part is not known of all.
        let mixed = ForestPart { name: "mixed".to_owned(), forest: mixed };
        let more = part(&backwards, &config, 60, 30);
        assert!(Forest::merged(vec![mixed, more]).is_ok());
    }
}

#[test]
fn ranges_of_trees_are_the_forest_that_is_grown_at_once() {
    for n_classes in [0, 3] {
        let data = dataset(Shape { n_classes, ..SHAPE });
        let clusters = (0..90).map(|row| row / 3).collect();
        let clustered = data.clone().with_clusters(clusters).expect("one cluster per row");
        let config = ForestConfig { seed: 3, ..ForestConfig::default() };
        let ways = [
            config.clone(),
            ForestConfig { splitting: Splitting::RandomThreshold, mtry: Some(2), ..config.clone() },
            ForestConfig { splitting: Splitting::Conditional, ..config.clone() },
            ForestConfig { sampling: Sampling::All, subspace: Some(2), ..config.clone() },
        ];
        for (data, config) in ways.iter().flat_map(|config| [(&data, config), (&clustered, config)])
        {
            let parts = [(7, 4), (0, 5), (5, 2)];
            let parts = parts.map(|(first, n_trees)| part(data, config, first, n_trees)).to_vec();
            let all = grow(data, &ForestConfig { n_trees: 11, ..config.clone() });
            assert_eq!(parts[1].forest, all.first_trees(5));
            assert_ne!(
                parts[0].forest.trees(),
                &all.trees()[..4],
                "they have numbers of their own"
            );
            let merged = Forest::merged(parts.clone()).expect("all trees");
            assert_eq!(merged, all);
            assert_eq!(merged.to_bytes(), all.to_bytes());
            let rest = Forest::merged(vec![parts[0].clone(), parts[2].clone()]).expect("all trees");
            assert_eq!(rest.trees(), &all.trees()[5..]);
            let run = &Run::on(Threads::new(2).expect("two threads"));
            let grown = rest.grow_more(data, rest.config().expect("wald's"), run);
            assert_eq!(grown.expect("the same data").forest.as_ref(), Some(&rest));
            let read = Forest::read(&rest.to_bytes().expect("small"), Some(data), run);
            assert_eq!(read, Ok(rest));
        }
    }
}

#[test]
fn merged_forests_have_the_importances_of_the_whole() {
    let data = dataset(SHAPE);
    let config = ForestConfig { seed: 3, ..ForestConfig::default() };
    let ids = [
        MeasureId::SobolMda,
        MeasureId::MdaBreimanCutler,
        MeasureId::TotalSobolRegrow,
        MeasureId::MdiOob,
    ];
    let measures = ids.map(|id| Measure::new(id, MeasureSettings::default()).expect("a measure"));
    let run = &Run::on(Threads::new(2).expect("two threads"));
    let merged = vec![part(&data, &config, 0, 60), part(&data, &config, 60, 60)];
    let merged = Forest::merged(merged).expect("all trees");
    let all = grow(&data, &ForestConfig { n_trees: 120, ..config });
    let [merged, all] = [merged, all].map(|forest| forest.measure(&data, &measures, run));
    assert_eq!(merged, all);
    assert!(all.is_ok());
}

#[test]
fn what_is_no_range_of_one_forest_is_refused() {
    let data = dataset(SHAPE);
    let config = ForestConfig { seed: 3, ..ForestConfig::default() };
    let first = part(&data, &config, 0, 5);
    let refused = |other: ForestPart, words: &str| {
        let refusal = Forest::merged(vec![other, first.clone()]);
        let Err(Error::State { what, .. }) = refusal else { panic!("{words}: {refusal:?}") };
        assert_eq!(what.worded(&wald::message::Neutral), words);
    };
    refused(
        part(&data, &config, 8, 2),
        "there are 3 trees missing between trees from 0 and trees from 8",
    );
    refused(part(&data, &config, 4, 9), "trees from 0 and trees from 4 have trees in common");
    let twice = ForestPart { name: "b".to_owned(), ..first.clone() };
    refused(twice, "b and trees from 0 have trees in common");
    let other = ForestConfig { seed: 4, ..config.clone() };
    refused(part(&data, &other, 5, 5), "trees from 0 and trees from 5 have different settings");
    let fewer = dataset(Shape { n_rows: 80, ..SHAPE });
    let words = "trees from 0 and trees from 5 have different numbers of rows";
    refused(part(&fewer, &config, 5, 5), words);
    let numbers = dataset(Shape { n_classes: 0, ..SHAPE });
    refused(part(&numbers, &config, 5, 5), "trees from 0 and trees from 5 have different targets");
    let columns = data.features().columns();
    let weights = data.weights().expect("weights").to_vec();
    let with = |response: Target| Dataset::new(columns.to_vec(), response).expect("consistent");
    // The same rows without their weights.
    let weightless = with(data.target().clone());
    let words = "trees from 0 and trees from 5 have different case weights";
    refused(part(&weightless, &config, 5, 5), words);
    // Trees on all rows show that classes or weights are others.
    let all = ForestConfig { sampling: Sampling::All, mtry: Some(2), ..config.clone() };
    let Response::Classification(classes) = data.target().response() else { panic!("classes") };
    let moved = classes.codes().iter().map(|code| (code + 1) % 3).collect();
    let moved = Target::classification(data.target().name(), classes.levels().to_vec(), moved);
    let moved = with(moved.expect("codes")).with_weights(weights.clone()).expect("weights");
    let heavier = weights.iter().rev().map(|weight| 1.5 * weight).collect();
    let heavier = weightless.clone().with_weights(heavier).expect("weights");
    for other in [moved, heavier] {
        let parts = vec![part(&data, &all, 0, 5), part(&other, &all, 5, 5)];
        let refusal = Forest::merged(parts).expect_err("other tables").to_string();
        assert!(refusal.contains("different targets or case weights"), "{refusal}");
    }
    assert!(Forest::merged(vec![part(&data, &all, 0, 5), part(&data, &all, 5, 5)]).is_ok());
    let nothing = Forest::merged(Vec::new());
    assert!(matches!(nothing, Err(Error::State { .. })), "{nothing:?}");
    // Another table shows in files of earlier versions as soon as the trees meet their data.
    let others = dataset(Shape { seed: 9, ..SHAPE });
    let parts = [first, part(&others, &config, 5, 5)].map(of_earlier_version);
    let merged = Forest::merged(parts.to_vec()).expect("alike");
    let run = &Run::on(Threads::new(1).expect("one thread"));
    let refusal = Forest::read(&merged.to_bytes().expect("small"), Some(&data), run);
    assert!(matches!(refusal, Err(Error::ForestFile { .. })), "{refusal:?}");
}

/// In files of earlier versions, bags of bootstrap samples differ, but not by more than chance on average.
#[test]
fn other_targets_and_weights_show_in_the_roots_of_many_trees() {
    let numbers = dataset(Shape { n_classes: 0, weights: false, ..SHAPE });
    let classes = dataset(SHAPE);
    let weightless = |data: &Dataset, target: Target| {
        Dataset::new(data.features().columns().to_vec(), target).expect("consistent")
    };
    let Response::Regression(values) = numbers.target().response() else { panic!("numbers") };
    let changed = |change: &dyn Fn(f64) -> f64| {
        let values = values.iter().map(|value| change(*value)).collect();
        weightless(&numbers, Target::regression("y", values).expect("finite"))
    };
    let Response::Classification(known) = classes.target().response() else { panic!("classes") };
    let moved = known.codes().iter().map(|code| (code + 1) % 3).collect();
    let moved = Target::classification(classes.target().name(), known.levels().to_vec(), moved);
    let weights = classes.weights().expect("weights").to_vec();
    let moved = weightless(&classes, moved.expect("codes")).with_weights(weights.clone());
    let heavier = weights.iter().map(|weight| 1.5 * weight).collect();
    let heavier = weightless(&classes, classes.target().clone()).with_weights(heavier);
    let (numbers, tripled) = (changed(&|value| value), changed(&|value| 3.0 * value));
    let merged = |one: &Dataset, other: &Dataset, n_trees: usize, seed: u64| {
        let config = ForestConfig { seed, ..ForestConfig::default() };
        let [first, rest] = [(one, 0), (other, n_trees)];
        let part = |(data, first)| of_earlier_version(part(data, &config, first, n_trees));
        Forest::merged(vec![part(first), part(rest)])
    };
    let pairs = [
        (&numbers, tripled),
        (&classes, moved.expect("weights")),
        (&classes, heavier.expect("weights")),
    ];
    for (data, other) in &pairs {
        let refusal = merged(data, other, 60, 3).expect_err("another table").to_string();
        assert!(refusal.contains("different targets or case weights"), "{refusal}");
        // So few do not show what is chance.
        assert!(merged(data, other, 10, 3).is_ok());
    }
    // A row that outweighs all others, and clusters, of which few are drawn.
    let outlier = changed(&|value| if value == values[7] { 1e9 } else { value });
    let clusters = (0..90).map(|row| row / 30).collect();
    let clustered = numbers.clone().with_clusters(clusters).expect("a cluster per row");
    for data in [&numbers, &classes, &outlier, &clustered] {
        for seed in 0..25 {
            assert!(merged(data, data, 20, seed).is_ok(), "seed {seed}");
        }
    }
}

#[test]
fn too_many_trees_before_the_first_are_refused() {
    let data = dataset(SHAPE);
    for first_tree in [10_000_000, usize::MAX] {
        let config = ForestConfig { first_tree, ..ForestConfig::default() };
        let refusal = Forest::grow(&data, &config, &Run::on(Threads::all()));
        assert!(matches!(refusal, Err(Error::TooLarge { .. })), "{refusal:?}");
    }
}
