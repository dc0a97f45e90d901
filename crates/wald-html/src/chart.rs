//! Charts as SVG that stands alone: a grid of panels, each with axes, and lines with bars of spread
//! and reference lines, or stacked bars.
//!
//! Text stays text, and equal numbers give an equal file.

mod bands;
mod beeswarm;
mod cells;
mod curves;
mod dependence;
mod drawing;
mod frame;
mod heat_map;
mod profile;
mod scale;
mod stacks;
mod waterfall;

pub use bands::{Band, BandedPanel};
pub use beeswarm::{Beeswarm, Swarm};
pub use cells::{Cell, Cells, Outline};
pub(crate) use curves::{convergence, masking, selection};
pub use dependence::dependence;
pub use drawing::Drawing;
pub(crate) use heat_map::heat_map;
pub(crate) use profile::{curve, distribution};
pub(crate) use scale::Scale;
pub use stacks::{Part, Stacks};
pub use waterfall::waterfall;

/// One colour per line, in their order.
pub const COLOURS: [&str; 10] = [
    "#1b6e53", "#c4622d", "#3b6ea8", "#7a4a8c", "#8a7a2b", "#a83b5c", "#2f8f8f", "#6b6b6b",
    "#b08d57", "#4b5d16",
];

const PANEL_WIDTH: f64 = 400.0;
const PANEL_HEIGHT: f64 = 320.0;
/// Around the area of the lines: left, top, right, bottom.
const MARGINS: [f64; 4] = [62.0, 54.0, 14.0, 50.0];
/// About the mean width of a letter.
const LETTER_WIDTH: f64 = 7.2;
/// About this many ticks on an axis.
const N_TICKS: f64 = 5.0;

/// Something that fills a panel.
pub trait Picture {
    /// The contents of an SVG group of the size of a panel.
    fn svg(&self) -> String;
}

/// Panels of lines beside each other, row by row.
#[derive(Debug, Clone)]
pub struct Chart {
    /// In their order.
    pub panels: Vec<Panel>,
    /// At most so many are beside each other.
    pub panels_per_row: usize,
}

/// Lines between axes.
#[derive(Debug, Clone)]
pub struct Panel {
    /// Above the lines.
    pub title: String,
    /// Below the horizontal axis.
    pub x_label: String,
    /// Beside the vertical axis.
    pub y_label: String,
    /// Logarithmic, with ticks where points are.
    pub is_x_log: bool,
    /// In the order of the legend.
    pub lines: Vec<Line>,
    /// Whether lines are named.
    pub has_legend: bool,
}

/// Points in their order, joined.
#[derive(Debug, Clone)]
pub struct Line {
    /// In the legend.
    pub name: String,
    /// Of line and points.
    pub colour: &'static str,
    /// From left to right.
    pub points: Vec<Point>,
    /// A dashed horizontal line in the colour of this one.
    pub reference: Option<f64>,
}

/// A point of a line.
#[derive(Debug, Clone, Copy)]
pub struct Point {
    /// Along the horizontal axis.
    pub x: f64,
    /// Along the vertical axis.
    pub y: f64,
    /// Half the length of the bar.
    pub spread: f64,
}

impl Chart {
    /// The file.
    pub fn svg(&self) -> String {
        let panels = self.panels.iter().map(|panel| -> &dyn Picture { panel });
        file(&panels.collect::<Vec<_>>(), self.panels_per_row)
    }
}

/// A file of panels beside each other, row by row.
pub fn file(panels: &[&dyn Picture], panels_per_row: usize) -> String {
    let columns = panels_per_row.min(panels.len()).max(1);
    let rows = panels.len().div_ceil(columns);
    let (width, height) = (PANEL_WIDTH * columns as f64, PANEL_HEIGHT * rows as f64);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"DejaVu Sans, sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for (number, panel) in panels.iter().enumerate() {
        let x = PANEL_WIDTH * (number % columns) as f64;
        let y = PANEL_HEIGHT * (number / columns) as f64;
        svg.push_str(&format!("<g transform=\"translate({x} {y})\">\n{}</g>\n", panel.svg()));
    }
    svg + "</svg>\n"
}

/// From values to places.
struct Axis {
    from: f64,
    to: f64,
    start: f64,
    end: f64,
    is_log: bool,
    ticks: Vec<f64>,
}

impl Axis {
    fn place(&self, value: f64) -> f64 {
        let scaled = |value: f64| if self.is_log { value.ln() } else { value };
        let share = (scaled(value) - scaled(self.from)) / (scaled(self.to) - scaled(self.from));
        self.start + share * (self.end - self.start)
    }

