//! Summary of the eliminations.

use serde::Serialize;

use crate::data::Dataset;
use crate::data::response_variance as variance;
use crate::selection::elimination::Elimination;
use crate::selection::part::Part;
use crate::selection::settings::SelectionConfig;
use crate::selection::state::SelectionState;

/// Which variables to keep, and why. Variables are the groups of the data set, by position; a
/// column on its own is one.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// Names of the variables, in the user's order.
    pub variables: Vec<String>,
    /// What every number of variables is worth, the largest first.
    pub curve: Vec<SizePoint>,
    /// The number of variables with the smallest error; of equal ones, the smallest.
    pub best_size: usize,
    /// The smallest number of variables whose error is at most one standard error above that.
    pub one_standard_error_size: usize,
    /// The order in which variables left in every fold, repetition by repetition.
    pub folds: Vec<FoldOrder>,
    /// The order in which they leave on all rows: the first one is the least important. Those
    /// that never leave come last.
    pub order: Vec<usize>,
    /// True when standard errors are over repetitions, false when over folds.
    pub is_error_over_repeats: bool,
    /// Why variables may leave in a wrong order: case weights and small leaves, copies of rows, rows that depend on
    /// their neighbours, outlying targets.
    pub note: Option<String>,
}

/// What a number of variables is worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SizePoint {
    /// The number of variables.
    pub n_variables: usize,
    /// The mean loss of held-out rows, averaged over repetitions.
    pub error: f64,
    /// Its standard error: over repetitions, sd / sqrt(repetitions); of a single one over folds,
    /// sd of the folds' errors / sqrt(folds).
    pub standard_error: f64,
    /// Standard deviation over repetitions; `None` for a single one.
    pub sd: Option<f64>,
    /// The error in every repetition: the mean over all rows, each held out once.
    pub errors: Vec<f64>,
    /// 1 - squared error / variance of the target, averaged over repetitions.
    pub explained_variance: f64,
    /// The same in every repetition.
    pub explained_variances: Vec<f64>,
    /// The share of all folds that kept each variable at this size.
    pub frequencies: Vec<f64>,
    /// The variables that leave next on all rows, the least important one first.
    #[serde(skip)] // JSON has their names.
    pub leaving: Vec<usize>,
}

/// The order in which variables left in one fold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoldOrder {
    /// The repetition, counted from 0.
    pub repeat: usize,
    /// The fold, counted from 0.
    pub fold: usize,
    /// Variables, the first to leave first; those that never left come last.
    pub order: Vec<usize>,
}

impl Selection {
    /// The variables kept at a size on all rows, in the user's order.
    pub fn kept(&self, n_variables: usize) -> Vec<usize> {
        let n_gone = self.order.len().saturating_sub(n_variables);
        let mut kept = self.order[n_gone..].to_vec();
        kept.sort_unstable();
        kept
    }

    /// Whether some number of variables predicts held-out rows better than their mean does.
    pub fn beats_mean(&self) -> bool {
        self.curve.iter().any(|point| point.explained_variance > 0.0)
    }

    /// What a number of variables is worth, where a forest of that size was grown.
    pub fn at(&self, n_variables: usize) -> Option<&SizePoint> {
        self.curve.iter().find(|point| point.n_variables == n_variables)
    }

    pub(super) fn of(
        data: &Dataset,
        config: &SelectionConfig,
        sizes: &[usize],
        state: &SelectionState,
        note: Option<String>,
    ) -> Self {
        let all_rows = state.get(Part::AllRows);
        let order: Vec<usize> = all_rows.map_or(Vec::new(), positions);
        let found: Vec<(usize, usize, &Elimination)> = config
            .parts()
            .into_iter()
            .filter_map(|part| match part {
                Part::Fold { repeat, fold } => {
                    Some((repeat as usize, fold as usize, state.get(part)?))
                }
                Part::AllRows => None,
            })
            .collect();
        let repeats: Vec<Vec<&Elimination>> = (0..config.repeats)
            .map(|repeat| found.iter().filter(|all| all.0 == repeat).map(|all| all.2).collect())
            .collect();
        let total = Totals { repeats: &repeats, variance: variance(data) };
        let n_variables = data.groups().n_groups();
        let curve: Vec<SizePoint> = sizes
            .iter()
            .enumerate()
            .map(|(step, &size)| {
                let next = sizes.get(step + 1).copied().unwrap_or(size);
                let leaving = &order[n_variables - size..n_variables - next];
                total.point(step, size, n_variables, leaving)
            })
            .collect();
        let (best_size, one_standard_error_size) = choices(&curve);
        let of_fold = |(repeat, fold, found): (usize, usize, &Elimination)| FoldOrder {
            repeat,
            fold,
            order: positions(found),
        };
        Self {
            variables: data.groups().names().to_vec(),
            curve,
            best_size,
            one_standard_error_size,
            folds: found.into_iter().map(of_fold).collect(),
            order,
            is_error_over_repeats: config.repeats > 1,
            note,
        }
    }
}

