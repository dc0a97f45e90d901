//! What is known of the variables by now.

use crate::error::Error;
use crate::quantile::quantile_of;
use crate::selection::boruta::decisions::{Correction, Decision, Tails};

/// What one run found; larger is more important.
#[derive(Debug)]
pub(super) struct Found {
    /// By variable; nothing where it was rejected before, or has no importance.
    pub(super) variables: Vec<Option<f64>>,
    /// Those of shadows that have one.
    pub(super) shadows: Vec<f64>,
}

/// Hits and decisions.
#[derive(Debug)]
pub(super) struct Tally {
    pub(super) decisions: Vec<Decision>,
    pub(super) hits: Vec<usize>,
    /// The run after which a variable was decided, counted from 1.
    pub(super) decided_at: Vec<Option<usize>>,
    /// Whether a decision rests on the medians of all runs instead of a test.
    pub(super) is_rough: Vec<bool>,
    /// By run and variable.
    pub(super) history: Vec<Vec<Option<f64>>>,
    /// By run, what a hit exceeds; nothing where no shadow has an importance.
    pub(super) thresholds: Vec<Option<f64>>,
}

impl Tally {
    pub(super) fn new(n_variables: usize) -> Self {
        Self {
            decisions: vec![Decision::Tentative; n_variables],
            hits: vec![0; n_variables],
            decided_at: vec![None; n_variables],
            is_rough: vec![false; n_variables],
            history: Vec::new(),
            thresholds: Vec::new(),
        }
    }

    pub(super) fn n_runs(&self) -> usize {
        self.history.len()
    }

    pub(super) fn has_tentative(&self) -> bool {
        self.decisions.contains(&Decision::Tentative)
    }

    pub(super) fn is_rejected(&self, variable: usize) -> bool {
        self.decisions[variable] == Decision::Rejected
    }

    /// Adds a run. A hit is an importance above this percentile of those of shadows; an undefined one
    /// is none.
    pub(super) fn add(&mut self, found: Found, percentile: f64) {
        let threshold = quantile_of(found.shadows, percentile / 100.0);
        let exceeded = threshold.unwrap_or(f64::NEG_INFINITY);
        for (hits, value) in self.hits.iter_mut().zip(&found.variables) {
            *hits += usize::from(value.is_some_and(|value| value > exceeded));
        }
        self.thresholds.push(threshold);
        self.history.push(found.variables);
    }

    /// Confirms and rejects those whose numbers of hits are significant.
    pub(super) fn decide(&mut self, correction: Correction, level: f64) -> Result<(), Error> {
        let tails = Tails::new(self.n_runs())?;
        let active: Vec<usize> =
            (0..self.hits.len()).filter(|&variable| !self.is_rejected(variable)).collect();
        let hits: Vec<usize> = active.iter().map(|&variable| self.hits[variable]).collect();
        let (many, few) = tails.significant(&hits, self.hits.len(), correction, level);
        for ((variable, is_many), is_few) in active.into_iter().zip(many).zip(few) {
            let decision = match (is_many, is_few) {
                (true, _) => Decision::Confirmed,
                (false, true) => Decision::Rejected,
                (false, false) => continue,
            };
            // A confirmed variable stays so.
            if self.decisions[variable] == Decision::Tentative {
                self.decisions[variable] = decision;
                self.decided_at[variable] = Some(self.n_runs());
            }
        }
        Ok(())
    }

    /// Decides on what is tentative by comparing the medians of its importances and of the
    /// thresholds over all runs.
    pub(super) fn fix_roughly(&mut self) {
        let thresholds = self.thresholds.iter().flatten().copied().collect();
        let exceeded = quantile_of(thresholds, 0.5).unwrap_or(f64::NEG_INFINITY);
        for variable in 0..self.decisions.len() {
            if self.decisions[variable] == Decision::Tentative {
                let is_above = self.median(variable).is_some_and(|median| median > exceeded);
                self.decisions[variable] =
                    if is_above { Decision::Confirmed } else { Decision::Rejected };
                self.is_rough[variable] = true;
            }
        }
    }

    /// The median importance of a variable over the runs that it took part in.
    pub(super) fn median(&self, variable: usize) -> Option<f64> {
        quantile_of(self.history.iter().filter_map(|run| run[variable]).collect(), 0.5)
    }

    /// 1 for what is confirmed, then what is tentative, then the rejected, the later the smaller;
    /// those that were rejected together share a rank.
    pub(super) fn ranking(&self) -> Vec<usize> {
        let key = |variable: usize| match self.decisions[variable] {
            Decision::Confirmed => (0, 0),
            Decision::Tentative => (1, 0),
            Decision::Rejected => (2, usize::MAX - self.decided_at[variable].unwrap_or(usize::MAX)),
        };
        let keys: Vec<(u8, usize)> = (0..self.decisions.len()).map(key).collect();
        let mut distinct = keys.clone();
        distinct.push((0, 0));
        distinct.sort_unstable();
        distinct.dedup();
        keys.iter().map(|key| distinct.partition_point(|other| other <= key)).collect()
    }
}
