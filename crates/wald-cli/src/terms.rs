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

    /// A line per variable, the largest mean of absolute terms first. Classes are added up; of
    /// predictions, which add up to the same in every row, they stand apart.
    fn table(&self, terminal: Terminal) -> String {
        use unicode_width::UnicodeWidthStr as _;
        let Found { info, layout, values, .. } = self.0;
        let n_outputs = layout.n_outputs();
        let together = if self.0.adds_up { 1 } else { n_outputs };
        // Of two classes, one tells of both.
        let first = usize::from(self.0.adds_up && n_outputs == 2);
        let outputs = || (first..n_outputs).step_by(together);
        let classes = layout.classes.as_ref().filter(|_| self.0.adds_up);
        let of_variable = |variable: usize, output: usize| {
            let (mut sum, mut absolute, mut n, mut n_zero) = (0.0, 0.0, 0.0_f64, 0);
            for record in values.chunks_exact(layout.n_values()) {
                let numbers = &record[variable * n_outputs..][..n_outputs];
                let term: f64 = numbers[output..output + together].iter().sum();
                if !term.is_nan() {
                    sum += term;
                    absolute += term.abs();
                    n += 1.0;
                    n_zero += usize::from(term == 0.0);
                }
            }
            let n = n.max(1.0);
            let class = classes.map_or("", |classes| classes[output].as_str());
            let names = [&layout.variables[variable], class].map(shortened);
            (names, sum / n, absolute / n, n_zero)
        };
        let variables = 0..layout.variables.len();
        let mut lines: Vec<_> = variables
            .flat_map(|variable| outputs().map(move |output| (variable, output)))
            .map(|(variable, output)| of_variable(variable, output))
            .collect();
        lines.sort_by(|one, other| other.2.total_cmp(&one.2));
        let header = ["variable", "class"];
        let widths: [usize; 2] = std::array::from_fn(|at| {
            let names = lines.iter().map(|(names, ..)| names[at].width());
            names.max().unwrap_or(0).max(header[at].len())
        });
        let n_names = if classes.is_some() { 2 } else { 1 };
        let named = |names: [&str; 2]| -> String {
            let padded = names.iter().zip(widths).take(n_names).map(|(name, width)| {
                format!("{name}{}", " ".repeat(width.saturating_sub(name.width())))
            });
            padded.collect::<Vec<_>>().join("  ")
        };
        let head = ["mean", "absolute", "rows at 0"].map(|name| format!("  {name:>10}")).concat();
        let mut text = format!("{}{head}\n", named(header));
        for (names, mean, absolute, n_zero) in lines {
            let names = named([&names[0], &names[1]]);
            text.push_str(&format!("{names}  {mean:>10.5}  {absolute:>10.5}  {n_zero:>10}\n"));
        }
        let first = format!(
            "{}: {}; mean and mean absolute value over rows, and in how many of them it is 0",
            info.id, info.name
        );
        text + &legend(first, terminal)
    }
}
