//! Findings on both sides of what they count from, as in docs/advice.md.

use std::sync::Arc;

use wald::data::{Column, Target};
use wald::forest::ClassWeight;
use wald::message::Neutral;
use wald::{Dataset, ForestConfig, MeasureId, Origin, Run, Threads};
use wald_report::advice::{Advice, AdviceSettings, Concern, advise};
use wald_report::{Depth, Quiet, Study};

use crate::advice::{advice, dataset, finding, uniform};
use crate::support::Numbers;

fn concern(advice: &Advice, id: &str) -> Concern {
    finding(advice, id).concern
}

/// Nearly normal numbers.
fn normal(numbers: &mut Numbers, n: usize) -> Vec<f64> {
    (0..n).map(|_| uniform(numbers, 12).iter().sum::<f64>() - 6.0).collect()
}

/// Two columns of that correlation, one of its own, and what the last one explains.
fn correlated(seed: u64, n: usize, r: f64) -> Dataset {
    let mut numbers = Numbers(seed);
    let (a, own, c) = (normal(&mut numbers, n), normal(&mut numbers, n), normal(&mut numbers, n));
    let other = (1.0 - r * r).sqrt();
    let b = a.iter().zip(&own).map(|(a, own)| r * a + other * own).collect();
    let y = c.iter().map(|c| c + 0.1).collect();
    dataset(vec![("a", a), ("b", b), ("c", c)], y)
}

/// A tenth of the rows, and 20 of them.
#[test]
fn classes_are_rare_below_a_tenth_or_twenty_rows() {
    let with = |n: usize, rare: usize| {
        let mut numbers = Numbers(23);
        let codes = (0..n).map(|row| u32::from(row < rare)).collect();
        let columns =
            ["a", "b"].map(|name| Column::numeric(name, uniform(&mut numbers, n)).expect("finite"));
        let names = ["often", "seldom"].map(str::to_owned).to_vec();
        let target = Target::classification("y", names, codes).expect("two classes");
        let data = Dataset::new(columns.to_vec(), target).expect("consistent");
        concern(&advice(&data, 2), "imbalance")
    };
    assert_eq!(with(300, 33), Concern::None, "11 %");
    assert_eq!(with(300, 27), Concern::Minor, "9 %");
    assert_eq!(with(120, 19), Concern::Minor, "16 %, but 19 rows");
    assert_eq!(with(120, 21), Concern::None);
}

/// Numbers of 60 and of 300 distinct values gain about alike without relevant variables.
#[test]
fn kinds_that_gain_alike_are_no_concern() {
    let mut numbers = Numbers(25);
    let few = (0..300).map(|_| f64::from(numbers.below(90))).collect();
    let (many, y) = (uniform(&mut numbers, 300), uniform(&mut numbers, 300));
    let found = advice(&dataset(vec![("few", few), ("many", many)], y), 2);
    assert_eq!(concern(&found, "cardinality"), Concern::None);
}

/// Fewer than a hundred rows are thin evidence, whatever was found.
#[test]
fn few_rows_are_thin_evidence() {
    let thin = |n: usize| {
        let found = advice(&correlated(27, n, 0.0), 2);
        found.objectives.iter().map(|of| of.reason.contains("few rows")).collect::<Vec<_>>()
    };
    assert_eq!((thin(95), thin(105)), (vec![true; 2], vec![false; 2]));
}

/// Nothing is known where only a correlation above .6 would be found: of 3 pairs with .8 probability
/// (2.86 + .84) / (n - 1)^.5, which is .85 for 20 rows and .54 for 48.
#[test]
fn dependence_that_few_rows_would_hide_is_not_known() {
    let found = advice(&correlated(28, 20, 0.0), 2);
    let of_few = finding(&found, "dependence");
    assert_eq!(of_few.concern, Concern::Unknown, "{}", of_few.sentence);
    assert!(of_few.sentence.starts_with("With 20 rows, only a rank correlation of 0.8"));
    let found = advice(&correlated(28, 48, 0.0), 2);
    assert_ne!(concern(&found, "dependence"), Concern::Unknown);
}

