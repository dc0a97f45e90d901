//! `node-size`: errors of total Sobol indices against the smallest node that is divided.

use wald::{ForestConfig, MeasureId};

use crate::exhibit::{Exhibit, Listing};
use crate::failure::Failure;
use crate::masking::SOURCE;
use crate::masking::runs::{Grid, Known, Score};
use crate::masking::worlds::WORLDS;
use wald_html::chart::{COLOURS, Chart, Line, Panel, Point};

/// Nodes of at most so many rows become leaves.
const NODE_SIZES: [usize; 6] = [1, 5, 10, 20, 50, 100];

const MEASURES: [MeasureId; 2] = [MeasureId::SobolMda, MeasureId::TotalSobolRegrow];

struct Cell {
    world: usize,
    n_rows: usize,
    node_size: usize,
    scores: Vec<Score>,
    explained: f64,
}

pub(crate) fn run(grid: &Grid) -> Result<Exhibit, Failure> {
    let known = Known::all(grid);
    let mut cells = Vec::new();
    for &n_rows in &grid.sizes {
        for (world, known) in known.iter().enumerate() {
            for node_size in NODE_SIZES {
                let config =
                    ForestConfig { min_node_size: Some(node_size), ..ForestConfig::default() };
                let study = grid.study_of(n_rows);
                let (scores, explained) = known.scores(&study, &config, &MEASURES)?;
                cells.push(Cell { world, n_rows, node_size, scores, explained });
            }
        }
    }
    let mut listings = vec![summary(&cells, grid)];
    listings.extend((0..known.len()).map(|world| of_world(&cells, world)));
    let panels = (0..known.len()).map(|world| panel(&cells, world, grid));
    Ok(Exhibit {
        title: "Total Sobol indices against the smallest node that is divided".to_owned(),
        source: SOURCE,
        settings: grid.settings(),
        listings,
        notes: vec![
            "Errors as in `masking-and-sobol`; mtry is the default, the root of the number of inputs."
                .to_owned(),
        ],
        figure: Some(Chart { panels: panels.collect(), panels_per_row: 4 }.svg()),
        ..Exhibit::default()
    })
}

/// In the mean over designs: largest errors of each measure, sums, and what forests explain less
/// than with the node size that explains most.
fn summary(cells: &[Cell], grid: &Grid) -> Listing {
    let mut rows = Vec::new();
    for &n_rows in &grid.sizes {
        for node_size in NODE_SIZES {
            let of: Vec<&Cell> = cells
                .iter()
                .filter(|cell| (cell.n_rows, cell.node_size) == (n_rows, node_size))
                .collect();
            let mean = |value: &dyn Fn(&Cell) -> f64| {
                of.iter().map(|cell| value(cell)).sum::<f64>() / of.len() as f64
            };
            let lost = |cell: &Cell| {
                let same = |other: &&Cell| (other.world, other.n_rows) == (cell.world, n_rows);
                let most = cells.iter().filter(same).map(|other| other.explained);
                most.fold(f64::NEG_INFINITY, f64::max) - cell.explained
            };
            let mut row = vec![n_rows.to_string(), node_size.to_string()];
            for place in 0..MEASURES.len() {
                row.push(format!("{:.4}", mean(&|cell| cell.scores[place].largest)));
                row.push(format!("{:.3}", mean(&|cell| (cell.scores[place].share - 1.0).abs())));
            }
            row.push(format!("{:.4}", mean(&lost)));
            rows.push(row);
        }
    }
    Listing {
        title: "Means over designs".to_owned(),
        head: head(["rows", "node size"], "lost"),
        rows,
    }
}

fn head(first: [&str; 2], last: &str) -> Vec<String> {
    let of = MEASURES.iter().flat_map(|id| [id.info().id, "sum"]);
    first.into_iter().chain(of).chain([last]).map(str::to_owned).collect()
}

fn of_world(cells: &[Cell], world: usize) -> Listing {
    let row = |cell: &Cell| {
        let mut row = vec![cell.n_rows.to_string(), cell.node_size.to_string()];
        for score in &cell.scores {
            row.extend([format!("{:.3}", score.largest), format!("{:.2}", score.share)]);
        }
        row.push(format!("{:.3}", cell.explained));
        row
    };
    Listing {
        title: format!("{}: largest error, and sum", WORLDS[world].name),
        head: head(["rows", "node size"], "explained"),
        rows: cells.iter().filter(|cell| cell.world == world).map(row).collect(),
    }
}

fn panel(cells: &[Cell], world: usize, grid: &Grid) -> Panel {
    let line = |(place, &n_rows): (usize, &usize)| {
        let of = cells.iter().filter(|cell| (cell.world, cell.n_rows) == (world, n_rows));
        let point =
            |cell: &Cell| Point { x: cell.node_size as f64, y: cell.scores[0].share, spread: 0.0 };
        Line {
            name: format!("{n_rows} rows"),
            colour: COLOURS[place],
            points: of.map(point).collect(),
            reference: (place == 0).then_some(1.0),
        }
    };
    Panel {
        title: WORLDS[world].name.to_owned(),
        x_label: "node size".to_owned(),
        y_label: "sobol_mda: sum of estimates over truth".to_owned(),
        is_x_log: true,
        lines: grid.sizes.iter().enumerate().map(line).collect(),
        has_legend: world == 0,
    }
}
