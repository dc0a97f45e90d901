//! Worked cases from an independent implementation in numpy; `fixtures/golden/FORMAT.md` describes
//! what each key means.

use std::sync::Arc;

use serde_json::json;
use wald::data::Target;
use wald::forest::{Impurity, Node};
use wald::measure::{Loss, MeasureSettings, Normalise, Permutations};
use wald::pass::Errors;
use wald::{Dataset, Features, Measure, MeasureId, Run, Threads};

use crate::golden_case::{Case, columns, floats, table};

#[test]
fn node_statistics() {
    for case in Case::all() {
        for (index, tree) in case.forest.trees().iter().enumerate() {
            let file = &case.file["forest"]["trees"][index];
            let expected = &case.measures()["nodes"][index];
            let known = tree.statistics().expect("computed from the data");
            // The file numbers nodes in its own order: walk both trees together.
            let mut pending = vec![(0_usize, 0_usize)];
            let mut n_seen = 0;
            while let Some((name, node)) = pending.pop() {
                n_seen += 1;
                let at = |what: &str| format!("{what} of tree {index}, node {name}");
                case.check(
                    &[known.weight(node)],
                    &[expected["n_inbag"][name].as_f64().expect("a number")],
                    &at("weight"),
                );
                case.check(
                    &[known.impurity(node)],
                    &[expected["impurity"]["variance"][name].as_f64().expect("a number")],
                    &at("impurity"),
                );
                case.check(&tree.value(node), &floats(&expected["value"][name]), &at("value"));
                if let Node::Split(split) = &tree.nodes()[node] {
                    assert_eq!(Some(u64::from(split.feature)), file["feature"][name].as_u64());
                    let side = |side: &str| file[side][name].as_u64().expect("an inner node");
                    let first = split.first_child as usize;
                    pending.push((side("left") as usize, first));
                    pending.push((side("right") as usize, first + 1));
                } else {
                    assert_eq!(file["feature"][name], -1);
                }
            }
            assert_eq!(n_seen, tree.n_nodes());
        }
    }
}

#[test]
fn mean_decrease_in_impurity() {
    for case in Case::all() {
        let expected = case.measures();
        let default = case.measure(MeasureId::Mdi, MeasureSettings::default());
        case.check_importance(&default, &expected["mdi"]["variance"], "mdi");
        for (tree, values) in default.per_tree.iter().enumerate() {
            let expected = &expected["mdi_per_tree"]["variance"][tree];
            case.check(values, &floats(expected), "mdi per tree");
        }
        let normalise = Normalise::Sum;
        let normalised = case
            .measure(MeasureId::Mdi, MeasureSettings { normalise, ..MeasureSettings::default() });
        case.check_importance(
            &normalised,
            &expected["mdi_sklearn_normalised"]["variance"],
            "normalised",
        );
        if !case.is_regression() {
            let impurity = Some(Impurity::Entropy);
            let entropy = case.measure(
                MeasureId::Mdi,
                MeasureSettings { impurity, ..MeasureSettings::default() },
            );
            case.check_importance(&entropy, &expected["mdi"]["entropy"], "entropy");
            for (tree, values) in entropy.per_tree.iter().enumerate() {
                let expected = &expected["mdi_per_tree"]["entropy"][tree];
                case.check(values, &floats(expected), "entropy per tree");
            }
        }
    }
}

#[test]
fn split_count() {
    for case in Case::all() {
        let found = case.measure(MeasureId::SplitCount, MeasureSettings::default());
        case.check_importance(&found, &case.measures()["split_count"], "split count");
    }
}

