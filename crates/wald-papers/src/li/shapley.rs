//! `li-shapley`: Shapley values in the place of f in MDI-oob, as the paper's discussion suggests, on
//! the noise identification of Table 1.

use wald::MeasureId;
use wald::forest::Sampling;

use crate::estimate::Estimate;
use crate::exhibit::{Claim, Comparison, Comparisons, Exhibit};
use crate::failure::Failure;
use crate::li::SOURCE;
use crate::li::identification::{CONDITIONS, DEEP, areas_of, difference, larger, not_smaller};
use crate::study::Study;

const MEASURES: [(MeasureId, &str); 6] = [
    (MeasureId::Mdi, "MDI"),
    (MeasureId::MdiOob, "MDI-oob, centred"),
    (MeasureId::MdiOobUncentred, "MDI-oob, Eq. 14"),
    (MeasureId::TreeShap, "Shapley, mean absolute, training rows"),
    (MeasureId::TreeShapOob, "Shapley, mean absolute, out of bag"),
    (MeasureId::TreeShapOobCovariance, "Shapley, covariance, out of bag"),
];
const MDI_OOB: usize = 1;
const TRAINING: usize = 3;
const OUT_OF_BAG: usize = 4;
const COVARIANCE: usize = 5;

pub(crate) fn run(study: &Study) -> Result<Exhibit, Failure> {
    let measures = MEASURES.map(|(id, _)| id);
    let of_condition = |&condition: &_| areas_of(study, condition, Sampling::Bootstrap, &measures);
    let areas: Vec<Vec<Vec<f64>>> =
        CONDITIONS.iter().map(of_condition).collect::<Result<_, _>>()?;
    let mut settings = study.settings();
    settings.push(("mtry", "10".to_owned()));
    settings.push(("smallest leaf", "100 distinct rows (shallow) or 1 (deep)".to_owned()));
    Ok(Exhibit {
        title: "Shapley values in the place of f: telling inputs that matter from others"
            .to_owned(),
        source: SOURCE,
        settings,
        comparisons: vec![comparisons(&areas)],
        claims: claims(&areas),
        notes: vec![
            "The data are those of Table 1, simulated as the published program does; negative \
             values are kept in the ranking. The covariance form is MDI-oob with Shapley values \
             (path-dependent) of the out-of-bag rows of a tree in the place of what its splits \
             add; the published paper has no numbers of it."
                .to_owned(),
            "Differences in the claims are of the same data, so their standard errors are those of \
             pairs; a difference counts beyond 3 of them."
                .to_owned(),
        ],
        ..Exhibit::default()
    })
}

fn comparisons(areas: &[Vec<Vec<f64>>]) -> Comparisons {
    let mut rows = Vec::new();
    for (measure, (_, name)) in MEASURES.iter().enumerate() {
        rows.extend(CONDITIONS.iter().zip(areas).map(|(condition, areas)| {
            Comparison::without(name, condition.name, 2, &Estimate::of(&areas[measure]))
        }));
    }
    let title = "Area under the curve, means over repetitions".to_owned();
    Comparisons { title, reference: "published", rows }
}

fn claims(areas: &[Vec<Vec<f64>>]) -> Vec<Claim> {
    // In deep trees of both tasks, one measure less another.
    let differences = |one: usize, other: usize| {
        DEEP.map(|cell| difference(&areas[cell][one], &areas[cell][other]))
    };
    vec![
        larger(
            "deep trees: the covariance form separates relevant inputs better than mean absolute \
             Shapley values of training rows",
            differences(COVARIANCE, TRAINING),
        ),
        larger(
            "deep trees: the covariance form separates them better than mean absolute Shapley \
             values of out-of-bag rows",
            differences(COVARIANCE, OUT_OF_BAG),
        ),
        not_smaller(
            "deep trees: the covariance form does at least as well as MDI-oob",
            differences(COVARIANCE, MDI_OOB),
        ),
    ]
}
