//! The marks of dot plots.

use crate::chart::drawing::{DOWN, UP, dots, escaped};
use crate::chart::marks::stroke;
use crate::chart::medium::Medium;
use crate::chart::position::Position;

/// Of what is doubtful.
const FAINT: &str = " opacity=\"0.6\"";

/// How a number is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A dot.
    Full,
    /// A dot in another colour; on paper it is hollow.
    Second,
    /// A short line on the row of the first dots.
    Line,
}

/// A number with its interval.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Dot {
    /// The number; `None` where it is undefined.
    pub value: Option<f64>,
    /// Low and high end.
    pub interval: Option<(f64, f64)>,
}

impl Mark {
    /// The number with its interval, at the places of numbers.
    pub(super) fn svg(self, dot: Dot, at: impl Fn(f64) -> Position, medium: Medium) -> String {
        let colour = if self == Self::Full { DOWN } else { UP };
        let value = dot.value.filter(|value| value.is_finite()).map(&at);
        if self == Self::Line {
            let line = value.map(|Position { x, y }| {
                let (from, to) = (Position { x, y: y - 6.0 }, Position { x, y: y + 6.0 });
                stroke(from, to, "currentColor", " stroke-width=\"1.6\"")
            });
            return line.unwrap_or_default();
        }
        let style = if medium.is_paper() {
            " stroke-width=\"1.6\""
        } else {
            " stroke-width=\"3\" stroke-opacity=\"0.45\""
        };
        let line = dot.interval.map(|(low, high)| stroke(at(low), at(high), colour, style));
        let radius = medium.either(4.2, 3.6);
        let mark = value.map(|middle| {
            let full = dots(&[middle], radius, colour);
            let is_hollow = self == Self::Second && medium.is_paper();
            if is_hollow { full + &dots(&[middle], radius - 1.3, "#ffffff") } else { full }
        });
        line.into_iter().chain(mark).collect()
    }
}

/// Marks with words shown when they are pointed at.
pub(super) fn group(marks: &str, is_faint: bool, words: &str) -> String {
    if marks.is_empty() {
        return String::new();
    }
    let style = if is_faint { FAINT } else { "" };
    let title =
        if words.is_empty() { String::new() } else { format!("<title>{}</title>", escaped(words)) };
    format!("<g{style}>{title}{marks}</g>\n")
}