    /// Covers the values, with round ticks.
    fn linear(values: impl Iterator<Item = f64>, (start, end): (f64, f64)) -> Self {
        let (low, high) = range(values);
        let spread = if high > low { high - low } else { 1.0 };
        let step = round_step(spread / N_TICKS);
        let from = (low / step).floor() * step;
        let n_steps = ((high - from) / step).ceil().max(1.0);
        let ticks = (0..=n_steps as i64).map(|tick| from + tick as f64 * step).collect();
        Self { from, to: from + n_steps * step, start, end, is_log: false, ticks }
    }

    /// A little wider than the values, with ticks where they are.
    fn at_values(
        values: impl Iterator<Item = f64>,
        (start, end): (f64, f64),
        is_log: bool,
    ) -> Self {
        let mut ticks: Vec<f64> = values.collect();
        ticks.sort_by(f64::total_cmp);
        ticks.dedup();
        let (low, high) = range(ticks.iter().copied());
        let (from, to) = if is_log {
            let widening = (high / low).powf(0.05).max(1.05);
            (low / widening, high * widening)
        } else {
            let widening = (0.05 * (high - low)).max(0.5);
            (low - widening, high + widening)
        };
        // Labels must not run into each other.
        let every = ticks.len().div_ceil(12);
        let ticks = ticks.into_iter().step_by(every.max(1)).collect();
        Self { from, to, start, end, is_log, ticks }
    }
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        })
}

/// 1, 2 or 5 times a power of ten, at least the given step.
fn round_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= step);
    factor.unwrap_or(10.0) * power
}

/// As few digits as distinguish ticks of this step.
fn tick_label(value: f64, step: f64) -> String {
    let decimals = (-(step * 1.0001).log10().floor()).max(0.0) as usize;
    let text = format!("{value:.decimals$}");
    if text.trim_start_matches('-').bytes().all(|byte| matches!(byte, b'0' | b'.')) {
        text.trim_start_matches('-').to_owned()
    } else {
        text
    }
}

impl Picture for Panel {
    fn svg(&self) -> String {
        self.drawn(&[])
    }
}

impl Panel {
    /// With areas behind the lines.
    fn drawn(&self, bands: &[Band]) -> String {
        let [left, top, right, bottom] = MARGINS;
        let (right, bottom) = (PANEL_WIDTH - right, PANEL_HEIGHT - bottom);
        let ends = self.points().flat_map(|point| [point.y - point.spread, point.y + point.spread]);
        let references = self.lines.iter().filter_map(|line| line.reference);
        let edges = bands.iter().flat_map(|band| &band.edges).flat_map(|edge| [edge[1], edge[2]]);
        let y_axis = Axis::linear(ends.chain(references).chain(edges), (bottom, top));
        let xs = self.points().map(|point| point.x);
        let x_axis = Axis::at_values(xs, (left, right), self.is_x_log);
        let mut svg = titles((&self.title, &self.x_label, &self.y_label));
        svg.push_str(&vertical(&y_axis));
        for &tick in &x_axis.ticks {
            let x = x_axis.place(tick);
            svg.push_str(&stroke((x, bottom), (x, bottom + 4.0), "#333333", ""));
            svg.push_str(&text((x, bottom + 18.0), "middle", &tick_label(tick, 1.0), ""));
        }
        for band in bands {
            svg.push_str(&band.svg(&x_axis, &y_axis));
        }
        for line in &self.lines {
            svg.push_str(&line.svg(&x_axis, &y_axis));
        }
        if self.has_legend {
            let names = self.lines.iter().map(|line| (line.name.as_str(), line.colour));
            svg.push_str(&legend(&names.collect::<Vec<_>>()));
        }
        svg
    }

    fn points(&self) -> impl Iterator<Item = &Point> {
        self.lines.iter().flat_map(|line| &line.points)
    }
}

/// The words around a panel: above, below and beside it.
fn titles((title, x_label, y_label): (&str, &str, &str)) -> String {
    let [left, top, right, bottom] = MARGINS;
    let (right, bottom) = (PANEL_WIDTH - right, PANEL_HEIGHT - bottom);
    let (centre, middle) = (f64::midpoint(left, right), f64::midpoint(bottom, top));
    let turned = format!(" transform=\"rotate(-90 16 {middle:.1})\"");
    text((centre, 18.0), "middle", title, " font-size=\"13\"")
        + &text((centre, bottom + 38.0), "middle", x_label, "")
        + &text((16.0, middle), "middle", y_label, &turned)
}

