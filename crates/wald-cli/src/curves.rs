//! Curves as JSON, CSV, Parquet, or a table with small pictures.

use std::io::{self, Write};

use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};
use wald::data::Task;
use wald::explain::{Grid, GridValues, Layout, Shape};
use wald_table::{Frame, FrameColumn};

use crate::arguments::Format;
use crate::csv;
use crate::explained::Found;
use crate::failure::wald_version;
use crate::terminal::{Terminal, wrap};

/// More places than this are not drawn one by one.
const WIDEST_PICTURE: usize = 32;
const WIDEST_NAME: usize = 40;

/// Curves that were found.
pub(crate) struct Curves<'a>(pub(crate) Found<'a>);

impl<'a> std::ops::Deref for Curves<'a> {
    type Target = Found<'a>;

    fn deref(&self) -> &Found<'a> {
        &self.0
    }
}

/// One number with its place on a curve.
struct Point<'a> {
    row: Option<u32>,
    variable: &'a str,
    number: Option<f64>,
    level: &'a str,
    class: &'a str,
    value: f64,
}

#[derive(Serialize)]
struct Document<'a> {
    wald: &'static str,
    measure: &'static str,
    task: Task,
    target: &'a str,
    features: &'a [String],
    classes: Option<&'a [String]>,
    rows: usize,
    /// The rows of the table that the curves belong to, where they have one each.
    row_numbers: Option<&'a [u32]>,
    values: Vec<CurveObject<'a>>,
}

#[derive(Serialize)]
struct CurveObject<'a> {
    grid: GridObject<'a>,
    values: CurveValues<'a>,
}

struct GridObject<'a>(&'a Grid);

/// The curves of one variable: by row, place and class.
struct CurveValues<'a> {
    layout: &'a Layout,
    records: &'a [f64],
    /// Where the variable's numbers lie in each record.
    start: usize,
    end: usize,
}

impl Serialize for GridObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        match &self.0.values {
            GridValues::Numbers(numbers) => {
                numbers.iter().try_for_each(|number| list.serialize_element(number))?;
            }
            GridValues::Levels(levels) => {
                levels.iter().try_for_each(|level| list.serialize_element(level))?;
            }
        }
        if self.0.has_missing {
            list.serialize_element(&None::<f64>)?;
        }
        list.end()
    }
}

impl Serialize for CurveValues<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let n_outputs = self.layout.n_outputs();
        let is_number = self.layout.classes.is_none();
        // Numbers stand alone, proportions of classes in a list.
        let curve = |record: &[f64]| {
            let places = record[self.start..self.end].chunks_exact(n_outputs);
            places
                .map(|place| if is_number { place[0].into() } else { place.to_vec().into() })
                .collect::<Vec<serde_json::Value>>()
        };
        if self.layout.is_mean {
            return curve(self.records).serialize(serializer);
        }
        serializer.collect_seq(self.records.chunks_exact(self.layout.n_values()).map(curve))
    }
}

