//! What the standard errors of a measure are taken over.

use crate::importance::DataUsed;
use crate::measure::definition::{CostClass, MeasureInfo};

/// Standard errors over these are those of a finite number of trees.
const TREES: &str = "trees";
const TREES_AND_SETS: &str = "trees and sets of variables";

/// Standard errors over these are those of a sample of rows, and not Monte-Carlo errors.
const TABLE_ROWS: &str = "rows of the table";

impl MeasureInfo {
    /// Whether standard errors are those of what was drawn at random beside the rows of the table.
    pub fn has_monte_carlo_errors(&self) -> bool {
        self.errors_over() != TABLE_ROWS
    }

    /// Whether standard errors are those of a finite number of trees, perhaps of other draws, too.
    pub fn has_errors_of_trees(&self) -> bool {
        matches!(self.errors_over(), TREES | TREES_AND_SETS)
    }

    /// What standard errors are taken over, where there are any: what was drawn at random, and only
    /// that.
    pub fn errors_over(&self) -> &'static str {
        match (self.effort, self.data) {
            (CostClass::Samples, _) => "samples of rows and orders",
            (CostClass::Coalitions, _) => TREES_AND_SETS,
            // Only those that are drawn of many rows have errors.
            _ if self.facts.explains_rows => "rows",
            // One forest against another.
            (CostClass::Refits, DataUsed::OutOfBag) if self.facts.needs_all_trees => TABLE_ROWS,
            // The forest is given.
            (_, DataUsed::Test) => "random permutations",
            (_, DataUsed::Training | DataUsed::OutOfBag) => TREES,
        }
    }
}
