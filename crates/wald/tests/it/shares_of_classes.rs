//! Bags that hold classes in other shares than the table: which measures refuse them, and what they would
//! find.

use wald::data::{Column, Target};
use wald::explain::Rows;
use wald::forest::ClassWeight;
use wald::measure::{ClassMeaning, Loss, MeasureOption, MeasureSettings};
use wald::{
    Dataset, ExplanationId, ExplanationSettings, Forest, ForestConfig, Measure, MeasureId, Origin,
    Run, Threads,
};

use crate::support::{Numbers, grow};

/// So many rows of a rare class, whose x is shifted by 1.2; noise has no effect.
fn data(n_rows: u32, n_cases: u32) -> Dataset {
    let mut numbers = Numbers(7);
    let mut normal = || (0..12).map(|_| numbers.unit()).sum::<f64>() - 6.0;
    let x = (0..n_rows).map(|row| normal() + if row < n_cases { 1.2 } else { 0.0 }).collect();
    let noise = (0..n_rows).map(|_| normal()).collect();
    let columns = vec![Column::numeric("x", x), Column::numeric("noise", noise)];
    let columns: Result<_, _> = columns.into_iter().collect();
    let names = vec!["control".to_owned(), "case".to_owned()];
    let codes = (0..n_rows).map(|row| u32::from(row < n_cases)).collect();
    let target = Target::classification("k", names, codes).expect("two classes");
    Dataset::new(columns.expect("finite"), target).expect("a table")
}

fn stratified() -> ForestConfig {
    ForestConfig { n_trees: 20, stratify: true, ..ForestConfig::default() }
}

const REFUSED: [&str; 21] = [
    "mdi_oob",
    "mdi_oob_uncentred",
    "mdi_oob_naive",
    "mdi_oob_naive_in_bag_added",
    "ufi",
    "mda_breiman_cutler",
    "mda_ishwaran_kogalur",
    "mda_random_split",
    "mda_train_test",
    "conditional_permutation",
    "total_sobol_full",
    "sobol_mda",
    "sobol_first",
    "sobol_mda_lundberg",
    "total_sobol_regrow",
    "total_sobol_retrain",
    "distribution_retrain",
    "shapley_effects",
    "tree_shap_loss",
    "tree_shap_oob_covariance",
    "sage",
];

fn refused(origin: Origin<'_>, data: &Dataset) -> Vec<&'static str> {
    let allowed = origin.allowed(data);
    MeasureId::ALL.iter().filter(|id| !allowed.contains(id)).map(|id| id.info().id).collect()
}

#[test]
fn measures_of_shares_of_classes_are_refused() {
    let data = data(300, 45);
    let config = stratified();
    let forest = std::sync::Arc::new(grow(&data, &config));
    assert_eq!(refused(Origin::Settings(&config), &data), REFUSED);
    assert_eq!(refused(Origin::Forest(&forest), &data), REFUSED);
    let run = Run::on(Threads::new(2).expect("two threads"));
    let measure = Measure::from(MeasureId::SobolMda);
    let what = "measure `sobol_mda` takes trees to draw classes as often as the table holds them, but \
                those of this forest draw some classes more often";
    let measured = forest.measure(&data, std::slice::from_ref(&measure), &run);
    assert_eq!(measured.expect_err("refused").to_string(), what);
    let early = Origin::Settings(&config).check(&measure, &data);
    assert_eq!(early.expect_err("refused before growing").to_string(), what);
}

/// Nodes predict what draws weigh, so that it is the same whether these were made or weighed.
#[test]
fn draws_that_are_weighed_anew_are_refused_alike() {
    let data = data(300, 45);
    let class_weight = ClassWeight::BalancedSubsample;
    let config = ForestConfig { n_trees: 20, class_weight, ..ForestConfig::default() };
    let forest = std::sync::Arc::new(grow(&data, &config));
    assert_eq!(refused(Origin::Settings(&config), &data), REFUSED);
    assert_eq!(refused(Origin::Forest(&forest), &data), REFUSED);
    let measure = Measure::from(MeasureId::MdaBreimanCutler);
    let refusal = Origin::Forest(&forest).check(&measure, &data).expect_err("refused");
    assert_eq!(
        refusal.to_string(),
        "measure `mda_breiman_cutler` takes trees to predict classes as often as the table holds them, but \
         every tree of this forest weighs classes anew"
    );
    let auc = MeasureSettings { loss: Some(Loss::Auc), ..MeasureSettings::default() };
    let auc = Measure::new(MeasureId::MdaIshwaranKogalur, auc).expect("offered");
    assert_eq!(Origin::Forest(&forest).check(&auc, &data), Ok(()));
    let equal = self::data(100, 50);
    assert_eq!(Origin::Settings(&config).check(&measure, &equal), Ok(()));
}

/// What a variable takes off the loss of held-out rows is 0.020 of x where rows are drawn alike, 0.053 with
/// balanced draws and 0.042 with balanced weights (150 cases of 1,500 rows). Whether proportions of classes
/// differ between nodes does not depend on how much each class weighs, so that local relevance is kept.
#[test]
fn local_measures_that_compare_predictions_with_the_target_are_refused() {
    let data = data(300, 45);
    let class_weight = ClassWeight::BalancedSubsample;
    let weighed = ForestConfig { n_trees: 20, class_weight, ..ForestConfig::default() };
    let alike = ForestConfig { n_trees: 20, ..ForestConfig::default() };
    let settings = ExplanationSettings::default();
    let refusal = |config: &ForestConfig, id: ExplanationId, rows: Rows<'_>| {
        let forest = grow(&data, config);
        let refused = forest.explainer(&data, rows, id, &settings).err();
        refused.map(|refusal| refusal.to_string())
    };
    for rows in [Rows::Training, Rows::WithTarget(&data)] {
        assert_eq!(
            refusal(&stratified(), ExplanationId::TreeShapLoss, rows).expect("refused"),
            "measure `tree_shap_loss` takes trees to draw classes as often as the table holds them, but \
             those of this forest draw some classes more often"
        );
        assert_eq!(
            refusal(&weighed, ExplanationId::TreeShapLoss, rows).expect("refused"),
            "measure `tree_shap_loss` takes trees to predict classes as often as the table holds them, \
             but every tree of this forest weighs classes anew"
        );
        assert_eq!(refusal(&alike, ExplanationId::TreeShapLoss, rows), None);
    }
    for config in [stratified(), weighed] {
        assert_eq!(refusal(&config, ExplanationId::LocalRelevance, Rows::Training), None);
    }
}

