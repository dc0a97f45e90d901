//! Options of local measures: what one does not read is refused.

use wald::explain::{ExplanationOption, GridSize, Rows};
use wald::forest::Impurity;
use wald::options::{Options, ValueKind};
use wald::simulate::Friedman1;
use wald::{ExplanationId, ExplanationSettings, Forest, ForestConfig, Run};

#[test]
fn settings_that_a_local_measure_does_not_read_are_refused() {
    let data = Friedman1::default().draw(60, 1).expect("rows");
    let config = ForestConfig { n_trees: 3, ..ForestConfig::default() };
    let forest = Forest::grow(&data, &config, &Run::all()).expect("valid settings");
    let all = ExplanationSettings {
        variables: vec!["x1".to_owned()],
        out_of_bag: true,
        grid: GridSize::AtMost(5),
        impurity: Some(Impurity::Variance),
        background_rows: Some(5),
        seed: 3,
        ..ExplanationSettings::default()
    };
    for &id in ExplanationId::ALL {
        let info = id.info();
        for option in ExplanationOption::ALL.iter().filter(|option| option.is_set(&all)) {
            let mut settings = ExplanationSettings::default();
            option.copy(&all, &mut settings);
            let explainer = forest.explainer(&data, Rows::Training, id, &settings);
            match explainer {
                Ok(_) => assert!(info.takes(*option), "{id:?} {option:?}"),
                Err(error) => {
                    assert!(!info.takes(*option), "{id:?} {option:?}: {error}");
                    let words = format!("measure `{}` does not offer `{}`", info.id, option.id());
                    assert_eq!((error.to_string(), error.help()), (words, "leave it out".into()));
                }
            }
        }
        forest.explainer(&data, Rows::Training, id, &all.offered_by(info)).expect("offered");
    }
    // Of six losses, those of measures of losses.
    let words = ExplanationOption::Loss.info().kind;
    assert_eq!(words, ValueKind::Word(vec!["squared", "absolute", "log"]));
}