fn positions(found: &Elimination) -> Vec<usize> {
    found.order.iter().map(|&group| group as usize).collect()
}

/// The size of the smallest error, and the smallest one within a standard error of it.
fn choices(curve: &[SizePoint]) -> (usize, usize) {
    let mut best: Option<&SizePoint> = None;
    for point in curve {
        // Sizes decrease: of equal errors the last one is that of the fewest variables.
        if best.is_none_or(|best| point.error <= best.error) {
            best = Some(point);
        }
    }
    let Some(best) = best else { return (0, 0) };
    let limit = best.error + best.standard_error;
    let within = curve.iter().rev().find(|point| point.error <= limit);
    (best.n_variables, within.unwrap_or(best).n_variables)
}

/// The eliminations of every repetition, and what losses are compared with.
struct Totals<'a> {
    repeats: &'a [Vec<&'a Elimination>],
    variance: f64,
}

impl Totals<'_> {
    fn point(&self, step: usize, size: usize, n_variables: usize, leaving: &[usize]) -> SizePoint {
        let pooled = |of: &dyn Fn(&Elimination) -> f64| -> Vec<f64> {
            let of_repeat = |folds: &Vec<&Elimination>| {
                let weight: f64 = folds.iter().map(|fold| fold.weight).sum();
                folds.iter().map(|fold| of(fold)).sum::<f64>() / weight
            };
            self.repeats.iter().map(of_repeat).collect()
        };
        let errors = pooled(&|fold| fold.losses[step].chosen);
        let squared = pooled(&|fold| fold.losses[step].squared);
        let explained_variances: Vec<f64> =
            squared.iter().map(|squared| 1.0 - squared / self.variance).collect();
        let (error, sd) = mean_and_sd(&errors);
        let standard_error = match sd {
            Some(sd) => sd / (errors.len() as f64).sqrt(),
            None => self.standard_error_over_folds(step),
        };
        SizePoint {
            n_variables: size,
            error,
            standard_error,
            sd,
            errors,
            explained_variance: mean_and_sd(&explained_variances).0,
            explained_variances,
            frequencies: self.frequencies(size, n_variables),
            leaving: leaving.to_vec(),
        }
    }

    /// Folds without a row of positive weight have no error.
    fn standard_error_over_folds(&self, step: usize) -> f64 {
        let folds = self.repeats.iter().flatten().filter(|fold| fold.weight > 0.0);
        let errors: Vec<f64> = folds.map(|fold| fold.losses[step].chosen / fold.weight).collect();
        mean_and_sd(&errors).1.map_or(0.0, |sd| sd / (errors.len() as f64).sqrt())
    }

    fn frequencies(&self, size: usize, n_variables: usize) -> Vec<f64> {
        let mut counts = vec![0.0; n_variables];
        let mut n_folds = 0.0;
        for fold in self.repeats.iter().flatten() {
            n_folds += 1.0;
            for &group in &fold.order[n_variables - size..] {
                counts[group as usize] += 1.0;
            }
        }
        counts.into_iter().map(|count| count / n_folds).collect()
    }
}

/// Mean, and standard deviation with divisor n - 1, of at least one number.
fn mean_and_sd(values: &[f64]) -> (f64, Option<f64>) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (values.len() > 1).then(|| (squares / (n - 1.0)).sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(n_variables: usize, error: f64, standard_error: f64) -> SizePoint {
        SizePoint {
            n_variables,
            error,
            standard_error,
            sd: None,
            errors: vec![error],
            explained_variance: 0.0,
            explained_variances: vec![0.0],
            frequencies: Vec::new(),
            leaving: Vec::new(),
        }
    }

    #[test]
    fn noise_does_not_beat_the_mean() {
        let selection = |explained_variance| Selection {
            variables: vec!["x".to_owned()],
            curve: vec![point(2, 1.1, 0.1), SizePoint { explained_variance, ..point(1, 1.0, 0.1) }],
            best_size: 1,
            one_standard_error_size: 1,
            folds: Vec::new(),
            order: vec![0],
            is_error_over_repeats: false,
            note: None,
        };
        assert!(selection(0.01).beats_mean());
        assert!(!selection(0.0).beats_mean() && !selection(-0.1).beats_mean());
    }

    #[test]
    fn fewer_variables_are_chosen_within_one_standard_error() {
        let curve = [
            point(5, 1.0, 0.5),
            point(4, 0.9, 0.1),
            point(3, 1.2, 0.1),
            point(2, 1.0, 0.1),
            point(1, 3.0, 9.0),
        ];
        assert_eq!(choices(&curve), (4, 2));
        assert_eq!(choices(&[point(2, 1.0, 0.0), point(1, 1.0, 0.0)]), (1, 1));
    }

    #[test]
    fn a_single_value_has_no_spread() {
        assert_eq!(mean_and_sd(&[3.0]), (3.0, None));
        assert_eq!(mean_and_sd(&[1.0, 3.0]), (2.0, Some(2.0_f64.sqrt())));
    }
}