impl<'a> Curves<'a> {
    fn grids(&self) -> &'a [Grid] {
        match &self.layout.shape {
            Shape::Curves(grids) => grids,
            _ => &[],
        }
    }

    /// The grids with where their numbers lie in each record.
    fn spans(&self) -> Vec<(&'a Grid, usize, usize)> {
        let mut end = 0;
        let span = |grid: &'a Grid| {
            let start = end;
            end += grid.len() * self.layout.n_outputs();
            (grid, start, end)
        };
        self.grids().iter().map(span).collect()
    }

    pub(crate) fn write(
        &self,
        format: Format,
        writer: &mut dyn Write,
        terminal: Terminal,
    ) -> io::Result<()> {
        match format {
            Format::Table => writer.write_all(self.table(terminal).as_bytes()),
            Format::Json => self.write_json(writer),
            Format::Csv => self.write_csv(writer),
            Format::Parquet => self.frame().write_parquet(writer),
        }
    }

    fn write_json(&self, writer: &mut dyn Write) -> io::Result<()> {
        let object = |(grid, start, end): (&'a Grid, usize, usize)| CurveObject {
            grid: GridObject(grid),
            values: CurveValues { layout: self.layout, records: self.values, start, end },
        };
        let document = Document {
            wald: wald_version(),
            measure: self.info.id,
            task: self.forest.task(),
            target: &self.forest.target().name,
            features: &self.layout.variables,
            classes: self.layout.classes.as_deref(),
            rows: self.layout.n_rows,
            row_numbers: (!self.layout.is_mean).then_some(self.places),
            values: self.spans().into_iter().map(object).collect(),
        };
        serde_json::to_writer(&mut *writer, &document)?;
        writer.write_all(b"\n")
    }

    /// All numbers with their places, in the order of rows, variables, values and classes.
    fn points(&self) -> impl Iterator<Item = Point<'a>> {
        let classes = self.layout.classes.as_deref();
        let n_outputs = self.layout.n_outputs();
        let (spans, variables) = (self.spans(), &self.layout.variables);
        let records = self.values.chunks_exact(self.layout.n_values()).zip(self.places);
        let is_mean = self.layout.is_mean;
        records.flat_map(move |(record, &row)| {
            let spans = spans.clone().into_iter().zip(variables);
            spans.flat_map(move |((grid, start, end), variable)| {
                let of_place = move |(index, &value): (usize, &f64)| {
                    let place = index / n_outputs;
                    let (number, level) = match &grid.values {
                        GridValues::Numbers(numbers) => (numbers.get(place).copied(), ""),
                        GridValues::Levels(levels) => {
                            (None, levels.get(place).map_or("", String::as_str))
                        }
                    };
                    let class = classes.map_or("", |classes| &classes[index % n_outputs]);
                    let row = (!is_mean).then_some(row);
                    Point { row, variable, number, level, class, value }
                };
                record[start..end].iter().enumerate().map(of_place)
            })
        })
    }

    /// One line per number.
    fn write_csv(&self, writer: &mut dyn Write) -> io::Result<()> {
        let first = if self.layout.is_mean { "" } else { "row," };
        writeln!(writer, "{first}variable,number,level,class,value")?;
        for point in self.points() {
            if let Some(row) = point.row {
                write!(writer, "{row},")?;
            }
            let number = csv::number(point.number);
            let [variable, level, class] =
                [point.variable, point.level, point.class].map(csv::name);
            let value = csv::number(Some(point.value).filter(|value| !value.is_nan()));
            writeln!(writer, "{variable},{number},{level},{class},{value}")?;
        }
        Ok(())
    }

    /// The lines of the CSV as columns.
    fn frame(&self) -> Frame {
        let mut rows = Vec::new();
        let mut texts: [Vec<String>; 3] = Default::default();
        let (mut numbers, mut values) = (Vec::new(), Vec::new());
        for point in self.points() {
            rows.extend(point.row.map(|row| Some(f64::from(row))));
            numbers.push(point.number);
            for (column, text) in texts.iter_mut().zip([point.variable, point.level, point.class]) {
                column.push(text.to_owned());
            }
            values.push(Some(point.value).filter(|value| !value.is_nan()));
        }
        let [variable, level, class] = texts.map(FrameColumn::Text);
        let mut columns = vec![
            ("variable".to_owned(), variable),
            ("number".to_owned(), FrameColumn::Numbers(numbers)),
            ("level".to_owned(), level),
            ("class".to_owned(), class),
            ("value".to_owned(), FrameColumn::Numbers(values)),
        ];
        if !self.layout.is_mean {
            columns.insert(0, ("row".to_owned(), FrameColumn::Numbers(rows)));
        }
        Frame { columns }
    }

    /// A line per variable and class, the variables whose mean curve has the widest range first.
    fn table(&self, terminal: Terminal) -> String {
        use unicode_width::UnicodeWidthStr as _;
        let mut lines: Vec<(f64, [String; 6])> = Vec::new();
        let classes = self.layout.classes.as_deref();
        // Of two classes, one tells of both.
        let outputs = match self.layout.n_outputs() {
            2 => 1..2,
            n_outputs => 0..n_outputs,
        };
        for ((grid, start, end), name) in self.spans().into_iter().zip(&self.layout.variables) {
            for output in outputs.clone() {
                let Some(line) = Line::new(self, (start, end), output) else { continue };
                let class = classes.map_or("", |classes| classes[output].as_str());
                let cells = [
                    shortened(name),
                    wald_table::escape_controls(class),
                    format!("{:.4}", line.lowest),
                    format!("{:.4}", line.highest),
                    ends(grid),
                    picture(&line.mean, grid.has_missing, terminal.unicode),
                ];
                lines.push((line.range(), cells));
            }
        }
        lines.sort_by(|one, other| other.0.total_cmp(&one.0));
        let header = ["variable", "class", "lowest", "highest", "values", "curve"];
        let mut rows = vec![header.map(str::to_owned)];
        rows.extend(lines.into_iter().map(|(_, cells)| cells));
        let width = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..header.len()).map(width).collect();
        let shown = |column: &usize| classes.is_some() || *column != 1;
        let mut text = String::new();
        for row in &rows {
            let cells = (0..header.len()).filter(shown).map(|column| {
                let blanks = " ".repeat(widths[column] - row[column].width());
                let is_right = column == 2 || column == 3;
                if is_right { blanks + &row[column] } else { row[column].clone() + &blanks }
            });
            text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
            text.push('\n');
        }
        text + &self.legend(terminal)
    }

    fn legend(&self, terminal: Terminal) -> String {
        let of_rows = if self.layout.is_mean {
            format!("{}: {}, mean of {} rows", self.info.id, self.info.name, self.layout.n_rows)
        } else {
            format!(
                "{}: {}; lowest and highest of {} rows, curves are their means",
                self.info.id, self.info.name, self.layout.n_rows
            )
        };
        let all = "all numbers: --format json, csv or parquet".to_owned();
        let lines = [of_rows, all].map(|line| wrap(&line, terminal.text_width()).join("\n  "));
        format!("\n{}\n", lines.join("\n"))
    }
}

