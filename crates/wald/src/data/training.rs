//! A data set made ready for growing and measuring: codes instead of values.

use std::sync::OnceLock;

use crate::data::column::Column;
use crate::data::dataset::Dataset;
use crate::data::draw_order::DrawOrder;
use crate::data::ranks::RankedFeatures;
use crate::data::row_codes::RowCodes;
use crate::data::target::Target;
use crate::data::truth::{TrainingResponse, Truth};
use crate::run::Threads;

/// The rank codes of a data set together with its response and weights.
#[derive(Debug)]
pub(crate) struct Training {
    features: RankedFeatures,
    /// The codes row by row, once a measure asked for them.
    row_codes: OnceLock<RowCodes>,
    /// The order in which trees of all rows draw columns, once one was grown.
    draw_order: OnceLock<DrawOrder>,
    known_levels: Vec<u32>,
    truth: Truth,
    /// What a weight of 1 stands for.
    weight_unit: f64,
}

#[cfg(test)]
thread_local! {
    static RANKINGS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// How often this thread has ranked a table.
#[cfg(test)]
pub(crate) fn n_rankings() -> usize {
    RANKINGS.get()
}

impl Training {
    /// Ranks the columns. Codes from `known_levels` on (per column, 0 for numbers) are levels
    /// that the forest never saw.
    pub(crate) fn new(
        columns: &[&Column],
        known_levels: &[u32],
        target: &Target,
        weights: Option<&[f64]>,
        threads: Threads,
    ) -> Self {
        #[cfg(test)]
        RANKINGS.set(RANKINGS.get() + 1);
        let features = RankedFeatures::new(columns, threads);
        let known_levels = (0..features.n_columns() as u32)
            .map(|position| known_levels[features.original(position) as usize])
            .collect();
        let (truth, weight_unit) = Truth::new(target, weights);
        Self {
            features,
            row_codes: OnceLock::new(),
            draw_order: OnceLock::new(),
            known_levels,
            truth,
            weight_unit,
        }
    }

    /// The same where rows of equal codes may depend on each other.
    pub(crate) fn in_clusters(self, clusters: Option<&[u32]>) -> Self {
        Self { truth: self.truth.in_clusters(clusters), ..self }
    }

    /// Takes the target, the weights and the clusters of a data set whose columns are the same. Nothing is ranked
    /// anew.
    pub(crate) fn respond_as(&mut self, data: &Dataset) {
        let (truth, weight_unit) = Truth::new(data.target(), data.weights());
        (self.truth, self.weight_unit) = (truth.in_clusters(data.clusters()), weight_unit);
        // The order of drawing looks at the response.
        self.draw_order = OnceLock::new();
    }

    /// The rank codes of a data set for a forest that is to be grown on it.
    pub(crate) fn of(data: &Dataset, threads: Threads) -> Self {
        let columns: Vec<&Column> = data.features().columns().iter().collect();
        let known_levels: Vec<u32> = columns.iter().map(|column| column.n_levels()).collect();
        let training = Self::new(&columns, &known_levels, data.target(), data.weights(), threads);
        training.in_clusters(data.clusters())
    }

    /// Leaves the columns of the data set out that are not kept. Nothing is ranked anew.
    pub(crate) fn keep_columns(&mut self, is_kept: &[bool]) {
        let features = &self.features;
        let mut position = 0..;
        self.known_levels
            .retain(|_| position.next().is_some_and(|at| is_kept[features.original(at) as usize]));
        self.features.keep_columns(is_kept);
        self.row_codes = OnceLock::new();
        self.draw_order = OnceLock::new();
    }

    /// The same where every column has a shadow in the rows of this permutation. Codes are shared.
    pub(crate) fn with_shadows(&self, donors: Vec<u32>) -> Self {
        Self {
            features: self.features.with_shadows(donors),
            row_codes: OnceLock::new(),
            draw_order: OnceLock::new(),
            known_levels: self.known_levels.clone(),
            truth: self.truth.clone(),
            weight_unit: self.weight_unit,
        }
    }

    pub(crate) fn features(&self) -> &RankedFeatures {
        &self.features
    }

    /// The codes row by row: another 4 bytes per cell, made when they are first asked for.
    pub(crate) fn row_codes(&self) -> &RowCodes {
        self.row_codes.get_or_init(|| RowCodes::new(&self.features))
    }

    /// The order in which trees that are grown on all rows draw columns, made when it is first
    /// asked for.
    pub(crate) fn draw_order(&self, threads: Threads) -> &DrawOrder {
        self.draw_order.get_or_init(|| DrawOrder::new(&self.features, &self.truth, threads))
    }

    /// Per canonical column, the number of levels known to the forest (0 for numbers).
    pub(crate) fn known_levels(&self) -> &[u32] {
        &self.known_levels
    }

    pub(crate) fn response(&self) -> &TrainingResponse {
        &self.truth.response
    }

    /// One output of the response of a row: its number, or 1 for its own class and 0 for others.
    pub(crate) fn response_at(&self, row: u32, output: usize) -> f64 {
        match self.response() {
            TrainingResponse::Numbers { values, .. } => values[row as usize],
            TrainingResponse::Classes { codes, .. } => {
                f64::from(u8::from(codes[row as usize] as usize == output))
            }
            TrainingResponse::Several(several) => several.row(row as usize)[output],
        }
    }

    pub(crate) fn truth(&self) -> &Truth {
        &self.truth
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.features.n_rows()
    }

    pub(crate) fn is_weighted(&self) -> bool {
        self.truth.weights.is_some()
    }

    /// What a weight of 1 stands for.
    pub(crate) fn weight_unit(&self) -> f64 {
        self.weight_unit
    }

    /// Case weight of a row, in units; the largest one is at least 1 and below 2.
    pub(crate) fn weight(&self, row: u32) -> f64 {
        self.truth.weight(row)
    }

    /// What makes the mean of the positive weights 1: only ratios of case weights count, so tests
    /// take the rows with a weight to count once on average. Cost O(rows).
    pub(crate) fn weight_scale(&self) -> f64 {
        let weights = (0..self.n_rows() as u32).map(|row| self.weight(row));
        self.n_rows_that_count() as f64 / weights.sum::<f64>()
    }

    /// Rows of positive weight. Cost O(rows).
    pub(crate) fn n_rows_that_count(&self) -> usize {
        (0..self.n_rows() as u32).filter(|&row| self.weight(row) > 0.0).count()
    }

    /// 1 for a number, else the number of classes or of outputs.
    pub(crate) fn n_outputs(&self) -> usize {
        self.truth.n_outputs()
    }
}

impl Training {
    /// Weighted mean of the response over all rows (class proportions for classes).
    pub(crate) fn response_mean(&self) -> Vec<f64> {
        match self.response() {
            TrainingResponse::Numbers { mean, .. } => vec![*mean],
            TrainingResponse::Several(several) => several.means.to_vec(),
            TrainingResponse::Classes { codes, n_classes } => {
                let mut weights = vec![0.0; *n_classes];
                for (row, &code) in (0_u32..).zip(codes) {
                    weights[code as usize] += self.weight(row);
                }
                let total: f64 = weights.iter().sum();
                weights.iter().map(|weight| weight / total).collect()
            }
        }
    }

    /// Variance of the response over all rows, divisor n - 1, summed over classes and averaged over
    /// targets; with case weights, n / (n - 1) times the weighted variance, of n rows of positive weight.
    pub(crate) fn response_variance(&self) -> f64 {
        let n = self.n_rows_that_count() as f64;
        if n < 2.0 {
            return 0.0;
        }
        let total: f64 = (0..self.n_rows() as u32).map(|row| self.weight(row)).sum();
        let variance = match self.response() {
            TrainingResponse::Numbers { centred, .. } => {
                let squares = |(row, value): (u32, &f64)| self.weight(row) * value * value;
                (0_u32..).zip(centred).map(squares).sum::<f64>() / total
            }
            TrainingResponse::Classes { codes, n_classes } => {
                let mut weights = vec![0.0; *n_classes];
                for (row, &code) in (0_u32..).zip(codes) {
                    weights[code as usize] += self.weight(row);
                }
                1.0 - weights.iter().map(|weight| (weight / total).powi(2)).sum::<f64>()
            }
            TrainingResponse::Several(several) => {
                let rows = several.centred.chunks_exact(several.means.len());
                let squares = |(row, values): (u32, &[f64])| {
                    self.weight(row) * values.iter().map(|value| value * value).sum::<f64>()
                };
                (0_u32..).zip(rows).map(squares).sum::<f64>() / total / several.n_targets as f64
            }
        };
        variance * n / (n - 1.0)
    }
}
