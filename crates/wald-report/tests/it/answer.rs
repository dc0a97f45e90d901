//! What matters: shares of variables and of groups, from all of a forest or from part of it.

use wald::data::{Column, Target};
use wald::measure::{MeasureSettings, Part};
use wald::memory::Size;
use wald::message::Neutral;
use wald::{Dataset, ForestConfig, Measure, MeasureId, Run};
use wald_report::{Adds, Answer, Content, Depth, Parts, Quiet, unasked};

use crate::parts::{copies, measure, study};
use crate::support::{Numbers, Shape, assert_close, dataset, grow, threads};

const LEADING: [MeasureId; 3] = [MeasureId::Mdi, MeasureId::MdaBreimanCutler, MeasureId::SobolMda];

fn answer(data: &Dataset, config: &ForestConfig, ids: &[MeasureId]) -> Answer {
    let measures: Vec<Measure> = ids.iter().copied().map(measure).collect();
    let study = study(data, config, measures);
    let front = Quiet { run: &Run::on(threads()), wording: &Neutral, free: None };
    let content = Content { depth: Depth::Answer, ..Content::default() };
    let parts = Parts::make(&study, content, &front).expect("no defect");
    assert_eq!(parts.advice, None, "nothing else is made");
    parts.answer.expect("an answer")
}

/// A group's share is the measure of its columns as one variable, those of its members are what each
/// adds alone.
#[test]
fn groups_have_their_joint_share_and_members_what_they_add_alone() {
    let data = copies(400);
    let config = ForestConfig { n_trees: 60, ..ForestConfig::default() };
    let found = answer(&data, &config, &LEADING);
    let forest = grow(&data, &config);
    let run = &Run::on(threads());
    let of = |data: &Dataset| {
        forest
            .measure(data, &[measure(MeasureId::SobolMda)], run)
            .expect("applies")
            .importances
            .remove(0)
    };
    let alone = of(&data);
    let together = data.clone().with_groups(&[("ab".to_owned(), vec!["a".into(), "b".into()])]);
    let joint = of(&together.expect("columns"));
    let first = &found.entries[0];
    assert_eq!((first.name.as_str(), found.entries.len()), ("a, b", 3));
    assert_close(first.share.expect("defined"), joint.values[0].expect("defined"), "joint");
    for member in &first.members {
        let at = data.features().names().iter().position(|name| *name == member.name);
        let at = at.expect("a column");
        assert_eq!(member.share, alone.values[at]);
        assert!(member.share < Some(0.2 * first.share.expect("defined")), "{member:?}");
    }
    assert_eq!(first.finding, Adds::Something);
    assert!(found.sentences[0].starts_with("Of the variance of y, the group (b, a) accounts for"));
    assert!(
        found.sentences[0].contains("; the share of d is below zero: "),
        "{:?}",
        found.sentences
    );
    // The same where other measures were requested, but for the measure that leads.
    let other = answer(&data, &config, &[MeasureId::Mdi]);
    assert_eq!(other, found);
}

/// Reports have beside every share what the variable explains by itself; one of two copies explains much by
/// itself, and adds little.
#[test]
fn variables_have_their_first_order_indices() {
    let data = copies(400);
    let config = ForestConfig { n_trees: 60, ..ForestConfig::default() };
    let at_depth = |depth: Depth| {
        let study = study(&data, &config, LEADING.map(measure).to_vec());
        let front = Quiet { run: &Run::on(threads()), wording: &Neutral, free: None };
        let content = Content { depth, ..Content::default() };
        Parts::make(&study, content, &front).expect("no defect").answer.expect("an answer")
    };
    let run = &Run::on(threads());
    let found = wald::work::first_order(&grow(&data, &config), &data, run).expect("applies");
    let errors = found.total_errors.as_ref().expect("of trees and rows");
    let report = at_depth(Depth::Quick);
    assert_eq!(report.entries[0].first_order, None, "of a group");
    let singles = report.entries.iter().flat_map(|entry| match &entry.members[..] {
        [] => std::slice::from_ref(entry),
        members => members,
    });
    for entry in singles {
        let at = data.features().names().iter().position(|name| *name == entry.name);
        let at = at.expect("a column");
        let first = entry.first_order.expect("measured");
        assert_eq!(Some(first.share), found.values[at]);
        let half = 1.96 * errors[at].expect("of trees and rows");
        assert_close(first.high.expect("an interval"), first.share + half, "the upper end");
    }
    let first = report.entries[0].members[0].first_order.expect("measured");
    assert!(first.share > 0.5 * report.entries[0].share.expect("defined"), "{report:?}");
    // The command that only answers does not measure it.
    let answer = at_depth(Depth::Answer);
    assert!(answer.entries[0].members.iter().all(|member| member.first_order.is_none()));
}

