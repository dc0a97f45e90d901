//! How often intervals cover in families of designs, by subsampling.

use wald::inference::{Confidence, Interval, Observed, Subsampling, subsampling};
use wald::measure::MeasureSettings;
use wald::{Dataset, Forest, ForestConfig, Measure, MeasureId, Run};

use super::families::{Family, N_COLUMNS, N_SIGNAL};
use crate::estimate::Estimate;
use crate::exhibit::{Claim, Exhibit, Listing};
use crate::failure::Failure;
use crate::inference::coverage::MORE;
use crate::inference::coverage::sample::CONFIDENCE;
use crate::inference::sources::SOURCE;
use crate::study::Study;

const MEASURES: [MeasureId; 4] =
    [MeasureId::Mdi, MeasureId::MdiOob, MeasureId::MdaBreimanCutler, MeasureId::SobolMda];

/// What intervals of variables that matter are to cover with on average over these, and what those of
/// others are to cover with at least.
const WANTED: (f64, f64) = (0.87, 0.93);

/// Shares further away than so many standard errors are outside.
const BAND: f64 = 3.0;

/// Of one measure, on data sets of one family.
struct Found {
    family: &'static str,
    measure: &'static str,
    /// By data set, the shares of variables that matter, and of others, whose interval covers.
    shares: [Vec<f64>; 2],
    /// By variable.
    of_variables: Vec<f64>,
    /// Standard errors reported / real, by variable.
    ratios: Vec<f64>,
    /// Of intervals that miss, the share that lie below the truth.
    too_low: f64,
}

/// Coverage in every family, by measure.
pub(crate) fn run(study: &Study, families: &[Family]) -> Result<Exhibit, Failure> {
    let measures = MEASURES.map(|id| Measure::new(id, MeasureSettings::default()));
    let measures: Vec<Measure> = measures.into_iter().collect::<Result<_, _>>()?;
    let mut found = Vec::new();
    for &family in families {
        found.extend(of_family(study, family, &measures)?);
    }
    let head = [
        "family",
        "measure",
        "matters",
        "each of them",
        "noise",
        "errors: matters",
        "errors: noise",
        "misses below",
    ];
    Ok(Exhibit {
        title: format!("Coverage of {:.0} % intervals by family", 100.0 * CONFIDENCE),
        source: SOURCE,
        settings: study.settings(),
        listings: vec![Listing {
            title: format!(
                "Shares of data sets that are covered (to be {CONFIDENCE}), standard errors reported / \
                 real, and the share of misses that lie below the truth"
            ),
            head: head.map(str::to_owned).to_vec(),
            rows: found.iter().map(Found::row).collect(),
        }],
        claims: found.iter().map(Found::claim).collect(),
        notes: vec![format!(
            "The truth is the mean over {} other data sets.",
            study.repetitions * MORE
        )],
        ..Exhibit::default()
    })
}

fn of_family(study: &Study, family: Family, measures: &[Measure]) -> Result<Vec<Found>, Failure> {
    let draw = |n_rows, seed| family.draw(n_rows, seed);
    let many = Study { repetitions: study.repetitions * MORE, ..*study };
    let population = many.run(draw, &ForestConfig::default(), measures)?;
    // Other data than those of the means.
    let others = Study { seed: study.seed.wrapping_add(1), ..*study };
    let mut all = Vec::new();
    for repetition in 0..others.repetitions {
        let seed = others.seed_of(repetition);
        all.push(intervals(&others, &family.draw(others.n_rows, seed)?, seed, measures)?);
    }
    let of_measure = |measure: usize| {
        let real: Vec<Estimate> =
            (0..N_COLUMNS).map(|variable| population.estimate(measure, variable)).collect();
        let covers = |of: &[Stated], variable: usize| {
            let Interval { low, high } = of[measure].intervals[variable];
            f64::from(u8::from((low..=high).contains(&real[variable].mean)))
        };
        let share = |of: &[Stated], variables: std::ops::Range<usize>| {
            let n = variables.len() as f64;
            variables.map(|variable| covers(of, variable)).sum::<f64>() / n
        };
        let shares = [0..N_SIGNAL, N_SIGNAL..N_COLUMNS]
            .map(|kind| all.iter().map(|of: &Vec<Stated>| share(of, kind.clone())).collect());
        let n = all.len() as f64;
        let mean =
            |value: &dyn Fn(&[Stated]) -> f64| all.iter().map(|of| value(of)).sum::<f64>() / n;
        let mut misses = [0.0_f64; 2];
        for of in &all {
            for (variable, interval) in of[measure].intervals.iter().enumerate() {
                misses[0] += f64::from(u8::from(interval.high < real[variable].mean));
                misses[1] += f64::from(u8::from(interval.low > real[variable].mean));
            }
        }
        Found {
            family: family.id(),
            measure: MEASURES[measure].info().id,
            shares,
            of_variables: (0..N_COLUMNS).map(|at| mean(&|of| covers(of, at))).collect(),
            ratios: (0..N_COLUMNS)
                .map(|at| mean(&|of| of[measure].errors[at].powi(2)).sqrt() / real[at].deviation)
                .collect(),
            too_low: misses[0] / (misses[0] + misses[1]),
        }
    };
    Ok((0..MEASURES.len()).map(of_measure).collect())
}

