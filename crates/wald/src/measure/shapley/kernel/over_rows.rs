//! Shapley values of rows summed up: local values made global.

use std::collections::BTreeMap;

use crate::counterfactual::Bound;
use crate::data::Training;
use crate::error::Error;
use crate::importance::{DataUsed, Importance};
use crate::measure::definition::{MeasureInfo, MeasureSettings, RowAggregate};
use crate::pass::Subject;
use crate::random::{Purpose, Stream};
use crate::run::Run;
use crate::tree_shap::{Additive, Against, ShapleyKind};

/// Rows that are explained unless another number is wanted: with so many the mean of values has an
/// error of about two hundredths of itself, and more rows than trees were grown on cost many times
/// growing.
const ROWS: usize = 2000;

/// Which rows are explained.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Explained {
    /// How many of more, drawn at random; `None` for [`ROWS`].
    pub(crate) samples: Option<usize>,
    pub(crate) seed: u64,
}

impl Explained {
    pub(crate) fn of(settings: &MeasureSettings) -> Self {
        Self { samples: settings.samples, seed: settings.seed }
    }

    /// The rows in increasing order; all unless they are more than wanted.
    fn rows(self, n_rows: usize) -> Vec<u32> {
        let mut rows: Vec<u32> = (0..n_rows as u32).collect();
        let wanted = self.samples.unwrap_or(ROWS);
        if n_rows > wanted {
            Stream::new(self.seed, 0, Purpose::ExplainedRows).shuffle(&mut rows);
            rows.truncate(wanted);
            rows.sort_unstable();
        }
        rows
    }
}

/// Rows whose values are summed up, weighted by their case weights.
pub(crate) struct OverRows<'a> {
    pub(crate) info: &'static MeasureInfo,
    pub(crate) subject: Subject<'a>,
    /// In the order and with the codes of the forest.
    pub(crate) rows: &'a Training,
    pub(crate) data: DataUsed,
    pub(crate) kind: ShapleyKind,
    pub(crate) against: Against<'a>,
    pub(crate) aggregate: RowAggregate,
    pub(crate) per_class: bool,
    pub(crate) explained: Explained,
}

