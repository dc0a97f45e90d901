//! Recursive feature elimination by several measures on one table: what Figures 3 and 4 draw.

use std::path::Path;

use wald::measure::MeasureSettings;
use wald::selection::{Selection, SelectionConfig, SelectionState, select};
use wald::{Dataset, ForestConfig, Measure, MeasureId, Run, Threads};

use crate::estimate::Estimate;
use crate::exhibit::Claim;
use crate::failure::Failure;
use wald_html::chart::{COLOURS, Line, Panel, Point};

/// The measures that the figures compare: name, identifier.
pub(crate) const MEASURES: [(&str, MeasureId); 3] = [
    ("Sobol-MDA", MeasureId::SobolMda),
    ("IK-MDA", MeasureId::MdaIshwaranKogalur),
    ("BC-MDA", MeasureId::MdaBreimanCutler),
];

/// How often, and with what forests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EliminationStudy<'a> {
    pub(crate) repeats: usize,
    pub(crate) folds: usize,
    pub(crate) n_trees: usize,
    /// `None` for the root of the number of variables left.
    pub(crate) mtry: Option<usize>,
    pub(crate) seed: u32,
    pub(crate) threads: Threads,
    pub(crate) folder: Option<&'a Path>,
}

/// The eliminations of one table.
pub(crate) struct Eliminations {
    pub(crate) table: &'static str,
    pub(crate) n_rows: usize,
    /// Name of the measure and what it selected.
    pub(crate) selections: Vec<(&'static str, Selection)>,
}

impl EliminationStudy<'_> {
    /// Eliminates variables of a table by every measure.
    pub(crate) fn run(&self, table: &'static str, data: &Dataset) -> Result<Eliminations, Failure> {
        let mut selections = Vec::new();
        for (name, id) in MEASURES {
            let measure = Measure::new(id, MeasureSettings::default())?;
            selections.push((name, self.select(data, measure)?));
        }
        Ok(Eliminations { table, n_rows: data.n_rows(), selections })
    }

    fn select(&self, data: &Dataset, measure: Measure) -> Result<Selection, Failure> {
        let forest = ForestConfig {
            n_trees: self.n_trees,
            mtry: self.mtry,
            seed: u64::from(self.seed) << 32,
            ..ForestConfig::default()
        };
        let config = SelectionConfig {
            folds: self.folds,
            repeats: self.repeats,
            ..SelectionConfig::new(forest, measure)
        };
        let state = SelectionState::new(data, &config);
        let work = &Run::on(self.threads);
        Ok(select(data, &config, state, |_| {}, work)?)
    }

    pub(crate) fn settings(&self) -> Vec<(&'static str, String)> {
        vec![
            ("repeats", self.repeats.to_string()),
            ("folds", self.folds.to_string()),
            ("trees", self.n_trees.to_string()),
            ("mtry", self.mtry.map_or("floor(sqrt p)".to_owned(), |mtry| mtry.to_string())),
            ("min_node_size", "5".to_owned()),
            ("permutations", "exact expectation".to_owned()),
            ("seed", self.seed.to_string()),
        ]
    }
}

impl Eliminations {
    /// Unexplained variance over the number of variables, one line per measure; bars are standard
    /// deviations over repetitions of the cross-validation.
    pub(crate) fn panel(&self) -> Panel {
        let line = |((name, selection), colour): (&(&str, Selection), &'static str)| Line {
            name: (*name).to_owned(),
            colour,
            points: points(selection),
            reference: None,
        };
        Panel {
            title: format!("{} ({} rows)", self.table, self.n_rows),
            x_label: "number of variables".to_owned(),
            y_label: "unexplained variance".to_owned(),
            is_x_log: false,
            lines: self.selections.iter().zip(COLOURS).map(line).collect(),
            has_legend: true,
        }
    }

