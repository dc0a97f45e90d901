//! Beeswarms: a line per variable, a dot per row where its value is, coloured by what is in the cell.

use crate::number;
use wald_report::{Cells, ExplainedOutput, ExplainedVariable, Explanations, VariableValues};

use crate::chart::axis::Axis;
use crate::chart::drawing::{
    Drawing, LEVELS, NEUTRAL, PLAIN, RAMP, RAMP_ON_PAPER, axis, crosses, dots, firm, horizontal,
    label, place, shown, words_below,
};
use crate::chart::level_names::{Entries, LEVEL_LINE, entries, level_marks, level_names};
use crate::chart::marks::text;
use crate::chart::medium::Medium;
use crate::chart::names::Names;
use crate::chart::position::{Position, at, between};

/// The share of the width that names take, or at most take on paper; there, they take as much at least
/// where levels are named below them.
const NAMES: f64 = 0.3;
const NAMES_ON_PAPER: f64 = 0.4;
const RIGHT: f64 = 16.0;
const LINE: f64 = 36.0;
const LINE_ON_PAPER: f64 = 30.0;
/// Below the lines: ticks and unit, and the legend.
const BELOW: f64 = 40.0;
const LEGEND: f64 = 26.0;
const RADIUS: f64 = 2.3;
const RADIUS_ON_PAPER: f64 = 1.8;

/// Values of variables in rows.
#[derive(Debug, Clone)]
pub struct Beeswarm<'a> {
    /// Above all; may be empty.
    pub title: String,
    /// What the values are in.
    pub unit: String,
    /// Of the whole picture; on paper that of its columns.
    pub width: f64,
    /// Where it stands.
    pub medium: Medium,
    /// From top to bottom.
    pub lines: Vec<Swarm<'a>>,
}

/// The values of one variable.
#[derive(Debug, Clone)]
pub struct Swarm<'a> {
    /// Its name.
    pub name: &'a str,
    /// One per row.
    pub values: &'a [f64],
    /// What is in the cells of the rows; `None` where dots have no colour.
    pub cells: Option<&'a Cells>,
}

/// On a page.
const WIDTH: f64 = 640.0;

impl<'a> Beeswarm<'a> {
    /// All variables shown, for one of the outputs.
    pub fn of(
        explanations: &'a Explanations,
        output: &'a ExplainedOutput,
        title: String,
        unit: String,
        medium: Medium,
    ) -> Self {
        let line = |(variable, values): (&'a ExplainedVariable, &'a VariableValues)| Swarm {
            name: &variable.name,
            values: &values.values,
            cells: Some(&variable.cells),
        };
        let lines = explanations.variables.iter().zip(&output.variables).map(line).collect();
        Self { title, unit, width: medium.width(WIDTH), medium, lines }
    }

    /// The picture; equal numbers give an equal one.
    pub fn drawing(&self) -> Drawing {
        let (full, medium) = (self.width, self.medium);
        let names = self.lines.iter().map(|line| line.name);
        let room = medium.either(NAMES * full - 18.0, NAMES_ON_PAPER * full);
        let names = Names::new(names, room, medium);
        let has_levels = self.lines.iter().any(|line| !line.levels().is_empty());
        let least = if has_levels || !medium.is_paper() { NAMES * full } else { 0.0 };
        let left = (names.width() + 14.0).max(least).round();
        let levels: Vec<Vec<Entries>> =
            self.lines.iter().map(|line| entries(line.levels(), left - 18.0, medium)).collect();
        let highest = levels.iter().map(Vec::len).max().unwrap_or(0) as f64;
        let row =
            medium.either(LINE, LINE_ON_PAPER.max(names.height() + LEVEL_LINE * highest + 6.0));
        let top = if self.title.is_empty() { 6.0 } else { 34.0 };
        let bottom = top + row * self.lines.len() as f64;
        let values = self.lines.iter().flat_map(|line| line.values).copied();
        let values = values.chain([0.0]);
        let mut axis = axis(values.clone(), between(left, full - RIGHT));
        if medium.is_paper() {
            axis = axis.closer(values);
        }
        let mut svg = String::new();
        if !self.title.is_empty() {
            let style = " font-size=\"13\" font-weight=\"bold\"";
            svg.push_str(&label(at(8.0, 20.0), "start", &self.title, full - 16.0, style));
        }
        let unit = if medium.is_paper() { "" } else { &self.unit };
        svg.push_str(&horizontal(&axis, between(top, bottom), unit));
        let mut end = bottom + BELOW;
        if medium.is_paper() {
            let middle = at(f64::midpoint(left, full - RIGHT), bottom + 30.0);
            let (words, height) = words_below(&self.unit, middle, full - 16.0, full);
            svg.push_str(&words);
            end = bottom + 27.0 + height;
        }
        let zero = place(&axis, 0.0);
        svg.push_str(&firm(at(zero, top), at(zero, bottom)));
        for (number, (line, levels)) in self.lines.iter().zip(&levels).enumerate() {
            let middle = top + row * (number as f64 + 0.5);
            let above = medium.either(6.0, LEVEL_LINE / 2.0) * levels.len() as f64;
            svg.push_str(&names.svg(number, at(left - 10.0, middle - above)));
            let below = middle - above
                + f64::midpoint(names.height_of(number), LEVEL_LINE)
                + medium.either(5.0, 3.0);
            svg.push_str(&level_names(levels, at(left - 10.0, below), medium));
            svg.push_str(&line.svg(&axis, middle, row, medium));
        }
        let (legend, height) = self.legend(at(left, end));
        svg.push_str(&legend);
        let n_rows = self.lines.first().map_or(0, |line| line.values.len());
        let names: Vec<String> = self.lines.iter().map(|line| shown(line.name, 40)).collect();
        let title = if self.title.is_empty() { "Beeswarm" } else { &self.title };
        let description = format!(
            "{title}: {}, one dot for each of {}. From top to bottom: {}.",
            self.unit,
            number::of(n_rows, "row"),
            names.join(", ")
        );
        Drawing { description, size: [full, end + height], contents: svg }
    }

