//! The map of dependent variables.

use serde::Serialize;

/// How strongly variables depend on each other, and the tree that joins those that do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DependenceMap {
    /// What the numbers are, in words.
    pub method: String,
    /// Why variables are left out; `None` where all are shown.
    pub left_out: Option<String>,
    /// Names, in the order of the leaves of the tree, so that those which depend stand together.
    pub variables: Vec<String>,
    /// Dependence of every pair, 0 to 1, in that order; rows are symmetric and 1 with themselves.
    pub values: Vec<Vec<f64>>,
    /// The merges of the tree, by decreasing dependence.
    pub merges: Vec<Merge>,
    /// Groups of variables that depend strongly, the largest first; names in the order shown.
    pub clusters: Vec<Vec<String>>,
    /// From which dependence on variables are a cluster.
    pub threshold: f64,
}

/// Two neighbouring stretches of the variables that are joined.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Merge {
    /// Place of the first variable.
    pub first: usize,
    /// Place of the first variable of the second stretch.
    pub middle: usize,
    /// Place after the last variable.
    pub end: usize,
    /// Mean dependence between both.
    pub dependence: f64,
}
