//! The parts of a report against the measures, procedures and papers that they are made of.

use std::sync::Arc;

use wald::data::{Column, Target};
use wald::explain::{GridSize, Rows};
use wald::inference::{Confidence, Observed, Subsampling, subsampling};
use wald::measure::MeasureSettings;
use wald::message::Neutral;
use wald::selection::SelectionState;
use wald::{
    Dataset, ExplanationId, ExplanationSettings, Forest, ForestConfig, Measure, MeasureId, Origin,
    Run, SelectionConfig, select,
};
use wald_report::{
    Content, CurvePlaces, Depth, Page, Parts, Quiet, Report, Study, VariableDisagreement,
};

use crate::support::{Numbers, Shape, dataset, threads};

pub fn measure(id: MeasureId) -> Measure {
    Measure::new(id, MeasureSettings::default()).expect("defaults")
}

fn leading() -> Vec<Measure> {
    [MeasureId::Mdi, MeasureId::MdaBreimanCutler, MeasureId::SobolMda].map(measure).to_vec()
}

pub struct Made {
    study: Study,
    parts: Parts,
}

impl Made {
    pub fn forest(&self) -> &Forest {
        self.study.forest().expect("kept")
    }

    pub fn variable(&self, name: &str) -> &VariableDisagreement {
        let disagreement = self.parts.disagreement.as_ref().expect("made");
        disagreement.variables.iter().find(|variable| variable.name == name).expect("compared")
    }
}

/// A forest that was grown and measured, with its trees.
pub fn study(data: &Dataset, config: &ForestConfig, measures: Vec<Measure>) -> Study {
    let front = Quiet { run: &Run::on(threads()), wording: &Neutral, free: None };
    let (data, origin) = (Arc::new(data.clone()), Origin::Settings(config));
    Study::new(&data, origin, measures, Depth::Full, &front).expect("valid settings")
}

fn make(study: &Study, content: Content<'_>, free: Option<u64>) -> Parts {
    let front = Quiet { run: &Run::on(threads()), wording: &Neutral, free };
    Parts::make(study, content, &front).expect("no defect")
}

pub fn made(data: &Dataset, config: &ForestConfig, depth: Depth) -> Made {
    let study = study(data, config, leading());
    let parts = make(&study, Content { depth, ..Content::default() }, None);
    Made { study, parts }
}

/// `b` is `a` but for a little; `c` is independent; `d` is irrelevant.
pub fn copies(n_rows: usize) -> Dataset {
    let mut numbers = Numbers(5);
    let mut rows = [const { Vec::new() }; 5];
    for _ in 0..n_rows {
        let (a, c) = (numbers.unit(), numbers.unit());
        let y = 2.0 * a + c + 0.2 * numbers.unit();
        let row = [a, a + 0.02 * numbers.unit(), c, numbers.unit(), y];
        rows.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
    }
    let [a, b, c, d, y] = rows;
    let columns = [("a", a), ("b", b), ("c", c), ("d", d)];
    let columns = columns.map(|(name, values)| Column::numeric(name, values).expect("finite"));
    Dataset::new(columns.to_vec(), Target::regression("y", y).expect("finite")).expect("equal")
}

