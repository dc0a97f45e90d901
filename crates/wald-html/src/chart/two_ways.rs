//! Importances of a forest of few runs beside those of two steps: a row for each variable, a dot with
//! its interval for each way.

use wald::inference::Interval;
use wald_report::{LeftOut, SurrogateReport, TwoWays, Value};
use wald_surrogate::Way;

use crate::chart::axis::range;
use crate::chart::drawing::{
    DOWN, Drawing, NEUTRAL, UP, axis, dots, escaped, faint, firm, horizontal, label, place,
};
use crate::chart::frame::Frame;
use crate::chart::marks::{stroke, text};
use crate::chart::position::{Position, at, between};
use crate::number;

const WIDTH: f64 = 640.0;
const LEFT: f64 = 150.0;
const RIGHT: f64 = 620.0;

/// Above the rows: the legend.
const TOP: f64 = 34.0;

/// Below them: ticks and the unit.
const BELOW: f64 = 44.0;

const ROW: f64 = 30.0;

/// Variables in a picture; the tables have all.
pub(crate) const SHOWN: usize = 30;

/// Of the way that is doubtful.
const FAINT: &str = " opacity=\"0.6\"";

const SQUARE: f64 = 420.0;
const AREA: [f64; 4] = [68.0, 16.0, 406.0, 366.0];

/// One picture for each measure, in one file.
pub fn surrogate(report: &SurrogateReport) -> String {
    let all = report.measures.iter().map(|measure| two_ways(measure, report.believed));
    Drawing::file(&all.collect::<Vec<_>>())
}

/// Both ways of one measure.
pub(crate) fn two_ways(measure: &TwoWays, believed: Way) -> Drawing {
    let values = &measure.values[..measure.values.len().min(SHOWN)];
    let has_exact = values.iter().any(|value| value.exact.is_some());
    let ends = values.iter().flat_map(|value| {
        let intervals = [value.interval, value.direct_interval].into_iter().flatten();
        let ends = intervals.flat_map(|interval| [interval.low, interval.high]);
        [value.two_step, value.direct, value.exact].into_iter().flatten().chain(ends)
    });
    let axis = axis(ends.chain([0.0]), between(LEFT, RIGHT));
    let bottom = TOP + ROW * values.len().max(1) as f64;
    let mut svg = legend(believed, has_exact);
    svg.push_str(&horizontal(&axis, between(TOP, bottom), &measure.unit));
    let zero = place(&axis, 0.0);
    svg.push_str(&firm(at(zero, TOP), at(zero, bottom)));
    let x = |value: f64| place(&axis, value);
    for (row, value) in values.iter().enumerate() {
        let top = TOP + ROW * row as f64;
        if row > 0 {
            svg.push_str(&faint(at(LEFT, top), at(RIGHT, top)));
        }
        let middle = top + ROW / 2.0;
        svg.push_str(&label(at(LEFT - 10.0, middle + 4.0), "end", &value.name, LEFT - 16.0, ""));
        let (first, second) = (middle - 5.5, middle + 5.5);
        let two_step = dot(value.two_step, value.interval, DOWN, |value| at(x(value), first));
        let direct = dot(value.direct, value.direct_interval, UP, |value| at(x(value), second));
        let words = words(value);
        svg.push_str(&group(&two_step, Way::TwoStep, believed, &words));
        if let Some(exact) = value.exact {
            let (from, to) = (at(x(exact), first - 6.0), at(x(exact), first + 6.0));
            svg.push_str(&stroke(from, to, "currentColor", " stroke-width=\"1.6\""));
        }
        svg.push_str(&group(&direct, Way::Direct, believed, &words));
    }
    let description = format!(
        "{} of {}: two steps beside the forest of the runs, with intervals.",
        measure.name,
        number::of(values.len(), "variable")
    );
    Drawing { description, size: [WIDTH, bottom + BELOW], contents: svg }
}

/// A dot on its interval.
fn dot(
    value: Option<f64>,
    interval: Option<Interval<f64>>,
    colour: &str,
    at: impl Fn(f64) -> Position,
) -> String {
    let line = interval.map(|Interval { low, high }| {
        stroke(at(low), at(high), colour, " stroke-width=\"3\" stroke-opacity=\"0.45\"")
    });
    let dot = value.filter(|value| value.is_finite()).map(|value| dots(&[at(value)], 4.2, colour));
    line.into_iter().chain(dot).collect()
}

/// Marks of a way, with words shown when they are pointed at.
fn group(marks: &str, way: Way, believed: Way, words: &str) -> String {
    let style = if way == believed { "" } else { FAINT };
    let words = escaped(words);
    format!("<g{style}><title>{words}</title>{marks}</g>\n")
}

