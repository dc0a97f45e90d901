//! The content on a single variable.

use serde::Serialize;

/// One variable: its values, and what the forest makes of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VariablePage {
    /// Its name.
    pub name: String,
    /// How its values are distributed.
    pub distribution: Distribution,
    /// Predictions against its values, one entry per output shown (a number; the second of two
    /// classes; the most frequent of more); empty where they were not asked for.
    pub curves: Vec<Curve>,
}

/// Counts of a variable's values.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Distribution {
    /// Numbers in bins of equal width.
    Numeric {
        /// One more than counts.
        edges: Vec<f64>,
        /// Rows per bin.
        counts: Vec<usize>,
    },
    /// The most frequent levels.
    Categorical {
        /// (level, rows).
        counts: Vec<(String, usize)>,
        /// Rows of all other levels.
        others: usize,
    },
}

/// Mean prediction against a variable (partial dependence), and the curves of single rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Curve {
    /// Name of the class; `None` for numbers.
    pub class: Option<String>,
    /// Where predictions were made.
    pub places: CurvePlaces,
    /// Mean over rows, one number per place.
    pub mean: Vec<f64>,
    /// A few rows, evenly chosen by their prediction: one curve each.
    pub rows: Vec<Vec<f64>>,
}

/// The values put in for a variable.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CurvePlaces {
    /// Numbers, increasing.
    Numeric {
        /// The numbers.
        values: Vec<f64>,
        /// Where curves are steps: what holds at a number holds down to the one before it, at the first
        /// one down to this number. Otherwise curves join what holds at the numbers.
        #[serde(skip_serializing_if = "Option::is_none")]
        steps_from: Option<f64>,
    },
    /// Levels.
    Categorical {
        /// Their names.
        levels: Vec<String>,
    },
}