    /// What colours mean, where there are any, and the room it takes.
    fn legend(&self, corner: Position) -> (String, f64) {
        let has =
            |is: &dyn Fn(&Cells) -> bool| self.lines.iter().filter_map(|line| line.cells).any(is);
        let has_numbers = has(&|cells| matches!(cells, Cells::Numbers { .. }));
        let has_missing = has(&|cells| match cells {
            Cells::Numbers { values } => values.contains(&None),
            Cells::Levels { codes, .. } => codes.contains(&None),
            Cells::Several { .. } => false,
        });
        let has_several = has(&|cells| matches!(cells, Cells::Several { .. }));
        let (mut svg, mut x, y) = (String::new(), corner.x, corner.y + 10.0);
        let small = " font-size=\"11\"";
        if has_numbers {
            svg.push_str(&text(at(x, y), "start", "low", small));
            for (step, colour) in ramp(self.medium).iter().enumerate() {
                let place = at(x + 32.0 + 11.0 * step as f64, y - 4.0);
                svg.push_str(&dots(&[place], 4.0, colour));
            }
            svg.push_str(&text(at(x + 108.0, y), "start", "high value", small));
            x += 182.0;
        }
        if has_missing {
            svg.push_str(&crosses(&[at(x, y - 4.0)], RADIUS + 0.5));
            svg.push_str(&text(at(x + 9.0, y), "start", "missing", small));
            x += 70.0;
        }
        if has_several {
            svg.push_str(&dots(&[at(x, y - 4.0)], 4.0, NEUTRAL));
            svg.push_str(&text(at(x + 9.0, y), "start", "several columns", small));
        }
        let height = if svg.is_empty() { 0.0 } else { LEGEND };
        (svg, height)
    }
}

impl Swarm<'_> {
    /// Names of levels; none of numbers.
    fn levels(&self) -> &[String] {
        match self.cells {
            Some(Cells::Levels { levels, .. }) => levels,
            _ => &[],
        }
    }

    fn svg(&self, axis: &Axis, middle: f64, height: f64, medium: Medium) -> String {
        let xs: Vec<f64> = self.values.iter().map(|&value| place(axis, value)).collect();
        let radius = medium.either(RADIUS, RADIUS_ON_PAPER);
        let offsets = spread(&xs, radius, height / 2.0 - radius - 1.0);
        let mut by_colour: Vec<Vec<Position>> = vec![Vec::new(); RAMP.len() + LEVELS.len() + 3];
        let colours = colours(self.cells, xs.len());
        for ((x, offset), colour) in xs.iter().zip(offsets).zip(colours) {
            by_colour[colour].push(at(*x, middle + offset));
        }
        let mut svg = String::new();
        for (colour, places) in by_colour.iter().enumerate() {
            svg.push_str(&match (colour.checked_sub(RAMP.len()), colour_name(colour, medium)) {
                (Some(level), Some(_)) if level < LEVELS.len() => {
                    level_marks(places, radius, level, medium)
                }
                (_, Some(name)) => dots(places, radius, name),
                (_, None) => crosses(places, radius - 0.3),
            });
        }
        svg
    }
}

const fn ramp(medium: Medium) -> [&'static str; 7] {
    if medium.is_paper() { RAMP_ON_PAPER } else { RAMP }
}

