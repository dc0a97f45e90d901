//! Shapley values of rows summed up: local values made global.

use std::collections::BTreeMap;

use crate::data::Training;
use crate::error::Error;
use crate::importance::{DataUsed, Importance};
use crate::measure::{MeasureInfo, Subject, Summary};
use crate::monitor::Monitor;
use crate::profile::Bound;
use crate::shapley::{Additive, Against, Sharing};
use crate::threads::Threads;

/// Rows whose values are summed up, weighted by their case weights.
pub(crate) struct OverRows<'a> {
    pub(crate) info: &'static MeasureInfo,
    pub(crate) subject: Subject<'a>,
    /// In the order and with the codes of the forest.
    pub(crate) rows: &'a Training,
    pub(crate) data: DataUsed,
    pub(crate) sharing: Sharing,
    pub(crate) against: Against<'a>,
    pub(crate) summary: Summary,
    pub(crate) per_class: bool,
}

impl OverRows<'_> {
    /// The values of all rows, a block at a time. The value of a group is the sum of its columns'.
    ///
    /// # Errors
    /// As [`Additive::run`].
    pub(crate) fn measure(&self, run: (Threads, &Monitor)) -> Result<Importance, Error> {
        let Subject { forest, groups, .. } = self.subject;
        let bound = Bound::new(forest, self.rows.features(), forest.aggregation(), run)?;
        let kind = (self.info.id, self.sharing);
        let additive = Additive::new(kind, forest, &bound, self.against, run)?;
        let (n_groups, n_outputs) = (groups.n_groups(), bound.n_outputs());
        let centres = self.centres(n_outputs);
        // By output and group.
        let mut sums = vec![0.0; n_outputs * n_groups];
        // The same of values times deviations of the response, and of the deviations alone.
        let mut products = vec![0.0; n_outputs * n_groups];
        let mut deviations = vec![0.0; n_outputs];
        let mut of_row = vec![0.0; n_groups];
        let (mut total, mut n_never) = (0.0, 0_usize);
        additive.run(self.rows.n_rows(), run, |row, values| {
            let weight = self.rows.weight(row as u32);
            if values.first().is_some_and(|value| value.is_nan()) {
                n_never += 1;
                return;
            }
            total += weight;
            let of_outputs =
                sums.chunks_exact_mut(n_groups).zip(products.chunks_exact_mut(n_groups));
            for (output, (sums, products)) in of_outputs.enumerate() {
                of_row.fill(0.0);
                let columns = values.iter().skip(output).step_by(n_outputs);
                for (&group, value) in groups.of_column().iter().zip(columns) {
                    of_row[group as usize] += value;
                }
                if self.summary == Summary::Absolute {
                    of_row.iter_mut().for_each(|value| *value = value.abs());
                }
                let terms = sums.iter_mut().zip(&of_row);
                terms.for_each(|(sum, value)| *sum += weight * value);
                if self.summary == Summary::Target {
                    let response = self.rows.response_at(row as u32, output);
                    let deviation = weight * (response - centres[output]);
                    deviations[output] += deviation;
                    let terms = products.iter_mut().zip(&of_row);
                    terms.for_each(|(sum, value)| *sum += deviation * value);
                }
            }
        })?;
        if self.summary == Summary::Target {
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
        let size = |value: f64| match self.summary {
            Summary::Signed if n_outputs > 1 => value.abs(),
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
        Ok(Importance {
            id: self.info.id,
            data: self.data,
            loss: None,
            unit: self.summary.unit(self.info.unit),
            values: (0..n_groups).map(|group| mean(of_group(group))).collect(),
            standard_errors: None,
            p_values: None,
            total_errors: None,
            per_class: self.per_class.then(|| per_class.collect()),
            by_degree: None,
            per_tree: Vec::new(),
            repeats: Vec::new(),
            settings: BTreeMap::from([
                ("rows", self.rows.n_rows().to_string()),
                ("summary", self.summary.id().to_owned()),
            ]),
            notes,
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
