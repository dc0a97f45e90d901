//! Dot plots (Cleveland 1984): a row per variable, with dots on their intervals, in panels beside each
//! other that share the names.

use crate::chart::axis::{Axis, range};
use crate::chart::dot_marks::{Dot, Mark, group};
use crate::chart::drawing::{
    Drawing, WORDS, axis, faint, firm, horizontal, place, shown, words_below,
};
use crate::chart::letters;
use crate::chart::marks::text;
use crate::chart::medium::Medium;
use crate::chart::names::Names;
use crate::chart::position::{Span, at, between};
use crate::number;

const WIDTH: f64 = 640.0;
/// Names have so much room on a page, and at most so much of the width on paper.
const NAMES: f64 = 134.0;
const NAMES_ON_PAPER: f64 = 0.45;
/// Beside names, and at the right end, where half of the last tick's words are.
const GAP: f64 = 10.0;
const RIGHT: f64 = 20.0;
/// Between panels.
const BETWEEN: f64 = 24.0;
/// From the rows to the words below them.
const TICKS: f64 = 18.0;
const LEGEND: f64 = 20.0;
const SMALL: f64 = 11.0;

/// Variables with their numbers.
#[derive(Debug, Clone)]
pub struct DotPlot<'a> {
    /// Above all; may be empty.
    pub title: String,
    /// What it shows, for readers who cannot see it.
    pub description: String,
    /// Of the rows.
    pub names: Vec<&'a str>,
    /// Beside each other.
    pub panels: Vec<DotPanel>,
    /// What is left out, in words; may be empty.
    pub note: String,
    /// Where it stands.
    pub medium: Medium,
}

/// Numbers on one axis.
#[derive(Debug, Clone)]
pub struct DotPanel {
    /// Below the axis.
    pub label: String,
    /// What the numbers are.
    pub kind: DotKind,
    /// Below each other in every row.
    pub series: Vec<Series>,
}

/// What numbers are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DotKind {
    /// Numbers around zero, which is on the axis.
    Values,
    /// Ranks from 1 to the number of variables.
    Ranks {
        /// How many variables there are.
        n_variables: usize,
    },
}

/// A number for every row.
#[derive(Debug, Clone)]
pub struct Series {
    /// In the legend, which only several series have.
    pub name: String,
    /// How it is marked.
    pub mark: Mark,
    /// Whether it is doubtful.
    pub is_faint: bool,
    /// By row.
    pub dots: Vec<Dot>,
}

/// Where the rows of a plot are.
struct Rows {
    /// Where rows begin, and where the last one ends.
    edges: Vec<f64>,
    /// Lines of dots in every row.
    n_lanes: usize,
}

impl Rows {
    fn top(&self) -> f64 {
        self.edges[0]
    }

    fn bottom(&self) -> f64 {
        self.edges[self.edges.len() - 1].max(self.edges[0] + SMALL)
    }

    fn middle(&self, row: usize) -> f64 {
        f64::midpoint(self.edges[row], self.edges[row + 1])
    }

    fn n_rows(&self) -> usize {
        self.edges.len() - 1
    }
}

