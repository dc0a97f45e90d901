//! Exact importances of populations against worked cases.

use serde_json::Value;
use wald::data::Target;
use wald::forest::Impurity;
use wald::{Dataset, Run};
use wald_population::{
    Exact, Importances, Limits, Population, Relevance, TreeSettings, VariableSet,
};

use crate::golden_case::{columns, floats, table};
use crate::support::threads;

pub fn exact(population: &Population) -> Exact {
    let around = &Run::on(threads());
    population.exact(&Limits::default(), around).expect("a small population")
}

/// Importances of trees that take the best of K variables.
pub fn best_of(population: &Population, mtry: usize) -> Importances {
    let settings = TreeSettings { mtry: vec![mtry], local: false };
    let around = &Run::on(threads());
    let found = population.best_of(&settings, &Limits::default(), around);
    found.expect("a small population").remove(0).importances
}

#[track_caller]
pub fn assert_near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (one, other) in found.iter().zip(expected) {
        assert!((one - other).abs() <= tolerance, "{found:?}\nis not\n{expected:?}");
    }
}

fn case(name: &str) -> (Value, Population) {
    let path = format!("{}/../wald/tests/fixtures/golden/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let file: Value =
        serde_json::from_slice(&std::fs::read(path).expect("the fixture is there")).expect("JSON");
    let y: Vec<u32> = floats(&file["table"]["y"]).into_iter().map(|y| y as u32).collect();
    let names = (0..=y.iter().copied().max().unwrap_or(0)).map(|class| class.to_string()).collect();
    let target = Target::classification("y", names, y).expect("classes");
    let data = Dataset::new(columns(&file["table"]["X"]), target).expect("consistent");
    let data = data.with_weights(floats(&file["table"]["prob"])).expect("probabilities");
    let population = Population::new(&data, Some(Impurity::Entropy)).expect("categories");
    (file, population)
}

fn check(name: &str) {
    let (file, population) = case(name);
    let exact = exact(&population);
    let number = |value: &Value| value.as_f64().expect("a number");
    assert_near(&[exact.total(), population.total()], &[number(&file["total"]); 2], 1e-12);
    assert_near(&[population.root_impurity()], &[number(&file["impurity_root"])], 1e-12);
    let terms = file["conditional"].as_array().expect("a list");
    assert_eq!(terms.len(), population.n_variables() << (population.n_variables() - 1));
    for term in terms {
        let known: Vec<usize> = floats(&term["B"]).into_iter().map(|b| b as usize).collect();
        let variable = number(&term["m"]) as usize;
        let found = exact.conditional(variable, VariableSet::of(&known));
        assert_near(&[found], &[number(&term["value"])], 1e-12);
    }
    assert_near(&exact.importances().values(), &floats(&file["importance"]), 1e-12);
    let by_degree = table(&file["by_degree"]);
    for (found, expected) in exact.importances().by_degree.iter().zip(&by_degree) {
        assert_near(found, expected, 1e-12);
    }
    for q in 1..=population.n_variables() {
        let pruned = floats(&file["pruned"][q.to_string()]);
        assert_near(&exact.importances().pruned(q).values(), &pruned, 1e-12);
        let subspace = exact.subspace(q).expect("a size in range").values();
        assert_near(&subspace, &floats(&file["subspace"][q.to_string()]), 1e-12);
    }
    check_relevance(&exact, &file);
    check_trees(&population, &file);
    check_local(&population, &file);
}

fn check_relevance(exact: &Exact, file: &Value) {
    let marginal = exact.is_marginally_relevant();
    for (variable, expected) in file["relevance"].as_array().expect("a list").iter().enumerate() {
        let found = exact.relevance()[variable];
        assert_eq!(expected["relevant"], found != Relevance::Irrelevant);
        assert_eq!(expected["strongly"], found == Relevance::Strong);
        assert_eq!(expected["weakly"], found == Relevance::Weak);
        assert_eq!(expected["marginally"], marginal[variable]);
    }
}

fn check_trees(population: &Population, file: &Value) {
    for (mtry, expected) in file["K"]["unused"].as_object().expect("by K") {
        let found = best_of(population, mtry.parse().expect("a number"));
        assert_near(&found.values(), &floats(&expected["importance"]), 1e-12);
        for (found, expected) in found.by_degree.iter().zip(&table(&expected["by_depth"])) {
            assert_near(found, expected, 1e-12);
        }
    }
}

fn check_local(population: &Population, file: &Value) {
    let expected = &file["local"];
    let by_k = expected["K_unused"].as_object().expect("by K");
    let mtry = by_k.keys().map(|mtry| mtry.parse().expect("a number"));
    let settings = TreeSettings { mtry: std::iter::once(1).chain(mtry).collect(), local: true };
    let around = &Run::on(threads());
    let all = population.best_of(&settings, &Limits::default(), around).expect("small");
    let locals: Vec<_> = all.iter().map(|found| found.local.as_ref().expect("asked for")).collect();
    assert_near(population.probabilities(), &floats(&expected["prob"]), 1e-15);
    for (found, expected) in locals[0].values.iter().zip(&table(&expected["importance"])) {
        assert_near(found, expected, 1e-12);
    }
    let irrelevant = expected["locally_irrelevant"].as_array().expect("a list");
    for (found, expected) in locals[0].is_irrelevant.iter().zip(irrelevant) {
        assert_eq!(*expected, serde_json::json!(found));
    }
    for (found, expected) in locals[1..].iter().zip(by_k.values()) {
        let expected = table(expected);
        assert!(expected.len() >= 4, "the first points of the population");
        for (found, expected) in found.values.iter().zip(&expected) {
            assert_near(found, expected, 1e-12);
        }
    }
}

#[test]
fn the_seven_segments_are_as_worked_out() {
    check("pop_led");
}

#[test]
fn the_noisy_copy_is_as_worked_out() {
    check("pop_noisy_copy");
}
