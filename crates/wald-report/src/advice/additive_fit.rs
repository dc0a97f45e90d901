//! The additive function that comes nearest to given responses: boosting (Friedman 2001) whose
//! every step is a function of one variable, so that their sum is additive (Friedman, Hastie &
//! Tibshirani 2000, section 4). Dependent variables share effects as in backfitting.

use wald::association::cells::{Cells, NOWHERE};
use wald::work::Stream;

/// Share of each step that is taken.
const RATE: f64 = 0.25;

/// Steps, at most.
pub(super) const MOST_STEPS: usize = 300;

/// Variables tried at a step, at most.
pub(super) const MOST_TRIED: usize = 40;

/// A leaf of a step holds this many rows at least.
const LEAST_ROWS: f64 = 5.0;

/// Cells per variable, at most.
pub(super) const MOST_CELLS: usize = 250;

/// Rows, their variables in cells, and how much they count (0: not at all).
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows<'a> {
    pub(super) columns: &'a [Cells],
    pub(super) weights: &'a [f64],
}

/// Values of an additive function for all rows, also for those that do not count.
#[derive(Debug, Clone)]
pub(super) struct AdditiveFit {
    /// `[output][row]`.
    pub(super) values: Vec<Vec<f64>>,
}

/// One step: what it adds to each cell of a column.
struct Step {
    column: usize,
    /// By cell and output.
    adds: Vec<f64>,
}

