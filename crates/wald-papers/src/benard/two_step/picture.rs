//! Errors against the number of runs, a panel for each function.

use wald_html::chart::{COLOURS, Chart, Line, Panel, Point};

use crate::benard::two_step::functions::Function;
use crate::benard::two_step::results::Results;
use crate::benard::two_step::sample::WAYS;

/// Of the runs without noise.
pub(super) fn draw(all: &[Results]) -> String {
    let exact: Vec<&Results> = all.iter().filter(|found| found.cell.noise == 0.0).collect();
    let mut functions: Vec<Function> = exact.iter().map(|found| found.cell.function).collect();
    functions.dedup();
    let panels = functions.iter().enumerate().map(|(place, function)| {
        let of = exact.iter().filter(|found| found.cell.function == *function);
        let line = |(way, name): (usize, &str)| Line {
            name: name.to_owned(),
            colour: COLOURS[way],
            points: of
                .clone()
                .map(|found| {
                    let error = &found.errors[way];
                    let spread = if error.n > 1 { error.deviation } else { 0.0 };
                    Point { x: found.cell.n_runs as f64, y: error.mean, spread }
                })
                .collect(),
            // The axis begins at no error.
            reference: Some(0.0),
        };
        Panel {
            title: function.design().world.name.to_owned(),
            x_label: "runs".to_owned(),
            y_label: "mean error".to_owned(),
            is_x_log: true,
            lines: WAYS.into_iter().enumerate().map(line).collect(),
            has_legend: place == 0,
        }
    });
    Chart { panels: panels.collect(), panels_per_row: 3 }.svg()
}
