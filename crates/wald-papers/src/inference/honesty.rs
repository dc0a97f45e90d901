//! `monte-carlo-errors`: whether reported Monte-Carlo errors are the spread over seeds.

use wald::forest::Keep;
use wald::measure::{CostClass, MeasureSettings, Requirement};
use wald::simulate::Friedman1;
use wald::{Dataset, Forest, ForestConfig, Importance, Measure, MeasureId, Run};

use crate::estimate::Estimate;
use crate::exhibit::{Claim, Exhibit, Listing};
use crate::failure::Failure;
use crate::study::Study;

/// The spread over seeds divided by what is reported lies in here.
const HONEST: std::ops::RangeInclusive<f64> = 0.85..=1.15;

/// By seed, what one measure found.
type BySeed = Vec<Importance>;

pub(crate) fn run(study: &Study) -> Result<Exhibit, Failure> {
    let data = Friedman1::default().draw(study.n_rows, study.seed_of(0))?;
    let mut rows = Vec::new();
    let mut claims = Vec::new();
    for (id, found) in of_forests(&data, study)?.into_iter().chain(of_samples(&data, study)?) {
        let Some(ratios) = ratios(&found) else { continue };
        let estimate = Estimate::of(&ratios);
        let info = id.info();
        rows.push(vec![
            info.id.to_owned(),
            info.errors_over().to_owned(),
            format!("{:.2}", estimate.mean),
            format!("{:.2}", ratios.iter().copied().fold(f64::INFINITY, f64::min)),
            format!("{:.2}", ratios.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
        ]);
        // A standard deviation over seeds is itself known only so well.
        let doubt = 1.0 / (2.0 * (study.repetitions as f64 - 1.0)).sqrt();
        let (low, high) = (HONEST.start() - doubt, HONEST.end() + doubt);
        claims.push(Claim::new(
            format!("{}: the spread over seeds is what is reported, in [.85, 1.15]", info.id),
            (low..=high).contains(&estimate.mean),
            format!("{:.2}, ± {doubt:.2} at most", estimate.mean),
        ));
    }
    let mut settings = study.settings();
    settings.push(("design", "one table of Friedman 1, a forest per seed".to_owned()));
    Ok(Exhibit {
        title: "Monte-Carlo errors: spread over seeds / reported".to_owned(),
        source: crate::inference::sources::SOURCE,
        settings,
        listings: vec![Listing {
            title: "Mean, least and largest over the 10 variables".to_owned(),
            head: ["measure", "errors over", "mean", "least", "largest"]
                .map(str::to_owned)
                .to_vec(),
            rows,
        }],
        claims,
        ..Exhibit::default()
    })
}

/// Measures of forests: another forest for every seed.
fn of_forests(data: &Dataset, study: &Study) -> Result<Vec<(MeasureId, BySeed)>, Failure> {
    let is_of_forests = |id: &MeasureId| {
        let info = id.info();
        info.effort != CostClass::Samples && !info.needs.contains(&Requirement::TestRows)
    };
    let ids: Vec<MeasureId> = MeasureId::ALL.iter().copied().filter(is_of_forests).collect();
    let measures = ids.iter().map(|id| Measure::new(*id, MeasureSettings::default()));
    let measures: Vec<Measure> = measures.collect::<Result<_, _>>()?;
    let mut found: Vec<(MeasureId, BySeed)> = ids.into_iter().map(|id| (id, Vec::new())).collect();
    for repetition in 0..study.repetitions {
        let seed = study.seed_of(repetition);
        let config = ForestConfig { n_trees: study.n_trees, seed, ..ForestConfig::default() };
        let run = &Run::on(study.threads);
        let grown = Forest::grow_and_measure(data, &config, &measures, Keep::Nothing, run)?;
        for ((_, all), importance) in found.iter_mut().zip(grown.measured.importances) {
            all.push(importance);
        }
    }
    Ok(found)
}

/// Measures that sample: one forest, another seed of the samples.
fn of_samples(data: &Dataset, study: &Study) -> Result<Vec<(MeasureId, BySeed)>, Failure> {
    let config =
        ForestConfig { n_trees: study.n_trees, seed: study.seed_of(0), ..ForestConfig::default() };
    let run = &Run::on(study.threads);
    let forest = Forest::grow(data, &config, run)?;
    let ids = MeasureId::ALL.iter().filter(|id| id.info().effort == CostClass::Samples);
    let mut all = Vec::new();
    for id in ids {
        let mut found = Vec::new();
        for repetition in 0..study.repetitions {
            let seed = study.seed_of(repetition);
            let settings = MeasureSettings { seed, ..MeasureSettings::default() };
            let measure = Measure::new(*id, settings)?;
            found.extend(forest.measure(data, &[measure], run)?.importances);
        }
        all.push((*id, found));
    }
    Ok(all)
}

/// By variable; `None` where a measure reports no errors.
fn ratios(found: &[Importance]) -> Option<Vec<f64>> {
    let n_variables = found.first()?.values.len();
    let ratio = |index: usize| {
        let values: Vec<f64> = found.iter().map(|one| one.values[index]).collect::<Option<_>>()?;
        let squares = |one: &Importance| {
            let error = one.standard_errors.as_ref()?[index]?;
            Some(error * error)
        };
        let squares: Vec<f64> = found.iter().map(squares).collect::<Option<_>>()?;
        Some(Estimate::of(&values).deviation / Estimate::of(&squares).mean.sqrt())
    };
    (0..n_variables).map(ratio).collect()
}
