//! Random thresholds of four columns at a time, side by side in memory.

/// This many columns are read together.
pub(super) const FOUR: usize = 4;

/// Columns of numbers without missing values, as the rows of a node see them.
#[derive(Debug, Default)]
pub(super) struct Fours {
    /// At most four.
    columns: Vec<u32>,
    /// By row.
    numbers: Vec<[f64; FOUR]>,
}

impl Fours {
    pub(super) fn columns(&self) -> &[u32] {
        &self.columns
    }

    pub(super) fn numbers(&self) -> &[[f64; FOUR]] {
        &self.numbers
    }

    pub(super) fn clear(&mut self) {
        self.columns.clear();
    }

    /// Reads one more column; there must be room.
    pub(super) fn read(&mut self, column: u32, cells: &[f64], members: &[u32]) {
        let place = self.columns.len();
        self.columns.push(column);
        self.numbers.resize(members.len(), [0.0; FOUR]);
        for (numbers, &row) in self.numbers.iter_mut().zip(members) {
            numbers[place] = cells[row as usize];
        }
    }

    /// The smallest and the largest number of each column.
    pub(super) fn extents(&self) -> [[f64; FOUR]; 2] {
        let mut low = [f64::INFINITY; FOUR];
        let mut high = [f64::NEG_INFINITY; FOUR];
        for numbers in &self.numbers {
            for place in 0..FOUR {
                low[place] = if numbers[place] < low[place] { numbers[place] } else { low[place] };
                high[place] =
                    if numbers[place] > high[place] { numbers[place] } else { high[place] };
            }
        }
        [low, high]
    }
}
