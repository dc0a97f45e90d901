//! `coverage`: how often intervals contain what they are meant to contain.

use wald::forest::Keep;
use wald::inference::{Confidence, Intervals, Subsampling, jackknife_sampled, subsampling};
use wald::measure::MeasureSettings;
use wald::simulate::Friedman1;
use wald::{Forest, ForestConfig, Importance, Measure, MeasureId, Monitor, Threads};

use crate::estimate::Estimate;
use crate::exhibit::{Claim, Exhibit, Listing};
use crate::failure::Failure;
use crate::inference::SOURCE;
use crate::study::Study;

/// What intervals are to cover with.
const CONFIDENCE: f64 = 0.9;

/// Data sets that tell the mean importances, for every one that has intervals.
const MORE: usize = 4;

const MEASURES: [MeasureId; 6] = [
    MeasureId::Mdi,
    MeasureId::MdiOob,
    MeasureId::MdaBreimanCutler,
    MeasureId::MdaIshwaranKogalur,
    MeasureId::SobolMda,
    MeasureId::TreeShap,
];

/// Trees of forests whose errors come from their bags, per row.
const TREES_PER_ROW: usize = 2;

/// Variables of Friedman 1 that matter alike share a number.
const ALIKE: [usize; 10] = [0, 0, 1, 2, 3, 4, 4, 4, 4, 4];

/// One measure on one data set.
struct Sample {
    importance: Importance,
    intervals: Intervals,
}

pub(crate) fn run(study: &Study) -> Result<Exhibit, Failure> {
    let confidence = Confidence::new(CONFIDENCE)?;
    let measures = MEASURES.map(|id| Measure::new(id, MeasureSettings::default()));
    let measures: Vec<Measure> = measures.into_iter().collect::<Result<_, _>>()?;
    let config = ForestConfig::default();
    let draw = |n_rows, seed| Friedman1::default().draw(n_rows, seed);
    let many = Study { repetitions: study.repetitions * MORE, ..*study };
    let population = many.run(draw, &config, &measures)?;
    let truth: Vec<Vec<f64>> = (0..measures.len())
        .map(|measure| {
            let means: Vec<f64> =
                (0..ALIKE.len()).map(|index| population.estimate(measure, index).mean).collect();
            alike(&means)
        })
        .collect();
    let mut samples: Vec<Vec<Sample>> = Vec::new();
    // Other data than those of the means.
    let others = Study { seed: study.seed.wrapping_add(1), ..*study };
    for repetition in 0..others.repetitions {
        let seed = others.seed_of(repetition);
        samples.push(sample(&others, &draw(others.n_rows, seed)?, seed, &measures)?);
    }
    let mut rows = Vec::new();
    let mut claims = Vec::new();
    // The jackknife is of the first measure; its samples follow after those of all.
    let names = MEASURES.map(|id| id.info().id.to_owned());
    let jackknife = (0, format!("{}, jackknife", names[0]));
    let listed = names.into_iter().enumerate().chain([jackknife]);
    for (row, (measure, name)) in listed.enumerate() {
        let truth = &truth[measure];
        let of_measure: Vec<&Sample> = samples.iter().map(|all| &all[row]).collect();
        let found = Found::new(&of_measure, truth, &population, (measure, confidence));
        rows.push(found.row(&name));
        claims.push(found.claim(&name));
    }
    let mut settings = study.settings();
    settings.push(("design", "Friedman 1, 5 of 10 variables mean nothing".to_owned()));
    settings.push(("subsamples", "100 of half of the rows, a fifth of the trees".to_owned()));
    settings.push(("jackknife", format!("{TREES_PER_ROW} trees per row")));
    Ok(Exhibit {
        title: format!("Coverage of {:.0} % intervals", 100.0 * CONFIDENCE),
        source: SOURCE,
        settings,
        listings: vec![Listing {
            title: "Shares of data sets, and standard errors reported / real".to_owned(),
            head: [
                "measure",
                "each: signal",
                "each: noise",
                "all at once",
                "ranks at once",
                "trees alone",
                "error / real: signal",
                "noise",
            ]
            .map(str::to_owned)
            .to_vec(),
            rows,
        }],
        claims,
        notes: vec![format!(
            "An interval is to contain the importance that forests on so many rows have on average, \
             taken over {} other data sets. Trees alone: intervals of the Monte-Carlo errors.",
            study.repetitions * MORE
        )],
        ..Exhibit::default()
    })
}

fn sample(
    study: &Study,
    data: &wald::Dataset,
    seed: u64,
    measures: &[Measure],
) -> Result<Vec<Sample>, Failure> {
    let config = ForestConfig { n_trees: study.n_trees, seed, ..ForestConfig::default() };
    let monitor = Monitor::new();
    let run: (Threads, &Monitor) = (study.threads, &monitor);
    let grown = Forest::grow_and_measure(data, &config, measures, Keep::Nothing, run)?;
    let settings =
        Subsampling { n_trees: Some((study.n_trees / 5).max(2)), ..Subsampling::default() };
    let sampled = subsampling(data, &config, measures, &settings, run)?;
    let confidence = Confidence::new(CONFIDENCE)?;
    let both = grown.measured.importances.into_iter().zip(sampled);
    let of_measure = |(importance, sampled): (Importance, wald::inference::Sampled)| Sample {
        intervals: sampled.intervals(&importance, confidence),
        importance,
    };
    let mut all: Vec<Sample> = both.map(of_measure).collect();
    let n_trees = study.n_trees.max(TREES_PER_ROW * study.n_rows);
    let config = ForestConfig { n_trees, ..config };
    let grown = Forest::grow_and_measure(data, &config, &measures[..1], Keep::Trees, run)?;
    let forest = grown.forest.as_ref();
    for (importance, forest) in grown.measured.importances.into_iter().zip(forest) {
        let sampled = jackknife_sampled(forest, &importance, seed)?;
        all.push(Sample { intervals: sampled.intervals(&importance, confidence), importance });
    }
    Ok(all)
}

