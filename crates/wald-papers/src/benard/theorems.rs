//! `benard-theorems`: Theorems 1 and 2: the measures approach their limits with more rows.

use wald::simulate::BenardExample1;
use wald::{ForestConfig, MeasureId};

use crate::benard::SOURCE;
use crate::benard::limits::{Limits, limits};
use crate::estimate::Estimate;
use crate::exhibit::{Claim, Exhibit, Listing};
use crate::failure::Failure;
use crate::measures;
use crate::study::{Found, Study};
use wald_html::chart::{COLOURS, Chart, Line, Panel, Point};

/// A measure and what it approaches.
struct Estimator {
    name: &'static str,
    measure: MeasureId,
    limit: fn(&Limits) -> f64,
}

const ESTIMATORS: [Estimator; 4] = [
    Estimator {
        name: "TT-MDA / 2V[Y]",
        measure: MeasureId::MdaTrainTest,
        limit: Limits::breiman_cutler,
    },
    Estimator {
        name: "BC-MDA / 2V[Y]",
        measure: MeasureId::MdaBreimanCutler,
        limit: Limits::breiman_cutler,
    },
    Estimator {
        name: "IK-MDA / V[Y]",
        measure: MeasureId::MdaIshwaranKogalur,
        limit: Limits::ishwaran_kogalur,
    },
    Estimator { name: "Sobol-MDA", measure: MeasureId::SobolMda, limit: Limits::total_sobol },
];

/// Variables of the same distribution are drawn as one.
const CLASSES: [(&str, &[usize]); 3] = [("X3", &[2]), ("X4, X5", &[3, 4]), ("X1, X2", &[0, 1])];

/// The settings of the command.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TheoremStudy {
    /// Its rows are the smallest sample.
    pub(crate) study: Study,
    /// Every sample is four times as large as the one before.
    pub(crate) n_sizes: usize,
}

/// What a design showed.
struct Setting {
    name: &'static str,
    design: BenardExample1,
    /// Number of rows, and what was found.
    sizes: Vec<(usize, Found)>,
}

pub(crate) fn run(theorems: &TheoremStudy) -> Result<Exhibit, Failure> {
    let dependent = BenardExample1::default();
    let independent = BenardExample1 { rho_12: 0.0, rho_45: 0.0, ..dependent };
    let ids = ESTIMATORS.each_ref().map(|estimator| estimator.measure);
    let settings = [("example 1", dependent), ("independent inputs", independent)]
        .into_iter()
        .map(|(name, design)| theorems.of_design(name, design, &ids))
        .collect::<Result<Vec<_>, _>>()?;
    let mut panels = Vec::new();
    let (mut listings, mut claims) = (Vec::new(), Vec::new());
    for setting in &settings {
        let of_setting = || ESTIMATORS.iter().enumerate();
        panels.extend(of_setting().map(|(place, estimator)| setting.panel(place, estimator)));
        listings.push(setting.listing());
        claims.extend(of_setting().map(|(place, estimator)| setting.claim(place, estimator)));
    }
    let mut settings = theorems.study.settings();
    settings.retain(|(name, _)| *name != "rows");
    settings.push(("mtry", "2".to_owned()));
    settings.push(("min_node_size", "5".to_owned()));
    settings.push(("permutations", "exact expectation".to_owned()));
    Ok(Exhibit {
        title: "Theorems 1 and 2: convergence with the number of rows".to_owned(),
        source: SOURCE,
        settings,
        listings,
        claims,
        notes: vec![
            "The TT-MDA looks at as many test rows as there are training rows.".to_owned(),
            "The limits are those of section 2.5. Normal inputs have no bounded support, which \
             (A1) asks for, so permuted rows lie where there are few data (Remark 2), and products \
             of inputs are largest there: convergence is slow, above all that of the MDA of X1 and \
             X2 with correlation .9."
                .to_owned(),
        ],
        figure: Some(Chart { panels, panels_per_row: ESTIMATORS.len() }.svg()),
        ..Exhibit::default()
    })
}

