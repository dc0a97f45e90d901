//! How conditional independence is tested.

use crate::data::{Dataset, refuse_constant};
use crate::error::Error;
use crate::folds;
use crate::forest::{ClassWeight, ForestConfig, Impurity};
use crate::inference::adjustment::Adjustment;
use crate::inference::intervals::Confidence;
use crate::{message, setting};

/// More draws than this are a mistake.
const MOST_DRAWS: usize = 100_000;

/// How what a variable adds to the others is estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConditionalMethod {
    /// Predictions with values that are drawn given the other variables, so many times for each row.
    SobolCpi {
        /// Draws, whose predictions are averaged.
        draws: usize,
    },
    /// Forests without what the variable explains (leave one covariate out), judged on other rows than the
    /// full ones.
    Loco,
}

/// How conditional independence is tested.
#[derive(Debug, Clone, PartialEq)]
pub struct ConditionalConfig {
    /// How the forests of the response and of the variables are grown. What is about the response (impurity,
    /// weights of classes, trends, least decreases) does not hold for the variables, of whose forests up to
    /// a hundred columns compete at a node, or `mtry` if it is larger. Its seed determines the folds, too.
    pub forest: ForestConfig,
    /// How what a variable adds is estimated.
    pub method: ConditionalMethod,
    /// Number of folds.
    pub folds: usize,
    /// The probability with which intervals cover.
    pub confidence: Confidence,
    /// How p-values are corrected for the number of variables.
    pub adjustment: Adjustment,
}

impl ConditionalMethod {
    /// The names users type.
    pub const IDS: &'static [&'static str] = &["sobol_cpi", "loco"];

    /// The name users type.
    pub fn id(self) -> &'static str {
        match self {
            Self::SobolCpi { .. } => "sobol_cpi",
            Self::Loco => "loco",
        }
    }

    /// The method of that name, with so many draws; with ten unless given.
    ///
    /// ```
    /// use wald::inference::ConditionalMethod;
    ///
    /// let method = ConditionalMethod::named("sobol_cpi", Some(20))?;
    /// assert_eq!(method, ConditionalMethod::SobolCpi { draws: 20 });
    /// assert!(ConditionalMethod::named("loco", Some(20)).is_err()); // draws nothing
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Setting`] for another name, and for draws where there are none.
    pub fn named(name: &str, draws: Option<usize>) -> Result<Self, Error> {
        match (name, draws) {
            ("sobol_cpi", draws) => Ok(Self::SobolCpi { draws: draws.unwrap_or(10) }),
            ("loco", None) => Ok(Self::Loco),
            ("loco", Some(_)) => Err(Error::bad_setting(
                setting::DRAWS,
                message!(setting::DRAWS.name(), " does not apply to loco, which draws no values"),
                message!("leave out ", setting::DRAWS, ", or use sobol_cpi"),
            )),
            _ => Err(Error::bad_setting(
                setting::METHOD,
                message!("the value of ", setting::METHOD, " is not known: \"", name, "\""),
                format!("use one of: {}", Self::IDS.join(", ")),
            )),
        }
    }
}

impl ConditionalConfig {
    /// Sobol-CPI with ten draws, five folds, intervals of 90 % and Holm's correction.
    pub fn new(forest: ForestConfig) -> Self {
        Self {
            forest,
            method: ConditionalMethod::SobolCpi { draws: 10 },
            folds: 5,
            confidence: Confidence::default(),
            adjustment: Adjustment::Holm,
        }
    }

    /// Into how many parts rows are divided: of two that are held out together, one judges the full
    /// forest and the other those that lack a variable.
    pub(super) fn n_parts(&self) -> usize {
        match self.method {
            ConditionalMethod::SobolCpi { .. } => self.folds,
            ConditionalMethod::Loco => 2 * self.folds,
        }
    }

    /// Checks the settings against the data.
    ///
    /// # Errors
    /// [`Error::Setting`] when one does not fit.
    pub fn check(&self, data: &Dataset) -> Result<(), Error> {
        self.forest.resolve(data)?;
        self.refuse_shifted(data)?;
        refuse_constant(data)?;
        if let ConditionalMethod::SobolCpi { draws } = self.method
            && !(1..=MOST_DRAWS).contains(&draws)
        {
            return Err(Error::bad_setting(
                setting::DRAWS,
                message!(setting::DRAWS.name(), " is ", draws),
                format!("give a whole number from 1 to {MOST_DRAWS}"),
            ));
        }
        // A fold of a single row or cluster has no residual of another one, and loco judges by halves of a fold.
        folds::check(self.folds, 2, data)
    }

    /// Refuses forests that do not predict means of the table: squared errors judge predictions, and would
    /// judge how far these are shifted for every row.
    fn refuse_shifted(&self, data: &Dataset) -> Result<(), Error> {
        let refused = |setting, why: &str| {
            Err(Error::bad_setting(
                setting,
                format!("conditional tests compare squared errors of means, but {why}"),
                message!("leave out ", setting),
            ))
        };
        if self.forest.impurity == Some(Impurity::AbsoluteError) {
            return refused(setting::IMPURITY, "trees of absolute errors predict medians");
        }
        if self.forest.class_weight != ClassWeight::Equal {
            return refused(
                setting::CLASS_WEIGHT,
                "trees that weigh classes anew predict other shares of classes than the table has",
            );
        }
        if self.forest.favours_classes(data) {
            return refused(
                setting::STRATIFY,
                "trees that draw some classes more often predict other shares of classes than the \
                 table has",
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Target};

    fn data(n_cases: u32) -> Dataset {
        let x = (0..60).map(|row| f64::from(row * 7 % 60)).collect();
        let names = vec!["control".to_owned(), "case".to_owned()];
        let codes = (0..60).map(|row| u32::from(row < n_cases)).collect();
        let target = Target::classification("y", names, codes).expect("two classes");
        Dataset::new(vec![Column::numeric("x", x).expect("finite")], target).expect("a table")
    }

    #[test]
    fn forests_that_predict_no_means_of_the_table_are_refused() {
        let refused = |data: &Dataset, forest: ForestConfig| {
            let refusal = ConditionalConfig::new(forest).check(data).expect_err("refused");
            refusal.to_string()
        };
        let stratified = ForestConfig { stratify: true, ..ForestConfig::default() };
        assert_eq!(
            refused(&data(15), stratified.clone()),
            "conditional tests compare squared errors of means, but trees that draw some classes more \
             often predict other shares of classes than the table has"
        );
        let class_weight = ClassWeight::BalancedSubsample;
        let weighed = ForestConfig { class_weight, ..ForestConfig::default() };
        assert_eq!(
            refused(&data(30), weighed),
            "conditional tests compare squared errors of means, but trees that weigh classes anew \
             predict other shares of classes than the table has"
        );
        // Of classes of equal size, as many rows are drawn as the table has.
        assert_eq!(ConditionalConfig::new(stratified).check(&data(30)), Ok(()));
        let numbers = Target::regression("y", (0..60).map(f64::from).collect()).expect("finite");
        let columns = data(30).features().columns().to_vec();
        let numbers = Dataset::new(columns, numbers).expect("a table");
        let impurity = Some(Impurity::AbsoluteError);
        let medians = ForestConfig { impurity, ..ForestConfig::default() };
        assert_eq!(
            refused(&numbers, medians),
            "conditional tests compare squared errors of means, but trees of absolute errors predict \
             medians"
        );
    }
}
