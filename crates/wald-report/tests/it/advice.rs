//! Advice: findings on tables whose truth is known, and the cells of Table 2.

use std::sync::Arc;

use wald::data::{Column, Response, Target};
use wald::grouping::{GroupRule, suggest_groups};
use wald::message::Neutral;
use wald::simulate::{BenardExample1, Friedman1};
use wald::{Dataset, Error, ForestConfig, Origin, Run, Threads};
use wald_report::advice::{
    Advice, AdviceSettings, Concern, Finding, ObjectiveAdvice, Validity, advise,
};
use wald_report::{Depth, Quiet, Study};

use crate::support::Numbers;

pub(crate) fn advice(data: &Dataset, threads: usize) -> Advice {
    let config = ForestConfig { n_trees: 100, seed: 3, ..ForestConfig::default() };
    let run = &Run::on(Threads::new(threads).expect("few"));
    let front = Quiet { run, wording: &Neutral, free: None };
    let (data, origin) = (Arc::new(data.clone()), Origin::Settings(&config));
    let study = Study::new(&data, origin, Vec::new(), Depth::Importances, &front).expect("grows");
    advise(&study, AdviceSettings::default(), &front).expect("advises")
}

pub(crate) fn finding<'a>(advice: &'a Advice, id: &str) -> &'a Finding {
    advice.findings.iter().find(|finding| finding.id == id).expect("is looked for")
}

pub(crate) fn evidence(finding: &Finding, name: &str) -> f64 {
    let found = finding.evidence.iter().find(|one| one.name == name).expect("is reported");
    found.value.expect("is defined")
}

fn validity(objective: &ObjectiveAdvice, measure: &str) -> Validity {
    let mut verdicts = objective.verdicts.iter();
    verdicts.find(|verdict| verdict.measure == measure).expect("is judged").validity
}

/// Table 2 on the permutation importances, for (i) and (ii).
fn table_2(advice: &Advice) -> [[bool; 2]; 3] {
    ["mda_train_test", "mda_breiman_cutler", "mda_ishwaran_kogalur"].map(|measure| {
        [0, 1].map(|objective| validity(&advice.objectives[objective], measure) == Validity::Valid)
    })
}

pub(crate) fn uniform(numbers: &mut Numbers, n: usize) -> Vec<f64> {
    (0..n).map(|_| f64::from(numbers.below(1 << 20)) / f64::from(1 << 20)).collect()
}

pub(crate) fn dataset(columns: Vec<(&str, Vec<f64>)>, y: Vec<f64>) -> Dataset {
    let columns = columns.into_iter().map(|(name, values)| Column::numeric(name, values));
    let columns = columns.collect::<Result<_, _>>().expect("finite or missing");
    Dataset::new(columns, Target::regression("y", y).expect("finite")).expect("consistent")
}

/// Identifiers and commands of the further questions.
fn further(advice: &Advice) -> Vec<(&str, &str)> {
    advice.further.iter().map(|one| (one.id.as_str(), one.command.as_str())).collect()
}

#[test]
fn further_questions_follow_from_what_was_found() {
    let numbers = &mut Numbers(5);
    let mut x: Vec<Vec<f64>> = (0..3).map(|_| uniform(numbers, 400)).collect();
    let y: Vec<f64> = (0..400).map(|row| x[0][row] + 2.0 * x[1][row]).collect();
    let table = |x: &[Vec<f64>]| {
        let names = ["a", "b", "c"];
        dataset(names.into_iter().zip(x.iter().cloned()).collect(), y.clone())
    };
    let independent = advice(&table(&x), 2);
    let expected = [
        ("test", "conditional"),
        ("relevance", "select boruta"),
        ("false_discoveries", "select ipss"),
        ("effect", "explain pdp"),
        ("stability", "uncertainty"),
        ("comparison", "compare"),
        ("interval", "predict quantiles"),
        ("distribution", "importance distribution_retrain"),
        ("rows", "proximities"),
    ];
    assert_eq!(further(&independent), expected);
    // A copy with little noise: partial dependence would leave the data.
    x[2] = x[1].iter().zip(uniform(numbers, 400)).map(|(x, noise)| x + 0.02 * noise).collect();
    let dependent = advice(&table(&x), 2);
    assert!(further(&dependent).contains(&("effect", "explain ale")));
    let answers: Vec<&str> = dependent.further.iter().map(|one| one.answer.as_str()).collect();
    assert!(answers[0].contains("members of a cluster replace each other"), "{answers:?}");
    assert!(answers[1].ends_with("only depends on relevant variables is confirmed as well."));
    // Permuting rows one by one does not fit clusters of them.
    let clusters: Vec<u32> = (0..400).map(|row| row / 4).collect();
    let clustered = table(&x).with_clusters(clusters).expect("fits");
    assert!(further(&advice(&clustered, 2)).iter().all(|(id, _)| *id != "relevance"));
}

