//! Which variables others hide: importances against the number of variables that compete for a split.

use std::borrow::Cow;

use crate::making::budget::{Budget, FEW_VARIABLES};
use crate::making::input::Making;
use crate::making::left_out::LeftOut;
use crate::making::some_rows::{of_rows, some_rows};
use crate::parts::MaskingPoint;
use wald::forest::{ForestConfig, Keep};
use wald::masking::{Masking, masking};
use wald::measure::{Measure, MeasureId, MeasureSettings};
use wald::memory::Size;
use wald::{Dataset, Error, Origin, Run, Threads};

/// What the forests take: about as much as growing 65 trees on 10,000 rows with 7 of 50 variables tried.
/// Shares that are shown in percent need no more rows. A hundred trees leave them an error of two to four
/// percent of all importance, on tables of 150 to 570 rows.
const BUDGET: Budget = Budget { work: 1.0e7, most_rows: 2500 };

/// Up to so many variables, a forest is grown for every number of them that may compete.
const EVERY_VALUE: usize = 5;

/// Forests by mtry that are about to be grown.
#[derive(Debug)]
pub(super) struct MaskingPlan<'a> {
    data: Cow<'a, Dataset>,
    config: ForestConfig,
    mtry: Vec<usize>,
    measure: Measure,
}

/// Shares by mtry.
#[derive(Debug)]
pub(super) struct Masked {
    found: Masking,
    /// Names of the variables, in the order of the importances.
    names: Vec<String>,
    /// What they were grown from, in words that follow "forests".
    pub(super) words: String,
}

/// How masking is looked at: by impurity decreases on out-of-bag rows, because those on in-bag rows
/// are the larger for irrelevant variables the fewer compete.
pub(super) fn plan<'a>(
    input: &Making<'a>,
    config: &ForestConfig,
) -> Result<MaskingPlan<'a>, LeftOut> {
    let measure = Measure::new(MeasureId::MdiOob, MeasureSettings::default())?;
    Origin::Settings(config).check(&measure, input.data())?;
    let n_columns = input.data().n_features();
    if n_columns < 2 {
        return Err(LeftOut::because("there is one variable only"));
    }
    let mtry = usual(n_columns);
    let data = some_rows(input, BUDGET.most_rows)?;
    let per_tree = mtry.iter().map(|&mtry| Budget::of_tree(data.n_rows(), mtry)).sum();
    let n_trees = BUDGET.trees(per_tree, config.n_trees)?;
    // A subspace would leave no more variables to compete than it holds.
    let config = ForestConfig { n_trees, subspace: None, ..config.clone() };
    Ok(MaskingPlan { data, config, mtry, measure })
}

/// Every value for very few variables, which is no more than five; powers of two, and all, for few; powers
/// of four for more. Between them, shares change by less than their errors.
fn usual(n_columns: usize) -> Vec<usize> {
    if n_columns <= EVERY_VALUE {
        return (1..=n_columns).collect();
    }
    let factor = if n_columns <= FEW_VARIABLES { 2 } else { 4 };
    let powers = std::iter::successors(Some(1), |mtry: &usize| mtry.checked_mul(factor));
    powers.take_while(|mtry| *mtry < n_columns).chain([n_columns]).collect()
}

impl MaskingPlan<'_> {
    pub(super) fn size(&self, threads: Threads) -> Result<Size, Error> {
        let widest = ForestConfig { mtry: self.mtry.last().copied(), ..self.config.clone() };
        let measures = std::slice::from_ref(&self.measure);
        Size::of_growing(&self.data, &widest, measures, Keep::Nothing, threads)
    }

    pub(super) fn run(&self, input: &Making<'_>, run: &Run) -> Result<Masked, Error> {
        let found = masking(&self.data, &self.config, &self.measure, &self.mtry, run)?;
        let names = self.data.groups().names().to_vec();
        let rows = of_rows(self.data.n_rows(), input.data().n_rows());
        Ok(Masked { found, names, words: format!("of {} trees{rows}", self.config.n_trees) })
    }
}

/// A variable of which others take splits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Hidden {
    pub(super) first: MaskingPoint,
    pub(super) last: MaskingPoint,
}

impl Masked {
    /// The curve of a variable; empty where nothing explains anything.
    pub(super) fn points(&self, name: &str) -> Vec<MaskingPoint> {
        let point = |at: usize| {
            let (share, _) = self.share(at, name)?;
            Some(MaskingPoint { mtry: self.found.mtry[at], share })
        };
        (0..self.found.mtry.len()).map(point).collect::<Option<_>>().unwrap_or_default()
    }

    /// Whether a variable that has at least the mean share where nothing competes loses more than half of
    /// it where all compete, by more than `z` standard errors over trees.
    pub(super) fn hidden(&self, name: &str, z: f64) -> Option<Hidden> {
        let last = self.found.mtry.len() - 1;
        let ((alone, of_alone), (among, of_among)) =
            (self.share(0, name)?, self.share(last, name)?);
        let error = of_alone.hypot(of_among);
        let mean = 100.0 / self.names.len() as f64;
        let is_hidden = alone >= mean && among < alone / 2.0 && alone - among > z * error;
        let point = |at: usize, share| MaskingPoint { mtry: self.found.mtry[at], share };
        is_hidden.then(|| Hidden { first: point(0, alone), last: point(last, among) })
    }

    /// Share of the positive importances of all variables together and its standard error, in percent.
    /// Out of bag, irrelevant variables are below zero as often as above; negative ones would let
    /// shares of a plain sum exceed the whole.
    fn share(&self, at: usize, name: &str) -> Option<(f64, f64)> {
        let variable = self.names.iter().position(|of_data| of_data == name)?;
        let importance = &self.found.importances[at];
        let total: f64 = importance.values.iter().flatten().filter(|value| **value > 0.0).sum();
        let errors = importance.standard_errors.as_ref()?;
        let (value, error) = (importance.values[variable]?, errors[variable]?);
        (total > 0.0).then(|| (100.0 * value / total, 100.0 * error / total))
    }
}