    /// A row per number of variables: mean and standard deviation per measure.
    pub(crate) fn rows(&self) -> Vec<Vec<String>> {
        let Some((_, first)) = self.selections.first() else { return Vec::new() };
        let row = |size: usize| {
            let mut cells = vec![size.to_string()];
            for (_, selection) in &self.selections {
                cells.push(selection.at(size).map_or_else(String::new, |_| {
                    let estimate = unexplained(selection, size);
                    format!("{:.3} (sd {:.3})", estimate.mean, estimate.deviation)
                }));
            }
            cells
        };
        first.curve.iter().map(|point| row(point.n_variables)).collect()
    }

    pub(crate) fn head(&self) -> Vec<String> {
        let names = self.selections.iter().map(|(name, _)| (*name).to_owned());
        std::iter::once("variables".to_owned()).chain(names).collect()
    }

    /// "The Sobol-MDA leads to a more efficient variable selection": by the mean unexplained
    /// variance over all numbers of variables below the full one.
    pub(crate) fn claim(&self, other: &str) -> Option<Claim> {
        let of = |name: &str| self.selections.iter().find(|(found, _)| *found == name);
        let (sobol, other_selection) = (&of("Sobol-MDA")?.1, &of(other)?.1);
        let n_variables = sobol.variables.len();
        let differences: Vec<f64> = (0..sobol.curve[0].explained_variances.len())
            .map(|repeat| {
                let area = |selection: &Selection| {
                    let points = selection.curve.iter();
                    let below = points.filter(|point| point.n_variables < n_variables);
                    let values: Vec<f64> =
                        below.map(|point| 1.0 - point.explained_variances[repeat]).collect();
                    values.iter().sum::<f64>() / values.len() as f64
                };
                area(other_selection) - area(sobol)
            })
            .collect();
        let difference = Estimate::of(&differences);
        Some(Claim::new(
            format!("{}: the Sobol-MDA selects better than {other}", self.table),
            difference.mean > 0.0,
            format!(
                "unexplained variance over all sizes lower by {:.4} (standard error {:.4})",
                difference.mean,
                difference.standard_error()
            ),
        ))
    }
}

/// Over repetitions of the cross-validation, at a number of variables.
pub(crate) fn unexplained(selection: &Selection, n_variables: usize) -> Estimate {
    let explained = selection.at(n_variables).map_or(&[][..], |point| &point.explained_variances);
    Estimate::of(&explained.iter().map(|explained| 1.0 - explained).collect::<Vec<_>>())
}

fn points(selection: &Selection) -> Vec<Point> {
    let point = |n_variables: usize| {
        let estimate = unexplained(selection, n_variables);
        let spread = if estimate.deviation.is_nan() { 0.0 } else { estimate.deviation };
        Point { x: n_variables as f64, y: estimate.mean, spread }
    };
    selection.curve.iter().map(|size| point(size.n_variables)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::BREAST_CANCER;

    #[test]
    fn eliminations_of_breast_cancer_make_a_figure() {
        let study = EliminationStudy {
            repeats: 2,
            folds: 3,
            n_trees: 12,
            mtry: None,
            seed: 0,
            threads: Threads::all(),
            folder: None,
        };
        let data = BREAST_CANCER.load(None).expect("the repository holds it");
        let found = study.run(BREAST_CANCER.name, &data).expect("selections");
        let head = found.head();
        assert_eq!(head[..2], ["variables", "Sobol-MDA"]);
        let rows = found.rows();
        assert_eq!(rows.len(), 30);
        // The published curves of all measures fall steeply and are low at ten variables.
        for (_, selection) in &found.selections {
            assert!(unexplained(selection, 10).mean < 0.3);
            assert!(unexplained(selection, 10).mean < unexplained(selection, 1).mean);
        }
        let panel = found.panel();
        assert_eq!(panel.lines.len(), head.len() - 1);
        assert!(panel.lines.iter().all(|line| line.points.len() == 30));
        assert!(found.claim("BC-MDA").is_some());
    }
}
