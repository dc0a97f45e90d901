//! Inputs and outputs of runs, on scales that the optimiser can treat alike.

use wald::Error;

/// Most rows: a fit takes time of order n³ for every step of the optimiser.
pub const MOST_ROWS: usize = 2000;

/// Runs of a model: inputs, scaled to the range from 0 to 1, and outputs, scaled to mean 0 and
/// standard deviation 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Design {
    /// Row after row.
    pub(crate) inputs: Vec<f64>,
    pub(crate) n_inputs: usize,
    pub(crate) outputs: Vec<f64>,
    /// By input: its least value and its range in the runs; the range of a constant input is 1.
    pub(crate) ranges: Vec<Range>,
    pub(crate) mean: f64,
    pub(crate) standard_deviation: f64,
}

/// The values of an input in the runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Range {
    pub(crate) least: f64,
    pub(crate) width: f64,
}

impl Design {
    /// Checks and scales runs; `columns` are the inputs.
    ///
    /// # Errors
    /// [`Error::Data`] when there are fewer than three runs or more than [`MOST_ROWS`], values are not
    /// finite, columns have another length, or the output does not vary.
    pub fn new(columns: &[Vec<f64>], outputs: &[f64]) -> Result<Self, Error> {
        let n_rows = outputs.len();
        if n_rows < 3 {
            return Err(Error::data(
                format!("a Gaussian process needs 3 runs or more; there are {n_rows}"),
                "add runs",
            ));
        }
        if n_rows > MOST_ROWS {
            return Err(Error::data(
                format!(
                    "a Gaussian process of {n_rows} runs is not fitted: time grows with the cube of \
                     their number; the limit is {MOST_ROWS}"
                ),
                "use the forest directly, which is made for many rows, or a part of the runs",
            ));
        }
        if columns.is_empty() || columns.iter().any(|column| column.len() != n_rows) {
            return Err(Error::data(
                "inputs and output do not have the same number of runs, or there are no inputs",
                "give every input as many values as the output",
            ));
        }
        let is_finite = |column: &[f64]| column.iter().all(|value| value.is_finite());
        if !columns.iter().all(|column| is_finite(column)) || !is_finite(outputs) {
            return Err(Error::data(
                "a value of the runs is missing or not finite",
                "leave out such runs, or run the model again",
            ));
        }
        let range = |column: &Vec<f64>| {
            let least = column.iter().copied().fold(f64::INFINITY, f64::min);
            let largest = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let width = largest - least;
            Range { least, width: if width > 0.0 { width } else { 1.0 } }
        };
        let ranges: Vec<Range> = columns.iter().map(range).collect();
        let mean = outputs.iter().sum::<f64>() / n_rows as f64;
        let squares = outputs.iter().map(|output| (output - mean).powi(2)).sum::<f64>();
        let standard_deviation = (squares / n_rows as f64).sqrt();
        // Rounding of equal outputs is no variance.
        if standard_deviation <= 1e-14 * mean.abs() || !standard_deviation.is_finite() {
            return Err(Error::data(
                "the output has no variance",
                "give an output that differs between runs",
            ));
        }
        let mut design = Self {
            inputs: Vec::with_capacity(n_rows * columns.len()),
            n_inputs: columns.len(),
            outputs: outputs.iter().map(|output| (output - mean) / standard_deviation).collect(),
            ranges,
            mean,
            standard_deviation,
        };
        for row in 0..n_rows {
            for (column, range) in columns.iter().zip(&design.ranges) {
                design.inputs.push((column[row] - range.least) / range.width);
            }
        }
        Ok(design)
    }

    /// Number of runs.
    pub fn n_rows(&self) -> usize {
        self.outputs.len()
    }

    /// Number of inputs.
    pub fn n_inputs(&self) -> usize {
        self.n_inputs
    }

    /// The scaled inputs of a run.
    pub(crate) fn row(&self, row: usize) -> &[f64] {
        &self.inputs[row * self.n_inputs..][..self.n_inputs]
    }

    /// A point on the scale of the runs.
    pub(crate) fn scaled(&self, point: &[f64]) -> Vec<f64> {
        let scale = |(value, range): (&f64, &Range)| (value - range.least) / range.width;
        point.iter().zip(&self.ranges).map(scale).collect()
    }
}
