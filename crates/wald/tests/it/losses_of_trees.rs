//! What forests that were grown by other losses than the squared one allow, and what becomes of them in
//! files.

use wald::data::Target;
use wald::explain::Rows;
use wald::forest::{Forest, Impurity, Keep, Node, Splitting};
use wald::measure::MeasureSettings;
use wald::{
    Dataset, Error, ExplanationId, ExplanationSettings, ForestConfig, Measure, MeasureId, Run,
    Threads,
};

use crate::support::{Shape, assert_close, dataset, grow, measure, response, try_measure};

const LOSSES: [Impurity; 2] = [Impurity::Poisson, Impurity::AbsoluteError];

/// Counts, with everything that tables have.
fn data() -> Dataset {
    let shape = Shape { n_rows: 120, n_classes: 0, missing: true, weights: true, seed: 8 };
    let whole = dataset(shape);
    let counts = (0..120).map(|row| (response(&whole, row)[0] * 2.0).floor().max(0.0)).collect();
    let target = Target::regression("y", counts).expect("finite");
    let data = Dataset::new(whole.features().columns().to_vec(), target).expect("consistent");
    data.with_weights(whole.weights().expect("weights").to_vec()).expect("valid")
}

fn config(impurity: Impurity) -> ForestConfig {
    ForestConfig { n_trees: 8, impurity: Some(impurity), ..ForestConfig::default() }
}

#[test]
fn files_are_read_with_their_data() {
    let data = data();
    let run = &Run::on(Threads::new(2).expect("two threads"));
    for impurity in LOSSES {
        let forest = grow(&data, &config(impurity));
        assert_eq!(forest.impurity(), impurity);
        let mut json = Vec::new();
        forest.to_json(&mut json).expect("memory does not fail");
        for bytes in [forest.to_bytes().expect("small"), json.clone()] {
            assert_eq!(Forest::read(&bytes, Some(&data), run), Ok(forest.clone()));
        }
        // Without values and statistics, they are computed from the bags.
        let mut file: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
        for tree in file["trees"].as_array_mut().expect("trees") {
            for lists in ["value", "weight", "impurity"] {
                tree.as_object_mut().expect("a tree").remove(lists);
            }
        }
        let found = Forest::read(file.to_string().as_bytes(), Some(&data), run).expect("complete");
        for (tree, found) in forest.trees().iter().zip(found.trees()) {
            let known = tree.statistics().expect("grown");
            let found_known = found.statistics().expect("computed");
            assert_eq!(tree.nodes(), found.nodes());
            for node in 0..tree.n_nodes() {
                assert_close(found.value(node)[0], tree.value(node)[0], "value");
                assert_close(found_known.weight(node), known.weight(node), "weight");
                assert_close(found_known.impurity(node), known.impurity(node), "impurity");
            }
        }
        // Another impurity is another forest.
        let other = String::from_utf8(json).expect("text").replace(impurity.id(), "variance");
        let refused = Forest::read(other.as_bytes(), Some(&data), run).expect_err("contradicts");
        assert!(refused.to_string().contains("its in-bag rows"), "{refused}");
    }
}

#[test]
fn threads_change_no_bit() {
    let data = data();
    for impurity in LOSSES {
        for splitting in [Splitting::Best, Splitting::RandomThreshold] {
            let config = ForestConfig { splitting, ..config(impurity) };
            let on = |threads| {
                let run = Run::on(Threads::new(threads).expect("few"));
                Forest::grow(&data, &config, &run).expect("grows")
            };
            assert_eq!(on(1), on(3));
        }
    }
}

/// The mean decrease in impurity is that of the loss: what the root has, less what the leaves have.
#[test]
fn decreases_are_those_of_the_loss() {
    let data = data();
    for impurity in LOSSES {
        let forest = grow(&data, &config(impurity));
        let found = measure(&data, &forest, MeasureId::Mdi, MeasureSettings::default());
        let sum: f64 = found.values.iter().flatten().sum();
        let decreases = forest.trees().iter().map(|tree| {
            let known = tree.statistics().expect("grown");
            let leaves = (0..tree.n_nodes()).filter(|node| tree.nodes()[*node] == Node::Leaf);
            let rest = leaves.map(|leaf| known.weight(leaf) * known.impurity(leaf));
            known.impurity(0) - rest.sum::<f64>() / known.weight(0)
        });
        assert_close(sum, decreases.sum::<f64>() / 8.0, "decrease");
        assert_eq!(found.settings["impurity"], impurity.id());
        // Nodes do not tell another one.
        let variance =
            MeasureSettings { impurity: Some(Impurity::Variance), ..MeasureSettings::default() };
        for id in [MeasureId::Mdi, MeasureId::Air] {
            let refused = try_measure((&data, &forest), id, variance.clone(), 2);
            let refused = refused.expect_err("not stored").to_string();
            assert!(refused.contains("the nodes of this forest hold"), "{refused}");
        }
        let by_variance = grow(&data, &ForestConfig { impurity: None, ..config(impurity) });
        let other = MeasureSettings { impurity: Some(impurity), ..MeasureSettings::default() };
        assert!(try_measure((&data, &by_variance), MeasureId::Mdi, other, 2).is_err());
    }
}

