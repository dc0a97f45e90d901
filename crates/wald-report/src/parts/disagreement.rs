//! Why measures disagree.

use serde::Serialize;

/// How rankings differ, and for every variable the terms that the papers distinguish.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Disagreement {
    /// What the rankings have in common and where they part, in at most three sentences.
    pub summary: Vec<String>,
    /// Identifiers of the measures compared.
    pub measures: Vec<String>,
    /// Spearman correlation of the rankings of every pair; `None` where undefined.
    pub correlations: Vec<Vec<Option<f64>>>,
    /// One entry per variable, in the order of the measure the report leads with.
    pub variables: Vec<VariableDisagreement>,
    /// What the terms are and how they are estimated, in sentences.
    pub about: Vec<String>,
}

/// What makes measures disagree about one variable.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VariableDisagreement {
    /// Its name.
    pub name: String,
    /// In plain words.
    pub sentence: String,
    /// Largest difference of its ranks among the measures compared.
    pub rank_spread: usize,
    /// In-bag against out-of-bag impurity decrease.
    pub overfitting: Option<Overfitting>,
    /// The three terms of the permutation importance.
    pub decomposition: Option<Decomposition>,
    /// Its importance against mtry: a variable whose share falls is masked by others.
    pub masking: Vec<MaskingPoint>,
    /// Redundant variables, found by leaving both out together.
    pub partners: Vec<Partner>,
}

/// Impurity decreases of one variable as shares of the impurity of the target.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Overfitting {
    /// On the rows the trees were grown on (`mdi`).
    pub in_bag: f64,
    /// On rows they have not seen (`mdi_oob`).
    pub out_of_bag: f64,
}

/// The limit of the permutation importance, as shares of the target's variance: total Sobol index,
/// full total Sobol index, and the term that has no meaning for rankings (Bénard et al. 2022,
/// Proposition 2 and Remark 1).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Decomposition {
    /// Total Sobol index: what is lost without the variable. From `sobol_mda`.
    pub total_sobol: f64,
    /// Full total Sobol index: what it explains together with all that depends on it.
    /// Breiman-Cutler minus Ishwaran-Kogalur; biased, because trees err more than forests.
    pub full_total_sobol: f64,
    /// The third term: Ishwaran-Kogalur minus the total Sobol index.
    pub third: f64,
}

/// The importance of a variable in forests of one mtry.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MaskingPoint {
    /// Variables tried at a node.
    pub mtry: usize,
    /// Share of the positive importances of all variables together, in percent.
    pub share: f64,
}

/// Another variable, and what both are worth together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Partner {
    /// Its name.
    pub name: String,
    /// Sobol-MDA of the partner alone.
    pub alone: f64,
    /// Sobol-MDA of both left out together: more than the sum where each stands in for the other.
    pub together: f64,
}
