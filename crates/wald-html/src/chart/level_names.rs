//! Names of levels behind the marks of their dots.

use crate::chart::drawing::{LEVELS, dots, shown, squares};
use crate::chart::letters;
use crate::chart::marks::text;
use crate::chart::medium::Medium;
use crate::chart::position::{Position, at};

/// Between lines of names of levels, at most so many of which are on paper.
pub(super) const LEVEL_LINE: f64 = 12.0;
const MOST_LEVEL_LINES: usize = 3;

/// Marks of a level: dots of its colour; on paper full and hollow dots and squares, which can be
/// distinguished without colours.
pub(super) fn level_marks(
    places: &[Position],
    radius: f64,
    level: usize,
    medium: Medium,
) -> String {
    let colour = LEVELS[level];
    if !medium.is_paper() {
        return dots(places, radius, colour);
    }
    let draw = if level < 2 { dots } else { squares };
    let mut marks = draw(places, radius, colour);
    if level % 2 == 1 && !places.is_empty() {
        marks += &draw(places, radius - 1.1, "#ffffff");
    }
    marks
}

/// Names of levels in a line, with the widths that they take and the numbers of the levels; `None` is for
/// those that are left out.
pub(super) type Entries = Vec<(Option<usize>, String, f64)>;

/// The names of the first levels, as many as there is room for.
pub(super) fn entries(levels: &[String], room: f64, medium: Medium) -> Vec<Entries> {
    if levels.is_empty() {
        return Vec::new();
    }
    let size = medium.either(10.0, 10.5);
    let most = if medium.is_paper() { MOST_LEVEL_LINES } else { 1 };
    let (mut lines, mut used, mut n_named) = (vec![Vec::new()], 0.0, 0);
    for (number, name) in levels.iter().take(LEVELS.len()).enumerate() {
        let name = shown(name, 12);
        let width = letters::width(&name, size) + 20.0;
        if used + width > room && used > 0.0 && lines.len() < most {
            lines.push(Vec::new());
            used = 0.0;
        }
        if used + width > room {
            break;
        }
        used += width;
        n_named += 1;
        if let Some(line) = lines.last_mut() {
            line.push((Some(number), name, width));
        }
    }
    if n_named < levels.len()
        && let Some(line) = lines.last_mut()
    {
        line.push((None, "\u{2026}".to_owned(), 14.0));
    }
    lines
}

/// Lines of names that end there, behind the marks of their levels.
pub(super) fn level_names(lines: &[Entries], end: Position, medium: Medium) -> String {
    let style = format!(" font-size=\"{}\"", medium.either(10.0, 10.5));
    let mut svg = String::new();
    for (number, line) in lines.iter().enumerate() {
        let (mut x, y) = (end.x, end.y + LEVEL_LINE * number as f64);
        for (level, name, width) in line.iter().rev() {
            svg.push_str(&text(at(x, y), "end", name, &style));
            if let Some(level) = level {
                svg.push_str(&level_marks(&[at(x - width + 14.0, y - 3.5)], 3.0, *level, medium));
            }
            x -= width;
        }
    }
    svg
}
