//! Dependence: the values of one variable against what is in its cells.

use wald_report::Cells;

use crate::chart::beeswarm::{Beeswarm, Swarm};
use crate::chart::drawing::{
    Drawing, PLAIN, axis, crosses, dots, faint, firm, horizontal, label, place, shown, ticks,
};
use crate::chart::marks::text;
use crate::chart::medium::Medium;
use crate::chart::position::{at, between};

const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 270.0;
/// Around the area of the dots: left, top, right, bottom.
const MARGINS: [f64; 4] = [68.0, 34.0, 14.0, 44.0];
/// The strip of missing cells.
const STRIP: f64 = 62.0;
/// Between the last tick and the strip.
const GAP: f64 = 34.0;
const RADIUS: f64 = 2.3;
/// Levels with a line of their own.
const MOST_LEVELS: usize = 10;

/// The picture of a variable; `None` where several columns have no common value. `unit` describes
/// what the values are.
pub fn dependence(name: &str, cells: &Cells, values: &[f64], unit: &str) -> Option<Drawing> {
    match cells {
        Cells::Numbers { values: numbers } => Some(scatter(name, numbers, values, unit)),
        Cells::Levels { levels, codes } => Some(strips(name, levels, codes, values, unit)),
        Cells::Several { .. } => None,
    }
}

fn scatter(name: &str, numbers: &[Option<f64>], values: &[f64], unit: &str) -> Drawing {
    let [left, top, right, bottom] = MARGINS;
    let bottom = HEIGHT - bottom;
    let has_missing = numbers.contains(&None);
    let right = WIDTH - right - if has_missing { STRIP } else { 0.0 };
    let x_axis = axis(numbers.iter().copied().flatten(), between(left, right));
    let y_axis = axis(values.iter().copied().chain([0.0]), between(bottom, top));
    let mut svg = label(at(8.0, 18.0), "start", name, WIDTH - 16.0, " font-weight=\"bold\"");
    for (y, words) in ticks(&y_axis) {
        svg.push_str(&faint(at(left, y), at(right, y)));
        svg.push_str(&text(at(left - 6.0, y + 4.0), "end", &words, " font-size=\"11\""));
    }
    svg.push_str(&horizontal(&x_axis, between(top, bottom), &shown(name, 40)));
    let middle = f64::midpoint(top, bottom);
    let turned = format!(" font-size=\"11\" transform=\"rotate(-90 14 {middle:.1})\"");
    svg.push_str(&label(at(14.0, middle), "middle", unit, bottom - top + 30.0, &turned));
    let zero = place(&y_axis, 0.0);
    svg.push_str(&firm(at(left, zero), at(right, zero)));
    let (mut present, mut missing) = (Vec::new(), Vec::new());
    for (number, &value) in numbers.iter().zip(values) {
        let y = place(&y_axis, value);
        match number {
            Some(number) => present.push(at(place(&x_axis, *number), y)),
            None => missing.push(at(right + GAP + (missing.len() % 5) as f64 * 6.0, y)),
        }
    }
    svg.push_str(&dots(&present, RADIUS, PLAIN));
    svg.push_str(&crosses(&missing, RADIUS));
    if has_missing {
        let at = at(right + GAP + 12.0, bottom + 15.0);
        svg.push_str(&text(at, "middle", "missing", " font-size=\"11\""));
    }
    let description = format!(
        "{unit} of {} in {} rows against its value; {} of them are missing.",
        shown(name, 40),
        values.len(),
        missing.len()
    );
    Drawing { description, size: [WIDTH, HEIGHT], contents: svg }
}

/// A line per level, in the order of their frequency.
fn strips(
    name: &str,
    levels: &[String],
    codes: &[Option<usize>],
    values: &[f64],
    unit: &str,
) -> Drawing {
    let n_own = if levels.len() <= MOST_LEVELS { levels.len() } else { MOST_LEVELS - 1 };
    let mut names: Vec<String> = levels.iter().take(n_own).cloned().collect();
    let n_others = levels.len() - n_own;
    names.push(format!("{n_others} other levels"));
    names.push("missing".to_owned());
    let mut of_line: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
    for (code, &value) in codes.iter().zip(values) {
        of_line[code.map_or(n_own + 1, |code| code.min(n_own))].push(value);
    }
    let lines = names.iter().zip(&of_line).filter(|(_, values)| !values.is_empty());
    let lines = lines.map(|(name, values)| Swarm { name, values, cells: None }).collect();
    let unit = unit.to_owned();
    let medium = Medium::Page;
    Beeswarm { title: name.to_owned(), unit, width: WIDTH, medium, lines }.drawing()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_at_their_place_and_missing_ones_apart() {
        let cells = Cells::Numbers { values: vec![Some(0.0), Some(10.0), None] };
        let drawing = dependence("x", &cells, &[-1.0, 1.0, 0.5], "value").expect("numbers");
        let svg = drawing.embedded();
        // The strip takes its part of the width, and values go from the bottom to the top.
        assert!(svg.contains("M68 226h0M324 34h0"), "{svg}");
        assert_eq!(svg.matches("class=\"crosses\"").count(), 1);
        assert!(drawing.description.contains("1 of them are missing"));
    }

    #[test]
    fn levels_have_a_line_each() {
        let levels = (0..12).map(|level| format!("l{level}")).collect();
        let codes = (0..12).map(Some).chain([None]).collect();
        let cells = Cells::Levels { levels, codes };
        let drawing = dependence("x", &cells, &[0.5; 13], "value").expect("levels");
        let svg = drawing.embedded();
        for name in ["l0", "l8", "3 other levels", "missing"] {
            assert!(svg.contains(&format!(">{name}<")), "{name}");
        }
        assert_eq!(svg.matches("h0").count(), 13);
        assert_eq!(dependence("x", &Cells::Several { n_columns: 2 }, &[], ""), None);
    }
}