#[test]
fn variables_that_depend_stand_together() {
    let shape = Shape { n_rows: 200, n_classes: 0, missing: true, weights: false, seed: 9 };
    for data in [copies(150), dataset(shape)] {
        let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
        let map = made(&data, &config, Depth::Quick).parts.dependence.expect("several variables");
        let n = map.variables.len();
        assert_eq!((n, map.merges.len()), (data.n_features(), n - 1));
        let columns = data.features().names();
        let places: Vec<usize> = map
            .variables
            .iter()
            .map(|name| columns.iter().position(|known| known == name).expect("a column"))
            .collect();
        let run = &Run::on(threads());
        let known = wald::grouping::dependences(&data, run).expect("few columns").values;
        for (row, &one) in places.iter().enumerate() {
            for (column, &other) in places.iter().enumerate() {
                let difference = map.values[row][column] - known[one * n + other];
                assert!(difference.abs() < 1e-12);
            }
        }
        for merge in &map.merges {
            // Both parts are leaves or were merged before; their mean dependence is that of the merge.
            assert!(merge.first < merge.middle && merge.middle < merge.end && merge.end <= n);
            for (start, end) in [(merge.first, merge.middle), (merge.middle, merge.end)] {
                let is_made = |other: &wald_report::Merge| {
                    (other.first, other.end) == (start, end) && other.dependence >= merge.dependence
                };
                assert!(end - start == 1 || map.merges.iter().any(is_made));
            }
            let pairs = (merge.first..merge.middle)
                .flat_map(|one| (merge.middle..merge.end).map(move |other| (one, other)));
            let (count, sum) = pairs.fold((0.0, 0.0), |(count, sum), (one, other)| {
                (count + 1.0, sum + map.values[one][other])
            });
            assert!((sum / count - merge.dependence).abs() < 1e-9);
        }
        assert!(map.merges.is_sorted_by(|one, other| one.dependence >= other.dependence));
        for cluster in &map.clusters {
            let start = map.variables.iter().position(|name| name == &cluster[0]).expect("shown");
            assert_eq!(&map.variables[start..start + cluster.len()], cluster.as_slice());
        }
    }
    let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
    let map = made(&copies(150), &config, Depth::Quick).parts.dependence.expect("four variables");
    let [cluster] = map.clusters.as_slice() else { panic!("{:?}", map.clusters) };
    assert!(cluster.len() == 2 && cluster.iter().all(|name| ["a", "b"].contains(&name.as_str())));
}

#[test]
fn curves_are_those_of_pdp_and_ice() {
    for n_classes in [0, 2, 4] {
        let shape = Shape { n_rows: 130, n_classes, missing: true, weights: true, seed: 6 };
        let data = dataset(shape);
        let config = ForestConfig { n_trees: 15, ..ForestConfig::default() };
        let made = made(&data, &config, Depth::Quick);
        assert_eq!(made.parts.variables.len(), data.n_features());
        for page in &made.parts.variables {
            let settings = ExplanationSettings {
                variables: vec![page.name.clone()],
                // Fewer where there is a curve per class.
                grid: GridSize::AtMost(if n_classes > 2 { 24 } else { 40 }),
                ..ExplanationSettings::default()
            };
            let records = |id| {
                let explainer = made.forest().explainer(&data, Rows::Training, id, &settings);
                let mut records: Vec<Vec<f64>> = Vec::new();
                let explainer = explainer.expect("applies");
                let run = &Run::on(threads());
                explainer.run(run, |_, record| records.push(record.to_vec())).expect("no defect");
                (records, explainer.layout().n_outputs())
            };
            let (pdp, n_outputs) = records(ExplanationId::Pdp);
            let (ice, _) = records(ExplanationId::Ice);
            let classes = made.forest().target().classes.clone().unwrap_or_default();
            assert_eq!(page.curves.len(), if n_classes == 4 { 3 } else { 1 });
            for curve in &page.curves {
                let output = curve.class.as_ref().map_or(0, |class| {
                    classes.iter().position(|known| known == class).expect("a class")
                });
                let n_places = match &curve.places {
                    CurvePlaces::Numeric { values, .. } => values.len(),
                    CurvePlaces::Categorical { levels } => levels.len(),
                };
                let along = |record: &[f64]| -> Vec<f64> {
                    (0..n_places).map(|place| record[place * n_outputs + output]).collect()
                };
                assert_eq!(curve.mean, along(&pdp[0]), "{}", page.name);
                assert_eq!(curve.rows.len(), 20 / page.curves.len());
                for row in &curve.rows {
                    assert!(ice.iter().any(|record| along(record) == *row));
                }
            }
        }
    }
}

