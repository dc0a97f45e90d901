//! Panels of lines.

use crate::chart::axis::{Axis, tick_label};
use crate::chart::layout::{
    MARGINS, PANEL_HEIGHT, PANEL_WIDTH, Picture, file, legend, titles, vertical,
};
use crate::chart::marks::{stroke, text};
use crate::chart::position::{at, between};

/// One colour per line, in their order.
pub const COLOURS: [&str; 10] = [
    "#1b6e53", "#c4622d", "#3b6ea8", "#7a4a8c", "#8a7a2b", "#a83b5c", "#2f8f8f", "#6b6b6b",
    "#b08d57", "#4b5d16",
];

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

/// A shaded area between two edges.
#[derive(Debug, Clone)]
pub struct Band {
    /// Of the area, which is mostly transparent.
    pub colour: &'static str,
    /// From left to right: place, lower and upper end.
    pub edges: Vec<[f64; 3]>,
}

impl Picture for Panel {
    fn svg(&self) -> String {
        self.drawn(&[])
    }
}

impl Panel {
    /// With areas behind the lines.
    pub(super) fn drawn(&self, bands: &[Band]) -> String {
        let [left, top, right, bottom] = MARGINS;
        let (right, bottom) = (PANEL_WIDTH - right, PANEL_HEIGHT - bottom);
        let ends = self.points().flat_map(|point| [point.y - point.spread, point.y + point.spread]);
        let references = self.lines.iter().filter_map(|line| line.reference);
        let edges = bands.iter().flat_map(|band| &band.edges).flat_map(|edge| [edge[1], edge[2]]);
        let y_axis = Axis::linear(ends.chain(references).chain(edges), between(bottom, top));
        let xs = self.points().map(|point| point.x);
        let x_axis = Axis::at_values(xs, between(left, right), self.is_x_log);
        let mut svg = titles(&self.title, &self.x_label, &self.y_label);
        svg.push_str(&vertical(&y_axis));
        for &tick in &x_axis.ticks {
            let x = x_axis.place(tick);
            svg.push_str(&stroke(at(x, bottom), at(x, bottom + 4.0), "#333333", ""));
            svg.push_str(&text(at(x, bottom + 18.0), "middle", &tick_label(tick, 1.0), ""));
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

impl Band {
    fn svg(&self, x_axis: &Axis, y_axis: &Axis) -> String {
        let place = |x: f64, y: f64| format!("{:.1},{:.1}", x_axis.place(x), y_axis.place(y));
        let lower = self.edges.iter().map(|&[x, low, _]| place(x, low));
        let upper = self.edges.iter().rev().map(|&[x, _, high]| place(x, high));
        let places: Vec<String> = lower.chain(upper).collect();
        format!(
            "<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"0.16\"/>\n",
            places.join(" "),
            self.colour
        )
    }
}

impl Line {
    fn svg(&self, x_axis: &Axis, y_axis: &Axis) -> String {
        let mut svg = String::new();
        if let Some(reference) = self.reference {
            let y = y_axis.place(reference);
            let (from, to) = (at(x_axis.start, y), at(x_axis.end, y));
            svg.push_str(&stroke(from, to, self.colour, " stroke-dasharray=\"5 4\""));
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
                let [low, high] = ends.map(|value| at(x, y_axis.place(value)));
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

#[cfg(test)]
mod tests {
    use super::*;

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
