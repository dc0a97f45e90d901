//! How often sets are found, against the branching process of Shah & Meinshausen (2014, section 3) and
//! the exact recursion over sets.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use wald::interactions::{InteractionConfig, interactions};
use wald::simulate::Friedman1;
use wald::{Dataset, Fitted, ForestConfig, Origin, Run, Threads};

use super::brute_force::{Leaf, leaves, texts};

type Set = BTreeSet<String>;

const DEPTH: usize = 3;
const CHILDREN: i32 = 2;

/// A forest of few small trees, and its leaves of the upper class with their shares of the rows.
fn small() -> (Arc<Dataset>, Arc<Fitted>, Vec<(Set, f64)>) {
    let data = Arc::new(Friedman1 { n_columns: 5, noise: 0.5 }.draw(40, 2).expect("rows"));
    let config = ForestConfig {
        n_trees: 4,
        max_depth: Some(3),
        mtry: Some(3),
        seed: 6,
        ..ForestConfig::default()
    };
    let fitted = wald::fit(Arc::clone(&data), &config, &Run::on(Threads::ONE)).expect("a forest");
    let leaves = leaves(fitted.forest(), &data);
    let upper: Vec<&Leaf> = leaves.iter().filter(|leaf| leaf.label == 1).collect();
    let total: f64 = upper.iter().map(|leaf| leaf.rows).sum();
    let shares = upper.into_iter().map(|leaf| (leaf.path.clone(), leaf.rows / total)).collect();
    (data, Arc::new(fitted), shares)
}

/// By set, how many of so many searches with so many trees find it in the upper class; and by pair of
/// signed variables, how many find a set that contains it.
fn found(
    (data, fitted): (&Arc<Dataset>, &Arc<Fitted>),
    trees: usize,
    n_seeds: u64,
    pairs: &[Set],
) -> (BTreeMap<Set, u32>, Vec<u32>) {
    let (mut counts, mut containing) = (BTreeMap::new(), vec![0; pairs.len()]);
    for seed in 0..n_seeds {
        let asked = InteractionConfig {
            trees,
            depth: DEPTH,
            children: CHILDREN as usize,
            min_size: 1,
            resamples: 0,
            seed,
            ..InteractionConfig::default()
        };
        let run = Run::on(Threads::ONE);
        let found = interactions(data, Origin::Fitted(fitted), &asked, &run).expect("sets");
        let upper = found.sets.iter().filter(|set| set.class.starts_with('>'));
        let sets: Vec<Set> = upper.map(texts).collect();
        for (count, pair) in containing.iter_mut().zip(pairs) {
            *count += u32::from(sets.iter().any(|set| pair.is_subset(set)));
        }
        sets.into_iter().for_each(|set| *counts.entry(set).or_insert(0) += 1);
    }
    (counts, containing)
}

/// The probability that a node at a depth with what is left of its path has a descendant at the full
/// depth with exactly `wanted` left.
fn reaches(wanted: &Set, left: &Set, depth: usize, shares: &[(Set, f64)]) -> f64 {
    if !wanted.is_subset(left) {
        return 0.0;
    }
    if depth == DEPTH {
        return if wanted == left { 1.0 } else { 0.0 };
    }
    let child = |(path, share): &(Set, f64)| {
        let common = left.intersection(path).cloned().collect();
        share * reaches(wanted, &common, depth + 1, shares)
    };
    let one: f64 = shares.iter().map(child).sum();
    1.0 - (1.0 - one).powi(CHILDREN)
}

fn assert_frequency(count: u32, n: f64, probability: f64, what: &Set) {
    // Some dozens of sets are looked at: 4.5 standard errors, and a count where they are rare.
    let (expected, spread) = (n * probability, (n * probability * (1.0 - probability)).sqrt());
    let distance = (f64::from(count) - expected).abs();
    assert!(distance <= 4.5 * spread + 1.0, "{what:?}: {count}, expected {expected} ± {spread}");
}

#[test]
fn sets_are_found_as_often_as_their_probability() {
    let (data, fitted, shares) = small();
    let items: Set = shares.iter().flat_map(|(path, _)| path.clone()).collect();
    let items: Vec<&String> = items.iter().collect();
    let pair = |(at, one): (usize, &&String)| -> Vec<Set> {
        items[..at].iter().map(|other| [(*one).clone(), (*other).clone()].into()).collect()
    };
    let pairs: Vec<Set> = items.iter().enumerate().flat_map(pair).collect();
    for (trees, n_seeds) in [(1, 3000), (10, 600)] {
        let (counts, containing) = found((&data, &fitted), trees, n_seeds, &pairs);
        let n = n_seeds as f64;
        let by_any = |one: f64| 1.0 - (1.0 - one).powi(trees as i32);
        let mut total = 0.0;
        for (set, &count) in &counts {
            let root = |(path, share): &(Set, f64)| share * reaches(set, path, 1, &shares);
            let one: f64 = shares.iter().map(root).sum();
            assert!(one > 0.0, "{set:?} is found, but cannot be");
            assert_frequency(count, n, by_any(one), set);
            total += by_any(one);
        }
        assert!(counts.len() > 8 && total > 0.5, "{total}: {counts:?}");
        // q(1) = p and q(d) = p (1 - (1 - q(d - 1))^B) for sets that contain a pair of prevalence p.
        let mut n_possible = 0;
        for (pair, &count) in pairs.iter().zip(&containing) {
            let has = shares.iter().filter(|(path, _)| pair.is_subset(path));
            let p: f64 = has.map(|(_, share)| share).sum();
            let deeper = |q: f64, _: usize| p * (1.0 - (1.0 - q).powi(CHILDREN));
            assert_frequency(count, n, by_any((1..DEPTH).fold(p, deeper)), pair);
            n_possible += usize::from(p > 0.0);
        }
        assert!(n_possible > 8);
    }
}
