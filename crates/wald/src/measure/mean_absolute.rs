//! Means over rows of absolute Shapley values: local values made global.

use std::collections::BTreeMap;

use crate::data::Training;
use crate::error::Error;
use crate::importance::{DataUsed, Importance};
use crate::measure::{MeasureInfo, Subject};
use crate::monitor::Monitor;
use crate::profile::Bound;
use crate::shapley::{Additive, Against, Sharing};
use crate::threads::Threads;

/// Rows whose values are averaged, weighted by their case weights.
pub(crate) struct MeanAbsolute<'a> {
    pub(crate) info: &'static MeasureInfo,
    pub(crate) subject: Subject<'a>,
    /// In the order and with the codes of the forest.
    pub(crate) rows: &'a Training,
    pub(crate) data: DataUsed,
    pub(crate) sharing: Sharing,
    pub(crate) against: Against<'a>,
    pub(crate) per_class: bool,
}

impl MeanAbsolute<'_> {
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
        // By output and group.
        let mut sums = vec![0.0; n_outputs * n_groups];
        let mut of_row = vec![0.0; n_groups];
        let (mut total, mut n_never) = (0.0, 0_usize);
        additive.run(self.rows.n_rows(), run, |row, values| {
            let weight = self.rows.weight(row as u32);
            if values.first().is_some_and(|value| value.is_nan()) {
                n_never += 1;
                return;
            }
            total += weight;
            for (output, sums) in sums.chunks_exact_mut(n_groups).enumerate() {
                of_row.fill(0.0);
                let columns = values.iter().skip(output).step_by(n_outputs);
                for (&group, value) in groups.of_column().iter().zip(columns) {
                    of_row[group as usize] += value;
                }
                let terms = sums.iter_mut().zip(&of_row);
                terms.for_each(|(sum, value)| *sum += weight * value.abs());
            }
        })?;
        let mean = |sum: f64| (total > 0.0).then(|| sum / total);
        let of_output = |output: usize| &sums[output * n_groups..][..n_groups];
        let of_group = |group: usize| (0..n_outputs).map(|output| of_output(output)[group]).sum();
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
            unit: self.info.unit.to_owned(),
            values: (0..n_groups).map(|group| mean(of_group(group))).collect(),
            standard_errors: None,
            p_values: None,
            per_class: self.per_class.then(|| per_class.collect()),
            by_degree: None,
            per_tree: Vec::new(),
            repeats: Vec::new(),
            settings: BTreeMap::from([("rows", self.rows.n_rows().to_string())]),
            notes,
        })
    }
}
