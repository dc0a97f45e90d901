//! Stability, against bootstrap samples that are drawn and searched one by one, and on data without
//! any structure.

use std::sync::Arc;

use wald::data::{Column, Target};
use wald::interactions::{InteractionConfig, Interactions};
use wald::{Dataset, Run};

use super::planted::{planted, search};
use crate::support::{Numbers, threads};

fn names(found: &Interactions) -> Vec<String> {
    found.sets.iter().map(|set| format!("{}: {}", set.class, set.text())).collect()
}

/// Samples of rows that are drawn here, and searched with seeds of their own: as many of them as
/// stability states contain a set.
#[test]
fn stability_is_the_share_of_bootstrap_samples_with_the_set() {
    const N: usize = 60;
    let data = planted(150);
    let usual = InteractionConfig::default();
    let asked = InteractionConfig {
        trees: 60,
        depth: 3,
        cut: Some(0.5),
        min_prevalence: 0.05,
        resamples: N,
        ..usual
    };
    let run = Run::on(threads());
    let found = search(&data, 3, &asked, &run);
    let mut numbers = Numbers(11);
    let mut counts = vec![0_u32; found.sets.len()];
    let reported = names(&found);
    for seed in 0..N as u64 {
        let rows: Vec<u32> = (0..150).map(|_| (numbers.unit() * 150.0) as u32).collect();
        let drawn = Arc::new(data.select(&rows).expect("rows"));
        let once = InteractionConfig { resamples: 0, seed: 1000 + seed, ..asked };
        let again = names(&search(&drawn, 3, &once, &run));
        for (count, name) in counts.iter_mut().zip(&reported) {
            *count += u32::from(again.contains(name));
        }
    }
    let n = N as f64;
    let mut n_between = 0;
    for ((set, count), name) in found.sets.iter().zip(counts).zip(&reported) {
        let (stability, share) = (set.stability.expect("resamples"), f64::from(count) / n);
        let mean = f64::midpoint(stability, share);
        // Two independent shares, of some dozens that are compared.
        let most = 4.5 * (2.0 * mean * (1.0 - mean) / n).sqrt() + 1.0 / n;
        assert!((stability - share).abs() <= most, "{name}: {stability}, by hand {share}");
        n_between += usize::from((0.2..0.8).contains(&stability));
    }
    assert!(n_between > 3, "{found:?}");
}

/// The class is that of the cluster: in half of the samples, one of both clusters is drawn twice, and
/// nothing is left to split on. Single rows would always have both classes.
#[test]
fn clusters_are_drawn_as_a_whole() {
    let mut numbers = Numbers(3);
    let high: Vec<bool> = (0..80).map(|row| row % 2 == 1).collect();
    let mut column = |name: &str| {
        let value = |high: &bool| numbers.unit() + f64::from(u8::from(*high));
        Column::numeric(name, high.iter().map(value).collect()).expect("numbers")
    };
    let columns = vec![column("x1"), column("x2")];
    let classes = vec!["low".to_owned(), "high".to_owned()];
    let codes = high.iter().map(|high| u32::from(*high)).collect();
    let target = Target::classification("class", classes, codes).expect("classes");
    let data = Dataset::new(columns, target).expect("data");
    let clusters = (0..80).map(|row| row % 2).collect();
    let asked =
        InteractionConfig { min_size: 1, depth: 2, resamples: 20, ..InteractionConfig::default() };
    let run = Run::on(threads());
    let of = |data: Dataset| -> f64 {
        let found = search(&Arc::new(data), 2, &asked, &run);
        found.sets.iter().filter_map(|set| set.stability).fold(0.0, f64::max)
    };
    assert_eq!(of(data.clone()), 1.0);
    let whole = of(data.with_clusters(clusters).expect("clusters"));
    assert!((0.2..=0.8).contains(&whole), "{whole}");
}

/// Thirty columns that a target does not depend on: no set is found in most of the samples.
#[test]
fn sets_of_noise_are_not_stable() {
    let mut numbers = Numbers(5);
    let mut values = || -> Vec<f64> { (0..150).map(|_| numbers.unit()).collect() };
    let columns = (0..30).map(|at| Column::numeric(format!("x{at}"), values()));
    let columns = columns.collect::<Result<_, _>>().expect("numbers");
    let target = Target::regression("y", values()).expect("numbers");
    let data = Arc::new(Dataset::new(columns, target).expect("data"));
    let asked = InteractionConfig { depth: 3, resamples: 12, ..InteractionConfig::default() };
    let found = search(&data, 3, &asked, &Run::on(threads()));
    let stability: Vec<f64> = found.sets.iter().filter_map(|set| set.stability).collect();
    let mean = stability.iter().sum::<f64>() / stability.len() as f64;
    let most = stability.iter().copied().fold(0.0, f64::max);
    assert!(stability.len() > 4 && mean < 0.2 && most <= 0.5, "{stability:?}");
}
