//! Trees that weigh classes anew, against trees whose rows have these weights as case weights.

use wald::data::Response;
use wald::explain::Rows;
use wald::forest::{Bag, ClassWeight, Forest, Impurity, Node, Sampling, Splitting, Tree};
use wald::{
    Dataset, Error, ExplanationId, ExplanationSettings, ForestConfig, Measure, MeasureId, Run,
    Threads,
};

use crate::support::{self, Numbers, Shape, assert_close, dataset, grow};

fn data(n_classes: u32, missing: bool, weights: bool) -> Dataset {
    let whole = dataset(Shape { n_rows: 240, n_classes, missing, weights, seed: 21 });
    // Some classes are rare.
    let mut numbers = Numbers(4);
    let codes = codes(&whole);
    let is_kept = |row: &u32| codes[*row as usize] == 0 || numbers.unit() < 0.3;
    whole.select(&(0..240).filter(is_kept).collect::<Vec<u32>>()).expect("rows are left")
}

fn codes(data: &Dataset) -> Vec<u32> {
    match data.target().response() {
        Response::Classification(classes) => classes.codes().to_vec(),
        Response::Regression(_) | Response::Several(_) => panic!("classes"),
    }
}

/// By definition: draws / (classes * draws of the class), over the rows that weigh something.
fn class_weights(data: &Dataset, bag: &Bag) -> Vec<f64> {
    let mut draws = vec![0.0; data.target().n_outputs()];
    for (row, &class) in codes(data).iter().enumerate() {
        if support::weight(data, row) > 0.0 {
            draws[class as usize] += f64::from(bag.counts()[row]);
        }
    }
    let present = draws.iter().filter(|draws| **draws > 0.0).count() as f64;
    let all: f64 = draws.iter().sum();
    draws.iter().map(|draws| if *draws > 0.0 { all / (present * draws) } else { 0.0 }).collect()
}

fn balanced(config: &ForestConfig) -> ForestConfig {
    ForestConfig { class_weight: ClassWeight::BalancedSubsample, ..config.clone() }
}

fn check_equal(tree: &Tree, other: &Tree) -> usize {
    assert_eq!(tree.nodes(), other.nodes());
    assert_eq!(tree.level_sets(), other.level_sets());
    let (known, of_other) = (tree.statistics().expect("grown"), other.statistics().expect("grown"));
    for node in 0..tree.n_nodes() {
        assert_close(known.weight(node), of_other.weight(node), "weight");
        assert_close(known.impurity(node), of_other.impurity(node), "impurity");
        for (value, other) in tree.value(node).iter().zip(&*other.value(node)) {
            assert_close(*value, *other, "value");
        }
    }
    tree.splits_in_all()
}

/// The number of splits of a tree.
trait Splits {
    fn splits_in_all(&self) -> usize;
}

impl Splits for Tree {
    fn splits_in_all(&self) -> usize {
        self.nodes().iter().filter(|node| matches!(node, Node::Split(_))).count()
    }
}

/// Bags do not depend on weights, so that each tree has a forest of one tree beside it.
#[test]
fn trees_are_those_of_case_weights_that_balance_their_draws() {
    let base = ForestConfig { n_trees: 4, seed: 3, ..ForestConfig::default() };
    let cases = [
        (2, ForestConfig { mtry: Some(6), ..base.clone() }),
        (2, ForestConfig { impurity: Some(Impurity::Entropy), ..base.clone() }),
        (2, ForestConfig { min_weight_fraction_leaf: 0.05, ..base.clone() }),
        (2, ForestConfig { min_impurity_decrease: 0.01, min_leaf_size: 3, ..base.clone() }),
        (3, base.clone()),
        (3, ForestConfig { impurity: Some(Impurity::Entropy), max_bins: Some(8), ..base.clone() }),
        (3, ForestConfig { splitting: Splitting::RandomThreshold, ..base.clone() }),
        (4, ForestConfig { sampling: Sampling::Subsample, ..base.clone() }),
        (4, ForestConfig { sampling: Sampling::All, n_trees: 1, ..base.clone() }),
    ];
    for (case, (n_classes, config)) in cases.into_iter().enumerate() {
        for (missing, weights) in [(false, false), (true, true)] {
            let data = data(n_classes, missing, weights);
            let forest = grow(&data, &balanced(&config));
            let mut n_splits = 0;
            for (at, tree) in forest.trees().iter().enumerate() {
                let bag = &forest.bags().expect("bags")[at];
                let of_class = class_weights(&data, bag);
                let weight = |(row, class): (usize, &u32)| {
                    support::weight(&data, row) * of_class[*class as usize]
                };
                let weights = codes(&data).iter().enumerate().map(weight).collect();
                let weighted = data.clone().with_weights(weights).expect("weights");
                let one = ForestConfig { n_trees: 1, first_tree: at, ..config.clone() };
                let alone = grow(&weighted, &one);
                // Variables of trees on all rows are drawn in an order that depends on weights.
                if config.sampling == Sampling::All {
                    continue;
                }
                assert_eq!(&alone.bags().expect("bags")[0], bag);
                n_splits += check_equal(tree, &alone.trees()[0]);
            }
            assert!(n_splits > 4 || config.sampling == Sampling::All, "{case}: {n_splits}");
        }
    }
}