impl Rows<'_> {
    /// Fits responses (`[output][row]`) by so many steps; after each of them `look` sees what the
    /// fitted values of all rows. Cost O(steps * variables tried * rows * outputs).
    pub(super) fn fit(
        self,
        responses: &[Vec<f64>],
        n_steps: usize,
        stream: &mut Stream,
        mut look: impl FnMut(usize, &[Vec<f64>]),
    ) -> AdditiveFit {
        let total: f64 = self.weights.iter().sum();
        let mean = |response: &Vec<f64>| {
            response.iter().zip(self.weights).map(|(y, w)| w * y).sum::<f64>() / total
        };
        let mut values: Vec<Vec<f64>> =
            responses.iter().map(|response| vec![mean(response); response.len()]).collect();
        // Weighted residuals, 0 where a row does not count: the outputs of a row after one another, which
        // are added at once.
        let mut residuals = Vec::with_capacity(self.weights.len() * responses.len());
        for (row, weight) in self.weights.iter().enumerate() {
            let of_outputs = responses.iter().zip(&values);
            residuals.extend(of_outputs.map(|(y, value)| weight * (y[row] - value[row])));
        }
        let of_cells: Vec<CellSizes> = self.columns.iter().map(|cells| self.sizes(cells)).collect();
        look(0, &values);
        let mut order: Vec<u32> = (0..self.columns.len() as u32).collect();
        for step in 0..n_steps {
            let tried = order.len().min(MOST_TRIED);
            for place in 0..tried.min(order.len().saturating_sub(1)) {
                let other = place + stream.below((order.len() - place) as u32) as usize;
                order.swap(place, other);
            }
            let mut best: Option<(f64, Step)> = None;
            for &column in &order[..tried] {
                let column = column as usize;
                let found = self.step(column, &of_cells[column], &residuals, responses.len());
                let Some((gain, step)) = found else { continue };
                // Of equal ones the first column, whatever the order of trying.
                let is_better = best.as_ref().is_none_or(|(most, held)| {
                    gain > *most || (gain == *most && step.column < held.column)
                });
                if is_better {
                    best = Some((gain, step));
                }
            }
            let Some((_, found)) = best else { break };
            let codes = &self.columns[found.column].codes;
            for (output, values) in values.iter_mut().enumerate() {
                let residuals = residuals.iter_mut().skip(output).step_by(responses.len());
                for (((&code, value), residual), weight) in
                    codes.iter().zip(values).zip(residuals).zip(self.weights)
                {
                    if code != NOWHERE {
                        let add = found.adds[code as usize * responses.len() + output];
                        *value += add;
                        *residual -= weight * add;
                    }
                }
            }
            look(step + 1, &values);
        }
        AdditiveFit { values }
    }

    /// Weights and counts of the rows by cell.
    fn sizes(self, cells: &Cells) -> CellSizes {
        let (mut weights, mut counts) = (vec![0.0; cells.size], vec![0.0; cells.size]);
        for (&code, &weight) in cells.codes.iter().zip(self.weights) {
            if code != NOWHERE && weight > 0.0 {
                weights[code as usize] += weight;
                counts[code as usize] += 1.0;
            }
        }
        CellSizes { weights, counts }
    }

    /// The step on a column, and how much it decreases the squared error.
    fn step(
        self,
        column: usize,
        sizes: &CellSizes,
        residuals: &[f64],
        n_outputs: usize,
    ) -> Option<(f64, Step)> {
        let cells = &self.columns[column];
        let CellSizes { weights, counts } = sizes;
        let sums = sums_of_cells(cells, residuals, n_outputs);
        let sum = |cell: usize, output: usize| sums[cell * n_outputs + output];
        let n_present = cells.size - usize::from(cells.has_missing);
        let mut order: Vec<usize> = (0..n_present).filter(|&cell| counts[cell] > 0.0).collect();
        if !cells.is_ordered {
            // By the mean of the output that varies most; exact for one output (Fisher 1958).
            let spread = |output: usize| -> f64 {
                order.iter().map(|&cell| sum(cell, output).powi(2) / weights[cell]).sum()
            };
            let first = (0..n_outputs).max_by(|&a, &b| spread(a).total_cmp(&spread(b)))?;
            let mean = |cell: usize| sum(cell, first) / weights[cell];
            order.sort_by(|&a, &b| mean(a).total_cmp(&mean(b)).then(a.cmp(&b)));
        }
        let table = Table { order: &order, weights, counts, sums: &sums, n_outputs };
        let mut leaves: Vec<(usize, usize)> = Vec::with_capacity(5);
        let middle = table.best_cut(0, order.len());
        match middle {
            Some(middle) => {
                for (start, end) in [(0, middle), (middle, order.len())] {
                    match table.best_cut(start, end) {
                        Some(cut) => leaves.extend([(start, cut), (cut, end)]),
                        None => leaves.push((start, end)),
                    }
                }
            }
            None if cells.has_missing => leaves.push((0, order.len())),
            None => return None,
        }
        let mut adds = vec![0.0; cells.size * n_outputs];
        let mut gain = 0.0;
        let missing = [cells.size.saturating_sub(1)];
        let of_missing: &[usize] =
            if cells.has_missing && counts[missing[0]] >= LEAST_ROWS { &missing } else { &[] };
        let leaves = leaves.iter().map(|&(start, end)| &order[start..end]);
        for leaf in leaves.chain([of_missing]).filter(|leaf| !leaf.is_empty()) {
            let weight: f64 = leaf.iter().map(|&cell| weights[cell]).sum();
            for output in 0..n_outputs {
                let sum: f64 = leaf.iter().map(|&cell| sum(cell, output)).sum();
                gain += sum * sum / weight;
                leaf.iter().for_each(|&cell| adds[cell * n_outputs + output] = RATE * sum / weight);
            }
        }
        (gain > 0.0).then_some((gain, Step { column, adds }))
    }
}