/// Means over variables that matter alike.
fn alike(means: &[f64]) -> Vec<f64> {
    let of = |kind: usize| {
        let same = means.iter().zip(ALIKE).filter(|(_, of)| *of == kind);
        let values: Vec<f64> = same.map(|(mean, _)| *mean).collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    ALIKE.iter().map(|&kind| of(kind)).collect()
}

/// Of one measure, how often intervals cover.
struct Found {
    /// Shares over data sets and the variables that matter, and those that do not.
    each: [Vec<f64>; 2],
    together: Vec<f64>,
    ranks: Vec<f64>,
    trees_alone: Vec<f64>,
    /// Reported over real standard errors, means over variables.
    ratio: [f64; 2],
}

impl Found {
    fn new(
        samples: &[&Sample],
        truth: &[f64],
        population: &crate::study::Found,
        (measure, confidence): (usize, Confidence),
    ) -> Self {
        let factor = confidence.normal();
        let matters = |index: usize| ALIKE[index] < 4;
        let share = |hits: Vec<bool>| {
            hits.iter().filter(|hit| **hit).count() as f64 / hits.len().max(1) as f64
        };
        let contains = |sample: &Sample, index: usize, together: bool| {
            let all = if together { &sample.intervals.together } else { &sample.intervals.each };
            all[index].is_some_and(|found| found.low <= truth[index] && truth[index] <= found.high)
        };
        let each = [true, false].map(|kind| {
            let variables = || (0..ALIKE.len()).filter(move |&index| matters(index) == kind);
            samples
                .iter()
                .map(|sample| share(variables().map(|i| contains(sample, i, false)).collect()))
                .collect()
        });
        let all = 0..ALIKE.len();
        let at_once = |sample: &&Sample| {
            f64::from(u8::from(all.clone().all(|index| contains(sample, index, true))))
        };
        let rank = |index: usize| 1 + truth.iter().filter(|other| **other > truth[index]).count();
        let ranks_at_once = |sample: &&Sample| {
            let ranks = sample.intervals.ranks.as_deref().unwrap_or_default();
            let covers = |index: usize| {
                ranks[index].is_some_and(|found| (found.low..=found.high).contains(&rank(index)))
            };
            f64::from(u8::from(all.clone().all(covers)))
        };
        let trees_alone = |sample: &&Sample| {
            let covers = |index: usize| {
                let errors = sample.importance.standard_errors.as_ref();
                let reach = factor * errors.and_then(|errors| errors[index]).unwrap_or(0.0);
                sample.importance.values[index]
                    .is_some_and(|value| (value - truth[index]).abs() <= reach)
            };
            share(all.clone().map(covers).collect())
        };
        let ratio = [true, false].map(|kind| {
            let variables: Vec<usize> =
                (0..ALIKE.len()).filter(|&index| matters(index) == kind).collect();
            let of = |index: usize| {
                let reported: Vec<f64> = samples
                    .iter()
                    .filter_map(|sample| sample.intervals.standard_errors[index])
                    .map(|error| error * error)
                    .collect();
                Estimate::of(&reported).mean.sqrt() / population.estimate(measure, index).deviation
            };
            variables.iter().map(|&index| of(index)).sum::<f64>() / variables.len() as f64
        });
        Self {
            each,
            together: samples.iter().map(at_once).collect(),
            ranks: samples.iter().map(ranks_at_once).collect(),
            trees_alone: samples.iter().map(trees_alone).collect(),
            ratio,
        }
    }

    fn row(&self, id: &str) -> Vec<String> {
        let cell = |shares: &[f64]| {
            let estimate = Estimate::of(shares);
            format!("{:.3} ± {:.3}", estimate.mean, estimate.standard_error())
        };
        vec![
            id.to_owned(),
            cell(&self.each[0]),
            cell(&self.each[1]),
            cell(&self.together),
            cell(&self.ranks),
            cell(&self.trees_alone),
            format!("{:.2}", self.ratio[0]),
            format!("{:.2}", self.ratio[1]),
        ]
    }

    fn claim(&self, id: &str) -> Claim {
        let estimate = Estimate::of(&self.each[0]);
        let holds = (estimate.mean - CONFIDENCE).abs() <= 3.0 * estimate.standard_error() + 0.05;
        Claim::new(
            format!(
                "{id}: intervals of variables that matter cover in .9 of the data sets, to .05"
            ),
            holds,
            format!("{:.3} ± {:.3}", estimate.mean, estimate.standard_error()),
        )
    }
}
