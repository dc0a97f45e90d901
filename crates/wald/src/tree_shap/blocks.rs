//! The rows of a table in blocks, and the memory of those who work on them.

use crate::run::Progress;
use crate::tree_shap::tree::{MOST_ROWS, Workspace};

/// Numbers of a block that are held at a time.
pub(super) const MOST_NUMBERS: usize = 1 << 22;

/// Fewer rows than these go through trees by themselves.
const FEW_ROWS: usize = 8;

/// Memory of a thread, and whether the rows of the run are few.
pub(super) struct Working<'a> {
    pub(super) workspace: Workspace,
    pub(super) is_few: bool,
    pub(super) progress: &'a Progress,
}

impl<'a> Working<'a> {
    pub(super) fn new(n_rows: usize, progress: &'a Progress) -> Self {
        let is_few = n_rows < FEW_ROWS;
        Self { workspace: Workspace::default(), is_few, progress }
    }
}

/// What rows of a block are explained by.
pub(super) struct Block {
    /// By output, row and variable: a tree adds to one output after the other.
    pub(super) values: Vec<f64>,
    /// By row and output: predictions, counted from what is expected.
    pub(super) deviations: Vec<f64>,
    /// By row: how many trees, and their spreads.
    pub(super) trees: Vec<(f64, f64)>,
}

/// The rows of a block, of all rows that are explained.
pub(super) fn rows_of(block: usize, together: usize, rows: &[u32]) -> &[u32] {
    &rows[block * together..rows.len().min((block + 1) * together)]
}

impl Block {
    /// The values by row, variable and output.
    pub(super) fn records(&mut self, n_outputs: usize) -> Vec<f64> {
        let values = std::mem::take(&mut self.values);
        if n_outputs == 1 {
            return values;
        }
        let mut records = vec![0.0; values.len()];
        let of_outputs = values.chunks_exact((values.len() / n_outputs).max(1));
        for (output, of_output) in of_outputs.enumerate() {
            let places = records.iter_mut().skip(output).step_by(n_outputs);
            places.zip(of_output).for_each(|(place, value)| *place = *value);
        }
        records
    }
}

/// Memory that a block takes, its records, and those of the one before it, of rows that have `width`
/// numbers.
pub(crate) fn block_bytes(n_rows: f64, width: f64) -> f64 {
    let n_together = n_rows.min(MOST_ROWS as f64).min(MOST_NUMBERS as f64 / width).max(1.0);
    3.0 * n_together * (8.0 * width + 24.0)
}