#[test]
fn forests_without_splits_say_so_everywhere() {
    let data = copies(40);
    let config = ForestConfig { n_trees: 5, min_leaf_size: 1000, ..ForestConfig::default() };
    let found = answer(&data, &config, &LEADING);
    assert!(found.sentences[0].contains("no tree has a split"), "{:?}", found.sentences);
    let forest = grow(&data, &config);
    let mut measures: Vec<Measure> = LEADING.map(measure).to_vec();
    measures.push(measure(MeasureId::ShapleyEffects));
    measures.push(measure(MeasureId::TreeShap));
    let run = &Run::on(threads());
    let measured = forest.measure(&data, &measures, run).expect("applies");
    for importance in measured.importances {
        let notes = importance.notes.iter().filter(|note| note.starts_with("no tree has a split"));
        assert_eq!(notes.count(), 1, "{}: {:?}", importance.id, importance.notes);
    }
}

/// Forests that parts are compared in.
const SEEDS: u64 = 40;

fn noisy(n_rows: usize, seed: u64) -> Dataset {
    let mut numbers = Numbers(seed);
    let mut rows = [const { Vec::new() }; 5];
    for _ in 0..n_rows {
        let [a, b, c, d] = [(); 4].map(|()| numbers.unit());
        let y = 3.0 * a + (if b > 0.5 { c } else { 0.0 }) + numbers.unit();
        rows.iter_mut().zip([a, b, c, d, y]).for_each(|(column, value)| column.push(value));
    }
    let [a, b, c, d, y] = rows;
    let columns = [("a", a), ("b", b), ("c", c), ("d", d)];
    let columns = columns.map(|(name, values)| Column::numeric(name, values).expect("finite"));
    Dataset::new(columns.to_vec(), Target::regression("y", y).expect("finite")).expect("equal")
}

/// The value of part of a forest estimates that of all of it: its intervals cover that, and it is not off
/// on average, although few trees predict worse than many.
#[test]
fn values_from_part_of_a_forest_are_those_of_all_within_their_errors() {
    let some_rows = "from 150 of 300 rows, 30 of 120 trees";
    compare_part(MeasureId::SobolMda, some_rows);
    compare_part(MeasureId::ShapleyEffects, some_rows);
    compare_part(MeasureId::TotalSobolRegrow, "from all 300 rows, 30 of 120 trees");
}

fn compare_part(id: MeasureId, words: &str) {
    let part = Part { n_trees: 30, n_rows: 150 };
    let (mut n, mut covered, mut sum) = (0.0, 0.0, [0.0; 4]);
    for seed in 0..SEEDS {
        let data = noisy(300, seed + 1);
        let forest = grow(&data, &ForestConfig { n_trees: 120, seed, ..ForestConfig::default() });
        let settings = MeasureSettings { seed, ..MeasureSettings::default() };
        let all = Measure::new(id, settings).expect("applies");
        let some = all.with_part(part);
        let run = &Run::on(threads());
        let found = forest.measure(&data, &[all, some], run).expect("applies").importances;
        let errors = found[1].standard_errors.as_ref().expect("many trees");
        for group in 0..4 {
            let of = |at: usize| found[at].values[group].expect("defined");
            let error = errors[group].expect("defined");
            let away = (of(1) - of(0)) / error;
            n += 1.0;
            covered += if away.abs() <= 1.96 { 1.0 } else { 0.0 };
            sum[group] += away;
        }
        assert_eq!(found[1].notes[0], words);
    }
    let share = covered / n;
    assert!((0.9..=0.999).contains(&share), "{share} are covered");
    for sum in sum {
        // A standard deviation of at most one, over forty forests.
        assert!((sum / SEEDS as f64).abs() < 0.5, "off by {} errors", sum / SEEDS as f64);
    }
}

/// Levels, weights and classes go the same ways; all trees and rows are no part.
#[test]
fn all_of_a_forest_is_no_part_of_it() {
    for n_classes in [0, 3] {
        let shape = Shape { n_rows: 120, n_classes, missing: true, weights: true, seed: 4 };
        let data = dataset(shape);
        let forest = grow(&data, &ForestConfig { n_trees: 40, ..ForestConfig::default() });
        let run = &Run::on(threads());
        for id in [MeasureId::SobolMda, MeasureId::TotalSobolRegrow, MeasureId::MdaBreimanCutler] {
            let all = measure(id);
            let same = all.with_part(Part { n_trees: 40, n_rows: 120 });
            let some = all.with_part(Part { n_trees: 35, n_rows: 120 });
            let found =
                forest.measure(&data, &[all, same, some], run).expect("applies").importances;
            assert_eq!(found[0], found[1]);
            let errors = found[2].standard_errors.as_ref().expect("many trees");
            for (group, error) in errors.iter().enumerate() {
                let of = |at: usize| found[at].values[group].expect("defined");
                let (away, error) = ((of(2) - of(0)).abs(), error.expect("defined"));
                assert!(away <= 2.0 * error, "{id:?} {group}: {away} beside {error}");
            }
        }
    }
}