/// The curves of one variable and class, summed up.
struct Line {
    lowest: f64,
    highest: f64,
    mean: Vec<f64>,
}

impl Line {
    /// `None` where no row has a curve.
    fn new(curves: &Curves<'_>, (start, end): (usize, usize), output: usize) -> Option<Self> {
        let n_outputs = curves.layout.n_outputs();
        let mut mean = vec![0.0; (end - start) / n_outputs];
        let (mut lowest, mut highest, mut count) = (f64::INFINITY, f64::NEG_INFINITY, 0.0);
        for record in curves.values.chunks_exact(curves.layout.n_values()) {
            if record[start].is_nan() {
                continue;
            }
            count += 1.0;
            let places = record[start..end].chunks_exact(n_outputs);
            for (sum, place) in mean.iter_mut().zip(places) {
                *sum += place[output];
                lowest = lowest.min(place[output]);
                highest = highest.max(place[output]);
            }
        }
        mean.iter_mut().for_each(|sum| *sum /= count);
        (count > 0.0).then_some(Self { lowest, highest, mean })
    }

    fn range(&self) -> f64 {
        let (lowest, highest) = ends_of(&self.mean);
        highest - lowest
    }
}

fn ends_of(values: &[f64]) -> (f64, f64) {
    let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
    (lowest, values.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}

/// The first and the last value of a grid, or how many levels there are.
fn ends(grid: &Grid) -> String {
    let missing = if grid.has_missing { ", missing" } else { "" };
    match &grid.values {
        GridValues::Numbers(numbers) => match (numbers.first(), numbers.last()) {
            (Some(&first), Some(&last)) => format!("{} to {}{missing}", short(first), short(last)),
            _ => String::new(),
        },
        GridValues::Levels(levels) => format!("{} levels{missing}", levels.len()),
    }
}

/// A number with four digits.
fn short(number: f64) -> String {
    let unit = 10_f64.powf(3.0 - number.abs().log10().floor());
    let rounded = (number * unit).round() / unit;
    csv::shortest(if rounded.is_finite() { rounded } else { number })
}

/// The heights of a curve at evenly chosen places; that of a missing value stands apart.
fn picture(curve: &[f64], has_missing: bool, unicode: bool) -> String {
    let heights: Vec<char> = if unicode { "▁▂▃▄▅▆▇█" } else { "01234567" }.chars().collect();
    let (lowest, highest) = ends_of(curve);
    let (curve, missing) = curve.split_at(curve.len() - usize::from(has_missing));
    let n_shown = curve.len().min(WIDEST_PICTURE);
    let place = |index: usize| match n_shown {
        0 | 1 => 0,
        _ => index * (curve.len() - 1) / (n_shown - 1),
    };
    let height = |value: f64| {
        let share = if highest > lowest { (value - lowest) / (highest - lowest) } else { 0.0 };
        heights[(share * (heights.len() - 1) as f64).round() as usize]
    };
    let shown = (0..n_shown).map(|index| height(curve[place(index)]));
    let apart = missing.iter().flat_map(|&value| [' ', height(value)]);
    shown.chain(apart).collect()
}

/// A name that leaves room for the rest.
pub(crate) fn shortened(name: &str) -> String {
    let name = wald_table::escape_controls(name);
    if name.chars().count() <= WIDEST_NAME {
        return name;
    }
    name.chars().take(WIDEST_NAME - 3).chain("...".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_show_heights_between_the_ends() {
        assert_eq!(picture(&[0.0, 1.0, 0.5], false, true), "▁█▅");
        assert_eq!(picture(&[0.0, 1.0, 0.5], true, true), "▁█ ▅");
        assert_eq!(picture(&[2.0, 2.0], false, true), "▁▁");
        assert_eq!(picture(&[3.0, 1.0], false, false), "70");
        let long: Vec<f64> = (0..1000).map(f64::from).collect();
        let drawn = picture(&long, false, true);
        assert_eq!(drawn.chars().count(), WIDEST_PICTURE);
        assert!(drawn.starts_with('▁') && drawn.ends_with('█'));
    }

    #[test]
    fn numbers_are_short() {
        let numbers = [0.0, 2007.0, 185.2, -0.012_345_6, 123_456.0, 1e-300, 1e308];
        let texts = ["0", "2007", "185.2", "-0.01235", "123500", "1e-300", "1e308"];
        assert_eq!(numbers.map(short), texts);
    }

    #[test]
    fn long_names_are_cut() {
        assert_eq!(shortened("short"), "short");
        assert_eq!(shortened(&"x".repeat(50)), "x".repeat(37) + "...");
    }
}