impl DotPlot<'_> {
    /// The picture; equal numbers give an equal one.
    pub fn drawing(&self) -> Drawing {
        let medium = self.medium;
        let width = medium.width(WIDTH);
        let room = medium.either(NAMES, NAMES_ON_PAPER * width);
        let names = Names::new(self.names.iter().copied(), room, medium);
        let left = names.width() + GAP + medium.either(6.0, 2.0);
        let (mut svg, top) = self.head(left, width);
        let n_lanes = self.panels.iter().map(DotPanel::n_lanes).max().unwrap_or(1);
        let least = 11.0 * n_lanes as f64 + medium.either(8.0, 5.0);
        let rows = Rows { edges: names.rows(top, least, 3.0), n_lanes };
        for row in 0..rows.n_rows() {
            svg.push_str(&names.svg(row, at(left - GAP, rows.middle(row))));
        }
        let n_panels = self.panels.len().max(1) as f64;
        let one = (width - left - RIGHT - BETWEEN * (n_panels - 1.0)) / n_panels;
        let mut end = rows.bottom() + TICKS;
        for (place, panel) in self.panels.iter().enumerate() {
            let from = left + (one + BETWEEN) * place as f64;
            svg.push_str(&panel.svg(&self.names, &rows, between(from, from + one), medium));
            // Words may be wider than the panel, but not than the picture.
            let room = if self.panels.len() > 1 { one + BETWEEN - 6.0 } else { width - 8.0 };
            let words = at(from + one / 2.0, rows.bottom() + TICKS + 11.0);
            let (words, height) = words_below(&panel.label, words, room, width);
            svg.push_str(&words);
            end = end.max(rows.bottom() + TICKS + height + 3.0);
        }
        for line in letters::lines(&self.note, SMALL, width - 8.0, 3) {
            if !line.is_empty() {
                end += WORDS;
                svg.push_str(&text(at(2.0, end - 4.0), "start", &line, " font-size=\"11\""));
            }
        }
        Drawing { description: self.description.clone(), size: [width, end], contents: svg }
    }

    /// Title and legend, and where they end.
    fn head(&self, left: f64, width: f64) -> (String, f64) {
        let (mut svg, mut top) = (String::new(), 6.0);
        if !self.title.is_empty() {
            for line in letters::lines(&self.title, 13.0, width, 2) {
                let style = " font-size=\"13\" font-weight=\"bold\"";
                svg.push_str(&text(at(2.0, top + 10.0), "start", &line, style));
                top += 17.0;
            }
        }
        if let Some(panel) = self.panels.iter().find(|panel| panel.series.len() > 1) {
            let (marks, n_lines) = panel.legend(left, top + 8.0, width, self.medium);
            svg.push_str(&marks);
            top += LEGEND * n_lines;
        }
        (svg, top)
    }
}

impl DotPanel {
    /// Lines of dots in every row.
    fn n_lanes(&self) -> usize {
        self.series.iter().filter(|series| series.mark != Mark::Line).count()
    }

    fn axis(&self, ends: Span, medium: Medium) -> Axis {
        match self.kind {
            DotKind::Values => {
                let numbers = || {
                    let all = self.series.iter().flat_map(|series| &series.dots);
                    let numbers = all.flat_map(|dot| {
                        let interval = dot.interval.into_iter().flat_map(|(low, high)| [low, high]);
                        dot.value.into_iter().chain(interval)
                    });
                    numbers.chain([0.0])
                };
                let axis = axis(numbers(), ends);
                if medium.is_paper() { axis.closer(numbers()) } else { axis }
            }
            DotKind::Ranks { n_variables } => {
                let all = self.series.iter().flat_map(|series| &series.dots);
                let highest = all.filter_map(|dot| dot.interval.map(|(_, high)| high));
                let (_, last) = range(highest.chain([2.0]));
                Axis::of_ranks(last.min(n_variables.max(2) as f64), ends)
            }
        }
    }

    /// The axis and the marks of all rows.
    fn svg(&self, names: &[&str], rows: &Rows, ends: Span, medium: Medium) -> String {
        let axis = self.axis(ends, medium);
        let mut svg = horizontal(&axis, between(rows.top(), rows.bottom()), "");
        if self.kind == DotKind::Values {
            let zero = place(&axis, 0.0);
            svg.push_str(&firm(at(zero, rows.top()), at(zero, rows.bottom())));
        }
        for (row, name) in names.iter().enumerate() {
            // Dots of one number are on lines, and those of several between lines.
            let line = if rows.n_lanes > 1 { rows.edges[row + 1] } else { rows.middle(row) };
            if rows.n_lanes == 1 || row + 1 < rows.n_rows() {
                svg.push_str(&faint(at(ends.start, line), at(ends.end, line)));
            }
            svg.push_str(&self.row(row, name, &axis, rows.middle(row), medium));
        }
        svg
    }

    fn row(&self, row: usize, name: &str, axis: &Axis, middle: f64, medium: Medium) -> String {
        let n_lanes = self.n_lanes();
        let height = |lane: usize| middle + 11.0 * (lane as f64 - (n_lanes as f64 - 1.0) / 2.0);
        let mut lane = 0;
        let mut svg = String::new();
        for series in &self.series {
            let y = if series.mark == Mark::Line { height(0) } else { height(lane) };
            lane += usize::from(series.mark != Mark::Line);
            let Some(dot) = series.dots.get(row) else { continue };
            let marks = series.mark.svg(*dot, |value| at(place(axis, value), y), medium);
            let words = if medium.is_paper() { String::new() } else { self.words(row, name) };
            svg.push_str(&group(&marks, series.is_faint, &words));
        }
        svg
    }

