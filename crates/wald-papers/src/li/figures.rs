//! `li-figure-1`, `li-figure-2` and `li-figure-3`: importances over the smallest leaf and the depth.

use wald::measure::MeasureSettings;
use wald::simulate::LiLeafSize;
use wald::{ForestConfig, Measure, MeasureId};

use crate::estimate::Estimate;
use crate::exhibit::{Claim, Exhibit, Listing};
use crate::failure::Failure;
use crate::li::SOURCE;
use crate::study::Study;
use wald_html::chart::{COLOURS, Chart, Line, Panel, Point};

/// What varies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Varied {
    SmallestLeaf,
    Depth,
}

/// A figure.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Figure {
    number: u32,
    measure: MeasureId,
    varied: Varied,
}

pub(crate) const FIGURE_1: Figure =
    Figure { number: 1, measure: MeasureId::Mdi, varied: Varied::SmallestLeaf };
pub(crate) const FIGURE_2: Figure =
    Figure { number: 2, measure: MeasureId::Mdi, varied: Varied::Depth };
pub(crate) const FIGURE_3: Figure =
    Figure { number: 3, measure: MeasureId::MdiOob, varied: Varied::SmallestLeaf };

/// The variables, the one that matters being the second.
const VARIABLES: [&str; 5] =
    ["X1 (normal)", "X2 (2 values)", "X3 (4 values)", "X4 (10 values)", "X5 (20 values)"];
const RELEVANT: usize = 1;

/// Means over repetitions of all variables, by what varies.
type Curve = Vec<(usize, Vec<Estimate>)>;

pub(crate) fn run(figure: Figure, study: &Study) -> Result<Exhibit, Failure> {
    let info = figure.measure.info();
    let measure = Measure::new(figure.measure, MeasureSettings::default())?;
    let mut curve: Curve = Vec::new();
    for size in figure.sizes() {
        let config = figure.config(size);
        let draw = |n_rows, seed| LiLeafSize::default().draw(n_rows, seed);
        let found = study.run(draw, &config, std::slice::from_ref(&measure))?;
        let estimates = (0..VARIABLES.len()).map(|variable| found.estimate(0, variable));
        curve.push((size, estimates.collect()));
    }
    let mut settings = study.settings();
    settings.push(("mtry", "2".to_owned()));
    let over = figure.over();
    Ok(Exhibit {
        title: format!("Figure {}: {} against {over}", figure.number, info.name),
        source: SOURCE,
        settings,
        listings: vec![listing(&curve, over)],
        claims: figure.claims(&curve),
        notes: vec![
            "The paper shows curves of one sample without numbers; these are means over samples. \
             Only X2 matters."
                .to_owned(),
        ],
        figure: Some(figure.chart(&curve).svg()),
        ..Exhibit::default()
    })
}

impl Figure {
    /// 1, 3, ..., 49 rows in the smallest leaf, or 1 to 19 levels.
    fn sizes(self) -> Vec<usize> {
        match self.varied {
            Varied::SmallestLeaf => (1..50).step_by(2).collect(),
            Varied::Depth => (1..20).collect(),
        }
    }

