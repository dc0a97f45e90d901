//! Made-up parts of a report: disagreement, dependence, single variables, selection.

use wald_report::{
    Curve, CurvePlaces, Decomposition, DependenceMap, Disagreement, Distribution, MaskingPoint,
    Merge, Overfitting, Partner, Report, SelectionCurve, SelectionPoint, VariableDisagreement,
    VariablePage,
};

use super::{advised, noise};

/// Gives a report all parts; of single variables and pairs at most `most`.
pub(super) fn fill(report: &mut Report, most: usize) {
    let names: Vec<String> =
        report.measures[0].ranking.iter().map(|variable| variable.name.clone()).collect();
    report.advice = Some(advised::advice(&names));
    report.disagreement = Some(disagreement(report, &names));
    report.dependence = Some(dependence(&names[..names.len().min(most)]));
    let classes = report.forest.confusion.as_ref().map(|confusion| confusion.classes.clone());
    let class = classes.and_then(|classes| classes.get(1).cloned());
    let pages = (0..names.len().min(most)).map(|i| variable(&names, i, class.as_ref()));
    report.variables = pages.collect();
    // Curves cost time: those behind the first ones have none.
    report.variables.iter_mut().skip(30).for_each(|page| page.curves.clear());
    report.selection = Some(selection(&names));
    for measure in &mut report.measures {
        if measure.interval.is_none() {
            continue;
        }
        measure.sampling = Some(
            "95 % for the error of trees and of the rows in the table together, by 100 subsamples \
             of half the rows; ranks are joint intervals"
                .into(),
        );
        let n = measure.ranking.len();
        for variable in &mut measure.ranking {
            let (value, error) =
                (variable.value.unwrap_or(0.0), variable.standard_error.unwrap_or(0.1));
            let reach = 1 + variable.rank / 4;
            variable.sampling = Some(wald_report::SampledVariable {
                standard_error: 1.7 * error,
                low: value - 4.1 * error,
                high: value + 4.1 * error,
                lowest_rank: Some(variable.rank.saturating_sub(reach).max(1)),
                highest_rank: Some((variable.rank + reach).min(n)),
            });
        }
    }
}

fn disagreement(report: &Report, names: &[String]) -> Disagreement {
    let n = report.measures.len();
    let variable = |(i, name): (usize, &String)| {
        let size = 0.35 * 0.8_f64.powi(i as i32);
        VariableDisagreement {
            name: name.clone(),
            sentence: format!(
                "{name} carries the same information as {}: permuting it costs much, leaving it out costs little.",
                names[(i + 1) % names.len()]
            ),
            rank_spread: i % 7,
            overfitting: Some(Overfitting {
                in_bag: size * (1.0 + 0.3 * noise(i, 41)) + 0.01,
                out_of_bag: size * (1.0 - 0.3 * noise(i, 42)) - 0.002,
            }),
            decomposition: Some(Decomposition {
                total_sobol: size * noise(i, 43) - 0.004,
                full_total_sobol: size * noise(i, 44),
                third: size * (noise(i, 45) - 0.4),
            }),
            masking: if i < 30 {
                [1, 2, 4, 6, 9, 13]
                    .map(|mtry| MaskingPoint {
                        mtry,
                        share: 100.0 * size * (1.0 + 0.1 * (noise(i, mtry) - 0.3) * mtry as f64)
                            / 1.75,
                    })
                    .to_vec()
            } else {
                Vec::new()
            },
            partners: if i % 3 == 0 {
                vec![Partner {
                    name: names[(i + 1) % names.len()].clone(),
                    alone: 0.2 * size,
                    together: 0.9 * size,
                }]
            } else {
                Vec::new()
            },
        }
    };
    Disagreement {
        summary: vec![
            "The rankings agree on the first variable and part from the third on.".into(),
            "They differ most for redundant variables.".into(),
        ],
        measures: report.measures.iter().map(|measure| measure.id.clone()).collect(),
        correlations: (0..n)
            .map(|i| (0..n).map(|j| Some(if i == j { 1.0 } else { 0.9 - 0.2 * noise(i + j, 40) })).collect())
            .collect(),
        variables: names.iter().enumerate().map(variable).collect(),
        about: vec![
            "The limit of the permutation importance is the sum of three terms.".into(),
            "The full total Sobol index is estimated by the difference of two permutation importances.".into(),
        ],
    }
}

