//! Importances as a picture: by degree, and against the number of variables to choose from.

use wald_html::chart::{COLOURS, Line, Panel, Part, Picture, Point, Stacks, file};

use crate::population::{Answer, unit};
use crate::text::shortened;

const WIDEST_NAME: usize = 14;

/// The whole file.
pub(crate) fn picture(answer: &Answer<'_>) -> String {
    let stacks = by_degree(answer);
    let lines = answer.found.by_mtry.as_ref().map(|by_mtry| against_mtry(answer, by_mtry));
    let mut panels: Vec<&dyn Picture> = vec![&stacks];
    panels.extend(lines.as_ref().map(|lines| -> &dyn Picture { lines }));
    file(&panels, 2)
}

fn by_degree(answer: &Answer<'_>) -> Stacks {
    let order = answer.found.ranking();
    let names = answer.population.variables();
    let n_degrees = answer.found.by_degree.first().map_or(0, Vec::len);
    let part = |degree: usize| Part {
        name: degree.to_string(),
        values: order.iter().map(|&variable| answer.found.by_degree[variable][degree]).collect(),
    };
    Stacks {
        title: format!("Importance by degree of interaction, K = {}", answer.mtry()),
        x_label: String::new(),
        y_label: format!("importance {}", unit(answer.population)),
        names: order.iter().map(|&variable| shown(&names[variable])).collect(),
        parts: (0..n_degrees).map(part).collect(),
    }
}

fn against_mtry(answer: &Answer<'_>, by_mtry: &[Vec<f64>]) -> Panel {
    let names = answer.population.variables();
    let line = |(variable, name): (usize, &String)| Line {
        name: shown(name),
        colour: COLOURS[variable % COLOURS.len()],
        points: (1..)
            .zip(by_mtry)
            .map(|(mtry, values)| Point { x: f64::from(mtry), y: values[variable], spread: 0.0 })
            .collect(),
        reference: None,
    };
    Panel {
        title: "Masking: importance against K".to_owned(),
        x_label: "K: variables to choose the best from".to_owned(),
        y_label: format!("importance {}", unit(answer.population)),
        is_x_log: false,
        lines: names.iter().enumerate().map(line).collect(),
        has_legend: true,
    }
}

/// A name that is not too long, without characters that no picture can hold.
fn shown(name: &str) -> String {
    shortened(&wald_table::escape_controls(name), WIDEST_NAME)
}
