//! What a forest's settings are for a table: defaults filled in, and checks that depend on the data.

use crate::data::{Column, ColumnData, Dataset, Response, Task};
use crate::error::Error;
use crate::forest::config::ForestConfig;
use crate::forest::settings::Settings;
use crate::forest::ways::{ClassWeight, Impurity, PValues, Sampling, Splitting};
use crate::message;
use crate::message::Message;
use crate::setting;
use crate::words::{counted, there_are};

/// Variables that `cforest_unbiased` of the R package party tries at a node.
const MTRY_OF_CONDITIONAL: usize = 5;

/// What fits which target.
pub(super) const IMPURITIES_OF_TARGETS: &str =
    "use variance, poisson or absolute_error for a number, gini or entropy for classes";

/// More columns than this are not named one by one.
const MOST_NAMES: usize = 8;

impl ForestConfig {
    /// The settings of a forest of one target.
    ///
    /// # Errors
    /// [`Error::Setting`] and [`Error::Data`] when the settings do not fit the data, and
    /// [`Error::Data`] where there are several targets.
    pub fn resolve(&self, data: &Dataset) -> Result<Settings, Error> {
        // Whatever grows forests for a purpose of its own is of one target.
        data.target().check_one()?;
        self.resolve_targets(data)
    }

    /// The same, also of several targets.
    pub(crate) fn resolve_targets(&self, data: &Dataset) -> Result<Settings, Error> {
        self.resolve_for(data, data.features().columns().iter().map(Column::name))
    }

