//! `masking-and-sobol`: errors of total Sobol indices and Shapley effects against mtry.

use wald::{ForestConfig, MeasureId};

use crate::exhibit::{Exhibit, Listing};
use crate::failure::Failure;
use crate::masking::SOURCE;
use crate::masking::runs::{Grid, Known, Score};
use crate::masking::worlds::WORLDS;
use wald_html::chart::{COLOURS, Chart, Line, Panel, Point};

/// A measure, and the most rows of a data set on which it is looked at here.
const MEASURES: [(MeasureId, usize); 4] = [
    (MeasureId::SobolMda, usize::MAX),
    (MeasureId::TotalSobolRegrow, usize::MAX),
    (MeasureId::TotalSobolRetrain, 2_000),
    (MeasureId::ShapleyEffects, 2_000),
];

/// What was found with one design, number of rows and mtry.
struct Cell {
    world: usize,
    n_rows: usize,
    mtry: usize,
    scores: Vec<Option<Score>>,
    explained: f64,
}

pub(crate) fn run(grid: &Grid) -> Result<Exhibit, Failure> {
    let known = Known::all(grid);
    let mut cells = Vec::new();
    for &n_rows in &grid.sizes {
        for (place, known) in known.iter().enumerate() {
            for mtry in mtrys(known.world.n_inputs) {
                cells.push(cell(place, known, n_rows, mtry, grid)?);
            }
        }
    }
    let mut listings = vec![summary(&cells, grid)];
    listings.extend(grid.sizes.iter().map(|&n_rows| by_mtry(&cells, n_rows)));
    let panels =
        (0..known.len()).map(|world| panel(&cells, world, grid.sizes[grid.sizes.len() / 2]));
    Ok(Exhibit {
        title: "Total Sobol indices against mtry, where the truth is known".to_owned(),
        source: SOURCE,
        settings: grid.settings(),
        listings,
        notes: vec![
            "Errors are distances of estimates from true values, as shares of the variance of the \
             target: that of the variable with the largest error, in the mean over data sets. Sums \
             are sums of estimates over sums of true values."
                .to_owned(),
            "Truth: draws from the exact conditional laws.".to_owned(),
        ],
        figure: Some(Chart { panels: panels.collect(), panels_per_row: 4 }.svg()),
        ..Exhibit::default()
    })
}

/// 1, the default, about half of all, all.
fn mtrys(n_inputs: usize) -> Vec<usize> {
    let mut all = vec![1, n_inputs.isqrt(), n_inputs.div_ceil(2), n_inputs];
    all.dedup();
    all
}

fn cell(
    world: usize,
    known: &Known<'_>,
    n_rows: usize,
    mtry: usize,
    grid: &Grid,
) -> Result<Cell, Failure> {
    let config = ForestConfig { mtry: Some(mtry), ..ForestConfig::default() };
    let asked = |(_, most_rows): &&(MeasureId, usize)| n_rows <= *most_rows;
    let ids: Vec<MeasureId> = MEASURES.iter().filter(asked).map(|(id, _)| *id).collect();
    let (found, explained) = known.scores(&grid.study_of(n_rows), &config, &ids)?;
    let mut found = found.into_iter();
    let scores = MEASURES.iter().map(|measure| if asked(&measure) { found.next() } else { None });
    Ok(Cell { world, n_rows, mtry, scores: scores.collect(), explained })
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"))
}

fn by_mtry(cells: &[Cell], n_rows: usize) -> Listing {
    let mut head = vec!["design".to_owned(), "mtry".to_owned(), "explained".to_owned()];
    for (id, _) in MEASURES {
        head.extend([id.info().id.to_owned(), "sum".to_owned()]);
    }
    let row = |cell: &Cell| {
        let mut row = vec![WORLDS[cell.world].name.to_owned(), cell.mtry.to_string()];
        row.push(number(Some(cell.explained)));
        for score in &cell.scores {
            row.push(number(score.map(|score| score.largest)));
            row.push(score.map_or_else(|| "-".to_owned(), |score| format!("{:.2}", score.share)));
        }
        row
    };
    let rows = cells.iter().filter(|cell| cell.n_rows == n_rows).map(row).collect();
    Listing { title: format!("{n_rows} rows: largest error, and sum"), head, rows }
}

/// Largest errors in the mean over designs: at the best and the worst mtry, the default, and all.
fn summary(cells: &[Cell], grid: &Grid) -> Listing {
    let mut rows = Vec::new();
    for &n_rows in &grid.sizes {
        for (place, (id, _)) in MEASURES.iter().enumerate() {
            let mut sums = [0.0; 4];
            let mut is_missing = false;
            for (world, design) in WORLDS.iter().enumerate().take(grid.n_worlds) {
                let of: Vec<&Cell> = cells
                    .iter()
                    .filter(|cell| (cell.world, cell.n_rows) == (world, n_rows))
                    .collect();
                let errors: Option<Vec<f64>> =
                    of.iter().map(|cell| cell.scores[place].map(|score| score.largest)).collect();
                let Some(errors) = errors else {
                    is_missing = true;
                    continue;
                };
                let default = design.n_inputs.isqrt();
                let at_default = of.iter().position(|cell| cell.mtry == default).unwrap_or(0);
                sums[0] += errors.iter().copied().fold(f64::INFINITY, f64::min);
                sums[1] += errors.iter().copied().fold(0.0, f64::max);
                sums[2] += errors[at_default];
                sums[3] += errors[errors.len() - 1];
            }
            if !is_missing {
                let means = sums.map(|sum| number(Some(sum / grid.n_worlds as f64)));
                rows.push(
                    [n_rows.to_string(), id.info().id.to_owned()]
                        .into_iter()
                        .chain(means)
                        .collect(),
                );
            }
        }
    }
    let head = ["rows", "measure", "best mtry", "worst mtry", "default", "mtry = p"];
    Listing {
        title: "Largest errors, means over designs".to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows,
    }
}

fn panel(cells: &[Cell], world: usize, n_rows: usize) -> Panel {
    let line = |(place, (id, _)): (usize, &(MeasureId, usize))| {
        let of_world = cells.iter().filter(|cell| (cell.world, cell.n_rows) == (world, n_rows));
        let points = of_world.filter_map(|cell| {
            let score = cell.scores[place]?;
            Some(Point { x: cell.mtry as f64, y: score.largest, spread: 0.0 })
        });
        let points: Vec<Point> = points.collect();
        let name = id.info().id.to_owned();
        (!points.is_empty()).then_some(Line {
            name,
            colour: COLOURS[place],
            points,
            reference: None,
        })
    };
    Panel {
        title: WORLDS[world].name.to_owned(),
        x_label: format!("mtry ({n_rows} rows)"),
        y_label: "largest error".to_owned(),
        is_x_log: false,
        lines: MEASURES.iter().enumerate().filter_map(line).collect(),
        has_legend: world == 0,
    }
}
