//! `benard-two-step-coverage`: how often the intervals of estimates in two steps contain the truth.

use std::sync::Arc;

use wald::inference::Confidence;
use wald::work::ordered;
use wald::{Error, ForestConfig, Measure, MeasureId, Run, Threads};
use wald_surrogate::{Correlations, Law, Margin as Known, Settings, Source, surrogate};

use crate::benard::SOURCE;
use crate::benard::two_step::TwoStepStudy;
use crate::benard::two_step::cells::Cell;
use crate::copula::{Margin, World};
use crate::estimate::Estimate;
use crate::exhibit::{Claim, Exhibit, Listing};
use crate::failure::Failure;
use crate::study::Study;

/// The probability of intervals.
const CONFIDENCE: f64 = 0.9;

/// Coverage is to be between these.
const BAND: std::ops::RangeInclusive<f64> = 0.80..=0.97;

/// Inputs with a smaller index are nearly irrelevant: their intervals are narrow, and the Sobol-MDA of
/// such an input is slightly negative.
const RELEVANT: f64 = 0.01;

/// Of one set of runs, means over relevant inputs.
struct Sample {
    /// Share of intervals that contain the truth.
    covered: f64,
    /// Half the width of intervals.
    half_width: f64,
    error: f64,
}

pub(crate) fn run(two_step: &TwoStepStudy) -> Result<Exhibit, Failure> {
    let study = &two_step.study;
    let cells = two_step.cells();
    let n = study.repetitions;
    let mut samples = Vec::new();
    ordered(
        cells.len() * n,
        &Run::on(study.threads),
        || (),
        |place, ()| cells[place / n].intervals(study, study.seed_of(place % n)),
        |_, sample| samples.push(sample),
    )?;
    let (mut rows, mut claims) = (Vec::new(), Vec::new());
    for (cell, samples) in cells.iter().zip(samples.chunks(n)) {
        let mean = |value: &dyn Fn(&Sample) -> f64| {
            Estimate::of(&samples.iter().map(value).collect::<Vec<f64>>())
        };
        let covered = mean(&|sample| sample.covered);
        rows.push(vec![
            cell.name(),
            format!("{:.3} ± {:.3}", covered.mean, covered.standard_error()),
            format!("{:.4}", mean(&|sample| sample.half_width).mean),
            format!("{:.4}", mean(&|sample| sample.error).mean),
        ]);
        claims.push(Claim::new(
            format!("{}: coverage is between {} and {}", cell.name(), BAND.start(), BAND.end()),
            BAND.contains(&covered.mean),
            format!("{:.3}", covered.mean),
        ));
    }
    Ok(Exhibit {
        title: format!(
            "Coverage of {:.0} % intervals of estimates in two steps",
            100.0 * CONFIDENCE
        ),
        source: SOURCE,
        settings: study.settings(),
        listings: vec![Listing {
            title: format!("Inputs whose total Sobol index is above {RELEVANT}"),
            head: ["runs", "covered ± SE", "half width", "error"].map(str::to_owned).to_vec(),
            rows,
        }],
        claims,
        ..Exhibit::default()
    })
}

impl Cell {
    fn intervals(&self, study: &Study, seed: u64) -> Result<Sample, Error> {
        let design = self.function.design();
        let variance = design.variance / (1.0 - self.noise);
        let runs = Arc::new(design.with_noise(self.noise).draw(self.n_runs, seed, variance)?);
        let settings = Settings {
            n_rows: study.n_rows,
            forest: ForestConfig { n_trees: study.n_trees, seed, ..ForestConfig::default() },
            confidence: Confidence::new(CONFIDENCE)?,
            ..Settings::default()
        };
        let source = Source::Law(law(&design.world)?);
        let measures = [Measure::from(MeasureId::SobolMda)];
        let found = surrogate(&runs, &source, &measures, &settings, &Run::on(Threads::ONE))?;
        let estimates = found.two_step.first().map_or(&[][..], |estimate| &estimate.intervals);
        let relevant = estimates.iter().zip(design.total_sobol).filter_map(|(interval, truth)| {
            interval.as_ref().filter(|_| *truth > RELEVANT).map(|interval| (interval, truth))
        });
        let mean = |value: &dyn Fn(f64, f64, f64) -> f64| {
            let values: Vec<f64> = relevant
                .clone()
                .map(|(interval, truth)| value(interval.low, interval.high, *truth))
                .collect();
            values.iter().sum::<f64>() / values.len() as f64
        };
        Ok(Sample {
            covered: mean(&|low, high, truth| f64::from(u8::from((low..=high).contains(&truth)))),
            half_width: mean(&|low, high, _| 0.5 * (high - low)),
            error: mean(&|low, high, truth| (f64::midpoint(low, high) - truth).abs()),
        })
    }
}

/// The law of the inputs of a design.
fn law(world: &World) -> Result<Law, Error> {
    let margin = |input| match world.margin(input) {
        Margin::Normal => Known::Normal { mean: 0.0, standard_deviation: 1.0 },
        Margin::Uniform(low, high) => Known::Uniform { low, high },
    };
    let margins = (0..world.n_inputs).map(margin).collect();
    Ok(Law::new(margins, Some(Correlations::new(&world.correlation())?)))
}