fn words(value: &Value) -> String {
    let number = |value: Option<f64>| number::value(value).text.unwrap_or_else(|| "–".to_owned());
    let range = |interval: Option<Interval<f64>>| match interval {
        Some(Interval { low, high }) => {
            format!(" ({} to {})", number(Some(low)), number(Some(high)))
        }
        None => String::new(),
    };
    format!(
        "{}: two steps {}{}, forest of the runs {}{}",
        value.name,
        number(value.two_step),
        range(value.interval),
        number(value.direct),
        range(value.direct_interval)
    )
}

fn legend(believed: Way, has_exact: bool) -> String {
    let y = 14.0;
    let entry = |x: f64, way: Way, words: &str, colour: &str| {
        let doubtful = if way == believed { "" } else { " (doubtful)" };
        let marks = stroke(
            at(x, y),
            at(x + 22.0, y),
            colour,
            " stroke-width=\"3\" stroke-opacity=\"0.45\"",
        ) + &dots(&[at(x + 11.0, y)], 4.2, colour);
        let words = format!("{words}{doubtful}");
        group(&marks, way, believed, &words) + &text(at(x + 30.0, y + 4.0), "start", &words, "")
    };
    let mut svg = entry(LEFT - 30.0, Way::TwoStep, "two steps", DOWN);
    svg.push_str(&entry(LEFT + 150.0, Way::Direct, "forest of the runs", UP));
    if has_exact {
        let x = LEFT + 385.0;
        let (from, to) = (at(x, y - 6.0), at(x, y + 6.0));
        svg.push_str(&stroke(from, to, "currentColor", " stroke-width=\"1.6\""));
        svg.push_str(&text(at(x + 8.0, y + 4.0), "start", "without forest", ""));
    }
    svg
}

/// Predictions of runs from all others against their outputs.
pub(crate) fn left_out(runs: &[LeftOut], target: &str) -> Drawing {
    let all = || runs.iter().flat_map(|run| [run.output, run.predicted]);
    let frame = Frame::of(all(), all(), AREA);
    let mut svg = frame.svg(target, "predicted from all other runs");
    let (low, high) = range(all());
    let style = format!("stroke=\"{NEUTRAL}\" stroke-width=\"1.2\" stroke-dasharray=\"4 4\"");
    svg.push_str(&frame.line(&[(low, low), (high, high)], &style));
    let places: Vec<Position> =
        runs.iter().map(|run| frame.at(run.output, run.predicted)).collect();
    svg.push_str(&dots(&places, 3.2, DOWN));
    let description = format!(
        "Outputs of {} against their predictions from all others.",
        number::of(runs.len(), "run")
    );
    Drawing { description, size: [SQUARE, AREA[3] + BELOW], contents: svg }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_has_its_dot_and_names_stay_text() {
        let value = |name: &str, two_step: Option<f64>| Value {
            name: name.to_owned(),
            two_step,
            errors: None,
            interval: Some(Interval { low: 0.1, high: 0.4 }),
            direct: Some(0.1),
            direct_interval: None,
            exact: None,
        };
        let measure = TwoWays {
            id: "sobol_mda".to_owned(),
            name: "Sobol-MDA".to_owned(),
            estimand: String::new(),
            unit: "share".to_owned(),
            values: vec![value("<b>", Some(0.3)), value("x", None), value("y", Some(f64::NAN))],
            notes: Vec::new(),
        };
        let drawing = two_ways(&measure, Way::TwoStep);
        // Two of the legend, one of each defined value.
        let n_dots = drawing.contents.matches("class=\"dots\"").count();
        assert_eq!(n_dots, 2 + 1 + 3, "{}", drawing.contents);
        assert!(drawing.contents.contains("forest of the runs (doubtful)"));
        assert!(drawing.contents.contains("&lt;b&gt;") && !drawing.contents.contains("<b>"));
        assert!(two_ways(&TwoWays { values: Vec::new(), ..measure }, Way::Direct).size[1] > 0.0);
    }

    #[test]
    fn predictions_that_are_right_are_on_the_line() {
        let runs = [1.0, 2.0, 5.0].map(|output| LeftOut { output, predicted: output });
        let svg = left_out(&runs, "y").contents;
        let line = svg.split("d=\"M").find(|part| part.contains("dasharray")).expect("a line");
        let dots = svg.split("class=\"dots\" d=\"M").nth(1).expect("dots");
        let start = |steps: &str| steps.split(['l', 'h']).next().map(str::to_owned);
        assert_eq!(start(line), start(dots), "{svg}");
    }
}