#[test]
fn the_selection_is_that_of_select() {
    let data = copies(120);
    let config = ForestConfig { n_trees: 20, seed: 3, ..ForestConfig::default() };
    let made = made(&data, &config, Depth::Full);
    let curve = made.parts.selection.expect("small enough");
    let selection =
        SelectionConfig { folds: 5, ..SelectionConfig::new(config, measure(MeasureId::SobolMda)) };
    let run = &Run::on(threads());
    let state = SelectionState::new(&data, &selection);
    let found = select(&data, &selection, state, |_| {}, run).expect("valid");
    assert_eq!(curve.measure, "sobol_mda");
    assert_eq!(curve.points.len(), 4);
    for (point, known) in curve.points.iter().zip(found.curve.iter().rev()) {
        assert_eq!(point.n_variables, known.n_variables);
        assert_eq!((point.error, point.standard_error), (known.error, known.standard_error));
    }
    assert_eq!((curve.best, curve.enough), (found.best_size, found.one_standard_error_size));
    let mut kept = curve.kept.clone();
    let names = found.kept(curve.enough).into_iter().map(|at| found.variables[at].clone());
    let mut known: Vec<String> = names.collect();
    kept.sort();
    known.sort();
    assert_eq!(kept, known);
}

#[test]
fn intervals_are_those_of_subsampling() {
    let data = copies(120);
    let config = ForestConfig { n_trees: 20, ..ForestConfig::default() };
    let made = made(&data, &config, Depth::Full);
    let run = &Run::on(threads());
    let settings = Subsampling { n_subsamples: 30, fraction: 0.5, n_trees: Some(20) };
    let measures = leading();
    let sampled =
        subsampling(&data, &config, Observed::new(&measures, &[]), &settings, run).expect("valid");
    let report = report(&made);
    let confidence = Confidence::new(0.9).expect("a probability");
    for shown in &report.measures {
        let at = measures.iter().position(|measure| measure.id().info().id == shown.id);
        let at = at.expect("asked for");
        let known = sampled[at].intervals(&made.study.measured.importances[at], confidence);
        assert!(shown.sampling.as_ref().is_some_and(|words| words.contains("30 forests")));
        for variable in &shown.ranking {
            let place = data.features().names().iter().position(|name| *name == variable.name);
            let place = place.expect("a column");
            let sampling = variable.sampling.expect("found");
            let interval = known.each[place].expect("found");
            assert_eq!((sampling.low, sampling.high), (interval.low, interval.high));
            let rank = known.ranks.as_ref().expect("few variables")[place].expect("found");
            let ranks = (sampling.lowest_rank, sampling.highest_rank);
            assert_eq!(ranks, (Some(rank.low), Some(rank.high)));
            assert_eq!(Some(sampling.standard_error), sampled[at].standard_errors[place]);
        }
    }
}

fn report(made: &Made) -> Report {
    let page = Page { source: "table.csv".to_owned(), ..Page::default() };
    Report::build(&made.study, made.parts.clone(), page).expect("settings that fit")
}

/// `b` is `a` but for a little, and `c` decides which way `a` goes.
fn interacting(n_rows: usize) -> Dataset {
    let mut numbers = Numbers(6);
    let mut rows = [const { Vec::new() }; 4];
    for _ in 0..n_rows {
        let (a, c) = (numbers.unit(), numbers.unit());
        let y = 8.0 * (a - 0.5) * (c - 0.5) + 0.1 * numbers.unit();
        let row = [a, a + 0.02 * numbers.unit(), c, y];
        rows.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
    }
    let [a, b, c, y] = rows;
    let columns = [("a", a), ("b", b), ("c", c)];
    let columns = columns.map(|(name, values)| Column::numeric(name, values).expect("finite"));
    Dataset::new(columns.to_vec(), Target::regression("y", y).expect("finite")).expect("equal")
}