#[test]
fn breiman_cutler() {
    for case in Case::all() {
        let perms: Vec<Vec<Vec<u32>>> =
            serde_json::from_value(case.file["perms"].clone()).expect("permutations");
        let given = Permutations::Given(Arc::new(perms));
        let expected = case.measures();
        for (loss_id, values) in expected["bc_mda"].as_object().expect("losses") {
            let loss = Loss::parse(loss_id);
            assert!(loss.is_some(), "{loss_id}");
            let settings = MeasureSettings { loss, ..MeasureSettings::default() };
            let permuted = MeasureSettings { permutations: given.clone(), ..settings.clone() };
            let id = MeasureId::MdaBreimanCutler;
            let found = case.measure(id, permuted.clone());
            case.check_importance(&found, values, loss_id);
            let per_tree = table(&expected["bc_mda_per_tree"][loss_id]);
            assert_eq!(found.per_tree.len(), per_tree.len());
            for (found, expected) in found.per_tree.iter().zip(&per_tree) {
                case.check(found, expected, "per tree");
            }
            let normalise = Normalise::StandardError;
            let normalised = MeasureSettings { normalise, ..permuted.clone() };
            let found = case.measure(id, normalised);
            case.check_importance(&found, &expected["bc_mda_normalised"][loss_id], "normalised");
            if loss == Some(Loss::Squared) {
                let normalise = Normalise::Variance;
                let found = case.measure(id, MeasureSettings { normalise, ..permuted });
                let variance = expected["response_variance_n_minus_1"].as_f64().expect("a number");
                let scaled: Vec<f64> =
                    floats(values).iter().map(|value| value / (2.0 * variance)).collect();
                case.check_importance(&found, &json!(scaled), "divided by 2 sigma^2");
            }
            let exact = case.measure(id, settings);
            case.check_importance(&exact, &expected["bc_mda_expected"][loss_id], "expected");
        }
    }
}

#[test]
fn ishwaran_kogalur() {
    let id = MeasureId::MdaIshwaranKogalur;
    for case in Case::all() {
        let perms: Vec<Vec<Vec<u32>>> =
            serde_json::from_value(case.file["perms"].clone()).expect("permutations");
        let permutations = Permutations::Given(Arc::new(perms));
        let expected = case.measures();
        for (loss_id, values) in expected["ik_mda"].as_object().expect("losses") {
            let loss = Loss::parse(loss_id);
            assert!(loss.is_some(), "{loss_id}");
            let permutations = permutations.clone();
            let settings = MeasureSettings { loss, permutations, ..MeasureSettings::default() };
            case.check_importance(&case.measure(id, settings), values, loss_id);
        }
        for (blocks, values) in expected["ik_mda_blocks"].as_object().expect("numbers of blocks") {
            let (blocks, permutations) = (blocks.parse().expect("a number"), permutations.clone());
            let settings = MeasureSettings { blocks, permutations, ..MeasureSettings::default() };
            let found = case.measure(id, settings.clone());
            case.check_importance(&found, values, "blocks");
            if blocks == case.forest.trees().len() {
                let settings = MeasureSettings { blocks: 1, ..settings };
                let single = case.measure(MeasureId::MdaBreimanCutler, settings);
                case.check_importance(&found, &json!(single.values), "blocks of one tree");
            }
        }
        let exact = case.measure(id, MeasureSettings::default());
        case.check_importance(&exact, &expected["ik_mda_expected"]["squared"], "expected");
        let normalise = Normalise::Variance;
        let found = case.measure(id, MeasureSettings { normalise, ..MeasureSettings::default() });
        let variance = expected["response_variance_n_minus_1"].as_f64().expect("a number");
        let values = floats(&expected["ik_mda_expected"]["squared"]);
        let scaled: Vec<f64> = values.iter().map(|value| value / variance).collect();
        case.check_importance(&found, &json!(scaled), "divided by sigma^2");
    }
}

#[test]
fn total_sobol_full() {
    for case in Case::all() {
        let expected = case.measures();
        let variance = expected["response_variance_n_minus_1"].as_f64().expect("a number");
        let of_trees = floats(&expected["bc_mda_expected"]["squared"]);
        let of_forest = floats(&expected["ik_mda_expected"]["squared"]);
        let pairs = of_trees.iter().zip(&of_forest);
        let values: Vec<f64> = pairs.map(|(one, other)| (one - other) / variance).collect();
        let found = case.measure(MeasureId::TotalSobolFull, MeasureSettings::default());
        case.check_importance(&found, &json!(values), "Breiman-Cutler - Ishwaran-Kogalur");
    }
}

