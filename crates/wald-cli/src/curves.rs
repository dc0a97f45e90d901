//! Curves as JSON, CSV or Parquet.

use std::io::{self, Write};

use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};
use wald::explain::{Grid, GridValues, Layout, Shape};
use wald_table::{Frame, FrameColumn};

use crate::arguments::Format;
use crate::csv;
use crate::explained::{Found, Records};
use crate::output::Writer;
use crate::terminal::Terminal;

/// Curves that were found.
pub(crate) struct Curves<'a> {
    found: Found<'a>,
    /// Record after record.
    pub(crate) values: Vec<f64>,
}

impl<'a> std::ops::Deref for Curves<'a> {
    type Target = Found<'a>;

    fn deref(&self) -> &Found<'a> {
        &self.found
    }
}

/// Records that are held until all of them are there: curves are written by variable, not by row.
pub(crate) struct Held<'a> {
    curves: Curves<'a>,
    format: Format,
    writer: &'a mut Writer,
    terminal: Terminal,
}

impl<'a> Held<'a> {
    pub(crate) fn new(
        found: Found<'a>,
        format: Format,
        writer: &'a mut Writer,
        terminal: Terminal,
    ) -> Self {
        let n_values = found.layout.n_records() * found.layout.n_values();
        let curves = Curves { found, values: Vec::with_capacity(n_values) };
        Self { curves, format, writer, terminal }
    }
}

impl Records for Held<'_> {
    fn record(&mut self, _: u32, record: &[f64]) -> io::Result<()> {
        self.curves.values.extend_from_slice(record);
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.curves.write(self.format, &mut *self.writer, self.terminal)
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
    pub(crate) fn spans(&self) -> Vec<(&'a Grid, usize, usize)> {
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
        writer: &mut Writer,
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
            values: CurveValues { layout: self.layout, records: &self.values, start, end },
        };
        let values: Vec<CurveObject<'_>> = self.spans().into_iter().map(object).collect();
        self.found.write_json(writer, values)
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
}