/// The vertical axis with its grid, and the line of the horizontal one.
fn vertical(axis: &Axis) -> String {
    let (left, right) = (MARGINS[0], PANEL_WIDTH - MARGINS[2]);
    let (bottom, top) = (axis.start, axis.end);
    let step = axis.ticks.get(1).zip(axis.ticks.first()).map_or(1.0, |(b, a)| b - a);
    let mut svg = String::new();
    for &tick in &axis.ticks {
        let y = axis.place(tick);
        svg.push_str(&stroke((left, y), (right, y), "#dddddd", " stroke-width=\"0.6\""));
        svg.push_str(&text((left - 6.0, y + 4.0), "end", &tick_label(tick, step), ""));
    }
    svg.push_str(&stroke((left, bottom), (right, bottom), "#333333", ""));
    svg + &stroke((left, bottom), (left, top), "#333333", "")
}

/// Names beside each other below the title, in one line, or in several that are narrower.
fn legend(names: &[(&str, &str)]) -> String {
    let (start, room) = (MARGINS[0], PANEL_WIDTH - MARGINS[0]);
    let width =
        |name: &str, scale: f64| scale * (18.0 + LETTER_WIDTH * name.chars().count() as f64 + 10.0);
    let whole: f64 = names.iter().map(|(name, _)| width(name, 1.0)).sum();
    let (scale, mut y) = match (whole / room).ceil() {
        ..=1.0 => (1.0, 42.0),
        2.0 => (0.85, 35.0),
        _ => (0.7, 32.0),
    };
    let mut x = start;
    let mut svg = String::new();
    for (name, colour) in names {
        let width = width(name, scale);
        if x > start && x + width > start + room {
            (x, y) = (start, y + 13.0 * scale);
        }
        let style = " stroke-width=\"2\"";
        let middle = y - 4.0 * scale;
        svg.push_str(&stroke((x, middle), (x + 14.0 * scale, middle), colour, style));
        let size = format!(" font-size=\"{:.1}\"", 12.0 * scale);
        svg.push_str(&text((x + 18.0 * scale, y), "start", name, &size));
        x += width;
    }
    svg
}

impl Line {
    fn svg(&self, x_axis: &Axis, y_axis: &Axis) -> String {
        let mut svg = String::new();
        if let Some(reference) = self.reference {
            let y = y_axis.place(reference);
            let ends = ((x_axis.start, y), (x_axis.end, y));
            svg.push_str(&stroke(ends.0, ends.1, self.colour, " stroke-dasharray=\"5 4\""));
        }
        let places: Vec<String> = self
            .points
            .iter()
            .map(|point| format!("{:.1},{:.1}", x_axis.place(point.x), y_axis.place(point.y)))
            .collect();
        svg.push_str(&format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"/>\n",
            places.join(" "),
            self.colour
        ));
        for point in &self.points {
            let (x, y) = (x_axis.place(point.x), y_axis.place(point.y));
            if point.spread > 0.0 {
                let ends = [point.y - point.spread, point.y + point.spread];
                let [low, high] = ends.map(|value| (x, y_axis.place(value)));
                svg.push_str(&stroke(low, high, self.colour, " stroke-width=\"1\""));
            }
            svg.push_str(&format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.6\" fill=\"{}\"/>\n",
                self.colour
            ));
        }
        svg
    }
}

fn stroke(from: (f64, f64), to: (f64, f64), colour: &str, style: &str) -> String {
    format!(
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\"{style}/>\n",
        from.0, from.1, to.0, to.1
    )
}

fn text(at: (f64, f64), anchor: &str, words: &str, style: &str) -> String {
    let words = drawing::markup(words);
    format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\"{style}>{words}</text>\n",
        at.0, at.1
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_cover_the_values() {
        let axis = Axis::linear([0.031, 0.47].into_iter(), (0.0, 100.0));
        assert!(
            axis.ticks
                .iter()
                .zip([0.0, 0.1, 0.2, 0.3, 0.4, 0.5])
                .all(|(a, b)| (a - b).abs() < 1e-9)
        );
        assert!((axis.place(0.25) - 50.0).abs() < 1e-9);
        assert_eq!(tick_label(0.1 + 0.2, 0.1), "0.3");
        assert_eq!(tick_label(-0.0, 0.05), "0.00");
        assert_eq!(tick_label(500.0, 1.0), "500");
    }

    #[test]
    fn words_cannot_become_markup() {
        let panel = Panel {
            title: "a < b & c".to_owned(),
            x_label: String::new(),
            y_label: String::new(),
            is_x_log: true,
            lines: vec![Line {
                name: "<b>".to_owned(),
                colour: COLOURS[0],
                points: vec![
                    Point { x: 1.0, y: 0.5, spread: 0.1 },
                    Point { x: 10.0, y: 0.6, spread: 0.0 },
                ],
                reference: Some(0.7),
            }],
            has_legend: true,
        };
        let svg = Chart { panels: vec![panel], panels_per_row: 2 }.svg();
        assert!(svg.contains("a &lt; b &amp; c") && svg.contains("&lt;b&gt;"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        assert_eq!(svg.matches("<circle").count(), 2);
    }
}