/// Positions in the list of colours: those of numbers by rank, of levels by frequency, that of what
/// has none, that where cells are not distinguished, then missing.
fn colours(cells: Option<&Cells>, n_rows: usize) -> Vec<usize> {
    let neutral = RAMP.len() + LEVELS.len();
    let missing = neutral + 2;
    match cells {
        None => vec![neutral + 1; n_rows],
        Some(Cells::Several { .. }) => vec![neutral; n_rows],
        Some(Cells::Levels { codes, .. }) => {
            let colour =
                |code: usize| if code < LEVELS.len() { RAMP.len() + code } else { neutral };
            codes.iter().map(|code| code.map_or(missing, colour)).collect()
        }
        Some(Cells::Numbers { values }) => {
            let mut sorted: Vec<f64> = values.iter().copied().flatten().collect();
            sorted.sort_by(f64::total_cmp);
            let colour = |value: f64| {
                let below = sorted.partition_point(|other| *other < value);
                let equal = sorted.partition_point(|other| *other <= value) - below;
                // In the middle of the equal ones.
                let share = (below as f64 + 0.5 * equal as f64) / sorted.len() as f64;
                ((share * RAMP.len() as f64) as usize).min(RAMP.len() - 1)
            };
            values.iter().map(|value| value.map_or(missing, colour)).collect()
        }
    }
}

/// `None` for crosses.
fn colour_name(colour: usize, medium: Medium) -> Option<&'static str> {
    let ramp = ramp(medium);
    let all = ramp.iter().chain(&LEVELS).chain([&NEUTRAL, &PLAIN]);
    all.copied().nth(colour)
}

/// How far above or below its line each dot is, so that dots do not lie over each other: each goes to
/// the free lane nearest to the line, from left to right. Where lanes leave the room there is, all
/// move together, so that the shape stays.
fn spread(xs: &[f64], radius: f64, room: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..xs.len()).collect();
    order.sort_by(|&a, &b| xs[a].total_cmp(&xs[b]).then(a.cmp(&b)));
    let mut ends: Vec<f64> = Vec::new();
    let mut lanes = vec![0_usize; xs.len()];
    for row in order {
        let free = ends.iter().position(|end| xs[row] - end >= 2.0 * radius);
        lanes[row] = free.unwrap_or_else(|| {
            ends.push(f64::NEG_INFINITY);
            ends.len() - 1
        });
        ends[lanes[row]] = xs[row];
    }
    // Lanes 0, 1, 2, 3, 4 are at 0, 1, -1, 2, -2.
    let widest = (ends.len() / 2).max(1) as f64;
    let step = (2.0 * radius).min(room / widest);
    let offset = |lane: usize| {
        let distance = lane.div_ceil(2) as f64 * step;
        if lane % 2 == 1 { -distance } else { distance }
    };
    lanes.into_iter().map(offset).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_do_not_lie_over_each_other_while_there_is_room() {
        let xs: Vec<f64> = (0..60).map(|row| f64::from(row * 37 % 60) * 1.5).collect();
        let offsets = spread(&xs, 2.0, 50.0);
        for a in 0..xs.len() {
            for b in 0..a {
                let apart = (xs[a] - xs[b]).abs() >= 4.0 || (offsets[a] - offsets[b]).abs() >= 4.0;
                assert!(apart, "{a} {b}");
            }
        }
        // Equal places: symmetric, within the room, and no two at one place.
        let mut offsets = spread(&[7.0; 41], 2.0, 15.0);
        offsets.sort_by(f64::total_cmp);
        assert!(offsets.iter().all(|offset| offset.abs() <= 15.0 + 1e-9));
        assert!(offsets.windows(2).all(|pair| pair[1] - pair[0] > 0.1), "{offsets:?}");
    }

    #[test]
    fn colours_follow_ranks_and_levels() {
        let numbers = Cells::Numbers { values: vec![Some(1.0), Some(1e9), None, Some(2.0)] };
        let found = colours(Some(&numbers), 4);
        assert_eq!(found, [1, 5, RAMP.len() + LEVELS.len() + 2, 3]);
        assert_eq!(colour_name(found[2], Medium::Page), None);
        let codes = vec![Some(0), Some(5), None];
        let levels = (0..6).map(|level| level.to_string()).collect();
        let found = colours(Some(&Cells::Levels { levels, codes }), 3);
        assert_eq!(colour_name(found[0], Medium::Page), Some(LEVELS[0]));
        assert_eq!(colour_name(found[1], Medium::Page), Some(NEUTRAL));
        assert_eq!(colour_name(found[2], Medium::Page), None);
    }

    #[test]
    fn every_row_has_its_mark_where_its_value_is() {
        let cells = Cells::Numbers { values: vec![Some(3.0), None, Some(5.0)] };
        let values = [-1.0, 0.5, 2.0];
        let line = Swarm { name: "a < b", values: &values, cells: Some(&cells) };
        let lines = vec![line];
        let swarm = Beeswarm {
            title: String::new(),
            unit: "kg".to_owned(),
            width: WIDTH,
            medium: Medium::Page,
            lines,
        };
        let svg = swarm.drawing().embedded();
        // Seven dots are the legend's.
        assert_eq!(svg.matches("h0").count(), 2 + 7, "{svg}");
        assert_eq!(svg.matches("class=\"crosses\"").count(), 2);
        // From -1 to 2 the axis is as wide as the picture: 192 to 624.
        assert!(svg.contains("M192 24h0") && svg.contains("M624 24h0"), "{svg}");
        assert!(svg.contains("a &lt; b") && !svg.contains("NaN"));
        assert_eq!(svg, swarm.drawing().embedded());
    }
}
