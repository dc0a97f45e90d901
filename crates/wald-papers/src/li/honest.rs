//! `li-honest`: the mean decrease in impurity computed from other rows than
//! those that a tree was grown on, as the paper's discussion of honest estimation suggests.

use wald::MeasureId;
use wald::forest::Sampling;

use crate::estimate::Estimate;
use crate::exhibit::{Claim, Comparison, Comparisons, Exhibit};
use crate::failure::Failure;
use crate::li::SOURCE;
use crate::li::identification::{CONDITIONS, DEEP, areas_of, difference, equal, larger};
use crate::study::Study;

/// Means and impurities of the rows a tree was grown on, of its other rows, or one of each.
const MEASURES: [(MeasureId, &str); 3] = [
    (MeasureId::Mdi, "MDI"),
    (MeasureId::MdiOobNaive, "MDI of the other rows"),
    (MeasureId::MdiOobUncentred, "MDI-oob"),
];
const MDI: usize = 0;
const OTHER: usize = 1;
const OOB: usize = 2;

/// Which rows a tree is grown on.
const SAMPLINGS: [(Sampling, &str); 2] =
    [(Sampling::Bootstrap, "bootstrap"), (Sampling::Subsample, "halves")];
const BOOTSTRAP: usize = 0;
const HALVES: usize = 1;

/// Areas under the curve by cell, sampling, measure and repetition.
type Areas = Vec<Vec<Vec<Vec<f64>>>>;

pub(crate) fn run(study: &Study) -> Result<Exhibit, Failure> {
    let measures = MEASURES.map(|(id, _)| id);
    let areas: Areas = CONDITIONS
        .iter()
        .map(|&condition| {
            let of = |(sampling, _)| areas_of(study, condition, sampling, &measures);
            SAMPLINGS.into_iter().map(of).collect()
        })
        .collect::<Result<_, Failure>>()?;
    let mut settings = study.settings();
    settings.push(("mtry", "10".to_owned()));
    settings.push(("smallest leaf", "100 distinct rows (shallow) or 1 (deep)".to_owned()));
    settings.push(("halves", "each tree is grown on a random half of the rows".to_owned()));
    Ok(Exhibit {
        title: "Honest trees: grown on one half of the rows, measured by the other".to_owned(),
        source: SOURCE,
        settings,
        comparisons: vec![comparisons(&areas)],
        claims: claims(&areas),
        notes: vec![
            "The data are those of Table 1, simulated as the published program does; negative \
             values are kept in the ranking. MDI has means and impurities of the rows that a tree \
             was grown on, MDI of the other rows (naive-oob) has those of the rows it was not \
             grown on, MDI-oob has products of the two means, as in Proposition 1."
                .to_owned(),
            "Differences in the claims are of the same data, so their standard errors are those of \
             pairs; a difference counts beyond 3 of them."
                .to_owned(),
        ],
        ..Exhibit::default()
    })
}

fn comparisons(areas: &Areas) -> Comparisons {
    let mut rows = Vec::new();
    for (sampling, (_, sampling_name)) in SAMPLINGS.iter().enumerate() {
        for (measure, (_, name)) in MEASURES.iter().enumerate() {
            let name = format!("{name}, {sampling_name}");
            rows.extend(CONDITIONS.iter().zip(areas).map(|(condition, areas)| {
                Comparison::without(
                    &name,
                    condition.name,
                    2,
                    &Estimate::of(&areas[sampling][measure]),
                )
            }));
        }
    }
    let title = "Area under the curve, means over repetitions".to_owned();
    Comparisons { title, reference: "published", rows }
}

fn claims(areas: &Areas) -> Vec<Claim> {
    // In deep trees of both tasks, one way less another.
    let differences = |one: (usize, usize), other: (usize, usize)| {
        DEEP.map(|cell| difference(&areas[cell][one.0][one.1], &areas[cell][other.0][other.1]))
    };
    vec![
        larger(
            "deep trees grown on halves: MDI of the other half separates relevant inputs better \
             than MDI of the same half",
            differences((HALVES, OTHER), (HALVES, MDI)),
        ),
        larger(
            "deep trees grown on halves: MDI-oob, which uses both halves, separates them better \
             than MDI of the other half",
            differences((HALVES, OOB), (HALVES, OTHER)),
        ),
        equal(
            "deep trees: MDI-oob of halves does as well as MDI-oob of bootstrap samples",
            differences((HALVES, OOB), (BOOTSTRAP, OOB)),
        ),
    ]
}
