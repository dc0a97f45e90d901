//! Inputs and outputs of runs, on scales that the optimiser can treat alike.

use std::cmp::Ordering;

use wald::Error;

use crate::range::Range;

/// Most rows: a fit takes time of order n³ for every step of the optimiser.
pub const MOST_ROWS: usize = 2000;

/// Fewest rows.
const FEWEST_ROWS: usize = 3;

/// Runs of a model: inputs, scaled to the range from 0 to 1, and outputs, scaled to mean 0 and
/// standard deviation 1.
///
/// Where equal inputs always gave equal outputs, repeated runs are left out: they add nothing, and
/// each would be predicted without error from the other one.
#[derive(Debug, Clone, PartialEq)]
pub struct Design {
    /// Scaled, by input.
    pub(crate) columns: Vec<Vec<f64>>,
    pub(crate) outputs: Vec<f64>,
    /// By input.
    pub(crate) ranges: Vec<Range>,
    pub(crate) mean: f64,
    pub(crate) standard_deviation: f64,
}

impl Design {
    /// Checks and scales runs; `columns` are the inputs.
    ///
    /// # Errors
    /// [`Error::Data`] when there are fewer than three runs or more than [`MOST_ROWS`], values are not
    /// finite or too large, columns have another length, or no input or not the output varies.
    pub fn new(columns: &[Vec<f64>], outputs: &[f64]) -> Result<Self, Error> {
        check_shape(columns, outputs)?;
        check_values(columns, outputs)?;
        let ranges: Vec<Range> = columns.iter().map(|column| Range::of(column)).collect();
        if let Some(input) = ranges.iter().position(|range| range.width.is_nan()) {
            return Err(Error::data(
                format!("values of input {} are too far apart for numbers of this size", input + 1),
                "divide the input by a constant",
            ));
        }
        if !ranges.iter().any(|range| range.varies()) {
            return Err(Error::data(
                "all inputs are constant",
                "give an input that differs between runs",
            ));
        }
        let kept = without_repeated(columns, &ranges, outputs);
        if kept.len() < FEWEST_ROWS {
            return Err(too_few(kept.len(), " that differ"));
        }
        let outputs: Vec<f64> = kept.iter().map(|run| outputs[*run]).collect();
        // Powers of outputs may be beyond the numbers there are, those of shares of their range are not.
        let range = Range::of(&outputs);
        if !range.varies() {
            return Err(Error::data(
                "the output has no variance",
                "give an output that differs between runs",
            ));
        }
        let shares: Vec<f64> = outputs.iter().map(|output| range.scaled(*output)).collect();
        let n = shares.len() as f64;
        let mean = shares.iter().sum::<f64>() / n;
        let squares = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>();
        let deviation = (squares / n).sqrt();
        let standard_deviation = range.width * deviation;
        if !standard_deviation.powi(2).is_normal() {
            return Err(Error::data(
                "the variance of the output is too large or too small for a number of double precision",
                "multiply the output by a constant, so that its values are neither huge nor tiny",
            ));
        }
        let scaled = |(column, range): (&Vec<f64>, &Range)| {
            kept.iter().map(|run| range.scaled(column[*run])).collect()
        };
        Ok(Self {
            columns: columns.iter().zip(&ranges).map(scaled).collect(),
            outputs: shares.iter().map(|share| (share - mean) / deviation).collect(),
            ranges,
            mean: range.least + range.width * mean,
            standard_deviation,
        })
    }

    /// Number of runs, without repeated ones.
    pub fn n_rows(&self) -> usize {
        self.outputs.len()
    }

    /// Number of inputs.
    pub fn n_inputs(&self) -> usize {
        self.ranges.len()
    }

    /// The scaled inputs of a run.
    pub(crate) fn row(&self, row: usize) -> Vec<f64> {
        self.columns.iter().map(|column| column[row]).collect()
    }

    /// A point on the scale of the runs.
    pub(crate) fn scaled(&self, point: &[f64]) -> Vec<f64> {
        let scale = |(value, range): (&f64, &Range)| range.scaled(*value);
        point.iter().zip(&self.ranges).map(scale).collect()
    }
}

fn too_few(n_rows: usize, which: &str) -> Error {
    let what =
        format!("a Gaussian process needs {FEWEST_ROWS} runs or more{which}; there are {n_rows}");
    Error::data(what, "add runs")
}

fn check_shape(columns: &[Vec<f64>], outputs: &[f64]) -> Result<(), Error> {
    let n_rows = outputs.len();
    if n_rows < FEWEST_ROWS {
        return Err(too_few(n_rows, ""));
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
    Ok(())
}

fn check_values(columns: &[Vec<f64>], outputs: &[f64]) -> Result<(), Error> {
    let wrong = |column: &[f64]| column.iter().position(|value| !value.is_finite());
    let of_input = columns.iter().enumerate().find_map(|(input, column)| {
        let run = wrong(column)?;
        Some(format!("the value of input {} in run {}", input + 1, run + 1))
    });
    let found = of_input.or_else(|| Some(format!("the output of run {}", wrong(outputs)? + 1)));
    found.map_or(Ok(()), |which| {
        Err(Error::data(
            format!("{which} is missing or not finite"),
            "leave out such runs, or run the model again",
        ))
    })
}

/// The runs to keep: the first of those with equal inputs, if their outputs are always equal, else all.
fn without_repeated(columns: &[Vec<f64>], ranges: &[Range], outputs: &[f64]) -> Vec<usize> {
    let row = |run: usize| -> Vec<f64> {
        columns.iter().zip(ranges).map(|(column, range)| range.scaled(column[run])).collect()
    };
    let rows: Vec<Vec<f64>> = (0..outputs.len()).map(row).collect();
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|one, other| rows[*one].partial_cmp(&rows[*other]).unwrap_or(Ordering::Equal));
    order.dedup_by(|run, kept| rows[*run] == rows[*kept] && outputs[*run] == outputs[*kept]);
    let is_noisy = order.windows(2).any(|pair| rows[pair[0]] == rows[pair[1]]);
    if is_noisy {
        return (0..rows.len()).collect();
    }
    order.sort_unstable();
    order
}
