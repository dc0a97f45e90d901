//! What forests of several targets refuse.

use std::sync::Arc;

use wald::data::{Column, Outputs, Target};
use wald::explain::Rows;
use wald::forest::{ClassWeight, Forest, Impurity, Keep, Shadowed, Splitting, Trend};
use wald::inference::{Adjustment, Confidence, SamplingErrors, UncertaintyConfig, uncertainty};
use wald::interactions::{InteractionConfig, interactions};
use wald::measure::MeasureSettings;
use wald::memory::Size;
use wald::{
    Dataset, Error, ExplanationId, ExplanationSettings, Fitted, ForestConfig, Measure, MeasureId,
    Origin, Run, Threads,
};

use crate::several::{DEFINED, three, with_outputs};
use crate::support::Shape;

fn refusal<T>(result: Result<T, Error>) -> String {
    result.map(|_| ()).expect_err("refused").to_string()
}

#[test]
fn settings_of_one_target_are_refused_by_name() {
    let data = three(Shape { n_rows: 40, n_classes: 0, missing: false, weights: false, seed: 1 });
    let base = ForestConfig { n_trees: 2, ..ForestConfig::default() };
    let monotonic = [("one", Trend::Increasing)].into_iter().collect();
    let cases = [
        ("splitting", ForestConfig { splitting: Splitting::Conditional, ..base.clone() }),
        ("splitting", ForestConfig { splitting: Splitting::Multiway, ..base.clone() }),
        ("impurity", ForestConfig { impurity: Some(Impurity::Poisson), ..base.clone() }),
        ("impurity", ForestConfig { impurity: Some(Impurity::AbsoluteError), ..base.clone() }),
        ("impurity", ForestConfig { impurity: Some(Impurity::Gini), ..base.clone() }),
        ("max_bins", ForestConfig { max_bins: Some(20), ..base.clone() }),
        (
            "class_weight",
            ForestConfig { class_weight: ClassWeight::BalancedSubsample, ..base.clone() },
        ),
        ("stratify", ForestConfig { stratify: true, ..base.clone() }),
        ("increasing", ForestConfig { monotonic, ..base }),
    ];
    for (name, config) in cases {
        let found = refusal(Forest::grow(&data, &config, &Run::all()));
        let expected = format!("`{name}` does not go with several targets, of which there are 3: ");
        assert!(found.starts_with(&expected), "{found}");
        assert!(Size::of_growing(&data, &config, &[], Keep::Trees, Threads::ONE).is_err());
    }
}

#[test]
fn what_is_of_one_target_is_refused_by_name() {
    let data = three(Shape { n_rows: 60, n_classes: 0, missing: false, weights: false, seed: 1 });
    let config = ForestConfig { n_trees: 3, ..ForestConfig::default() };
    let run = &Run::all();
    let fitted = Arc::new(Fitted::grow(data.clone(), &config, &[], run).expect("grown").0);
    let forest = fitted.forest();
    assert_eq!(MeasureId::allowed_by(forest), DEFINED);
    let settings = MeasureSettings { test: Some(Arc::new(data.clone())), ..Default::default() };
    for &id in MeasureId::ALL.iter().filter(|id| !DEFINED.contains(id)) {
        let measure = Measure::new(id, settings.clone()).expect("sensible settings");
        let found = refusal(fitted.importance(measure.clone(), run));
        assert!(found.ends_with("is of one target, but this forest predicts several"), "{found}");
        let grown = Forest::grow_and_measure(&data, &config, &[measure], Keep::Nothing, run);
        assert_eq!(refusal(grown), found);
    }
    for &id in ExplanationId::ALL {
        let explainer = fitted.explainer(Rows::Training, id, &ExplanationSettings::default());
        let found = refusal(explainer);
        assert!(found.ends_with("is of one target, but this forest predicts several"), "{found}");
    }
    let of_one = "this is computed of one target, but \"y\" has 3";
    let data = Arc::new(data);
    let origin = Origin::Fitted(&fitted);
    let mdi = [MeasureId::Mdi.into()];
    let sampled = UncertaintyConfig {
        confidence: Confidence::default(),
        errors: SamplingErrors::Jackknife,
        test: None,
        adjustment: Adjustment::Holm,
    };
    assert_eq!(refusal(uncertainty(&data, origin, &mdi, &sampled, run)), of_one);
    let pairs = InteractionConfig::default();
    assert_eq!(refusal(interactions(&data, origin, &pairs, run)), of_one);
    assert_eq!(refusal(fitted.weights(run)), of_one);
    assert_eq!(refusal(fitted.quantiles(run)), of_one);
    assert_eq!(refusal(config.resolve(&data)), of_one);
    assert_eq!(refusal(Shadowed::grow(&data, &config, run)), of_one);
    let masking = wald::masking::masking(&data, &config, &mdi[0], &[1], run);
    assert_eq!(refusal(masking), of_one);
    let json = forest.to_json(Vec::new()).expect_err("refused").to_string();
    assert_eq!(json, "wald-forest JSON is of one target, but this forest predicts several");
    // A table of other targets is not the training data.
    let outputs = data.target().outputs().expect("several");
    let two = Outputs::new(outputs.names().to_vec(), outputs.values().to_vec(), 2).expect("rows");
    let found = refusal(forest.measure(&with_outputs(&data, two), &mdi, run));
    assert!(found.starts_with("the target has other outputs than the forest"), "{found}");
}

#[test]
fn outputs_are_checked() {
    let outputs = |names: &[&str], values: &[f64], n_targets| {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        Outputs::new(names, values.to_vec(), n_targets)
    };
    let found = refusal(outputs(&["a", "b"], &[1.0, 2.0, 3.0], 2));
    assert_eq!(found, "there are 3 values for rows of 2 outputs");
    let found = refusal(outputs(&["a"], &[1.0], 2));
    assert_eq!(found, "2 targets cannot have 1 outputs");
    let found = refusal(outputs(&["a", "a"], &[1.0, 2.0], 2));
    assert_eq!(found, "two outputs of the target are called \"a\"");
    let infinite = outputs(&["a", "b"], &[1.0, 2.0, 3.0, f64::INFINITY], 2).expect("whole rows");
    let found = refusal(Target::several("y", infinite));
    assert_eq!(found, "row 2 of the target \"b\" is not a finite number");
    let column = Column::numeric("b", vec![1.0, 2.0]).expect("finite");
    let both = outputs(&["a", "b"], &[1.0, 2.0, 3.0, 4.0], 2).expect("whole rows");
    let target = Target::several("y", both).expect("finite");
    let found = refusal(Dataset::new(vec![column], target));
    assert_eq!(found, "the target \"b\" is also an input variable");
}
