//! Part of a forest that stands for all of it.

/// How many trees and rows stand for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The first so many trees: trees are drawn independently of each other, so that any of them
    /// are a random sample.
    pub n_trees: usize,
    /// This many training rows, drawn at random.
    pub n_rows: usize,
}
