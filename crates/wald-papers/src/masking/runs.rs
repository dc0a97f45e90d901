//! Forests of one setting on several data sets of a design, and how far their importances are from
//! the truth.

use wald::{ForestConfig, MeasureId};

use crate::copula::{Draws, Truth, World};
use crate::estimate::Estimate;
use crate::failure::Failure;
use crate::masking::worlds::WORLDS;
use crate::measures;
use crate::study::Study;

/// So many rows, and more, are drawn less often, and with fewer trees.
const MANY_ROWS: usize = 5_000;

/// What a study varies, and how much of it.
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    /// Of the smallest sizes.
    pub(crate) study: Study,
    /// Numbers of rows, increasing.
    pub(crate) sizes: Vec<usize>,
    /// The first so many designs.
    pub(crate) n_worlds: usize,
    pub(crate) draws: Draws,
}

/// A design and what is true of it.
pub(super) struct Known<'a> {
    pub(super) world: &'a World,
    pub(super) truth: Truth,
}

/// How far the importances of one measure are from the truth, in the mean over data sets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Score {
    /// Of the variable with the largest error.
    pub(super) largest: f64,
    pub(super) mean: f64,
    /// Sum of the estimates over the sum of the true values.
    pub(super) share: f64,
}

impl Grid {
    /// Fewer data sets and trees where there are many rows.
    pub(super) fn study_of(&self, n_rows: usize) -> Study {
        let Study { repetitions, n_trees, .. } = self.study;
        let (repetitions, n_trees) = match n_rows {
            0..MANY_ROWS => (repetitions, n_trees),
            MANY_ROWS..20_000 => (repetitions.div_ceil(3), n_trees),
            _ => (1, n_trees.div_ceil(2)),
        };
        Study { repetitions, n_rows, n_trees, ..self.study }
    }

    pub(super) fn settings(&self) -> Vec<(&'static str, String)> {
        let of = |what: fn(&Study) -> usize| {
            let all = self.sizes.iter().map(|&size| what(&self.study_of(size)).to_string());
            all.collect::<Vec<_>>().join(", ")
        };
        vec![
            ("rows", of(|study| study.n_rows)),
            ("data sets", of(|study| study.repetitions)),
            ("trees", of(|study| study.n_trees)),
            ("seed", self.study.seed.to_string()),
            ("draws per true value", self.draws.per_input.to_string()),
        ]
    }
}

impl Known<'static> {
    pub(super) fn all(grid: &Grid) -> Vec<Self> {
        let of = |world| Self { world, truth: Truth::of(world, grid.draws) };
        WORLDS[..grid.n_worlds].iter().map(of).collect()
    }
}

impl Known<'_> {
    /// Scores by measure, and the share of the variance that the forests explain out of bag.
    pub(super) fn scores(
        &self,
        study: &Study,
        config: &ForestConfig,
        ids: &[MeasureId],
    ) -> Result<(Vec<Score>, f64), Failure> {
        let draw = |n_rows, seed| self.world.draw(n_rows, seed, self.truth.variance);
        let found = study.run(draw, config, &measures::shares_of_variance(ids)?)?;
        let score = |(place, id): (usize, &MeasureId)| {
            let truth = match id {
                MeasureId::ShapleyEffects => &self.truth.shapley_effects,
                _ => &self.truth.total_sobol,
            };
            let n = truth.len() as f64;
            let sum_of_truth: f64 = truth.iter().sum();
            let mut score = Score { largest: 0.0, mean: 0.0, share: 0.0 };
            for all in &found.values {
                let errors =
                    all[place].iter().zip(truth).map(|(value, truth)| (value - truth).abs());
                score.largest += errors.clone().fold(0.0, f64::max);
                score.mean += errors.sum::<f64>() / n;
                score.share += all[place].iter().sum::<f64>() / sum_of_truth;
            }
            let n = found.values.len() as f64;
            Score { largest: score.largest / n, mean: score.mean / n, share: score.share / n }
        };
        let scores = ids.iter().enumerate().map(score).collect();
        Ok((scores, Estimate::of(&found.explained_variance).mean))
    }
}
