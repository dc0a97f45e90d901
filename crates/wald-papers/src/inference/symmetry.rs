//! `null-importances`: whether the importances of irrelevant variables are symmetric around zero,
//! as p-values by mirror images of negative importances would need.

use wald::forest::Keep;
use wald::measure::{CostClass, MeasureSettings, Requirement};
use wald::{Forest, ForestConfig, Measure, MeasureId, Run};

use crate::estimate::Estimate;
use crate::exhibit::{Exhibit, Listing};
use crate::failure::Failure;
use crate::inference::mixed::{Mixed, TYPES};
use crate::study::Study;

/// Irrelevant columns of each type.
const PER_TYPE: usize = 10;

/// The share of the lower tail whose mirror image is looked at.
const TAIL: f64 = 0.05;

/// Of one measure, the null importances by type.
type Null = [Vec<Vec<f64>>; TYPES.len()];

pub(crate) fn run(study: &Study) -> Result<Exhibit, Failure> {
    let is_measured = |id: &MeasureId| {
        let info = id.info();
        info.effort != CostClass::Samples
            && info.effort != CostClass::AllLeaves
            && info.effort != CostClass::Regressions
            // With so many columns, the default number of sets does not separate all.
            && info.effort != CostClass::Coalitions
            && !info.needs.contains(&Requirement::TestRows)
    };
    let ids: Vec<MeasureId> = MeasureId::ALL.iter().copied().filter(is_measured).collect();
    let measures = ids.iter().map(|id| Measure::new(*id, MeasureSettings::default()));
    let measures: Vec<Measure> = measures.collect::<Result<_, _>>()?;
    let mut nulls: Vec<Null> = ids.iter().map(|_| Null::default()).collect();
    for repetition in 0..study.repetitions {
        let seed = study.seed_of(repetition);
        let design =
            Mixed { per_type: PER_TYPE, has_classes: repetition % 2 == 1, has_signal: true };
        let data = design.draw(study.n_rows, seed)?;
        let config = ForestConfig { n_trees: study.n_trees, seed, ..ForestConfig::default() };
        let run = &Run::on(study.threads);
        let grown = Forest::grow_and_measure(&data, &config, &measures, Keep::Nothing, run)?;
        for (null, importance) in nulls.iter_mut().zip(grown.measured.importances) {
            for (kind, of_kind) in null.iter_mut().enumerate() {
                let values = design.of_type(kind).filter_map(|at| importance.values[at]);
                of_kind.push(values.collect());
            }
        }
    }
    let head: Vec<String> =
        ["measure"].iter().chain(&TYPES).map(|word| (*word).to_owned()).collect();
    let listing = |title: String, cell: &dyn Fn(&[Vec<f64>]) -> String| Listing {
        title,
        head: head.clone(),
        rows: ids
            .iter()
            .zip(&nulls)
            .map(|(id, null)| {
                let first = std::iter::once(id.info().id.to_owned());
                first.chain(null.iter().map(|of_kind| cell(of_kind))).collect()
            })
            .collect(),
    };
    let mut settings = study.settings();
    settings.push(("design", format!("4 columns matter, {PER_TYPE} of each type do not")));
    Ok(Exhibit {
        title: "Importances of irrelevant variables".to_owned(),
        source: crate::inference::sources::SOURCE_OF_TESTS,
        settings,
        listings: vec![
            listing("Share above zero (even: 0.5)".to_owned(), &|null| {
                let above = |values: &Vec<f64>| share(values, |value| value > 0.0);
                cell(&null.iter().map(above).collect::<Vec<_>>())
            }),
            listing(
                format!("Share beyond the mirror image of the lower {TAIL} (even: {TAIL})"),
                &|null| {
                    // Responses of numbers and of classes have scales of their own.
                    let tails = [0, 1].map(|first| {
                        let of_task = || null.iter().skip(first).step_by(2);
                        let mut all: Vec<f64> = of_task().flatten().copied().collect();
                        all.sort_by(f64::total_cmp);
                        let lower = all.get((all.len() as f64 * TAIL) as usize);
                        let limit = lower.map_or(0.0, |lower| -lower.min(0.0));
                        of_task()
                            .map(|values| share(values, |value| value > limit))
                            .collect::<Vec<_>>()
                    });
                    cell(&tails.concat())
                },
            ),
        ],
        notes: vec![
            "if both shares are nominal for every type, importances may be mirrored directly; \
             wald mirrors what they are above those of their shadows"
                .to_owned(),
        ],
        ..Exhibit::default()
    })
}

fn share(values: &[f64], has: impl Fn(f64) -> bool) -> f64 {
    values.iter().filter(|value| has(**value)).count() as f64 / values.len().max(1) as f64
}

/// A mean over data sets.
fn cell(shares: &[f64]) -> String {
    let estimate = Estimate::of(shares);
    format!("{:.3} ± {:.3}", estimate.mean, estimate.standard_error())
}
