//! Lines over counts: errors by number of variables or of trees, and shares of importance by mtry.

use wald_report::{SelectionCurve, VariableDisagreement};

use crate::chart::drawing::{DOWN, Drawing, NEUTRAL, UP, escaped};
use crate::chart::frame::{Frame, left_on_paper};
use crate::chart::letters;
use crate::chart::lines::Point;
use crate::chart::marks::{stroke, text};
use crate::chart::medium::Medium;
use crate::chart::named_lines::NamedLines;
use crate::chart::position::{Position, at};
use crate::number;

const AREA: [f64; 4] = [68.0, 16.0, 506.0, 236.0];
const SIZE: [f64; 2] = [520.0, 282.0];
const BOTTOM_ON_PAPER: f64 = 200.0;

/// The out-of-bag error by number of trees.
pub(crate) fn convergence(points: &[(usize, f64)], loss: &str) -> Drawing {
    let points: Vec<(f64, f64)> = points.iter().map(|&(k, error)| (k as f64, error)).collect();
    let frame = Frame::of(xs(&points), ys(&points), AREA);
    let mut svg = frame.svg("trees", loss);
    svg.push_str(&frame.line(&points, &format!("stroke=\"{DOWN}\" stroke-width=\"1.8\"")));
    if points.len() < 30 {
        svg.push_str(&marks(&frame, &points, |(x, y)| {
            format!("{}: {}", number::of(x as usize, "tree"), words(y))
        }));
    }
    let description = format!("Out-of-bag {loss} by number of trees.");
    Drawing { description, size: SIZE, contents: svg }
}

/// The error by number of variables, with the fewest that are enough.
pub fn selection(curve: &SelectionCurve, medium: Medium) -> Drawing {
    let width = medium.width(SIZE[0]);
    let bottom = medium.either(AREA[3], BOTTOM_ON_PAPER);
    let left = medium.either(AREA[0], left_on_paper(&curve.loss, bottom - AREA[1]));
    let area = [left, AREA[1], width - (SIZE[0] - AREA[2]), bottom];
    let points: Vec<(f64, f64)> =
        curve.points.iter().map(|point| (point.n_variables as f64, point.error)).collect();
    let ends = curve
        .points
        .iter()
        .flat_map(|point| [point.error - point.standard_error, point.error + point.standard_error]);
    let frame = Frame::of_counts(xs(&points), ends, area);
    let area = [frame.x.start, area[1], area[2], area[3]];
    let x_label = "variables kept";
    let (mut svg, height) = if medium.is_paper() {
        frame.on_paper(x_label, &curve.loss, width)
    } else {
        (frame.svg(x_label, &curve.loss), SIZE[1])
    };
    for (n, name, colour) in [(curve.enough, "enough", UP), (curve.best, "best", DOWN)] {
        if n == 0 || (name == "best" && curve.best == curve.enough) {
            continue;
        }
        let x = frame.at(n as f64, 0.0).x;
        let style = " stroke-dasharray=\"4 4\" stroke-width=\"1.2\"";
        svg.push_str(&stroke(at(x, area[1]), at(x, area[3]), colour, style));
        // Fewer are enough than are best: words stand outside of both lines where there is room.
        let words = format!("{name}: {n}");
        let room = letters::width(&words, 11.0) + 10.0;
        let is_left = if name == "enough" { x > area[0] + room } else { x > area[2] - room };
        let (side, anchor) = if is_left { (-5.0, "end") } else { (5.0, "start") };
        let style = format!(" font-size=\"11\" fill-opacity=\"0.85\" data-mark=\"{name}\"");
        // Below the words of the other line, where both would be at one place.
        let y = area[1] + if name == "best" && is_left { 24.0 } else { 10.0 };
        svg.push_str(&text(at(x + side, y), anchor, &words, &style));
    }
    for point in &curve.points {
        let [low, high] = [-1.0, 1.0].map(|sign| {
            frame.at(point.n_variables as f64, point.error + sign * point.standard_error)
        });
        svg.push_str(&stroke(low, high, NEUTRAL, " stroke-width=\"1.4\""));
    }
    svg.push_str(&frame.line(&points, &format!("stroke=\"{DOWN}\" stroke-width=\"1.6\"")));
    svg.push_str(&marks(&frame, &points, |(x, y)| {
        format!("{}: {}", number::of(x as usize, "variable"), words(y))
    }));
    let description = format!("{} by number of variables kept, with standard errors.", curve.loss);
    Drawing { description, size: [width, height], contents: svg }
}

