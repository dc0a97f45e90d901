//! One number per row and variable, or per row and pair of variables, as a table of their means.

use std::io;

use wald::explain::Shape;

use crate::explained::found::{Found, Records};
use crate::explained::shown::{legend, shortened};
use crate::terminal::Terminal;
use crate::text::Table;
use wald_table::file::Writer;

/// More lines than this are no table to look at.
const MOST_LINES: usize = 1000;

/// A variable, or a pair of them, and an output.
#[derive(Debug, Default)]
struct Line {
    variable: usize,
    with: usize,
    /// The first of those that are added up.
    output: usize,
    sum: f64,
    absolute: f64,
    n: f64,
    n_zero: usize,
}

impl Line {
    fn mean(&self, sum: f64) -> f64 {
        sum / self.n.max(1.0)
    }
}

/// A line per variable, or per pair of them, the largest mean of absolute terms first. Classes are
/// added up; of predictions, which add up to the same in every row, they stand apart.
pub(super) struct Means<'a> {
    found: Found<'a>,
    writer: &'a mut Writer,
    terminal: Terminal,
    /// Outputs that are added up.
    together: usize,
    lines: Vec<Line>,
    /// Rows that no tree explains: every one saw them.
    n_without: usize,
}

impl<'a> Means<'a> {
    pub(super) fn new(found: Found<'a>, writer: &'a mut Writer, terminal: Terminal) -> Self {
        let (n, n_outputs) = (found.layout.variables.len(), found.layout.n_outputs());
        let together = if found.adds_up { 1 } else { n_outputs };
        // Of two classes, one determines the other.
        let first = usize::from(found.adds_up && n_outputs == 2);
        // The two orders of a pair have equal values.
        let others = |variable| match found.layout.shape {
            Shape::Pairs(_) => variable..n,
            _ => 0..1,
        };
        let places = (0..n).flat_map(|variable| others(variable).map(move |with| (variable, with)));
        let lines = places.flat_map(|(variable, with)| {
            let outputs = (first..n_outputs).step_by(together);
            outputs.map(move |output| Line { variable, with, output, ..Line::default() })
        });
        Self { found, writer, terminal, together, lines: lines.collect(), n_without: 0 }
    }

    fn is_of_pairs(&self) -> bool {
        matches!(self.found.layout.shape, Shape::Pairs(_))
    }
}

impl Records for Means<'_> {
    fn record(&mut self, _: u32, record: &[f64]) -> io::Result<()> {
        let layout = self.found.layout;
        self.n_without += usize::from(record.first().is_some_and(|value| value.is_nan()));
        let n_with = if self.is_of_pairs() { layout.variables.len() } else { 1 };
        for line in &mut self.lines {
            let place = line.variable * n_with + line.with;
            let start = place * layout.n_outputs() + line.output;
            let term: f64 = record[start..][..self.together].iter().sum();
            if !term.is_nan() {
                line.sum += term;
                line.absolute += term.abs();
                line.n += 1.0;
                line.n_zero += usize::from(term == 0.0);
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        let Found { info, layout, .. } = self.found;
        let absolute = |line: &Line| line.mean(line.absolute);
        self.lines.sort_by(|one, other| absolute(other).total_cmp(&absolute(one)));
        self.lines.truncate(MOST_LINES);
        let mut table = Table::new(self.terminal.plain(), &self.lines)
            .left("variable", |line| shortened(&layout.variables[line.variable]));
        if self.is_of_pairs() {
            table = table.left("with", |line| shortened(&layout.variables[line.with]));
        }
        if let Some(classes) = layout.classes.as_ref().filter(|_| self.found.adds_up) {
            table = table.left("class", |line| shortened(&classes[line.output]));
        }
        let table = table
            .right("mean", |line| format!("{:.5}", line.mean(line.sum)))
            .wide(10)
            .right("absolute", |line| format!("{:.5}", absolute(line)))
            .wide(10)
            .right("rows at 0", |line| line.n_zero.to_string())
            .wide(10);
        let mut about = format!(
            "{}: {}; mean and mean absolute value over rows, and in how many of them it is 0",
            info.id, info.name
        );
        if self.n_without > 0 {
            let n_without = self.n_without;
            about.push_str(&format!("; rows never out of bag, which were left out: {n_without}"));
        }
        self.writer.write_all((table.text() + &legend(&about, self.terminal)).as_bytes())
    }
}