/// The mean depends on `a`, and the spread on `b`.
#[test]
fn the_size_of_errors_is_compared_with_the_variables() {
    let numbers = &mut Numbers(8);
    let x: Vec<Vec<f64>> = (0..4).map(|_| uniform(numbers, 600)).collect();
    let answers = |spread: fn(f64) -> f64| {
        let y = (0..600).map(|row| 4.0 * x[0][row] + spread(x[1][row]) * (x[3][row] - 0.5));
        let columns = ["a", "b", "c"].into_iter().zip(x.iter().cloned());
        let advice = advice(&dataset(columns.collect(), y.collect()), 2);
        let of = |id: &str| {
            let found = advice.further.iter().find(|one| one.id == id);
            found.expect("a question").answer.clone()
        };
        [of("distribution"), of("interval")]
    };
    let [distribution, interval] = answers(|b| 0.1 + 2.0 * b);
    assert!(distribution.starts_with("The size of out-of-bag errors depends on \"b\","));
    assert!(interval.contains("too narrow where it is large"), "{interval}");
    let [distribution, interval] = answers(|_| 1.0);
    assert!(distribution.starts_with("The size of out-of-bag errors is not found to depend on"));
    assert!(!interval.contains("too narrow"), "{interval}");
    // Classes have no spread, and no quantiles.
    let classes = Target::classification(
        "y",
        vec!["no".into(), "yes".into()],
        x[0].iter().map(|a| u32::from(*a > 0.5)).collect(),
    );
    let columns = [Column::numeric("a", x[0].clone()), Column::numeric("b", x[1].clone())];
    let columns = columns.into_iter().collect::<Result<_, _>>().expect("finite");
    let of_classes = advice(&Dataset::new(columns, classes.expect("codes")).expect("fits"), 2);
    let ids: Vec<&str> = further(&of_classes).into_iter().map(|(id, _)| id).collect();
    assert!(ids.contains(&"rows") && !ids.contains(&"interval"), "{ids:?}");
}

#[test]
fn the_cells_of_table_2_are_told_apart() {
    let all = [[true; 2]; 3];
    let friedman = advice(&Friedman1::default().draw(600, 1).expect("a design"), 2);
    assert_eq!(table_2(&friedman), all, "independent");
    let example_1 = advice(&BenardExample1::default().draw(800, 2).expect("a design"), 2);
    assert_eq!(table_2(&example_1), [[false; 2]; 3], "dependence and interactions");
    for question in [("interaction", "explain friedman_h"), ("sets", "interactions")] {
        assert!(further(&example_1).contains(&question), "{question:?}");
    }
    assert_eq!(validity(&example_1.objectives[0], "sobol_mda"), Validity::Valid);
    // Dependent and additive.
    let mut numbers = Numbers(4);
    let (a, own, noise) =
        (uniform(&mut numbers, 600), uniform(&mut numbers, 600), uniform(&mut numbers, 600));
    let b: Vec<f64> = a.iter().zip(&own).map(|(a, own)| a + 0.3 * own).collect();
    let y = (0..600).map(|row| 2.0 * a[row] + b[row].powi(2) + 0.4 * noise[row]).collect();
    let additive = advice(&dataset(vec![("a", a), ("b", b), ("c", own)], y), 2);
    assert_eq!(table_2(&additive), [[false, true], [false, true], [true, false]]);
    assert_eq!(additive.objectives[1].recommended.as_deref(), Some("mda_breiman_cutler"));
}

#[test]
fn advice_does_not_depend_on_the_number_of_threads() {
    let data = BenardExample1::default().draw(120, 5).expect("a design");
    assert_eq!(advice(&data, 1), advice(&data, 3));
}

