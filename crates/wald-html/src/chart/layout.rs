//! Panels beside each other, and what stands around the picture of a panel.

use crate::chart::axis::{Axis, tick_label};
use crate::chart::drawing::Drawing;
use crate::chart::marks::{stroke, text};
use crate::chart::position::at;

pub(super) const PANEL_WIDTH: f64 = 400.0;
pub(super) const PANEL_HEIGHT: f64 = 320.0;
/// Around the area of the lines: left, top, right, bottom.
pub(super) const MARGINS: [f64; 4] = [62.0, 54.0, 14.0, 50.0];
/// About the mean width of a letter.
pub(super) const LETTER_WIDTH: f64 = 7.2;
/// Something that fills a panel.
pub trait Picture {
    /// The contents of an SVG group of the size of a panel.
    fn svg(&self) -> String;
}

/// A panel as a drawing that can stand among others.
pub fn panel(panel: &dyn Picture, description: String) -> Drawing {
    Drawing { description, size: [PANEL_WIDTH, PANEL_HEIGHT], contents: panel.svg() }
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

/// The words around a panel: above, below and beside it.
pub(super) fn titles(title: &str, x_label: &str, y_label: &str) -> String {
    let [left, top, right, bottom] = MARGINS;
    let (right, bottom) = (PANEL_WIDTH - right, PANEL_HEIGHT - bottom);
    let (centre, middle) = (f64::midpoint(left, right), f64::midpoint(bottom, top));
    let turned = format!(" transform=\"rotate(-90 16 {middle:.1})\"");
    text(at(centre, 18.0), "middle", title, " font-size=\"13\"")
        + &text(at(centre, bottom + 38.0), "middle", x_label, "")
        + &text(at(16.0, middle), "middle", y_label, &turned)
}

/// The vertical axis with its grid, and the line of the horizontal one.
pub(super) fn vertical(axis: &Axis) -> String {
    let (left, right) = (MARGINS[0], PANEL_WIDTH - MARGINS[2]);
    let (bottom, top) = (axis.start, axis.end);
    let step = axis.ticks.get(1).zip(axis.ticks.first()).map_or(1.0, |(b, a)| b - a);
    let mut svg = String::new();
    for &tick in &axis.ticks {
        let y = axis.place(tick);
        svg.push_str(&stroke(at(left, y), at(right, y), "#dddddd", " stroke-width=\"0.6\""));
        svg.push_str(&text(at(left - 6.0, y + 4.0), "end", &tick_label(tick, step), ""));
    }
    svg.push_str(&stroke(at(left, bottom), at(right, bottom), "#333333", ""));
    svg + &stroke(at(left, bottom), at(left, top), "#333333", "")
}

/// Names beside each other below the title, in one line, or in several that are narrower.
pub(super) fn legend(names: &[(&str, &str)]) -> String {
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
        svg.push_str(&stroke(at(x, middle), at(x + 14.0 * scale, middle), colour, style));
        let size = format!(" font-size=\"{:.1}\"", 12.0 * scale);
        svg.push_str(&text(at(x + 18.0 * scale, y), "start", name, &size));
        x += width;
    }
    svg
}