impl TheoremStudy {
    fn of_design(
        &self,
        name: &'static str,
        design: BenardExample1,
        ids: &[MeasureId],
    ) -> Result<Setting, Failure> {
        let draw = |n_rows, seed| design.draw(n_rows, seed);
        let of_size = |step: usize| {
            let study = Study { n_rows: self.study.n_rows << (2 * step), ..self.study };
            let measures = |test| measures::shares_with_test(ids, &test);
            Ok((study.n_rows, study.run_with(draw, &ForestConfig::default(), measures)?))
        };
        let sizes = (0..self.n_sizes).map(of_size).collect::<Result<_, Failure>>()?;
        Ok(Setting { name, design, sizes })
    }
}

impl Setting {
    /// Mean over repetitions and over the variables of a class.
    fn estimate(found: &Found, place: usize, variables: &[usize]) -> Estimate {
        let mean = |values: &[f64]| {
            variables.iter().map(|&variable| values[variable]).sum::<f64>() / variables.len() as f64
        };
        Estimate::of(&found.values.iter().map(|all| mean(&all[place])).collect::<Vec<_>>())
    }

    fn limit(&self, estimator: &Estimator, variables: &[usize]) -> f64 {
        (estimator.limit)(&limits(&self.design)[variables[0]])
    }

    fn panel(&self, place: usize, estimator: &Estimator) -> Panel {
        let line = |((name, variables), colour): ((&str, &[usize]), &'static str)| Line {
            name: name.to_owned(),
            colour,
            points: self
                .sizes
                .iter()
                .map(|(n_rows, found)| {
                    let estimate = Self::estimate(found, place, variables);
                    let spread = if estimate.n > 1 { estimate.deviation } else { 0.0 };
                    Point { x: *n_rows as f64, y: estimate.mean, spread }
                })
                .collect(),
            reference: Some(self.limit(estimator, variables)),
        };
        Panel {
            title: format!("{}, {}", estimator.name, self.name),
            x_label: "rows".to_owned(),
            y_label: "importance; dashed: limit".to_owned(),
            is_x_log: true,
            lines: CLASSES.into_iter().zip(COLOURS).map(line).collect(),
            has_legend: true,
        }
    }

    fn listing(&self) -> Listing {
        let mut head = vec!["measure".to_owned(), "of".to_owned()];
        head.extend(self.sizes.iter().map(|(n_rows, _)| format!("{n_rows} rows")));
        head.push("limit".to_owned());
        let mut rows = Vec::new();
        for (place, estimator) in ESTIMATORS.iter().enumerate() {
            for (name, variables) in CLASSES {
                let mut row = vec![estimator.name.to_owned(), name.to_owned()];
                row.extend(self.sizes.iter().map(|(_, found)| {
                    let estimate = Self::estimate(found, place, variables);
                    format!("{:.3} ± {:.3}", estimate.mean, estimate.standard_error())
                }));
                row.push(format!("{:.3}", self.limit(estimator, variables)));
                rows.push(row);
            }
        }
        Listing {
            title: format!("{}: means over repetitions ± standard errors", self.name),
            head,
            rows,
        }
    }

    /// Each step to a larger sample brings the mean nearer to the limit, up to its error.
    fn claim(&self, place: usize, estimator: &Estimator) -> Claim {
        let mut holds = true;
        let mut found = Vec::new();
        for (name, variables) in CLASSES {
            let limit = self.limit(estimator, variables);
            let estimates: Vec<Estimate> = self
                .sizes
                .iter()
                .map(|(_, found)| Self::estimate(found, place, variables))
                .collect();
            let distances: Vec<f64> =
                estimates.iter().map(|estimate| (estimate.mean - limit).abs()).collect();
            holds &=
                distances.windows(2).zip(estimates.windows(2)).all(|(distances, estimates)| {
                    let error = estimates[0].standard_error().hypot(estimates[1].standard_error());
                    distances[1] < distances[0] || distances[1] - distances[0] <= 2.0 * error
                });
            if let [first, .., last] = distances[..] {
                holds &= last < first;
                found.push(format!("{name} {first:.3} to {last:.3}"));
            }
        }
        Claim::new(
            format!("{}: the distance of {} to its limit falls", self.name, estimator.name),
            holds,
            found.join(", "),
        )
    }
}