/// Every row of two independent inputs, of which one matters, twice: dependence and interactions are those of the rows
/// once.
#[test]
fn copies_of_rows_are_no_dependence() {
    let mut numbers = Numbers(9);
    let (a, b, e) =
        (uniform(&mut numbers, 200), uniform(&mut numbers, 200), uniform(&mut numbers, 200));
    let y = a.iter().zip(&e).map(|(a, e)| 3.0 * a + 4.0 * e).collect();
    let once = dataset(vec![("a", a), ("b", b)], y);
    let twice = once.select(&(0..400).map(|row| row % 200).collect::<Vec<u32>>()).expect("rows");
    let (once, twice) = (advice(&once, 2), advice(&twice, 2));
    assert!(once.summary[0].starts_with("No dependence between variables"), "{:?}", once.summary);
    assert_eq!(once.summary[0], twice.summary[0]);
    for id in ["dependence", "interactions"] {
        assert_eq!(finding(&once, id), finding(&twice, id));
    }
    assert_eq!(finding(&twice, "repeated_rows").concern, Concern::Serious);
}

#[test]
fn dependence_that_ranks_do_not_show_is_found() {
    let mut numbers = Numbers(5);
    let a = uniform(&mut numbers, 500);
    let b: Vec<f64> = a.iter().map(|a| (a - 0.5) * (a - 0.5)).collect();
    let c = uniform(&mut numbers, 500);
    let y = c.clone();
    let found = advice(&dataset(vec![("a", a), ("b", b), ("c", c)], y), 2);
    let dependence = finding(&found, "dependence");
    assert_eq!(dependence.concern, Concern::Serious);
    let words = "1 of 3 pairs of variables depends on each other by 0.2 or more: \"a\" and \"b\" \
                 (informational correlation ";
    assert!(dependence.sentence.starts_with(words), "{}", dependence.sentence);
    assert!(dependence.sentence.contains(", not monotone)"), "{}", dependence.sentence);
    assert_eq!(evidence(dependence, "dependent pairs"), 1.0);
    assert!(
        found.summary[0].starts_with("2 of 3 variables depend on others"),
        "{:?}",
        found.summary
    );
    let support = finding(&found, "support");
    assert_eq!(support.concern, Concern::Serious);
    assert!(support.sentence.ends_with("; with \"b\" it is 10 % or more."), "{}", support.sentence);
}

/// Only in rows of weight zero is b a copy of a.
#[test]
fn rows_of_weight_zero_do_not_depend() {
    let mut numbers = Numbers(5);
    let (a, mut b) = (uniform(&mut numbers, 400), uniform(&mut numbers, 400));
    b[200..].copy_from_slice(&a[200..]);
    let y = uniform(&mut numbers, 400);
    let weights = (0..400).map(|row| f64::from(u8::from(row < 200))).collect();
    let data = dataset(vec![("a", a), ("b", b)], y).with_weights(weights).expect("weights");
    let found = advice(&data, 2);
    for id in ["dependence", "support"] {
        assert_eq!(finding(&found, id).concern, Concern::None, "{id}");
    }
}

/// What the sentence calls clusters are those of `--group-by dependence` and of the report's map: the mean
/// dependence counts, and no chain of pairs.
#[test]
fn clusters_are_those_that_groups_are_made_of() {
    let mut numbers = Numbers(11);
    let n = 500;
    let normal = |numbers: &mut Numbers| -> Vec<f64> {
        let draws: Vec<Vec<f64>> = (0..12).map(|_| uniform(numbers, n)).collect();
        (0..n).map(|row| draws.iter().map(|draw| draw[row]).sum::<f64>() - 6.0).collect()
    };
    let mut columns = vec![normal(&mut numbers)];
    for _ in 0..3 {
        let (before, noise) = (columns[columns.len() - 1].clone(), normal(&mut numbers));
        columns.push(before.iter().zip(&noise).map(|(a, b)| 0.78 * a + 0.626 * b).collect());
    }
    let y = columns[0].clone();
    let named = ["a", "b", "c", "d"].into_iter().zip(columns).collect();
    let data = dataset(named, y);
    let found = advice(&data, 2);
    let run = &Run::on(Threads::new(1).expect("one"));
    let groups = suggest_groups(&data, GroupRule::Dependence { threshold: 0.7 }, run);
    let groups = groups.expect("four columns");
    let dependence = finding(&found, "dependence");
    assert_eq!(evidence(dependence, "clusters"), groups.len() as f64);
    let n_in_groups: usize = groups.iter().map(|group| group.columns.len()).sum();
    assert_eq!(evidence(dependence, "variables in clusters"), n_in_groups as f64);
    // A chain would join all four.
    assert!(groups.iter().all(|group| group.columns.len() < 4), "{groups:?}");
}

