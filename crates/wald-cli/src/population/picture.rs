//! Importances as a picture: by degree, and against the number of variables to choose from.

use wald_html::chart::{Columns, Drawing, Medium, NamedLines, Part, Point, Sheet, Stacks, panel};

use crate::population::{Answer, unit};
use crate::text::shortened;

const WIDEST_NAME: usize = 14;

/// The whole picture.
pub(crate) fn picture(answer: &Answer<'_>, columns: Columns, most_variables: usize) -> Sheet {
    let unit = unit(answer.population);
    let stacks = by_degree(answer, most_variables);
    let description = format!("Importances {unit} by degree of interaction.");
    let mut drawings = vec![panel(&stacks, description)];
    if let Some(by_mtry) = &answer.found.by_mtry {
        drawings.push(against_mtry(answer, by_mtry, columns));
    }
    Sheet::beside(&drawings, columns)
}

fn by_degree(answer: &Answer<'_>, most_variables: usize) -> Stacks {
    let mut order = answer.found.ranking();
    order.truncate(most_variables);
    let names = answer.population.variables();
    let n_degrees = answer.found.by_degree.first().map_or(0, Vec::len);
    let part = |degree: usize| Part {
        name: degree.to_string(),
        values: order.iter().map(|&variable| answer.found.by_degree[variable][degree]).collect(),
    };
    Stacks {
        title: format!("Importance by degree of interaction, mtry = {}", answer.mtry()),
        x_label: String::new(),
        y_label: format!("importance {}", unit(answer.population)),
        names: order.iter().map(|&variable| shown(&names[variable])).collect(),
        parts: (0..n_degrees).map(part).collect(),
    }
}

fn against_mtry(answer: &Answer<'_>, by_mtry: &[Vec<f64>], columns: Columns) -> Drawing {
    let names = answer.population.variables();
    let line = |&variable: &usize| {
        let points = (1..).zip(by_mtry).map(|(mtry, values)| Point {
            x: f64::from(mtry),
            y: values[variable],
            spread: 0.0,
        });
        (names[variable].as_str(), points.collect())
    };
    NamedLines {
        description: "Masking: importances against mtry.".to_owned(),
        lines: answer.found.ranking().iter().map(line).collect(),
        x_label: "mtry: variables to choose the best from",
        y_label: &format!("importance {}", unit(answer.population)),
        is_x_log: false,
        medium: Medium::Paper(columns),
        share: if columns == Columns::Two { 0.49 } else { 1.0 },
    }
    .drawing()
}

/// A name that is not too long, without characters that no picture can hold.
fn shown(name: &str) -> String {
    shortened(&wald_table::escape_controls(name), WIDEST_NAME)
}
