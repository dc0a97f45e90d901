//! What the forest makes of one variable: how its values are distributed, and predictions against it.

use wald_report::{Curve, CurvePlaces, Distribution};

use crate::chart::drawing::{
    DOWN, Drawing, NEUTRAL, axis, dots, faint, horizontal, label, place, shown,
};
use crate::chart::frame::{Frame, block, left_on_paper};
use crate::chart::letters;
use crate::chart::marks::text;
use crate::chart::medium::{Columns, Medium};
use crate::chart::names::Names;
use crate::chart::position::{Position, at, between};
use crate::number;

const WIDTH: f64 = 400.0;
const MARGINS: [f64; 2] = [68.0, 14.0];
const LINE: f64 = 22.0;
/// Room for the names of levels.
const NAMES: f64 = 130.0;
/// Between lines of words.
const SIDE: f64 = 12.0;
const SMALL: &str = " font-size=\"11\"";

/// Bars of counts. `name` is that of the variable.
pub(crate) fn distribution(name: &str, distribution: &Distribution) -> Drawing {
    match distribution {
        Distribution::Numeric { edges, counts } => histogram(name, edges, counts),
        Distribution::Categorical { counts, others } => {
            let mut lines: Vec<(&str, usize)> =
                counts.iter().map(|(level, n)| (level.as_str(), *n)).collect();
            if *others > 0 {
                lines.push(("all other levels", *others));
            }
            level_bars(name, &lines)
        }
    }
}

fn histogram(name: &str, edges: &[f64], counts: &[usize]) -> Drawing {
    let area = [MARGINS[0], 12.0, WIDTH - MARGINS[1], 116.0];
    let ys = counts.iter().map(|&n| n as f64).chain([0.0]);
    let frame = Frame::of(edges.iter().copied(), ys, area);
    let mut svg = frame.svg(&shown(name, 40), "rows");
    svg.push_str(&bars());
    let digits = number::digits_apart(edges.iter().copied());
    let words = |edge: f64| number::with_digits(edge, digits);
    for (ends, &n) in edges.windows(2).zip(counts) {
        let (from, to) = (frame.at(ends[0], 0.0), frame.at(ends[1], n as f64));
        let words = format!("{} to {}: {}", words(ends[0]), words(ends[1]), number::of(n, "row"));
        // A hair between bars, where there is room.
        let gap = if to.x - from.x > 4.0 { 0.5 } else { 0.0 };
        let (from, to) = (at(from.x + gap, from.y), at(to.x - gap, to.y));
        svg.push_str(&block(from, to, &words));
    }
    svg.push_str("</g>\n");
    let description = format!("Histogram of {} in {} bins.", shown(name, 40), counts.len());
    Drawing { description, size: [WIDTH, 160.0], contents: svg }
}

/// The beginning of the group of bars.
fn bars() -> String {
    format!("<g fill=\"{NEUTRAL}\" fill-opacity=\"0.7\">\n")
}

fn level_bars(name: &str, lines: &[(&str, usize)]) -> Drawing {
    let (top, left) = (12.0, NAMES + 8.0);
    let bottom = top + LINE * lines.len() as f64;
    let most = lines.iter().map(|line| line.1 as f64);
    let axis = axis(most.chain([0.0]), between(left, WIDTH - MARGINS[1]));
    let mut svg = horizontal(&axis, between(top, bottom), "rows");
    svg.push_str(&bars());
    for (number, (level, n)) in lines.iter().enumerate() {
        let y = top + LINE * (number as f64 + 0.5);
        let style = " font-size=\"11\" fill=\"currentColor\" fill-opacity=\"1\"";
        svg.push_str(&label(at(left - 8.0, y + 4.0), "end", level, NAMES, style));
        let (from, to) = (at(left, y - 7.0), at(place(&axis, *n as f64), y + 7.0));
        let words = format!("{}: {}", shown(level, 60), number::of(*n, "row"));
        svg.push_str(&block(from, to, &words));
    }
    svg.push_str("</g>\n");
    let description = format!("Rows by level of {}.", shown(name, 40));
    Drawing { description, size: [WIDTH, bottom + 40.0], contents: svg }
}

/// The mean prediction and the curves of single rows; `unit` is that of predictions.
pub(crate) fn curve(name: &str, curve: &Curve, unit: &str) -> Drawing {
    let Drawing { size, contents, .. } = panel(name, curve, unit, WIDTH, Medium::Page);
    let description = format!(
        "Mean prediction ({unit}) against {}, and the curves of {}.",
        shown(name, 40),
        number::of(curve.rows.len(), "row")
    );
    let lower = format!("<g transform=\"translate(0 {LEGEND:.0})\">\n{contents}</g>\n");
    Drawing { description, size: [size[0], size[1] + LEGEND], contents: legend(8.0) + &lower }
}