/// Sums of the residuals by cell and output, where residuals are by row and output.
fn sums_of_cells(cells: &Cells, residuals: &[f64], n_outputs: usize) -> Vec<f64> {
    let mut by_cell = vec![0.0; cells.size * n_outputs];
    // As many outputs as there are digits take half the time where the compiler knows how many.
    match n_outputs {
        1 => add_outputs::<1>(cells, residuals, &mut by_cell),
        2 => add_outputs::<2>(cells, residuals, &mut by_cell),
        3 => add_outputs::<3>(cells, residuals, &mut by_cell),
        4 => add_outputs::<4>(cells, residuals, &mut by_cell),
        5 => add_outputs::<5>(cells, residuals, &mut by_cell),
        6 => add_outputs::<6>(cells, residuals, &mut by_cell),
        7 => add_outputs::<7>(cells, residuals, &mut by_cell),
        8 => add_outputs::<8>(cells, residuals, &mut by_cell),
        9 => add_outputs::<9>(cells, residuals, &mut by_cell),
        10 => add_outputs::<10>(cells, residuals, &mut by_cell),
        _ => {
            for (&code, residuals) in cells.codes.iter().zip(residuals.chunks_exact(n_outputs)) {
                if code != NOWHERE {
                    let of_cell = &mut by_cell[code as usize * n_outputs..][..n_outputs];
                    of_cell.iter_mut().zip(residuals).for_each(|(sum, residual)| *sum += residual);
                }
            }
        }
    }
    by_cell
}

fn add_outputs<const N: usize>(cells: &Cells, residuals: &[f64], by_cell: &mut [f64]) {
    let by_cell = by_cell.as_chunks_mut::<N>().0;
    for (&code, residuals) in cells.codes.iter().zip(residuals.as_chunks::<N>().0) {
        if code != NOWHERE {
            let of_cell = &mut by_cell[code as usize];
            for output in 0..N {
                of_cell[output] += residuals[output];
            }
        }
    }
}

/// Weights and numbers of the rows in each cell of a column.
struct CellSizes {
    weights: Vec<f64>,
    counts: Vec<f64>,
}

/// The cells of a column in an order, with the sums of residuals.
struct Table<'a> {
    order: &'a [usize],
    weights: &'a [f64],
    counts: &'a [f64],
    /// By cell and output.
    sums: &'a [f64],
    n_outputs: usize,
}

