//! One number per row and variable, or per row and pair of variables, as a table of their means.

use std::io;

use unicode_width::UnicodeWidthStr as _;
use wald::explain::Shape;

use crate::explained::{Found, Records, legend, shortened};
use crate::output::Writer;
use crate::terminal::Terminal;
use crate::terms::variables;

/// More lines than this are no table to look at.
const MOST_LINES: usize = 1000;

/// Sums over rows of what stands in a line.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    sum: f64,
    absolute: f64,
    n: f64,
    n_zero: usize,
}

/// A line per variable, or per pair of them, the largest mean of absolute terms first. Classes are
/// added up; of predictions, which add up to the same in every row, they stand apart.
pub(crate) struct Table<'a> {
    found: Found<'a>,
    writer: &'a mut Writer,
    terminal: Terminal,
    /// By line: place and first output.
    places: Vec<(usize, usize)>,
    /// Outputs that are added up.
    together: usize,
    sums: Vec<Sums>,
    /// Rows that no tree explains: every one saw them.
    n_without: usize,
}

impl<'a> Table<'a> {
    pub(crate) fn new(found: Found<'a>, writer: &'a mut Writer, terminal: Terminal) -> Self {
        let (n, n_outputs) = (found.layout.variables.len(), found.layout.n_outputs());
        let together = if found.adds_up { 1 } else { n_outputs };
        // Of two classes, one determines the other.
        let first = usize::from(found.adds_up && n_outputs == 2);
        // The two orders of a pair have equal values.
        let places: Vec<usize> = match found.layout.shape {
            Shape::Pairs(_) => (0..n * n).filter(|place| place / n <= place % n).collect(),
            _ => (0..n).collect(),
        };
        let outputs = |place| (first..n_outputs).step_by(together).map(move |at| (place, at));
        let places: Vec<(usize, usize)> = places.into_iter().flat_map(outputs).collect();
        let sums = vec![Sums::default(); places.len()];
        Self { found, writer, terminal, places, together, sums, n_without: 0 }
    }
}

impl Records for Table<'_> {
    fn record(&mut self, _: u32, record: &[f64]) -> io::Result<()> {
        let n_outputs = self.found.layout.n_outputs();
        self.n_without += usize::from(record.first().is_some_and(|value| value.is_nan()));
        for (sums, &(place, output)) in self.sums.iter_mut().zip(&self.places) {
            let term: f64 = record[place * n_outputs + output..][..self.together].iter().sum();
            if !term.is_nan() {
                sums.sum += term;
                sums.absolute += term.abs();
                sums.n += 1.0;
                sums.n_zero += usize::from(term == 0.0);
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        let Found { info, layout, .. } = self.found;
        let classes = layout.classes.as_ref().filter(|_| self.found.adds_up);
        let mut lines: Vec<(&(usize, usize), &Sums)> = self.places.iter().zip(&self.sums).collect();
        let mean = |sum: f64, n: f64| sum / n.max(1.0);
        lines.sort_by(|(_, one), (_, other)| {
            mean(other.absolute, other.n).total_cmp(&mean(one.absolute, one.n))
        });
        lines.truncate(MOST_LINES);
        let names: Vec<[String; 3]> = lines
            .iter()
            .map(|&(&(place, output), _)| {
                let (first, second) = variables(layout, place);
                let class = classes.map_or("", |classes| classes[output].as_str());
                [first, second.unwrap_or_default(), class].map(shortened)
            })
            .collect();
        let header = ["variable", "with", "class"];
        let is_shown = [true, matches!(layout.shape, Shape::Pairs(_)), classes.is_some()];
        let widths: [usize; 3] = std::array::from_fn(|at| {
            names.iter().map(|names| names[at].width()).max().unwrap_or(0).max(header[at].len())
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
        for (names, (_, sums)) in names.iter().zip(lines) {
            let names = named([&names[0], &names[1], &names[2]]);
            let (value, absolute) = (mean(sums.sum, sums.n), mean(sums.absolute, sums.n));
            let n_zero = sums.n_zero;
            text.push_str(&format!("{names}  {value:>10.5}  {absolute:>10.5}  {n_zero:>10}\n"));
        }
        let mut first = format!(
            "{}: {}; mean and mean absolute value over rows, and in how many of them it is 0",
            info.id, info.name
        );
        if self.n_without > 0 {
            let n_without = self.n_without;
            first.push_str(&format!("; rows never out of bag, which were left out: {n_without}"));
        }
        self.writer.write_all((text + &legend(first, self.terminal)).as_bytes())
    }
}