impl OverRows<'_> {
    /// The values of all rows, a block at a time. The value of a group is the sum of its columns'.
    ///
    /// # Errors
    /// As [`Additive::run`].
    pub(crate) fn measure(&self, run: &Run) -> Result<Importance, Error> {
        let Subject { forest, groups, .. } = self.subject;
        let bound = Bound::new(forest, self.rows.features(), forest.aggregation(), run)?;
        let additive = Additive::new(self.info.id, self.kind, &bound, self.against, run)?;
        let (n_groups, n_outputs) = (groups.n_groups(), bound.n_outputs());
        let centres = self.centres(n_outputs);
        // By output and group.
        let mut sums = vec![0.0; n_outputs * n_groups];
        // The same of values times deviations of the response, and of the deviations alone.
        let mut products = vec![0.0; n_outputs * n_groups];
        let mut deviations = vec![0.0; n_outputs];
        let mut of_row = vec![0.0; n_groups];
        let (mut total, mut n_never) = (0.0, 0_usize);
        let is_mean = match self.aggregate {
            RowAggregate::MeanAbs => true,
            RowAggregate::Mean => n_outputs == 1,
            RowAggregate::Covariance => false,
        };
        let n_rows = self.rows.n_rows();
        let rows = self.explained.rows(n_rows);
        let mut spread = Spread::new(n_groups);
        let add = |row: u32, values: &[f64]| {
            let weight = self.rows.weight(row);
            if values.first().is_some_and(|value| value.is_nan()) {
                n_never += 1;
                return;
            }
            total += weight;
            spread.start(weight);
            let of_outputs =
                sums.chunks_exact_mut(n_groups).zip(products.chunks_exact_mut(n_groups));
            for (output, (sums, products)) in of_outputs.enumerate() {
                of_row.fill(0.0);
                let columns = values.iter().skip(output).step_by(n_outputs);
                for (&group, value) in groups.of_column().iter().zip(columns) {
                    of_row[group as usize] += value;
                }
                if self.aggregate == RowAggregate::MeanAbs {
                    of_row.iter_mut().for_each(|value| *value = value.abs());
                }
                let terms = sums.iter_mut().zip(&of_row);
                terms.for_each(|(sum, value)| *sum += weight * value);
                spread.add(&of_row);
                if self.aggregate == RowAggregate::Covariance {
                    let response = self.rows.response_at(row, output);
                    let deviation = weight * (response - centres[output]);
                    deviations[output] += deviation;
                    let terms = products.iter_mut().zip(&of_row);
                    terms.for_each(|(sum, value)| *sum += deviation * value);
                }
            }
            spread.end(weight);
        };
        additive.run_on(&rows, run, add)?;
        if self.aggregate == RowAggregate::Covariance {
            // The rows that were explained may have another mean than all.
            for (output, sums) in sums.chunks_exact_mut(n_groups).enumerate() {
                let products = &products[output * n_groups..];
                let terms = sums.iter_mut().zip(products);
                terms.for_each(|(sum, product)| *sum = product - *sum * deviations[output] / total);
            }
        }
        let mean = |sum: f64| (total > 0.0).then(|| sum / total);
        let of_output = |output: usize| &sums[output * n_groups..][..n_groups];
        // Signed values of classes sum up to zero.
        let size = |value: f64| match self.aggregate {
            RowAggregate::Mean if n_outputs > 1 => value.abs(),
            _ => value,
        };
        let of_group =
            |group: usize| (0..n_outputs).map(|output| size(of_output(output)[group])).sum();
        let classes = forest.target().classes.iter().flatten().enumerate();
        let per_class = classes.map(|(output, class)| {
            (class.clone(), of_output(output).iter().map(|&sum| mean(sum)).collect())
        });
        let mut notes = Vec::new();
        if n_never > 0 {
            notes.push(format!("rows never out of bag, which were left out: {n_never}"));
        }
        let values: Vec<_> = (0..n_groups).map(|group| mean(of_group(group))).collect();
        let is_sample = rows.len() < n_rows;
        if is_sample {
            notes.push(format!("from a random sample of {} of {n_rows} rows", rows.len()));
        }
        let errors =
            (is_sample && is_mean).then(|| spread.errors(&values, rows.len() - n_never, n_rows));
        Ok(Importance {
            data: self.data,
            unit: self.aggregate.unit(self.info.unit),
            values,
            standard_errors: errors,
            per_class: self.per_class.then(|| per_class.collect()),
            settings: BTreeMap::from([
                ("rows", rows.len().to_string()),
                ("aggregate", self.aggregate.id().to_owned()),
            ]),
            notes,
            ..self.info.importance()
        })
    }
    /// Numbers near the means of the response, by output, from which it is counted.
    fn centres(&self, n_outputs: usize) -> Vec<f64> {
        let n_rows = self.rows.n_rows();
        let mean = |output: usize| {
            let responses = (0..n_rows as u32).map(|row| self.rows.response_at(row, output));
            responses.sum::<f64>() / n_rows as f64
        };
        (0..n_outputs).map(mean).collect()
    }
}

/// What is needed of rows for the errors of means over them, by group.
struct Spread {
    /// Of the row at hand, summed over outputs.
    row: Vec<f64>,
    /// Sums of squared weights, with values and with their squares.
    weights: (f64, f64),
    products: Vec<(f64, f64)>,
}

impl Spread {
    fn new(n_groups: usize) -> Self {
        Self { row: vec![0.0; n_groups], weights: (0.0, 0.0), products: vec![(0.0, 0.0); n_groups] }
    }

    fn start(&mut self, weight: f64) {
        self.row.fill(0.0);
        self.weights.0 += weight;
        self.weights.1 += weight * weight;
    }

    fn add(&mut self, of_output: &[f64]) {
        self.row.iter_mut().zip(of_output).for_each(|(sum, value)| *sum += value);
    }

    fn end(&mut self, weight: f64) {
        let square = weight * weight;
        for (sums, value) in self.products.iter_mut().zip(&self.row) {
            sums.0 += square * value;
            sums.1 += square * value * value;
        }
    }

    /// Standard errors of weighted means of a sample of rows drawn without replacement: of a ratio of
    /// two means (Cochran 1977, section 6.4).
    fn errors(&self, means: &[Option<f64>], n: usize, n_all: usize) -> Vec<Option<f64>> {
        let (total, squares) = self.weights;
        let left = 1.0 - n as f64 / n_all as f64;
        let factor = left * n as f64 / (n as f64 - 1.0);
        let error = |(mean, (sum, square)): (&Option<f64>, &(f64, f64))| {
            let mean = (*mean)?;
            let residual = square - 2.0 * mean * sum + mean * mean * squares;
            let error = (factor * residual.max(0.0)).sqrt() / total;
            error.is_finite().then_some(error)
        };
        means.iter().zip(&self.products).map(error).collect()
    }
}