impl Table<'_> {
    /// Where the cells from `start` to `end` are best divided; `None` where they cannot be.
    fn best_cut(&self, start: usize, end: usize) -> Option<usize> {
        let cells = &self.order[start..end];
        let sum = |of: &[f64]| cells.iter().map(|&cell| of[cell]).sum::<f64>();
        let (weight, rows) = (sum(self.weights), sum(self.counts));
        let add = |sums: &mut [f64], cell: usize| {
            let of_cell = &self.sums[cell * self.n_outputs..][..self.n_outputs];
            sums.iter_mut().zip(of_cell).for_each(|(sum, of_cell)| *sum += of_cell);
        };
        let mut all = vec![0.0; self.n_outputs];
        cells.iter().for_each(|&cell| add(&mut all, cell));
        let mut left = vec![0.0; self.n_outputs];
        let (mut left_weight, mut left_rows) = (0.0, 0.0);
        let mut best: Option<(f64, usize)> = None;
        for (place, &cell) in cells.iter().enumerate() {
            add(&mut left, cell);
            left_weight += self.weights[cell];
            left_rows += self.counts[cell];
            if left_rows < LEAST_ROWS || rows - left_rows < LEAST_ROWS {
                continue;
            }
            let right_weight = weight - left_weight;
            let mut gain = 0.0;
            if right_weight > 0.0 {
                for (left, all) in left.iter().zip(&all) {
                    let right = all - left;
                    gain += left * left / left_weight + right * right / right_weight;
                }
            }
            if best.is_none_or(|(most, _)| gain > most) {
                best = Some((gain, start + place + 1));
            }
        }
        best.map(|(_, cut)| cut)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wald::data::{Column, MISSING_LEVEL};
    use wald::work::Purpose;

    /// The share of the variance that a fit to the rows with weight explains on those that `judged`
    /// picks.
    fn explained(
        columns: &[Column],
        y: &[f64],
        weights: &[f64],
        judged: impl Fn(usize) -> bool,
    ) -> f64 {
        let cells: Vec<Cells> = columns.iter().map(|c| Cells::new(c, MOST_CELLS, 5)).collect();
        let rows = Rows { columns: &cells, weights };
        let mut stream = Stream::new(1, 0, Purpose::Advice { part: 9 });
        let fit = rows.fit(&[y.to_vec()], MOST_STEPS, &mut stream, |_, _| ());
        let rows: Vec<usize> = (0..y.len()).filter(|&row| judged(row)).collect();
        let mean = rows.iter().map(|&row| y[row]).sum::<f64>() / rows.len() as f64;
        let squares =
            |of: &dyn Fn(usize) -> f64| -> f64 { rows.iter().map(|&row| of(row).powi(2)).sum() };
        1.0 - squares(&|row| y[row] - fit.values[0][row]) / squares(&|row| y[row] - mean)
    }

    #[test]
    fn sums_of_cells_are_those_of_a_plain_loop() {
        let codes: Vec<u32> = (0..90).map(|row| [MISSING_LEVEL, 0, 2, 1, 0][row % 5]).collect();
        let levels = ["a", "b", "c"].map(str::to_owned).to_vec();
        let column = Column::categorical("c", levels, codes).expect("levels");
        let mut cells = Cells::new(&column, MOST_CELLS, 5);
        cells.codes[7] = NOWHERE;
        for n_outputs in 1..13 {
            let residuals: Vec<f64> = (0..90 * n_outputs).map(|at| (at as f64).sin()).collect();
            let mut expected = vec![0.0; cells.size * n_outputs];
            for (row, &code) in cells.codes.iter().enumerate().filter(|(row, _)| *row != 7) {
                for output in 0..n_outputs {
                    expected[code as usize * n_outputs + output] +=
                        residuals[row * n_outputs + output];
                }
            }
            assert_eq!(sums_of_cells(&cells, &residuals, n_outputs), expected, "{n_outputs}");
        }
    }

    /// Rows without weight are new to the fit. Of a product of independent variables with mean zero,
    /// no additive function explains anything of new rows; what boosting has learnt by heart of the
    /// others makes it worse there.
    #[test]
    fn additive_functions_are_fitted_and_products_are_not() {
        let mut stream = Stream::new(2, 0, Purpose::Advice { part: 9 });
        let n = 3000;
        let mut draw = || (0..n).map(|_| 2.0 * stream.unit() - 1.0).collect::<Vec<f64>>();
        let (a, b) = (draw(), draw());
        let codes: Vec<u32> = draw()
            .iter()
            .map(|u| if *u < -0.8 { MISSING_LEVEL } else { ((u + 1.0) * 2.0) as u32 })
            .collect();
        let level = |code: u32| if code == MISSING_LEVEL { 1.5 } else { f64::from(code * 2 % 3) };
        let levels = (0..4).map(|level| format!("level {level}")).collect();
        let columns = [
            Column::numeric("a", a.clone()).expect("a"),
            Column::numeric("b", b.clone()).expect("b"),
            Column::categorical("c", levels, codes.clone()).expect("c"),
        ];
        let additive: Vec<f64> = (0..n)
            .map(|row| a[row] + f64::from(u8::from(b[row] > 0.3)) + level(codes[row]))
            .collect();
        let is_new = |row: usize| row.is_multiple_of(2);
        let half: Vec<f64> = (0..n).map(|row| f64::from(u8::from(!is_new(row)))).collect();
        let found = explained(&columns, &additive, &half, is_new);
        assert!(found > 0.99, "{found}");
        let product: Vec<f64> = (0..n).map(|row| a[row] * b[row]).collect();
        let found = explained(&columns, &product, &half, is_new);
        assert!(found < 0.01, "{found}");
        // Rows without weight do not count, whatever their values.
        let wild: Vec<f64> =
            (0..n).map(|row| if is_new(row) { 1e3 } else { additive[row] }).collect();
        let doubled: Vec<f64> = half.iter().map(|weight| 2.0 * weight).collect();
        let found = explained(&columns, &wild, &doubled, |row| !is_new(row));
        assert!(found > 0.995, "{found}");
    }
}
