//! How variables are selected.

use serde::{Serialize, Serializer};

use crate::data::{Dataset, refuse_constant};
use crate::error::Error;
use crate::folds;
use crate::forest::ForestConfig;
use crate::measure::{Loss, Measure};
use crate::selection::forest::check_measure;
use crate::selection::held_out;
use crate::selection::part::Part;
use crate::setting;

/// More repetitions, or folds in all, than this are a mistake.
const MOST_PARTS: usize = 1_000_000;

/// How variables are selected.
///
/// ```
/// use wald::selection::{PerStep, SelectionConfig};
/// use wald::simulate::Friedman1;
/// use wald::{ForestConfig, MeasureId};
///
/// let data = Friedman1::default().draw(60, 1)?;
/// let usual = SelectionConfig::new(ForestConfig::default(), MeasureId::SobolMda.into());
/// let fast = SelectionConfig { folds: 5, drop: PerStep::Share(0.5), ..usual };
/// assert_eq!(fast.check(&data)?, [10, 5, 2, 1]); // numbers of variables
/// # Ok::<(), wald::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SelectionConfig {
    /// How forests are grown. A given `mtry` (and subspace) is used as long as there are so many
    /// columns, then all that are left; without one, it is floor(sqrt(columns left)). The seed
    /// determines the folds and, with repetition, fold and step, every forest.
    pub forest: ForestConfig,
    /// What the least important variable is found by. Random permutations get a seed of their own
    /// for every forest, too.
    pub measure: Measure,
    /// Number of folds, K.
    pub folds: usize,
    /// How often the rows are divided into folds anew.
    pub repeats: usize,
    /// How many variables leave at a time.
    pub drop: PerStep,
    /// The smallest number of variables that is tried.
    pub smallest: usize,
    /// What held-out rows are judged by: squared error, absolute error (numbers), or the
    /// misclassified share (classes).
    pub loss: Loss,
}

/// How many variables leave between two forests.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PerStep {
    /// One while at most [`ONE_BY_ONE`](Self::ONE_BY_ONE) are left, before that a tenth of those left,
    /// rounded up: of thousands, single ones would take as many forests.
    Auto,
    /// So many.
    Variables(usize),
    /// So large a share of those left, rounded up.
    Share(f64),
}

/// The word `auto`, or the number or share.
impl Serialize for PerStep {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Auto => serializer.serialize_str("auto"),
            Self::Variables(number) => serializer.serialize_f64(number as f64),
            Self::Share(share) => serializer.serialize_f64(share),
        }
    }
}

impl PerStep {
    /// The most variables that leave one by one with [`Self::Auto`].
    pub const ONE_BY_ONE: usize = 100;

    /// How many leave when so many are left.
    fn of(self, n_left: usize) -> usize {
        // A product that is whole but for rounding stays whole.
        let rounded_up = |share: f64| ((share * n_left as f64 - 1e-9).ceil() as usize).max(1);
        match self {
            Self::Auto if n_left <= Self::ONE_BY_ONE => 1,
            Self::Auto => rounded_up(0.1).min(n_left - Self::ONE_BY_ONE),
            Self::Variables(number) => number,
            Self::Share(share) => rounded_up(share),
        }
    }
}

impl SelectionConfig {
    /// Ten folds, once, down to the last variable, judged by the squared error.
    pub fn new(forest: ForestConfig, measure: Measure) -> Self {
        Self {
            forest,
            measure,
            folds: 10,
            repeats: 1,
            drop: PerStep::Auto,
            smallest: 1,
            loss: Loss::Squared,
        }
    }