#[test]
fn sobol_mda() {
    for case in Case::all() {
        let found = case.measure(MeasureId::SobolMda, MeasureSettings::default());
        case.check_importance(&found, &case.measures()["sobol_mda"], "Sobol-MDA");
        for group in case.measures()["sobol_mda_groups"].as_array().into_iter().flatten() {
            let members = floats(&group["features"]);
            let names = members.iter().map(|member| format!("x{member}")).collect();
            let data = case.data.clone().with_groups(&[("together".to_owned(), names)]);
            let data = data.expect("columns of the table");
            let measure = Measure::new(MeasureId::SobolMda, MeasureSettings::default());
            let run = &Run::on(Threads::new(2).expect("two threads"));
            let found = case.forest.measure(&data, &[measure.expect("fits")], run);
            let found = found.expect("applies");
            let place = found.groups.names().iter().position(|name| name == "together");
            let value = found.importances[0].values[place.expect("a group")].expect("defined");
            case.check(&[value], &[group["value"].as_f64().expect("a number")], "group");
        }
    }
}

impl Case {
    /// Rows that the forest never saw.
    fn test_rows(&self) -> Arc<Dataset> {
        let y = floats(&self.file["y_test"]);
        let target = if self.is_regression() {
            Target::regression("y", y).expect("finite values")
        } else {
            let classes = self.data.target().classes().expect("classes").to_vec();
            let codes = y.iter().map(|&class| class as u32).collect();
            Target::classification("y", classes, codes).expect("valid codes")
        };
        Arc::new(Dataset::new(columns(&self.file["X_test"]), target).expect("consistent"))
    }
}

#[test]
fn train_test() {
    for case in Case::all() {
        let perms: Vec<Vec<u32>> =
            serde_json::from_value(case.file["test_perms"].clone()).expect("permutations");
        let given = Permutations::Given(Arc::new(vec![perms]));
        let expected = case.measures();
        let id = MeasureId::MdaTrainTest;
        let test = Some(case.test_rows());
        for (loss_id, values) in expected["tt_mda"].as_object().expect("losses") {
            let loss = Loss::parse(loss_id);
            let settings =
                MeasureSettings { loss, test: test.clone(), ..MeasureSettings::default() };
            let permuted = MeasureSettings { permutations: given.clone(), ..settings };
            let found = case.measure(id, permuted);
            case.check_importance(&found, values, loss_id);
            assert_eq!(found.repeats.len(), 1);
        }
        for (loss_id, values) in expected["tt_mda_expected"].as_object().expect("losses") {
            let loss = Loss::parse(loss_id);
            let settings =
                MeasureSettings { loss, test: test.clone(), ..MeasureSettings::default() };
            case.check_importance(&case.measure(id, settings), values, loss_id);
        }
    }
}

#[test]
fn sobol_mda_with_averaged_splits() {
    for case in Case::all() {
        let found = case.measure(MeasureId::SobolMdaLundberg, MeasureSettings::default());
        let expected = &case.measures()["sobol_mda_lundberg"];
        case.check_importance(&found, expected, "Sobol-MDA, averaged splits");
    }
}

#[test]
fn predictions() {
    for case in Case::all() {
        let queries = Features::new(columns(&case.file["queries"])).expect("a table");
        let threads = Threads::new(1).expect("one thread");
        let found = case.forest.predict(&queries, &Run::on(threads)).expect("fits");
        let expected = table(&case.measures()["forest_predict"]).concat();
        case.check(&found, &expected, "predictions");
    }
}

#[test]
fn out_of_bag() {
    for case in Case::all() {
        let measured = case.measured();
        let found = &measured.out_of_bag;
        let expected = case.measures();
        let counts = floats(&expected["oob_tree_count"]);
        for (row, prediction) in table(&expected["oob_predict"]).iter().enumerate() {
            assert_eq!(f64::from(found.n_trees(row)), counts[row]);
            match found.prediction(row) {
                None => assert_eq!(counts[row], 0.0),
                Some(found) => case.check(&found, prediction, "out-of-bag prediction"),
            }
        }
        let errors = &expected["oob_error"];
        let error = |loss: &str| errors[loss].as_f64().expect("a number");
        match measured.errors.expect("rows out of bag") {
            Errors::Regression { squared, .. } => {
                case.check(&[squared], &[error("squared")], "error");
            }
            Errors::Classification { squared, zero_one, .. } => {
                case.check(&[squared], &[error("squared")], "error");
                case.check(&[zero_one], &[error("zero_one")], "error");
                let voting = Case::read(&case.name, "vote");
                let Some(Errors::Classification { zero_one, .. }) = voting.measured().errors else {
                    panic!("a forest of classes");
                };
                case.check(&[zero_one], &[error("zero_one_vote")], "error of votes");
            }
        }
    }
}
