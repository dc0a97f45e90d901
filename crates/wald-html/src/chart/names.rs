//! Names beside the rows of a picture.

use crate::chart::drawing::{label, shown};
use crate::chart::letters;
use crate::chart::marks::text;
use crate::chart::medium::Medium;
use crate::chart::position::{Position, at};

/// The size of letters unless another one is given; lines of a name are as far apart.
const SIZE: f64 = 12.0;
const MOST_LINES: usize = 3;

/// At most so many letters of a name are on paper.
const MOST_LETTERS: usize = 100;

/// Names that end at the same place. On a page they are cut to the room there is; on paper they have as
/// much of it as they need, and several lines where that is not enough.
pub(super) struct Names {
    room: f64,
    size: f64,
    /// Of every name; one line on a page.
    lines: Vec<Vec<String>>,
    medium: Medium,
}

impl Names {
    /// For `room` on a page, or at most so much of it on paper.
    pub(super) fn new<'a>(names: impl Iterator<Item = &'a str>, room: f64, medium: Medium) -> Self {
        Self::of_size(names, room, medium, (SIZE, MOST_LINES))
    }

    /// The same in letters of a size and at most so many lines.
    pub(super) fn of_size<'a>(
        names: impl Iterator<Item = &'a str>,
        room: f64,
        medium: Medium,
        (size, most_lines): (f64, usize),
    ) -> Self {
        if !medium.is_paper() {
            let lines = names.map(|name| vec![name.to_owned()]).collect();
            return Self { room, size, lines, medium };
        }
        let lines: Vec<Vec<String>> = names
            .map(|name| letters::even_lines(&shown(name, MOST_LETTERS), size, room, most_lines))
            .collect();
        let widths = lines.iter().flatten().map(|line| letters::width(line, size));
        Self { room: widths.fold(0.0, f64::max), size, lines, medium }
    }

    /// The width that names take.
    pub(super) fn width(&self) -> f64 {
        self.room
    }

    /// The height of a name.
    pub(super) fn height_of(&self, row: usize) -> f64 {
        self.size * self.lines.get(row).map_or(1, Vec::len) as f64
    }

    /// Where rows begin, and where the last one ends: each is as high as its name needs, with `gap` around
    /// it, and at least `least`.
    pub(super) fn rows(&self, top: f64, least: f64, gap: f64) -> Vec<f64> {
        let mut edges = vec![top];
        for row in 0..self.lines.len() {
            edges.push(edges[row] + (self.height_of(row) + gap).max(least));
        }
        edges
    }

    /// The height of the highest name.
    pub(super) fn height(&self) -> f64 {
        let heights = (0..self.lines.len()).map(|row| self.height_of(row));
        heights.fold(self.size, f64::max)
    }

    /// A name that ends there, in the middle of its row.
    pub(super) fn svg(&self, row: usize, end: Position) -> String {
        let Some(lines) = self.lines.get(row) else { return String::new() };
        let style = if self.size == SIZE {
            String::new()
        } else {
            format!(" font-size=\"{:.1}\"", self.size)
        };
        let base = end.y + self.size / 3.0;
        if !self.medium.is_paper() {
            return label(at(end.x, base), "end", &lines[0], self.room, &style);
        }
        let step = self.size;
        let first = base - step * (lines.len() - 1) as f64 / 2.0;
        let line = |(number, line): (usize, &String)| {
            text(at(end.x, first + step * number as f64), "end", line, &style)
        };
        lines.iter().enumerate().map(line).collect()
    }
}
