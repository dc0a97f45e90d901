//! Lines whose names stand at their right ends.

use crate::chart::axis::Axis;
use crate::chart::drawing::{Drawing, LEVELS, NEUTRAL, dots, escaped, label, shown};
use crate::chart::frame::{Frame, left_on_paper};
use crate::chart::letters;
use crate::chart::lines::Point;
use crate::chart::marks::{stroke, text};
use crate::chart::medium::Medium;
use crate::chart::position::{Span, at, between};

/// On a page: the size, and left, top, right and bottom of the area of the lines.
const SIZE: [f64; 2] = [520.0, 282.0];
const AREA: [f64; 4] = [68.0, 16.0, 380.0, 236.0];
/// On paper: the height, the share of the width that names have at most.
const HEIGHT: f64 = 250.0;
const NAMES: f64 = 0.36;
/// A piece of a line before its name.
const SAMPLE: f64 = 24.0;

/// Lines with a colour and a name of their own.
const NAMED: usize = 8;
/// Behind the colours of levels.
const MORE_COLOURS: [&str; 4] = ["#9a7d0a", "#56a0d3", "#5b3a8c", "#333333"];
/// Of lines on paper, where colours may be missing.
const DASHES: [&str; 8] = ["", "7 3", "2 2", "9 3 2 3", "4 4", "12 3", "1 4", "9 2 2 2 2 2"];

/// Lines, the most important first.
#[derive(Debug, Clone)]
pub struct NamedLines<'a> {
    /// What it shows, for readers who cannot see it.
    pub description: String,
    /// Names with points from left to right; of many, the first ones are named.
    pub lines: Vec<(&'a str, Vec<Point>)>,
    /// Of the axes.
    pub x_label: &'a str,
    /// Beside the vertical axis.
    pub y_label: &'a str,
    /// Logarithmic along x.
    pub is_x_log: bool,
    /// Where it stands.
    pub medium: Medium,
    /// The share of the width of paper that it has.
    pub share: f64,
}

impl NamedLines<'_> {
    /// The picture.
    pub fn drawing(&self) -> Drawing {
        let medium = self.medium;
        let size = [
            (self.share * medium.width(SIZE[0])).min(medium.width(SIZE[0])),
            medium.either(SIZE[1], HEIGHT),
        ];
        let named = || self.lines.iter().take(NAMED).map(|(name, _)| *name);
        let room = self.room(named(), size[0]);
        let area = if medium.is_paper() {
            let (top, bottom) = (8.0, HEIGHT - 42.0);
            [left_on_paper(self.y_label, bottom - top), top, size[0] - room - SAMPLE - 14.0, bottom]
        } else {
            AREA
        };
        let points = || self.lines.iter().flat_map(|(_, points)| points);
        let ys = points().flat_map(|point| [point.y - point.spread, point.y + point.spread]);
        let xs = points().map(|point| point.x);
        let mut frame = Frame::of_counts(xs, ys.chain([0.0]), area);
        if self.is_x_log {
            let xs = points().map(|point| point.x);
            frame.x = Axis::at_values(xs, between(frame.x.start, frame.x.end), true);
        }
        let mut svg = if medium.is_paper() {
            let ys = points().flat_map(|point| [point.y - point.spread, point.y + point.spread]);
            frame.y = frame.y.closer(ys.chain([0.0]));
            frame.on_paper(self.x_label, self.y_label, size[0]).0
        } else {
            frame.svg(self.x_label, self.y_label)
        };
        let mut ends = Vec::new();
        for (number, (name, points)) in self.lines.iter().enumerate().rev() {
            let (colour, width) = match LEVELS.iter().chain(&MORE_COLOURS).nth(number) {
                Some(colour) if number < NAMED => (*colour, medium.either(2.0, 1.6)),
                _ => (NEUTRAL, 0.8),
            };
            let dashes = dashes(number, medium);
            let style = format!("stroke=\"{colour}\" stroke-width=\"{width}\"{dashes}");
            svg.push_str("<g>");
            if !medium.is_paper() {
                svg.push_str(&format!("<title>{}</title>", escaped(&shown(name, 60))));
            }
            let places: Vec<(f64, f64)> = points.iter().map(|point| (point.x, point.y)).collect();
            svg.push_str(&frame.line(&places, &style));
            svg.push_str("</g>\n");
            if number >= NAMED {
                continue;
            }
            for point in points.iter().filter(|point| point.spread > 0.0) {
                let ends = [point.y - point.spread, point.y + point.spread];
                let [low, high] = ends.map(|y| frame.at(point.x, y));
                svg.push_str(&stroke(low, high, colour, " stroke-width=\"1\""));
            }
            if let Some(point) = points.last() {
                ends.push((frame.at(point.x, point.y).y, number, colour));
            }
        }
        for (y, number, colour) in apart(ends, 14.0, between(area[1] + 4.0, area[3])) {
            let name = self.lines[number].0;
            if medium.is_paper() {
                // A piece of the line, for its dashes.
                let (from, to) = (at(area[2] + 6.0, y), at(area[2] + 6.0 + SAMPLE, y));
                let style = format!(" stroke-width=\"1.6\"{}", dashes(number, medium));
                svg.push_str(&stroke(from, to, colour, &style));
                let name = letters::shortened(&shown(name, 100), 11.0, room);
                let place = at(to.x + 5.0, y + 4.0);
                svg.push_str(&text(place, "start", &name, " font-size=\"11\""));
            } else {
                svg.push_str(&dots(&[at(area[2] + 10.0, y)], 3.0, colour));
                let place = at(area[2] + 18.0, y + 4.0);
                svg.push_str(&label(place, "start", name, room, " font-size=\"11\""));
            }
        }
        Drawing { description: self.description.clone(), size, contents: svg }
    }

    /// The width of names: as much as they need on paper.
    fn room<'a>(&self, names: impl Iterator<Item = &'a str>, width: f64) -> f64 {
        if !self.medium.is_paper() {
            return 118.0;
        }
        names
            .map(|name| letters::width(&shown(name, 100), 11.0))
            .fold(0.0, f64::max)
            .min(NAMES * width)
    }
}

