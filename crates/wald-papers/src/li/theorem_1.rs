//! `li-theorem-1`: the mean decrease in impurity without relevant variables is about
//! inversely proportional to the smallest leaf.

use wald::forest::Sampling;
use wald::measure::MeasureSettings;
use wald::simulate::LiLeafSize;
use wald::{ForestConfig, Measure, MeasureId};

use crate::estimate::Estimate;
use crate::exhibit::{Claim, Exhibit, Listing};
use crate::failure::Failure;
use crate::li::SOURCE;
use crate::study::Study;
use wald_html::chart::{COLOURS, Chart, Line, Panel, Point};

/// Draws in the smallest leaf.
const SIZES: [usize; 8] = [1, 2, 5, 10, 20, 40, 80, 160];

/// The sum over all variables of each measure, by the smallest leaf.
struct Sums {
    smallest: usize,
    /// In the order of [`MEASURES`].
    sums: Vec<Estimate>,
}

const MEASURES: [(MeasureId, &str); 4] = [
    (MeasureId::Mdi, "G0 (MDI)"),
    (MeasureId::MdiOobNaive, "naive-oob"),
    (MeasureId::MdiOob, "MDI-oob"),
    (MeasureId::Ufi, "UFI"),
];

pub(crate) fn run(study: &Study) -> Result<Exhibit, Failure> {
    let measures = MEASURES.map(|(id, _)| Measure::new(id, MeasureSettings::default()));
    let measures: Vec<Measure> = measures.into_iter().collect::<Result<_, _>>()?;
    let mut found = Vec::new();
    for smallest in SIZES {
        // As in the theorem: samples without replacement.
        let config = ForestConfig {
            sampling: Sampling::Subsample,
            min_node_size: Some(1),
            min_leaf_size: smallest,
            ..ForestConfig::default()
        };
        let draw = |n_rows, seed| LiLeafSize { effect: 0.0 }.draw(n_rows, seed);
        let values = study.run(draw, &config, &measures)?.values;
        let sums = (0..measures.len()).map(|measure| {
            let sums: Vec<f64> = values.iter().map(|of| of[measure].iter().sum()).collect();
            Estimate::of(&sums)
        });
        found.push(Sums { smallest, sums: sums.collect() });
    }
    let mut settings = study.settings();
    settings.push(("design", "X1 to X5 of Figures 1 to 3, all irrelevant".to_owned()));
    settings.push(("sampling", "0.632 of the rows without replacement".to_owned()));
    Ok(Exhibit {
        title: "Theorem 1: G0 against the smallest leaf, without relevant variables".to_owned(),
        source: SOURCE,
        settings,
        listings: vec![listing(&found)],
        claims: claims(&found),
        notes: vec![
            "The theorem bounds the largest G0 of all trees of smallest leaf m by \
             C d log(n p) / m, and from below by a constant times log p / m; here are the trees of \
             random forests. With leaves of few rows depth and ties bound G0 first."
                .to_owned(),
        ],
        figure: Some(chart(&found).svg()),
        ..Exhibit::default()
    })
}

fn listing(found: &[Sums]) -> Listing {
    let row = |sums: &Sums| {
        let mut cells = vec![sums.smallest.to_string()];
        let mean = |estimate: &Estimate| {
            format!("{:.5} ± {:.5}", estimate.mean, estimate.standard_error())
        };
        cells.extend(sums.sums.iter().map(mean));
        cells.push(format!("{:.3}", sums.smallest as f64 * sums.sums[0].mean));
        cells
    };
    let names = MEASURES.iter().map(|(_, name)| *name);
    let head = std::iter::once("smallest leaf m").chain(names).chain(["m G0"]);
    Listing {
        title: "Sums over all variables, means over repetitions with standard errors".to_owned(),
        head: head.map(str::to_owned).collect(),
        rows: found.iter().map(row).collect(),
    }
}

fn claims(found: &[Sums]) -> Vec<Claim> {
    let large: Vec<&Sums> = found.iter().filter(|sums| sums.smallest >= 5).collect();
    let slope = slope(&large);
    let is_zero = |measure: usize| {
        let distances = found
            .iter()
            .map(|sums| (sums.sums[measure].mean / sums.sums[measure].standard_error()).abs());
        distances.fold(0.0, f64::max)
    };
    let zero = |measure: usize| {
        let largest = is_zero(measure);
        Claim::new(
            format!(
                "{} is zero at every size of leaves, within 3 standard errors",
                MEASURES[measure].1
            ),
            largest <= 3.0,
            format!("at most {largest:.1} standard errors"),
        )
    };
    vec![
        Claim::new(
            "from leaves of 5 on, G0 falls about as 1 / m: the slope of their logarithms is \
             between -1.3 and -0.7",
            (-1.3..=-0.7).contains(&slope),
            format!("{slope:.2}"),
        ),
        zero(2),
        zero(3),
    ]
}

/// Of log G0 on log m, by least squares.
fn slope(found: &[&Sums]) -> f64 {
    let points: Vec<(f64, f64)> =
        found.iter().map(|sums| ((sums.smallest as f64).ln(), sums.sums[0].mean.ln())).collect();
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / n, y + point.1 / n));
    let products: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    products / points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>()
}

fn chart(found: &[Sums]) -> Chart {
    let lines = MEASURES.iter().enumerate().map(|(measure, (_, name))| Line {
        name: (*name).to_owned(),
        colour: COLOURS[measure],
        points: found
            .iter()
            .map(|sums| Point {
                x: sums.smallest as f64,
                y: sums.sums[measure].mean,
                spread: sums.sums[measure].standard_error(),
            })
            .collect(),
        reference: None,
    });
    let panel = Panel {
        title: "Measures without relevant variables".to_owned(),
        x_label: "smallest leaf".to_owned(),
        y_label: "sum over variables".to_owned(),
        is_x_log: true,
        lines: lines.collect(),
        has_legend: true,
    };
    Chart { panels: vec![panel], panels_per_row: 1 }
}
