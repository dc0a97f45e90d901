//! Importances of trees that take the best of K variables at every node, and local importances.

use wald::forest::Impurity;
use wald::message;
use wald::setting;
use wald::{Error, Run};

use crate::cost::Work;
use crate::exact::Exact;
use crate::importances::{Importances, Relevance, check_equal};
use crate::limits::Limits;
use crate::local::{LocalImportances, Locals};
use crate::population::Population;
use crate::walk::walk;

/// Which trees, and what to compute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeSettings {
    /// The numbers K of variables to choose from at each node; 1 means totally randomized trees.
    pub mtry: Vec<usize>,
    /// Whether to give importances for every point.
    pub local: bool,
}

/// Importances of the trees of one K.
#[derive(Debug, Clone, PartialEq)]
pub struct BestOf {
    /// The number of variables to choose from, K.
    pub mtry: usize,
    /// By the depth of the node that is divided, which is the number of other variables known there.
    pub importances: Importances,
    /// Where asked for.
    pub local: Option<LocalImportances>,
}

impl Population {
    /// The importances of infinitely many fully developed trees on infinitely many rows, by exact
    /// recursion: at each node K variables are drawn among those not yet used on the branch,
    /// locally constant ones included, and the best one is taken; of equal ones (within 1e-12 of
    /// the node's impurity) each is equally likely, and where fewer than K are left, all are drawn.
    /// This is the setting of Table 2 of Louppe et al. (2013).
    ///
    /// With `local`, the importances at every point (Sutera et al. 2021, Equation 10 for K = 1);
    /// that their mean is the global importance (Equation 11) is checked, as is that importances
    /// add up to I(V; Y), and local ones to what is known at their point.
    ///
    /// Cost: see [`Limits`]; all sets of variables with all their cells, and all points with
    /// `local`.
    ///
    /// # Errors
    /// [`Error::Setting`] when no K is given or one is not between 1 and p, [`Error::TooLarge`] with
    /// an estimate when the work is beyond the limits, [`Error::Cancelled`] when the progress is
    /// cancelled so, [`Error::Inconsistent`] when an identity fails.
    pub fn best_of(
        &self,
        settings: &TreeSettings,
        limits: &Limits,
        run: &Run,
    ) -> Result<Vec<BestOf>, Error> {
        if settings.mtry.is_empty() {
            return Err(Error::bad_setting(
                setting::MTRY,
                "trees choose from no number of variables",
                message!("give at least one number", setting::MTRY.hint()),
            ));
        }
        for &mtry in &settings.mtry {
            self.check_mtry(mtry)?;
        }
        let n_mtry = settings.mtry.len();
        self.check(Work::Trees { n_mtry, local: settings.local }, limits, run.threads)?;
        let locals = if settings.local {
            // Theorem 3, for impurities that see the whole distribution.
            let exact = self.exact(limits, run)?;
            Some(Locals::new(self, n_mtry, &self.irrelevant(&exact)))
        } else {
            None
        };
        let found = walk(self, &settings.mtry, locals, run)?;
        let p = self.n_variables();
        let relevant = found.locals.as_ref().map(|locals| locals.is_relevant.as_slice());
        let mut locals = found.locals.as_ref().map(|locals| locals.values.iter());
        let mut all = Vec::new();
        for (by_degree, &mtry) in found.by_depth.into_iter().zip(&settings.mtry) {
            let importances = Importances { by_degree };
            importances.check_sum(self.total(), self.root_impurity())?;
            let values = locals.as_mut().and_then(Iterator::next);
            let local = values.zip(relevant).map(|(values, relevant)| LocalImportances {
                values: values.chunks_exact(p).map(<[f64]>::to_vec).collect(),
                is_irrelevant: relevant
                    .chunks_exact(p)
                    .map(|of_point| of_point.iter().map(|is_relevant| !is_relevant).collect())
                    .collect(),
            });
            if let Some(local) = &local {
                self.check_local(local, &importances)?;
            }
            all.push(BestOf { mtry, importances, local });
        }
        Ok(all)
    }

    /// An error unless so many variables can be drawn.
    pub(crate) fn check_mtry(&self, mtry: usize) -> Result<(), Error> {
        let p = self.n_variables();
        if (1..=p).contains(&mtry) {
            return Ok(());
        }
        Err(Error::bad_setting(
            setting::MTRY,
            format!("the best of {mtry} variables was requested, but there are {p}"),
            message!("give a number of variables between 1 and ", p, setting::MTRY.hint()),
        ))
    }

    fn irrelevant(&self, exact: &Exact) -> Vec<bool> {
        let sees_all = self.impurity() != Impurity::Variance;
        let of = |relevance: &Relevance| sees_all && *relevance == Relevance::Irrelevant;
        exact.relevance().iter().map(of).collect()
    }

    /// Equation 11, and that the local importances of a point add up to H(Y) - H(Y | x).
    fn check_local(
        &self,
        local: &LocalImportances,
        importances: &Importances,
    ) -> Result<(), Error> {
        // A rare point may be far more impure than all points are together.
        let (root, scale) = (self.root_impurity(), self.most_impure());
        for (variable, importance) in importances.values().into_iter().enumerate() {
            let of_points = local.values.iter().zip(self.probabilities());
            let mean: f64 = of_points.map(|(values, share)| values[variable] * share).sum();
            let is = "the mean of local importances is";
            check_equal(is, mean, "the importance is", importance, scale)?;
        }
        for (point, values) in local.values.iter().enumerate() {
            let state = self.state(point);
            let known = root - self.response.left(state) / self.response.weight(state);
            let sum = values.iter().sum();
            check_equal("local importances add up to", sum, "what is known is", known, scale)?;
        }
        Ok(())
    }
}
