//! All that is requested of a population at once.

use std::fmt;

use serde::{Serialize, Serializer};
use wald::data::{ColumnData, MISSING_LEVEL};
use wald::words::shortest;
use wald::{Error, Run};

use crate::best_of::{BestOf, TreeSettings};
use crate::exact::Term;
use crate::importances::{Importances, Relevance};
use crate::limits::Limits;
use crate::local::LocalImportances;
use crate::population::Population;
use crate::sampled::SampleSettings;

/// Which trees, and what to compute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The numbers K of variables to choose from at each node.
    pub mtry: Vec<usize>,
    /// Levels of splits, where trees are not fully developed.
    pub depth: Option<usize>,
    /// Variables drawn for each tree; `None` for all.
    pub subspace: Option<usize>,
    /// Whether to give importances for every point.
    pub local: bool,
    /// How many of the largest terms of each importance to give.
    pub terms: Option<usize>,
    /// Random orders or paths to estimate from; `None` for exact importances.
    pub samples: Option<usize>,
    /// Seed of all draws.
    pub seed: u64,
}

/// What was found for a [`Request`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// Importances of the variables, for the first K.
    pub values: Vec<f64>,
    /// By variable and degree.
    pub by_degree: Vec<Vec<f64>>,
    /// Standard errors, where importances are estimated.
    pub errors: Option<StandardErrors>,
    /// What each variable is to the target; `None` where samples do not determine it.
    pub relevance: Vec<Option<Relevance>>,
    /// Whether each variable is informative alone.
    pub is_marginally_relevant: Vec<bool>,
    /// By K and variable, where several K were requested.
    pub by_mtry: Option<Vec<Vec<f64>>>,
    /// The largest terms, by variable.
    pub terms: Option<Vec<Vec<Term>>>,
    /// Importances at points.
    pub local: Option<LocalImportances>,
}

/// Standard errors of estimated importances.
#[derive(Debug, Clone, PartialEq)]
pub struct StandardErrors {
    /// By variable.
    pub values: Vec<f64>,
    /// By variable and degree.
    pub by_degree: Vec<Vec<f64>>,
}

/// The value of one column at a point.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Category<'a> {
    /// A number.
    Number(f64),
    /// A level.
    Level(&'a str),
    /// A missing value.
    Missing,
}

/// The category of a variable at a point, by the values of its columns; written as a list for a group.
#[derive(Debug, Clone, PartialEq)]
pub struct Categories<'a>(pub Vec<Category<'a>>);

impl Serialize for Categories<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [only] => only.serialize(serializer),
            all => all.serialize(serializer),
        }
    }
}

impl fmt::Display for Categories<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |category: &Category<'_>| match *category {
            Category::Level(level) => level.to_owned(),
            Category::Number(number) => shortest(number),
            Category::Missing => String::new(),
        };
        formatter.write_str(&self.0.iter().map(text).collect::<Vec<_>>().join(", "))
    }
}

impl Population {
    /// Computes all that is requested.
    ///
    /// # Errors
    /// Those of [`Population::exact`], [`Population::best_of`] and [`Population::sampled`].
    pub fn find(&self, request: &Request, limits: &Limits, run: &Run) -> Result<Found, Error> {
        let mut found = Found::default();
        if let Some(samples) = request.samples {
            let mtry = request.mtry.first().copied().unwrap_or(1);
            let settings =
                SampleSettings { samples, mtry, depth: request.depth, seed: request.seed };
            let sampled = self.sampled(settings, run)?;
            found.set(sampled.importances);
            let (values, by_degree) = (sampled.standard_errors, sampled.by_degree_errors);
            found.errors = Some(StandardErrors { values, by_degree });
            found.relevance = sampled.relevance;
            found.is_marginally_relevant = sampled.is_marginally_relevant;
            return Ok(found);
        }
        let exact = self.exact(limits, run)?;
        found.set(match (request.subspace, request.depth) {
            (Some(size), _) => exact.subspace(size)?,
            (None, Some(depth)) => exact.importances().pruned(depth),
            (None, None) => exact.importances().clone(),
        });
        found.relevance = exact.relevance().iter().map(|relevance| Some(*relevance)).collect();
        found.is_marginally_relevant = exact.is_marginally_relevant();
        if request.mtry != [1] || request.local {
            let settings = TreeSettings { mtry: request.mtry.clone(), local: request.local };
            let depth = request.depth.unwrap_or(self.n_variables());
            found.add_trees(self.best_of(&settings, limits, run)?, depth);
        }
        let terms = |n| (0..self.n_variables()).map(|of| exact.largest_terms(of, n)).collect();
        found.terms = request.terms.map(terms);
        Ok(found)
    }

    /// The categories of all variables, by point.
    pub fn all_categories(&self) -> Vec<Vec<Categories<'_>>> {
        let at = |point| (0..self.n_variables()).map(|of| self.categories(point, of)).collect();
        (0..self.n_points()).map(at).collect()
    }

    /// The category of a variable at a point.
    pub fn categories(&self, point: usize, variable: usize) -> Categories<'_> {
        let column = |&at: &u32| match self.points().columns()[at as usize].data() {
            ColumnData::Numeric(values) if values[point].is_nan() => Category::Missing,
            ColumnData::Numeric(values) => Category::Number(values[point]),
            ColumnData::Categorical(categories) => match categories.codes()[point] {
                MISSING_LEVEL => Category::Missing,
                code => Category::Level(&categories.levels()[code as usize]),
            },
        };
        Categories(self.columns_of(variable).iter().map(column).collect())
    }
}

impl Found {
    fn set(&mut self, importances: Importances) {
        self.values = importances.values();
        self.by_degree = importances.by_degree;
    }

    /// Trees that choose the best of one number of variables, or of several.
    fn add_trees(&mut self, trees: Vec<BestOf>, depth: usize) {
        let pruned = |trees: &BestOf| trees.importances.pruned(depth);
        if trees.len() > 1 {
            self.by_mtry = Some(trees.iter().map(|trees| pruned(trees).values()).collect());
        }
        if let Some(first) = trees.into_iter().next() {
            if first.mtry > 1 {
                self.set(pruned(&first));
            }
            self.local = first.local;
        }
    }

    /// The variables, the most important first.
    pub fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.values.len()).collect();
        order.sort_by(|&one, &other| self.values[other].total_cmp(&self.values[one]));
        order
    }
}
