//! `p-values`: how often p-values are small for irrelevant variables, and for relevant ones.

use wald::forest::Keep;
use wald::inference::{
    Observed, PermutedResponse, ShadowDraws, Test, Tested, mirrored_test, permuted_response,
    shadow_test,
};
use wald::measure::MeasureSettings;
use wald::{Dataset, Forest, ForestConfig, Importance, Measure, MeasureId, Run};

use crate::estimate::Estimate;
use crate::exhibit::{Claim, Exhibit, Listing};
use crate::failure::Failure;
use crate::inference::mixed::{Mixed, SIGNALS, TYPES};
use crate::study::Study;

/// What p-values are compared with.
const LEVEL: f64 = 0.05;

/// Levels further away than so many standard errors are outside of their band.
const BAND: f64 = 3.0;

/// `air`, which has shadows of its own, is mirrored only.
const MEASURES: [MeasureId; 6] = [
    MeasureId::Mdi,
    MeasureId::MdiOob,
    MeasureId::MdaBreimanCutler,
    MeasureId::SobolMda,
    MeasureId::MinimalDepth,
    MeasureId::Air,
];

/// One way to p-values, and the tables that it is tried on.
struct Trial {
    test: Test,
    measures: Vec<Measure>,
    /// Irrelevant columns of each type.
    per_type: usize,
    /// Whether other columns mean something.
    has_signal: bool,
}

/// Shares of p-values at or below the level, by data set.
struct Shares {
    test: String,
    measure: &'static str,
    /// By type, of irrelevant columns.
    null: Vec<Vec<f64>>,
    /// By column, of those that do.
    signal: Vec<Vec<f64>>,
    per_type: usize,
    has_signal: bool,
}

pub(crate) fn run(study: &Study) -> Result<Exhibit, Failure> {
    let mut all = Vec::new();
    for trial in trials()? {
        all.extend(trial.run(study)?);
    }
    let mut settings = study.settings();
    settings.push(("design", "4 columns matter, others of 6 types do not".to_owned()));
    settings.push((
        "forests",
        format!("{} permutations, {} draws of shadows", permuted().permutations, shadows().draws),
    ));
    let head = |rest: &[&str]| -> Vec<String> {
        let first = ["p-values", "measure"].iter();
        first.chain(rest).map(|word| (*word).to_owned()).collect()
    };
    let (claims, notes) = claims(&all);
    Ok(Exhibit {
        title: format!("Shares of p-values of at most {LEVEL}"),
        source: crate::inference::sources::SOURCE_OF_TESTS,
        settings,
        listings: vec![
            Listing {
                title: format!("Irrelevant columns (to be {LEVEL}; + above, - below its band)"),
                head: head(&TYPES),
                rows: all.iter().map(Shares::null_row).collect(),
            },
            Listing {
                title: "Columns that mean something (the more the better)".to_owned(),
                head: head(&SIGNALS),
                rows: all
                    .iter()
                    .filter(|shares| shares.has_signal)
                    .map(Shares::signal_row)
                    .collect(),
            },
        ],
        claims,
        notes,
        ..Exhibit::default()
    })
}

fn permuted() -> PermutedResponse {
    // All of them, so that p-values are uniform on 40 steps.
    PermutedResponse { permutations: 39, enough: None }
}

fn shadows() -> ShadowDraws {
    ShadowDraws { draws: 20 }
}

fn trials() -> Result<Vec<Trial>, Failure> {
    let measures = |ids: &[MeasureId]| -> Result<Vec<Measure>, Failure> {
        let measure = |id: &MeasureId| Measure::new(*id, MeasureSettings::default());
        Ok(ids.iter().map(measure).collect::<Result<_, _>>()?)
    };
    let trial = |test, ids: &[MeasureId], (per_type, has_signal)| -> Result<Trial, Failure> {
        Ok(Trial { test, measures: measures(ids)?, per_type, has_signal })
    };
    Ok(vec![
        trial(Test::Permuted(permuted()), &MEASURES[..5], (2, false))?,
        trial(Test::Permuted(permuted()), &MEASURES[..5], (2, true))?,
        trial(Test::Shadow(shadows()), &MEASURES[..5], (2, true))?,
        trial(Test::Mirrored, &MEASURES, (25, true))?,
    ])
}

impl Trial {
    fn run(&self, study: &Study) -> Result<Vec<Shares>, Failure> {
        let shares = |measure: &Measure| Shares {
            test: if self.has_signal {
                self.test.id().to_owned()
            } else {
                format!("{}, no effects", self.test.id())
            },
            measure: measure.id().info().id,
            null: vec![Vec::new(); TYPES.len()],
            signal: vec![Vec::new(); SIGNALS.len()],
            per_type: self.per_type,
            has_signal: self.has_signal,
        };
        let mut all: Vec<Shares> = self.measures.iter().map(shares).collect();
        for repetition in 0..study.repetitions {
            let seed = study.seed_of(repetition);
            // Every other response is a class.
            let (per_type, has_signal) = (self.per_type, self.has_signal);
            let design = Mixed { per_type, has_classes: repetition % 2 == 1, has_signal };
            let data = design.draw(study.n_rows, seed)?;
            let config = ForestConfig { n_trees: study.n_trees, seed, ..ForestConfig::default() };
            let tested = self.tested(&data, &config, study)?;
            for (shares, tested) in all.iter_mut().zip(tested) {
                shares.add(&tested, design);
            }
        }
        Ok(all)
    }

