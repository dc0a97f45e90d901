//! Curves of rows and their mean, as a picture.

use wald::Features;
use wald::data::{Column, ColumnData};
use wald::explain::{Grid, GridValues, Layout};
use wald_html::chart::{Columns, Sheet, curves};
use wald_report::{Curve, CurvePlaces};

use crate::explained::found::Found;
use crate::explained::picture::even;

/// Rows whose curves are drawn, at most.
const MOST_ROWS: usize = 50;

/// The curves of some rows, and the sums over all.
pub(crate) struct Curves {
    /// Whose curves are held: evenly spread over all; none where there is one record for all rows.
    rows: Vec<u32>,
    held: Vec<f64>,
    sums: Vec<f64>,
    /// The weights of the numbers that were added up.
    totals: Vec<f64>,
}

/// A panel: the name of its variable, its curves, and the unit.
type Panel<'a> = (&'a str, Curve, String);

impl Curves {
    pub(super) fn new(layout: &Layout) -> Self {
        let rows = if layout.is_mean { Vec::new() } else { even(layout.n_rows, MOST_ROWS) };
        let zeros = vec![0.0; layout.n_values()];
        Self { rows, held: Vec::new(), sums: zeros.clone(), totals: zeros }
    }

    pub(super) fn n_held(&self) -> usize {
        self.rows.len() + 2
    }

    /// Takes the record of a row of this weight. Rows without curves are no part of the mean.
    pub(super) fn record(&mut self, row: usize, weight: f64, record: &[f64]) {
        let n_held = self.held.len() / record.len().max(1);
        if self.rows.get(n_held).is_some_and(|&next| next as usize == row) {
            self.held.extend_from_slice(record);
        }
        for ((sum, total), value) in self.sums.iter_mut().zip(&mut self.totals).zip(record) {
            if !value.is_nan() {
                *sum += weight * value;
                *total += weight;
            }
        }
    }

    /// A panel for every variable and class, those first whose mean curve has the widest range, as in the
    /// table. Of two classes, only the second is there.
    pub(super) fn sheet(
        &self,
        found: &Found<'_>,
        features: &Features,
        columns: Columns,
        most_variables: usize,
    ) -> Sheet {
        let layout = found.layout;
        let n_outputs = layout.n_outputs();
        let mean: Vec<f64> =
            self.sums.iter().zip(&self.totals).map(|(sum, total)| sum / total).collect();
        let records = || self.held.chunks_exact(layout.n_values().max(1));
        let mut panels: Vec<(f64, Vec<Panel<'_>>)> = Vec::new();
        for (name, (grid, span)) in layout.variables.iter().zip(layout.curves()) {
            let n_places = grid.len() - usize::from(grid.has_missing);
            let mut widest = 0.0_f64;
            let mut of_variable = Vec::new();
            for output in usize::from(n_outputs == 2)..n_outputs {
                let along = |record: &[f64]| -> Vec<f64> {
                    let at = |place| record[span.start + place * n_outputs + output];
                    (0..n_places).map(at).collect()
                };
                let is_defined = |curve: &Vec<f64>| curve.iter().all(|value| !value.is_nan());
                let mean = along(&mean);
                let low = mean.iter().copied().fold(f64::INFINITY, f64::min);
                let high = mean.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                widest = widest.max(high - low);
                let class = layout.classes.as_ref().map(|classes| classes[output].clone());
                let unit = unit(found, class.as_deref());
                let rows = records().map(along).filter(is_defined).collect();
                let column = features.column(name).filter(|_| found.are_steps);
                let curve = Curve { class, places: places(grid, column), mean, rows };
                of_variable.push((name.as_str(), curve, unit));
            }
            panels.push((widest, of_variable));
        }
        panels.sort_by(|one, other| other.0.total_cmp(&one.0));
        panels.truncate(most_variables);
        let panels: Vec<(&str, &Curve, String)> = panels
            .iter()
            .flat_map(|(_, panels)| panels)
            .map(|(name, curve, unit)| (*name, curve, unit.clone()))
            .collect();
        Sheet::of(&[curves(&panels, columns)], columns)
    }
}

/// What curves are: predictions, or effects on them.
fn unit(found: &Found<'_>, class: Option<&str>) -> String {
    let target = &found.forest.target().name;
    match class {
        _ if !found.are_predictions() => format!("effect on {}", found.predicted(class)),
        Some(class) => format!("probability of {class}"),
        None => target.clone(),
    }
}

/// The places of a grid; of steps, which begin at the smallest number of the column.
fn places(grid: &Grid, of_steps: Option<&Column>) -> CurvePlaces {
    match &grid.values {
        GridValues::Numbers(values) => {
            let smallest = |column: &Column| match column.data() {
                ColumnData::Numeric(numbers) => {
                    numbers.iter().copied().filter(|number| !number.is_nan()).reduce(f64::min)
                }
                ColumnData::Categorical(_) => None,
            };
            let first = values.first().copied();
            let steps_from = of_steps.and_then(|column| smallest(column).or(first));
            CurvePlaces::Numeric { values: values.clone(), steps_from }
        }
        GridValues::Levels(levels) => CurvePlaces::Categorical { levels: levels.clone() },
    }
}