/// The area under the curve compares rows by the order of their predictions, which a shift of all leaves.
#[test]
fn the_area_under_the_curve_is_allowed_and_finds_the_variable() {
    let data = data(600, 60);
    let run = Run::on(Threads::new(2).expect("two threads"));
    let settings = MeasureSettings { loss: Some(Loss::Auc), ..MeasureSettings::default() };
    let auc = Measure::new(MeasureId::MdaIshwaranKogalur, settings).expect("offered");
    let config = ForestConfig { n_trees: 100, ..stratified() };
    let found = grow(&data, &config).measure(&data, &[auc], &run).expect("allowed");
    let values = &found.importances[0].values;
    let [x, noise] = [values[0].expect("a value"), values[1].expect("a value")];
    assert!(x > 0.1 && noise < 0.05, "{x} {noise}");
}

#[test]
fn classes_of_equal_size_are_allowed() {
    let data = data(100, 50);
    let config = stratified();
    assert_eq!(Origin::Settings(&config).allowed(&data), MeasureId::ALL);
}

/// What another program has grown has no settings, but bags or weights of nodes.
#[test]
fn bags_and_roots_of_other_programs_are_looked_at() {
    let data = data(300, 45);
    let run = Run::on(Threads::new(2).expect("two threads"));
    let foreign = |config: &ForestConfig, has_bags: bool| {
        let mut json = Vec::new();
        grow(&data, config).to_json(&mut json).expect("memory does not fail");
        let mut file: serde_json::Value = serde_json::from_slice(&json).expect("an object");
        file.as_object_mut().expect("an object").remove("config");
        for tree in file["trees"].as_array_mut().expect("trees").iter_mut().filter(|_| !has_bags) {
            let tree = tree.as_object_mut().expect("an object");
            tree.remove("in_bag").expect("bags are written");
            assert!(tree.contains_key("weight"));
        }
        let bytes = serde_json::to_vec(&file).expect("small");
        let forest = Forest::read(&bytes, Some(&data), &run).expect("a forest");
        assert!(forest.config().is_none() && forest.bags().is_some() == has_bags);
        std::sync::Arc::new(forest)
    };
    let alike = ForestConfig { stratify: false, ..stratified() };
    let class_weight = ClassWeight::BalancedSubsample;
    let weighed = ForestConfig { class_weight, ..alike.clone() };
    // Without bags, measures need rows that the forest never saw.
    let test = Some(std::sync::Arc::new(data.clone()));
    let of_others = MeasureSettings { test, ..MeasureSettings::default() };
    let of_others = Measure::new(MeasureId::MdaTrainTest, of_others).expect("offered");
    let measures = [(true, Measure::from(MeasureId::MdaBreimanCutler)), (false, of_others)];
    for (has_bags, measure) in &measures {
        let check = |config: &ForestConfig| {
            Origin::Forest(&foreign(config, *has_bags)).check(measure, &data)
        };
        assert_eq!(
            check(&stratified()).expect_err("refused").to_string(),
            format!(
                "measure `{}` takes trees to draw and weigh classes as the table holds them, but those \
                 of this forest favour some classes",
                measure.id().info().id
            )
        );
        assert_eq!(check(&alike), Ok(()));
    }
    let [_, (_, of_others)] = &measures;
    assert!(Origin::Forest(&foreign(&weighed, false)).check(of_others, &data).is_err());
}

/// What classes add to a measure of their probabilities is its value together; what a measure is of the
/// rows of single classes is not.
#[test]
fn values_of_classes_add_up_where_they_are_of_probabilities() {
    let data = data(120, 40);
    let run = Run::on(Threads::new(2).expect("two threads"));
    let forest = grow(&data, &ForestConfig { n_trees: 10, ..ForestConfig::default() });
    let settings = MeasureSettings { per_class: true, ..MeasureSettings::default() };
    let mut n_measures = 0;
    for &id in MeasureId::ALL {
        let info = id.info();
        if !info.options.contains(&MeasureOption::PerClass) || info.needs_test_rows() {
            continue;
        }
        let measure = Measure::new(id, settings.clone()).expect("offered");
        let found = forest.measure(&data, &[measure], &run).expect("applies");
        let importance = &found.importances[0];
        let classes = importance.per_class.as_ref().expect("asked for");
        let adds_up = (0..2).all(|variable| {
            let sum: f64 = classes.iter().map(|(_, values)| values[variable].expect("known")).sum();
            (sum - importance.values[variable].expect("known")).abs() < 1e-9
        });
        assert_eq!(adds_up, info.facts.class_values == ClassMeaning::OfProbability, "{}", info.id);
        n_measures += 1;
    }
    assert!(n_measures > 10, "{n_measures}");
}