    fn tested(
        &self,
        data: &Dataset,
        config: &ForestConfig,
        study: &Study,
    ) -> Result<Vec<Tested>, Failure> {
        let run = &Run::on(study.threads);
        let measures = self.measures.as_slice();
        let grown = Forest::grow_and_measure(data, config, measures, Keep::Nothing, run)?;
        let importances: Vec<Importance> = grown.measured.importances;
        let observed = Observed::new(measures, &importances);
        Ok(match self.test {
            Test::Permuted(settings) => permuted_response(data, config, observed, settings, run)?,
            Test::Shadow(settings) => shadow_test(data, config, observed, settings, run)?,
            Test::Mirrored => mirrored_test(data, config, observed, run)?,
        })
    }
}

impl Shares {
    fn add(&mut self, tested: &Tested, design: Mixed) {
        let small = |at: usize| tested.p_values[at].map(|p| f64::from(u8::from(p <= LEVEL)));
        for (kind, shares) in self.null.iter_mut().enumerate() {
            let found: Vec<f64> = design.of_type(kind).filter_map(small).collect();
            if !found.is_empty() {
                shares.push(found.iter().sum::<f64>() / found.len() as f64);
            }
        }
        for (at, shares) in self.signal.iter_mut().enumerate() {
            // A type of a single column may have no p-value: then nothing is found.
            shares.push(small(at).unwrap_or(0.0));
        }
    }

    /// The level of a type, and its standard error: the larger one of that over data sets, whose
    /// columns share a forest, and the binomial one.
    fn level(&self, kind: usize) -> (f64, f64) {
        let estimate = Estimate::of(&self.null[kind]);
        let n = (estimate.n * self.per_type) as f64;
        let binomial = (LEVEL * (1.0 - LEVEL) / n).sqrt();
        (estimate.mean, binomial.max(estimate.standard_error()))
    }

    fn away(&self, kind: usize) -> f64 {
        let (level, error) = self.level(kind);
        (level - LEVEL) / error
    }

    fn null_row(&self) -> Vec<String> {
        let cell = |kind: usize| {
            let (level, error) = self.level(kind);
            let mark = match self.away(kind) {
                away if away > BAND => " +",
                away if away < -BAND => " -",
                _ => "",
            };
            format!("{level:.3} ± {error:.3}{mark}")
        };
        let first = [self.test.clone(), self.measure.to_owned()];
        first.into_iter().chain((0..TYPES.len()).map(cell)).collect()
    }

    fn signal_row(&self) -> Vec<String> {
        let cell = |shares: &Vec<f64>| format!("{:.2}", Estimate::of(shares).mean);
        let first = [self.test.clone(), self.measure.to_owned()];
        first.into_iter().chain(self.signal.iter().map(cell)).collect()
    }
}

/// One claim per way to p-values, and which levels are outside of their bands. Permuted responses
/// promise something only if no variable is relevant.
fn claims(all: &[Shares]) -> (Vec<Claim>, Vec<String>) {
    let (mut claims, mut notes) = (Vec::new(), Vec::new());
    for trial in all.chunk_by(|one, other| one.test == other.test) {
        let Some(Shares { test, has_signal, .. }) = trial.first() else { continue };
        let outside = |is_out: &dyn Fn(f64) -> bool| -> Vec<String> {
            let cells = trial.iter().flat_map(|shares| {
                (0..TYPES.len())
                    .filter(|&kind| is_out(shares.away(kind)))
                    .map(|kind| format!("{} of {}", shares.measure, TYPES[kind]))
            });
            cells.collect()
        };
        let (above, below) = (outside(&|away| away > BAND), outside(&|away| away < -BAND));
        if *has_signal && test == "permuted" {
            notes.push(format!(
                "permuted responses have no null where other columns matter: above the band {}, below \
                 {}",
                or_none(&above),
                or_none(&below)
            ));
            continue;
        }
        let statement = format!("{test}: no level is above {LEVEL} by {BAND} standard errors");
        claims.push(Claim::new(statement, above.is_empty(), or_none(&above)));
        if !below.is_empty() {
            notes.push(format!(
                "{test}: below the band, as p-values have steps: {}",
                below.join(", ")
            ));
        }
    }
    (claims, notes)
}

fn or_none(cells: &[String]) -> String {
    if cells.is_empty() { "none".to_owned() } else { cells.join(", ") }
}