/// What is reported of one measure on one data set.
struct Stated {
    intervals: Vec<Interval<f64>>,
    errors: Vec<f64>,
}

fn intervals(
    study: &Study,
    data: &Dataset,
    seed: u64,
    measures: &[Measure],
) -> Result<Vec<Stated>, Failure> {
    let config = ForestConfig { n_trees: study.n_trees, seed, ..ForestConfig::default() };
    let run = &Run::on(study.threads);
    let grown =
        Forest::grow_and_measure(data, &config, measures, wald::forest::Keep::Nothing, run)?;
    let importances = grown.measured.importances;
    let sampled = subsampling(
        data,
        &config,
        Observed::new(measures, &importances),
        &Subsampling::default(),
        run,
    )?;
    let confidence = Confidence::new(CONFIDENCE)?;
    let stated = |(importance, sampled): (&wald::Importance, &wald::inference::Sampled)| {
        let found = sampled.intervals(importance, confidence);
        let nowhere = Interval { low: f64::NAN, high: f64::NAN };
        Stated {
            intervals: found.each.iter().map(|one| one.unwrap_or(nowhere)).collect(),
            errors: found.standard_errors.iter().map(|one| one.unwrap_or(f64::NAN)).collect(),
        }
    };
    Ok(importances.iter().zip(&sampled).map(stated).collect())
}

impl Found {
    fn row(&self) -> Vec<String> {
        let share = |of: &[f64]| {
            let estimate = Estimate::of(of);
            format!("{:.3} ± {:.3}", estimate.mean, estimate.standard_error())
        };
        let [signal, noise] = &self.shares;
        let each: Vec<String> =
            self.of_variables[..N_SIGNAL].iter().map(|share| format!("{share:.2}")).collect();
        let mean = |ratios: &[f64]| ratios.iter().sum::<f64>() / ratios.len() as f64;
        vec![
            self.family.to_owned(),
            self.measure.to_owned(),
            share(signal),
            each.join(" "),
            share(noise),
            format!("{:.2}", mean(&self.ratios[..N_SIGNAL])),
            format!("{:.2}", mean(&self.ratios[N_SIGNAL..])),
            format!("{:.2}", self.too_low),
        ]
    }

    fn claim(&self) -> Claim {
        let [signal, noise] = [0, 1].map(|kind| Estimate::of(&self.shares[kind]));
        // Variables of a data set share a forest.
        let error = |of: &Estimate| {
            let binomial = (CONFIDENCE * (1.0 - CONFIDENCE) / (of.n as f64)).sqrt();
            BAND * of.standard_error().max(binomial / (N_COLUMNS as f64).sqrt())
        };
        let reach = error(&signal);
        let holds = signal.mean > WANTED.0 - reach
            && signal.mean < WANTED.1 + reach
            && noise.mean > WANTED.0 - error(&noise);
        Claim::new(
            format!(
                "{}, {}: intervals of variables that matter cover in {} to {} of the data sets, of \
                 others in at least {}",
                self.family, self.measure, WANTED.0, WANTED.1, WANTED.0
            ),
            holds,
            format!("{:.3} and {:.3}", signal.mean, noise.mean),
        )
    }
}
