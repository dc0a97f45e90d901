//! Importances by degree of interaction, against paths followed from every node to the root, and
//! against the exact terms of the digits.

use serde_json::Value;
use wald::forest::{Impurity, Node, Sampling, Splitting, Tree};
use wald::importance::Degrees;
use wald::measure::{MeasureOption, MeasureSettings, Normalise};
use wald::options::Options;
use wald::{Dataset, Forest, ForestConfig, Importance, Measure, MeasureId, Run, Threads};

use crate::golden_case::{floats, table};
use crate::multiway_limits::digits;
use crate::support::{self, Shape, assert_close, best_and_multiway, grow};

fn measure(data: &Dataset, forest: &Forest, settings: &MeasureSettings) -> (Importance, Degrees) {
    let settings = MeasureSettings { by_degree: true, ..settings.clone() };
    let mut found = support::measure(data, forest, MeasureId::Mdi, settings);
    let degrees = found.by_degree.take().expect("asked for");
    (found, degrees)
}

/// `[variable][degree]` of one tree: for every split, its way up to the root is read.
fn by_definition(tree: &Tree, group_of: &[usize], n_groups: usize) -> Vec<Vec<f64>> {
    let known = tree.statistics().expect("own trees");
    let term = |node: usize| known.weight(node) / known.weight(0) * known.impurity(node);
    let parent = |node: usize| {
        tree.nodes().iter().position(|above| match above {
            Node::Split(split) => tree.children(split).contains(&node),
            Node::Leaf => false,
        })
    };
    let mut sums = vec![vec![0.0; n_groups]; n_groups];
    if known.weight(0) <= 0.0 {
        return sums;
    }
    for (node, content) in tree.nodes().iter().enumerate() {
        let Node::Split(split) = content else { continue };
        let own = group_of[split.feature as usize];
        let mut others = std::collections::BTreeSet::new();
        let mut here = node;
        while let Some(above) = parent(here) {
            if let Node::Split(split) = &tree.nodes()[above] {
                others.insert(group_of[split.feature as usize]);
            }
            here = above;
        }
        others.remove(&own);
        let rest: f64 = tree.children(split).map(term).sum();
        sums[own][others.len()] += term(node) - rest;
    }
    sums
}

#[test]
fn degrees_are_other_variables_above_a_split() {
    for n_classes in [0, 3] {
        for weights in [false, true] {
            let shape = Shape { n_rows: 60, n_classes, missing: true, weights, seed: 95 };
            for (data, config) in best_and_multiway(shape, 3, 6) {
                let config = ForestConfig { max_depth: Some(6), ..config };
                check(&data, &grow(&data, &config), &(0..6).collect::<Vec<_>>());
                let pair = vec![("pair".to_owned(), vec!["one".to_owned(), "few".to_owned()])];
                let grouped = data.clone().with_groups(&pair).expect("columns");
                let members = grouped.groups().members();
                let group_of: Vec<usize> = (0..6)
                    .map(|column| members.iter().position(|of| of.contains(&column)).expect("one"))
                    .collect();
                check(&grouped, &grow(&grouped, &config), &group_of);
                for splitting in [Splitting::RandomThreshold, Splitting::Best] {
                    if config.splitting == Splitting::Best {
                        let config = ForestConfig { splitting, mtry: Some(1), ..config.clone() };
                        check(&data, &grow(&data, &config), &(0..6).collect::<Vec<_>>());
                    }
                }
            }
        }
    }
}