/// All classes that were drawn have the same weight together, and a draw weighs 1 on average.
#[test]
fn classes_that_were_drawn_share_the_weight() {
    for sampling in [Sampling::Bootstrap, Sampling::All] {
        let data = data(4, true, false);
        let config = ForestConfig { n_trees: 5, sampling, ..ForestConfig::default() };
        let forest = grow(&data, &balanced(&config));
        for (tree, bag) in forest.trees().iter().zip(forest.bags().expect("bags")) {
            let draws: f64 = bag.counts().iter().map(|&count| f64::from(count)).sum();
            assert_close(tree.statistics().expect("grown").weight(0), draws, "draws");
            let present = class_weights(&data, bag);
            let n_present = present.iter().filter(|weight| **weight > 0.0).count() as f64;
            for (share, weight) in tree.value(0).iter().zip(present) {
                assert_close(*share, if weight > 0.0 { 1.0 / n_present } else { 0.0 }, "share");
            }
        }
    }
}

#[test]
fn a_file_of_the_forest_is_read_with_its_data() {
    let data = data(3, true, true);
    let config = ForestConfig { n_trees: 3, ..ForestConfig::default() };
    let forest = grow(&data, &balanced(&config));
    let run = &Run::on(Threads::new(2).expect("two threads"));
    let mut json = Vec::new();
    forest.to_json(&mut json).expect("memory does not fail");
    for bytes in [forest.to_bytes().expect("small"), json] {
        assert_eq!(Forest::read(&bytes, Some(&data), run), Ok(forest.clone()));
    }
    // Without the setting, the nodes contradict the data.
    let mut equal = Vec::new();
    forest.to_json(&mut equal).expect("memory does not fail");
    let text = String::from_utf8(equal).expect("text").replace("balanced_subsample", "equal");
    let refused = Forest::read(text.as_bytes(), Some(&data), run).expect_err("contradicts");
    assert!(refused.to_string().contains("has the weight"), "{refused}");
}

#[test]
fn measures_of_fixed_weights_are_refused() {
    let data = data(3, true, false);
    let config = balanced(&ForestConfig { n_trees: 3, ..ForestConfig::default() });
    let forest = grow(&data, &config);
    let allowed = MeasureId::allowed_by(&forest);
    assert_eq!(allowed, MeasureId::allowed_when_grown(&config));
    let refused: Vec<&str> =
        MeasureId::ALL.iter().filter(|id| !allowed.contains(id)).map(|id| id.info().id).collect();
    assert_eq!(
        refused,
        [
            "mdi_oob",
            "mdi_oob_uncentred",
            "mdi_oob_naive",
            "mdi_oob_naive_in_bag_added",
            "ufi",
            "total_sobol_full",
            "sobol_mda",
            "sobol_first",
            "sobol_mda_lundberg",
            "total_sobol_regrow",
            "total_sobol_retrain",
            "distribution_retrain",
            "shapley_effects",
            "tree_shap_oob_covariance",
        ]
    );
    let refusal = Measure::from(MeasureId::SobolMda).check(&forest).expect_err("refused");
    assert_eq!(
        refusal.to_string(),
        "measure `sobol_mda` takes rows to weigh the same in all trees, but every tree of this \
         forest weighs classes anew"
    );
    let settings = ExplanationSettings::default();
    let local = forest.explainer(&data, Rows::Training, ExplanationId::MdiOob, &settings);
    assert!(matches!(local, Err(Error::Measure { .. })));
}

#[test]
fn numbers_and_tests_have_no_class_weights() {
    let refused = |data: &Dataset, config: ForestConfig| {
        balanced(&config).resolve(data).expect_err("refused").to_string()
    };
    let numbers =
        dataset(Shape { n_rows: 60, n_classes: 0, missing: false, weights: false, seed: 1 });
    assert_eq!(
        refused(&numbers, ForestConfig::default()),
        "`class_weight` was given, but the target is a number"
    );
    let conditional = ForestConfig::for_splitting(Splitting::Conditional);
    let what = refused(&data(2, false, false), conditional);
    assert!(what.contains("the tests of conditional splitting"), "{what}");
}
