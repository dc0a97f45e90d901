//! Which column plays which part.

use crate::design::formula;
use crate::design::options::DesignOptions;
use crate::error::{TableError, escape};
use crate::names;
use crate::table::Table;
use wald::{message, setting};

/// Positions of the columns in the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Roles {
    pub(crate) target: usize,
    /// In the order of the table.
    pub(crate) features: Vec<usize>,
    pub(crate) weights: Option<usize>,
    pub(crate) cluster: Option<usize>,
}

/// Finds all columns that the options name.
pub(crate) fn assign(table: &Table, options: &DesignOptions) -> Result<Roles, TableError> {
    let formula = options.formula.as_deref().map(formula::parse).transpose()?;
    let target_name = match (&options.target, &formula) {
        (Some(target), Some(formula)) if *target != formula.target => {
            return Err(TableError::usage(
                format!(
                    "the target is \"{}\", but the formula predicts \"{}\"",
                    escape(target),
                    escape(&formula.target)
                ),
                message!("give either ", setting::TARGET, " or a formula"),
            ));
        }
        (Some(target), _) => target,
        (None, Some(formula)) => &formula.target,
        (None, None) => {
            return Err(TableError::usage(
                "no target is named",
                message!("name the column to predict", setting::TARGET.hint()),
            ));
        }
    };
    let in_formula = options.formula.as_deref().unwrap_or_default();
    let find_all = |list: &[String], formula: &str| {
        list.iter().map(|name| find(table, name, formula)).collect::<Result<Vec<_>, _>>()
    };
    let target = find(table, target_name, in_formula)?;
    let weights = options.weights.as_deref().map(|name| find(table, name, "")).transpose()?;
    let cluster = options.cluster.as_deref().map(|name| find(table, name, "")).transpose()?;
    let excluded = find_all(&options.exclude, "")?;
    let categorical = find_all(&options.categorical, "")?;
    find_all(&options.numeric, "")?;
    if let Some(both) = options.numeric.iter().find(|name| options.categorical.contains(name)) {
        return Err(TableError::usage(
            format!("column \"{}\" cannot be numeric and categorical at once", escape(both)),
            message!("name it in one of ", setting::NUMERIC, " and ", setting::CATEGORICAL),
        ));
    }
    let (all_weights, _) = options.weights_are.words();
    if let Some(index) = weights.filter(|index| categorical.contains(index)) {
        let name = &table.columns[index].name;
        return Err(two_parts(name, &format!("the {all_weights} and categorical")));
    }
    for (part, index) in [(all_weights, weights), ("cluster", cluster)] {
        if index == Some(target) {
            return Err(two_parts(target_name, &format!("the target and {part}")));
        }
    }
    if let (Some(index), true) = (weights, weights == cluster) {
        let name = &table.columns[index].name;
        return Err(two_parts(name, &format!("the {all_weights} and the cluster")));
    }
    if excluded.contains(&target) {
        return Err(TableError::usage(
            format!("the target \"{}\" is excluded", escape(target_name)),
            message!("remove it from ", setting::EXCLUDE),
        ));
    }
    let mut is_feature = vec![true; table.columns.len()];
    if let Some(formula) = &formula {
        let added = find_all(&formula.added, in_formula)?;
        if added.contains(&target) {
            return Err(two_parts(target_name, "the target and an input variable"));
        }
        for (part, index) in [(all_weights, weights), ("cluster", cluster)] {
            if let Some(index) = index.filter(|index| added.contains(index)) {
                let name = &table.columns[index].name;
                return Err(two_parts(name, &format!("the {part} and an input variable")));
            }
        }
        if !formula.all {
            is_feature.fill(false);
            added.iter().for_each(|&index| is_feature[index] = true);
        }
        for index in find_all(&formula.removed, in_formula)? {
            is_feature[index] = false;
        }
    }
    for index in excluded.into_iter().chain([target]).chain(weights).chain(cluster) {
        is_feature[index] = false;
    }
    let features: Vec<usize> = (0..is_feature.len()).filter(|&index| is_feature[index]).collect();
    if features.is_empty() {
        return Err(TableError::data(
            format!("there is no input variable besides the target \"{}\"", escape(target_name)),
            "give a table with more columns, or exclude fewer",
        ));
    }
    Ok(Roles { target, features, weights, cluster })
}

/// The position of the column `name`; `formula` is where the name was read, if in one.
pub(crate) fn find(table: &Table, name: &str, formula: &str) -> Result<usize, TableError> {
    table.columns.iter().position(|column| column.name == name).ok_or_else(|| {
        // `mean-radius` without backticks reads as `mean` minus `radius`.
        let torn = table.names().find(|known| {
            known.contains(['+', '-', '~']) && known.contains(name) && formula.contains(known)
        });
        match torn {
            Some(whole) => TableError::data(
                format!("there is no column \"{}\"", escape(name)),
                format!("put the name in backticks: `{}`", escape(whole)),
            ),
            None => unknown_column(table, name),
        }
    })
}

/// The error for a column that the table does not have.
pub(crate) fn unknown_column(table: &Table, name: &str) -> TableError {
    TableError::data(
        format!("there is no column \"{}\"", escape(name)),
        names::suggestion(name, table.names().collect::<Vec<_>>().into_iter()),
    )
    .file(table.source())
}

fn two_parts(name: &str, parts: &str) -> TableError {
    TableError::usage(
        format!("column \"{}\" cannot be {parts} at once", escape(name)),
        "name different columns",
    )
}
