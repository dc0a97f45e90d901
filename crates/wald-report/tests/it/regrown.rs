//! Shares of what a forest hides, by trees that are grown again.

use wald::data::{Column, Target};
use wald::measure::Part;
use wald::message::Neutral;
use wald::simulate::Numbers;
use wald::{Dataset, ForestConfig, Importance, MeasureId, Run};
use wald_report::{Answer, AnswerEntry, Content, Depth, Parts, Quiet};

use crate::parts::{measure, study};
use crate::support::{grow, threads};

/// `a` and `b` are nearly the same, and `c` could take the place of both, as `w` could take that of `x`; but
/// their largest values are below the others, so that ranks hardly depend on each other, and trees in which all
/// variables compete at every node hardly use them. `n` is irrelevant.
fn hiding(n_rows: usize) -> Dataset {
    let mut numbers = Numbers::new(3, 0);
    let mut rows = [const { Vec::new() }; 7];
    for _ in 0..n_rows {
        let [z, x, n] = [(); 3].map(|()| numbers.normal());
        let mut near = |of: f64, error: f64| of + error * numbers.normal();
        let shifted = |of: f64| if of > 0.8 { of - 6.0 } else { of };
        let (a, b) = (near(z, 0.1), near(z, 0.1));
        let (c, w) = (near(shifted(z), 0.3), near(shifted(x), 0.3));
        let row = [a, b, c, x, w, n, near(2.0 * z + 1.5 * x, 0.5)];
        rows.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
    }
    let [a, b, c, x, w, n, y] = rows;
    let columns = [("a", a), ("b", b), ("c", c), ("x", x), ("w", w), ("n", n)];
    let columns = columns.map(|(name, values)| Column::numeric(name, values).expect("finite"));
    Dataset::new(columns.to_vec(), Target::regression("y", y).expect("finite")).expect("equal")
}

fn answered(data: &Dataset, config: &ForestConfig, free: Option<u64>) -> Answer {
    let study = study(data, config, vec![measure(MeasureId::SobolMda)]);
    let front = Quiet { run: &Run::on(threads()), wording: &Neutral, free };
    let content = Content { depth: Depth::Answer, ..Content::default() };
    Parts::make(&study, content, &front).expect("no defect").answer.expect("an answer")
}

fn named<'a>(answer: &'a Answer, name: &str) -> &'a AnswerEntry {
    answer.entries.iter().find(|entry| entry.name == name).expect("an entry")
}

/// Both measures of a table in which `a` and `b` are one variable, from so many trees.
fn of_groups(data: &Dataset, config: &ForestConfig, n_trees: usize) -> [Importance; 2] {
    let groups = [("a, b".to_owned(), vec!["a".to_owned(), "b".to_owned()])];
    let grouped = data.clone().with_groups(&groups).expect("columns");
    let again =
        measure(MeasureId::TotalSobolRegrow).with_part(Part { n_trees, n_rows: data.n_rows() });
    let measures = [measure(MeasureId::SobolMda), again];
    let measured = grow(data, config).measure(&grouped, &measures, &Run::on(threads()));
    measured.expect("applies").importances.try_into().expect("two measures")
}

/// A variable and a group have the share of trees that are grown again without them, from all trees of a small
/// table; those of which nothing is hidden keep theirs.
#[test]
fn what_is_hidden_has_the_share_of_trees_that_are_grown_again() {
    let data = hiding(300);
    let config = ForestConfig { n_trees: 200, mtry: Some(6), ..ForestConfig::default() };
    let found = answered(&data, &config, None);
    let [projected, again] = of_groups(&data, &config, 200);
    for name in ["a, b", "x"] {
        let at = again.names.iter().position(|other| other == name).expect("a group");
        let entry = named(&found, name);
        assert_eq!(entry.share, again.values[at], "{name}");
        assert_eq!(entry.standard_error, again.total_errors.as_ref().expect("errors")[at]);
        assert_eq!(entry.masked_share, projected.values[at], "{name}");
        assert_eq!(entry.too_large_by, None, "{name}");
        let half = 1.96 * entry.standard_error.expect("defined");
        let (share, low) = (entry.share.expect("defined"), entry.low.expect("defined"));
        assert!((share - half - low).abs() < 1e-12, "{entry:?}");
    }
    assert_eq!(named(&found, "n").masked_share, None);
    let shares: Vec<_> = found.entries.iter().map(|entry| entry.share).collect();
    assert!(shares.is_sorted_by(|one, other| one >= other), "{shares:?}");
    let sentence = &found.sentences[1];
    assert!(sentence.contains("(masking)") && sentence.contains("200 trees"), "{sentence}");
    let named_ones = "Those of x (Sobol-MDA: 0.212) and the group (a, b) (0.369) are";
    assert!(sentence.contains(named_ones), "{sentence}");
}

/// Of larger tables, the first trees stand for all of them.
#[test]
fn of_large_tables_some_trees_are_grown_again() {
    let data = hiding(5000);
    let config = ForestConfig { n_trees: 120, mtry: Some(6), ..ForestConfig::default() };
    let found = answered(&data, &config, None);
    let members = found.entries.iter().flat_map(|entry| &entry.members);
    let all = found.entries.iter().chain(members);
    let n_sets = all.filter(|entry| entry.masked_share.is_some()).count();
    // 1,600,000 rows of trees.
    let n_trees = 320 / n_sets;
    assert!((30..120).contains(&n_trees), "{n_sets}");
    let [_, again] = of_groups(&data, &config, n_trees);
    let at = again.names.iter().position(|other| other == "a, b").expect("a group");
    assert_eq!(named(&found, "a, b").share, again.values[at]);
    let sentence = &found.sentences[1];
    assert!(sentence.contains(&format!("from {n_trees} trees that were")), "{sentence}");
}

/// What cannot be grown again is reported to be too large.
#[test]
fn shares_that_are_not_found_by_growing_again_are_too_large() {
    let data = hiding(300);
    let config = ForestConfig { n_trees: 200, mtry: Some(6), ..ForestConfig::default() };
    let found = answered(&data, &config, Some(1000));
    let [projected, _] = of_groups(&data, &config, 200);
    let at = projected.names.iter().position(|other| other == "x").expect("a group");
    let entry = named(&found, "x");
    assert_eq!((entry.share, entry.masked_share), (projected.values[at], None));
    let (excess, share) = (entry.too_large_by.expect("masking"), entry.share.expect("defined"));
    let least = share - excess - 1.96 * entry.standard_error.expect("defined");
    assert!((entry.low.expect("defined") - least).abs() < 1e-12, "{entry:?}");
    assert!(found.sentences[1].contains("these shares are too large: "), "{:?}", found.sentences);
}
