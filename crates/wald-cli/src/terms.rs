//! One number per row and variable, or per row and pair of variables, as JSON, CSV, Parquet, or a table of their means.

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use wald::explain::Shape;
use wald_table::{Frame, FrameColumn};

use crate::arguments::Format;
use crate::csv;
use crate::explained::{Found, legend, shortened};
use crate::terminal::Terminal;

/// More lines than this are no table to look at.
const MOST_LINES: usize = 1000;

/// Terms of rows that were found.
pub(crate) struct Terms<'a>(pub(crate) Found<'a>);

/// `[row][variable]`, or `[row][variable][class]`; of pairs with another `[variable]`.
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
            let numbers = variables.map(variable).collect::<Vec<_>>();
            match layout.shape {
                Shape::Pairs(n) => numbers.chunks_exact(n).map(|row| row.to_vec().into()).collect(),
                _ => numbers,
            }
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

    /// The variable of a place in a record, or both of a pair.
    fn variables(&self, place: usize) -> (&str, Option<&str>) {
        let Found { layout, .. } = self.0;
        let name = |at: usize| layout.variables[at].as_str();
        match layout.shape {
            Shape::Pairs(n) => (name(place / n), Some(name(place % n))),
            _ => (name(place), None),
        }
    }

    /// Variables, class and number of every term, in the order of the rows.
    fn terms(&self) -> impl Iterator<Item = (u32, (&str, Option<&str>), &str, Option<f64>)> {
        let Found { layout, values, places, .. } = self.0;
        let n_outputs = layout.n_outputs();
        let records = values.chunks_exact(layout.n_values()).zip(places);
        records.flat_map(move |(record, &row)| {
            record.iter().enumerate().map(move |(index, value)| {
                let variable = self.variables(index / n_outputs);
                let class = layout.classes.as_ref();
                let class = class.map_or("", |classes| classes[index % n_outputs].as_str());
                (row, variable, class, Some(*value).filter(|value| !value.is_nan()))
            })
        })
    }

    fn frame(&self) -> Frame {
        let (mut rows, mut values) = (Vec::new(), Vec::new());
        let mut texts: [Vec<String>; 3] = Default::default();
        for (row, (variable, with), class, value) in self.terms() {
            rows.push(Some(f64::from(row)));
            texts[0].push(variable.to_owned());
            texts[1].extend(with.map(str::to_owned));
            texts[2].push(class.to_owned());
            values.push(value);
        }
        let has_pairs = matches!(self.0.layout.shape, Shape::Pairs(_));
        let [variables, with, classes] = texts.map(FrameColumn::Text);
        let mut columns = vec![
            ("row", FrameColumn::Numbers(rows)),
            ("variable", variables),
            ("class", classes),
            ("value", FrameColumn::Numbers(values)),
        ];
        if has_pairs {
            columns.insert(2, ("with", with));
        }
        let named = columns.into_iter().map(|(name, column)| (name.to_owned(), column));
        Frame { columns: named.collect() }
    }

    /// A line per variable, or per pair of them, the largest mean of absolute terms first. Classes are added up; of
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
            let (first, second) = self.variables(variable);
            let names = [first, second.unwrap_or_default(), class].map(shortened);
            (names, sum / n, absolute / n, n_zero)
        };
        let n = layout.variables.len();
        // Of the two orders of a pair, one tells of both.
        let places: Vec<usize> = match layout.shape {
            Shape::Pairs(_) => (0..n * n).filter(|place| place / n <= place % n).collect(),
            _ => (0..n).collect(),
        };
        let mut lines: Vec<_> = places
            .into_iter()
            .flat_map(|variable| outputs().map(move |output| (variable, output)))
            .map(|(variable, output)| of_variable(variable, output))
            .collect();
        lines.sort_by(|one, other| other.2.total_cmp(&one.2));
        lines.truncate(MOST_LINES);
        let header = ["variable", "with", "class"];
        let is_shown = [true, matches!(layout.shape, Shape::Pairs(_)), classes.is_some()];
        let widths: [usize; 3] = std::array::from_fn(|at| {
            let names = lines.iter().map(|(names, ..)| names[at].width());
            names.max().unwrap_or(0).max(header[at].len())
        });
        let named = |names: [&str; 3]| -> String {
            let shown = names.iter().zip(widths).zip(is_shown).filter(|(_, is_shown)| *is_shown);
            let padded = shown.map(|((name, width), _)| {
                format!("{name}{}", " ".repeat(width.saturating_sub(name.width())))
            });
            padded.collect::<Vec<_>>().join("  ")
        };
        let head = ["mean", "absolute", "rows at 0"].map(|name| format!("  {name:>10}")).concat();
        let mut text = format!("{}{head}\n", named(header));
        for (names, mean, absolute, n_zero) in lines {
            let names = named([&names[0], &names[1], &names[2]]);
            text.push_str(&format!("{names}  {mean:>10.5}  {absolute:>10.5}  {n_zero:>10}\n"));
        }
        let first = format!(
            "{}: {}; mean and mean absolute value over rows, and in how many of them it is 0",
            info.id, info.name
        );
        text + &legend(first, terminal)
    }
}