    fn over(self) -> &'static str {
        match self.varied {
            Varied::SmallestLeaf => "smallest leaf",
            Varied::Depth => "depth",
        }
    }

    fn config(self, size: usize) -> ForestConfig {
        let config =
            ForestConfig { mtry: Some(2), min_node_size: Some(1), ..ForestConfig::default() };
        match self.varied {
            Varied::SmallestLeaf => ForestConfig { min_leaf_size: size, ..config },
            Varied::Depth => ForestConfig { max_depth: Some(size), ..config },
        }
    }

    fn claims(self, curve: &[(usize, Vec<Estimate>)]) -> Vec<Claim> {
        let (Some((_, first)), Some((_, last))) = (curve.first(), curve.last()) else {
            return Vec::new();
        };
        let noise = |estimates: &[Estimate]| -> f64 {
            let others = estimates.iter().enumerate().filter(|(variable, _)| *variable != RELEVANT);
            others.map(|(_, estimate)| estimate.mean).sum()
        };
        let sums = format!("{:.4} and {:.4}", noise(first), noise(last));
        let is_first = |estimates: &[Estimate]| {
            estimates.iter().all(|estimate| estimate.mean <= estimates[RELEVANT].mean)
        };
        match (self.measure, self.varied) {
            (MeasureId::Mdi, Varied::SmallestLeaf) => vec![
                Claim::new(
                    "from smallest leaf 1 to 49, the MDI of irrelevant variables falls to a tenth \
                     or less",
                    noise(last) <= 0.1 * noise(first),
                    sums,
                ),
                Claim::new(
                    "with leaves of 1 row, irrelevant variables of many values come before X2; \
                     with 49 rows, X2 is first",
                    !is_first(first) && is_first(last),
                    format!("X2 is first: {} and {}", is_first(first), is_first(last)),
                ),
            ],
            (MeasureId::Mdi, Varied::Depth) => {
                let means: Vec<f64> = curve.iter().map(|(_, of)| noise(of)).collect();
                vec![Claim::new(
                    "the MDI of irrelevant variables grows with depth",
                    means.is_sorted_by(|one, other| *other >= *one - 1e-3)
                        && means[0] < 0.1 * noise(last),
                    sums,
                )]
            }
            _ => {
                let share = |estimates: &[Estimate]| {
                    let others = estimates.iter().enumerate();
                    let others = others.filter(|(variable, _)| *variable != RELEVANT);
                    let sizes = others.map(|(_, estimate)| estimate.mean.abs());
                    sizes.fold(0.0, f64::max) / estimates[RELEVANT].mean
                };
                let largest = curve.iter().map(|(_, of)| share(of)).fold(0.0, f64::max);
                let n_first = curve.iter().filter(|(_, estimates)| is_first(estimates)).count();
                vec![
                    Claim::new(
                        "X2 has the largest MDI-oob at every smallest leaf",
                        n_first == curve.len(),
                        format!("at {n_first} of {}", curve.len()),
                    ),
                    Claim::new(
                        "the MDI-oob of irrelevant variables is at most a twentieth of that of X2",
                        largest <= 0.05,
                        format!("at most {:.1} %", 100.0 * largest),
                    ),
                ]
            }
        }
    }

    fn chart(self, curve: &[(usize, Vec<Estimate>)]) -> Chart {
        let lines = VARIABLES.iter().enumerate().map(|(variable, name)| Line {
            name: name.split(' ').next().unwrap_or(name).to_owned(),
            colour: COLOURS[variable % COLOURS.len()],
            points: curve
                .iter()
                .map(|(size, estimates)| Point {
                    x: *size as f64,
                    y: estimates[variable].mean,
                    spread: estimates[variable].standard_error(),
                })
                .collect(),
            reference: None,
        });
        let panel = Panel {
            title: format!("{} against {}", self.measure.info().name, self.over()),
            x_label: self.over().to_owned(),
            y_label: "importance".to_owned(),
            is_x_log: false,
            lines: lines.collect(),
            has_legend: true,
        };
        Chart { panels: vec![panel], panels_per_row: 1 }
    }
}

fn listing(curve: &[(usize, Vec<Estimate>)], over: &str) -> Listing {
    let row = |(size, estimates): &(usize, Vec<Estimate>)| {
        let values = estimates
            .iter()
            .map(|estimate| format!("{:.4} ± {:.4}", estimate.mean, estimate.standard_error()));
        std::iter::once(size.to_string()).chain(values).collect()
    };
    let head = std::iter::once(over).chain(VARIABLES).map(str::to_owned);
    Listing {
        title: "Means over repetitions, with standard errors".to_owned(),
        head: head.collect(),
        rows: curve.iter().map(row).collect(),
    }
}