fn check(data: &Dataset, forest: &Forest, group_of: &[usize]) {
    let (found, degrees) = measure(data, forest, &MeasureSettings::default());
    let n_groups = found.values.len();
    let n_degrees = degrees.values[0].len();
    let per_tree: Vec<Vec<Vec<f64>>> =
        forest.trees().iter().map(|tree| by_definition(tree, group_of, n_groups)).collect();
    let n = per_tree.len() as f64;
    let errors = degrees.standard_errors.as_ref().expect("several trees");
    for group in 0..n_groups {
        for degree in 0..n_groups {
            let mean = per_tree.iter().map(|tree| tree[group][degree]).sum::<f64>() / n;
            if degree >= n_degrees {
                assert_eq!(mean, 0.0, "above the highest degree");
                continue;
            }
            let squares = per_tree.iter().map(|tree| (tree[group][degree] - mean).powi(2));
            assert_close(degrees.values[group][degree], mean, "mean");
            let error = (squares.sum::<f64>() / (n - 1.0) / n).sqrt();
            assert_close(errors[group][degree], error, "standard error");
        }
        let sum: f64 = degrees.values[group].iter().sum();
        assert!((sum - found.values[group].expect("defined")).abs() < 1e-12);
    }
    // Trees without degrees agree otherwise.
    let plain = Measure::new(MeasureId::Mdi, MeasureSettings::default()).expect("defaults");
    let run = &Run::on(Threads::new(1).expect("one"));
    assert_eq!(forest.measure(data, &[plain], run).expect("applies").importances, [found]);
    let normalise = Normalise::Sum;
    let settings = MeasureSettings { normalise, ..MeasureSettings::default() };
    let (shares, degrees) = measure(data, forest, &settings);
    for (share, of) in shares.values.iter().zip(&degrees.values) {
        assert!((share.expect("defined") - of.iter().sum::<f64>()).abs() < 1e-12);
    }
}

/// The terms of Eq. 3 for K = 1, and those of an independent program's recursion for K above 1.
#[test]
fn forests_of_multiway_trees_approach_the_exact_terms_of_the_digits() {
    let path = format!("{}/tests/fixtures/golden/pop_led.json", env!("CARGO_MANIFEST_DIR"));
    let file: Value = serde_json::from_slice(&std::fs::read(path).expect("there")).expect("JSON");
    let data = digits().data();
    let (mut n_terms, mut n_beyond_three) = (0, 0);
    for mtry in 1..=7 {
        let exact = &file["K"]["unused"][mtry.to_string()];
        let (importance, terms) = match mtry {
            1 => (&file["importance"], &file["by_degree"]),
            _ => (&exact["importance"], &exact["by_depth"]),
        };
        let (importance, terms) = (floats(importance), table(terms));
        let config = ForestConfig {
            splitting: Splitting::Multiway,
            sampling: Sampling::All,
            impurity: Some(Impurity::Entropy),
            mtry: Some(mtry),
            n_trees: 4000,
            ..ForestConfig::default()
        };
        let (found, degrees) = measure(&data, &grow(&data, &config), &MeasureSettings::default());
        let errors = found.standard_errors.as_ref().expect("many trees");
        let of_degrees = degrees.standard_errors.as_ref().expect("many trees");
        for variable in 0..7 {
            let (value, error) = (found.values[variable], errors[variable]);
            let gap = (value.expect("some") - importance[variable]).abs();
            assert!(gap <= 3.0 * error.expect("some") + 1e-9, "K {mtry} x{variable}: {gap}");
            for (degree, &expected) in terms[variable].iter().enumerate() {
                let value = degrees.values[variable].get(degree);
                let error = of_degrees[variable].get(degree).copied().unwrap_or(0.0);
                // Of a term that few trees have, these few estimate the error badly; no tree can
                // give more than one bit here, so that its variance is below its mean.
                let bound = if expected < 1e-3 { (expected / 4000.0).sqrt() } else { 0.0 };
                let gap = (value.copied().unwrap_or(0.0) - expected).abs() - 1e-9;
                let distance = gap.max(0.0) / error.max(bound).max(1e-12);
                assert!(distance <= 4.0, "K {mtry} x{variable} degree {degree}: {distance}");
                n_terms += 1;
                n_beyond_three += usize::from(distance > 3.0);
            }
        }
    }
    // Of so many numbers about one is beyond three standard errors by chance.
    assert!(n_terms == 343 && n_beyond_three <= 3, "{n_beyond_three} of {n_terms}");
}

#[test]
fn other_measures_do_not_offer_degrees() {
    let settings = MeasureSettings { by_degree: true, ..MeasureSettings::default() };
    assert!(MeasureOption::ByDegree.is_set(&settings));
    let refused = Measure::new(MeasureId::SplitCount, settings).expect_err("not offered");
    assert!(refused.to_string().contains("does not offer `by_degree`"), "{refused}");
}
