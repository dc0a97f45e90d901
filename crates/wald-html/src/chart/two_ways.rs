//! Importances of a forest of few runs beside those of two steps: a row for each variable, a dot with
//! its interval for each way.

use wald::inference::Interval;
use wald_report::{LeftOut, SurrogateReport, TwoWays, Value};
use wald_surrogate::Way;

use crate::chart::axis::range;
use crate::chart::dot_marks::{Dot, Mark};
use crate::chart::dot_plot::{DotKind, DotPanel, DotPlot, Series};
use crate::chart::drawing::{DOWN, Drawing, NEUTRAL, dots};
use crate::chart::frame::Frame;
use crate::chart::medium::{Columns, Medium};
use crate::chart::position::Position;
use crate::chart::sheet::Sheet;
use crate::number;

/// Below the square: ticks and the unit.
const BELOW: f64 = 44.0;

/// Variables in a picture; the tables have all.
pub(crate) const SHOWN: usize = 30;

const SQUARE: f64 = 420.0;
const AREA: [f64; 4] = [68.0, 16.0, 406.0, 366.0];

/// One picture for each measure.
pub fn surrogate(report: &SurrogateReport, columns: Columns, most: usize) -> Sheet {
    let all = report.measures.iter().map(|measure| {
        let medium = Medium::Paper(columns);
        let plot = plot(measure, report.believed, most, medium);
        DotPlot { title: measure.name.clone(), ..plot }.drawing()
    });
    Sheet::of(&all.collect::<Vec<_>>(), columns)
}

/// Both ways of one measure, on a page.
pub(crate) fn two_ways(measure: &TwoWays, believed: Way) -> Drawing {
    plot(measure, believed, SHOWN, Medium::Page).drawing()
}

fn plot(measure: &TwoWays, believed: Way, most: usize, medium: Medium) -> DotPlot<'_> {
    let values = &measure.values[..measure.values.len().min(most)];
    let series = |way: Way, words: &str, mark: Mark, dot: &dyn Fn(&Value) -> Dot| Series {
        name: if way == believed { words.to_owned() } else { format!("{words} (doubtful)") },
        mark,
        is_faint: way != believed,
        dots: values.iter().map(dot).collect(),
    };
    let dot = |value: Option<f64>, interval: Option<Interval<f64>>| Dot {
        value,
        interval: interval.map(|Interval { low, high }| (low, high)),
    };
    let mut all = vec![
        series(Way::TwoStep, "two steps", Mark::Full, &|value| dot(value.two_step, value.interval)),
        series(Way::Direct, "forest of the runs", Mark::Second, &|value| {
            dot(value.direct, value.direct_interval)
        }),
    ];
    if values.iter().any(|value| value.exact.is_some()) {
        let exact = series(believed, "without forest", Mark::Line, &|value| dot(value.exact, None));
        all.push(exact);
    }
    let n_more = measure.values.len() - values.len();
    DotPlot {
        title: String::new(),
        description: format!(
            "{} of {}: two steps beside the forest of the runs, with intervals.",
            measure.name,
            number::of(values.len(), "variable")
        ),
        names: values.iter().map(|value| value.name.as_str()).collect(),
        panels: vec![DotPanel { label: measure.unit.clone(), kind: DotKind::Values, series: all }],
        note: if n_more == 0 || !medium.is_paper() {
            String::new()
        } else {
            format!("the first {} of {} variables", values.len(), measure.values.len())
        },
        medium,
    }
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