    /// The same for a forest that uses some of the variables of a table, in this order.
    pub(crate) fn resolve_for<'a>(
        &self,
        data: &Dataset,
        variables: impl ExactSizeIterator<Item = &'a str>,
    ) -> Result<Settings, Error> {
        let p = variables.len();
        self.validate()?;
        self.check_several(data)?;
        let task = data.target().task();
        let variables: Vec<&str> = variables.collect();
        let (mtry, subspace) = self.resolve_variables(p, || n_varying(data, &variables))?;
        if self.splitting == Splitting::Multiway {
            refuse_numbers(data)?;
        }
        if self.stratify && task == Task::Regression {
            return Err(Error::bad_setting(
                setting::STRATIFY,
                "stratified draws need classes, but the target is a number",
                message!("leave out ", setting::STRATIFY, ", or use classification"),
            ));
        }
        if self.stratify && data.clusters().is_some() {
            return Err(Error::bad_setting(
                setting::STRATIFY,
                "stratified draws and clusters exclude each other",
                "leave out one of the two settings",
            ));
        }
        self.check_class_weight(task)?;
        self.check_impurity(data)?;
        self.check_trends(data)?;
        let impurity = match task {
            Task::Regression => Impurity::Variance,
            Task::Classification => Impurity::Gini,
        };
        let impurity = self.impurity.unwrap_or(impurity);
        let min_node_size = match (self.splitting, task) {
            (Splitting::Conditional, _) => 19,
            // Only scikit-learn has this impurity, and grows its trees to the end.
            _ if impurity == Impurity::AbsoluteError => 1,
            (Splitting::Best | Splitting::RandomThreshold, Task::Regression) => 5,
            (Splitting::Multiway, _) | (_, Task::Classification) => 1,
        };
        Ok(Settings {
            mtry,
            constant_draws: self.constant_draws,
            max_bins: self.max_bins,
            min_node_size: self.min_node_size.unwrap_or(min_node_size),
            min_leaf_size: self.min_leaf_size,
            max_depth: self.max_depth.unwrap_or(usize::MAX),
            sampling: self.sampling,
            sample_fraction: self.sample_fraction.unwrap_or(match self.sampling {
                Sampling::Subsample => 0.632,
                Sampling::Bootstrap | Sampling::All => 1.0,
            }),
            stratify: self.stratify,
            splitting: self.splitting,
            split_pure: self.split_pure,
            subspace,
            impurity,
            min_criterion: self.min_criterion.unwrap_or(0.0),
            p_values: self.p_values.unwrap_or(PValues::Univariate),
            min_child_fraction: self.min_child_fraction,
            min_weight_fraction_leaf: self.min_weight_fraction_leaf,
            min_impurity_decrease: self.min_impurity_decrease,
            max_leaf_nodes: self.max_leaf_nodes.unwrap_or(usize::MAX),
            ccp_alpha: self.ccp_alpha,
            class_weight: self.class_weight,
            trends: self.monotonic.by_column(variables.into_iter()),
            mtry_one_probability: self.mtry_one_probability,
            seed: self.seed,
            first_tree: self.first_tree,
        })
    }

    /// The same settings without those that name what the data would have anyway, so that equal
    /// forests have equal files, whoever asked for them. Settings that do not fit stay, and so does
    /// `mtry`: without it, forests on fewer of the columns would try fewer of them than was asked for.
    #[must_use]
    pub fn without_defaults(self, data: &Dataset) -> Self {
        // What the other two are by default depends on the impurity.
        let unnamed = Self { impurity: None, ..self.clone() };
        let silent = Self { min_node_size: None, sample_fraction: None, ..self.clone() };
        let (Ok(asked), Ok(found), Ok(usual)) = (
            self.resolve_targets(data),
            silent.resolve_targets(data),
            unnamed.resolve_targets(data),
        ) else {
            return self;
        };
        Self {
            min_node_size: self
                .min_node_size
                .filter(|_| asked.min_node_size != found.min_node_size),
            sample_fraction: self
                .sample_fraction
                .filter(|_| asked.sample_fraction != found.sample_fraction),
            impurity: self.impurity.filter(|_| asked.impurity != usual.impurity),
            ..silent
        }
    }

    /// Refuses an impurity that does not fit the target, or the way of splitting.
    fn check_impurity(&self, data: &Dataset) -> Result<(), Error> {
        let Some(impurity) = self.impurity else { return Ok(()) };
        if impurity.task() != data.target().task() {
            return Err(Error::bad_setting(
                setting::IMPURITY,
                "the impurity does not fit the target",
                IMPURITIES_OF_TARGETS,
            ));
        }
        let goes_two_ways = match self.splitting {
            Splitting::Best | Splitting::RandomThreshold => true,
            Splitting::Multiway | Splitting::Conditional => false,
        };
        if impurity.is_other_loss() && !goes_two_ways {
            return Err(Error::bad_setting(
                setting::IMPURITY,
                message!(
                    setting::IMPURITY.name(),
                    " is ",
                    impurity.id(),
                    ", but ",
                    self.splitting.id(),
                    " splitting knows the variance of numbers only"
                ),
                message!(
                    "leave out ",
                    setting::IMPURITY,
                    ", or use best or random-threshold splitting"
                ),
            ));
        }
        match data.target().response() {
            Response::Regression(values) if impurity == Impurity::Poisson => {
                check_counts(data.target().name(), values)
            }
            _ => Ok(()),
        }
    }

    /// Refuses weights of classes where there are none, and where a test would take them for rows.
    fn check_class_weight(&self, task: Task) -> Result<(), Error> {
        let refuse = |what: &str, help: Message| {
            Err(Error::bad_setting(
                setting::CLASS_WEIGHT,
                message!(setting::CLASS_WEIGHT.name(), " was given, but ", what),
                help,
            ))
        };
        if self.class_weight == ClassWeight::Equal {
            return Ok(());
        }
        if task == Task::Regression {
            return refuse(
                "the target is a number",
                message!("leave out ", setting::CLASS_WEIGHT, ", or use classification"),
            );
        }
        if self.splitting == Splitting::Conditional {
            return refuse(
                "the tests of conditional splitting take the weights of all trees to be the same",
                message!("leave out ", setting::CLASS_WEIGHT, ", or use another way of splitting"),
            );
        }
        Ok(())
    }

    /// Refuses trends of predictions that have none, with variables that there are not or that have no
    /// order, and where splits do not look at predictions.
    fn check_trends(&self, data: &Dataset) -> Result<(), Error> {
        let Some((_, first)) = self.monotonic.iter().next() else { return Ok(()) };
        let n_classes = data.target().classes().map_or(0, <[String]>::len);
        if n_classes > 2 {
            return Err(Error::bad_setting(
                first.setting(),
                message!(
                    first.setting().name(),
                    " was given, but the target has ",
                    n_classes,
                    " classes, whose probabilities have no common direction"
                ),
                message!("leave out ", first.setting(), ", or predict two classes or a number"),
            ));
        }
        if !self.splitting.keeps_trends() {
            return Err(Error::bad_setting(
                first.setting(),
                message!(
                    first.setting().name(),
                    " was given, but ",
                    self.splitting.id(),
                    " splitting does not compare the predictions of children"
                ),
                message!(
                    "leave out ",
                    first.setting(),
                    ", or use best or random-threshold splitting"
                ),
            ));
        }
        for (name, trend) in self.monotonic.iter() {
            let Some(column) = data.features().column(name) else {
                return Err(Error::bad_setting(
                    trend.setting(),
                    message!(
                        trend.setting().name(),
                        format!(" names \"{name}\", which is not an input variable")
                    ),
                    "give names of columns that the forest splits on",
                ));
            };
            if matches!(column.data(), ColumnData::Categorical(_)) {
                return Err(Error::bad_setting(
                    trend.setting(),
                    message!(
                        trend.setting().name(),
                        format!(" names \"{name}\", whose levels have no order")
                    ),
                    message!(
                        "give the column as numbers",
                        setting::NUMERIC.hint(),
                        ", or leave its name out"
                    ),
                ));
            }
        }
        Ok(())
    }

    /// Variables tried at each node, and variables of each tree. Those that are constant are not drawn.
    fn resolve_variables(
        &self,
        p: usize,
        n_varying: impl FnOnce() -> usize,
    ) -> Result<(usize, usize), Error> {
        let subspace = self.subspace.unwrap_or(p);
        if subspace > p {
            return Err(Error::bad_setting(
                setting::SUBSPACE,
                message!(
                    setting::SUBSPACE.name(),
                    " is ",
                    subspace,
                    ", but ",
                    there_are(p, "input variable")
                ),
                format!("give a number between 1 and {p}"),
            ));
        }
        let mtry = self.mtry.unwrap_or_else(|| {
            let drawn_from = subspace.min(n_varying());
            match self.splitting {
                Splitting::Conditional => drawn_from.clamp(1, MTRY_OF_CONDITIONAL),
                _ => drawn_from.isqrt().max(1),
            }
        });
        if mtry <= subspace {
            return Ok((mtry, subspace));
        }
        let but = match self.subspace {
            None => there_are(p, "input variable"),
            Some(_) => format!("each tree uses {}", counted(subspace, "variable")),
        };
        Err(Error::bad_setting(
            setting::MTRY,
            message!(setting::MTRY.name(), " is ", mtry, ", but ", but),
            format!("give a number between 1 and {subspace}"),
        ))
    }
}