#[test]
fn leaks_and_identifiers_are_named() {
    let mut numbers = Numbers(6);
    let (a, b) = (uniform(&mut numbers, 300), uniform(&mut numbers, 300));
    let y: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    let copy = y.iter().map(|y| 3.0 * y - 1.0).collect();
    let number = (0..300).map(|row| f64::from(row * 7 % 300)).collect();
    let leaking =
        advice(&dataset(vec![("a", a.clone()), ("copy", copy), ("b", b.clone())], y.clone()), 2);
    let leak = finding(&leaking, "leakage");
    assert_eq!(
        (leak.concern, leak.variables.as_slice()),
        (Concern::Serious, &["copy".to_owned()][..])
    );
    assert_eq!(leaking.summary.len(), 3);
    let named = advice(&dataset(vec![("a", a), ("number", number), ("b", b)], y), 2);
    let identifier = finding(&named, "leakage");
    assert_eq!(identifier.concern, Concern::Minor);
    assert_eq!(identifier.variables, ["number"]);
}

#[test]
fn missingness_that_tells_the_target_is_found() {
    let mut numbers = Numbers(7);
    let (a, b, c) =
        (uniform(&mut numbers, 400), uniform(&mut numbers, 400), uniform(&mut numbers, 400));
    // b is missing where the target is large, c wherever it happens.
    let hidden: Vec<f64> =
        a.iter().zip(&b).map(|(a, b)| if *a > 0.7 { f64::NAN } else { *b }).collect();
    let lost: Vec<f64> =
        c.iter().enumerate().map(|(row, c)| if row % 9 == 0 { f64::NAN } else { *c }).collect();
    let y = a.clone();
    let found = advice(&dataset(vec![("a", a), ("hidden", hidden), ("lost", lost)], y), 2);
    let missing = finding(&found, "missingness");
    assert_eq!(missing.concern, Concern::Minor);
    assert_eq!(missing.variables, ["hidden"]);
    assert_eq!(evidence(missing, "variables with missing values"), 2.0);
}

#[test]
fn kinds_that_mdi_favours_are_found() {
    let mut numbers = Numbers(8);
    let many = uniform(&mut numbers, 300);
    let flag: Vec<f64> = (0..300).map(|_| f64::from(numbers.below(2))).collect();
    let y = uniform(&mut numbers, 300);
    let found = advice(&dataset(vec![("many", many), ("flag", flag)], y), 2);
    let kinds = finding(&found, "cardinality");
    assert_eq!(
        (kinds.concern, kinds.variables.as_slice()),
        (Concern::Serious, &["many".to_owned()][..])
    );
    let influence = &found.objectives[1];
    assert_eq!(validity(influence, "mdi"), Validity::Invalid);
    // The target is noise.
    assert_eq!(finding(&found, "weak_forest").concern, Concern::Serious);
    assert!(influence.is_thin);
}

#[test]
fn rare_classes_are_found() {
    let mut numbers = Numbers(9);
    let (a, b) = (uniform(&mut numbers, 300), uniform(&mut numbers, 300));
    let codes = a.iter().map(|a| u32::from(*a > 0.96)).collect();
    let classes = vec!["often".to_owned(), "seldom".to_owned()];
    let columns = [("a", a), ("b", b)].map(|(name, values)| Column::numeric(name, values));
    let columns = columns.into_iter().collect::<Result<_, _>>().expect("finite");
    let target = Target::classification("y", classes, codes).expect("two classes");
    let found = advice(&Dataset::new(columns, target).expect("consistent"), 2);
    let rare = finding(&found, "imbalance");
    assert_eq!(rare.concern, Concern::Minor);
    assert!(rare.sentence.contains("\"seldom\""), "{}", rare.sentence);
}