/// How a line on paper is dashed.
fn dashes(number: usize, medium: Medium) -> String {
    match DASHES.get(number) {
        Some(dashes) if medium.is_paper() && !dashes.is_empty() => {
            format!(" stroke-dasharray=\"{dashes}\"")
        }
        _ => String::new(),
    }
}

/// Moves labels down or up until none is closer to the next than `room`.
fn apart(
    mut labels: Vec<(f64, usize, &'static str)>,
    room: f64,
    heights: Span,
) -> Vec<(f64, usize, &'static str)> {
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut free = heights.start;
    for label in &mut labels {
        label.0 = label.0.max(free);
        free = label.0 + room;
    }
    let mut free = heights.end;
    for label in labels.iter_mut().rev() {
        label.0 = label.0.min(free);
        free = label.0 - room;
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::medium::Columns;

    #[test]
    fn labels_keep_their_distance_and_stay_inside() {
        let labels = vec![(50.0, 0, "#1"), (52.0, 1, "#2"), (99.0, 2, "#3"), (100.0, 3, "#4")];
        let places: Vec<f64> =
            apart(labels, 14.0, between(0.0, 100.0)).iter().map(|l| l.0).collect();
        assert!(places.windows(2).all(|pair| pair[1] - pair[0] >= 14.0 - 1e-9), "{places:?}");
        assert!(places[3] <= 100.0 && places[0] >= 0.0, "{places:?}");
    }

    #[test]
    fn lines_on_paper_differ_without_colours() {
        let points = |y: f64| [1.0, 10.0].map(|x| Point { x, y, spread: 0.1 }).to_vec();
        let names: Vec<String> = (0..10).map(|number| format!("x{number}")).collect();
        let lines = names.iter().zip(1..).map(|(name, y)| (name.as_str(), points(f64::from(y))));
        let svg = NamedLines {
            description: String::new(),
            lines: lines.collect(),
            x_label: "x",
            y_label: "y",
            is_x_log: true,
            medium: Medium::Paper(Columns::One),
            share: 1.0,
        }
        .drawing()
        .contents;
        assert_eq!(svg.matches("stroke-dasharray").count(), 2 * 7, "{svg}");
        assert!(svg.contains(">x7<") && !svg.contains(">x8<") && !svg.contains("<title>"));
    }
}