/// The measures that a forest of medians refuses.
const OF_MEANS: [MeasureId; 13] = [
    MeasureId::MdiOob,
    MeasureId::MdiOobUncentred,
    MeasureId::MdiOobNaive,
    MeasureId::MdiOobNaiveInBagAdded,
    MeasureId::Ufi,
    MeasureId::TotalSobolFull,
    MeasureId::SobolMda,
    MeasureId::SobolFirst,
    MeasureId::SobolMdaLundberg,
    MeasureId::TotalSobolRegrow,
    MeasureId::TotalSobolRetrain,
    MeasureId::ShapleyEffects,
    MeasureId::TreeShapOobCovariance,
];

#[test]
fn measures_of_means_refuse_medians() {
    let (data, config) = (data(), config(Impurity::AbsoluteError));
    let forest = grow(&data, &config);
    let allowed = MeasureId::allowed_by(&forest);
    assert_eq!(allowed, MeasureId::allowed_when_grown(&config));
    let mut refused = MeasureId::ALL.to_vec();
    refused.retain(|id| !allowed.contains(id));
    assert_eq!(refused, OF_MEANS);
    let what = Measure::from(MeasureId::SobolMda).check(&forest).expect_err("medians").to_string();
    assert!(what.ends_with("but those of this forest hold medians"), "{what}");
    for id in [ExplanationId::MdiOob, ExplanationId::LocalRelevance] {
        let settings = ExplanationSettings::default();
        let local = forest.explainer(&data, Rows::Training, id, &settings);
        assert!(matches!(local, Err(Error::Measure { .. })), "{}", id.info().id);
    }
}

/// The nodes of a forest of counts hold means: what is made of means alone applies.
#[test]
fn measures_of_means_apply_to_counts() {
    let data = data();
    let config = config(Impurity::Poisson);
    let forest = grow(&data, &config);
    assert_eq!(MeasureId::allowed_by(&forest), MeasureId::ALL);
    let run = |measures: &[Measure]| {
        let run = &Run::on(Threads::new(2).expect("two threads"));
        Forest::grow_and_measure(&data, &config, measures, Keep::Nothing, run)
    };
    let applies = [
        MeasureId::MdiOob,
        MeasureId::MdiOobUncentred,
        MeasureId::SobolMda,
        MeasureId::TotalSobolRegrow,
        MeasureId::MdaBreimanCutler,
    ];
    let measured = run(&applies.map(Measure::from)).expect("they apply").measured;
    let notes = &measured.importances[0].notes;
    assert_eq!(notes, &["the trees were grown by Poisson deviance, but this is variance"]);
    for id in [MeasureId::MdiOobNaive, MeasureId::MdiOobNaiveInBagAdded, MeasureId::Ufi] {
        let refused = run(&[id.into()]).expect_err("reads impurities").to_string();
        assert!(refused.contains("has no form for the impurity `poisson`"), "{refused}");
        let impurity = Some(Impurity::Variance);
        let settings = MeasureSettings { impurity, ..MeasureSettings::default() };
        let refused = try_measure((&data, &forest), id, settings, 2);
        assert!(matches!(refused, Err(Error::Measure { .. })));
    }
}

#[test]
fn what_does_not_fit_a_loss_is_refused() {
    let data = data();
    let with = |values: Vec<f64>| {
        let target = Target::regression("y", values).expect("finite");
        Dataset::new(data.features().columns().to_vec(), target).expect("consistent")
    };
    let refused = |data: &Dataset, config: &ForestConfig| {
        config.resolve(data).expect_err("refused").to_string()
    };
    let mut negative = vec![1.0; 120];
    negative[4] = -0.5;
    let poisson = config(Impurity::Poisson);
    assert_eq!(
        refused(&with(negative), &poisson),
        "row 5 of the target \"y\" is -0.5: the Poisson deviance has no negative numbers"
    );
    assert_eq!(
        refused(&with(vec![0.0; 120]), &poisson),
        "the target \"y\" is 0 in all rows, from which no deviance is defined"
    );
    for impurity in LOSSES {
        let conditional = ForestConfig {
            impurity: Some(impurity),
            ..ForestConfig::for_splitting(Splitting::Conditional)
        };
        let what = refused(&data, &conditional);
        assert!(
            what.ends_with("conditional splitting knows the variance of numbers only"),
            "{what}"
        );
        let classes =
            dataset(Shape { n_rows: 60, n_classes: 2, missing: false, weights: false, seed: 1 });
        assert_eq!(refused(&classes, &config(impurity)), "the impurity does not fit the target");
    }
}
