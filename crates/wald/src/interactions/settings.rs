//! How interactions are searched for.

use crate::data::{Dataset, Task};
use crate::error::Error;
use crate::{message, setting};

/// More trees or resamples than this are a mistake.
const MOST_TREES: usize = 1_000_000;
const MOST_RESAMPLES: usize = 100_000;

/// An intersection of so many paths is empty.
const DEEPEST: usize = 100;

/// Most leaves of a tree of intersections.
const MOST_LEAVES: f64 = 1e6;

/// How interactions are searched for. Trees, depth, children and the cut are by default those of the R
/// package iRF 3; 30 bootstrap samples are those of its first versions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InteractionConfig {
    /// Number of random intersection trees for each class.
    pub trees: usize,
    /// Number of paths that are intersected on the way from the root to a leaf of such a tree: its
    /// depth, the root counted as 1.
    pub depth: usize,
    /// Number of children of a node.
    pub children: usize,
    /// Sets of fewer variables are not reported.
    pub min_size: usize,
    /// Sets with a smaller prevalence are not reported, and do not count as found.
    pub min_prevalence: f64,
    /// Of a numeric target, the value above which a mean or a row belongs to the upper class; `None`
    /// for the median.
    pub cut: Option<f64>,
    /// Number of bootstrap samples of the rows on which the search is repeated; 0 for none.
    pub resamples: usize,
    /// Seed of the paths that are drawn, and of the bootstrap samples and their forests.
    pub seed: u64,
}

impl Default for InteractionConfig {
    fn default() -> Self {
        Self {
            trees: 500,
            depth: 5,
            children: 2,
            min_size: 2,
            min_prevalence: 0.0,
            cut: None,
            resamples: 30,
            seed: 0,
        }
    }
}

impl InteractionConfig {
    /// Checks the ranges that do not depend on the data.
    ///
    /// # Errors
    /// [`Error::Setting`] for a value outside its range.
    pub fn validate(&self) -> Result<(), Error> {
        let ranges = [
            (setting::INTERSECTION_TREES, self.trees, 1, MOST_TREES, "500 are usual"),
            (setting::DEPTH, self.depth, 1, DEEPEST, "5 is usual"),
            (setting::CHILDREN, self.children, 1, MOST_TREES, "2 are usual"),
            (setting::MIN_SIZE, self.min_size, 1, MOST_TREES, "2 is usual"),
            (setting::RESAMPLES, self.resamples, 0, MOST_RESAMPLES, "30 are usual"),
        ];
        for (setting, value, least, most, usual) in ranges {
            if !(least..=most).contains(&value) {
                return Err(Error::bad_setting(
                    setting,
                    message!(setting.name(), " is ", value),
                    format!("give at least {least}, and at most {most}; {usual}"),
                ));
            }
        }
        let n_leaves = (self.children as f64).powi(self.depth as i32 - 1);
        if n_leaves > MOST_LEAVES {
            return Err(Error::bad_setting(
                setting::CHILDREN,
                format!(
                    "with {} children and depth {}, an intersection tree has {n_leaves:.0e} leaves",
                    self.children, self.depth
                ),
                "give fewer children or a smaller depth; 2 children and depth 5 are usual",
            ));
        }
        if !(0.0..=1.0).contains(&self.min_prevalence) {
            return Err(Error::bad_setting(
                setting::MIN_PREVALENCE,
                message!(setting::MIN_PREVALENCE.name(), " is ", self.min_prevalence),
                "give a share between 0 and 1, such as 0.1",
            ));
        }
        match self.cut {
            Some(cut) if !cut.is_finite() => Err(Error::bad_setting(
                setting::CUT,
                message!(setting::CUT.name(), " is ", cut),
                "give a number between the smallest and the largest value of the target",
            )),
            _ => Ok(()),
        }
    }

    /// Checks that the settings fit the data.
    ///
    /// # Errors
    /// [`Error::Setting`] when they do not, and [`Error::Data`] where there are several targets.
    pub fn check(&self, data: &Dataset) -> Result<(), Error> {
        data.target().check_one()?;
        self.validate()?;
        if self.cut.is_some() && data.target().task() == Task::Classification {
            return Err(Error::bad_setting(
                setting::CUT,
                message!(setting::CUT.name(), " is given, but the target has classes"),
                message!("leave out ", setting::CUT),
            ));
        }
        let n_variables = data.groups().n_groups();
        if self.min_size > n_variables {
            return Err(Error::bad_setting(
                setting::MIN_SIZE,
                message!(
                    setting::MIN_SIZE.name(),
                    " is ",
                    self.min_size,
                    format!(", but the number of variables is {n_variables}")
                ),
                format!("give at most {n_variables}"),
            ));
        }
        Ok(())
    }
}
