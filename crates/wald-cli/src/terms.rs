//! One number per row and variable as JSON, CSV, Parquet, or a table of their means.

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use wald_table::{Frame, FrameColumn};

use crate::arguments::Format;
use crate::csv;
use crate::explained::{Found, legend, shortened};
use crate::terminal::Terminal;

/// Terms of rows that were found.
pub(crate) struct Terms<'a>(pub(crate) Found<'a>);

/// `[row][variable]`, or `[row][variable][class]`.
struct Records<'a>(Found<'a>);

impl Serialize for Records<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Found { layout, values, .. } = self.0;
        let defined = |value: &f64| Some(*value).filter(|value| !value.is_nan());
        let variable = |numbers: &[f64]| -> serde_json::Value {
            let numbers: Vec<Option<f64>> = numbers.iter().map(defined).collect();
            match (&layout.classes, numbers.as_slice()) {
                (None, [number]) => (*number).into(),
                _ => numbers.into(),
            }
        };
        let record = |record: &[f64]| {
            let variables = record.chunks_exact(layout.n_outputs());
            variables.map(variable).collect::<Vec<_>>()
        };
        serializer.collect_seq(values.chunks_exact(layout.n_values()).map(record))
    }
}

impl Terms<'_> {
    pub(crate) fn write(
        &self,
        format: Format,
        writer: &mut dyn Write,
        terminal: Terminal,
    ) -> io::Result<()> {
        match format {
            Format::Table => writer.write_all(self.table(terminal).as_bytes()),
            Format::Json => self.0.write_json(writer, Records(self.0)),
            Format::Csv => csv::write(writer, &self.frame()),
            Format::Parquet => self.frame().write_parquet(writer),
        }
    }

    /// Variable, class and number of every term, in the order of the rows.
    fn terms(&self) -> impl Iterator<Item = (u32, &str, &str, Option<f64>)> {
        let Found { layout, values, places, .. } = self.0;
        let n_outputs = layout.n_outputs();
        let records = values.chunks_exact(layout.n_values()).zip(places);
        records.flat_map(move |(record, &row)| {
            record.iter().enumerate().map(move |(index, value)| {
                let variable = layout.variables[index / n_outputs].as_str();
                let class = layout.classes.as_ref();
                let class = class.map_or("", |classes| classes[index % n_outputs].as_str());
                (row, variable, class, Some(*value).filter(|value| !value.is_nan()))
            })
        })
    }

    fn frame(&self) -> Frame {
        let (mut rows, mut values) = (Vec::new(), Vec::new());
        let mut texts: [Vec<String>; 2] = Default::default();
        for (row, variable, class, value) in self.terms() {
            rows.push(Some(f64::from(row)));
            texts[0].push(variable.to_owned());
            texts[1].push(class.to_owned());
            values.push(value);
        }
        let [variables, classes] = texts.map(FrameColumn::Text);
        let columns = [
            ("row", FrameColumn::Numbers(rows)),
            ("variable", variables),
            ("class", classes),
            ("value", FrameColumn::Numbers(values)),
        ];
        Frame { columns: columns.map(|(name, column)| (name.to_owned(), column)).into() }
    }

    /// A line per variable, classes added up, the largest mean of absolute terms first.
    fn table(&self, terminal: Terminal) -> String {
        use unicode_width::UnicodeWidthStr as _;
        let Found { info, layout, values, .. } = self.0;
        let n_outputs = layout.n_outputs();
        let of_variable = |variable: usize| {
            let (mut sum, mut absolute, mut n) = (0.0, 0.0, 0.0_f64);
            for record in values.chunks_exact(layout.n_values()) {
                let term: f64 = record[variable * n_outputs..][..n_outputs].iter().sum();
                if !term.is_nan() {
                    sum += term;
                    absolute += term.abs();
                    n += 1.0;
                }
            }
            let n = n.max(1.0);
            (shortened(&layout.variables[variable]), sum / n, absolute / n)
        };
        let mut lines: Vec<_> = (0..layout.variables.len()).map(of_variable).collect();
        lines.sort_by(|one, other| other.2.total_cmp(&one.2));
        let width = lines.iter().map(|(name, ..)| name.width()).max().unwrap_or(0).max(8);
        let mut text = format!("{:width$}  {:>10}  {:>10}\n", "variable", "mean", "absolute");
        for (name, mean, absolute) in lines {
            let blanks = " ".repeat(width - name.width());
            text.push_str(&format!("{name}{blanks}  {mean:>10.5}  {absolute:>10.5}\n"));
        }
        let first = format!("{}: {}; mean and mean absolute value over rows", info.id, info.name);
        text + &legend(first, terminal)
    }
}
