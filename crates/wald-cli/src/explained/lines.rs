//! A line per number, as CSV or Parquet, written while rows are explained.

use std::io;

use wald::explain::{GridValues, Layout, Shape};
use wald_table::{Frame, FrameColumn, ParquetWriter};

use crate::csv;
use crate::explained::found::Records;
use wald_table::file::Writer;

/// Lines that are written together.
const LINES_TOGETHER: usize = 1 << 17;

/// A number with what it belongs to.
#[derive(Clone, Copy, Default)]
struct Line<'a> {
    row: u32,
    variable: &'a str,
    /// The other variable of a pair.
    with: &'a str,
    /// The place on a curve: a number or a level, or a missing value, which is neither.
    number: Option<f64>,
    level: &'a str,
    class: &'a str,
    value: Option<f64>,
}

/// The lines of a record.
fn lines<'a>(layout: &'a Layout, record: &'a [f64]) -> impl Iterator<Item = Line<'a>> {
    let names = layout.variables.iter();
    let of_variable = |variable: &'a String| Line { variable, ..Line::default() };
    let places: Box<dyn Iterator<Item = Line<'a>>> = match &layout.shape {
        Shape::Curves(grids) => Box::new(names.zip(grids).flat_map(move |(name, grid)| {
            (0..grid.len()).map(move |place| match &grid.values {
                GridValues::Numbers(numbers) => {
                    Line { number: numbers.get(place).copied(), ..of_variable(name) }
                }
                GridValues::Levels(levels) => {
                    Line { level: levels.get(place).map_or("", |level| level), ..of_variable(name) }
                }
            })
        })),
        Shape::Pairs(_) => Box::new(names.flat_map(move |name| {
            layout.variables.iter().map(move |with| Line { with, ..of_variable(name) })
        })),
        _ => Box::new(names.map(of_variable)),
    };
    let of_place = move |(place, values): (Line<'a>, &'a [f64])| {
        values.iter().enumerate().map(move |(output, &value)| {
            let class = layout.classes.as_ref().map_or("", |classes| &classes[output]);
            Line { class, value: Some(value).filter(|value| !value.is_nan()), ..place }
        })
    };
    places.zip(record.chunks_exact(layout.n_outputs())).flat_map(of_place)
}

/// What stands in a column.
enum Cell {
    Text(for<'a> fn(&Line<'a>) -> &'a str),
    Number(fn(&Line<'_>) -> Option<f64>),
}

/// The columns that a shape has.
fn columns(layout: &Layout) -> Vec<(&'static str, Cell)> {
    let is_pair = matches!(layout.shape, Shape::Pairs(_));
    let is_curve = matches!(layout.shape, Shape::Curves(_));
    let columns = [
        (!layout.is_mean, "row", Cell::Number(|line| Some(line.row.into()))),
        (true, "variable", Cell::Text(|line| line.variable)),
        (is_pair, "with", Cell::Text(|line| line.with)),
        (is_curve, "number", Cell::Number(|line| line.number)),
        (is_curve, "level", Cell::Text(|line| line.level)),
        (true, "class", Cell::Text(|line| line.class)),
        (true, "value", Cell::Number(|line| line.value)),
    ];
    let there = columns.into_iter().filter(|(is_there, ..)| *is_there);
    there.map(|(_, name, cell)| (name, cell)).collect()
}

/// Where lines go.
pub(crate) enum Sink<'a> {
    Csv(&'a mut Writer),
    Parquet(ParquetWriter<&'a mut Writer>),
}

/// Lines on their way to a file.
pub(crate) struct Lines<'a> {
    layout: &'a Layout,
    sink: Sink<'a>,
    cells: Vec<Cell>,
    /// Lines that are not written yet.
    frame: Frame,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(layout: &'a Layout, mut sink: Sink<'a>) -> io::Result<Self> {
        let column = |(name, cell): (&str, &Cell)| match cell {
            Cell::Text(_) => (name.to_owned(), FrameColumn::Text(Vec::new())),
            Cell::Number(_) => (name.to_owned(), FrameColumn::Numbers(Vec::new())),
        };
        let (names, cells): (Vec<&str>, Vec<Cell>) = columns(layout).into_iter().unzip();
        let frame = Frame { columns: names.into_iter().zip(&cells).map(column).collect() };
        // A file without rows has its columns, too.
        match &mut sink {
            Sink::Csv(writer) => csv::write(*writer, &frame)?,
            Sink::Parquet(writer) => writer.write(&frame)?,
        }
        Ok(Self { layout, sink, cells, frame })
    }

    /// Writes the lines that wait.
    fn write(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Csv(writer) => csv::write_rows(*writer, &self.frame)?,
            Sink::Parquet(writer) => writer.write(&self.frame)?,
        }
        for (_, column) in &mut self.frame.columns {
            match column {
                FrameColumn::Text(texts) => texts.clear(),
                FrameColumn::Numbers(numbers) => numbers.clear(),
            }
        }
        Ok(())
    }
}

impl Records for Lines<'_> {
    fn record(&mut self, row: u32, record: &[f64]) -> io::Result<()> {
        for line in lines(self.layout, record) {
            let line = Line { row, ..line };
            for ((_, column), cell) in self.frame.columns.iter_mut().zip(&self.cells) {
                match (column, cell) {
                    (FrameColumn::Text(texts), Cell::Text(of)) => texts.push(of(&line).to_owned()),
                    (FrameColumn::Numbers(numbers), Cell::Number(of)) => numbers.push(of(&line)),
                    _ => {}
                }
            }
        }
        // The curves of a Parquet file are one row group.
        let is_one_group =
            matches!((&self.sink, &self.layout.shape), (Sink::Parquet(_), Shape::Curves(_)));
        let n_waiting = self.frame.columns.first().map_or(0, |(_, column)| column.len());
        if n_waiting >= LINES_TOGETHER && !is_one_group { self.write() } else { Ok(()) }
    }

    fn finish(&mut self) -> io::Result<()> {
        self.write()?;
        match &mut self.sink {
            Sink::Csv(_) => Ok(()),
            Sink::Parquet(writer) => writer.finish(),
        }
    }
}