#[test]
fn tables_of_which_little_can_be_told_say_so() {
    // Few rows; a constant target; one column; rows in clusters.
    let few = advice(
        &dataset(vec![("a", vec![1.0, 2.0, 3.0]), ("b", vec![3.0, 1.0, 2.0])], vec![1.0, 2.0, 3.0]),
        1,
    );
    assert_eq!(finding(&few, "dependence").concern, Concern::Unknown);
    assert_eq!(finding(&few, "interactions").concern, Concern::Unknown);
    assert!(few.objectives.iter().all(|objective| objective.is_thin));
    assert_eq!(validity(&few.objectives[1], "mda_breiman_cutler"), Validity::Careful);
    let mut numbers = Numbers(10);
    let (a, b) = (uniform(&mut numbers, 100), uniform(&mut numbers, 100));
    let constant = advice(&dataset(vec![("a", a.clone()), ("b", b)], vec![1.0; 100]), 1);
    assert_eq!(finding(&constant, "interactions").concern, Concern::Unknown);
    assert_eq!(finding(&constant, "weak_forest").concern, Concern::Unknown);
    assert_eq!(constant.summary.len(), 1);
    assert!(
        constant.summary[0].starts_with("The target \"y\" is constant"),
        "{}",
        constant.summary[0]
    );
    let alone = advice(&dataset(vec![("a", a.clone())], a), 1);
    assert_eq!(finding(&alone, "interactions").concern, Concern::None);
    assert_eq!(finding(&alone, "dependence").concern, Concern::None);
    let data = Friedman1::default().draw(200, 1).expect("a design");
    let clustered = data.with_clusters((0..200).map(|row| row / 4).collect()).expect("codes");
    assert_eq!(finding(&advice(&clustered, 1), "interactions").concern, Concern::Unknown);
}

/// Weights are taken as counts of rows in the fits; rows without weight change nothing there.
#[test]
fn categories_weights_and_groups_are_taken() {
    let data = Friedman1::default().draw(300, 4).expect("a design");
    let Response::Regression(y) = data.target().response() else { panic!("a number") };
    let levels = (0..3).map(|level| format!("level {level}")).collect();
    let codes = (0..300).map(|row| row % 3).collect();
    let mut columns = data.features().columns().to_vec();
    columns.push(Column::categorical("level", levels, codes).expect("levels"));
    let target = Target::regression("y", y.clone()).expect("finite");
    let weights = (0..300).map(|row| f64::from(row % 4)).collect();
    let groups = [("both".to_owned(), vec!["x1".to_owned(), "level".to_owned()])];
    let data = Dataset::new(columns, target).expect("consistent");
    let data = data.with_weights(weights).expect("weights").with_groups(&groups).expect("a group");
    let found = advice(&data, 2);
    assert_eq!(evidence(finding(&found, "dependence"), "pairs tested"), 45.0);
    assert_eq!(evidence(finding(&found, "interactions"), "rows used"), 225.0);
}

#[test]
fn levels_out_of_range_are_refused() {
    for level in [0.0, 1.0, -0.1, f64::NAN] {
        let refused = AdviceSettings { level, ..AdviceSettings::default() }.validate();
        assert!(matches!(refused, Err(Error::Setting { .. })), "{level}");
    }
}

/// A function without noise: the same measures, by another command.
#[test]
fn few_rows_of_a_smooth_function_are_found() {
    let data = Friedman1 { n_columns: 10, noise: 0.0 }.draw(100, 1).expect("a design");
    let found = advice(&data, 2);
    let finding = finding(&found, "small_and_smooth");
    assert_eq!(finding.concern, Concern::Serious, "{finding:?}");
    let process = "a Gaussian process explains more than 99.9 % of the variance of rows that";
    assert!(finding.sentence.contains(process), "{}", finding.sentence);
    assert!(finding.consequence.contains("`surrogate`"), "{}", finding.consequence);
    assert!(found.summary[2].starts_with("The table is small and the target smooth"));
    for objective in &found.objectives {
        let measure = objective.recommended.as_deref().expect("a measure");
        assert_eq!(objective.command, format!("surrogate {measure}"));
        assert!(objective.reason.contains("Gaussian process"), "{}", objective.reason);
    }
}
