//! Total Sobol indices of the process itself, where conditional laws of the inputs are known.

use serde::Serialize;
use wald::work::{Purpose, Stream, ordered};
use wald::{Error, Run};

use crate::law::{Drawn, Law};
use crate::model::Model;
use crate::purpose::Draws;

/// How often the inputs of a group are drawn again, at most and at least.
const MOST_REDRAWS: usize = 8;
const LEAST_REDRAWS: usize = 2;

/// Rows of a block.
const BLOCK: usize = 64;

/// Total Sobol indices of the mean of a process, with Monte-Carlo standard errors.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Exact {
    /// One value per group of inputs.
    pub values: Vec<f64>,
    /// Their standard errors over the rows that were drawn.
    pub standard_errors: Vec<f64>,
}

/// A seed, and how work is done.
pub(crate) struct Seeded<'a> {
    pub(crate) seed: u64,
    pub(crate) run: &'a Run,
}

/// Computes E[Var(m(X) | X_-G)] / Var m(X) for groups G of inputs, where m is the mean of the process:
/// inputs of each group are drawn again from their law given all others, and the variance over these
/// draws is averaged over rows. No forest is involved. Cost: rows * groups * redraws predictions.
pub(crate) fn exact(
    model: &Model,
    law: &Law,
    drawn: &Drawn,
    groups: &[Vec<usize>],
    around: &Seeded<'_>,
) -> Result<Exact, Error> {
    let n_rows = drawn.rows.len();
    let redraws: Vec<_> = groups.iter().map(|group| law.conditional(group)).collect();
    let n_redraws = (200_000_000 / (n_rows * groups.len() * model.n_runs()).max(1))
        .clamp(LEAST_REDRAWS, MOST_REDRAWS);
    let mean = |row: &[f64], point: &mut Vec<f64>| {
        model.inputs.point(row, point);
        model.process().mean(point)
    };
    let block = |block: usize, point: &mut Vec<f64>| {
        let mut stream = Stream::new(around.seed, block, Purpose::from(Draws::Conditional));
        let rows = block * BLOCK..n_rows.min((block + 1) * BLOCK);
        let mut found = Vec::with_capacity(rows.len() * (groups.len() + 1));
        for row in rows {
            let values = drawn.rows.row(row);
            let here = mean(values, point);
            found.push(here);
            for redraw in &redraws {
                let mut changed = values.to_vec();
                // Centred at the value of the row, sums lose no digits.
                let (mut sum, mut squares) = (0.0, 0.0);
                for _ in 0..n_redraws {
                    redraw.draw(drawn.scores.row(row), &mut stream, &mut changed);
                    let off = mean(&changed, point) - here;
                    sum += off;
                    squares += off * off;
                }
                // With the row itself, one draw more of the same law.
                let n = (n_redraws + 1) as f64;
                found.push((squares - sum * sum / n) / (n - 1.0));
            }
        }
        Ok(found)
    };
    let mut all = Vec::with_capacity(n_rows * (groups.len() + 1));
    ordered(n_rows.div_ceil(BLOCK), around.run, Vec::new, block, |_, found| all.extend(found))?;
    let width = groups.len() + 1;
    let column = |place: usize| all.iter().skip(place).step_by(width).copied();
    let n = n_rows as f64;
    let center = column(0).sum::<f64>() / n;
    let variance = column(0).map(|value| (value - center).powi(2)).sum::<f64>() / (n - 1.0);
    let mut exact = Exact { values: Vec::new(), standard_errors: Vec::new() };
    for group in 1..width {
        let value = column(group).sum::<f64>() / n / variance;
        // The error of a ratio of means, to first order.
        let off = |(part, output): (f64, f64)| (part - value * (output - center).powi(2)).powi(2);
        let squares: f64 = column(group).zip(column(0)).map(off).sum();
        exact.values.push(value);
        exact.standard_errors.push((squares / (n * (n - 1.0))).sqrt() / variance);
    }
    Ok(exact)
}