#[test]
fn what_nobody_named_looks_at_part_of_large_forests() {
    let part = |id, n_rows| {
        unasked(measure(id), n_rows, 500, &Size::default()).expect("little").settings().part
    };
    assert_eq!(part(MeasureId::Mdi, 1_000_000), None);
    for id in [MeasureId::SobolMda, MeasureId::MdaBreimanCutler] {
        assert_eq!(part(id, 3_000), Some(Part { n_trees: 500, n_rows: 3_000 }));
        assert_eq!(part(id, 50_000), Some(Part { n_trees: 32, n_rows: 50_000 }));
        assert_eq!(part(id, 10_000_000), Some(Part { n_trees: 30, n_rows: 10_000_000 }));
    }
}

/// In clusters of noise, rows of a cluster are alike by chance: as the advice does, the answer takes the error
/// of what the forest explains over clusters, and names no variable where that may be zero.
#[test]
fn forests_that_explain_nothing_beyond_chance_name_no_variable() {
    let config = ForestConfig { n_trees: 30, ..ForestConfig::default() };
    let (mut n_positive, mut n_claims) = (0, 0);
    for seed in 0..40 {
        let mut numbers = Numbers(1000 + seed);
        let of_clusters: Vec<[f64; 2]> =
            (0..15).map(|_| [numbers.unit(), numbers.unit()]).collect();
        let rows: Vec<usize> = (0..150).map(|row| row / 10).collect();
        let columns = vec![
            Column::numeric("z", rows.iter().map(|&of| of_clusters[of][0]).collect()),
            Column::numeric("x", (0..150).map(|_| numbers.unit()).collect()),
        ];
        let columns = columns.into_iter().collect::<Result<Vec<_>, _>>().expect("finite");
        let y = rows.iter().map(|&of| of_clusters[of][1] + 0.3 * numbers.unit()).collect();
        let data = Dataset::new(columns, Target::regression("y", y).expect("finite"));
        let clusters = rows.iter().map(|&of| of as u32).collect();
        let data = data.expect("consistent").with_clusters(clusters).expect("a cluster per row");
        let found = answer(&data, &config, &LEADING);
        n_positive += usize::from(found.sentences[0].starts_with("The forest explains"));
        n_claims += usize::from(found.entries.iter().any(|one| one.finding == Adds::Something));
    }
    assert_eq!(n_claims, 0, "and {n_positive} forests that explain something, not beyond chance");
    assert!(n_positive > 0);
}

/// Of rows in clusters, these are what the table is a sample of: their number decides how wide intervals are.
#[test]
fn intervals_of_rows_in_clusters_are_those_of_a_sample_of_clusters() {
    let mut numbers = Numbers(12);
    let of_clusters: Vec<[f64; 2]> = (0..30).map(|_| [numbers.unit(), numbers.unit()]).collect();
    let of = |row: usize| of_clusters[row / 10];
    let column = Column::numeric("x", (0..300).map(|row| of(row)[0]).collect()).expect("finite");
    let y = (0..300).map(|row| 2.0 * of(row)[0] + of(row)[1] + 0.5 * numbers.unit()).collect();
    let target = Target::regression("y", y).expect("finite");
    let rows = Dataset::new(vec![column], target).expect("consistent");
    let clusters = (0..300).map(|row| row / 10).collect();
    let clustered = rows.with_clusters(clusters).expect("a cluster per row");
    let config = ForestConfig { n_trees: 50, ..ForestConfig::default() };
    let found = answer(&clustered, &config, &LEADING);
    let entry = &found.entries[0];
    let error = entry.standard_error.expect("of trees and clusters");
    let width = entry.high.expect("an end") - entry.low.expect("an end");
    // Student's distribution with 29 degrees of freedom has .975 below 2.04523.
    assert!((width / (2.0 * error) - 2.045_23).abs() < 1e-5, "{entry:?}");
    let interval = found.interval.expect("intervals");
    assert!(interval.contains("of fewer than 100 clusters"), "{interval}");
    assert!(interval.contains("of the clusters in the table"), "{interval}");
    let how_sure = found.sentences.iter().find(|sentence| sentence.contains("95 %"));
    let how_sure = how_sure.expect("a sentence");
    assert!(how_sure.contains("that of a sample of clusters (30 of 300 rows)"), "{how_sure}");
    assert!(how_sure.contains("with so few clusters they are approximate"), "{how_sure}");
}