/// How many of the variables are not constant. Cost O(variables), but for columns that begin with equal cells.
fn n_varying(data: &Dataset, variables: &[&str]) -> usize {
    let features = data.features();
    if variables.len() == features.n_columns() {
        return features.columns().iter().filter(|column| !column.is_constant()).count();
    }
    let by_name = features.by_name();
    let varies = |name: &&&str| by_name.get(**name).is_none_or(|column| !column.is_constant());
    variables.iter().filter(varies).count()
}

/// The Poisson deviance is of targets that are not negative, nor all zero.
fn check_counts(name: &str, values: &[f64]) -> Result<(), Error> {
    let help = "use the variance, or a target of counts or rates";
    if let Some(row) = values.iter().position(|value| *value < 0.0) {
        let what = format!(
            "row {} of the target \"{name}\" is {}: the Poisson deviance has no negative numbers",
            row + 1,
            values[row]
        );
        return Err(Error::column_data(name, what, help));
    }
    if values.iter().all(|value| *value == 0.0) {
        let what =
            format!("the target \"{name}\" is 0 in all rows, from which no deviance is defined");
        return Err(Error::column_data(name, what, help));
    }
    Ok(())
}

/// Numbers have no branches.
fn refuse_numbers(data: &Dataset) -> Result<(), Error> {
    let columns = data.features().columns().iter();
    let numbers: Vec<String> = columns
        .filter(|column| matches!(column.data(), ColumnData::Numeric(_)))
        .map(|column| format!("\"{}\"", column.name()))
        .collect();
    if numbers.is_empty() {
        return Ok(());
    }
    let n_more = numbers.len().saturating_sub(MOST_NAMES);
    let more = if n_more > 0 { format!(" and {n_more} more") } else { String::new() };
    let named = numbers[..numbers.len().min(MOST_NAMES)].join(", ");
    Err(Error::bad_setting(
        setting::SPLITTING,
        format!(
            "multiway splitting needs categories, but there are columns of numbers: {named}{more}"
        ),
        message!(
            "read columns of few distinct values as categories",
            setting::CATEGORICAL.hint(),
            ", or leave columns out",
            setting::EXCLUDE.hint()
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Target;

    #[test]
    fn settings_that_are_usual_go_without_saying_unless_columns_may_be_left_out() {
        let column = |at| Column::numeric(format!("x{at}"), vec![0.0, 1.0]).expect("a number");
        let target = Target::regression("y", vec![1.0, 2.0]).expect("finite");
        let data = Dataset::new((0..4).map(column).collect(), target).expect("consistent");
        let asked =
            ForestConfig { mtry: Some(2), min_node_size: Some(5), ..ForestConfig::default() };
        let kept = asked.clone().without_defaults(&data);
        assert_eq!((kept.mtry, kept.min_node_size), (Some(2), None));
        // Trees of medians are grown to the end.
        let medians = ForestConfig { impurity: Some(Impurity::AbsoluteError), ..asked };
        assert_eq!(medians.clone().without_defaults(&data).min_node_size, Some(5));
        let usual = ForestConfig { min_node_size: None, ..medians };
        assert_eq!(usual.resolve(&data).expect("consistent").min_node_size, 1);
    }
}