    /// Checks the ranges that do not depend on the data.
    ///
    /// # Errors
    /// [`Error::Setting`] for a value outside its range, and [`Error::Measure`] for a measure that
    /// needs more than the rows to grow on.
    pub fn validate(&self) -> Result<(), Error> {
        self.forest.validate()?;
        if self.folds < 2 {
            return Err(Error::bad_setting(
                setting::FOLDS,
                format!("the number of folds is {}", self.folds),
                "give 2 folds or more; 10 are usual",
            ));
        }
        if self.folds > MOST_PARTS {
            return Err(Error::bad_setting(
                setting::FOLDS,
                format!("the number of folds is {}", self.folds),
                format!("give at most {MOST_PARTS} folds; 10 are usual"),
            ));
        }
        if self.repeats == 0 || self.repeats.saturating_mul(self.folds) > MOST_PARTS {
            return Err(Error::bad_setting(
                setting::REPEATS,
                format!("the number of repetitions is {}", self.repeats),
                format!("give at least 1, and at most {}", MOST_PARTS / self.folds),
            ));
        }
        match self.drop {
            PerStep::Variables(0) => {
                return Err(Error::bad_setting(
                    setting::STEP,
                    "no variable would be dropped",
                    "drop at least 1 variable at a time, or a share of them such as 0.2",
                ));
            }
            PerStep::Share(share) if !(share > 0.0 && share < 1.0) => {
                return Err(Error::bad_setting(
                    setting::STEP,
                    format!("a share of {share} of the variables would be dropped at a time"),
                    "give a share above 0 and below 1, such as 0.2, or a whole number",
                ));
            }
            PerStep::Auto | PerStep::Variables(_) | PerStep::Share(_) => {}
        }
        if self.smallest == 0 {
            return Err(Error::bad_setting(
                setting::SMALLEST,
                "the smallest number of variables is 0",
                "give a whole number of 1 or more",
            ));
        }
        check_measure(&self.measure, "held-out rows must not affect what is dropped")
    }

    /// The numbers of variables at which forests are grown, decreasing.
    ///
    /// # Errors
    /// [`Error::Setting`] and [`Error::Data`] when the settings do not fit the data.
    pub fn check(&self, data: &Dataset) -> Result<Vec<usize>, Error> {
        self.validate()?;
        self.forest.resolve(data)?;
        held_out::check_loss(self.loss, data.target().task())?;
        let n_variables = data.groups().n_groups();
        if n_variables == 1 {
            return Err(Error::data(
                "there is one variable only: nothing can be dropped",
                "name at least two input variables, or groups of them",
            ));
        }
        if self.smallest >= n_variables {
            return Err(Error::bad_setting(
                setting::SMALLEST,
                format!(
                    "the smallest number of variables is {}, but there are {n_variables}",
                    self.smallest
                ),
                format!("give a number between 1 and {}", n_variables - 1),
            ));
        }
        folds::check(self.folds, 1, data)?;
        refuse_constant(data)?;
        Ok(self.sizes(n_variables))
    }

    fn sizes(&self, n_variables: usize) -> Vec<usize> {
        let mut sizes = vec![n_variables];
        let mut size = n_variables;
        while size > self.smallest {
            size = size.saturating_sub(self.drop.of(size)).max(self.smallest);
            sizes.push(size);
        }
        sizes
    }

    /// Number of eliminations: one in each fold of each repetition, and one on all rows.
    pub fn n_eliminations(&self) -> usize {
        self.folds * self.repeats + 1
    }

    /// What there is to do: all folds, then all rows.
    pub(super) fn parts(&self) -> Vec<Part> {
        let repeats = 0..self.repeats as u32;
        let folds = repeats
            .flat_map(|repeat| (0..self.folds as u32).map(move |fold| Part::Fold { repeat, fold }));
        folds.chain([Part::AllRows]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{MeasureId, MeasureSettings};

    #[test]
    fn sizes_go_down_to_the_smallest() {
        let measure = Measure::new(MeasureId::Mdi, MeasureSettings::default()).expect("offered");
        let config = SelectionConfig::new(ForestConfig::default(), measure);
        let sizes =
            |drop, smallest, n| SelectionConfig { drop, smallest, ..config.clone() }.sizes(n);
        assert_eq!(sizes(PerStep::Variables(1), 1, 4), [4, 3, 2, 1]);
        assert_eq!(sizes(PerStep::Variables(3), 2, 9), [9, 6, 3, 2]);
        assert_eq!(sizes(PerStep::Share(0.2), 1, 11), [11, 8, 6, 4, 3, 2, 1]);
        assert_eq!(sizes(PerStep::Share(0.07), 93, 100), [100, 93]);
        assert_eq!(sizes(PerStep::Share(0.999), 3, 10), [10, 3]);
        assert_eq!(sizes(PerStep::Auto, 97, 131), [131, 117, 105, 100, 99, 98, 97]);
        assert_eq!(sizes(PerStep::Auto, 1, 50_000).len(), 159);
    }
}
