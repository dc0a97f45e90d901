//! One number per row and variable, or per row and pair of variables, as a table of their means.

use std::io;

use wald::digits::Digits;
use wald::explain::{self, Shape};
use wald_table::file::Writer;

use crate::explained::found::{Found, Records};
use crate::explained::shown::{WIDEST_NAME, legend};
use crate::terminal::Terminal;
use crate::text::Table;

/// More lines than this are no table to look at.
const MOST_LINES: usize = 1000;

/// A line per variable, or per pair of them, the largest share or mean of absolute terms first.
pub(super) struct Means<'a> {
    found: Found<'a>,
    writer: &'a mut Writer,
    terminal: Terminal,
    summary: explain::Means,
    n_records: usize,
}

impl<'a> Means<'a> {
    pub(super) fn new(found: Found<'a>, writer: &'a mut Writer, terminal: Terminal) -> Self {
        let summary = explain::Means::new(found.layout, found.info.is_of_predictions());
        Self { found, writer, terminal, summary, n_records: 0 }
    }
}

impl Records for Means<'_> {
    fn record(&mut self, _: u32, record: &[f64]) -> io::Result<()> {
        self.summary.add(record, self.found.weight(self.n_records));
        self.n_records += 1;
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        let Found { info, layout, .. } = self.found;
        let mut lines = self.summary.values();
        lines.truncate(MOST_LINES);
        let name = |variable: usize| layout.variables[variable].clone();
        let digits = Digits::of(lines.iter().flat_map(|line| [line.mean, line.mean_absolute]));
        let mut table = Table::new(self.terminal.plain(), &lines)
            .names(WIDEST_NAME, |line| &layout.variables[line.variable]);
        if matches!(layout.shape, Shape::Pairs(_)) {
            // Interactions with all others stand on the diagonal.
            let with = |line: &explain::MeanValue| match line.with {
                Some(other) if layout.is_mean && other == line.variable => "any other".to_owned(),
                with => with.map_or_else(String::new, name),
            };
            table = table.named("with", WIDEST_NAME, with);
        }
        if let Some(classes) = layout.classes.as_ref().filter(|_| info.is_of_predictions()) {
            let class = |class: usize| classes[class].clone();
            table = table
                .named("class", WIDEST_NAME, |line| line.class.map_or_else(String::new, class));
        }
        if layout.is_mean {
            let mut table = table.right("value", |line| digits.text(line.mean)).wide(10);
            let mut about = format!("{}: {}", info.id, info.name);
            if layout.has_shares {
                let digits = Digits::of(lines.iter().filter_map(|line| line.share));
                let share = move |line: &explain::MeanValue| {
                    line.share.map_or_else(String::new, |share| digits.text(share))
                };
                table = table.right("share of\nvariance", share).wide(10);
                if layout.classes.is_some() {
                    about.push_str("; mean over classes");
                }
                about.push_str(
                    "; share of variance: the variance of the interaction as a share of that of predictions, \
                     by which lines are sorted; where it is nearly 0, the value may be large by noise alone",
                );
            }
            let text = table.text() + &legend(&about, self.terminal);
            return self.writer.write_all(self.terminal.shown(text).as_bytes());
        }
        let table = table
            .right("mean", |line| digits.text(line.mean))
            .wide(10)
            .right("absolute", |line| digits.text(line.mean_absolute))
            .wide(10)
            .right("rows at 0", |line| line.n_zero.to_string())
            .wide(10);
        let mut about = format!(
            "{}: {}; {}mean and mean absolute value over rows, and in how many of them it is 0",
            info.id,
            info.name,
            if self.found.weights_of_records().is_some() { "weighted " } else { "" }
        );
        match self.summary.n_undefined() {
            0 => {}
            n => about.push_str(&format!("; rows never out of bag, which were left out: {n}")),
        }
        let text = table.text() + &legend(&about, self.terminal);
        self.writer.write_all(self.terminal.shown(text).as_bytes())
    }
}
