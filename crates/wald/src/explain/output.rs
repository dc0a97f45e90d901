//! Records as long tables.

use std::ops::Range;

use crate::explain::grid::{Grid, GridValues};
use crate::explain::layout::{Layout, Shape};
use crate::frame::Frame;

/// What a number of a record belongs to, but for its class.
#[derive(Default)]
struct Place<'a> {
    variable: &'a str,
    /// The other variable of a pair.
    with: &'a str,
    /// The number or the level at which a curve is evaluated.
    number: Option<f64>,
    level: Option<&'a str>,
}

impl Layout {
    /// Values of records, which follow one another, as a long table: a line per value. Its columns
    /// are `row` (unless one record is for all rows), `variable`, `class` and `value`; of pairs, after
    /// `variable`, `with`; of curves `number` and `level`, at which they are evaluated; where records have
    /// shares, `share_of_variance` at the end. `rows` numbers the row of every record, `lines` are the
    /// places of the numbers in `values`, and `shares` has one for each of these, or none.
    pub fn frame(
        &self,
        rows: &[u32],
        values: &[f64],
        shares: &[f64],
        lines: Range<usize>,
    ) -> Frame {
        let (n_values, n_outputs, curves) = (self.n_values(), self.n_outputs(), self.curves());
        let place = |at: usize| self.place(at % n_values, &curves);
        let class =
            |at: usize| self.classes.as_ref().map(|classes| classes[at % n_outputs].as_str());
        let mut frame = Frame::default();
        if !self.is_mean {
            let row = |at| rows.get(at / n_values).map(|&row| f64::from(row));
            frame = frame.with_numbers("row", lines.clone().map(row));
        }
        frame = frame.with_text("variable", lines.clone().map(|at| place(at).variable));
        frame = match self.shape {
            Shape::Values(_) => frame,
            Shape::Pairs(_) => frame.with_text("with", lines.clone().map(|at| place(at).with)),
            Shape::Curves(_) => frame
                .with_numbers("number", lines.clone().map(|at| place(at).number))
                .with_levels("level", lines.clone().map(|at| place(at).level)),
        };
        let number = |&number: &f64| Some(number).filter(|number| !number.is_nan());
        let values = values[lines.clone()].iter().map(number);
        frame = frame.with_levels("class", lines.clone().map(class)).with_numbers("value", values);
        if self.has_shares {
            frame = frame.with_numbers("share_of_variance", shares[lines].iter().map(number));
        }
        frame
    }

    fn place<'a>(&'a self, at: usize, curves: &[(&'a Grid, Range<usize>)]) -> Place<'a> {
        let curve = curves.partition_point(|(_, span)| span.end <= at);
        let Some((grid, span)) = curves.get(curve) else {
            let (at, name) = (at / self.n_outputs(), |at: usize| self.variables[at].as_str());
            return match self.shape {
                Shape::Pairs(n) => {
                    Place { variable: name(at / n), with: name(at % n), ..Place::default() }
                }
                _ => Place { variable: name(at), ..Place::default() },
            };
        };
        let at = (at - span.start) / self.n_outputs();
        let (number, level) = match &grid.values {
            GridValues::Numbers(numbers) => (numbers.get(at).copied(), None),
            GridValues::Levels(levels) => (None, levels.get(at)),
        };
        let level = level.map(String::as_str);
        Place { variable: &self.variables[curve], number, level, ..Place::default() }
    }
}
