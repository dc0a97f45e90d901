//! The expected loss when values are permuted among rows that are alike.

use crate::measure::kernel::cells::Cells;
use crate::measure::kernel::donors::{Donors, Reach};
use crate::measure::permutation::kernel::expected_loss::ExpectedLoss;
use crate::measure::permutation::kernel::increase::Losses;

/// The expected loss when a group is permuted within cells.
pub(crate) struct WithinCells<'a> {
    losses: &'a Losses<'a>,
    expected: ExpectedLoss<'a>,
    /// `None` where there is but one cell.
    cells: Option<CellsOfRows>,
    rows: Vec<u32>,
    sorted: Vec<(u32, u32)>,
}

struct CellsOfRows {
    /// By training row: one more than the number of its cell; 0 where it is alone.
    of_row: Vec<u32>,
    /// The donors of each cell.
    reaches: Vec<Reach>,
}

impl<'a> WithinCells<'a> {
    pub(crate) fn new(losses: &'a Losses<'a>, all: &[u32], group: usize, cells: &Cells) -> Self {
        let view = losses.view;
        let (donors, cells) = match cells {
            Cells::One => (Donors::new(view, group), None),
            Cells::Several { places, ends } => {
                let rows: Vec<u32> = places.iter().map(|&place| all[place as usize]).collect();
                let mut of_row = vec![0; view.training.n_rows()];
                let mut reaches = Vec::with_capacity(ends.len());
                let mut start = 0;
                for (number, &end) in (1..).zip(ends) {
                    rows[start..end].iter().for_each(|&row| of_row[row as usize] = number);
                    let weights = rows[start..end].iter().map(|&row| view.training.weight(row));
                    reaches.push(Reach::Rows { start, end, mass: weights.sum() });
                    start = end;
                }
                (Donors::Rows(rows), Some(CellsOfRows { of_row, reaches }))
            }
        };
        let expected = ExpectedLoss::new(view, &losses.loss, group, donors);
        Self { losses, expected, cells, rows: Vec::new(), sorted: Vec::new() }
    }

    /// The loss of the rows below a node; rows that are alone keep theirs.
    pub(crate) fn below(&mut self, node: usize) -> f64 {
        let Some(cells) = &self.cells else {
            return self.expected.below(node) / self.losses.mass;
        };
        let rows = self.losses.view.out_of_bag.rows(node);
        self.sorted.clear();
        self.sorted.extend(rows.iter().map(|&row| (cells.of_row[row as usize], row)));
        self.sorted.sort_unstable();
        let mut total = 0.0;
        for cell in self.sorted.chunk_by(|a, b| a.0 == b.0) {
            let number = cell[0].0 as usize;
            if number == 0 {
                total += cell.iter().map(|&(_, row)| self.losses.base(row)).sum::<f64>();
                continue;
            }
            let reach = cells.reaches[number - 1];
            // Rows without weight have no loss.
            if reach.mass() > 0.0 {
                self.rows.clear();
                self.rows.extend(cell.iter().map(|&(_, row)| row));
                total += self.expected.of_rows(node, &self.rows, reach) / reach.mass();
            }
        }
        total
    }
}