/// Whoever asked for what, the page shows the measures that it recommends.
#[test]
fn what_is_recommended_is_shown() {
    let (data, config) =
        (interacting(300), ForestConfig { n_trees: 30, ..ForestConfig::default() });
    let made = made(&data, &config, Depth::Full);
    let advice = made.parts.advice.clone().expect("several variables");
    let found = report(&made);
    let advised: Vec<&String> =
        advice.objectives.iter().filter_map(|objective| objective.recommended.as_ref()).collect();
    assert!(advised.iter().any(|id| *id == "shapley_effects"), "{advised:?}");
    for id in advised {
        assert!(found.measures.iter().any(|measure| measure.id == *id), "{id}");
    }
    assert!(found.methods.contains("Importance by Shapley effects (SHAFF) was computed as in"));
    let measured =
        made.forest().measure(&data, &[measure(MeasureId::ShapleyEffects)], &Run::on(threads()));
    // Three variables have few sets, and the forest is small: nothing is left out.
    let known = &measured.expect("applies").importances[0];
    let shown = found.measures.iter().find(|measure| measure.id == "shapley_effects");
    for entry in &shown.expect("shown").ranking {
        let at = data.features().names().iter().position(|name| *name == entry.name);
        assert_eq!(entry.value, known.values[at.expect("a column")]);
    }
}

#[test]
fn a_report_leads_with_the_measure_that_is_advised() {
    let data = copies(100);
    let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
    let made = made(&data, &config, Depth::Full);
    let advice = made.parts.advice.as_ref().expect("asked for");
    let selecting = advice.objectives.iter().find(|objective| objective.id == "selection");
    let recommended = selecting.expect("an objective").recommended.as_ref().expect("a measure");
    let report = report(&made);
    // The copy is hidden. The advised measure is not computed, but one that estimates the same is.
    assert_eq!(recommended, "total_sobol_regrow");
    let order = ["sobol_mda", "mdi", "mda_breiman_cutler"];
    assert_eq!(report.measures.iter().map(|shown| shown.id.as_str()).collect::<Vec<_>>(), order);
    let leading: Vec<&str> =
        report.measures[0].ranking.iter().map(|variable| variable.name.as_str()).collect();
    let compared = &report.disagreement.as_ref().expect("made").variables;
    assert_eq!(compared.iter().map(|of| of.name.as_str()).collect::<Vec<_>>(), leading);
    assert_eq!(report.variables.iter().map(|of| of.name.as_str()).collect::<Vec<_>>(), leading);
}

#[test]
fn what_cannot_be_made_is_told() {
    let data = copies(80);
    let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
    let all = study(&data, &config, leading());
    let content = Content { depth: Depth::Full, ..Content::default() };
    // A forest of another program.
    let foreign = make(&Study { config: None, ..all.clone() }, content, None);
    for part in ["intervals over samples of rows are", "the selection of variables is"] {
        let words = format!("{part} left out: how the forest was grown is not known");
        assert!(foreign.notices.contains(&words), "{:?}", foreign.notices);
    }
    assert!(foreign.selection.is_none() && foreign.disagreement.is_some());
    // Trees that were not kept.
    let gone =
        make(&Study { fitted: None, ..all.clone() }, Content { explains: true, ..content }, None);
    assert!(gone.notices.iter().any(|notice| notice.starts_with("single rows are not explained")));
    assert!(gone.explanations.is_none() && gone.selection.is_some());
    assert!(gone.variables.iter().all(|page| page.curves.is_empty()));
    // No memory.
    let narrow = make(&all, content, Some(1));
    assert!(narrow.selection.is_none());
    let words = "the selection of variables is left out: it needs more memory than is free";
    assert!(narrow.notices.iter().any(|notice| notice == words), "{:?}", narrow.notices);
    // Only results for the forest at hand.
    let quick = make(&all, Content { depth: Depth::Quick, ..content }, None);
    assert!(quick.selection.is_none() && quick.advice.is_none() && quick.notices.is_empty());
    assert!(
        quick.seconds.iter().all(|(name, _)| !["advice", "intervals", "selection"].contains(name))
    );
    let disagreement = quick.disagreement.expect("three measures");
    assert!(disagreement.variables.iter().all(|variable| variable.masking.is_empty()));
    assert!(disagreement.about.iter().any(|about| about.contains("number of trees only")));
}