    /// All numbers of a row, shown when a mark is pointed at.
    fn words(&self, row: usize, name: &str) -> String {
        let number =
            |value: Option<f64>| number::value(value).text.unwrap_or_else(|| "\u{2013}".to_owned());
        let one = |series: &Series| {
            let dot = series.dots.get(row).copied().unwrap_or_default();
            let interval = dot.interval.map_or_else(String::new, |(low, high)| {
                format!(" ({} to {})", number(Some(low)), number(Some(high)))
            });
            format!("{} {}{interval}", series.name, number(dot.value))
        };
        let dots = self.series.iter().filter(|series| series.mark != Mark::Line);
        format!("{}: {}", shown(name, 60), dots.map(one).collect::<Vec<_>>().join(", "))
    }

    /// The marks with the names of series, and the number of lines that they take.
    fn legend(&self, left: f64, top: f64, width: f64, medium: Medium) -> (String, f64) {
        let gap = medium.either(36.0, 14.0);
        let width_of = |series: &Series| 28.0 + letters::width(&series.name, 12.0) + gap;
        let all: f64 = self.series.iter().map(width_of).sum();
        // Where the panel begins, if there is room.
        let start = if left + all - gap <= width { left } else { 2.0 };
        let (mut x, mut y, mut n_lines) = (start, top, 1.0);
        let mut svg = String::new();
        for series in &self.series {
            if x > start && x + width_of(series) - gap > width {
                (x, y, n_lines) = (start, y + LEGEND, n_lines + 1.0);
            }
            let middle = at(x + 11.0, y);
            let interval = (series.mark != Mark::Line).then_some((-1.0, 1.0));
            let marks = series.mark.svg(
                Dot { value: Some(0.0), interval },
                |value| at(middle.x + 11.0 * value, y),
                medium,
            );
            svg.push_str(&group(&marks, series.is_faint, ""));
            svg.push_str(&text(at(x + 28.0, y + 4.0), "start", &series.name, ""));
            x += width_of(series);
        }
        (svg, n_lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::medium::Columns;

    fn plot(medium: Medium) -> DotPlot<'static> {
        let dot =
            |value: f64| Dot { value: Some(value), interval: Some((value - 0.1, value + 0.1)) };
        let series = |name: &str, mark, values: [f64; 2]| Series {
            name: name.to_owned(),
            mark,
            is_faint: false,
            dots: values.map(dot).to_vec(),
        };
        let panel = DotPanel {
            label: "share".to_owned(),
            kind: DotKind::Values,
            series: vec![
                series("first", Mark::Full, [0.4, 0.1]),
                series("total", Mark::Second, [0.5, -0.1]),
            ],
        };
        let ranks = Dot { value: Some(1.0), interval: Some((1.0, 2.0)) };
        let ranks = Series {
            name: String::new(),
            mark: Mark::Full,
            is_faint: false,
            dots: vec![ranks, Dot::default()],
        };
        let ranks = DotPanel {
            label: "rank".to_owned(),
            kind: DotKind::Ranks { n_variables: 2 },
            series: vec![ranks],
        };
        DotPlot {
            title: "a & b".to_owned(),
            description: String::new(),
            names: vec!["<x>", "a_very_long_name_of_a_variable_that_does_not_fit_into_a_line"],
            panels: vec![panel, ranks],
            note: "first 2 of 3 variables".to_owned(),
            medium,
        }
    }

    #[test]
    fn every_number_has_its_mark_and_names_are_whole() {
        let svg = plot(Medium::Paper(Columns::One)).drawing().contents;
        // Two dots each of two series, their legend, a rank; hollow dots are two.
        assert_eq!(svg.matches("class=\"dots\"").count(), 2 + 4 + 1 + 2 + 1, "{svg}");
        assert!(svg.contains("&lt;x&gt;") && svg.contains("a &amp; b") && !svg.contains("<title>"));
        let pieces: String = svg
            .split("text-anchor=\"end\">")
            .skip(2)
            .filter_map(|part| part.split('<').next())
            .collect();
        assert_eq!(pieces, "a_very_long_name_of_a_variable_that_does_not_fit_into_a_line");
        let on_page = plot(Medium::Page).drawing().contents;
        assert!(on_page.contains("<title>&lt;x&gt;: first 0.4") && on_page.contains('\u{2026}'));
    }
}