fn dependence(names: &[String]) -> DependenceMap {
    let n = names.len();
    // Blocks of variables that depend on each other.
    let value = |i: usize, j: usize| match (i == j, i / 4 == j / 4) {
        (true, _) => 1.0,
        (_, true) => 0.75 + 0.2 * noise(i + j, 50),
        _ => 0.35 * noise(i * j + i + j, 51),
    };
    let mut merges = Vec::new();
    for end in 1..n {
        if end % 4 != 0 {
            let dependence = 0.95 - 0.06 * (end % 4) as f64;
            merges.push(Merge { first: end / 4 * 4, middle: end, end: end + 1, dependence });
        }
    }
    for start in (4..n).step_by(4) {
        let dependence = 0.4 * 0.9_f64.powi((start / 4) as i32);
        merges.push(Merge { first: 0, middle: start, end: (start + 4).min(n), dependence });
    }
    merges.sort_by(|a, b| b.dependence.total_cmp(&a.dependence));
    DependenceMap {
        method: "absolute Spearman correlation".into(),
        left_out: None,
        variables: names.to_vec(),
        values: (0..n).map(|i| (0..n).map(|j| value(i, j)).collect()).collect(),
        merges,
        clusters: names.chunks(4).filter(|chunk| chunk.len() > 1).map(<[String]>::to_vec).collect(),
        threshold: 0.7,
    }
}

fn variable(names: &[String], i: usize, class: Option<&String>) -> VariablePage {
    let is_levels = i % 5 == 3;
    let levels: Vec<String> =
        (0..5).map(|level| format!("level {level} of {}", names[(i + 2) % names.len()])).collect();
    let n_places = if is_levels { levels.len() } else { 25 };
    let curve = |stream: usize| -> Vec<f64> {
        let height = 0.2 + 0.5 * noise(stream, 60);
        let bend = |place: usize| 0.3 / (1.0 + (-(place as f64 - 11.0) / 2.0).exp());
        (0..n_places).map(|place| height + bend(place) + 0.02 * noise(place, stream)).collect()
    };
    VariablePage {
        name: names[i].clone(),
        distribution: if is_levels {
            let counts = levels.iter().zip([200, 120, 40, 9, 3]);
            Distribution::Categorical {
                counts: counts.map(|(level, n)| (level.clone(), n)).collect(),
                others: 17,
            }
        } else {
            Distribution::Numeric {
                edges: (0..=20).map(|edge| 0.5 * f64::from(edge)).collect(),
                counts: (0..20)
                    .map(|bin| (1000.0 / (2.0 + (f64::from(bin) - 8.0).powi(2))) as usize)
                    .collect(),
            }
        },
        curves: vec![Curve {
            class: class.cloned(),
            places: if is_levels {
                CurvePlaces::Categorical { levels }
            } else {
                CurvePlaces::Numeric {
                    values: (0..25).map(|place| 0.4 * f64::from(place)).collect(),
                    steps_from: None,
                }
            },
            mean: curve(i + 3),
            rows: (0..20).map(|row| curve(100 + 7 * row + i)).collect(),
        }],
    }
}

fn selection(names: &[String]) -> SelectionCurve {
    let n = names.len().min(40);
    let enough = n.div_ceil(4);
    SelectionCurve {
        measure: "sobol_mda".into(),
        about: "Five times, a fifth of the rows was set aside; the variable of the smallest Sobol-MDA left, one at a time.".into(),
        loss: "mean squared error".into(),
        points: (1..=n)
            .map(|k| SelectionPoint {
                n_variables: k,
                error: 11.0 + 30.0 / (k * k) as f64 + 0.04 * k as f64 + 0.2 * noise(k, 70),
                standard_error: 0.6 + 0.2 * noise(k, 71),
            })
            .collect(),
        best: n.div_ceil(2),
        enough,
        kept: names.iter().take(enough).cloned().collect(),
        beats_mean: true,
    }
}