/// Panels of curves beside each other, on paper: of each the name of the variable, the curves, and the unit
/// of predictions. They are narrower than the paper unless there is one only.
pub fn curves(all: &[(&str, &Curve, String)], columns: Columns) -> Drawing {
    let width = columns.units();
    let most = match columns {
        Columns::One => 2,
        Columns::Two => 3,
    };
    let per_row = all.len().clamp(1, most);
    let one = width / per_row as f64;
    let has_rows = all.iter().any(|(_, curve, _)| !curve.rows.is_empty());
    let (mut svg, mut y) = if has_rows { (legend(8.0), LEGEND) } else { (String::new(), 4.0) };
    for row in all.chunks(per_row) {
        let medium = Medium::Paper(columns);
        let panels = row.iter().map(|(name, curve, unit)| panel(name, curve, unit, one, medium));
        let panels: Vec<Drawing> = panels.collect();
        for (number, panel) in panels.iter().enumerate() {
            let x = one * number as f64;
            svg.push_str(&format!(
                "<g transform=\"translate({x:.1} {y:.1})\">\n{}</g>\n",
                panel.contents
            ));
        }
        y += panels.iter().map(|panel| panel.size[1]).fold(0.0, f64::max) + 6.0;
    }
    let mut names: Vec<String> = all.iter().map(|(name, ..)| shown(name, 40)).collect();
    names.dedup();
    let description = format!("Predictions against {}.", names.join(", "));
    Drawing { description, size: [width, y], contents: svg }
}

fn all(curve: &Curve) -> impl Iterator<Item = f64> {
    curve.rows.iter().flatten().chain(&curve.mean).copied()
}

fn panel(name: &str, curve: &Curve, unit: &str, width: f64, medium: Medium) -> Drawing {
    match &curve.places {
        CurvePlaces::Numeric { values, steps_from } => {
            lines(name, (values, *steps_from), curve, unit, width, medium)
        }
        CurvePlaces::Categorical { levels } => strips(name, levels, curve, unit, width, medium),
    }
}

fn lines(
    name: &str,
    (values, steps_from): (&[f64], Option<f64>),
    curve: &Curve,
    unit: &str,
    width: f64,
    medium: Medium,
) -> Drawing {
    let bottom = 8.0 + medium.either(194.0, (0.62 * width).clamp(90.0, 200.0));
    let left = medium.either(MARGINS[0], left_on_paper(unit, bottom - 8.0));
    let area = [left, 8.0, width - MARGINS[1], bottom];
    let along = || values.iter().copied().chain(steps_from);
    let mut frame = Frame::of(along(), all(curve), area);
    let (mut svg, height) = if medium.is_paper() {
        frame.x = frame.x.closer(along());
        frame.y = frame.y.closer(all(curve));
        frame.on_paper(&shown(name, 100), unit, width)
    } else {
        (frame.svg(&shown(name, 40), unit), bottom + 36.0)
    };
    let points = |ys: &[f64]| points(values, steps_from, ys);
    if !curve.rows.is_empty() {
        let style = format!("stroke=\"{NEUTRAL}\" stroke-opacity=\"0.55\" stroke-width=\"0.9\"");
        svg.push_str(&frame.lines(curve.rows.iter().map(|row| points(row)), &style));
    }
    let style = format!("stroke=\"{DOWN}\" stroke-width=\"2.6\" stroke-linejoin=\"round\"");
    svg.push_str(&frame.line(&points(&curve.mean), &style));
    Drawing { description: String::new(), size: [width, height], contents: svg }
}

/// The corners of a curve.
fn points(values: &[f64], steps_from: Option<f64>, ys: &[f64]) -> Vec<(f64, f64)> {
    let ends = values.iter().copied().zip(ys.iter().copied());
    let Some(first) = steps_from else { return ends.collect() };
    // The first step has a width, too.
    let starts = std::iter::once(values.first().map_or(first, |&end| first.min(end)));
    let starts = starts.chain(values.iter().copied());
    starts.zip(ends).flat_map(|(start, (end, y))| [(start, y), (end, y)]).collect()
}

