//! One number per row and variable, or per row and pair of variables, as JSON, CSV or Parquet:
//! written while rows are explained, so that their numbers need not be held.

use std::io;

use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};
use wald::explain::{Layout, Shape};
use wald_table::{Frame, FrameColumn, ParquetWriter};

use crate::csv;
use crate::explained::{Found, Records};
use crate::output::Writer;

/// Lines of a row group of a Parquet file.
const LINES_TOGETHER: usize = 1 << 17;

/// The variable of a place in a record, or both of a pair.
pub(crate) fn variables(layout: &Layout, place: usize) -> (&str, Option<&str>) {
    let name = |at: usize| layout.variables[at].as_str();
    match layout.shape {
        Shape::Pairs(n) => (name(place / n), Some(name(place % n))),
        _ => (name(place), None),
    }
}

/// What stands in a line: variables, class and number.
type Line<'a> = ((&'a str, Option<&'a str>), &'a str, Option<f64>);

/// The lines of a record.
fn lines<'a>(layout: &'a Layout, record: &'a [f64]) -> impl Iterator<Item = Line<'a>> {
    let n_outputs = layout.n_outputs();
    let classes = layout.classes.as_deref();
    record.iter().enumerate().map(move |(index, value)| {
        let class = classes.map_or("", |classes| classes[index % n_outputs].as_str());
        (variables(layout, index / n_outputs), class, defined(*value))
    })
}

fn defined(value: f64) -> Option<f64> {
    Some(value).filter(|value| !value.is_nan())
}

/// A document whose last field, the values, grows: `[row][variable]` or `[row][variable][class]`;
/// of pairs with another `[variable]`.
pub(crate) struct Json<'a> {
    found: Found<'a>,
    writer: &'a mut Writer,
    n_records: usize,
}

impl<'a> Json<'a> {
    pub(crate) fn new(found: Found<'a>, writer: &'a mut Writer) -> io::Result<Self> {
        let mut start = Vec::new();
        found.write_json(&mut start, [(); 0])?;
        let end = start.windows(3).rposition(|bytes| bytes == b"[]}");
        writer.write_all(&start[..=end.unwrap_or_default()])?;
        Ok(Self { found, writer, n_records: 0 })
    }
}

impl Records for Json<'_> {
    fn record(&mut self, _: u32, record: &[f64]) -> io::Result<()> {
        if self.n_records > 0 {
            self.writer.write_all(b",")?;
        }
        self.n_records += 1;
        let layout = self.found.layout;
        match layout.shape {
            Shape::Pairs(n) => {
                let rows = record.chunks_exact(n * layout.n_outputs());
                let rows = rows.map(|row| Numbers { layout, row }).collect::<Vec<_>>();
                serde_json::to_writer(&mut *self.writer, &rows)?;
            }
            _ => serde_json::to_writer(&mut *self.writer, &Numbers { layout, row: record })?,
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.writer.write_all(b"]}\n")
    }
}

/// Numbers of variables, each alone or in a list of classes.
struct Numbers<'a> {
    layout: &'a Layout,
    row: &'a [f64],
}

impl Serialize for Numbers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let n_outputs = self.layout.n_outputs();
        if self.layout.classes.is_none() {
            return serializer.collect_seq(self.row.iter().copied().map(defined));
        }
        let mut list = serializer.serialize_seq(Some(self.row.len() / n_outputs))?;
        for numbers in self.row.chunks_exact(n_outputs) {
            let numbers: Vec<Option<f64>> = numbers.iter().copied().map(defined).collect();
            list.serialize_element(&numbers)?;
        }
        list.end()
    }
}

/// A line per number.
pub(crate) struct Csv<'a> {
    layout: &'a Layout,
    writer: &'a mut Writer,
}

impl<'a> Csv<'a> {
    pub(crate) fn new(layout: &'a Layout, writer: &'a mut Writer) -> io::Result<Self> {
        let with = if matches!(layout.shape, Shape::Pairs(_)) { "with," } else { "" };
        writeln!(writer, "row,variable,{with}class,value")?;
        Ok(Self { layout, writer })
    }
}

impl Records for Csv<'_> {
    fn record(&mut self, row: u32, record: &[f64]) -> io::Result<()> {
        for ((variable, with), class, value) in lines(self.layout, record) {
            let (variable, class, value) =
                (csv::name(variable), csv::name(class), csv::number(value));
            write!(self.writer, "{row},{variable},")?;
            if let Some(with) = with {
                write!(self.writer, "{},", csv::name(with))?;
            }
            writeln!(self.writer, "{class},{value}")?;
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The lines of the CSV as columns.
pub(crate) struct Parquet<'a> {
    layout: &'a Layout,
    writer: ParquetWriter<&'a mut Writer>,
    rows: Vec<Option<f64>>,
    texts: [Vec<String>; 3],
    values: Vec<Option<f64>>,
}

impl<'a> Parquet<'a> {
    pub(crate) fn new(layout: &'a Layout, writer: &'a mut Writer) -> io::Result<Self> {
        let (rows, values) = (Vec::new(), Vec::new());
        let mut parquet = Self {
            layout,
            writer: ParquetWriter::new(writer),
            rows,
            texts: Default::default(),
            values,
        };
        // A file without rows has its columns, too.
        parquet.write_group()?;
        Ok(parquet)
    }

    fn write_group(&mut self) -> io::Result<()> {
        let [variables, with, classes] = std::mem::take(&mut self.texts).map(FrameColumn::Text);
        let mut columns = vec![
            ("row", FrameColumn::Numbers(std::mem::take(&mut self.rows))),
            ("variable", variables),
            ("class", classes),
            ("value", FrameColumn::Numbers(std::mem::take(&mut self.values))),
        ];
        if matches!(self.layout.shape, Shape::Pairs(_)) {
            columns.insert(2, ("with", with));
        }
        let named = columns.into_iter().map(|(name, column)| (name.to_owned(), column));
        self.writer.write(&Frame { columns: named.collect() })
    }
}

impl Records for Parquet<'_> {
    fn record(&mut self, row: u32, record: &[f64]) -> io::Result<()> {
        for ((variable, with), class, value) in lines(self.layout, record) {
            self.rows.push(Some(f64::from(row)));
            self.texts[0].push(variable.to_owned());
            self.texts[1].extend(with.map(str::to_owned));
            self.texts[2].push(class.to_owned());
            self.values.push(value);
        }
        if self.values.len() >= LINES_TOGETHER { self.write_group() } else { Ok(()) }
    }

    fn finish(&mut self) -> io::Result<()> {
        if !self.values.is_empty() {
            self.write_group()?;
        }
        self.writer.finish()
    }
}