/// The share of importance of variables by mtry; `None` where none was masked against.
pub(crate) fn masking(variables: &[VariableDisagreement]) -> Option<Drawing> {
    let mut lines: Vec<(&str, Vec<Point>)> = variables
        .iter()
        .filter(|variable| !variable.masking.is_empty())
        .map(|variable| {
            let points = variable.masking.iter().map(|point| Point {
                x: point.mtry as f64,
                y: point.share,
                spread: 0.0,
            });
            (variable.name.as_str(), points.collect())
        })
        .collect();
    if lines.is_empty() {
        return None;
    }
    // Those that lines end highest or fall most for are distinguished.
    let reach = |points: &[Point]| points.iter().map(|point| point.y).fold(0.0, f64::max);
    lines.sort_by(|a, b| reach(&b.1).total_cmp(&reach(&a.1)));
    let description =
        format!("Shares of importance of {} by mtry.", number::of(lines.len(), "variable"));
    let lines = NamedLines {
        description,
        lines,
        x_label: "mtry: variables tried at a node",
        y_label: "share of importance, %",
        is_x_log: false,
        medium: Medium::Page,
        share: 1.0,
    };
    Some(lines.drawing())
}

fn xs(points: &[(f64, f64)]) -> impl Iterator<Item = f64> {
    points.iter().map(|point| point.0)
}

fn ys(points: &[(f64, f64)]) -> impl Iterator<Item = f64> {
    points.iter().map(|point| point.1)
}

/// A dot at every point, with its numbers when pointed at.
fn marks(frame: &Frame, points: &[(f64, f64)], words: impl Fn((f64, f64)) -> String) -> String {
    let is_finite = |point: &&(f64, f64)| point.1.is_finite();
    let mark = |&point: &(f64, f64)| {
        let Position { x, y } = frame.at(point.0, point.1);
        format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\" fill=\"{DOWN}\"><title>{}</title>\
             </circle>\n",
            escaped(&words(point))
        )
    };
    points.iter().filter(is_finite).map(mark).collect()
}

fn words(value: f64) -> String {
    number::value(Some(value)).text.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wald_report::{MaskingPoint, SelectionPoint};

    #[test]
    fn selection_marks_every_number_of_variables() {
        let point = |n_variables, error| SelectionPoint { n_variables, error, standard_error: 0.5 };
        let curve = SelectionCurve {
            measure: "sobol_mda".into(),
            about: String::new(),
            loss: "error".into(),
            points: vec![point(1, 4.0), point(2, 2.0), point(3, 2.1)],
            best: 2,
            enough: 1,
            kept: vec!["x".into()],
            beats_mean: true,
        };
        let svg = selection(&curve, Medium::Page).embedded();
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(svg.contains(">enough: 1<") && svg.contains(">best: 2<"), "{svg}");
        assert!(svg.contains("<title>2 variables: 2</title>") && !svg.contains("NaN"));
    }

    #[test]
    fn variables_that_lead_somewhere_are_named() {
        let variable = |name: &str, share| VariableDisagreement {
            name: name.into(),
            sentence: String::new(),
            rank_spread: 0,
            overfitting: None,
            decomposition: None,
            masking: vec![MaskingPoint { mtry: 1, share }, MaskingPoint { mtry: 4, share: 1.0 }],
            partners: Vec::new(),
        };
        let names: Vec<String> = (0..9).map(|number| format!("<x{number}>")).collect();
        let variables: Vec<_> =
            names.iter().enumerate().map(|(n, name)| variable(name, 10.0 - n as f64)).collect();
        let svg = masking(&variables).expect("lines").embedded();
        assert_eq!(svg.matches("<title>&lt;x").count(), 9);
        assert!(svg.contains(">&lt;x7&gt;<") && !svg.contains(">&lt;x8&gt;</text>"), "{svg}");
        assert_eq!(masking(&[]), None);
    }
}