fn strips(
    name: &str,
    levels: &[String],
    curve: &Curve,
    unit: &str,
    width: f64,
    medium: Medium,
) -> Drawing {
    let names = levels.iter().map(String::as_str);
    let room = medium.either(NAMES, 0.4 * width);
    let names = Names::of_size(names, room, medium, (11.0, 2));
    let (mut top, left) = (8.0, names.width() + 8.0);
    let mut svg = String::new();
    if medium.is_paper() {
        // The axis has the unit.
        for line in letters::even_lines(&shown(name, 100), 11.0, width - 20.0, 3) {
            svg.push_str(&text(at(width / 2.0, top + 6.0), "middle", &line, SMALL));
            top += SIDE;
        }
        top += 2.0;
    }
    // On paper, panels of few levels are about as high as those of numbers.
    let most = (0.5 * width).min(160.0) / levels.len().max(1) as f64;
    let line = LINE.max(names.height() + 2.0).max(medium.either(0.0, most.min(40.0)));
    let bottom = top + line * levels.len() as f64;
    let axis = axis(all(curve), between(left, width - MARGINS[1]));
    svg.push_str(&horizontal(&axis, between(top, bottom), unit));
    for (number, _) in levels.iter().enumerate() {
        let y = top + line * (number as f64 + 0.5);
        svg.push_str(&names.svg(number, at(left - 8.0 + medium.either(0.0, 3.0), y)));
        svg.push_str(&faint(at(left, y), at(width - MARGINS[1], y)));
        let of_rows = curve.rows.iter().filter_map(|row| row.get(number));
        let places: Vec<Position> = of_rows.map(|&value| at(place(&axis, value), y)).collect();
        svg.push_str(&dots(&places, 1.8, NEUTRAL));
        if let Some(&mean) = curve.mean.get(number) {
            svg.push_str(&dots(&[at(place(&axis, mean), y)], 4.5, DOWN));
        }
    }
    Drawing { description: String::new(), size: [width, bottom + 40.0], contents: svg }
}

/// What lines mean, above them.
const LEGEND: f64 = 26.0;

fn legend(left: f64) -> String {
    let line = |x: f64, style: &str| format!("<path d=\"M{x:.0} 14h18\" fill=\"none\" {style}/>\n");
    line(left, &format!("stroke=\"{DOWN}\" stroke-width=\"2.6\""))
        + &text(at(left + 24.0, 18.0), "start", "mean prediction", SMALL)
        + &line(left + 126.0, &format!("stroke=\"{NEUTRAL}\" stroke-opacity=\"0.7\""))
        + &text(at(left + 150.0, 18.0), "start", "single rows", SMALL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_high_as_counts() {
        let found = Distribution::Numeric { edges: vec![0.0, 1.0, 2.0], counts: vec![5, 10] };
        let svg = distribution("x", &found).embedded();
        assert!(svg.contains("height=\"52\"") && svg.contains("height=\"104\""), "{svg}");
        assert!(svg.contains("<title>1 to 2: 10 rows</title>"), "{svg}");
        let found = Distribution::Categorical { counts: vec![("<b>".into(), 3)], others: 2 };
        let svg = distribution("x", &found).embedded();
        assert!(svg.contains("&lt;b&gt;: 3 rows") && svg.contains("all other levels: 2 rows"));
    }

    #[test]
    fn what_holds_down_to_the_number_before_is_a_step() {
        let found = points(&[1.0, 3.0], Some(-2.0), &[5.0, 7.0]);
        assert_eq!(found, [(-2.0, 5.0), (1.0, 5.0), (1.0, 7.0), (3.0, 7.0)]);
        assert_eq!(points(&[1.0, 3.0], None, &[5.0, 7.0]), [(1.0, 5.0), (3.0, 7.0)]);
    }

    #[test]
    fn every_row_has_its_curve() {
        let rows = vec![vec![1.0, 2.0, 3.0], vec![3.0, 2.0, 1.0]];
        let places = CurvePlaces::Numeric { values: vec![0.0, 0.5, 1.0], steps_from: None };
        let one = Curve { class: None, places, mean: vec![2.0; 3], rows: rows.clone() };
        let svg = curve("x", &one, "y").embedded();
        // Both rows in one element, and the mean.
        let begins = |path: &str| path.split('"').next().unwrap_or_default().matches('M').count();
        let paths: Vec<usize> = svg.split("<path d=\"").skip(1).map(begins).collect();
        assert_eq!(paths[paths.len() - 2..], [2, 1]);
        let levels = vec!["a".to_owned(), "b".to_owned(), "c".to_owned()];
        let one = Curve { places: CurvePlaces::Categorical { levels }, ..one };
        let svg = curve("x", &one, "y").embedded();
        assert_eq!(svg.matches("h0").count(), 3 * 2 + 3);
        assert!(!svg.contains("NaN"));
    }
}