/// Of 60 clusters of ten rows, missingness goes with the target as it does by chance in one of eight tables;
/// of 600 independent rows it would be certain.
#[test]
fn rows_of_a_cluster_do_not_make_missingness_tell_the_target() {
    let mut numbers = Numbers(31);
    let a = uniform(&mut numbers, 600);
    let lost = a.iter().enumerate();
    let lost = lost.map(|(row, a)| if (row / 10) % 2 == 0 { f64::NAN } else { *a }).collect();
    let of_cluster = |cluster: usize| {
        (cluster / 2) as f64 + 3.5 * f64::from(u8::from(cluster.is_multiple_of(2)))
    };
    let y = (0..600).map(|row| of_cluster(row / 10)).collect();
    let data = dataset(vec![("a", a), ("lost", lost)], y);
    assert_eq!(concern(&advice(&data, 2), "missingness"), Concern::Minor);
    let clusters = (0..600).map(|row| row / 10).collect();
    let clustered = data.with_clusters(clusters).expect("codes");
    assert_eq!(concern(&advice(&clustered, 2), "missingness"), Concern::None);
}

/// A selection has ten folds.
#[test]
fn tables_of_fewer_rows_or_clusters_than_folds_are_not_to_be_selected_from() {
    let command = |data: &Dataset| {
        let found = advice(data, 2);
        let selection = found.objectives.into_iter().find(|one| one.id == "selection");
        selection.expect("is asked").command
    };
    let of_rows = |n: usize| correlated(5, n, 0.0);
    assert!(command(&of_rows(10)).starts_with("select"), "{}", command(&of_rows(10)));
    assert!(command(&of_rows(9)).starts_with("importance"), "{}", command(&of_rows(9)));
    let in_clusters = |n: u32| {
        let clusters = (0..40).map(|row| row % n).collect();
        command(&of_rows(40).with_clusters(clusters).expect("codes"))
    };
    assert!(in_clusters(10).starts_with("select") && in_clusters(9).starts_with("importance"));
}

/// Out-of-bag errors of a cluster are alike, and so is a column: 80 clusters look like 640 rows.
#[test]
fn rows_of_a_cluster_do_not_make_errors_depend_on_a_column() {
    let mut numbers = Numbers(41);
    let (a, of_clusters) = (uniform(&mut numbers, 640), uniform(&mut numbers, 80));
    let shifts = normal(&mut numbers, 80);
    let b = (0..640).map(|row| of_clusters[row / 8]).collect();
    let y = a.iter().enumerate().map(|(row, a)| 2.0 * a + shifts[row / 8]).collect();
    let data = dataset(vec![("a", a), ("b", b)], y);
    let clustered = data.with_clusters((0..640).map(|row| row / 8).collect()).expect("codes");
    let found = advice(&clustered, 2);
    let distribution = found.further.iter().find(|one| one.id == "distribution");
    let answer = &distribution.expect("a question").answer;
    let words = "The size of out-of-bag errors is not found to depend on";
    assert!(answer.starts_with(words), "{answer}");
}

