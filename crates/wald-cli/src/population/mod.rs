//! What `wald population` found, and how it is shown.

mod document;
mod picture;
mod table;

pub(crate) use document::{document, frame};
pub(crate) use picture::picture;
pub(crate) use table::table;

use wald::data::ColumnData;
use wald::data::MISSING_LEVEL;
use wald::forest::Impurity;
use wald::words::counted;
use wald_population::{BestOf, Exact, LocalImportances, Population, Relevance, Sampled, Term};

use crate::csv;

/// Which trees.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trees {
    pub(crate) mtry: usize,
    pub(crate) depth: Option<usize>,
    pub(crate) subspace: Option<usize>,
}

/// Importances with all that was requested besides.
#[derive(Debug)]
pub(crate) struct Found<'a> {
    pub(crate) population: &'a Population,
    pub(crate) trees: Trees,
    pub(crate) values: Vec<f64>,
    /// By variable and degree.
    pub(crate) by_degree: Vec<Vec<f64>>,
    pub(crate) samples: Option<Samples>,
    /// `None` where samples do not determine it.
    pub(crate) relevance: Vec<Option<Relevance>>,
    pub(crate) is_marginal: Vec<bool>,
    /// By K, from 1, and variable.
    pub(crate) by_mtry: Option<Vec<Vec<f64>>>,
    /// By variable.
    pub(crate) terms: Option<Vec<Vec<Term>>>,
    pub(crate) local: Option<LocalImportances>,
}

/// How good an estimate is.
#[derive(Debug)]
pub(crate) struct Samples {
    pub(crate) n: usize,
    pub(crate) errors: Vec<f64>,
    pub(crate) by_degree: Vec<Vec<f64>>,
}

impl<'a> Found<'a> {
    /// Of totally randomized trees.
    pub(crate) fn exact(
        population: &'a Population,
        trees: Trees,
        exact: &Exact,
    ) -> Result<Self, wald::Error> {
        let importances = match (trees.subspace, trees.depth) {
            (Some(size), _) => exact.subspace(size)?,
            (None, Some(depth)) => exact.importances().pruned(depth),
            (None, None) => exact.importances().clone(),
        };
        Ok(Self {
            population,
            trees,
            values: importances.values(),
            by_degree: importances.by_degree,
            samples: None,
            relevance: exact.relevance().iter().map(|relevance| Some(*relevance)).collect(),
            is_marginal: exact.is_marginally_relevant(),
            by_mtry: None,
            terms: None,
            local: None,
        })
    }

    pub(crate) fn sampled(
        population: &'a Population,
        trees: Trees,
        n: usize,
        found: Sampled,
    ) -> Self {
        Self {
            population,
            trees,
            values: found.importances.values(),
            by_degree: found.importances.by_degree,
            samples: Some(Samples {
                n,
                errors: found.standard_errors,
                by_degree: found.by_degree_errors,
            }),
            relevance: found.relevance,
            is_marginal: found.is_marginally_relevant,
            by_mtry: None,
            terms: None,
            local: None,
        }
    }

    /// Trees that choose: of one K, or of all.
    pub(crate) fn add_trees(&mut self, mut found: Vec<BestOf>) {
        let depth = self.trees.depth.unwrap_or(self.population.n_variables());
        if found.len() > 1 {
            let values = found.iter().map(|trees| trees.importances.pruned(depth).values());
            self.by_mtry = Some(values.collect());
        }
        let trees = found.swap_remove(0);
        if trees.mtry > 1 {
            let importances = trees.importances.pruned(depth);
            self.values = importances.values();
            self.by_degree = importances.by_degree;
        }
        self.local = trees.local;
    }

    /// The variables, the most important first.
    fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.values.len()).collect();
        order.sort_by(|&one, &other| self.values[other].total_cmp(&self.values[one]));
        order
    }
}

/// What was read.
pub(crate) fn summary(source: &str, population: &Population) -> String {
    format!(
        "{}: `{}` by {}, {} of their values; {} of the target: {}",
        wald_table::escape_controls(source),
        wald_table::escape(population.target()),
        counted(population.n_variables(), "variable"),
        counted(population.probabilities().len(), "combination"),
        population.impurity().id(),
        amount(population.root_impurity(), population.impurity()),
    )
}

/// What was taken for granted of a target of few numbers.
pub(crate) fn target_note(population: &Population) -> String {
    let target = wald_table::escape(population.target());
    if population.impurity() == Impurity::Variance {
        format!(
            "the target \"{target}\" was taken as a number; if its values are classes, use \
             `--impurity entropy`"
        )
    } else {
        format!(
            "the target \"{target}\" was taken as two classes; `--impurity variance` takes it as a \
             number"
        )
    }
}

/// That numbers are categories, where it is not plain.
pub(crate) fn number_note(population: &Population) -> Option<String> {
    let columns = population.points().columns().iter();
    let is_number = |column: &&wald::data::Column| match column.data() {
        ColumnData::Numeric(values) => {
            let mut distinct: Vec<f64> = values.iter().copied().filter(|v| !v.is_nan()).collect();
            distinct.sort_unstable_by(f64::total_cmp);
            distinct.dedup();
            distinct.len() > 2
        }
        ColumnData::Categorical(_) => false,
    };
    let names: Vec<String> = columns
        .filter(is_number)
        .map(|column| format!("\"{}\"", wald_table::escape(column.name())))
        .collect();
    match names.as_slice() {
        [] => None,
        [only] => Some(format!("every different number of {only} is a category of its own")),
        [first, ..] => {
            let (n, s) = (names.len() - 1, if names.len() > 2 { "s" } else { "" });
            let others = format!("{n} other column{s}");
            Some(format!("every different number of {first} and {others} is a category of its own"))
        }
    }
}

/// A number with its unit.
fn amount(value: f64, impurity: Impurity) -> String {
    match impurity {
        Impurity::Entropy => format!("{value:.4} bits"),
        Impurity::Gini | Impurity::Variance => csv::shortest((value * 1e10).round() / 1e10),
    }
}

/// The unit of importances.
fn unit(population: &Population) -> String {
    match population.impurity() {
        Impurity::Entropy => "in bits".to_owned(),
        Impurity::Gini => "as decrease of the Gini index".to_owned(),
        Impurity::Variance => {
            format!("in squared units of `{}`", wald_table::escape_controls(population.target()))
        }
    }
}

/// The category of a variable at a point, by the values of its columns; `None` for a missing one.
fn category(population: &Population, point: usize, variable: usize) -> Vec<serde_json::Value> {
    let column = |&at: &u32| match population.points().columns()[at as usize].data() {
        ColumnData::Numeric(values) => Some(values[point]).filter(|value| !value.is_nan()).into(),
        ColumnData::Categorical(categories) => match categories.codes()[point] {
            MISSING_LEVEL => serde_json::Value::Null,
            code => categories.levels()[code as usize].as_str().into(),
        },
    };
    population.columns_of(variable).iter().map(column).collect()
}
