//! `coverage`: how often intervals contain what they are meant to contain, and whether both parts of
//! the error are what is reported.

pub(crate) mod by_family;
pub(crate) mod families;
mod found;
mod sample;

use wald::forest::Keep;
use wald::inference::{Confidence, Observed, Subsampling, jackknife_sampled, subsampling};
use wald::measure::MeasureSettings;
use wald::simulate::Friedman1;
use wald::{Dataset, Forest, ForestConfig, Importance, Measure, MeasureId, Progress, Run};

use crate::exhibit::{Exhibit, Listing};
use crate::failure::Failure;
use crate::inference::coverage::found::{Found, Real, claims};
use crate::inference::coverage::sample::{CONFIDENCE, Sample};
use crate::inference::sources::SOURCE;
use crate::study::Study;

/// Data sets for the mean importances, for every one that has intervals.
const MORE: usize = 4;

/// The last three, whose values come from bags alone, have intervals by the jackknife, too.
const MEASURES: [MeasureId; 8] = [
    MeasureId::MdiOob,
    MeasureId::MdaBreimanCutler,
    MeasureId::MdaIshwaranKogalur,
    MeasureId::SobolMda,
    MeasureId::TreeShap,
    MeasureId::Mdi,
    MeasureId::SplitCount,
    MeasureId::MinimalDepth,
];
const OF_BAGS: std::ops::Range<usize> = 5..8;

/// Trees of forests whose errors come from their bags, per row.
const TREES_PER_ROW: usize = 10;

/// The results of one data set.
struct Samples {
    /// In the order of the measures, by subsampling.
    subsampled: Vec<Sample>,
    /// Of those that have it.
    jackknifed: Vec<Sample>,
    /// Importances of another forest, as large as those of the subsampled ones, on the same rows.
    again: Vec<Importance>,
}

pub(crate) fn run(study: &Study) -> Result<Exhibit, Failure> {
    let confidence = Confidence::new(CONFIDENCE)?;
    let measures = MEASURES.map(|id| Measure::new(id, MeasureSettings::default()));
    let measures: Vec<Measure> = measures.into_iter().collect::<Result<_, _>>()?;
    let draw = |n_rows, seed| Friedman1::default().draw(n_rows, seed);
    let many = Study { repetitions: study.repetitions * MORE, ..*study };
    let population = many.run(draw, &ForestConfig::default(), &measures)?;
    // Other data than those of the means.
    let others = Study { seed: study.seed.wrapping_add(1), ..*study };
    let mut all = Vec::new();
    for repetition in 0..others.repetitions {
        let seed = others.seed_of(repetition);
        all.push(samples(&others, &draw(others.n_rows, seed)?, seed, confidence, &measures)?);
    }
    let found_of = |(way, measure): (&'static str, usize), sample: &dyn Fn(&Samples) -> &Sample| {
        let samples: Vec<&Sample> = all.iter().map(sample).collect();
        let pairs: Vec<(&Importance, &Importance)> =
            all.iter().map(|of| (&of.subsampled[measure].importance, &of.again[measure])).collect();
        let real = Real::new(&population, measure, &pairs, study.n_trees, MEASURES[measure]);
        Found::new(way, MEASURES[measure], &samples, &real, confidence)
    };
    let by_subsampling = (0..MEASURES.len())
        .map(|at| found_of(("subsampling", at), &|of: &Samples| &of.subsampled[at]));
    let by_jackknife = OF_BAGS
        .map(|at| found_of(("jackknife", at), &|of: &Samples| &of.jackknifed[at - OF_BAGS.start]));
    let found: Vec<Found> = by_subsampling.chain(by_jackknife).collect();
    let mut settings = study.settings();
    settings.push(("design", "Friedman 1, 5 of 10 variables irrelevant".to_owned()));
    settings.push(("subsamples", "100 of half of the rows, a fifth of the trees".to_owned()));
    settings.push(("jackknife", format!("{TREES_PER_ROW} trees per row")));
    let head = |rest: &[&str]| -> Vec<String> {
        ["errors by", "measure"].iter().chain(rest).map(|word| (*word).to_owned()).collect()
    };
    let (claims, mut notes) = claims(&found);
    notes.push(format!(
        "An interval is to contain the importance that forests on so many rows have on average, taken \
         over {} other data sets. Trees alone: intervals of the Monte-Carlo errors. No interval: share \
         of variables.",
        study.repetitions * MORE
    ));
    Ok(Exhibit {
        title: format!("Coverage of {:.0} % intervals", 100.0 * CONFIDENCE),
        source: SOURCE,
        settings,
        listings: vec![
            Listing {
                title: format!(
                    "Shares of data sets that are covered (to be {CONFIDENCE}; + above, - below its \
                     band)"
                ),
                head: head(&[
                    "each: signal",
                    "each: noise",
                    "all at once",
                    "ranks at once",
                    "trees alone",
                    "no interval",
                ]),
                rows: found.iter().map(Found::coverage_row).collect(),
            },
            Listing {
                title: "Standard errors reported / real".to_owned(),
                head: head(&[
                    "trees: signal",
                    "noise",
                    "rows: signal",
                    "noise",
                    "both: signal",
                    "noise",
                ]),
                rows: found.iter().map(Found::errors_row).collect(),
            },
        ],
        claims,
        notes,
        ..Exhibit::default()
    })
}

fn samples(
    study: &Study,
    data: &Dataset,
    seed: u64,
    confidence: Confidence,
    measures: &[Measure],
) -> Result<Samples, Failure> {
    let config = ForestConfig { n_trees: study.n_trees, seed, ..ForestConfig::default() };
    let progress = Progress::new();
    let run: &Run = &Run::new(study.threads, &progress);
    let grow = |config: &ForestConfig, measures: &[Measure], keep| {
        Forest::grow_and_measure(data, config, measures, keep, run)
    };
    let importances = grow(&config, measures, Keep::Nothing)?.measured.importances;
    // No data set of this study has this seed.
    let other = ForestConfig { seed: !seed, ..config.clone() };
    let again = grow(&other, measures, Keep::Nothing)?.measured.importances;
    let settings =
        Subsampling { n_trees: Some((study.n_trees / 5).max(2)), ..Subsampling::default() };
    let sampled =
        subsampling(data, &config, Observed::new(measures, &importances), &settings, run)?;
    let sample = |n_trees: usize| {
        move |(importance, sampled): (Importance, wald::inference::Sampled)| Sample {
            intervals: sampled.intervals(&importance, confidence),
            of_rows: sampled.standard_errors,
            importance,
            n_trees,
        }
    };
    let subsampled = importances.into_iter().zip(sampled).map(sample(study.n_trees)).collect();
    let n_trees = study.n_trees.max(TREES_PER_ROW * study.n_rows);
    let config = ForestConfig { n_trees, ..config };
    let grown = grow(&config, &measures[OF_BAGS], Keep::Trees)?;
    let mut jackknifed = Vec::new();
    if let Some(forest) = &grown.forest {
        for importance in grown.measured.importances {
            let sampled = jackknife_sampled(forest, &importance, seed)?;
            jackknifed.push(sample(n_trees)((importance, sampled)));
        }
    }
    Ok(Samples { subsampled, jackknifed, again })
}