/// Draws of equal numbers of both classes leave measures out that compare predictions with the target, and
/// advice grows no such forest.
#[test]
fn stratified_draws_of_unequal_classes_are_advised_against() {
    let mut numbers = Numbers(33);
    let columns = ["a", "b"].map(|name| Column::numeric(name, uniform(&mut numbers, 200)));
    let columns: Result<_, _> = columns.into_iter().collect();
    let names = vec!["often".to_owned(), "rarely".to_owned()];
    let codes = (0..200).map(|row| u32::from(row % 8 == 0)).collect();
    let target = Target::classification("y", names, codes).expect("two classes");
    let data = Arc::new(Dataset::new(columns.expect("finite"), target).expect("consistent"));
    let stratified = ForestConfig { n_trees: 20, stratify: true, ..ForestConfig::default() };
    let class_weight = ClassWeight::BalancedSubsample;
    let weighed = ForestConfig { stratify: false, class_weight, ..stratified.clone() };
    let run = &Run::on(Threads::new(2).expect("few"));
    let front = Quiet { run, wording: &Neutral, free: None };
    let cases = [
        (stratified, "A forest that draws all rows alike", "grow one without `stratify`"),
        (weighed, "A forest that weighs all rows alike", "grow one without `class_weight`"),
    ];
    for (config, other_forest, without) in cases {
        let origin = Origin::Settings(&config);
        let study = Study::new(&data, origin, Vec::new(), Depth::Importances, &front);
        let study = study.expect("grows");
        assert!(!study.allowed.contains(&MeasureId::SobolMda));
        let found = advise(&study, AdviceSettings::default(), &front).expect("advises");
        let left_out = ["sobol_mda", "mda_breiman_cutler", "shapley_effects", "sage"];
        for objective in &found.objectives {
            let recommended = objective.recommended.as_deref();
            assert!(recommended.is_none_or(|id| !left_out.contains(&id)), "{recommended:?}");
            let reason = &objective.reason;
            assert!(reason.contains(other_forest) || reason.contains(without), "{reason}");
        }
    }
}

/// Weights of five for rows with a large x, which the target follows, as in docs/uncertainty.md; and weights that
/// follow nothing.
#[test]
fn case_weights_matter_where_leaves_are_small() {
    let mut numbers = Numbers(31);
    let (x, noise) = (uniform(&mut numbers, 400), uniform(&mut numbers, 400));
    let y: Vec<f64> = x.iter().zip(&noise).map(|(x, noise)| x + 0.1 * noise).collect();
    let data = dataset(vec![("x", x.clone()), ("b", uniform(&mut numbers, 400))], y);
    let found = |weights: Vec<f64>, min_leaf_size: usize| {
        let config =
            ForestConfig { n_trees: 30, min_leaf_size, seed: 3, ..ForestConfig::default() };
        let run = &Run::on(Threads::new(2).expect("few"));
        let front = Quiet { run, wording: &Neutral, free: None };
        let data = Arc::new(data.clone().with_weights(weights).expect("weights"));
        let origin = Origin::Settings(&config);
        let study = Study::new(&data, origin, Vec::new(), Depth::Importances, &front);
        let settings = AdviceSettings::default();
        let advice = advise(&study.expect("grows"), settings, &front).expect("advises");
        finding(&advice, "case_weights").clone()
    };
    let follow: Vec<f64> = x.iter().map(|&x| if x > 0.5 { 5.0 } else { 1.0 }).collect();
    let small = found(follow.clone(), 1);
    assert_eq!(small.concern, Concern::Serious);
    assert_eq!(small.variables, ["x"]);
    assert_eq!(
        small.sentence,
        "Case weights depend on the target \"y\" and \"x\", and a leaf holds 3 rows on average, too few for \
         means by weight: shares of the variance and p-values are wrong."
    );
    assert_eq!(
        small.consequence,
        "Means by weight of few rows are biased then: grow trees with larger leaves (`min_leaf_size = 50`)."
    );
    let large = found(follow, 60);
    assert_eq!((large.concern, large.consequence.as_str()), (Concern::None, ""));
    assert_eq!(
        large.sentence,
        "Case weights depend on the target \"y\" and \"x\"; a leaf holds 81 rows on average, enough for means \
         by weight."
    );
    let alike = found((0..400).map(|row| f64::from(1 + row % 3)).collect(), 1);
    assert_eq!((alike.concern, alike.consequence.as_str()), (Concern::None, ""));
    assert_eq!(
        alike.sentence,
        "Case weights are seen to depend neither on the target nor on a variable."
    );
}
